"""A vault as it is checked: its notes, its files, its apps and its state. Only reads."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kbexport.check.page import Page
from kbexport.errors import VaultError
from kbexport.naming import fold
from kbexport.vault.scan import STATE, enclosing_vault, paths_of, read_text, real_path
from kbexport.vault.snapshot import Restore, Snapshot, take_snapshot


@dataclass(frozen=True)
class Checked:
    """Everything that the rules look at."""

    root: Path
    pages: Mapping[str, Page] = field(default_factory=dict)
    """The notes by path."""
    files: frozenset[str] = frozenset()
    """Paths of all files."""
    folders: frozenset[str] = frozenset()
    """Paths of all folders."""
    around: frozenset[str] = frozenset()
    """Files of an enclosing vault: paths from its root, those of this vault left out."""
    inside: str = ""
    """Where this vault lies in the enclosing one."""
    unread: frozenset[str] = frozenset()
    """Notes that cannot be read, or are not UTF-8."""
    obsidian: bool = True
    """Whether Obsidian opens the vault."""
    logseq: bool = False
    """Whether Logseq opens the vault."""
    state: Snapshot | None = None
    """What kbexport remembers; None in a vault that it has not written."""

    boards: Mapping[str, str] = field(default_factory=dict)
    """The texts of bases and canvases by path."""

    @cached_property
    def places(self) -> Mapping[str, str]:
        """All files by their folded path from the root that the app opens."""
        files = (*self.files, *(f"../{path}" for path in self.around))
        return {self.place_of(path): path for path in sorted(files)}

    def has(self, place: str) -> bool:
        """Whether a file is there, by its path from the root that the app opens."""
        return fold(place) in self.places

    @cached_property
    def by_name(self) -> Mapping[str, list[str]]:
        """Files by what a link may call them: the base name, of notes also without its ending.

        Links go over the whole vault that the app opens: files of this vault stand with their
        path, those around it with `../` before theirs.
        """
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in (*sorted(self.files), *(f"../{path}" for path in sorted(self.around))):
            name = fold(path.rpartition("/")[2])
            found[name].append(path)
            if name.endswith(".md"):
                found[name[:-3]].append(path)
        return found

    def place_of(self, path: str) -> str:
        """The folded path of a file from the root that the app opens."""
        if path.startswith("../"):
            return fold(path[3:])
        return fold(f"{self.inside}/{path}" if self.inside else path)


def read_vault(root: Path) -> Checked:
    """Read a vault, ours or not. Raises VaultError where there is no folder, or none to read."""
    if not root.is_dir():
        raise VaultError(str(root), "is no folder", "name the folder of a vault")
    snapshot = take_snapshot(root, Restore())
    disk = snapshot.disk
    others = [folder[: -len(STATE)] for folder in disk.folders if folder.endswith(f"/{STATE}")]
    texts = {
        path: read_text(root / path)
        for path in sorted(disk.files)
        if path.lower().endswith(".md")
        and not path.rpartition("/")[2].startswith(".")
        and not path.startswith(tuple(others))
        and not (root / path).is_symlink()
    }
    boards = {
        path: read_text(root / path) or ""
        for path in sorted(disk.files - disk.closed)
        if path.lower().endswith((".base", ".canvas")) and not path.startswith(tuple(others))
    }
    ours = os.path.isdir(root / STATE) or snapshot.lost
    outer = enclosing_vault(root)
    inside = real_path(root).relative_to(outer).as_posix() if outer else ""
    obsidian, logseq = _apps(root, outer, snapshot.flavor if ours else None)
    return Checked(
        root=root,
        pages={path: Page(path, text) for path, text in texts.items() if text is not None},
        files=disk.files,
        boards=boards,
        folders=disk.folders,
        around=frozenset(_around(outer, inside)) if outer else frozenset(),
        inside=inside,
        unread=frozenset(path for path, text in texts.items() if text is None),
        obsidian=obsidian,
        logseq=logseq,
        state=snapshot if ours else None,
    )


def _apps(root: Path, outer: Path | None, flavor: str | None) -> tuple[bool, bool]:
    """Whether Obsidian and Logseq open the vault: by its flavor, else by their folders."""
    if flavor is not None:
        return flavor != "logseq", flavor != "obsidian"
    folders = [folder for folder in (root, outer) if folder]
    logseq = any(os.path.isdir(folder / "logseq") for folder in folders)
    obsidian = any(os.path.isdir(folder / ".obsidian") for folder in folders)
    return obsidian or not logseq, logseq


def _around(outer: Path, inside: str) -> Iterator[str]:
    return (path for path in paths_of(outer) if not path.startswith(f"{inside}/"))
