"""Markdown files with or without front matter, as Hexo, Hugo and Jekyll have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from kbexport.flavors.pointer import find_pointer
from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.fields import read_fields
from kbexport.readers.front_matter import has_front_matter, split
from kbexport.readers.front_matter_keys import RULES, TRUE, name_values, word
from kbexport.readers.site_tags import plain_tags
from kbexport.text.clean import clean_text, one_line
from kbexport.text.markup import plain_line

NAME = "markdown"
_HTML = (".html", ".htm")  # Jekyll takes front matter above HTML as well
_FALSE = frozenset(["false", "no", "off", "0"])
_DRAFTS = "_drafts"
_DATED_NAME = re.compile(r"(?P<date>\d{4}-\d{1,2}-\d{1,2})-(?P<slug>.+)")
# A heading of the first level, as a line with `#` or with a line of `=` below it.
_HEADING = re.compile(
    r"\A(?:[ \t]*\n)* {0,3}(?:#(?:[ \t]+(?P<marked>[^\n]*))?"
    r"|(?P<underlined>(?![#>|`~=-])\S[^\n]*)\n {0,3}=+[ \t]*)(?:\n|\Z)"
)
_CLOSING_SIGNS = re.compile(r"(?:^|[ \t])#+$")
_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)*")
_TEMPLATE = re.compile(r"\{\{.*\}\}")
# Names that say nothing of the post; its folder does.
_FOLDER_NOTES = frozenset(["index", "_index", "readme"])


def parse(text: str, source: str, folder: str = "") -> Iterator[SourcePost | Problem]:
    """Yield the post, and what of its front matter could not be read.

    ``folder`` is the real name of the folder, where ``source`` does not have it.
    """
    place = "line 1"
    path = PurePosixPath(source)
    folder = folder or path.parent.name
    parts = split(clean_text(text))
    if found := _no_post(parts.values, (*path.parent.parts, folder)):
        reason, hint = found
        yield Problem(source=source, place=place, reason=reason, hint=hint, lost=False)
        return
    if parts.fault:
        hint = "the keys that could be read are taken; correct the block"
        yield Problem(source=source, place=f"line {parts.line}", reason=parts.fault, hint=hint)
    for key in parts.doubles:
        reason, hint = f"{key}: this key is given twice", "remove one of them"
        yield Problem(source=source, place=place, reason=reason, hint=hint)
    body = parts.body
    if parts.values:  # a file of a site, whose generator knows its tags
        plain = plain_tags(body, html=path.suffix.lower() in _HTML)
        body = plain.text
        if plain.left_out:
            names = ", ".join(f"`{name[:60]}`" for name in dict.fromkeys(plain.left_out))
            reason = f"files of the site that the text includes are not in it: {names}"
            yield Problem(source=source, place=place, reason=reason, lost=False)
    stem = folder if path.stem.lower() in _FOLDER_NOTES else path.stem
    named = name_values(parts.values, by_blanks=_is_jekyll(parts.values, stem))
    values, refused = read_fields(named.values, RULES, named.written)
    for reason in refused:
        yield Problem(source=source, place=place, reason=reason, hint="correct the front matter")
    for reason in named.notes:
        yield Problem(source=source, place=place, reason=reason, lost=False)
    post = Post.model_validate(_completed(values, body, path, stem))
    yield SourcePost(post=post, reader=NAME, source=source, place=place)


def _no_post(values: Mapping[str, object], folders: Sequence[str]) -> tuple[str, str] | None:
    """Why the file is no post, and what the user can do about it."""
    values = {str(key).lower(): value for key, value in values.items()}
    if any(_TEMPLATE.fullmatch(word(values.get(key))) for key in ("title", "date")):
        return "a template for posts, no post", "leave its folder out of the sources"
    if word(values.get("draft")) in TRUE or word(values.get("published")) in _FALSE:
        hint = "remove the mark from its front matter to have it in the vault"
        return "a draft is left out", hint
    if _DRAFTS in folders:
        return "a draft is left out", f"move it out of `{_DRAFTS}` to have it in the vault"
    return None


def _is_jekyll(values: Mapping[str, object], stem: str) -> bool:
    return bool(_DATED_NAME.fullmatch(stem)) or any(key.lower() == "layout" for key in values)


def _completed(
    values: dict[str, object], body: str, path: PurePosixPath, stem: str
) -> dict[str, object]:
    """Add what the body and the name of the file know."""
    dated = _DATED_NAME.fullmatch(stem)
    if dated:
        of_name = {"published": dated["date"], "slug": dated["slug"]}
        known, _ = read_fields(of_name, RULES)
        values, stem = known | values, dated["slug"]
    elif path.name != "-":
        known, _ = read_fields({"slug": stem}, RULES)
        values = known | values
    if "title" not in values:
        title, body = _heading(body)
        title = title or (one_line(stem) if path.name != "-" else "")
        values = values | ({"title": title} if title else {})
    if body.strip():
        name = "body_html" if path.suffix.lower() in _HTML else "body_markdown"
        values = values | {name: body.rstrip() + "\n"}
    return values


def _heading(body: str) -> tuple[str, str]:
    """Take the title off the body if it begins with a heading of the first level."""
    found = _HEADING.match(body)
    if not found:
        return "", body
    words = _CLOSING_SIGNS.sub("", (found["marked"] or found["underlined"] or "").strip())
    title = one_line(plain_line(words))
    return (title, _BLANK_LINES.sub("", body[found.end() :])) if title else ("", body)


def sniff(document: Document) -> bool:
    """Whether it is Markdown by its front matter; without one, its ending says so."""
    return has_front_matter(document.head)


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the post of the document; a note that kbexport wrote is none."""
    if find_pointer(document.text):
        yield Problem(
            source=document.name,
            reason="is a note that kbexport wrote, not a source: left out",
            hint="name the folder with the exports instead",
            lost=False,
        )
        return
    yield from parse(document.text, document.name, document.folder)


READER = Reader(NAME, Richness.FULL, sniff, read, frozenset((".md", ".markdown", ".mdown")))
