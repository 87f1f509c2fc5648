"""A run is killed, torn or refused at every single operation: `reexport.md`, section 9.

After each: every visible file is byte for byte an old or a new one, every word of the owner is
there, and two undisturbed runs end where two undisturbed ones without a crash do.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

import pytest
from blog import Blog
from scenes import SCENES, KilledError, Scene, hooked, new, old, plainly

from kbexport.errors import KbexportError
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
        if operation.kind is Kind.LINK:
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
