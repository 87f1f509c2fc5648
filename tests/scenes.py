"""Vaults before a run that fails, and what an undisturbed one makes of them; for the harnesses.

The scenario is that of `reexport.md`, section 9.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from blog import GULL, Blog, part

from kbexport.assets import make_asset
from kbexport.errors import KbexportError
from kbexport.models import Asset
from kbexport.vault import Plan, downloads, write
from kbexport.vault import vault as vault_module
from kbexport.vault.settle import resolve
from kbexport.vault.write import Kind, Operation

Tree = dict[str, bytes]
Run = Callable[[Blog], object]
Hook = Callable[[Operation], None]

_perform = write.perform


def plainly(operation: Operation) -> None:
    """Do an operation, save that nothing waits for the disk: no test pulls its plug."""
    if operation.kind in (Kind.SYNC, Kind.SYNC_FOLDER):
        operation.path.stat()
    else:
        _perform(operation)


class KilledError(BaseException):
    """The process is gone; nothing of it runs any more."""


@contextmanager
def hooked(hook: Hook) -> Iterator[None]:
    """Have each operation that changes the disk done by the hook, one after the other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write, "SYNC_THREADS", 1)
        for module in (write, vault_module, downloads):
            patch.setattr(module, "perform", hook)
        yield


def tree(vault: Path, *, state: bool) -> Tree:
    """All files, or the visible ones; the lock and what waits for a name apart."""
    return {
        place: Path(vault, place).read_bytes()
        for place in _places(vault)
        if not place.startswith(".kbexport/")
        or (state and not place.startswith((".kbexport/tmp/", ".kbexport/lock")))
    }


def _places(vault: Path) -> Iterator[str]:
    for folder, folders, names in os.walk(vault):
        folders.sort()
        inside = os.path.relpath(folder, vault)
        yield from (os.path.normpath(f"{inside}/{name}") for name in sorted(names))


def whole(vault: Path) -> frozenset[tuple[str, bytes, int]]:
    """All that a run can see of a vault: places, bytes, folders, and how many names a file has."""
    files = {
        (place, Path(vault, place).read_bytes(), Path(vault, place).stat().st_nlink)
        for place in _places(vault)
        if place != ".kbexport/lock"
    }
    folders = {(os.path.relpath(folder, vault), b"", -1) for folder, _, _ in os.walk(vault)}
    return frozenset(files | folders)


class Scene:
    """A vault before a run, and what an undisturbed run and two later ones make of it."""

    def __init__(self, folder: Path, prepare: Run, run: Run, later: Run, words: list[str]) -> None:
        self.folder, self.run, self.later, self.words = folder, run, later, words
        self.checked: set[object] = set()
        self.aside: list[str] = []
        """Words of the owner that may lie among what is kept aside."""
        folder.mkdir(exist_ok=True)
        with hooked(plainly):
            prepare(Blog(folder))
        blog = self.copy("undisturbed")
        self.before = tree(blog.vault, state=False)
        self.operations: list[Operation] = []

        def counting(operation: Operation) -> None:
            self.operations.append(operation)
            plainly(operation)

        with hooked(counting):
            run(blog)
        self.after = tree(blog.vault, state=False)
        self.written = tree(blog.vault, state=True)
        with hooked(plainly):
            later(blog)
            later(blog)
        self.final = tree(blog.vault, state=True)

    def empty(self, name: str) -> Blog:
        """A blog without a vault, in a folder of its own."""
        target = self.folder / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        return Blog(target)

    def copy(self, name: str) -> Blog:
        """The vault as it is before the run, in a folder of its own."""
        blog = self.empty(name)
        if (self.folder / "vault").exists():
            shutil.copytree(self.folder / "vault", blog.vault)
        return blog

    def failed_run(self, blog: Blog, hook: Hook) -> None:
        """A run on a copy of the vault that may well not come to its end.

        Where it says that all is well, all is done.
        """
        with hooked(hook), suppress(KilledError, KbexportError):
            plan = self.run(blog)
            if not isinstance(plan, Plan) or not (plan.needs_eye or plan.problems):
                assert tree(blog.vault, state=False) == self.after

    def check(self, blog: Blog, where: str, *, told: bool) -> None:
        """Check what a crash has left, and that two runs end where undisturbed ones do.

        A file of the apps that could not be written is told of, and not tried again: it may have
        been deleted on purpose since. What was checked once, to the byte, is not checked again.
        """
        left = (whole(blog.vault), told)
        if left in self.checked:
            return
        self.checked.add(left)
        shown = tree(blog.vault, state=False)
        for path, content in shown.items():
            assert content in (self.before.get(path), self.after.get(path)), f"{where}: {path}"
        assert (self.before.keys() & self.after.keys()) - shown.keys() == set(), where
        self.check_words(shown, where)
        everything = b"".join(tree(blog.vault, state=True).values()).decode(errors="replace")
        assert all(word in everything for word in self.aside), where
        with hooked(plainly):
            self.later(blog)
            self.later(blog)
        final = dict(self.final)
        if told:
            final = {
                p: c for p, c in final.items() if not _is_shipped(p) or (blog.vault / p).exists()
            }
        assert tree(blog.vault, state=True) == final, where
        self.check_words(tree(blog.vault, state=False), where)

    def check_words(self, shown: Tree, where: str) -> None:
        """Each word of the owner is in a visible file."""
        everything = b"".join(shown.values()).decode(errors="replace")
        assert all(word in everything for word in self.words), where


def _is_shipped(path: str) -> bool:
    return path.startswith((".obsidian/", "logseq/")) or path == ".gitignore"


