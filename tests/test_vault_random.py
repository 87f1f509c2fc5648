"""Random lives of a vault: whatever its owner and its sources do, no word of the owner is lost."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kbexport.config import Config
from kbexport.pipeline import build

NUMBERS = range(1, 6)

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("run"), st.just(0)),
        st.tuples(
            st.sampled_from(["append", "head", "move", "delete", "news", "drop"]),
            st.sampled_from(NUMBERS),
        ),
        st.tuples(st.just("collide"), st.sampled_from(NUMBERS)),
    ),
    min_size=3,
    max_size=14,
)


class Life:
    """A vault, the words that its owner typed into it, and a blog that goes on."""

    def __init__(self, folder: Path) -> None:
        self.vault = folder / "vault"
        self.source = folder / "posts.jsonl"
        self.versions = dict.fromkeys(NUMBERS, 0)
        self.in_source = set(NUMBERS)
        self.words: set[str] = set()
        self.deleted: set[str] = set()
        self.own = self.vault / "mine.md"
        self.count = 0
        self.run(0)
        self.own.write_text("a file of my own")

    def notes(self) -> list[Path]:
        return [path for path in self.vault.rglob("*.md") if ".kbexport" not in path.parts]

    def note(self, number: int) -> Path | None:
        address = f'url: "https://log.example/{number}"'
        return next((path for path in self.notes() if address in path.read_text()), None)

    def run(self, _: int) -> None:
        posts: list[dict[str, Any]] = [
            {
                "title": f"Lighthouse log ({number}): night {number}",
                "url": f"https://log.example/{number}",
                "body_markdown": f"The lamp burns.\n\nSeen in version {self.versions[number]}.",
            }
            for number in sorted(self.in_source)
        ]
        self.source.write_text("".join(json.dumps(post) + "\n" for post in posts))
        config = Config(sources=(self.source,), out=self.vault, accept_deletions=True)
        build(config)
        before = self.stamps()
        build(config)
        assert self.stamps() == before

    def stamps(self) -> dict[Path, tuple[bytes, int]]:
        return {
            path: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in self.vault.rglob("*")
            if path.is_file()
        }

    def word(self) -> str:
        self.count += 1
        self.words.add(f"word-{self.count}-of-mine")
        return f"word-{self.count}-of-mine"

    def append(self, number: int) -> None:
        if note := self.note(number):
            note.write_text(note.read_text() + f"\n{self.word()}\n")

    def head(self, number: int) -> None:
        if note := self.note(number):
            note.write_text(note.read_text().replace("---\n", f"---\nmood: {self.word()}\n", 1))

    def move(self, number: int) -> None:
        if note := self.note(number):
            self.count += 1
            note.rename(self.vault / f"moved {self.count}.md")

    def delete(self, number: int) -> None:
        if note := self.note(number):
            self.words -= {word for word in self.words if word in note.read_text()}
            note.unlink()
            self.deleted.add(f"https://log.example/{number}")

    def news(self, number: int) -> None:
        self.versions[number] += 1

    def drop(self, number: int) -> None:
        self.in_source = (self.in_source ^ {number}) or {number}

    def collide(self, number: int) -> None:
        """User and source change the same paragraph between two runs."""
        self.run(0)
        if note := self.note(number):
            note.write_text(note.read_text().replace("Seen in", f"{self.word()} Seen in", 1))
        self.news(number)
        self.run(0)

    def check(self) -> None:
        everything = "".join(path.read_text() for path in self.notes())
        assert {word for word in self.words if word not in everything} == set()
        assert {url for url in self.deleted if f'url: "{url}"' in everything} == set()
        assert self.own.read_text() == "a file of my own"


@settings(deadline=None, max_examples=15)
@given(steps=STEPS)
def test_no_word_of_the_owner_is_lost_by_any_sequence_of_steps(
    steps: list[tuple[str, int]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder))

        for name, number in [*steps, ("run", 0)]:
            getattr(life, name)(number)
            life.check()
