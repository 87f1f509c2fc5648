"""Front matter as YAML 1.2 reads it: `formats.md`, section 2.

PyYAML finds the structure; which plain words are numbers, truth values or nothing is YAML 1.2's
core schema, as Obsidian has it, and not PyYAML's, where `yes` is true and a day is an object.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from kbexport.vault.properties import LOADER

Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]

_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One key with its value."""

    key: str
    value: Value
    line: int
    """Its line in the note."""
    quoted: str
    """The quotation mark before the key, or nothing."""
    raw: str
    """What stands behind the colon, on the same line."""


@dataclass(frozen=True, slots=True)
class Front:
    """The block between the fences."""

    text: str
    first: int
    """The line of the note at which it begins."""
    entries: tuple[Entry, ...] = ()
    problem: str = ""
    """Why it is not what Obsidian can read; empty where it is."""
    problem_line: int = 0

    def get(self, key: str) -> Value:
        """The value of a key; None where it is absent."""
        return next((one.value for one in self.entries if one.key == key), None)


def read_front(text: str, first: int) -> Front:
    """The block whose first line is line ``first`` of its note."""
    try:
        node = yaml.compose(text, Loader=LOADER)
    except (yaml.YAMLError, RecursionError) as error:
        return Front(text, first, (), *_trouble(error, text, first))
    if node is None:
        return Front(text, first)
    if not isinstance(node, yaml.MappingNode):
        return Front(text, first, (), "it is no list of keys with values", first)
    lines = text.split("\n")
    entries = tuple(_entry(key, value, lines, first) for key, value in node.value)
    seen: set[str] = set()
    for one in entries:
        if one.key in seen:
            return Front(text, first, entries, f"the key `{one.key}` stands there twice", one.line)
        seen.add(one.key)
    return Front(text, first, entries)


def _trouble(error: Exception, text: str, first: int) -> tuple[str, int]:
    """What is wrong, and in which line."""
    if isinstance(error, RecursionError):
        return "too many lists in lists", first
    if not isinstance(error, yaml.MarkedYAMLError):
        return str(error).split("\n", maxsplit=1)[0], first
    mark = error.problem_mark or error.context_mark
    line = first + min(mark.line, text.count("\n")) if mark else first
    return error.problem or "not YAML", line


def _entry(key: yaml.Node, node: yaml.Node, lines: list[str], first: int) -> Entry:
    name = key.value if isinstance(key, yaml.ScalarNode) else "?"
    number = key.start_mark.line
    line = lines[number] if number < len(lines) else ""
    behind = line[key.end_mark.column :].partition(":")[2].strip()
    return Entry(name, _value(node, {}), first + number, _quote(key), behind)


def _quote(key: yaml.Node) -> str:
    style = getattr(key, "style", None)
    return style if style in ("'", '"') else ""


def _value(node: yaml.Node, known: dict[int, Value]) -> Value:
    """The value of a node; one that aliases name often, or that holds itself, is read once."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = None
    value: Value
    if isinstance(node, yaml.SequenceNode):
        value = [_value(each, known) for each in node.value]
    elif isinstance(node, yaml.MappingNode):
        value = {str(key.value): _value(each, known) for key, each in node.value}
    else:
        value = _scalar(str(node.value), plain=getattr(node, "style", None) in (None, ""))
    known[id(node)] = value
    return value


def _scalar(text: str, *, plain: bool) -> Value:
    """A scalar by the core schema of YAML 1.2."""
    if not plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        base = {"0o": 8, "0x": 16}.get(text[:2], 10)
        return int(text[2:] if base != 10 else text[:4000], base)
    if _FLOAT.fullmatch(text):
        return float(re.sub(r"\.(?=[a-z])", "", text.lower()))
    return text
