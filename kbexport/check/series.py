"""Series with gaps and doubles, and chains of `prev` and `next` that break.

Gaps and doubles are facts of a blog and only told; a chain that breaks is wrong. Rules:
`design.md`, Properties of a note. Only notes that kbexport wrote have these properties.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbexport.check.findings import Finding, Severity
from kbexport.check.front import Value
from kbexport.check.links import Resolver
from kbexport.check.page import Page
from kbexport.check.vault import Checked

_HINT = "build again, or put the property right"


@dataclass(frozen=True, slots=True)
class _Part:
    """A note of a series, with the paths that its properties lead to."""

    page: Page
    series: str
    ordinal: int | None
    prev: str | None
    next: str | None

    def line(self, key: str) -> int:
        front = self.page.front
        return next((one.line for one in front.entries if one.key == key), 0) if front else 0


def check_series(vault: Checked, resolver: Resolver) -> Iterator[Finding]:
    """The series of the vault, each as a whole."""
    parts = {page.path: part for page in vault.pages.values() if (part := _part(page, resolver))}
    series: defaultdict[str, list[_Part]] = defaultdict(list)
    for part in parts.values():
        series[part.series].append(part)
        yield from _neighbours(part, parts)
    for path in sorted(series):
        yield from _numbers(path, series[path])
        yield from _chain(path, series[path])


def _part(page: Page, resolver: Resolver) -> _Part | None:
    front = page.front
    if page.pointer is None or front is None:
        return None
    series = _path(front.get("series"), resolver)
    if series is None:
        return None
    ordinal = front.get("ordinal")
    number = ordinal if isinstance(ordinal, int) and not isinstance(ordinal, bool) else None
    before, behind = (_path(front.get(key), resolver) for key in ("prev", "next"))
    return _Part(page, series, number, before, behind)


def _path(value: Value, resolver: Resolver) -> str | None:
    """The one note that a link of a property leads to; None where that is not so."""
    first = value[0] if isinstance(value, list) and value else value
    if not isinstance(first, str) or not first.startswith("[["):
        return None
    target = first.removeprefix("[[").partition("]]")[0]
    files = resolver.files(target.partition("|")[0].partition("#")[0])
    return files[0] if len(files) == 1 else None


def _neighbours(part: _Part, parts: Mapping[str, _Part]) -> Iterator[Finding]:
    """That each neighbour has the note as its own neighbour, in the same series."""
    for key, path, back in (("next", part.next, "prev"), ("prev", part.prev, "next")):
        other = parts.get(path or "")
        if path is None:
            continue
        if other is None or other.series != part.series:
            message = f"`{key}` leads to {path}, which is no part of the series"
        elif getattr(other, back) != part.page.path:
            message = f"`{key}` leads to {path}, whose `{back}` does not lead back"
        else:
            continue
        yield Finding(part.page.path, part.line(key), "series-chain", message, _HINT)


def _numbers(path: str, parts: Sequence[_Part]) -> Iterator[Finding]:
    counts = Counter(part.ordinal for part in parts if part.ordinal is not None)
    if not counts:
        return
    gaps = ", ".join(_gaps(sorted(counts)))
    if gaps:
        yield Finding(path, 0, "series-gap", f"the series has no part {gaps}", "", Severity.NOTE)
    for ordinal in sorted(number for number, count in counts.items() if count > 1):
        names = ", ".join(sorted(part.page.stem for part in parts if part.ordinal == ordinal))
        message = f"the series has part {ordinal} more than once: {names}"
        yield Finding(path, 0, "series-double", message, "", Severity.NOTE)


def _gaps(ordinals: Sequence[int]) -> Iterator[str]:
    """The numbers from 1 to the last one that are not there, as runs."""
    before = 0
    for ordinal in ordinals:
        if ordinal > before + 1:
            yield f"{before + 1}" if ordinal == before + 2 else f"{before + 1}–{ordinal - 1}"
        before = max(before, ordinal)


def _chain(path: str, parts: Sequence[_Part]) -> Iterator[Finding]:
    """That one walk from the first part comes by all of them."""
    by_path = {part.page.path: part for part in parts}
    heads = [part for part in parts if part.prev not in by_path]
    seen: set[str] = set()
    for head in heads:
        part: _Part | None = head
        while part is not None and part.page.path not in seen:
            seen.add(part.page.path)
            part = by_path.get(part.next or "")
    if len(seen) < len(parts):
        message = "some of its parts lead to one another in a circle"
        yield Finding(path, 0, "series-chain", message, _HINT)
    elif len(heads) > 1:
        names = ", ".join(sorted(part.page.stem for part in heads)[:5])
        message = f"its parts are no chain but {len(heads)}, which begin with {names}"
        yield Finding(path, 0, "series-chain", message, _HINT)
