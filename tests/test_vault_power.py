"""The power fails during a run: `reexport.md`, section 9, third harness.

The operations of a run are replayed into a model of a disk that forgets what was not synced. Of
what may be left of it after each, states are drawn, the same each time, written out and checked.
More of them for a night: `NIGHTLY=1 pytest tests/test_vault_power.py`.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePath

import pytest
from scenes import SCENES, Scene, hooked, plainly, tree

from kbexport.vault.write import Kind, Operation

DRAWN = 40 if os.environ.get("NIGHTLY") else 2
"""How many states are drawn after each operation."""


@dataclass(eq=False)
class File:
    """A file of the model: what it holds, and whether that is on the disk."""

    content: bytes
    synced: bool = False


@dataclass(eq=False)
class Folder:
    """A folder of the model: the names in it that are on the disk, and those a program sees."""

    durable: dict[str, File | Folder] = field(default_factory=dict)
    seen: dict[str, File | Folder] = field(default_factory=dict)


Naming = tuple[Folder, str, File | Folder | None]
"""A name that was given in a folder, or (None) taken away."""
Draw = random.Random
Choice = Callable[[list[Naming], Draw], list[Naming]]


def prefix(pending: list[Naming], draw: Draw) -> list[Naming]:
    """The names of each folder reach the disk in their order, those of another folder apart."""
    folders: dict[Folder, list[Naming]] = {}
    for naming in pending:
        folders.setdefault(naming[0], []).append(naming)
    return [naming for own in folders.values() for naming in own[: draw.randint(0, len(own))]]


def subset(pending: list[Naming], draw: Draw) -> list[Naming]:
    """Any of the names may have reached the disk: nothing else is promised."""
    share = draw.random()
    return [naming for naming in pending if draw.random() < share]


class Disk:
    """A model of a disk under one vault."""

    def __init__(self, vault: Path) -> None:
        self.vault = vault
        self.root = _read(vault) if vault.exists() else Folder()
        self.pending: list[Naming] = []

    def _at(self, path: Path) -> tuple[Folder, str]:
        """The folder of a path, and the name in it."""
        place = path.relative_to(self.vault)
        return self._folder(place.parent), place.name

    def _folder(self, place: PurePath) -> Folder:
        folder = self.root
        for part in place.parts:
            inner = folder.seen[part]
            assert isinstance(inner, Folder)
            folder = inner
        return folder

    def _file(self, path: Path) -> File:
        folder, name = self._at(path)
        file = folder.seen[name]
        assert isinstance(file, File)
        return file

    def _name(self, path: Path, what: File | Folder | None) -> None:
        folder, name = self._at(path)
        if what is None:
            del folder.seen[name]
        else:
            folder.seen[name] = what
        self.pending.append((folder, name, what))

    def replay(self, operation: Operation) -> None:
        """Do one operation of a run, on the model; the vault's own folder is durable."""
        path = operation.path
        match operation.kind:
            case Kind.WRITE:
                self._name(path, File(operation.data))
            case Kind.SYNC:
                self._file(path).synced = True
            case Kind.SYNC_FOLDER:
                folder = self._folder(path.relative_to(self.vault))
                folder.durable = dict(folder.seen)
                self.pending = [naming for naming in self.pending if naming[0] is not folder]
            case Kind.MKDIR:
                if path != self.vault:
                    self._name(path, Folder())
            case Kind.UNLINK | Kind.RMDIR:
                self._name(path, None)
            case Kind.LINK:
                self._name(path, self._file(operation.source))
            case Kind.REPLACE:
                self._name(path, self._file(operation.source))
                self._name(operation.source, None)

    def leave(self, target: Path, kept: list[Naming], draw: Draw) -> None:
        """Write out what is left where of the pending names these are on the disk."""
        names: dict[Folder, dict[str, File | Folder]] = {}
        for folder, name, what in kept:
            left = names.setdefault(folder, dict(folder.durable))
            if what is None:
                left.pop(name, None)
            else:
                left[name] = what
        contents: dict[File, bytes] = {}

        def put(folder: Folder, place: Path) -> None:
            place.mkdir()
            for name, what in names.get(folder, folder.durable).items():
                if isinstance(what, Folder):
                    put(what, place / name)
                else:
                    if what not in contents:
                        contents[what] = what.content if what.synced else _torn(what.content, draw)
                    (place / name).write_bytes(contents[what])

        put(self.root, target)


