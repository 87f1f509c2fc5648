"""A run is killed, torn or refused at every single operation: `reexport.md`, section 9.

After each: every visible file is byte for byte an old or a new one, every word of the owner is
there, and two undisturbed runs end where two undisturbed ones without a crash do.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from blog import Blog, part

from kbexport.errors import KbexportError
from kbexport.vault import write
from kbexport.vault.settle import resolve

Tree = dict[str, bytes]
Operation = Callable[..., Any]


class KilledError(BaseException):
    """The process is gone; nothing of it runs any more."""


class Faults:
    """Counts the operations that change a disk, and lets one of them fail."""

    def __init__(self, at: int = -1, fault: str = "") -> None:
        self.at, self.fault = at, fault
        self.names: list[str] = []
        self.dead = False

    def perform(self, name: str, action: Callable[[], Any], torn: Callable[[], Any]) -> Any:  # noqa: ANN401
        if self.dead:
            raise KilledError
        self.names.append(name)
        if len(self.names) - 1 != self.at:
            return action()
        if self.fault in ("kill", "torn"):
            self.dead = True
            if self.fault == "torn":
                torn()
            raise KilledError
        if name == "rmtree":
            return None  # it is called with ignore_errors
        raise OSError(getattr(errno, self.fault), os.strerror(getattr(errno, self.fault)))

    def wrapped(self, name: str, operation: Operation) -> Operation:
        def perform(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as the operation has it
            def torn() -> None:
                if name == "write_bytes":
                    operation(arguments[0], arguments[1][: len(arguments[1]) // 2])
                else:
                    operation(*arguments, **options)

            return self.perform(name, lambda: operation(*arguments, **options), torn)

        return perform

    @contextmanager
    def injected(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(write, "SYNC_THREADS", 1)
            for name in ("write_bytes", "replace", "unlink", "rmdir", "mkdir"):
                patch.setattr(Path, name, self.wrapped(name, getattr(Path, name)))
            for name in ("fsync", "link"):
                patch.setattr(os, name, self.wrapped(name, getattr(os, name)))
            patch.setattr(shutil, "rmtree", self.wrapped("rmtree", shutil.rmtree))
            yield


def tree(vault: Path, *, state: bool) -> Tree:
    """All files, or the visible ones; the lock and what waits for a name apart."""
    files = {path.relative_to(vault): path for path in sorted(vault.rglob("*")) if path.is_file()}
    return {
        place.as_posix(): path.read_bytes()
        for place, path in files.items()
        if place.parts[0] != ".kbexport" or (state and place.parts[1] not in ("tmp", "lock"))
    }


Run = Callable[[Blog], object]


class Scene:
    """A vault before a run, and what an undisturbed run and a second one make of it."""

    def __init__(self, folder: Path, prepare: Run, run: Run, later: Run, words: list[str]) -> None:
        self.folder, self.run, self.later, self.words = folder, run, later, words
        folder.mkdir(exist_ok=True)
        prepare(Blog(folder))
        blog = self.copy("undisturbed")
        self.before = tree(blog.vault, state=False)
        counted = Faults()
        with counted.injected():
            run(blog)
        self.operations = counted.names
        self.after = tree(blog.vault, state=False)
        later(blog)
        later(blog)
        self.final = tree(blog.vault, state=True)
        self.last = tree(blog.vault, state=False)

    def copy(self, name: str) -> Blog:
        target = self.folder / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        if (self.folder / "vault").exists():
            shutil.copytree(self.folder / "vault", target / "vault")
        return Blog(target)

    def crash(self, at: int, fault: str) -> None:
        blog = self.copy("crashed")
        faults = Faults(at, fault)
        with faults.injected(), suppress(KilledError, KbexportError):
            self.run(blog)
        where = f"{fault} at {at}, {faults.names[-1]}"
        shown = tree(blog.vault, state=False)
        for path, content in shown.items():
            assert content in (self.before.get(path), self.after.get(path)), f"{where}: {path}"
        self.check_words(shown, where)
        self.later(blog)
        self.later(blog)
        final = dict(self.final)
        if fault not in ("kill", "torn"):
            # A file of the apps that cannot be written is told, and not tried again: it may have
            # been deleted on purpose since.
            final = {
                p: c for p, c in final.items() if not _is_shipped(p) or (blog.vault / p).exists()
            }
        assert tree(blog.vault, state=True) == final, where
        self.check_words(tree(blog.vault, state=False), where)

    def check_words(self, shown: Tree, where: str) -> None:
        everything = b"".join(shown.values()).decode()
        assert all(word in everything for word in self.words), where


def _is_shipped(path: str) -> bool:
    return path.startswith((".obsidian/", "logseq/")) or path == ".gitignore"


def old(blog: Blog) -> None:
    blog.build(*(part(n) for n in (1, 2, 3, 4)))


NEWS = (
    part(1, reads=999),
    part(2, title="灯塔手记(2) 擦亮镜子", body_markdown="第2晚的灯，又擦了一遍。"),
    part(3, body_markdown="第3晚的灯，来源的话。"),
    part(4),
    part(5),
    {"title": "海鸥", "published": "2024-07-01", "body_markdown": "新来的。", "series": "鸟"},
    {"title": "燕鸥", "published": "2024-07-02", "body_markdown": "也是。", "series": "鸟"},
)


def new(blog: Blog) -> None:
    blog.build(*NEWS)


def edited(blog: Blog) -> None:
    """Edit a vault as the scenario of section 9 has it."""
    old(blog)
    one, two, three, four = (blog.note(f"灯塔手记({n})*") for n in (1, 2, 3, 4))
    text = one.read_text()
    one.write_text(text.replace("\n\n#", "\n\n导航下面的话。\n\n#", 1))
    two.write_text(two.read_text().replace("\n---\n", "\nmood: 好心情\n---\n", 1))
    three.write_text(three.read_text().replace("第3晚的灯。", "第3晚的灯，我的话。"))
    four.unlink()
    (blog.vault / "mine.md").write_text(f"见 [[{two.stem}]]，自己的笔记。")
    (blog.vault / ".obsidian").mkdir(exist_ok=True)
    (blog.vault / ".obsidian/app.json").write_text('{"mine": true}')


WORDS = ["导航下面的话。", "好心情", "第3晚的灯，我的话。", "自己的笔记。"]


def forgotten(blog: Blog) -> None:
    edited(blog)
    shutil.rmtree(blog.state)


def conflicted(blog: Blog) -> None:
    edited(blog)
    new(blog)


def nothing(blog: Blog) -> None:
    """Leave the folder empty."""


def settled(*, theirs: bool) -> Run:
    return lambda blog: resolve(blog.note("灯塔手记(3)*"), theirs=theirs)


SCENES: dict[str, Callable[[Path], Scene]] = {
    "a build over edits": lambda folder: Scene(folder, edited, new, new, WORDS),
    "a first build": lambda folder: Scene(folder, nothing, old, old, []),
    "a build after a loss of state": lambda folder: Scene(
        folder,
        forgotten,
        new,
        new,
        WORDS,
    ),
}
FAULTS = ["kill", "torn", "ENOSPC", "EACCES", "EIO", "EROFS"]
EVERY = 1 if os.environ.get("CRASH") == "all" else 6
"""Faults other than kills are tried at each sixth operation; `CRASH=all` tries all, in minutes."""


def chosen(fault: str, operations: int) -> range:
    """The operations at which a fault is tried: all for a kill."""
    return range(operations) if fault == "kill" else range(FAULTS.index(fault), operations, EVERY)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("scene", SCENES)
def test_a_run_that_fails_at_any_operation_leaves_a_whole_vault(
    tmp_path: Path, scene: str, fault: str
) -> None:
    staged = SCENES[scene](tmp_path)

    assert len(staged.operations) > 30
    for at in chosen(fault, len(staged.operations)):
        staged.crash(at, fault)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("theirs", [False, True], ids=["mine", "theirs"])
def test_a_note_is_settled_or_not_whatever_fails(tmp_path: Path, theirs: bool, fault: str) -> None:
    """Settling again after the crash ends where settling at once does."""

    def again(blog: Blog) -> None:
        with suppress(KbexportError):  # it is settled already
            settled(theirs=theirs)(blog)
        new(blog)

    staged = Scene(tmp_path, conflicted, settled(theirs=theirs), again, WORDS[:2])

    for at in range(len(staged.operations)):
        staged.crash(at, fault)