def old(blog: Blog) -> Plan:
    """The first build of a small blog."""
    return blog.build(*(part(n) for n in (1, 2, 3, 4)))


NEWS = (
    part(1, reads=999),
    part(2, title="灯塔手记(2) 擦亮镜子", body_markdown="第2晚的灯，又擦了一遍。"),
    part(3, body_markdown="第3晚的灯，来源的话。"),
    part(4),
    part(5),
    {"title": "海鸥", "published": "2024-07-01", "body_markdown": "新来的。", "series": "鸟"},
    {"title": "燕鸥", "published": "2024-07-02", "body_markdown": "也是。", "series": "鸟"},
)


def new(blog: Blog) -> Plan:
    """A build of newer sources."""
    return blog.build(*NEWS)


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


def edited_in_logseq(blog: Blog) -> None:
    """The same in a graph of Logseq's own flavor."""
    blog.build(*(part(n) for n in (1, 2, 3, 4)), flavor="logseq")
    one, two, three, four = (blog.note(f"灯塔手记({n})*") for n in (1, 2, 3, 4))
    one.write_text(one.read_text().replace("\n- #", "\n- 导航下面的话。\n- #", 1))
    two.write_text(two.read_text().replace("reads::", "mood:: 好心情\nreads::", 1))
    three.write_text(three.read_text().replace("第3晚的灯。", "第3晚的灯，我的话。"))
    four.unlink()
    (blog.vault / "pages/mine.md").write_text(f"- 见 [[{two.stem}]]，自己的笔记。")


WORDS = ["导航下面的话。", "好心情", "第3晚的灯，我的话。", "自己的笔记。"]


def forgotten(blog: Blog) -> None:
    """Edit a vault, and lose its state."""
    edited(blog)
    shutil.rmtree(blog.state)


def conflicted(blog: Blog) -> None:
    """Edit a vault where the source changes it too."""
    edited(blog)
    new(blog)


LONE = (part(1), part(2), GULL)


def with_a_lone_index(blog: Blog) -> None:
    """The parts of a series lie elsewhere than its index."""
    blog.build(*LONE)
    for name in ("1", "2"):
        note = blog.note(f"灯塔手记({name})*")
        note.write_text(note.read_text() + f"\n第{name}句我的话。\n")
        note.rename(blog.vault / note.name)


def without_series(blog: Blog) -> Plan:
    """A build in which no post is in a series any more."""
    return blog.build(part(1, title="点灯"), part(2, title="擦镜"), GULL)


SEEN, NEWER, GONE, FETCHED = (
    make_asset(f"{name}.svg", f"<svg><title>{name}</title></svg>".encode)
    for name in ("seen", "newer", "gone", "fetched")
)
"""Pictures of a blog."""


def showing(*pictures: Asset) -> str:
    """A body that shows pictures."""
    return "\n\n".join(f"![]({picture.path})" for picture in pictures)


def with_pictures(blog: Blog) -> None:
    """A blog with two pictures, of which the owner deletes one, and with a file of the owner's."""
    blog.build(part(1, body_markdown=showing(SEEN, GONE)), part(2), assets=(SEEN, GONE))
    (blog.vault / GONE.path).unlink()
    (blog.vault / "assets/mine.txt").write_text("自己的文件。")


def with_more_pictures(blog: Blog) -> Plan:
    """A build with a new picture in two posts, of which one is new, and one that was fetched."""
    return blog.build(
        part(1, body_markdown=showing(SEEN, GONE, NEWER)),
        part(2, body_markdown="![](https://img.example/2.svg)"),
        part(3, body_markdown=showing(NEWER)),
        assets=(SEEN, GONE, NEWER),
        fetched={"https://img.example/2.svg": FETCHED},
    )


def nothing(blog: Blog) -> None:
    """Leave the folder empty."""


def settled(*, theirs: bool) -> Run:
    """Settle the conflict of the third part."""
    return lambda blog: resolve(blog.note("灯塔手记(3)*"), theirs=theirs)


def settled_again(*, theirs: bool) -> Run:
    """Settle it where it is not settled yet, and build."""

    def later(blog: Blog) -> None:
        with suppress(KbexportError):
            settled(theirs=theirs)(blog)
        new(blog)

    return later


def settling(folder: Path, *, theirs: bool) -> Scene:
    """A conflict that is settled; what its owner wrote there may be kept aside then."""
    aside = "第3晚的灯，我的话。"
    words = [word for word in WORDS if word != aside]
    again = settled_again(theirs=theirs)
    scene = Scene(folder, conflicted, settled(theirs=theirs), again, words)
    scene.aside = [aside]
    return scene


SCENES: dict[str, Callable[[Path], Scene]] = {
    "a build over edits": lambda folder: Scene(folder, edited, new, new, WORDS),
    "a build over edits in a graph of Logseq": lambda folder: Scene(
        folder, edited_in_logseq, new, new, WORDS
    ),
    "a first build": lambda folder: Scene(folder, nothing, old, old, []),
    "a build after a loss of state": lambda folder: Scene(folder, forgotten, new, new, WORDS),
    "a build that removes a note and its folder": lambda folder: Scene(
        folder,
        with_a_lone_index,
        without_series,
        without_series,
        ["第1句我的话。", "第2句我的话。"],
    ),
    "a build with new pictures": lambda folder: Scene(
        folder, with_pictures, with_more_pictures, with_more_pictures, ["自己的文件。"]
    ),
    "a first build with pictures": lambda folder: Scene(
        folder, nothing, with_more_pictures, with_more_pictures, []
    ),
    "a conflict settled as the owner has it": lambda folder: settling(folder, theirs=False),
    "a conflict settled as the source has it": lambda folder: settling(folder, theirs=True),
}
