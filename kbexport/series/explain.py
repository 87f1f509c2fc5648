"""Why a post is in its series, or in none: every candidate with its verdict."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kbexport.config import SeriesRules
from kbexport.models import CollatedPost
from kbexport.series import beginnings, nameless, numbered, periodicals, subjects, unnumbered
from kbexport.series.beginnings import find_beginnings
from kbexport.series.detect import STEPS, Step, drafts, read_entries
from kbexport.series.draft import Draft, Entry, Group, Member
from kbexport.series.nameless import find_nameless
from kbexport.series.names import key_of, tokens_of
from kbexport.series.overrides import without_forbidden
from kbexport.series.periodicals import find_periodicals
from kbexport.series.rules import Strength
from kbexport.series.subjects import find_subjects
from kbexport.series.titles import Candidate
from kbexport.series.unnumbered import find_unnumbered

_CLEAR = {
    Strength.BARE: "a bare number",
    Strength.SIGN: "a number set apart",
    Strength.PART: "clearly a part",
    Strength.STATED: "stated by the source",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One candidate for a post, and what became of it."""

    candidate: str
    """What was read, in words."""
    reason: str
    """Why it won or lost."""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one post came into its series, or did not."""

    steps: tuple[str, ...]
    """What each step of detection that moved the post did."""
    verdicts: tuple[Verdict, ...]
    """Every candidate, those that won first."""
    found: str | None
    """Name of the series in which detection put it; what is otherwise, the user's rules did."""


def explain(
    posts: Sequence[CollatedPost], rules: SeriesRules, uids: Collection[str]
) -> dict[str, Explanation]:
    """Explain by their ids what detection made of posts, before other rules of the user."""
    every = read_entries(posts)
    entries = without_forbidden(every, rules)
    history = [("", Draft((), tuple(entries))), *drafts(entries)]
    allowed = {entry.uid for entry in entries}
    return {
        entry.uid: _explanation(entry, entries, history)
        if entry.uid in allowed
        else Explanation(("kbexport.toml forbids it",), (), None)
        for entry in every
        if entry.uid in uids
    }


def _explanation(
    entry: Entry, entries: Sequence[Entry], history: Sequence[tuple[str, Draft]]
) -> Explanation:
    _, last = history[-1]
    # What a step saw is what it judged by.
    seen = {step: draft for (_, step), (_, draft) in zip(STEPS, history, strict=False)}
    group = _group_of(last, entry.uid)
    member = next((m for m in group.members if m.entry.uid == entry.uid), None) if group else None
    verdicts = [
        *_of_names(entry, entries, group, member),
        *_of_issues(entry, _company(seen, find_periodicals, entry), group),
        *_of_counts(entry, _company(seen, find_nameless, entry), group),
        *_of_heads(entry, _company(seen, find_unnumbered, entry), last, group),
        *_of_tags(entry, seen[find_subjects], group),
        *_of_beginnings(entry, _company(seen, find_beginnings, entry), group),
        *_of_links(entry, last, group),
    ]
    verdicts.sort(key=lambda verdict: not verdict.won)
    found = group.name if group else None
    return Explanation(tuple(_steps(history, entry.uid)), tuple(verdicts), found)


def _company(seen: Mapping[Step, Draft], step: Step, entry: Entry) -> list[Entry]:
    """The posts that were free when a step looked, and this one, free or not."""
    return [*(other for other in seen[step].free if other.uid != entry.uid), entry]


def _group_of(draft: Draft, uid: str) -> Group | None:
    return next((g for g in draft.groups if any(m.entry.uid == uid for m in g.members)), None)


def _steps(history: Sequence[tuple[str, Draft]], uid: str) -> Iterator[str]:
    """One line for each step after which the post was in another company."""
    before: tuple[str, int] | None = None
    for step, draft in history:
        group = _group_of(draft, uid)
        now = (group.name, len(group.members)) if group else None
        if now is not None and now != before:
            member = next(m for m in group.members if m.entry.uid == uid) if group else None
            why = member.evidence if member else ""
            yield f"{step}: “{now[0]}”, {now[1]} parts; {why}"
        before = now


def _of_names(
    entry: Entry, entries: Sequence[Entry], group: Group | None, member: Member | None
) -> Iterator[Verdict]:
    """Readings of the title as a name and a number."""
    company: dict[str, list[tuple[Entry, Candidate]]] = defaultdict(list)
    for other in entries:
        for candidate in other.readings:
            company[candidate.key].append((other, candidate))
    titles = frozenset(key_of(other.title) for other in entries)
    for candidate in entry.readings:
        if not candidate.key:
            continue
        number = "a half" if candidate.half else f"number {candidate.ordinal}"
        said = f"“{candidate.name}”, {number} as {candidate.sign or 'stated'}"
        said += f" ({candidate.rule}; {_CLEAR[candidate.strength]})"
        others = len({other.uid for other, _ in company[candidate.key]}) - 1
        named = group is not None and any(
            key_of(name) == candidate.key for name in (group.name, member.name if member else "")
        )
        if named and member and member.ordinal != candidate.ordinal and not candidate.half:
            yield Verdict(said, "another number of the title came first")
        elif named:
            yield Verdict(said, f"other posts with this name and a number: {others}", won=True)
        else:
            against = numbered.objection(company[candidate.key], titles)
            yield Verdict(said, against or _other(group))


