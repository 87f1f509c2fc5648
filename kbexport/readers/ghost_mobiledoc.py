"""Mobiledoc, the form of Ghost's editor until 2023: sections, markers, cards in JSON -> HTML.

A marker has the numbers of the markups that it opens, how many it closes, and its text; atoms are
line breaks and the like (`bustle/mobiledoc-kit`, `MOBILEDOC.md`).
"""

from __future__ import annotations

from html import escape

from kbexport.readers.ghost_cards import Body, TextError, add_card, loaded

_MARKUP, _PICTURE, _LIST, _CARD = 1, 2, 3, 10
_ATOM = 1
_TAGS = frozenset("p h1 h2 h3 h4 h5 h6 blockquote aside ul ol".split())
_MARKS = frozenset("a b strong i em s u code sub sup del strike mark".split())


def mobiledoc_body(text: str) -> Body:
    """The text of a post in Mobiledoc; raises TextError."""
    document = loaded(text)
    sections = document.get("sections")
    if not isinstance(sections, list):
        raise TextError("no sections")
    body = Body()
    for section in sections:
        try:
            _add_section(body, section, document)
        except (IndexError, TypeError, KeyError, ValueError):
            raise TextError("a section is damaged") from None
    return body


def _add_section(body: Body, section: list[object], document: dict[str, object]) -> None:
    kind = section[0]
    if kind == _CARD:
        card = _listed(document, "cards")[_number(section[1])]
        name, payload = card[0], card[1] if len(card) > 1 else {}
        add_card(body, str(name), payload if isinstance(payload, dict) else {})
    elif kind == _PICTURE:
        add_card(body, "image", {"src": section[1]})
    elif kind in (_MARKUP, _LIST):
        tag = str(section[1]).lower()
        tag = tag if tag in _TAGS else "p"
        if kind == _LIST:
            items = (_inline(_of_lists(item), document) for item in _of_lists(section[2]))
            body.add(f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>")
        elif words := _inline(_of_lists(section[2]), document):
            tag = "blockquote" if tag == "aside" else tag
            body.add(f"<{tag}>{words}</{tag}>")


def _of_lists(value: object) -> list[list[object]]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _listed(document: dict[str, object], name: str) -> list[list[object]]:
    return _of_lists(document.get(name) or [])


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError
    return value


def _inline(markers: list[list[object]], document: dict[str, object]) -> str:
    parts: list[str] = []
    opened: list[str] = []
    for kind, opens, closes, value in markers:
        for number in opens if isinstance(opens, list) else ():
            tag, shown = _markup(_listed(document, "markups")[number])
            opened.append(tag)
            parts.append(shown)
        parts.append(_atom(value, document) if kind == _ATOM else escape(str(value), quote=False))
        closed = [opened.pop() for _ in range(min(_number(closes), len(opened)))]
        parts += [f"</{tag}>" for tag in closed if tag]
    parts += [f"</{tag}>" for tag in reversed(opened) if tag]
    return "".join(parts)


def _markup(markup: list[object]) -> tuple[str, str]:
    """The tag, and how it opens; attributes are a flat list of names and values."""
    tag = str(markup[0]).lower()
    if tag not in _MARKS:
        return "", ""
    flat = markup[1] if len(markup) > 1 and isinstance(markup[1], list) else []
    attributes = dict(zip(flat[::2], flat[1::2], strict=False))
    address = f' href="{escape(str(attributes["href"]))}"' if "href" in attributes else ""
    return tag, f"<{tag}{address}>"


def _atom(number: object, document: dict[str, object]) -> str:
    name, text = _listed(document, "atoms")[_number(number)][:2]
    return "<br>" if name == "soft-return" else escape(str(text or ""), quote=False)
