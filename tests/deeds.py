"""What the owner of a small vault may do between two builds, and odd ways to build; for tests."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from blog import Blog, written

from kbexport.config import Config
from kbexport.pipeline import build
from kbexport.vault import Plan
from kbexport.vault.lock import lock

Posts = tuple[dict[str, Any], ...]
Deed = Callable[[Blog], object]
Run = Callable[[Blog, Posts], Plan]


def nothing(_: Blog) -> None:
    """The owner did nothing."""


def does(*deeds: Deed) -> Deed:
    """One after the other."""
    return lambda blog: [deed(blog) for deed in deeds]


def edits(old: str, new: str, stem: str = "Gull") -> Deed:
    """Other words in a note."""

    def deed(blog: Blog) -> None:
        text = blog.note(stem).read_text()
        assert old in text
        blog.note(stem).write_text(text.replace(old, new, 1))

    return deed


def removes(pattern: str, stem: str = "Gull") -> Deed:
    """Words taken out of a note."""

    def deed(blog: Blog) -> None:
        text = blog.note(stem).read_text()
        new = re.sub(pattern, "", text, count=1, flags=re.MULTILINE)
        assert new != text
        blog.note(stem).write_text(new)

    return deed


def converts(change: Callable[[bytes], bytes]) -> Deed:
    """Other bytes for the same words."""
    return lambda blog: blog.note("Gull").write_bytes(change(blog.note("Gull").read_bytes()))


crlf = converts(lambda old: old.replace(b"\n", b"\r\n"))


def writes(place: str, text: str = "mine") -> Deed:
    """A file of the owner's own."""
    return lambda blog: (blog.vault / place).write_text(text)


def makes_a_folder(place: str) -> Deed:
    """A folder of the owner's own."""
    return lambda blog: (blog.vault / place).mkdir()


def copies(*names: str) -> Deed:
    """Copies of a note, as a sync service makes them."""
    return lambda blog: [
        shutil.copy(blog.note("Gull"), blog.vault / f"{name}.md") for name in names
    ]


def moves(stem: str, place: str) -> Deed:
    """A note at another place."""
    return lambda blog: blog.note(stem).rename(blog.vault / place)


def deletes(stem: str = "Gull") -> Deed:
    """A note that is there no more."""
    return lambda blog: blog.note(stem).unlink()


def deletes_file(place: str) -> Deed:
    """A file that is there no more."""
    return lambda blog: (blog.vault / place).unlink()


def deletes_and_undoes(*posts: dict[str, Any]) -> Deed:
    """A note that was away during one build."""

    def deed(blog: Blog) -> None:
        note, text = blog.note("Gull"), blog.note("Gull").read_bytes()
        note.unlink()
        blog.build(*posts)
        note.write_bytes(text)

    return deed


def reorders(blog: Blog) -> None:
    """A linter turned the properties around."""
    _, head, body = blog.note("Gull").read_text().split("---\n", 2)
    lines = "\n".join(head.splitlines()[::-1])
    blog.note("Gull").write_text(f"---\n{lines}\n---\n{body}")


def unquotes(blog: Blog) -> None:
    """A linter took the quotes of values away where it could."""
    text = blog.note("Gull").read_text()
    blog.note("Gull").write_text(re.sub(r'(?m)^(url|kbexport): "(.*)"$', r"\1: \2", text))


def loses_most(blog: Blog) -> None:
    """More than half of the notes are gone."""
    for path in blog.vault.glob("*/*.md"):
        path.unlink()


def links_the_folder_away(blog: Blog) -> None:
    """The folder of a note is a symlink out of the vault."""
    (blog.vault / "posts").rename(blog.vault.parent / "outside")
    (blog.vault / "posts").symlink_to(blog.vault.parent / "outside")


def links_the_note_away(blog: Blog) -> None:
    """A note is a symlink."""
    note = blog.note("Gull")
    note.symlink_to(note.rename(blog.vault.parent / "outside.md"))


def links_a_copy_in_and_moves(blog: Blog) -> None:
    """A copy lies behind a symlink, and the note is elsewhere."""
    outside = blog.vault.parent / "outside"
    outside.mkdir()
    shutil.copy(blog.note("Gull"), outside / "copy.md")
    (blog.vault / "linked").symlink_to(outside)
    blog.note("Gull").rename(blog.vault / "moved.md")


