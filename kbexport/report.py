"""A plan in words, as JSON and as a diff; pure, `cli.py` prints it."""

from __future__ import annotations

import difflib
import io
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kbexport.models import CollatedPost, Contradiction, LonePart, Problem, Series
from kbexport.readers.jsonl import to_line
from kbexport.series.explain import Explanation
from kbexport.vault import WRITES, Action, Plan
from kbexport.vault.settle import Entry, State, settling

WORDS: dict[Action, str] = {
    Action.CREATE: "new",
    Action.UPDATE: "updated",
    Action.MERGE: "merged",
    Action.CONFLICT: "in conflict",
    Action.UNCHANGED: "unchanged",
    Action.REMOVE: "removed",
    Action.HELD: "held",
    Action.KEPT: "kept",
    Action.DELETED: "deleted by you",
    Action.DETACHED: "detached by you",
    Action.YOURS: "yours",
    Action.MISSING: "missing",
    Action.SKIPPED: "skipped",
    Action.AMBIGUOUS: "ambiguous",
    Action.FORGOTTEN: "without a source",
}
"""How the report calls each action, in the order of its first line."""

COUNTED = WRITES - {Action.CONFLICT} | {Action.DETACHED}
"""Actions of which the report of a build gives the number alone."""


def report_lines(plan: Plan, vault: Path, *, dry_run: bool) -> Iterator[str]:
    """The report of a build: the counts, then whatever its owner should know."""
    counts = ", ".join(
        f"{plan.counts[action.value]} {word}"
        for action, word in WORDS.items()
        if action.value in plan.counts
    )
    would = "would be: " if dry_run else ""
    yield f"{vault}: {would}{counts or 'no notes'}"
    yield from _source_lines(plan)
    if plan.assets:
        yield f"  {len(plan.assets)} new in assets/"
        if dry_run:
            yield from (f"  new  {asset.path}" for asset in plan.assets)
    for change in plan.changes:
        if change.action is Action.UNCHANGED or not change.is_news:
            continue
        if dry_run or change.action not in COUNTED:
            reason = f": {change.reason}" if change.reason else ""
            yield f"  {WORDS[change.action]}  {change.path or change.uid}{reason}"
            if change.parked is not None:
                yield f"    settle it: {settling(str(vault), change.path)}"
    paths = {change.uid: change.path for change in plan.changes}
    for uid, name in plan.stepped_aside.items():
        yield f"  renamed  {paths[uid]}: a note called `{name}` exists already and stays"
    if plan.remote:
        one = len(plan.remote) == 1
        are, them = ("1 picture is", "it") if one else (f"{len(plan.remote)} pictures are", "them")
        yield f"  {are} on the web; --fetch-assets fetches {them}"


def _source_lines(plan: Plan) -> Iterator[str]:
    """What was read, where that is more than one post a note; and what no source has any more."""
    if len(plan.read) > 1 or sum(plan.read.values()) > plan.sourced:
        found = ", ".join(f"{name} {count}" for name, count in plan.read.items())
        posts = "1 post" if plan.sourced == 1 else f"{plan.sourced} posts"
        yield f"  read: {found}; {posts} after joining"
    if plan.orphans:
        are = "post is" if plan.orphans == 1 else "posts are"
        yield f"  {plan.orphans} {are} in no source of this run; their notes stay"


def status_lines(entries: Sequence[Entry], vault: Path) -> Iterator[str]:
    """The status for people: how many of each, then each with what settles it."""
    counts = Counter(entry.state for entry in entries)
    counted = ", ".join(f"{counts[state]} {state}" for state in State if counts[state])
    yield f"{vault}: {counted or 'every note is as it was written'}"
    for entry in entries:
        yield f"  {entry.state}  {entry.path or entry.uid}"
        if entry.command:
            yield f"    {entry.command}"


