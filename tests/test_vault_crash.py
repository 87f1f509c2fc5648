"""A run is killed, torn or refused at every single operation: `reexport.md`, section 9.

After each: every visible file is byte for byte an old or a new one, every word of the owner is
there, and two undisturbed runs end where two undisturbed ones without a crash do.
"""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from pathlib import Path

import pytest
from blog import Blog
from scenes import SCENES, Hook, KilledError, Scene, hooked, new, old, plainly, tree

from kbexport.errors import KbexportError
from kbexport.vault import write
from kbexport.vault.write import Kind, Operation


class Fault:
    """Does operations, up to the one that fails."""

    def __init__(self, at: int, fault: str) -> None:
        self.at, self.fault, self.done = at, fault, 0
        self.where = f"{fault} at {at}: never reached"
        self.dead = False

    def __call__(self, operation: Operation) -> None:
        """Do one; a process that was killed does none any more, also not in a `finally`."""
        if self.dead:
            raise KilledError
        self.done += 1
        if self.done - 1 != self.at:
            plainly(operation)
            return
        self.where = f"{self.fault} at {self.at}, {operation.kind} {operation.path}"
        self.dead = self.fault in ("kill", "torn")
        if self.fault == "torn":
            half = operation.data[: len(operation.data) // 2]
            plainly(Operation(operation.kind, operation.path, operation.source, half))
        if self.dead:
            raise KilledError
        number = getattr(errno, self.fault)
        raise OSError(number, os.strerror(number), str(operation.path))


def crash(scene: Scene, at: int, fault: str) -> None:
    """Let a run fail at one operation, and check what it leaves."""
    blog = scene.copy("crashed")
    hook = Fault(at, fault)
    scene.failed_run(blog, hook)
    assert hook.done > at
    scene.check(blog, hook.where, told=fault not in ("kill", "torn"))


FAULTS = ["kill", "torn", "ENOSPC", "EACCES", "EIO", "EROFS"]


@pytest.mark.parametrize("scene", SCENES)
def test_a_run_that_fails_at_any_operation_leaves_a_whole_vault(
    quick_path: Path, scene: str
) -> None:
    staged = SCENES[scene](quick_path)

    assert len(staged.operations) > 10
    for fault in FAULTS:
        for at in range(len(staged.operations)):
            crash(staged, at, fault)


class InPlaceFault(Fault):
    """A run that writes into notes instead of putting new ones in their place."""

    def __call__(self, operation: Operation) -> None:
        """Leave half of a text under its name, where the run is killed there."""
        if self.done == self.at and operation.kind is Kind.REPLACE:
            text = operation.source.read_bytes()
            operation.path.write_bytes(text[: len(text) // 2])
        super().__call__(operation)


def test_a_run_that_writes_into_notes_is_found_out(quick_path: Path) -> None:
    staged = SCENES["a build over edits"](quick_path)
    replaced = [
        at
        for at, operation in enumerate(staged.operations)
        if operation.kind is Kind.REPLACE and ".kbexport" not in operation.path.parts
    ]

    assert replaced
    for at in replaced:
        blog = staged.copy("crashed")
        staged.failed_run(blog, InPlaceFault(at, "kill"))
        with pytest.raises(AssertionError, match="torn"):
            staged.check(blog, "torn", told=False)


def test_a_note_that_is_still_linked_to_its_staged_text_is_never_written_into(
    tmp_path: Path,
) -> None:
    """Killed between link and unlink, and the staged text cannot be removed at the next run."""
    blog = Blog(tmp_path)

    def dies_after_link(operation: Operation) -> None:
        plainly(operation)
        if operation.kind is Kind.LINK and operation.path.suffix == ".md":
            raise KilledError

    def removes_nothing(operation: Operation) -> None:
        if operation.kind in (Kind.UNLINK, Kind.RMDIR):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(operation.path))
        plainly(operation)

    with hooked(dies_after_link), suppress(KilledError):
        old(blog)
    (linked,) = blog.notes()
    before = linked.read_bytes()
    with hooked(removes_nothing), suppress(KbexportError):
        new(blog)

    assert linked.read_bytes() == before


def fails(fault: int, log: list[Operation], kind: Kind, *, within: bool) -> Hook:
    """A disk that cannot do one kind of operation, or not from one folder to another."""

    def hook(operation: Operation) -> None:
        same = operation.source.parent == operation.path.parent
        if operation.kind is kind and (within or not same):
            raise OSError(fault, os.strerror(fault), str(operation.path))
        log.append(operation)
        plainly(operation)

    return hook


def test_a_folder_on_another_disk_gets_its_notes_by_a_synced_copy(quick_path: Path) -> None:
    scene = SCENES["a build over edits"](quick_path)
    blog = scene.copy("crashed")
    log: list[Operation] = []

    with hooked(fails(errno.EXDEV, log, Kind.REPLACE, within=False)):
        plan = new(blog)

    last = {operation.path: number for number, operation in enumerate(log)}
    copies = [each for each in log if each.kind is Kind.REPLACE]
    synced = [each.path for each in log if each.kind is Kind.SYNC]
    assert not plan.problems
    assert tree(blog.vault, state=False) == scene.after
    assert [each.path for each in copies if each.source not in synced] == []
    assert all(log[last[each.source]].kind is Kind.SYNC for each in copies)


def test_a_disk_without_hard_links_gets_new_notes_and_keeps_what_is_there(
    quick_path: Path,
) -> None:
    scene = SCENES["a build over edits"](quick_path)
    blog = scene.copy("crashed")
    log: list[Operation] = []
    plainly_linked = fails(errno.EPERM, log, Kind.LINK, within=True)
    (mine,) = (path for path in scene.after if path not in scene.before and "(5)" in path)

    def with_a_file_that_appears(operation: Operation) -> None:
        if operation.path == blog.vault / mine:
            operation.path.write_text("mine")
        plainly_linked(operation)

    with hooked(with_a_file_that_appears):
        plan = new(blog)

    assert (blog.vault / mine).read_text() == "mine"
    assert [change.path for change in plan.changes if change.action == "skipped"] == [mine]
    shown = tree(blog.vault, state=False)
    assert {path for path in scene.after if shown.get(path) != scene.after[path]} == {mine}


class InUse:
    """Windows, where another program has a note open for some tries."""

    def __init__(self, tries: int) -> None:
        self.tries = tries

    def __call__(self, operation: Operation) -> None:
        """Refuse to replace a note as long as it is open."""
        is_note = ".kbexport" not in operation.path.parts
        if operation.kind is Kind.REPLACE and is_note and self.tries:
            self.tries -= 1
            error = PermissionError(errno.EACCES, "is in use", str(operation.path))
            error.winerror = 32  # type: ignore[attr-defined]  # Windows alone has it
            raise error
        plainly(operation)


@pytest.mark.parametrize("tries", [1, 6])
def test_a_note_that_is_in_use_for_a_moment_on_windows_is_replaced_all_the_same(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch, tries: int
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    scene = SCENES["a build over edits"](quick_path)
    blog = scene.copy("crashed")

    with hooked(InUse(tries)):
        plan = new(blog)

    assert not plan.problems
    assert tree(blog.vault, state=False) == scene.after
    assert pauses == list(write.PAUSES[:tries])


def test_a_note_that_stays_in_use_on_windows_is_skipped_and_comes_with_the_next_run(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    scene = SCENES["a build over edits"](quick_path)
    blog = scene.copy("crashed")

    with hooked(InUse(7)):
        plan = new(blog)

    assert plan.counts["skipped"] == 1
    scene.check(blog, "in use", told=True)
