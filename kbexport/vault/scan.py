"""What lies in a vault: its files and folders, and which notes are kbexport's. Only reads."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kbexport.flavors.pointer import Pointer, find_pointer
from kbexport.naming import fold

STATE = ".kbexport"

SKIPPED = frozenset(["logseq/bak", "logseq/.recycle", "logseq/version-files", "node_modules"])
"""Folders of the apps' own backups, and of programs."""


@dataclass(frozen=True)
class Disk:
    """A vault as it lies on disk, seen once before a run."""

    files: frozenset[str] = frozenset()
    """Paths of all files, symlinks included, with `/`."""
    folders: frozenset[str] = frozenset()
    """Paths of all folders."""
    notes: Mapping[str, tuple[tuple[str, Pointer], ...]] = field(default_factory=dict)
    """For each id the notes that carry it: path and pointer."""
    outer_stems: frozenset[str] = frozenset()
    """Folded base names of the notes of an enclosing vault, those of this vault left out."""

    @property
    def stems(self) -> frozenset[str]:
        """Folded base names of all notes, without `.md`."""
        own = (path.rsplit("/", 1)[-1] for path in self.files if path.lower().endswith(".md"))
        return frozenset(fold(name[:-3]) for name in own) | self.outer_stems

    @property
    def entries(self) -> frozenset[str]:
        """Folded paths of all files and folders."""
        return frozenset(fold(path) for path in (*self.files, *self.folders))


def scan(root: Path) -> Disk:
    """Walk a vault. Dot folders, symlinks and vaults inside it are not entered."""
    files: list[str] = []
    folders: list[str] = []
    notes: defaultdict[str, list[tuple[str, Pointer]]] = defaultdict(list)
    for path, entry, foreign in _walk(root, "", foreign=False):
        if entry.is_dir(follow_symlinks=False):
            folders.append(path)
            continue
        files.append(path)
        if not foreign and path.lower().endswith(".md") and not entry.is_symlink():
            pointer = find_pointer(read_text(root / path) or "")
            if pointer:
                notes[pointer.uid].append((path, pointer))
    outer = enclosing_vault(root)
    return Disk(
        files=frozenset(files),
        folders=frozenset(folders),
        notes={uid: tuple(sorted(found)) for uid, found in notes.items()},
        outer_stems=_stems_around(outer, root) if outer else frozenset(),
    )


def _walk(
    root: Path, folder: str, *, foreign: bool
) -> Iterator[tuple[str, os.DirEntry[str], bool]]:
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    for entry in entries:
        path = f"{folder}/{entry.name}" if folder else entry.name
        yield path, entry, foreign
        if (
            entry.is_dir(follow_symlinks=False)
            and not entry.name.startswith(".")
            and path not in SKIPPED
            and entry.name not in SKIPPED
        ):
            inner = foreign or (root / path / STATE).is_dir()
            yield from _walk(root, path, foreign=inner)


def read_text(file: Path) -> str | None:
    """The text of a note; None where it cannot be read or is not UTF-8: then it is not ours."""
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def enclosing_vault(root: Path) -> Path | None:
    """The nearest folder above that an app opens as a vault; never the home folder itself."""
    home = Path.home()
    for folder in root.absolute().parents:
        if folder == home or folder in home.parents:
            return None
        if is_app_vault(folder):
            return folder
    return None


def is_app_vault(folder: Path) -> bool:
    """Whether Obsidian or Logseq opens this folder."""
    return (folder / ".obsidian").is_dir() or (folder / "logseq").is_dir()


def _stems_around(outer: Path, root: Path) -> frozenset[str]:
    inside = root.absolute().relative_to(outer).as_posix() + "/"
    return frozenset(
        fold(entry.name[:-3])
        for path, entry, _ in _walk(outer, "", foreign=True)
        if entry.name.lower().endswith(".md") and not path.startswith(inside)
    )
