"""Markdown files with or without front matter, as Hexo, Hugo and Jekyll have them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
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
_HTML = (".html", ".htm")  # Jekyll takes front matter above HTML as well
# The field, its keys in other programs, in lower case and strongest first, and how it is read.
_FIELDS: tuple[tuple[str, tuple[str, ...], Rule], ...] = (
    ("id", ("id", "guid"), as_line),
    ("title", ("title",), as_line),
    ("url", ("url", "permalink", "link", "canonical", "canonical_url"), as_url),
    ("published", ("date", "published", "pubdate", "publishdate"), as_moment),
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
_SCHEME = re.compile(r"\s*[A-Za-z][\w+.-]*:")
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
    if _is_template(parts.values):
        reason, hint = "a template for posts, no post", "leave its folder out of the sources"
        yield Problem(source=source, place=place, reason=reason, hint=hint, lost=False)
        return
    if parts.fault:
        hint = "the keys that could be read are taken; correct the block"
        yield Problem(source=source, place=place, reason=parts.fault, hint=hint)
    if _is_draft(parts.values):
        hint = "remove the mark from its front matter to have it in the vault"
        yield Problem(source=source, place=place, reason="a draft is left out", hint=hint)
        return
    values, refused = read_fields(_renamed(parts.values), _RULES)
    for reason in refused:
        yield Problem(source=source, place=place, reason=reason, hint="correct the front matter")
    post = Post.model_validate(_completed(values, parts.body, source))
    yield SourcePost(post=post, reader=NAME, source=source, place=place)


def _is_template(values: Mapping[str, object]) -> bool:
    """Whether the file is what new posts are made from."""
    return any(_TEMPLATE.fullmatch(_word(values.get(key))) for key in ("title", "date"))


def _is_draft(values: Mapping[str, object]) -> bool:
    return _word(values.get("draft")) in _TRUE or _word(values.get("published")) in _FALSE


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
            value = _adapted(key, lower.get(key))
            if value is not None:
                found[name] = value
                break
    return found


def _adapted(key: str, value: object) -> object:
    """Return the value in the form that the rules take; ``None`` if it says nothing."""
    if isinstance(value, str) and value.strip().lower() in _NOTHING:
        return None
    return _ADAPT[key](value) if key in _ADAPT else value


def _several(value: object) -> object:
    """Divide a text by blanks, as Jekyll does, and join Hexo's paths of categories."""
    if isinstance(value, str):
        return value if re.search("[,，]", value) else list(value.split())
    if isinstance(value, list):
        nested = [item if isinstance(item, list) else [item] for item in value]
        return [item for group in nested for item in group]
    return value


def _first(value: object) -> object:
    """Return the one series of a list: a post has one."""
    return next(iter(value), None) if isinstance(value, list) else value


def _absolute(value: object) -> object:
    """Leave out a place within a site whose address is not known."""
    return None if isinstance(value, str) and not _SCHEME.match(value) else value


def _names_of(value: object) -> object:
    """Return the author, or the authors joined; Hugo has mappings with a name."""
    if isinstance(value, dict):
        return value.get("name")
    if isinstance(value, list):
        names = [_names_of(item) for item in value]
        return ", ".join(name for name in names if isinstance(name, str)) or None
    return value


# Where other programs write a value in a form of their own.
_ADAPT: dict[str, Callable[[object], object]] = {
    "tags": _several,
    "categories": _several,
    "series": _first,
    "author": _names_of,
    "authors": _names_of,
    "url": _absolute,
    "permalink": _absolute,
    "link": _absolute,
    "canonical": _absolute,
    "canonical_url": _absolute,
}


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
        name = "body_html" if path.suffix.lower() in _HTML else "body_markdown"
        values = values | {name: body.rstrip() + "\n"}
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
