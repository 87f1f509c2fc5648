"""A machine that lives with a vault: its owner and its sources do what they like, between builds.

More of it for a night: `NIGHTLY=1 pytest tests/test_vault_machine.py`.
"""

from __future__ import annotations

import re
import shutil
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from life import HEAD, Life, Post, block_of
from test_vault_forms import as_obsidian_saves

LOGS, BIRDS = (1, 2, 3, 4), (5, 6)
LATER = 7
BROKEN = "broken: : by me\n"
PROPERTY_EDITS = {
    "add": (r"\A", "key{number}: {word}\n"),
    "title": (r"^'?title'?: \"?", r"\g<0>{word} "),
    "no reads": (r"^reads: .*\n", ""),
    "tag": (r"^'tags': \[", r'\g<0>"{word}", '),
    "no tag": (r'"sea"(?:, )?', ""),
}
"""What is put in the place of what."""
PICK = st.integers(0, 999)


def first_version(number: int) -> Post:
    title = f"Lighthouse log ({number}): night {number}" if number in LOGS else f"Bird {number}"
    return {
        "title": title,
        "url": f"https://log.example/{number}",
        "published": f"2024-05-{number:02}",
        "reads": 10 * number,
        "tags": ["sea"],
        "body_markdown": "\n\n".join(f"Paragraph {i} of {number}." for i in range(3)),
    }


