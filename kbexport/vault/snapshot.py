"""A vault as it is before a run: what lies there, what was written last, what is remembered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from kbexport.errors import RefusedError
from kbexport.flavors.pointer import PLAIN, Pointer, base_hash
from kbexport.models import CollatedPost, Problem
from kbexport.naming import KnownNames, fold, stem_of
from kbexport.text.keys import is_file, is_post, sorted_keys
from kbexport.vault.recall import recall_keys, recall_post
from kbexport.vault.scan import Disk, read_text, scan
from kbexport.vault.state import (
    PARKED,
    Addresses,
    Manifest,
    Record,
    base_path,
    read_addresses,
    read_manifest,
    read_posts,
    stored_bases,
    stored_downloads,
    stored_parked,
)

FEW = 3
"""So many notes may vanish at once without a question."""


@dataclass(frozen=True)
class Restore:
    """Which of the notes that are gone the user wants back."""

    uids: frozenset[str] = frozenset()
    missing: bool = False
    """Also those of which a loss of state left nothing to know."""


@dataclass(frozen=True)
class Snapshot:
    """What planning has to know about a vault. Frozen; it reads, and writes nothing."""

    root: Path
    manifest: Manifest | None
    """What was last written, or None where there is no manifest."""
    disk: Disk
    posts: Mapping[str, CollatedPost]
    """The remembered posts by id."""
    bases: frozenset[str]
    """Hashes of the bases that are there."""
    parked: frozenset[str]
    """Paths of the source's texts that are kept aside."""
    restore: Restore
    addresses: Addresses = field(default_factory=Addresses)
    """Which pictures on the web were fetched."""
    downloads: frozenset[str] = frozenset()
    """Paths of fetched pictures that no run has brought to its end."""
    problems: tuple[Problem, ...] = ()

    @property
    def lost(self) -> bool:
        """Whether there are notes of kbexport but nothing that says what was written."""
        return self.manifest is None and bool(self.disk.notes)

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever written here, save perhaps by a run that crashed."""
        return not self.lost and not self.records

    @cached_property
    def records(self) -> Mapping[str, Record]:
        """The manifest's line of each note; one that a killed run has removed has none."""
        records = self.manifest.records if self.manifest else {}
        return {
            uid: record.model_copy(update={"going": False}) if record.going else record
            for uid, record in records.items()
            if not record.going or uid in self.disk.notes or self._is_file_there(record)
        }

    def _is_file_there(self, record: Record) -> bool:
        """Whether it is a file without front matter, which is found by its place, and is there."""
        return is_file(record.uid) and record.path in self.disk.files

    @property
    def flavor(self) -> str | None:
        """The dialect of the vault's notes: as the manifest says, else as a note shows it."""
        if self.manifest is not None and self.manifest.flavor is not None:
            return self.manifest.flavor
        if not self.disk.notes:
            return None
        texts = [self._own_text(uid) for uid in self.disk.notes]
        if any(PLAIN.match(text) for text in texts):
            return "logseq"
        # Only `both` quotes its keys; in some notes an app may have taken that away.
        return "both" if any("'title':" in text for text in texts) else "obsidian"

    def own_note(self, uid: str) -> tuple[str, Pointer] | None:
        """Path and pointer of a note; of several files with one id the one where it last lay.

        None where there is no file, or where it is unclear which one is the note.
        """
        found = self.disk.notes.get(uid, ())
        if len(found) == 1:
            return found[0]
        record = self.records.get(uid)
        return next((one for one in found if record and one[0] == record.path), None)

    @cached_property
    def standing(self) -> Mapping[str, str]:
        """Where each note lies now: found by its id, or without its id where it last lay.

        Empty where several files carry the id and it is unclear which one is the note.
        """
        paths = {uid: (self.own_note(uid) or ("",))[0] for uid in self.disk.notes}
        for uid, record in self.records.items():
            if uid not in paths and (self.is_detached(uid) or self.is_hidden(uid)):
                paths[uid] = record.path
        return paths

    def is_detached(self, uid: str) -> bool:
        """Whether the note lies where it last lay, but no longer carries its id.

        What lies there after the note was deleted, or carries another id, is another note.
        """
        record = self.records.get(uid)
        if record is None or not record.on or uid in self.disk.notes:
            return False
        return record.path in self.disk.files and record.path not in self._managed

    @cached_property
    def _managed(self) -> frozenset[str]:
        """Paths of all notes that carry an id."""
        return frozenset(path for found in self.disk.notes.values() for path, _ in found)

    @property
    def copies(self) -> Mapping[str, str]:
        """Notes that carry the id of another, such as a sync conflict copy: path -> the other."""
        owned = {uid: own[0] for uid in self.disk.notes if (own := self.own_note(uid))}
        return {
            path: owned[uid]
            for uid, found in sorted(self.disk.notes.items())
            for path, _ in found
            if uid in owned and path != owned[uid]
        }

    @property
    def twins(self) -> Mapping[str, str]:
        """Other notes that are called like one of kbexport's: path -> its path.

        A link to that name then means both.
        """
        ours = {fold(stem_of(path)): path for path in self.standing.values() if path}
        notes = (path for path in sorted(self.disk.files) if path.lower().endswith(".md"))
        return {
            path: ours[fold(stem_of(path))]
            for path in notes
            if ours.get(fold(stem_of(path)), path) != path and path not in self._managed
        }

    def is_hidden(self, uid: str) -> bool:
        """Whether a note may still lie where it last lay, behind what was not looked into."""
        record = self.records.get(uid)
        if record is None or not record.on or uid in self.disk.notes:
            return False
        path = PurePosixPath(record.path)
        return any(str(place) in self.disk.closed for place in (path, *path.parents))

    def gone(self, uids: Iterable[str]) -> frozenset[str]:
        """Ids of notes that were written once, are not there, and are not wanted back."""
        return frozenset(
            uid
            for uid in uids
            if uid not in self.standing
            and (uid in self.records or self.lost)
            and not self._is_wanted_back(uid)
        )

    def _is_wanted_back(self, uid: str) -> bool:
        record = self.records.get(uid)
        never_known = record is None or not record.path
        return uid in self.restore.uids or (self.restore.missing and never_known)

    def names(self, uids: Iterable[str]) -> KnownNames:
        """The names that are there already, for the notes of these ids."""
        return KnownNames(
            paths=self.standing,
            gone=self.gone(uids),
            stems=self.disk.stems,
            entries=self.disk.entries,
            folders=self.disk.folders,
        )

    @cached_property
    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Identity keys of every note ever written; read back from the notes if state is lost."""
        if self.lost:
            return {uid: recall_keys(uid, self._own_text(uid)) for uid in self.disk.notes}
        return {uid: record.keys for uid, record in self.records.items()}

    @cached_property
    def recalled(self) -> Mapping[str, CollatedPost]:
        """Posts that the vault no longer remembers, as their notes still show them.

        They keep the keys that are known of them, which are more than a note shows.
        """
        return {
            uid: post.model_copy(update={"keys": sorted_keys({*post.keys, *keys})})
            for uid, keys in self.keys.items()
            if is_post(uid) and uid not in self.posts
            if (post := recall_post(uid, self._own_text(uid)))
        }

    def _own_text(self, uid: str) -> str:
        own = self.own_note(uid)
        return (self.read(own[0]) if own else None) or ""

    @cached_property
    def _parked_by_uid(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.parked):
            name = PARKED.fullmatch(path.rpartition("/")[2])
            if name:
                found[name["uid"]].append(path)
        return found

    def parked_of(self, uid: str) -> Sequence[str]:
        """Paths of the source's texts that are kept aside for a note."""
        return self._parked_by_uid.get(uid, [])

    def base_text(self, base: str) -> str | None:
        """The rendering of that hash; None where it is not there, or is not what it was."""
        text = self.read(base_path(base)) if base in self.bases else None
        return text if text is not None and base_hash(text) == base else None

    def read(self, path: str) -> str | None:
        """The text of a file of the vault; None where it cannot be read."""
        return read_text(self.root / path)

    def refuse_mass_deletion(self) -> None:
        """Raise RefusedError where most notes have vanished.

        Then it is a wrong, an unmounted or a half-synced folder rather than a wish.
        """
        on = [uid for uid, record in self.records.items() if record.on and not is_file(uid)]
        vanished = [uid for uid in on if uid not in self.standing]
        if len(vanished) > max(FEW, len(on) / 2):
            raise RefusedError(
                str(self.root),
                f"{len(vanished)} of its {len(on)} notes are gone; nothing was written",
                "look whether this is the right folder; if you meant it, add --accept-deletions",
            )


def take_snapshot(root: Path, restore: Restore) -> Snapshot:
    """Read a vault; a folder that is not there is an empty one. Raises VaultError."""
    posts, problems = read_posts(root)
    addresses, damaged = read_addresses(root)
    return Snapshot(
        root=root,
        manifest=read_manifest(root),
        disk=scan(root),
        posts=posts,
        bases=stored_bases(root),
        parked=stored_parked(root),
        restore=restore,
        addresses=addresses,
        downloads=stored_downloads(root),
        problems=(*problems, *damaged),
    )
