"""The grammar of a title: column, series name, ordinal, part title.

``[Notes] Growing Tomatoes (3) - Watering`` is Notes / Growing Tomatoes / 3 / Watering. A title can
be read in several ways; each reading is a candidate, and which one holds is decided by the other
posts of the blog, never here. The column is cut off before; the forms of number are in ``rules``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from kbexport.series.lookalikes import is_event, is_problem_set, is_release
from kbexport.series.names import READ_LENGTH, fold, key_of, tidy
from kbexport.series.number_words import HALVES, WORDS
from kbexport.series.rules import RULES, Rule, Strength
from kbexport.text.numerals import parse_numeral


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to read a title."""

    rule: str
    """Name of the rule that read it."""
    strength: Strength
    name: str
    """Name of the series as spelled; empty where the title only has a number."""
    ordinal: int | None
    part: str
    """What the title says beyond series and number."""
    sign: str
    """The number as printed, with its marker."""
    half: bool = False
    """Whether the ordinal stands for 上, 中 or 下."""
    behind: bool = False
    """Whether the name follows a number at the front, and so may be the title of the part."""
    start: int = 0
    """Where in the title the number stands."""

    @property
    def key(self) -> str:
        """What all spellings of the series' name have in common."""
        return key_of(self.name)


_MAX_SIGNS = 6
"""More numbers of one form than this are no title but a table; keeps hostile input cheap."""


@lru_cache(maxsize=65536)
def candidates(title: str) -> tuple[Candidate, ...]:
    """Every reading of ``title`` (without its column) as a numbered part, clearest first.

    Among equally clear readings the outer number, that is the first one, comes first:
    in `X (5) - engine (1)` the part is 5.
    """
    title = title[:READ_LENGTH]
    plain = fold(title)
    matches = [
        (rule, match)
        for rule in RULES
        for match in islice(rule.pattern.finditer(plain), _MAX_SIGNS)
    ]
    clear = [match.span() for rule, match in matches if rule.strength > Strength.BARE]
    found: list[tuple[tuple[int, int, int], Candidate]] = []
    for rule, match in matches:
        start, end = match.span()
        # The 2 of `Part 2` is not a bare number too.
        if rule.strength is Strength.BARE and any(a < end and start < b for a, b in clear):
            continue
        # `Trowel 2 Beta 1` and `Trowel 3 is out` are versions.
        if (rule.strength < Strength.PART or rule.name == "hash") and is_release(
            plain[:start], plain[end:]
        ):
            continue
        for rank, candidate in enumerate(_read(rule, match, title)):
            if candidate.strength < Strength.PART and (
                is_problem_set(candidate.name) or is_event(candidate.name)
            ):
                continue
            found.append(((-candidate.strength, rank, start), candidate))
    found.sort(key=lambda item: item[0])
    unique: dict[tuple[str, int | None], Candidate] = {}
    for _, candidate in found:
        unique.setdefault((candidate.key, candidate.ordinal), candidate)
    return tuple(unique.values())


def _read(rule: Rule, match: re.Match[str], title: str) -> list[Candidate]:
    groups = {name: value for name, value in match.groupdict().items() if value}
    half = next(
        (groups[name] for name in ("half", "half2", "half3", "half4") if name in groups), None
    )
    numeral = next((groups[name] for name in ("n", "n2", "n3") if name in groups), "")
    word = groups.get("word", "").casefold()
    ordinal = HALVES[half] if half else WORDS.get(word, parse_numeral(numeral))
    if ordinal is None or (ordinal > _MAX_PLAIN and rule.name not in _LONG_COUNTS):
        return []
    before, after = title[: match.start()], title[match.end() :]
    sign = title[match.start() : match.end()].strip()

    def reading(name: str, part: str, strength: Strength) -> Candidate:
        behind = not tidy(before) and not tidy(part)
        return Candidate(
            rule=rule.name,
            strength=strength,
            name=tidy(name),
            ordinal=ordinal,
            part=tidy(part),
            sign=sign,
            half=half is not None,
            behind=behind,
            start=match.start(),
        )

    found = [reading(name, part, rule.strength) for name, part in _names(before, after)]
    split = _SEPARATOR.search(before)
    if split and half is None and tidy(before[: split.start()]) and not tidy(after):
        # `Growing Tomatoes: Watering (3)`: the number may as well count what stands in front.
        found.append(reading(before[: split.start()], before[split.end() :], Strength.BARE))
    return found


_MAX_PLAIN = 999
"""A larger number is a year, a model or an amount, unless its sign counts issues."""
_LONG_COUNTS = ("第…篇", "hash")
_OF_NAME = re.compile(r"^\s*(?:of|in|von|de|della?|du)\s+(?=\w)", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s[-–—|~]+\s|[-–—]{2,}|[:：|｜]|[(（\[【]")


def _names(before: str, after: str) -> list[tuple[str, str]]:
    """Where the name may stand: before the number; behind it; between a separator and it."""
    if not tidy(before):
        after = _OF_NAME.sub("", after)
        rest = tidy(after)
        split = _SEPARATOR.search(after.lstrip(" -–—:：.、)）"))
        heads = [("", rest)]
        if split and tidy(after):
            head = after.lstrip(" -–—:：.、)）")
            heads.append((head[: split.start()], head[split.end() :]))
        elif rest:
            heads.append((rest, ""))
        return heads
    readings = [(before, after)]
    splits = list(_SEPARATOR.finditer(before))
    if splits and tidy(before[splits[-1].end() :]):
        # `Watering (Growing Tomatoes, part 3)`: the name stands right before the number.
        last = splits[-1]
        readings.append((before[last.end() :], before[: last.start()] + after))
    return readings