def _of_issues(entry: Entry, company: Sequence[Entry], group: Group | None) -> Iterator[Verdict]:
    """The title as an issue of a periodical."""
    mine = periodicals.issue_of(entry)
    if mine is None:
        return
    said = f"“{mine.name}”, issue {mine.part}"
    issues = [issue for other in company if (issue := periodicals.issue_of(other))]
    against = periodicals.objection([i for i in issues if key_of(i.name) == key_of(mine.name)])
    won = group is not None and key_of(group.name) == key_of(mine.name) and not against
    yield Verdict(said, against or (mine.evidence if won else _other(group)), won=won)


def _of_counts(entry: Entry, company: Sequence[Entry], group: Group | None) -> Iterator[Verdict]:
    """The number alone, told apart by tags and dates."""
    for picks in nameless.counts_of(company):
        for other, candidate in picks:
            if other.uid == entry.uid:
                near = len(picks) - 1
                said = f"the number {candidate.sign} alone (other posts in its count: {near})"
                against = nameless.objection(picks)
                won = group is not None and not against and not any(m.name for m in group.members)
                yield Verdict(said, against or ("its count" if won else _other(group)), won=won)


def _of_heads(
    entry: Entry, free: Sequence[Entry], last: Draft, group: Group | None
) -> Iterator[Verdict]:
    """Names before or behind a separator, and titles that continue another one."""
    company: dict[str, list[unnumbered.Head]] = defaultdict(list)
    for other in free:
        for key, head in unnumbered.heads_of(other).items():
            company[key].append(head)
    seen = Counter(t for e in last.entries for t in tokens_of(e.title))
    framed = {key_of(x.name) for e in free for x in e.extras if x.frames}
    named = {key_of(g.name): g.name for g in last.groups}
    for extra in entry.extras:
        said = f"“{extra.name}” ({extra.rule})"
        home = named.get(key_of(extra.name))
        if home is not None:
            won = group is not None and group.name == home
            short = "the name of a series, but it says too little to join without a number"
            yield Verdict(said, "the name of the series" if won else short, won=won)
            continue
        key = f"…{key_of(extra.name)}" if extra.tail else key_of(extra.name)
        heads = company.get(key)
        if heads is None:
            yield Verdict(said, "no series is called so")
            continue
        against = unnumbered.objection(heads, seen, framed=key in framed)
        yield Verdict(said, against or _other(group))


def _of_tags(entry: Entry, draft: Draft, group: Group | None) -> Iterator[Verdict]:
    """Tags that all posts of a short stretch share."""
    by_date = sorted(draft.entries, key=lambda e: (e.post.published or "9999", e.uid))
    order = {e.uid: place for place, e in enumerate(by_date)}
    for label in sorted(entry.labels):
        tagged = [e for e in by_date if label in e.labels]
        against = subjects.objection(label, tagged, order)
        won = group is not None and group.name.casefold() == label and not against
        yield Verdict(f"the tag “{label}”", against or ("" if won else _other(group)), won=won)


def _of_beginnings(
    entry: Entry, company: Sequence[Entry], group: Group | None
) -> Iterator[Verdict]:
    """The long beginning that a title shares with others."""
    for run in beginnings.runs_of(company):
        if len(run) > 1 and entry in run:
            said = f"the beginning “{beginnings.shared_beginning(run)}” of {len(run)} titles"
            against = beginnings.objection(run)
            won = group is not None and not against and not any(m.name for m in group.members)
            yield Verdict(said, against or ("" if won else _other(group)), won=won)


def _of_links(entry: Entry, last: Draft, group: Group | None) -> Iterator[Verdict]:
    """What the texts name as the part before or behind this one."""
    together = {m.entry.uid for m in group.members} if group else set()
    for other in last.entries:
        side = "before" if other.uid == entry.previous else ""
        side = side or ("behind" if other.previous == entry.uid else "")
        if side:
            won = other.uid in together
            reason = "they are in one series" if won else "it is in a series of its own"
            yield Verdict(f"a text names “{other.title}” as the part {side} it", reason, won=won)


def _other(group: Group | None) -> str:
    return f"“{group.name}” came first" if group else "its other posts are in a series already"
