"""All changes of a run, computed before the first byte is written.

Decisions: `reexport.md`, sections 3 and 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kbexport.flavors.pointer import find_pointer, is_untouched
from kbexport.models import Asset, CollatedPost, Contradiction, Note, Problem
from kbexport.text.keys import is_file
from kbexport.vault.changes import NEEDS_EYE, Action, Change
from kbexport.vault.decide import Rules, decide
from kbexport.vault.generated import base_after, decide_file
from kbexport.vault.snapshot import Snapshot
from kbexport.vault.state import (
    Addresses,
    Manifest,
    Record,
    parked_path,
    post_path,
    post_text,
    unneeded_bases,
)


@dataclass(frozen=True)
class Plan:
    """What a run changes, and what its owner should know."""

    changes: tuple[Change, ...]
    """All notes of the run, unchanged ones included, by id."""
    manifest: Manifest
    """The manifest as it is after the run."""
    posts: Mapping[str, str]
    """Remembered posts to write: path -> text."""
    bases: Mapping[str, str]
    """Bases to write: hash -> text."""
    stale_bases: tuple[str, ...]
    """Hashes of bases that are needed no more."""
    parked: Mapping[str, str] = field(default_factory=dict)
    """Texts of the source to keep aside: path -> text."""
    stale_parked: tuple[str, ...] = ()
    """Paths of texts that were kept aside and are settled."""
    app_files: Mapping[str, str] = field(default_factory=dict)
    """Files of the apps to write where absent: path -> text."""
    assets: tuple[Asset, ...] = ()
    """Pictures and other files to write into `assets/`."""
    addresses: Addresses | None = None
    """Which pictures on the web were fetched, where that changes."""
    downloads: tuple[str, ...] = ()
    """Paths of what was fetched for this run, which go at its end."""
    remote: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the pictures on the web that the notes show, each with that of a post."""
    problems: tuple[Problem, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    stepped_aside: Mapping[str, str] = field(default_factory=dict)
    """New notes whose name a file of the user has: id -> that name."""
    orphans: int = 0
    read: Mapping[str, int] = field(default_factory=dict)
    """How many posts each reader found in the sources."""
    sourced: int = 0
    """How many posts these are once those that are one are joined."""
    """How many posts no source of the run holds; their notes stay."""

    @property
    def counts(self) -> dict[str, int]:
        """How many notes each action has."""
        counts = Counter(change.action for change in self.changes)
        return {action.value: counts[action] for action in Action if counts[action]}

    @property
    def needs_eye(self) -> bool:
        """Whether the user should look at something (exit code 3)."""
        return any(change.action in NEEDS_EYE for change in self.changes) or any(
            problem.lost for problem in self.problems
        )


def plan_changes(
    notes: Sequence[Note],
    vault: Snapshot,
    *,
    keys: Mapping[str, Sequence[str]],
    posts: Mapping[str, CollatedPost],
    rules: Rules,
) -> Plan:
    """What has to be written so that the vault holds these notes, and what is left alone.

    ``notes`` are also the files without front matter; ``keys`` are the identity keys of all
    subjects of the run, with or without a note; ``posts`` is what the vault is to remember.
    """
    rendered = {note.uid: note for note in notes}
    uids = {*vault.records, *keys, *rendered, *(vault.disk.notes if vault.lost else ())}
    changes = tuple(_change(uid, rendered.get(uid), vault, posts, rules) for uid in sorted(uids))
    records = {
        record.uid: record
        for change in changes
        if (record := _record_after(change, rendered.get(change.uid), keys, vault))
    }
    bases = {
        note.base: note.text
        for uid, note in rendered.items()
        if note.base not in vault.bases and uid in records and records[uid].base == note.base
    }
    parked = {
        parked_path(change.uid, rendered[change.uid].base): change.parked
        for change in changes
        if change.parked is not None
    }
    return Plan(
        changes=changes,
        manifest=Manifest(rules.flavor.name, records),
        posts={
            post_path(uid): post_text(post)
            for uid, post in posts.items()
            if vault.posts.get(uid) != post
        },
        bases=bases,
        stale_bases=_stale_bases(records, changes, vault),
        parked={path: text for path, text in parked.items() if path not in vault.parked},
        stale_parked=tuple(_settled(changes, parked, vault)),
    )


def _change(
    uid: str,
    note: Note | None,
    vault: Snapshot,
    posts: Mapping[str, CollatedPost],
    rules: Rules,
) -> Change:
    return decide_file(uid, note, vault) if is_file(uid) else decide(uid, note, vault, posts, rules)


def _settled(
    changes: Iterable[Change], parked: Mapping[str, str], vault: Snapshot
) -> Iterator[str]:
    """Texts kept aside whose note is now the source's, or has a newer one beside it."""
    newly = {change.uid for change in changes if change.parked is not None}
    for change in changes:
        known = vault.parked_of(change.uid)
        if not known:
            continue
        text = change.after if change.after is not None else vault.read(change.path)
        if change.uid in newly or (text is not None and is_untouched(text)):
            yield from (path for path in known if path not in parked)


def _record_after(
    change: Change, note: Note | None, keys: Mapping[str, Sequence[str]], vault: Snapshot
) -> Record | None:
    """The manifest's record of a note once the change is carried out."""
    if change.action is Action.REMOVE:
        return None
    old = vault.records.get(change.uid)
    own = vault.own_note(change.uid)
    pointer = find_pointer(change.after) if change.after is not None else own[1] if own else None
    base = pointer.base if pointer else old.base if old else ""
    if is_file(change.uid):
        base = base_after(change, note, base)
    known_keys = tuple(keys.get(change.uid) or vault.keys.get(change.uid, ()))
    path = change.path
    if change.action is Action.AMBIGUOUS:
        # None of them is ours by where it lies, in the next run neither.
        path = old.path if old else ""
    return Record(
        uid=change.uid,
        path=path,
        base=base,
        keys=known_keys,
        on=change.action not in (Action.DELETED, Action.MISSING),
    )


def _stale_bases(
    records: Mapping[str, Record], changes: Iterable[Change], vault: Snapshot
) -> tuple[str, ...]:
    """Bases that after the run neither a note nor a record names."""
    replaced = {
        change.uid
        for change in changes
        if change.after is not None or change.action is Action.REMOVE
    }
    named = {record.base for record in records.values()}
    for uid, found in vault.disk.notes.items():
        own = vault.own_note(uid)
        named |= {
            pointer.base for path, pointer in found if uid not in replaced or (path, pointer) != own
        }
    return tuple(unneeded_bases(vault.bases, named))


def with_skipped(plan: Plan, reasons: Mapping[str, str], vault: Snapshot) -> Plan:
    """The plan as it was carried out: notes that could not be written keep their old record.

    Their bases are kept as well; the next run plans again.
    """
    if not reasons:
        return plan
    records = dict(plan.manifest.records)
    for uid in reasons:
        records.pop(uid, None)
        if uid in vault.records:
            records[uid] = vault.records[uid]
    changes = tuple(
        replace(change, action=Action.SKIPPED, reason=reasons[change.uid])
        if change.uid in reasons
        else change
        for change in plan.changes
    )
    kept = {own[1].base for uid in reasons if (own := vault.own_note(uid))}
    kept |= {record.base for uid in reasons if (record := vault.records.get(uid))}
    return replace(
        plan,
        changes=changes,
        manifest=Manifest(plan.manifest.flavor, records),
        stale_bases=tuple(base for base in plan.stale_bases if base not in kept),
    )
