"""Lexical, the form of Ghost's editor since 2023: a tree of nodes in JSON -> HTML."""

from __future__ import annotations

from html import escape

from kbexport.readers.ghost_cards import DEEPEST, Body, TextError, add_card, loaded

# The bits of a text's format, and the tags that they stand for.
_FORMATS = ((1, "strong"), (2, "em"), (4, "s"), (8, "u"), (16, "code"), (32, "sub"), (64, "sup"))
_BLOCKS = {
    "paragraph": "p",
    "quote": "blockquote",
    "extended-quote": "blockquote",
    "aside": "blockquote",
}
_TEXTS = ("text", "extended-text")


def lexical_body(text: str) -> Body:
    """The text of a post in Lexical; raises TextError."""
    root = loaded(text).get("root")
    if not isinstance(root, dict):
        raise TextError("no root")
    body = Body()
    for node in _children(root):
        _add_block(body, node)
    return body


def _children(node: dict[str, object]) -> list[dict[str, object]]:
    children = node.get("children")
    return (
        [child for child in children if isinstance(child, dict)]
        if isinstance(children, list)
        else []
    )


def _kind(node: dict[str, object]) -> str:
    return str(node.get("type") or "")


def _add_block(body: Body, node: dict[str, object]) -> None:
    kind = _kind(node)
    if kind in ("heading", "extended-heading"):
        tag = str(node.get("tag") or "h2")
        body.add(_wrapped(tag if tag in ("h1", "h2", "h3", "h4", "h5", "h6") else "h2", node))
    elif kind == "list":
        body.add(_list(node, 0))
    elif kind in _BLOCKS:
        body.add(_wrapped(_BLOCKS[kind], node))
    elif kind == "code" and _children(node):
        body.add(f"<pre><code>{_code(node)}</code></pre>")
    elif _children(node):
        body.add(_wrapped("p", node))
    else:
        metadata = node.get("metadata")
        add_card(body, kind, (metadata if isinstance(metadata, dict) else {}) | node)


def _wrapped(tag: str, node: dict[str, object]) -> str:
    return f"<{tag}>{_inline(node, 0)}</{tag}>"


def _inline(node: dict[str, object], depth: int) -> str:
    if depth > DEEPEST:
        raise TextError("nested too deeply")
    parts = []
    for child in _children(node):
        kind = _kind(child)
        if kind in _TEXTS or "text" in child:
            parts.append(_text(child))
        elif kind == "linebreak":
            parts.append("<br>")
        elif kind in ("link", "autolink"):
            address = escape(str(child.get("url") or ""))
            parts.append(f'<a href="{address}">{_inline(child, depth + 1)}</a>')
        else:
            parts.append(_inline(child, depth + 1))
    return "".join(parts)


def _text(node: dict[str, object]) -> str:
    shown, bits = escape(str(node.get("text") or ""), quote=False), node.get("format")
    for bit, tag in reversed(_FORMATS):
        if isinstance(bits, int) and bits & bit:
            shown = f"<{tag}>{shown}</{tag}>"
    return shown


def _list(node: dict[str, object], depth: int) -> str:
    if depth > DEEPEST:
        raise TextError("nested too deeply")
    tag = "ol" if node.get("listType") == "number" else "ul"
    items: list[str] = []
    for item in _children(node):
        inner = [child for child in _children(item) if _kind(child) == "list"]
        words = _inline({"children": [c for c in _children(item) if _kind(c) != "list"]}, depth)
        nested = "".join(_list(child, depth + 1) for child in inner)
        if inner and not words and items:  # a list inside the item before it
            items[-1] = items[-1].removesuffix("</li>") + nested + "</li>"
        else:
            items.append(f"<li>{words}{nested}</li>")
    return f"<{tag}>{''.join(items)}</{tag}>"


def _code(node: dict[str, object]) -> str:
    lines = (
        "\n" if _kind(child) == "linebreak" else str(child.get("text") or "")
        for child in _children(node)
    )
    return escape("".join(lines), quote=False)
