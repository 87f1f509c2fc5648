"""A vault that is edited between builds, and the invariants that hold whatever happens to it.

I1 to I8 and I10 of `reexport.md`, section 11; the laws of the merge, I9, are in
`test_vault_laws.py`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from blog import Blog, quick_folder
from scenes import KilledError, hooked
from test_vault_crash import Fault

from kbexport.vault import WRITES, Plan

POINTER = re.compile(r'^.?kbexport"?: "?(\S+) \w+"?\r?$', re.MULTILINE)
HEAD = re.compile(r"\ufeff?---\r?\n(.*?^)---\r?\n", re.DOTALL | re.MULTILINE)
Post = dict[str, Any]
Files = dict[str, tuple[bytes, int, int]]


def text_of(path: Path) -> str:
    """The text with the line ends that it has."""
    return path.read_bytes().decode()


def block_of(text: str) -> str:
    """The front matter, without its fences."""
    found = HEAD.match(text)
    return found[1] if found else ""


class Life:
    """A vault that is edited, a second one that never is, and what their owner knows of them."""

    def __init__(self) -> None:
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(os, "fsync", lambda _: None)  # no power is cut here
        self.folder = quick_folder()
        self.blog = Blog(self.folder)
        self.unread = Blog(self.folder / "unread")
        self.unread.vault.parent.mkdir()
        self.words: dict[str, set[str]] = defaultdict(set)
        """For each place the words that its owner typed there and did not delete."""
        self.foreign: dict[str, bytes] = {}
        """The files that are not kbexport's."""
        self.broken: dict[str, str] = {}
        """Front matter that no parser reads, by place."""
        self.seen: set[str] = set()
        """The ids of all notes that there were, and that nobody asked back."""
        self.last: dict[str, Post] = {}
        """Each post in its last version, with its highest reads."""
        self.count = 0

    def close(self) -> None:
        """Take the folder away."""
        self.patch.undo()
        shutil.rmtree(self.folder)

    def number(self) -> int:
        """A number that was not there before."""
        self.count += 1
        return self.count

    def word(self, path: str) -> str:
        """A word that the owner is about to type into a note."""
        word = f"mine{self.number()}x"
        self.words[path].add(word)
        return word

    def ids(self) -> dict[str, list[str]]:
        """The places of each note that carries an id."""
        found: dict[str, list[str]] = defaultdict(list)
        for path in self.blog.notes():
            pointer = POINTER.search(block_of(text_of(path)))
            if pointer:
                found[pointer[1]].append(path.relative_to(self.blog.vault).as_posix())
        return found

    def note(self, pick: int, *, broken: bool = True) -> str | None:
        """The place of some note; where there is one, and its front matter is as wanted."""
        paths = (path for found in self.ids().values() for path in found)
        paths_of_kind = sorted(path for path in paths if broken or path not in self.broken)
        return paths_of_kind[pick % len(paths_of_kind)] if paths_of_kind else None

    def state_is_there(self) -> bool:
        """Whether the edited vault remembers anything."""
        return (self.blog.state / "manifest.jsonl").exists()

    def read(self, path: str) -> str:
        """The text of a note."""
        return text_of(self.blog.vault / path)

    def write(self, path: str, text: str) -> None:
        """Save a note; what it no longer holds was deleted by its owner."""
        (self.blog.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.blog.vault / path).write_bytes(text.encode())
        self.words[path] = {word for word in self.words[path] if word in text}

    def make(self, path: str) -> None:
        """A file of the owner's own."""
        self.foreign[path] = f"{{}} of my own, {path}".encode()
        (self.blog.vault / path).parent.mkdir(parents=True, exist_ok=True)
        (self.blog.vault / path).write_bytes(self.foreign[path])

    def move(self, old: str, new: str) -> None:
        """A note at another place, with all that is known of it."""
        (self.blog.vault / new).parent.mkdir(parents=True, exist_ok=True)
        (self.blog.vault / old).rename(self.blog.vault / new)
        self.words[new] = self.words.pop(old, set())
        if old in self.broken:
            self.broken[new] = self.broken.pop(old)

    def run(self, posts: list[Post], **options: Any) -> None:  # noqa: ANN401 - as Config takes them
        """Build both vaults, the edited one twice, and check all that a build promises."""
        before, ids = self.blog.files(), self.ids()
        plan = self.blog.build(*posts, accept_deletions=True, **options)
        after, ids_after = self.blog.files(), self.ids()

        self.check_owned()
        check_written(plan, before, after)
        self.check_ids(ids, ids_after, before, after)
        self.blog.build(*posts, accept_deletions=True)
        assert self.blog.files() == after, "I3"
        for post in posts:
            known = self.last.get(post["url"], post)
            self.last[post["url"]] = {**post, "reads": max(post["reads"], known["reads"])}
        self.unread.build(*posts)

    def killed_run(self, posts: list[Post], at: int) -> None:
        """Kill a build of the edited vault at one operation, if it gets so far."""
        with hooked(Fault(at, "kill")), suppress(KilledError):
            self.blog.build(*posts, accept_deletions=True)
        self.check_owned()

    def check_owned(self) -> None:
        """Whatever is the owner's is as it was."""
        for path, words in self.words.items():
            text = self.read(path) if words else ""
            assert {word for word in words if word not in text} == set(), f"I1 {path}"
            assert "<<<<<<<" not in text, path
        for path, content in self.foreign.items():
            assert (self.blog.vault / path).read_bytes() == content, f"I2 {path}"
        for path, block in self.broken.items():
            assert block_of(self.read(path)) == block, f"I10 {path}"

    def check_ids(
        self,
        ids: dict[str, list[str]],
        ids_after: dict[str, list[str]],
        before: Files,
        after: Files,
    ) -> None:
        """What was deleted stays deleted, and of several copies at most one is managed."""
        gone = self.seen - set(ids)
        assert gone & set(ids_after) == set(), "I5"
        for uid, paths in ids_after.items():
            changed = [path for path in paths if after[path] != before.get(path)]
            assert len(changed) < 2, f"I6 {uid}"
            assert len(paths) <= max(1, len(ids.get(uid, ()))), f"I6 {uid}"
        self.seen = gone | set(ids_after)

    def check_unread(self) -> None:
        """I7: built in steps is built at once, of each post's last version and highest reads."""
        fresh = Blog(self.folder / "fresh")
        fresh.vault.parent.mkdir()
        fresh.build(*self.last.values())
        assert comparable(self.unread) == comparable(fresh), "I7"


def check_written(plan: Plan, before: Files, after: Files) -> None:
    """Only what is in the plan was written."""
    written = {change.path for change in plan.changes if change.action in WRITES}
    for path, file in before.items():
        if path not in written and not path.startswith(".kbexport/"):
            assert after.get(path) == file, f"I8 {path}"


def comparable(blog: Blog) -> dict[str, str]:
    """The notes by their titles, without what history fixes: names in links, ids and bases."""
    texts = {path.stem: text_of(path) for path in blog.notes()}
    titles = {stem: title_of(text) for stem, text in texts.items()}
    assert len(set(titles.values())) == len(titles)

    def named(link: re.Match[str]) -> str:
        return f"[[{titles.get(link[1], link[1])}]]"

    return {
        titles[stem]: re.sub(r"\[\[([^]|]*)(?:\|[^]]*)?\]\]", named, POINTER.sub("", text))
        for stem, text in texts.items()
    }


def title_of(text: str) -> str:
    """What the note says its title is."""
    found = re.search(r"""^'?title'?: "?(.*?)"?$""", text, re.MULTILINE)
    assert found, text
    return found[1]
