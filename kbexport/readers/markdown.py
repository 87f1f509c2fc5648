"""Markdown files with or without front matter, as Hexo, Hugo and Jekyll have them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.fields import (
    Rule,
    as_count,
    as_line,
    as_moment,
    as_names,
    as_ordinal,
    as_text,
    as_url,
    read_fields,
)
from kbexport.readers.front_matter import has_front_matter, split
from kbexport.readers.registry import readers
from kbexport.text.clean import clean_text, one_line

NAME = "markdown"
_ENDINGS = (".md", ".markdown")
# The field, the keys under which other programs have it, strongest first, and how it is read.
_FIELDS: tuple[tuple[str, tuple[str, ...], Rule], ...] = (
    ("id", ("id", "guid"), as_line),
    ("title", ("title",), as_line),
    ("url", ("url", "permalink", "link", "canonical", "canonical_url"), as_url),
    ("published", ("date", "published", "pubDate", "publishDate"), as_moment),
    ("updated", ("updated", "lastmod", "modified"), as_moment),
    ("author", ("author", "authors"), as_line),
    ("reads", ("reads", "views"), as_count),
    ("tags", ("tags", "tag"), as_names),
    ("categories", ("categories", "category"), as_names),
    ("series", ("series",), as_line),
    ("ordinal", ("ordinal", "series_order", "part"), as_ordinal),
    ("slug", ("slug",), as_line),
    ("excerpt", ("excerpt", "summary", "description"), as_text),
)
_RULES: dict[str, Rule] = {name: rule for name, _, rule in _FIELDS}
_NOTHING = frozenset(["", "~", "null"])
_TRUE = frozenset(["true", "yes", "on", "1"])
_FALSE = frozenset(["false", "no", "off", "0"])
_DATED_NAME = re.compile(r"(?P<date>\d{4}-\d{1,2}-\d{1,2})-(?P<slug>.+)")
_CLOSING_SIGNS = re.compile(r"(?:^|[ \t])#+$")
_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)*")
_TEMPLATE = re.compile(r"\{\{.*\}\}")
# Names that say nothing of the post; its folder does.
_FOLDER_NOTES = frozenset(["index", "_index", "readme"])


def parse(text: str, source: str) -> Iterator[SourcePost | Problem]:
    """Yield the post, and what of its front matter could not be read."""
    place = "line 1"
    parts = split(clean_text(text))
    if parts.fault:
        hint = "the keys that could be read are taken; correct the block"
        yield Problem(source=source, place=place, reason=parts.fault, hint=hint)
    if why := _no_post(parts.values):
        hint = "remove that mark to have it in the vault"
        yield Problem(source=source, place=place, reason=why[0], hint=hint, lost=why[1])
        return
    values, refused = read_fields(_renamed(parts.values), _RULES)
    for reason in refused:
        yield Problem(source=source, place=place, reason=reason, hint="correct the front matter")
    post = Post.model_validate(_completed(values, parts.body, source))
    yield SourcePost(post=post, reader=NAME, source=source, place=place)


def _no_post(values: Mapping[str, object]) -> tuple[str, bool] | None:
    """Say why the file is no post, if it is none, and whether that loses something."""
    if any(isinstance(value, str) and _TEMPLATE.search(value) for value in values.values()):
        return "a template for posts, no post", False
    if _word(values.get("draft")) in _TRUE or _word(values.get("published")) in _FALSE:
        return "a draft is left out", True
    return None


def _word(value: object) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def _renamed(values: Mapping[str, object]) -> dict[str, object]:
    """Return the values under our own names, of several keys the first that says something."""
    lower = {str(key).lower(): value for key, value in values.items()}
    if _word(lower.get("published")) in _TRUE:
        del lower["published"]  # a mark, not a date
    found: dict[str, object] = {}
    for name, keys, _ in _FIELDS:
        for key in keys:
            value = _adapted(name, key, lower.get(key.lower()))
            if value is not None:
                found[name] = value
                break
    return found


def _adapted(name: str, key: str, value: object) -> object:
    """Return the value in the form that the rules of the fields take."""
    if isinstance(value, str) and value.strip().lower() in _NOTHING:
        return None
    if name == "author":
        return _names_of(value)
    if name == "series" and isinstance(value, list):
        return value[0] if value else None
    if name == "url" and isinstance(value, str) and "://" not in value and ":" not in value:
        return None  # a permalink: the place within a site whose address is not known
    if key in ("tags", "categories") and isinstance(value, str) and not re.search("[,，]", value):
        return list(value.split())  # Jekyll divides by blanks
    return value


def _names_of(value: object) -> object:
    """Return the author, or the authors joined; Hugo has mappings with a name."""
    if isinstance(value, dict):
        return value.get("name")
    if isinstance(value, list):
        names = [_names_of(item) for item in value]
        return ", ".join(name for name in names if isinstance(name, str)) or None
    return value


def _completed(values: dict[str, object], body: str, source: str) -> dict[str, object]:
    """Add what the body and the name of the file know."""
    path = PurePosixPath(source)
    stem = path.parent.name if path.stem.lower() in _FOLDER_NOTES else path.stem
    dated = _DATED_NAME.fullmatch(stem)
    if dated:
        name_values, _ = read_fields({"published": dated["date"]}, {"published": as_moment})
        values = name_values | {"slug": one_line(dated["slug"])} | values
        stem = dated["slug"]
    if "title" not in values:
        title, body = _heading(body)
        title = title or (one_line(stem) if path.name != "-" else "")
        values = values | ({"title": title} if title else {})
    if body.strip():
        values = values | {"body_markdown": body.rstrip() + "\n"}
    return values


def _heading(body: str) -> tuple[str, str]:
    """Take the title off the body if it begins with a heading of the first level."""
    line, _, rest = body.partition("\n")
    if not line.startswith(("# ", "#\t")):
        return "", body
    title = one_line(_CLOSING_SIGNS.sub("", line[1:].strip()))
    return (title, _BLANK_LINES.sub("", rest)) if title else ("", body)


def sniff(document: Document) -> bool:
    """Whether it is Markdown by its front matter or its ending, and in no other format."""
    if document.suffix not in _ENDINGS and not has_front_matter(document.text):
        return False
    others = (reader for reader in readers() if reader.name != NAME)
    return not any(reader.sniff(document) for reader in others)


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the post of the document."""
    return parse(document.text, document.name)


READER = Reader(NAME, Richness.FULL, sniff, read)
