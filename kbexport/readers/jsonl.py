"""The interchange format: one JSON object a line, its keys those of `Post`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.fields import Number, as_line, read_fields
from kbexport.readers.record import FIELDS

NAME = "jsonl"
ORIGINS = "origins"
"""What `kbexport posts` tells of the fields beside them."""
_ENDINGS = (".jsonl", ".ndjson")
_SNIFFED_LINES = 20
_SNIFFED_LENGTH = 10_000_000
# Other programs of JSON (U+2028) take these for line ends.
_ESCAPED = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}


def parse(text: str, source: str) -> Iterator[SourcePost | Problem]:
    """Yield a post for each line, and for what could not be read the line and the reason."""
    unknown: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"line {number}"
        try:
            record = _load(line)
        except ValueError as error:
            yield Problem(source=source, place=place, reason=str(error), hint="correct this line")
            continue
        unknown.update(key for key in record if key not in FIELDS and key != ORIGINS)
        if record.doubles:
            reason = f"keys given twice, the last value is taken: {_listed(record.doubles)}"
            yield Problem(source=source, place=place, reason=reason, hint="correct this line")
        values, refused = read_fields(record, FIELDS)
        for reason in refused:
            yield Problem(source=source, place=place, reason=reason, hint="correct this value")
        if values:
            post = Post.model_validate(values)
            yield SourcePost(post=post, reader=NAME, source=source, place=place)
        elif not refused:
            reason, hint = "nothing in this record", "see `kbexport posts --schema` for the keys"
            yield Problem(source=source, place=place, reason=reason, hint=hint, lost=False)
    if unknown:
        yield _unknown_keys(unknown, source)


class _Record(dict[str, object]):
    """An object, and which of its keys it has more than once."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs) if len(pairs) > len(self) else {}
        self.doubles = [key for key, count in counts.items() if count > 1]


def _load(line: str) -> _Record:
    """Parse one line; a ``ValueError`` says what is wrong with it and where."""
    try:
        # NaN is what tables write for a missing value.
        record = json.loads(
            line,
            parse_int=Number,
            parse_float=Number,
            parse_constant=lambda _: None,
            object_pairs_hook=_Record,
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"no valid JSON at column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ValueError("no valid record: nested too deeply") from None
    if not isinstance(record, _Record):
        raise ValueError("a JSON value that is no object")  # noqa: TRY004 - wrong input, no bug
    return record


def _unknown_keys(unknown: Counter[str], source: str) -> Problem:
    names = [f"{_quoted(key)} ({count})" for key, count in unknown.most_common(10)]
    more = f" and {len(unknown) - 10} more" if len(unknown) > 10 else ""
    return Problem(
        source=source,
        reason=f"keys that are not known were left out: {', '.join(names)}{more}",
        hint="see `kbexport posts --schema` for the keys",
        lost=False,
    )


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(map(_quoted, keys))


def _quoted(key: str) -> str:
    return f"`{as_line(key) or ''}`"[:60]


def to_line(post: Post, origins: Mapping[str, str] | None = None) -> str:
    """The post as one line of the format; what is unknown is left out.

    ``origins`` says where each field came from; a reader passes over it.
    """
    values = {name: getattr(post, name) for name in Post.model_fields}
    known = {name: value for name, value in values.items() if value is not None and value != ()}
    line = json.dumps(known | ({ORIGINS: origins} if origins else {}), ensure_ascii=False)
    for sign, escape in _ESCAPED.items():
        line = line.replace(sign, escape)
    return line


def schema() -> dict[str, Any]:
    """The JSON Schema of a line."""
    return Post.model_json_schema()


def sniff(document: Document) -> bool:
    """Whether one of the first lines is an object with keys of the format."""
    if document.suffix not in _ENDINGS and not document.head[:1000].lstrip().startswith("{"):
        return False
    lines = document.text[:_SNIFFED_LENGTH].split("\n", _SNIFFED_LINES)[:_SNIFFED_LINES]
    if document.suffix in _ENDINGS:
        return any(line.lstrip().startswith(("{", "[")) for line in lines)
    return any(map(_is_record, lines))


def _is_record(line: str) -> bool:
    try:
        record = _load(line)
    except ValueError:
        return False
    # A record is flat: feeds and the exports of other programs have lists of objects.
    nested = any(
        isinstance(value, dict)
        or (isinstance(value, list) and any(isinstance(v, dict) for v in value))
        for key, value in record.items()
        if key != ORIGINS
    )
    return not nested and any(key in FIELDS for key in record)


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document."""
    return parse(document.text, document.name)


READER = Reader(NAME, Richness.FULL, sniff, read)
