"""Addresses in a body that name files which came with it: found, and replaced."""

from __future__ import annotations

import re
from collections.abc import Callable

import turbohtml
from turbohtml import Element

from kbexport.content.pictures import LAZY, address_of

FindFile = Callable[[str], str | None]
"""The address as the body has it -> the one to stand there; None where no such file came."""

# Most bodies name nothing but the web; those need no second tree.
_NEAR = re.compile(
    r"\s(?:src|href|data-[\w-]+|_src|file)\s*=\s*[\"']?\s*(?!https?:|//|#|mailto:|javascript:|[\"'>\s])",
    re.IGNORECASE,
)
_MEDIA = "audio[src], video[src], source[src], embed[src], a[href]"
_PAGE = re.compile(r"\.(?:html?|xhtml|md|markdown|php|aspx?)(?:[?#]|$)|/$|^[^.]*$", re.IGNORECASE)
"""An address that rather leads to another page than to a file."""
_ANY = re.compile(r"\]\(|\]:|!\[\[|<(?:img|a|video|audio|source)\b")
_FENCE = re.compile(r"\s*(?:>\s*)*(?P<sign>`{3,}|~{3,})")
_IN_MARKDOWN = re.compile(
    r"(?P<link>!?\[[^\[\]\n]{0,500}\]\([ \t]*)"
    r"(?:<(?P<angle>[^<>\n]{1,1000})>|(?P<bare>[^\s()<>]{1,1000}))"
    r"|(?P<definition>^ {0,3}\[[^\[\]\n]{1,200}\]:[ \t]*)(?P<target>[^\s<>]{1,1000})"
    r"|(?P<tag><(?:img|a|video|audio|source)\b[^<>]{0,500}?\s(?:src|href)=[\"'])"
    r"(?P<value>[^\"'<>\n]{1,1000})"
    r"|!\[\[(?P<embed>[^\[\]|#\n]{1,500})(?P<rest>[|#][^\[\]\n]{0,200})?\]\]"
)


def html_with_files(html: str, find: FindFile, *, everywhere: bool = False) -> str:
    """A body in HTML that names its files where they will lie.

    ``everywhere`` says that files of the web came with it, too, as in a page saved as one file.
    """
    if not everywhere and not _NEAR.search(html):
        return html
    document = turbohtml.parse(f"<body>{html}")
    found = False
    for picture in document.select("img"):
        place = find(address_of(picture) or (picture.attr("src") or "").strip())
        if place is not None:
            _show(picture, place)
            found = True
    for element in document.select(_MEDIA):
        name = "href" if element.tag == "a" else "src"
        address = (element.attr(name) or "").strip()
        place = None if _PAGE.search(address) else find(address)
        if place is not None:
            element.attrs[name] = place
            found = True
    body = document.select_one("body")
    return body.inner_html if found and body else html


def _show(picture: Element, place: str) -> None:
    for name in (*LAZY, "srcset", "data-srcset"):
        if picture.attr(name) is not None:
            del picture.attrs[name]
    picture.attrs["src"] = place


def markdown_with_files(markdown: str, find: FindFile) -> str:
    """A body in Markdown that names its files where they will lie; code stays as it is."""
    if not _ANY.search(markdown):
        return markdown
    fence, lines = "", []
    for line in markdown.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark["sign"]
        elif mark and mark["sign"].startswith(fence):
            fence = ""
        is_text = not fence and mark is None
        lines.append(_IN_MARKDOWN.sub(lambda m: _placed(m, find), line) if is_text else line)
    return "\n".join(lines)


def _placed(match: re.Match[str], find: FindFile) -> str:
    if match["embed"]:
        place = find(match["embed"].strip())
        return match[0] if place is None else f"![]({place})"
    address = match["angle"] or match["bare"] or match["target"] or match["value"]
    is_page = _PAGE.search(address) and not match[0].startswith(("!", "<img"))
    place = None if is_page else find(address)
    if place is None:
        return match[0]
    return f"{match['link'] or match['definition'] or match['tag']}{place}"