def _read(path: Path) -> Folder:
    names: dict[str, File | Folder] = {
        entry.name: _read(entry) if entry.is_dir() else File(entry.read_bytes(), synced=True)
        for entry in path.iterdir()
    }
    return Folder(dict(names), names)


def _torn(content: bytes, draw: Draw) -> bytes:
    """What a file may hold that was not synced: nothing, its beginning, zeros, or all."""
    cut = content[: draw.randint(0, len(content))]
    return draw.choice([b"", cut, bytes(len(content)), content])


def cut_the_power(
    scene: Scene, choice: Choice, without: frozenset[Kind] = frozenset(), drawn: int = DRAWN
) -> None:
    """Let the power fail after each operation of a run, and check what is left each time.

    ``without`` are operations that are left out.
    """
    log = [each for each in scene.operations if each.kind not in without]
    draw = Draw(9)
    disk = Disk(scene.copy("undisturbed").vault)
    for number, operation in enumerate(log):
        disk.replay(operation)
        for _ in range(drawn):
            blog = scene.empty("crashed")
            disk.leave(blog.vault, choice(disk.pending, draw), draw)
            scene.check(blog, f"power lost after {number}, {operation}", told=False)


@pytest.mark.parametrize("choice", [prefix, subset])
@pytest.mark.parametrize("scene", SCENES)
def test_a_power_cut_leaves_a_whole_vault(quick_path: Path, scene: str, choice: Choice) -> None:
    cut_the_power(SCENES[scene](quick_path), choice)


@pytest.mark.parametrize("scene", SCENES)
def test_what_a_run_has_written_lasts_once_it_is_done(quick_path: Path, scene: str) -> None:
    staged = SCENES[scene](quick_path)
    disk = Disk(staged.copy("undisturbed").vault)
    for operation in staged.operations:
        disk.replay(operation)

    disk.leave(quick_path / "left", [], Draw(0))

    left = tree(quick_path / "left", state=True)
    assert {place for place, text in staged.written.items() if left.get(place) != text} == set()


@pytest.mark.parametrize("choice", [prefix, subset])
@pytest.mark.parametrize(
    "without",
    [{Kind.SYNC, Kind.SYNC_FOLDER}, {Kind.SYNC}, {Kind.SYNC_FOLDER}],
    ids=["no sync", "no sync of files", "no barriers"],
)
@pytest.mark.parametrize("scene", ["a build over edits", "a first build"])
def test_a_run_that_does_not_sync_is_found_out(
    quick_path: Path, scene: str, without: set[Kind], choice: Choice
) -> None:
    with pytest.raises(AssertionError, match="power lost"):
        cut_the_power(SCENES[scene](quick_path), choice, frozenset(without), drawn=5)


@pytest.mark.parametrize("scene", SCENES)
def test_the_model_ends_where_the_disk_does(quick_path: Path, scene: str) -> None:
    """Without a power cut nothing is lost: the model knows each operation of a run."""
    staged = SCENES[scene](quick_path)
    vault = staged.folder / "undisturbed/vault"
    disk = Disk(staged.copy("undisturbed").vault)
    for operation in staged.operations:
        disk.replay(operation)
    for each in disk.root, *_folders(disk.root):
        each.durable = dict(each.seen)
    blog = staged.copy("undisturbed")
    with hooked(plainly):
        staged.run(blog)

    disk.leave(quick_path / "left", [], Draw(0))

    assert tree(quick_path / "left", state=True) == tree(vault, state=True)


def _folders(folder: Folder) -> list[Folder]:
    inner = [each for each in folder.seen.values() if isinstance(each, Folder)]
    return [*inner, *(deeper for each in inner for deeper in _folders(each))]
