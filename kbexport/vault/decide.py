"""What a run does with one note. Rules: the table of `reexport.md`, section 3."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from kbexport.flavors import Flavor
from kbexport.flavors.pointer import Pointer, front_matter_of, is_untouched, without_hash
from kbexport.models import CollatedPost, Note
from kbexport.text.keys import is_post
from kbexport.vault.changes import Action, Change
from kbexport.vault.forms import in_form
from kbexport.vault.merge import merge_note
from kbexport.vault.reads import only_few_reads
from kbexport.vault.snapshot import Snapshot
from kbexport.vault.state import parked_path


@dataclass(frozen=True)
class Rules:
    """What of the configuration decides over notes."""

    flavor: Flavor
    reads_percent: float = 0.0
    """The growth of reads that is worth a new text; 0: any."""


def decide(
    uid: str,
    note: Note | None,
    vault: Snapshot,
    posts: Mapping[str, CollatedPost],
    rules: Rules,
) -> Change:
    """What becomes of the note ``uid``, whose rendering in this run is ``note``."""
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
        return _without_news(uid, path, vault, rules)
    if is_post(uid) and uid not in posts:
        return _forgotten(uid, path)
    return _with_news(note, path, pointer, vault, rules)


def _without_news(uid: str, path: str, vault: Snapshot, rules: Rules) -> Change:
    """A note whose source is silent; where an app rewrote it, it gets back its form."""
    before = vault.read(path) if rules.flavor.logseq and path in vault.disk.odd else None
    after = in_form(before) if before is not None else None
    if after == before:
        return Change(uid, path, Action.UNCHANGED)
    reason = "an app rewrote its properties: back in the form that both apps read"
    return Change(uid, path, Action.MERGE, reason, before, after)


def _with_news(note: Note, path: str, pointer: Pointer, vault: Snapshot, rules: Rules) -> Change:
    """A note whose text is another one than was last written."""
    before = vault.read(path)
    if before is None:
        return Change(note.uid, path, Action.SKIPPED, "it cannot be read; the next run tries again")
    untouched = is_untouched(before)
    base = before if untouched else vault.base_text(pointer.base)
    if base is not None and only_few_reads(base, note.text, rules.reads_percent):
        return _without_news(note.uid, path, vault, rules)
    if untouched or without_hash(before) == without_hash(note.text):
        after = in_style_of(before, note.text)
        return Change(note.uid, path, Action.UPDATE, "its text has changed", before, after)
    if base is None:
        reason = "you edited it, its text has news, and what was last written is lost"
        return Change(note.uid, path, Action.HELD, reason, parked=note.text)
    change = _merged(note, path, base, before, rules)
    if change.action is Action.MERGE and parked_path(note.uid, pointer.base) in vault.parked:
        # A conflict of an earlier run waits: it is settled against the newest text of the source.
        return replace(change, parked=note.text)
    return change


def _merged(note: Note, path: str, base: str, before: str, rules: Rules) -> Change:
    """A note that its owner edited, with the news of its source."""
    mine = in_form(before) if rules.flavor.logseq else before
    merged = merge_note(base, mine, note.text)
    after = merged.text
    kept = f"; yours stays in {', '.join(merged.infos)}" if merged.infos else ""
    if not merged.conflicts:
        reason = f"its news was put around your edits{kept}"
        return Change(note.uid, path, Action.MERGE, reason, before, after)
    reason = f"you and the source both changed {', '.join(merged.conflicts)}: yours stays{kept}"
    held = after == before
    return Change(
        note.uid,
        path,
        Action.HELD if held else Action.CONFLICT,
        reason,
        before,
        None if held else after,
        parked=note.text,
        places=merged.conflicts,
    )


def in_style_of(before: str, text: str) -> str:
    """A new text with the byte order mark and the line ends that the note has."""
    mark = "\ufeff" if before.startswith("\ufeff") else ""
    return mark + (text.replace("\n", "\r\n") if "\r\n" in before else text)


def _forgotten(uid: str, path: str) -> Change:
    reason = (
        "no source holds its post and the vault does not remember it: left as it is; build with a"
        " source that holds it, or take its line `kbexport` out to keep it as a note of your own"
    )
    return Change(uid, path, Action.FORGOTTEN, reason)


def _unclear(uid: str, vault: Snapshot) -> Change | None:
    """A note of which it is unknown where it is, or whether it is still there."""
    if vault.is_hidden(uid):
        reason = "a symlink, or what cannot be read as UTF-8, lies there; the next run tries again"
        return Change(uid, vault.records[uid].path, Action.SKIPPED, reason)
    found = vault.disk.notes.get(uid, ())
    if found and vault.own_note(uid) is None:
        listed = ", ".join(path for path, _ in found)
        return Change(
            uid,
            found[0][0],
            Action.AMBIGUOUS,
            f"one id, several notes: {listed}; delete all but one",
        )
    return None


def _not_found(note: Note, vault: Snapshot) -> Change:
    """A note with a text and without a file that carries its id."""
    record = vault.records.get(note.uid)
    if record is not None and vault.is_detached(note.uid):
        if _names(vault.read(record.path) or "", note.uid):
            reason = "what stands behind its id cannot be read: left as it is"
            return Change(note.uid, record.path, Action.HELD, reason, parked=note.text)
        return Change(note.uid, record.path, Action.DETACHED, "it no longer carries its id")
    reason = "restored" if record or vault.lost else ""
    return Change(note.uid, note.path, Action.CREATE, reason, after=note.text)


def _names(text: str, uid: str) -> bool:
    """Whether the front matter has a pointer to this id, be it a damaged one."""
    block = front_matter_of(text)
    pointer = re.compile(rf"^.?kbexport\b.*\b{uid}\b", re.MULTILINE | re.IGNORECASE)
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
    reason = (
        "its series or column is gone, but you edited it: delete it, or take its line `kbexport`"
        " out to keep it as a note of your own"
    )
    return Change(uid, path, Action.KEPT, reason)
