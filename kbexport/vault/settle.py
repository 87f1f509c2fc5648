"""What waits for its owner in a vault, and how one note of it is settled."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kbexport.errors import UsageError, VaultError
from kbexport.flavors.pointer import base_hash, find_pointer, is_untouched, pointer_line
from kbexport.text.keys import is_file, is_post
from kbexport.vault.changes import Action, Change
from kbexport.vault.generated import is_as_written
from kbexport.vault.lock import lock
from kbexport.vault.scan import STATE, read_text
from kbexport.vault.snapshot import Restore, Snapshot, take_snapshot
from kbexport.vault.state import CONFLICTS, MANIFEST, Manifest, Record, base_path
from kbexport.vault.write import Writer, explain


class State(StrEnum):
    """What a note is, other than as it was written."""

    EDITED = "edited"
    """Its owner changed it; the news of its source goes around that."""
    CONFLICT = "in conflict"
    """Its owner and its source changed one place; the source's text is kept aside."""
    HELD = "held"
    """It is left alone, and the source's text is kept aside."""
    DELETED = "deleted"
    """Its owner deleted it."""
    DETACHED = "detached"
    """It no longer carries its id."""
    AMBIGUOUS = "ambiguous"
    """Several files carry its id."""
    ORPHANED = "orphaned"
    """No source that is configured holds its post any more."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the status."""

    uid: str
    path: str
    state: State
    command: str
    """What settles it; empty where nothing has to be settled."""


def status(vault: Snapshot, shown: str, sourced: frozenset[str] | None) -> Iterator[Entry]:
    """What is edited, in conflict, held, deleted, detached, ambiguous or orphaned, by path.

    ``shown`` is the vault as the user names it; ``sourced`` are the ids of the posts that the
    configured sources hold, None where nobody knows.
    """
    uids = {*vault.records, *vault.disk.notes}
    found = [entry for uid in uids if (entry := _entry(uid, vault, shown))]
    if sourced is not None:
        orphans = (uid for uid in uids if is_post(uid) and uid not in sourced)
        found += [Entry(uid, vault.standing.get(uid, ""), State.ORPHANED, "") for uid in orphans]
    yield from sorted(found, key=lambda entry: (entry.path, entry.uid, entry.state))


def _entry(uid: str, vault: Snapshot, shown: str) -> Entry | None:
    own = vault.own_note(uid)
    record = vault.records.get(uid)
    if own is None:
        return _entry_without_id(uid, record, vault, shown)
    path, pointer = own
    parked = vault.parked_of(uid)
    if parked:
        settled = parked[-1].endswith(f"-{pointer.base}.md")
        state = State.CONFLICT if settled else State.HELD
        return Entry(uid, path, state, settling(shown, path))
    text = vault.read(path)
    edited = text is not None and not is_untouched(text)
    return Entry(uid, path, State.EDITED, "") if edited else None


def _entry_without_id(uid: str, record: Record | None, vault: Snapshot, shown: str) -> Entry | None:
    """A note that is not there, of which it is unclear where it is, or that has no id."""
    if len(vault.disk.notes.get(uid, ())) > 1:
        return Entry(uid, vault.disk.notes[uid][0][0], State.AMBIGUOUS, "")
    if record is None or not record.path:
        return None
    if is_file(uid) and record.path in vault.disk.files:
        return _file_entry(uid, record, vault)
    if vault.is_detached(uid):
        return Entry(uid, record.path, State.DETACHED, "")
    command = f"kbexport build --out {in_shell(shown)} --restore {uid}"
    return Entry(uid, record.path, State.DELETED, command)


def _file_entry(uid: str, record: Record, vault: Snapshot) -> Entry | None:
    """A generated file that is there: as it was written, or its owner's."""
    text = vault.read(record.path)
    if record.base and text is not None and is_as_written(uid, record.path, text, vault):
        return None
    return Entry(uid, record.path, State.EDITED if record.base else State.DETACHED, "")


def settling(vault: str, path: str) -> str:
    """The command that settles a note."""
    return f"kbexport resolve {in_shell(Path(vault, path).as_posix())} --mine (or --theirs)"


def in_shell(path: str) -> str:
    """A path as an argument that no shell reads anything into: a title may hold `$(rm …)`."""
    return shlex.quote(path) if re.search(r"[$`!\\\"]", path) else f'"{path}"'


def resolve(note: Path, *, theirs: bool) -> str:
    """Settle a conflict or a held note in one step; what was done, in a sentence.

    ``--mine`` keeps the text and says that the source's was seen; ``--theirs`` takes the source's
    and keeps the owner's under `.kbexport/conflicts/`. Raises UsageError where nothing waits to
    be settled, VaultError where it cannot be written.
    """
    root = _vault_of(note)
    with lock(root / STATE / "lock"):
        vault = take_snapshot(root, Restore())
        path = note.absolute().relative_to(root).as_posix()
        text = read_text(note)
        pointer = find_pointer(text) if text is not None else None
        own = vault.own_note(pointer.uid) if pointer else None
        parked = vault.parked_of(pointer.uid) if pointer else ()
        if text is None or pointer is None or own is None or own[0] != path or not parked:
            hint = "see `kbexport status` for what waits"
            raise UsageError(str(note), "nothing is to be settled here", hint)
        rendering = vault.read(parked[-1]) or ""
        new = find_pointer(rendering)
        if new is None or new.base != base_hash(rendering):
            problem = "is not what was kept aside"
            raise VaultError(str(root / parked[-1]), problem, "build again, then resolve")
        after = rendering if theirs else _with_base(text, new.base)
        own_words = theirs and text != rendering  # a run that was killed may have taken it already
        aside = {f"{CONFLICTS}/{pointer.uid}-{base_hash(text)}.mine.md": text} if own_words else {}
        records = dict(vault.records)
        if pointer.uid in records:
            records[pointer.uid] = records[pointer.uid].model_copy(update={"base": new.base})
        state = {base_path(new.base): rendering, **aside}
        manifest = Manifest(vault.flavor, records).text
        change = Change(pointer.uid, path, Action.UPDATE, before=text, after=after)
        _write(root, state, change, manifest, parked)
    return "the source's text is in its place" if theirs else "yours stays, as the one that counts"


def _vault_of(note: Path) -> Path:
    for folder in note.absolute().parents:
        if os.path.isdir(folder / STATE):
            return folder
    raise UsageError(str(note), "lies in no vault of kbexport", "name a note of the vault")


def _with_base(text: str, base: str) -> str:
    """The note with another hash in its pointer."""
    line = pointer_line(text)
    if line is None:  # find_pointer has found it
        raise ValueError(text[:200])
    return text[: line.end("head")] + base + text[line.end() :]


def _write(
    root: Path, state: Mapping[str, str], change: Change, manifest: str, parked: Sequence[str]
) -> None:
    """State first, then the note, then the manifest, as a build does; then what is settled goes."""
    writer = Writer(root)
    try:
        staged = writer.stage({**state, change.path: change.after or "", MANIFEST: manifest})
        for name in state:
            writer.replace(staged[name], name)
        writer.barrier()
        if not writer.replace_if(staged[change.path], change.path, change.before):
            problem = "changed while kbexport ran"
            raise VaultError(str(root / change.path), problem, "run the command again")
        writer.barrier()
        writer.replace(staged[MANIFEST], MANIFEST)
        writer.barrier()
        for name in parked:
            writer.remove(name)
    except OSError as error:
        place, problem = explain(error, root)
        raise VaultError(place, problem, "mend its permissions, then try again") from error
    finally:
        writer.clear()
