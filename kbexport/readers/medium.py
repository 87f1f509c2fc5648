"""The export of a Medium account: one HTML page a post, with replies and drafts among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from kbexport.content.dom import Element, parse_page
from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import Where, post_of
from kbexport.text.clean import one_line

NAME = "medium"
_POST = re.compile(r"<section\b[^>]*\bdata-field=\"body\"[^>]*\bclass=\"e-content\"")
_OTHER = re.compile(
    r"<b>Medium user ID:</b>|Exported from <a href=\"https://medium\.com\">Medium</a>"
)
_ID = re.compile(r"(?:^|[-/_])(?P<id>[0-9a-f]{8,16})$")
_DRAFT = "draft_"
# Line ends in code are `<br>`; what white space stands round it comes of the page.
_CODE_BEGINS = re.compile(r"(<pre\b[^>]*>)\s*(<(?:code|span)\b[^>]*>)(?:[ \t]*\n\s*)?")
_CODE_ENDS = re.compile(r"(?:[ \t]*\n\s*)?(</(?:code|span)>)\s*(</pre>)")
_CODE_LANGUAGE = re.compile(r"(<pre\b[^>]*?)\sdata-code-block-lang=")
_GIST = re.compile(
    r"<script\b[^>]*\bsrc=\"(https://gist\.github\.com/[^\"?]+?)(?:\.js)?(?:\?[^\"]*)?\"[^>]*>\s*</script>"
)


def parse(html: str, source: str) -> Iterator[SourcePost | Problem]:
    """Yield the post of the page, or why it is none."""
    page = parse_page(html)
    body = page.select_one("section.e-content")
    if body is None:
        reason = "a page about the account and not a post: left out"
        yield Problem(source=source, reason=reason, lost=False)
        return
    title, subtitle = _text(page, "h1.p-name"), _text(page, "section.p-summary")
    address = _attribute(page, "a.p-canonical", "href")
    if PurePosixPath(source).name.startswith(_DRAFT) or (
        not address and not page.select_one("time.dt-published")
    ):
        hint = "publish it and export again to have it in the vault"
        reason = f"a draft is left out: {title[:60]}"
        yield Problem(source=source, reason=reason, hint=hint, lost=False)
        return
    if _is_reply(page, body, title, subtitle):
        reason = f"a reply to somebody else's post is left out: {title[:60]}"
        yield Problem(source=source, reason=reason, lost=False)
        return
    _drop_heads(body, title, subtitle)
    values: dict[str, object] = {
        "id": _id(address or source),
        "title": title,
        "url": address,
        "published": _attribute(page, "time.dt-published", "datetime"),
        "author": _text(page, ".p-author"),
        "tags": [one_line(tag.text) for tag in page.select("a.p-tag")],
        "excerpt": subtitle,
        "body_html": _plain_code(body.inner_html),
    }
    yield from post_of(values, Where(NAME, source, "the page"))


def _text(page: Element, css: str) -> str:
    found = page.select_one(css)
    return one_line(found.text) if found else ""


def _attribute(page: Element, css: str, name: str) -> str:
    found = page.select_one(css)
    return (found.attr(name) or "") if found else ""


def _id(address: str) -> str | None:
    """The id that ends each address, and the name of each file."""
    found = _ID.search(address.split("?", maxsplit=1)[0].removesuffix(".html"))
    return found["id"] if found else None


def _is_reply(page: Element, body: Element, title: str, subtitle: str) -> bool:
    """Whether it has nothing of a post but text: a reply's title is how its text begins."""
    if subtitle or page.select_one("a.p-tag") or body.select_one("h3, h4, figure, pre"):
        return False
    first = body.select_one("p, blockquote, li")
    return first is not None and first.text.startswith(title.rstrip("…. "))


def _drop_heads(body: Element, title: str, subtitle: str) -> None:
    """Take off what the note has as its title and its excerpt, and the rule above all."""
    wanted = [title, subtitle]
    for lead in body.select(".graf--title, .graf--subtitle, h3.graf--leading"):
        if one_line(lead.text) in wanted:
            lead.drop()
    divider = body.select_one(".section-divider")
    if divider:
        divider.drop()


def _plain_code(html: str) -> str:
    """The body with code whose lines begin where they began, and with gists as links."""
    html = _CODE_LANGUAGE.sub(r"\1 data-lang=", html)
    html = _CODE_ENDS.sub(r"\1\2", _CODE_BEGINS.sub(r"\1\2", html))
    return _GIST.sub(r'<p><a href="\1">\1</a></p>', html)


def sniff(document: Document) -> bool:
    """Whether it is a page of such an export."""
    if document.root != "html":
        return False
    return bool(_POST.search(document.head) or _OTHER.search(document.head))


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the post of the document."""
    return parse(document.text, document.name)


READER = Reader(NAME, Richness.FULL, sniff, read)
