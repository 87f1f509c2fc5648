"""The export of a Substack publication: `posts.csv`, and a folder with the text of each post."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Iterator

from kbexport.content.dom import parse_page
from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import LeftOut, Where, post_of
from kbexport.text.encodings import decode

NAME = "substack"
_COLUMNS = frozenset(("post_id", "post_date", "is_published", "title"))
_POSTS = frozenset(("newsletter", "podcast", "thread", "video", ""))
# Invitations that the site puts between the author's words.
_BUTTONS = (
    ".button-wrapper, .captioned-button-wrap, .subscription-widget-wrap,"
    " .subscription-widget-wrap-editor"
)


def parse(
    text: str, source: str, beside: Callable[[str], bytes | None]
) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the table; ``beside`` gives the files that hold their texts."""
    left_out = LeftOut(source)
    rows = csv.DictReader(io.StringIO(text), restval="")
    if not set(rows.fieldnames or ()) >= _COLUMNS:
        reason = f"lacks columns of such an export: {', '.join(sorted(_COLUMNS))}"
        yield Problem(source=source, reason=reason, hint="export it again")
        return
    try:
        for row in rows:
            number, _, slug = row["post_id"].strip().partition(".")
            name = f"posts/{row['post_id'].strip()}.html"
            body = beside(name)  # also of what is left out, so that it is no file of its own
            if rule := _no_post(row):
                left_out.add(rule[0], html.unescape(row["title"]), rule[1])
                continue
            place = f"line {rows.line_num}"
            if body is None:
                reason = f"the text of this post is not in the export: {name}"
                hint = "unpack the whole export, and name its folder as the source"
                yield Problem(source=source, place=place, reason=reason, hint=hint)
            values = _values(row, body) | {"id": number, "slug": slug}
            yield from post_of(values, Where(NAME, source, place))
    except csv.Error as error:
        reason = f"the table cannot be read further: {error}"
        hint = "export it again, and do not save it in another program"
        yield Problem(source=source, place=f"line {rows.line_num}", reason=reason, hint=hint)
    yield from left_out.problems()


def _no_post(row: dict[str, str]) -> tuple[str, str] | None:
    kind = (row.get("type") or "").strip().lower()
    if kind not in _POSTS:
        what = "pages" if kind == "page" else f"entries of the type `{kind[:40]}`"
        return what, "save them as Markdown or JSONL to have them in the vault"
    if row["is_published"].strip().lower() != "true":
        return "drafts", "publish it and export again to have it in the vault"
    return None


def _values(row: dict[str, str], body: bytes | None) -> dict[str, object]:
    audio = (row.get("podcast_url") or "").strip()
    return {
        "title": html.unescape(row["title"]),
        "published": row["post_date"],
        "excerpt": html.unescape(row.get("subtitle") or ""),
        "body_html": _without_buttons(decode(body)) if body is not None else None,
        "attachments": [audio] if audio else [],
    }


def _without_buttons(text: str) -> str:
    page = parse_page(text)
    buttons = page.select(_BUTTONS)
    for button in buttons:
        button.drop()
    body = page.select_one("body")
    return body.inner_html if buttons and body else text


def sniff(document: Document) -> bool:
    """Whether it is a table with the columns of such an export."""
    head = document.head.lstrip().split("\n", 1)[0]
    return {name.strip().strip('"') for name in head.split(",")} >= _COLUMNS


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text.lstrip(), document.name, document.beside)


READER = Reader(NAME, Richness.FULL, sniff, read)
