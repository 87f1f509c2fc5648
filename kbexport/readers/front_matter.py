"""The front matter of Markdown files: found, taken off, and read as plain strings."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
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
_YAML = re.compile(rf"\A{_BLANK}---[ \t]*\n(?P<block>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TOML = re.compile(rf"\A{_BLANK}\+\+\+[ \t]*\n(?P<block>(?:.*\n)*?)\+\+\+[ \t]*(?:\n|\Z)")
# Hexo takes a block without the opening line.
_UNOPENED = re.compile(
    r"\A(?=[a-z_])(?P<block>(?:(?=[a-z_]+:|[ \t\n]|- )[^\n]*\n){1,60}?)---[ \t]*(?:\n|\Z)"
)
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(?P<value>.*))?$")
_TOML_KEY = re.compile(r"(?P<key>[A-Za-z_][\w-]*)[ \t]*=[ \t]*(?P<value>.*)$")
_TOML_TABLE = re.compile(r"\[{1,2}[\w.\"' -]+\]{1,2}[ \t]*$")
_TOML_PLACE = re.compile(r"\s*\(at line (\d+), column \d+\)")
_PLAIN_KEY = re.compile(r"[a-z_][\w.-]*")
_KNOWN = frozenset(("title", "date", "tags", "categories", "author", "draft", "published", "slug"))
# What begins like a block and has no end that belongs to it, or is in a form that is not read.
_BEGUN = re.compile(
    rf"\A{_BLANK}(?P<fence>---|\+\+\+|;;;|\{{)[ \t]*\n{_BLANK}"
    rf"[ \t]*[\"']?(?i:{'|'.join(sorted(_KNOWN))})[\"']?[ \t]*[:=]"
)
_UNCLOSED = re.compile(
    rf"\A{_BLANK}(?:---|\+\+\+)[ \t]*\n{_BLANK}"
    r"(?P<block>(?:(?:[A-Za-z_][\w-]*[ \t]*[:=]|[ \t]+\S|- )[^\n]*(?:\n|\Z)){1,60})"
)
_PROSE = re.compile(r"\n[ \t]*\n(?![\w-]+[ \t]*[:=]|[ \t\n#\[\]{}]|- |\Z)")
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
    line: int = 1
    """The line of the fault."""
    doubles: tuple[str, ...] = ()
    """Keys that the block has more than once; of YAML the last value is taken."""


class _UnreadableError(ValueError):
    """The block is no YAML or TOML; ``line`` is where in it, from 0, if that is known."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.line = line


class _Handler(BaseHandler):
    """Splits at lines of exactly three signs, and loads strings only."""

    def __init__(self, block: re.Pattern[str]) -> None:
        self.block = block
        self.doubles: tuple[str, ...] = ()

    def split(self, text: str) -> tuple[str, str]:
        found = self.block.match(text + "\n")
        if not found:
            raise ValueError("no front matter")
        return found["block"], ""

    def load(self, fm: str) -> Any:  # noqa: ANN401 - mostly, but not surely, a mapping
        values, self.doubles = _load_toml(fm) if self.block is _TOML else _load_yaml(fm)
        return values


def has_front_matter(text: str) -> bool:
    """Whether the text begins with a block of properties."""
    return _block_of(text) is not None and bool(split(text).values)


def split(text: str) -> FrontMatter:
    """Take the front matter off the text; what only looks like one stays in the body."""
    block = _block_of(text)
    found = block.match(text) if block else None
    if block is None or found is None:
        return _unclosed(text)
    # The library strips the body, so it is cut from the original text.
    body = re.sub(rf"\A{_BLANK}", "", text[found.end() :])
    if not found["block"].strip():
        return FrontMatter(body=body)
    handler = _Handler(block)
    try:
        values, _ = frontmatter.parse(text[: found.end()], handler=handler)
    except _UnreadableError as error:
        return _broken(text, found, body, error)
    if not _is_front_matter(values):
        return _unclosed(text)
    return FrontMatter(values, body, doubles=handler.doubles)


def _broken(text: str, found: re.Match[str], body: str, error: _UnreadableError) -> FrontMatter:
    """What can be read of a block with a fault."""
    if _PROSE.search(found["block"]) and _BEGUN.match(text):
        return _unclosed(text)  # the end is that of something else, such as a rule in the text
    toml = found.re is _TOML
    values = _key_by_key(found["block"], toml=toml)
    if not _has_known(values) and not toml:
        return FrontMatter(body=text)
    line = text.count("\n", 0, found.start("block")) + 1 + (error.line or 0)
    return FrontMatter(values, body if values else text, str(error), line)