class Machine(RuleBasedStateMachine):
    """What may happen to a vault and to the blog that it is built of."""

    def __init__(self) -> None:
        super().__init__()
        self.life = Life()
        self.posts = {number: first_version(number) for number in (*LOGS, *BIRDS)}
        self.in_source = set(self.posts)
        self.older_sources: list[list[Post]] = []
        self.older_texts: dict[str, str] = {}
        self.trash: list[tuple[str, str, set[str]]] = []

    def teardown(self) -> None:
        try:
            self.life.check_unread()
        finally:
            self.life.close()

    @initialize()
    def begin(self) -> None:
        for place in ("mine.md", "pictures/a.png", ".obsidian/app.json"):
            self.life.make(place)
        self.run(self.newest())

    def newest(self) -> list[Post]:
        return [self.posts[number] for number in sorted(self.in_source)]

    def run(self, posts: list[Post], **options: Any) -> None:  # noqa: ANN401 - as Config takes them
        self.older_sources.append(posts)
        self.life.run(posts, **options)

    # What the owner does to the text of a note.

    @rule(pick=PICK, line=PICK, how=st.sampled_from(["append", "insert", "change", "delete"]))
    def edits_the_body(self, pick: int, line: int, how: str) -> None:
        if path := self.life.note(pick):
            text = self.life.read(path)
            found = HEAD.match(text)
            start = found.end() if found else 0
            lines = text[start:].split("\n")
            place = line % len(lines)
            if how == "append":
                lines.append(f"{self.life.word(path)} at the end")
            elif how == "insert":
                lines.insert(place, f"{self.life.word(path)} between")
            elif how == "change":
                lines[place] = f"{self.life.word(path)} {lines[place]}"
            else:
                del lines[place]
            self.older_texts[path] = text
            self.life.write(path, text[:start] + "\n".join(lines))

    @rule(pick=PICK)
    def deletes_a_word(self, pick: int) -> None:
        path = self.life.note(pick)
        if path and self.life.words[path]:
            word = sorted(self.life.words[path])[pick % len(self.life.words[path])]
            self.life.write(path, self.life.read(path).replace(word, "gone"))

    @rule(pick=PICK)
    def takes_an_older_text(self, pick: int) -> None:
        path = self.life.note(pick, broken=False)
        if path in self.older_texts:
            self.life.write(path, self.older_texts[path])

    @rule(pick=PICK, how=st.sampled_from(sorted(PROPERTY_EDITS)))
    def edits_the_properties(self, pick: int, how: str) -> None:
        if path := self.life.note(pick, broken=False):
            text = self.life.read(path)
            block = block_of(text)
            old, new = PROPERTY_EDITS[how]
            if re.search(old, block, re.MULTILINE):
                number = self.life.number()
                word = self.life.word(path) if "{word}" in new else ""
                new = new.format(word=word, number=number)
                changed = re.sub(old, new, block, count=1, flags=re.MULTILINE)
                self.life.write(path, text.replace(block, changed, 1))

    @rule(pick=PICK, mark=st.booleans())
    def converts_line_ends(self, pick: int, mark: bool) -> None:
        if path := self.life.note(pick, broken=False):
            text = self.life.read(path).removeprefix("\ufeff")
            plain = text.replace("\r\n", "\n")
            converted = plain if "\r\n" in text else plain.replace("\n", "\r\n")
            self.life.write(path, "\ufeff" * mark + converted)

    @rule(pick=PICK)
    def saves_the_properties_in_obsidian(self, pick: int) -> None:
        path = self.life.note(pick, broken=False)
        if path and not re.search(r"\r|\ufeff", self.life.read(path)):
            self.life.write(path, as_obsidian_saves(self.life.read(path)))

    @rule(pick=PICK)
    def breaks_the_properties(self, pick: int) -> None:
        if path := self.life.note(pick, broken=False):
            text = self.life.read(path)
            self.life.broken[path] = BROKEN + block_of(text)
            self.life.write(path, text.replace(block_of(text), self.life.broken[path], 1))

    @rule(pick=PICK)
    def mends_the_properties(self, pick: int) -> None:
        if self.life.broken:
            path = sorted(self.life.broken)[pick % len(self.life.broken)]
            self.life.write(path, self.life.read(path).replace(BROKEN, "", 1))
            del self.life.broken[path]

    # What the owner does to files.

    @rule(pick=PICK, folder=st.sampled_from(["", "deep/down/"]))
    def moves(self, pick: int, folder: str) -> None:
        if path := self.life.note(pick):
            self.life.move(path, f"{folder}moved {self.life.number()}.md")

    @rule(pick=PICK)
    def deletes(self, pick: int) -> None:
        if path := self.life.note(pick, broken=False):
            self.trash.append((path, self.life.read(path), self.life.words.pop(path, set())))
            (self.life.blog.vault / path).unlink()

    @rule(pick=PICK)
    def takes_a_deletion_back(self, pick: int) -> None:
        if self.trash:
            path, text, words = self.trash.pop(pick % len(self.trash))
            if not (self.life.blog.vault / path).exists():
                self.life.words[path] = words
                self.life.write(path, text)

    @rule(pick=PICK)
    def copies(self, pick: int) -> None:
        if path := self.life.note(pick, broken=False):
            copy = f"copy {self.life.number()}.md"
            self.life.words[copy] = set(self.life.words[path])
            self.life.write(copy, self.life.read(path))

    @rule(pick=PICK)
    def takes_a_note_for_its_own(self, pick: int) -> None:
        if path := self.life.note(pick, broken=False):
            text = self.life.read(path)
            self.life.write(path, text.replace(block_of(text), "mine: yes\n", 1))
            self.life.foreign[path] = (self.life.blog.vault / path).read_bytes()
            self.life.words.pop(path, None)

    @precondition(lambda self: self.life.state_is_there())
    @rule()
    def loses_the_state(self) -> None:
        shutil.rmtree(self.life.blog.state)

    # What the source does.

    @rule(pick=PICK, paragraph=st.integers(0, 2))
    def source_changes_a_paragraph(self, pick: int, paragraph: int) -> None:
        number = sorted(self.posts)[pick % len(self.posts)]
        parts = self.posts[number]["body_markdown"].split("\n\n")
        parts[paragraph] = f"Paragraph {paragraph} of {number}, news {self.life.number()}."
        self.posts[number] = {**self.posts[number], "body_markdown": "\n\n".join(parts)}

    @rule(pick=PICK, what=st.sampled_from(["title", "reads", "tags"]))
    def source_changes_a_property(self, pick: int, what: str) -> None:
        number = sorted(self.posts)[pick % len(self.posts)]
        new: Post = {
            "title": f"{first_version(number)['title']} corrected {self.life.number()}",
            "reads": self.posts[number]["reads"] + 5,
            "tags": ["sea", f"tag{self.life.number()}"],
        }
        self.posts[number] = {**self.posts[number], what: new[what]}

    @precondition(lambda self: LATER not in self.posts)
    @rule()
    def source_adds_a_post(self) -> None:
        self.posts[LATER] = first_version(LATER)
        self.in_source.add(LATER)

    @rule(pick=PICK)
    def source_drops_a_post_or_has_it_again(self, pick: int) -> None:
        number = sorted(self.posts)[pick % len(self.posts)]
        self.in_source = (self.in_source ^ {number}) or {number}

    # Builds.

    @rule()
    def builds(self) -> None:
        self.run(self.newest())

    @rule(pick=PICK)
    def builds_of_older_sources(self, pick: int) -> None:
        self.run(self.older_sources[pick % len(self.older_sources)])

    @rule(at=st.integers(0, 80))
    def is_killed_while_it_builds(self, at: int) -> None:
        """I4: the next build is checked as every other one."""
        self.life.killed_run(self.newest(), at)

    @rule(pick=PICK)
    def wants_a_note_back(self, pick: int) -> None:
        gone = sorted(self.life.seen - set(self.life.ids()))
        if gone and self.life.state_is_there():
            uid = gone[pick % len(gone)]
            self.life.seen.discard(uid)
            self.run(self.newest(), restore=frozenset([uid]))

    @rule(pick=PICK, paragraph=st.integers(0, 2), next_one=st.booleans())
    def collide(self, pick: int, paragraph: int, next_one: bool) -> None:
        """Owner and source change the same paragraph, or two neighbours, between two builds."""
        number = sorted(self.in_source)[pick % len(self.in_source)]
        self.run(self.newest())
        paths = sorted(path for found in self.life.ids().values() for path in found)
        for path in paths:
            text = self.life.read(path)
            old = self.posts[number]["body_markdown"].split("\n\n")[paragraph]
            if self.posts[number]["url"] in block_of(text) and old in text:
                new = f"{old[:-1]} {self.life.word(path)}"
                self.life.write(path, text.replace(old, new, 1))
        place = sorted(self.posts).index(number)
        self.source_changes_a_paragraph(place, (paragraph + next_one) % 3)
        self.run(self.newest())


TestLife = Machine.TestCase
TestLife.settings = settings(
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
