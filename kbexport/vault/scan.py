"""What lies in a vault: its files and folders, and which notes are kbexport's. Only reads."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from kbexport.errors import VaultError
from kbexport.flavors.pointer import Pointer, find_pointer
from kbexport.naming import fold
from kbexport.text.clean import whole_characters
from kbexport.vault.forms import is_odd

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
    closed: frozenset[str] = frozenset()
    """Paths that were not looked into: symlinks, and what may not be read or is not UTF-8."""
    odd: frozenset[str] = frozenset()
    """Paths of notes whose front matter only one of the apps reads as it is meant."""
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
    """Walk a vault. Dot folders, symlinks and vaults inside it are not entered.

    A file whose name is no text is not ours: the manifest could not name it.

    Raises VaultError where the vault itself cannot be read.
    """
    files: list[str] = []
    folders: list[str] = []
    closed: list[str] = []
    odd: list[str] = []
    notes: defaultdict[str, list[tuple[str, Pointer]]] = defaultdict(list)
    for path, entry, foreign in _walk(root, "", closed, foreign=False):
        if entry.is_dir(follow_symlinks=False):
            folders.append(path)
            continue
        files.append(path)
        if entry.is_symlink() or not os.access(root / path, os.R_OK):
            closed.append(path)
        elif not foreign and path.lower().endswith(".md") and whole_characters(path) == path:
            text = read_text(root / path)
            if text is None:
                closed.append(path)
            elif pointer := find_pointer(text):
                notes[pointer.uid].append((path, pointer))
                odd.extend([path] if is_odd(text) else [])
    outer = enclosing_vault(root)
    return Disk(
        files=frozenset(files),
        folders=frozenset(folders),
        notes={uid: tuple(sorted(found)) for uid, found in notes.items()},
        closed=frozenset(closed),
        odd=frozenset(odd),
        outer_stems=_stems_around(outer, root) if outer else frozenset(),
    )


def _walk(
    root: Path, folder: str, closed: list[str], *, foreign: bool
) -> Iterator[tuple[str, os.DirEntry[str], bool]]:
    """Each file and folder: path, entry, and whether it belongs to a vault inside this one."""
    try:
        entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        if not folder:
            problem = error.strerror or "cannot be read"
            raise VaultError(str(root), problem, "check its permissions") from error
        closed.append(folder)
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
            inner = foreign or os.path.isdir(root / path / STATE)
            yield from _walk(root, path, closed, foreign=inner)


def read_text(file: Path) -> str | None:
    """The text of a note; None where it cannot be read or is not UTF-8: then it is not ours."""
    try:
        return file.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def enclosing_vault(root: Path) -> Path | None:
    """The nearest folder above that an app opens as a vault; never the home folder itself."""
    home = real_path(Path("~").expanduser())
    for folder in real_path(root).parents:
        if folder == home or folder in home.parents:
            return None
        if is_app_vault(folder):
            return folder
    return None


def real_path(path: Path) -> Path:
    """The path without symlinks and `..`, also where there is nothing yet; raises nothing."""
    return Path(os.path.realpath(path))


def is_app_vault(folder: Path) -> bool:
    """Whether Obsidian or Logseq opens this folder."""
    return os.path.isdir(folder / ".obsidian") or os.path.isdir(folder / "logseq")


def paths_of(root: Path) -> Iterator[str]:
    """The path of each file of a vault, as an app that opens it finds them."""
    walked = _walk(root, "", [], foreign=True)
    return (path for path, entry, _ in walked if not entry.is_dir(follow_symlinks=False))


def _stems_around(outer: Path, root: Path) -> frozenset[str]:
    inside = real_path(root).relative_to(outer).as_posix() + "/"
    return frozenset(
        fold(entry.name[:-3])
        for path, entry, _ in _walk(outer, "", [], foreign=True)
        if entry.name.lower().endswith(".md") and not path.startswith(inside)
    )