def _unclosed(text: str) -> FrontMatter:
    """The text as body, and a fault if it begins like front matter after all."""
    head = text[:_LONGEST]
    begun = _BEGUN.match(head)
    if not begun:
        return FrontMatter(body=text)
    line = text.count("\n", 0, begun.start("fence")) + 1
    if begun["fence"] in (";;;", "{"):
        return FrontMatter(body=text, fault="front matter in JSON is not read", line=line)
    fault = f"the front matter has no end, a line of `{begun['fence']}`"
    found = _UNCLOSED.match(head)
    values = _key_by_key(found["block"], toml=begun["fence"] == "+++") if found else {}
    if found is None or not _has_known(values):
        return FrontMatter(body=text, fault=fault, line=line)
    return FrontMatter(values, re.sub(rf"\A{_BLANK}", "", text[found.end() :]), fault, line)


def _has_known(values: Iterable[object]) -> bool:
    return any(str(key).lower() in _KNOWN for key in values)


def _block_of(text: str) -> re.Pattern[str] | None:
    """The pattern that finds the block, if there is a block of sane size."""
    head = text[:_LONGEST]
    return next((block for block in (_YAML, _TOML, _UNOPENED) if block.match(head)), None)


def _is_front_matter(values: dict[str, object]) -> bool:
    """Whether this is not a text between two rules that happens to hold a colon."""
    keys = [str(key) for key in values]
    return bool(keys) and (_has_known(keys) or all(map(_PLAIN_KEY.fullmatch, keys)))


def _load_yaml(block: str) -> tuple[Any, tuple[str, ...]]:
    """What the block holds, and the keys that stand in it twice."""
    if len(_NESTING.findall(block)) > 20 * _DEEPEST or _depth(block) > _DEEPEST:
        raise _UnreadableError("the front matter is nested too deeply")
    try:
        loader = _LOADER(block)
        try:
            node = loader.get_single_node()
            keys = (
                [key.value for key, _ in node.value] if isinstance(node, yaml.MappingNode) else []
            )
            return loader.construct_document(node) if node else None, _doubles(keys)
        finally:
            loader.dispose()
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = "the front matter is no valid YAML" + ("" if mark else f": {type(error).__name__}")
        raise _UnreadableError(reason, mark.line if mark else None) from None


def _doubles(keys: Iterable[object]) -> tuple[str, ...]:
    """The keys that are given twice; capitals make no other key."""
    plain = [key for key in keys if isinstance(key, str)]
    counts = Counter(key.lower() for key in plain)
    return tuple(dict.fromkeys(key for key in plain if counts[key.lower()] > 1))


def _depth(block: str) -> int:
    """How deep brackets nest, at most."""
    depth = deepest = 0
    for sign in block:
        if sign in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in "]}":
            depth = max(0, depth - 1)
    return deepest


def _load_toml(block: str) -> tuple[Any, tuple[str, ...]]:
    """What the block holds, and the keys that differ only in their capitals."""
    try:
        values = tomllib.loads(block, parse_float=str)
        return _strings(values), _doubles(values)
    except (ValueError, RecursionError) as error:
        place = _TOML_PLACE.search(str(error))
        reason = f"the front matter is no valid TOML: {_TOML_PLACE.sub('', str(error))}"
        raise _UnreadableError(reason, int(place[1]) - 1 if place else None) from None


def _strings(value: object) -> object:
    """TOML's value with strings for dates, numbers and flags, as YAML's loader does."""
    if isinstance(value, dict):
        return {key: _strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_strings(item) for item in value]
    if isinstance(value, (datetime, date, time)):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)


def _key_by_key(block: str, *, toml: bool = False) -> dict[str, object]:
    """Read a broken block one key at a time: a bad title must not cost the date.

    The commonest fault is a title that begins with `[` or holds a colon: it is taken as it stands.
    """
    pattern, load = (_TOML_KEY, _load_toml) if toml else (_KEY, _load_yaml)
    chunks: list[list[str]] = []
    for line in block.split("\n"):
        if toml and _TOML_TABLE.match(line):
            break  # what follows belongs to this table
        if pattern.match(line):
            chunks.append([line])
        elif chunks:
            chunks[-1].append(line)
    values: dict[str, object] = {}
    for chunk in chunks:
        values.update(_one_key(chunk, pattern, load))
    return values


def _one_key(
    chunk: list[str], pattern: re.Pattern[str], load: Callable[[str], tuple[Any, tuple[str, ...]]]
) -> dict[str, object]:
    """The key and its value, as its first line has it if it cannot be loaded."""
    for lines in (chunk, chunk[:1]):
        try:
            loaded, _ = load("\n".join(lines))
        except _UnreadableError:
            continue
        if isinstance(loaded, dict):
            return loaded
    found = pattern.match(chunk[0])
    return {found["key"]: (found["value"] or "").strip().strip("\"'")} if found else {}
