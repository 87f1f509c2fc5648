"""What a check found, in words and as JSON; pure, `cli.py` prints it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import groupby
from pathlib import Path


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """An app cannot read it, or a system cannot store it."""
    WARNING = "warning"
    """It does not do what it should."""
    NOTE = "note"
    """A fact that its owner may know of already; it does not change the exit code."""
    MENDED = "mended"
    """`--fix` has put it right."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One place of a vault that breaks a rule."""

    path: str
    """The file, from the vault's root, with `/`."""
    line: int
    """The line in it, from 1; 0 is the file as a whole."""
    rule: str
    """Name of the rule, the same in all versions."""
    message: str
    hint: str = ""
    """What to do; empty where the message says it."""
    severity: Severity = Severity.WARNING


def needs_eye(findings: Sequence[Finding]) -> bool:
    """Whether something is wrong (exit code 3); notes and what was mended are not."""
    return any(one.severity in (Severity.ERROR, Severity.WARNING) for one in findings)


def findings_json(findings: Sequence[Finding]) -> str:
    """The findings for machines: a list of objects, by path and line."""
    return json.dumps([asdict(one) for one in findings], ensure_ascii=False, indent=2)


def finding_lines(findings: Sequence[Finding], vault: Path) -> Iterator[str]:
    """The findings for people: how many of each kind, then note by note."""
    counts = Counter(one.severity for one in findings)
    counted = ", ".join(f"{counts[kind]} {_many(kind, counts[kind])}" for kind in counts)
    yield f"{vault}: {counted or 'nothing found'}"
    for path, found in groupby(findings, key=lambda one: one.path):
        yield path
        hint = ""
        for one in found:
            place = f"{one.line:>5}" if one.line else "     "
            yield f"{place}  {one.severity:<7}  {one.message}  ({one.rule})"
            if one.hint and one.hint != hint:
                yield f"         {one.hint}"
            hint = one.hint


def _many(kind: Severity, count: int) -> str:
    return kind.value if count == 1 or kind is Severity.MENDED else f"{kind.value}s"
