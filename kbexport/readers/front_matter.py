"""The front matter of Markdown files: found, taken off, and read as plain strings."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any

import frontmatter
import yaml
from frontmatter.default_handlers import BaseHandler

# The base loader makes strings of everything: others read 1.10 as 1.1, 010 as 8, and no as False.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_LONGEST = 64 * 1024
_DEEPEST = 50
_BLANK = r"(?:[ \t]*\n)*"
_YAML = re.compile(rf"\A{_BLANK}---[ \t]*\n(?P<block>(?:.*\n)*?)---[ \t]*(?:\n|\Z)")
_TOML = re.compile(rf"\A{_BLANK}\+\+\+[ \t]*\n(?P<block>(?:.*\n)*?)\+\+\+[ \t]*(?:\n|\Z)")
# Hexo takes a block without the opening line.
_UNOPENED = re.compile(r"\A(?P<block>(?:(?=[a-z_]+:|[ \t\n]|- )[^\n]*\n){1,60}?)---[ \t]*(?:\n|\Z)")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_PLAIN_KEY = re.compile(r"[a-z_][\w.-]*")
_KNOWN = frozenset(("title", "date", "tags", "categories", "author", "draft", "published", "slug"))
_NESTING = re.compile(r"[\[{]|(?:- ){3}")


@dataclass(frozen=True)
class FrontMatter:
    """A Markdown text taken apart."""

    values: dict[str, object] = field(default_factory=dict)
    """The properties: strings, lists and mappings of strings."""
    body: str = ""
    """What follows, with the indent of its first line."""
    fault: str = ""
    """What is wrong with the block; ``values`` then holds what could be read."""


class _UnreadableError(ValueError):
    """The block is no YAML or TOML."""


class _Handler(BaseHandler):
    """Splits at lines of exactly three signs, and loads strings only."""

    def __init__(self, block: re.Pattern[str]) -> None:
        self.block = block

    def split(self, text: str) -> tuple[str, str]:
        found = self.block.match(text + "\n")
        if not found:
            raise ValueError("no front matter")
        return found["block"], ""

    def load(self, fm: str) -> Any:  # noqa: ANN401 - mostly, but not surely, a mapping
        return _load_toml(fm) if self.block is _TOML else _load_yaml(fm)


def has_front_matter(text: str) -> bool:
    """Whether the text begins with a block of properties."""
    return _block_of(text) is not None and bool(split(text).values)


def split(text: str) -> FrontMatter:
    """Take the front matter off the text; what only looks like one stays in the body."""
    block = _block_of(text)
    found = block.match(text) if block else None
    if block is None or found is None:
        return FrontMatter(body=text)
    # The library strips the body, so it is cut from the original text.
    body = re.sub(rf"\A{_BLANK}", "", text[found.end() :])
    try:
        values, _ = frontmatter.parse(text[: found.end()], handler=_Handler(block))
    except _UnreadableError as error:
        values = _key_by_key(found["block"])
        if not values.keys() & _KNOWN:
            return FrontMatter(body=text)
        return FrontMatter(values, body, str(error))
    if not _is_front_matter(values):
        return FrontMatter(body=text)
    return FrontMatter(values, body)


def _block_of(text: str) -> re.Pattern[str] | None:
    """Return the pattern that finds the block, if there is a block of sane size."""
    head = text[:_LONGEST]
    return next((block for block in (_YAML, _TOML, _UNOPENED) if block.match(head)), None)


def _is_front_matter(values: dict[str, object]) -> bool:
    """Whether this is not a text between two rules that happens to hold a colon."""
    keys = [str(key) for key in values]
    return bool(keys) and (
        any(key.lower() in _KNOWN for key in keys) or all(map(_PLAIN_KEY.fullmatch, keys))
    )


def _load_yaml(block: str) -> Any:  # noqa: ANN401 - as the library has it
    if len(_NESTING.findall(block)) > 20 * _DEEPEST or _depth(block) > _DEEPEST:
        raise _UnreadableError("the front matter is nested too deeply")
    try:
        return yaml.load(block, Loader=_LOADER)  # noqa: S506 - this loader makes nothing but strings
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise _UnreadableError(f"the front matter is no valid YAML: {_yaml_fault(error)}") from None


def _depth(block: str) -> int:
    """Return how deep brackets nest, at most."""
    depth = deepest = 0
    for sign in block:
        if sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth = max(0, depth - 1)
    return deepest


def _yaml_fault(error: Exception) -> str:
    """Say where the fault is; the two loaders have different words for what it is."""
    mark = getattr(error, "problem_mark", None)
    return f"see line {mark.line + 2}" if mark else type(error).__name__


def _load_toml(block: str) -> Any:  # noqa: ANN401 - as the library has it
    try:
        return _strings(tomllib.loads(block, parse_float=str))
    except (ValueError, RecursionError) as error:
        raise _UnreadableError(f"the front matter is no valid TOML: {error}") from None


def _strings(value: object) -> object:
    """Return TOML's value with strings for dates, numbers and flags, as YAML's loader does."""
    if isinstance(value, dict):
        return {key: _strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_strings(item) for item in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def _key_by_key(block: str) -> dict[str, object]:
    """Read a broken block one key at a time: a bad title must not cost the date.

    The commonest fault is a title that begins with `[` or holds a colon: it is taken as it stands.
    """
    chunks: list[list[str]] = []
    for line in block.split("\n"):
        if _KEY.match(line):
            chunks.append([line])
        elif chunks:
            chunks[-1].append(line)
    values: dict[str, object] = {}
    for chunk in chunks:
        found = _KEY.match(chunk[0])
        try:
            loaded = _load_yaml("\n".join(chunk))
        except _UnreadableError:
            loaded = None
        if isinstance(loaded, dict):
            values.update(loaded)
        elif found:
            values[found["key"]] = (found["value"] or "").strip().strip("\"'")
    return values
