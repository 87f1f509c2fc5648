"""All changes of a run, computed before the first byte is written.

Decisions: `reexport.md`, sections 3 and 5. Where the user and the source both changed a note, it
is left as it is and reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kbexport.flavors.pointer import FRONT_MATTER, is_untouched, without_hash
from kbexport.models import CollatedPost, Contradiction, Note, Problem
from kbexport.text.keys import is_post
from kbexport.vault.snapshot import Snapshot
from kbexport.vault.state import Manifest, Record, post_path, post_text, unneeded_bases


class Action(StrEnum):
    """What becomes of a note in a run."""

    CREATE = "create"
    """It is new."""
    UPDATE = "update"
    """Its source has news, and its owner has not touched it."""
    UNCHANGED = "unchanged"
    """Nothing new; it may have been edited."""
    REMOVE = "remove"
    """A generated index whose series or column is gone, untouched."""
    HELD = "held"
    """Its owner edited it and its source has news: left as it is."""
    KEPT = "kept"
    """A generated index whose subject is gone, but its owner edited it."""
    DELETED = "deleted"
    """Its owner deleted it: it is not written again."""
    DETACHED = "detached"
    """Its owner removed its front matter or its id: never touched again."""
    MISSING = "missing"
    """State was lost, so nobody knows whether it was deleted: not written."""
    SKIPPED = "skipped"
    """It could not be written."""
    AMBIGUOUS = "ambiguous"
    """Several files carry its id, none where it last lay: none is touched."""
    FORGOTTEN = "forgotten"
    """The vault no longer remembers its post, and no source of the run has it."""


NEEDS_EYE = frozenset(
    [
        Action.HELD,
        Action.KEPT,
        Action.MISSING,
        Action.SKIPPED,
        Action.AMBIGUOUS,
        Action.FORGOTTEN,
    ]
)
"""Actions that end a run with exit code 3."""


WRITES = frozenset([Action.CREATE, Action.UPDATE, Action.REMOVE])
"""Actions that change a note on disk."""


@dataclass(frozen=True)
class Change:
    """One line of the plan: a note, an action, a reason."""

    uid: str
    path: str
    action: Action
    reason: str = ""
    before: str | None = None
    """The note on disk, where the action replaces or removes it."""
    after: str | None = None
    """The new text, where the action writes one."""
    is_news: bool = True
    """False for what earlier runs have told already, such as an old deletion."""


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
    app_files: Mapping[str, str] = field(default_factory=dict)
    """Files of the apps to write where absent: path -> text."""
    problems: tuple[Problem, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    stepped_aside: Mapping[str, str] = field(default_factory=dict)
    """New notes whose name a file of the user has: id -> that name."""
    orphans: int = 0
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
    flavor: str,
) -> Plan:
    """What has to be written so that the vault holds these notes, and what is left alone.

    ``keys`` are the identity keys of all subjects of the run, with or without a note; ``posts``
    is what the vault is to remember.
    """
    rendered = {note.uid: note for note in notes}
    uids = {*vault.records, *keys, *(vault.disk.notes if vault.lost else ())}
    changes = tuple(_decide(uid, rendered.get(uid), vault, posts) for uid in sorted(uids))
    records = {
        record.uid: record
        for change in changes
        if (record := _record_after(change, rendered.get(change.uid), keys, vault))
    }
    bases = {
        note.base: note.text
        for change in changes
        if change.action in (Action.CREATE, Action.UPDATE, Action.UNCHANGED)
        if (note := rendered[change.uid]).base not in vault.bases
    }
    return Plan(
        changes=changes,
        manifest=Manifest(flavor, records),
        posts={
            post_path(uid): post_text(post)
            for uid, post in posts.items()
            if vault.posts.get(uid) != post
        },
        bases=bases,
        stale_bases=_stale_bases(records, changes, vault),
    )


def _decide(
    uid: str, note: Note | None, vault: Snapshot, posts: Mapping[str, CollatedPost]
) -> Change:
    if unclear := _unclear(uid, vault):
        return unclear
    own = vault.own_note(uid)
    if note is None:
        title = posts[uid].title if uid in posts else None
        return _without_text(uid, own[0] if own else None, vault, title or uid)
    if own is None:
        return _not_found(note, vault)
    path, pointer = own
    if pointer.base == note.base:
        return Change(uid, path, Action.UNCHANGED)
    if is_post(uid) and uid not in posts:
        return _forgotten(uid, path)
    return _with_news(note, path, vault.read(path))


def _with_news(note: Note, path: str, before: str | None) -> Change:
    """A note whose text is another one than was last written."""
    uid = note.uid
    if before is not None and (
        is_untouched(before) or without_hash(before) == without_hash(note.text)
    ):
        after = in_style_of(before, note.text)
        return Change(uid, path, Action.UPDATE, "its text has changed", before, after)
    return Change(uid, path, Action.HELD, "you edited it and its text has news: left as it is")


def in_style_of(before: str, text: str) -> str:
    """A new text with the byte order mark and the line ends that the note has."""
    mark = "\ufeff" if before.startswith("\ufeff") else ""
    return mark + (text.replace("\n", "\r\n") if "\r\n" in before else text)


def _forgotten(uid: str, path: str) -> Change:
    reason = "no source holds its post and the vault does not remember it: left as it is"
    return Change(uid, path, Action.FORGOTTEN, reason)


def _unclear(uid: str, vault: Snapshot) -> Change | None:
    """A note of which it is unknown where it is, or whether it is still there."""
    if vault.is_hidden(uid):
        reason = "a symlink, or what cannot be read as UTF-8, lies there; the next run tries again"
        return Change(uid, vault.records[uid].path, Action.SKIPPED, reason)
    found = vault.disk.notes.get(uid, ())
    if found and vault.own_note(uid) is None:
        listed = ", ".join(path for path, _ in found)
        return Change(uid, found[0][0], Action.AMBIGUOUS, f"one id, several notes: {listed}")
    return None


def _not_found(note: Note, vault: Snapshot) -> Change:
    """A note with a text and without a file that carries its id."""
    record = vault.records.get(note.uid)
    if record is not None and vault.is_detached(note.uid):
        if _names(vault.read(record.path) or "", note.uid):
            reason = "what stands behind its id cannot be read: left as it is"
            return Change(note.uid, record.path, Action.HELD, reason)
        return Change(note.uid, record.path, Action.DETACHED, "it no longer carries its id")
    reason = "restored" if record or vault.lost else ""
    return Change(note.uid, note.path, Action.CREATE, reason, after=note.text)


def _names(text: str, uid: str) -> bool:
    """Whether the front matter has a pointer to this id, be it a damaged one."""
    block = FRONT_MATTER.match(text)
    pointer = re.compile(rf"^.?kbexport\b.*\b{uid}\b", re.MULTILINE)
    return block is not None and pointer.search(block[1]) is not None


def _without_text(uid: str, path: str | None, vault: Snapshot, title: str) -> Change:
    """A note that this run has no text for: deleted, forgotten, or an index without a subject."""
    record = vault.records.get(uid)
    if path is None:
        if record is None or not record.path:
            reason = f"{title}: state was lost, so it may be deleted; --restore-missing writes it"
            return Change(uid, "", Action.MISSING, reason)
        reason = f"you deleted it; --restore {uid} brings it back"
        return Change(uid, record.path, Action.DELETED, reason, is_news=record.on)
    if is_post(uid):
        return _forgotten(uid, path)
    before = vault.read(path)
    if before is not None and is_untouched(before):
        return Change(uid, path, Action.REMOVE, "its series or column is gone", before)
    return Change(uid, path, Action.KEPT, "its series or column is gone, but you edited it")


def _record_after(
    change: Change, note: Note | None, keys: Mapping[str, Sequence[str]], vault: Snapshot
) -> Record | None:
    """The manifest's record of a note once the change is carried out."""
    old = vault.records.get(change.uid)
    own = vault.own_note(change.uid)
    known_keys = tuple(keys.get(change.uid) or vault.keys.get(change.uid, ()))
    match change.action:
        case Action.REMOVE:
            return None
        case Action.CREATE | Action.UPDATE | Action.UNCHANGED if note is not None:
            base = note.base
        case Action.HELD | Action.KEPT | Action.FORGOTTEN if own is not None:
            base = own[1].base
        case _:
            base = old.base if old else ""
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
    replaced = {change.uid for change in changes if change.action in (Action.UPDATE, Action.REMOVE)}
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
    return replace(
        plan,
        changes=changes,
        manifest=Manifest(plan.manifest.flavor, records),
        stale_bases=tuple(base for base in plan.stale_bases if base not in kept),
    )