def status_json(entries: Sequence[Entry], vault: Path) -> str:
    """The status for machines."""
    counts = Counter(entry.state for entry in entries)
    content = {
        "vault": str(vault),
        "counts": {state.value: counts[state] for state in State if counts[state]},
        "notes": [
            {"id": one.uid, "path": one.path, "state": one.state.value, "command": one.command}
            for one in entries
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def problem_lines(problems: Sequence[Problem]) -> Iterator[str]:
    """Each problem with its file, place and hint."""
    for problem in problems:
        kind = "warning" if problem.lost or problem.mistaken else "note"
        yield f"{kind}: {problem.where}: {problem.reason}"
        if problem.hint:
            yield f"  hint: {problem.hint}"


def plan_json(plan: Plan, vault: Path, *, dry_run: bool) -> str:
    """The plan for machines; unchanged notes are only counted."""
    content = {
        "vault": str(vault),
        "dry_run": dry_run,
        "counts": plan.counts,
        "changes": [
            {
                "id": change.uid,
                "path": change.path,
                "action": change.action.value,
                "reason": change.reason,
            }
            for change in plan.changes
            if change.action is not Action.UNCHANGED
        ],
        "problems": [problem.model_dump(exclude={"lost", "mistaken"}) for problem in plan.problems],
        "contradictions": [one.model_dump() for one in plan.contradictions],
        "assets": [asset.path for asset in plan.assets],
        "remote_pictures": len(plan.remote),
        "read": plan.read,
        "posts": plan.sourced,
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def diff_lines(plan: Plan) -> Iterator[str]:
    """The plan as a unified diff of the notes."""
    for change in plan.changes:
        if change.action not in WRITES:
            continue
        yield from difflib.unified_diff(
            _lines(change.before or ""),
            _lines(change.after or ""),
            fromfile="/dev/null" if change.before is None else _diff_name(f"a/{change.path}"),
            tofile="/dev/null" if change.after is None else _diff_name(f"b/{change.path}"),
        )


def _lines(text: str) -> list[str]:
    r"""The lines with their ends, cut at `\n` only: U+2028 is text to every other program."""
    return list(io.StringIO(text, newline="\n"))


def _diff_name(path: str) -> str:
    """A tab ends a name with spaces, as git has it; else `patch` ends it at the first space."""
    return f"{path}\t" if " " in path else path


def addresses_without_body(posts: Sequence[CollatedPost]) -> tuple[list[str], int]:
    """Where the posts are that have no text yet, and of how many nobody knows where."""
    lacking = [post for post in posts if not (post.body_markdown or post.body_html)]
    addresses = [post.url for post in lacking if post.url]
    return addresses, len(lacking) - len(addresses)


def post_lines(
    posts: Iterable[CollatedPost], contradictions: Sequence[Contradiction]
) -> Iterator[str]:
    """The posts in the interchange format, each with `origins`: where every field came from.

    Where sources disagree, it says what the others have.
    """
    disputed: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in contradictions:
        others = [f"{text} in {where}" for where, text in one.values.items() if text != one.kept]
        disputed[one.id][one.field] = f"; not {', '.join(others)}" if others else ""
    for post in posts:
        origins = {
            name if getattr(post, name) else "body_html": reader + disputed[post.uid].get(name, "")
            for name, reader in post.origins.items()
        }
        yield to_line(post, origins)


def post_rows(posts: Sequence[CollatedPost]) -> Iterator[tuple[str, ...]]:
    """Rows of the table of posts: day, reads, title, tags."""
    for post in posts:
        reads = "" if post.reads is None else str(post.reads)
        yield (post.published or "")[:10], reads, post.title or "", ", ".join(post.tags)


def series_lines(
    uids: Sequence[str], posts: Mapping[str, CollatedPost], series: Sequence[Series]
) -> Iterator[str]:
    """One JSON object a post, in the order of ``uids``: its series, its place, and why."""
    names = {uid: posts[uid].id or uid for uid in posts}
    places = {part.uid: (one, place) for one in series for place, part in enumerate(one.parts)}
    for uid in uids:
        one, place = places.get(uid, (None, 0))
        part = one.parts[place] if one else None
        content: dict[str, Any] = {
            "id": names[uid],
            "title": posts[uid].title,
            "series": one.name if one else None,
            "ordinal": part.ordinal if part else None,
            "prev": _neighbour(one, place - 1, names),
            "next": _neighbour(one, place + 1, names),
            "evidence": part.evidence if part else "stands alone",
        }
        yield json.dumps(content, ensure_ascii=False)


def _neighbour(series: Series | None, place: int, names: Mapping[str, str]) -> str | None:
    if series is None or not 0 <= place < len(series.parts):
        return None
    return names[series.parts[place].uid]


def series_tables(
    posts: Mapping[str, CollatedPost], series: Sequence[Series]
) -> Iterator[tuple[str, Iterator[tuple[str, ...]]]]:
    """A table for each series: its heading, and number, title, day and evidence of each part."""
    for one in series:
        gaps = ", ".join(f"{a}" if a == b else f"{a}–{b}" for a, b in one.gaps)
        doubles = ", ".join(map(str, one.doubles))
        heading = f"{one.name} · {len(one.parts)}"
        heading += f" · missing {gaps}" if gaps else ""
        heading += f" · double {doubles}" if doubles else ""
        heading += " · order inferred from dates" if one.inferred_order else ""
        heading += "".join(f"\n  related: {other.name} ({other.reason})" for other in one.related)
        yield heading, (_row(part.ordinal, posts[part.uid], part.evidence) for part in one.parts)


def lone_rows(
    posts: Mapping[str, CollatedPost], lone: Sequence[LonePart]
) -> Iterator[tuple[str, ...]]:
    """Rows of the table of lone parts, like those of a series."""
    for part in lone:
        near = f"; near: {', '.join(part.near)}" if part.near else ""
        yield _row(part.ordinal, posts[part.uid], part.evidence + near)


def _row(ordinal: int | None, post: CollatedPost, evidence: str) -> tuple[str, ...]:
    number = "" if ordinal is None else str(ordinal)
    return number, post.title or "", (post.published or "")[:10], evidence


def explanation_lines(
    post: CollatedPost, series: Sequence[Series], explanation: Explanation
) -> Iterator[str]:
    """Why one post is in its series, or in none: the outcome, the steps, each candidate."""
    yield f"{post.title} · {(post.published or 'no date')[:10]} · {post.id or post.uid}"
    home = next((s for s in series if any(part.uid == post.uid for part in s.parts)), None)
    if home is None:
        yield "  stands alone"
    else:
        place = [part.uid for part in home.parts].index(post.uid)
        yield f"  in “{home.name}”, {place + 1} of {len(home.parts)}: {home.parts[place].evidence}"
    for step in explanation.steps:
        yield f"  step   {step}"
    if explanation.found is not None and home is None:
        yield f"  step   kbexport.toml takes it out of “{explanation.found}”"
    elif home is not None and home.name != explanation.found:
        yield f"  step   then: “{home.name}”, by kbexport.toml or to tell two of one name apart"
    for verdict in explanation.verdicts:
        reason = f": {verdict.reason}" if verdict.reason else ""
        yield f"  {'won ' if verdict.won else 'lost'}   {verdict.candidate}{reason}"