def checks_out_older_notes(*newer: dict[str, Any], bases: bool = False) -> Deed:
    """An old note, with or without the bases of then, under a newer state."""

    def deed(blog: Blog) -> None:
        old = blog.note("Gull").read_text()
        kept = {path: path.read_bytes() for path in blog.state.glob("base/*/*.md") if bases}
        blog.build(*newer)
        blog.note("Gull").write_text(old)
        for path, content in kept.items():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)

    return deed


def loses_state(blog: Blog) -> None:
    """Nothing is remembered."""
    shutil.rmtree(blog.state)


def has_conflict_marks_in_the_manifest(blog: Blog) -> None:
    """Git merged the manifest without knowing how; theirs is of an older base."""
    manifest = blog.state / "manifest.jsonl"
    head, *lines = manifest.read_text().splitlines()
    theirs = [re.sub(r'"b":"\w+"', '"b":"0123456789abcdef"', line) for line in lines]
    marked = [head, "<<<<<<< ours", *lines, "=======", *theirs, ">>>>>>> theirs"]
    manifest.write_text("\n".join(marked) + "\n")


def says_in_the_manifest(old: str, new: str) -> Deed:
    """The manifest says something else."""

    def deed(blog: Blog) -> None:
        text = (blog.state / "manifest.jsonl").read_text()
        assert old in text
        (blog.state / "manifest.jsonl").write_text(text.replace(old, new, 1))

    return deed


def tears_bases(blog: Blog) -> None:
    """The bases are torn, and their line ends converted."""
    for base in blog.state.glob("base/*/*.md"):
        base.write_bytes(base.read_bytes().replace(b"\n", b"\r\n") + b"torn")


def tears_memory(blog: Blog) -> None:
    """The remembered posts are torn."""
    for post in blog.state.glob("posts/*/*.json"):
        post.write_text(post.read_text()[:20])


def loses_memory(blog: Blog) -> None:
    """The remembered posts are gone."""
    shutil.rmtree(blog.state / "posts")


def builds(**options: Any) -> Run:  # noqa: ANN401 - as Config takes them
    """A build with options."""
    return lambda blog, posts: blog.build(*posts, **options)


def restores(blog: Blog, posts: Posts) -> Plan:
    """The first run takes note of the deletion, the second one is asked to undo it."""
    gone = next(one.uid for one in blog.build(*posts).changes if one.action == "deleted")
    return blog.build(*posts, restore=frozenset([gone]))


def fails_to_sync(number: int) -> Run:
    """A build on a disk that is full or broken."""

    def run(blog: Blog, posts: Posts) -> Plan:
        def fail(_: int) -> None:
            raise OSError(number, os.strerror(number))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", fail)
            return blog.build(*posts)

    return run


def may_not_write_the_note(number: int) -> Run:
    """A build that is refused one note: locked, read-only, or of a name that is too long."""

    def run(blog: Blog, posts: Posts) -> Plan:
        plainly = Path.replace

        def replace(staged: Path, target: Path) -> Path:
            if target.name == "Gull.md":
                raise OSError(number, os.strerror(number), str(target))
            return plainly(staged, target)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Path, "replace", replace)
            return blog.build(*posts)

    return run


def while_the_owner(deed: Deed) -> Run:
    """A build between whose reading and writing something is done."""

    def run(blog: Blog, posts: Posts) -> Plan:
        deeds = [deed]

        def on_step(stage: str, _done: int, _total: int) -> None:
            if stage == "writing" and deeds:
                deeds.pop()(blog)

        written(blog.source, *posts)
        return build(Config(sources=(blog.source,), out=blog.vault), on_step=on_step)

    return run


def while_another_runs(blog: Blog, posts: Posts) -> Plan:
    """Two builds at once."""
    with lock(blog.state / "lock"):
        return blog.build(*posts)


REFUSALS = [errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ENOENT]
"""Errors that stop one note."""
FAILURES = [errno.ENOSPC, errno.EDQUOT, errno.EIO]
"""Errors that stop a run."""
