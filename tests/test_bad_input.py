"""What is wrong in a source is named with its file and place, and stops nothing else."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from kbexport.config import Config
from kbexport.errors import SourceError, VaultError
from kbexport.models import Problem
from kbexport.pipeline import build
from kbexport.readers.sources import read_sources
from kbexport.vault import Plan

GOOD: dict[str, Any] = {
    "title": "Gull",
    "published": "2024-06-01",
    "body_markdown": "The gull is back.",
}

LISTING = """守塔人的博客_001_灯塔,002_杂记

[杂记] 海鸥又来了

今天来了七只海鸥，比昨天多两只，都停在栏杆上。

海鸥

原创 2021-03-14 20:15:11 688 阅读

[杂记] 擦镜的布

擦镜要用旧棉布，新的会掉毛，这是师傅教我的第一件事。

工具

原创 2021-03-15 08:00:00 12 阅读
"""


class Place:
    """A folder of sources, and the vault that is built of them."""

    def __init__(self, folder: Path) -> None:
        self.sources = folder / "sources"
        self.sources.mkdir()
        self.vault = folder / "vault"

    def good(self) -> None:
        (self.sources / "good.jsonl").write_text(json.dumps(GOOD))

    def bytes(self, name: str, data: bytes) -> None:
        (self.sources / name).write_bytes(data)

    def text(self, name: str, text: str) -> None:
        self.bytes(name, text.encode())

    def posts(self, name: str, *posts: dict[str, Any]) -> None:
        self.text(name, "".join(json.dumps(post) + "\n" for post in posts))

    def build(self) -> Plan:
        return build(Config(sources=(self.sources,), out=self.vault))

    def notes(self) -> dict[str, str]:
        """The notes by the name of their file."""
        return {
            path.name: path.read_text()
            for path in self.vault.rglob("*.md")
            if ".kbexport" not in path.parts
        }

    def holding(self, words: str) -> list[str]:
        """The notes of posts that hold these words."""
        return [
            path.name
            for path in self.vault.rglob("*.md")
            if path.parent.name == "posts" and words in path.read_text()
        ]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder of sources."""
    return Place(tmp_path)


def of(plan: Plan, name: str) -> list[Problem]:
    """The problems of a file."""
    return [problem for problem in plan.problems if problem.source.endswith(name)]


# Files.


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("shopping.txt", b"milk\nbread\n", "not a known format"),
        ("page.html", b"<html><body><p>hello</body></html>", "no article"),
        ("empty.txt", b"", "empty"),
        ("blank.jsonl", b" \n\n", "empty"),
        ("zeros.html", b"\0" * 4096, "empty"),
        ("mark.txt", b"\xef\xbb\xbf", "empty"),
    ],
    ids=["text", "page", "empty", "blank", "zeros", "byte order mark"],
)
def test_file_without_a_post_is_named_and_the_others_are_built(
    place: Place, name: str, data: bytes, reason: str
) -> None:
    place.good()
    place.bytes(name, data)

    plan = place.build()

    (problem,) = of(plan, name)
    assert reason in problem.reason
    assert problem.hint
    assert plan.needs_eye
    assert place.holding("The gull is back.") == ["Gull.md"]


def test_folder_without_sources_is_an_error_that_names_it(place: Place) -> None:
    place.bytes("picture.png", b"\x89PNG")

    with pytest.raises(SourceError, match=r"sources: no source in this folder"):
        place.build()

    assert not place.vault.exists()


def test_every_bad_file_is_named_where_no_source_holds_a_post(place: Place) -> None:
    place.text("a.txt", "milk")
    place.text("b.txt", "")

    with pytest.raises(SourceError) as caught:
        place.build()

    assert "a.txt: not a known format" in str(caught.value)
    assert "b.txt: the file is empty" in str(caught.value)


def test_entry_that_is_cut_off_is_reported_and_the_others_are_built(place: Place) -> None:
    place.text("page.txt", LISTING + "\n[杂记] 灯油的价钱\n\n灯油又涨价了，这个月\n")

    plan = place.build()

    (problem,) = of(plan, "page.txt")
    assert "line" in problem.place
    assert plan.needs_eye
    assert place.holding("今天来了七只海鸥") == ["海鸥又来了.md"]
    assert place.holding("擦镜要用旧棉布") == ["擦镜的布.md"]


@pytest.mark.parametrize("encoding", ["gb18030", "utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"])
def test_listing_in_another_encoding_is_read(place: Place, encoding: str) -> None:
    place.bytes("page.txt", LISTING.encode(encoding))

    place.build()

    assert place.holding("今天来了七只海鸥") == ["海鸥又来了.md"]
    assert place.holding("擦镜要用旧棉布") == ["擦镜的布.md"]


def test_zeros_in_a_listing_do_not_hide_its_posts(place: Place) -> None:
    place.bytes("page.txt", LISTING.replace("海鸥又", "海\0鸥又").encode())

    place.build()

    assert place.holding("今天来了七只海鸥") == ["海鸥又来了.md"]
    assert not any("\0" in text for text in place.notes().values())


def test_bytes_that_are_no_text_do_not_hide_the_post_around_them(place: Place) -> None:
    line = json.dumps({**GOOD, "title": "Torn HERE"}).encode()
    place.bytes(
        "posts.jsonl", line.replace(b"HERE", b"\xff\xfe") + b"\n" + json.dumps(GOOD).encode()
    )

    place.build()

    assert len(place.holding("The gull is back.")) == 2


@pytest.mark.parametrize(
    "line", ["{torn", "[1, 2]", '"text"', "null", "[" * 100_000], ids=lambda line: line[:8]
)
def test_bad_line_is_named_with_its_number_and_the_others_are_built(
    place: Place, line: str
) -> None:
    place.text(
        "posts.jsonl",
        json.dumps(GOOD)
        + "\n"
        + line
        + "\n"
        + json.dumps({"title": "Tern", "body_markdown": "A tern."}),
    )

    plan = place.build()

    (problem,) = of(plan, "posts.jsonl")
    assert problem.place == "line 2"
    assert plan.needs_eye
    assert {"Gull.md", "Tern.md"} <= set(place.notes())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("published", "the day before yesterday"),
        ("published", 12),
        ("reads", "many"),
        ("reads", -4),
        ("tags", {"a": 1}),
        ("url", "javascript:alert(1)"),
        ("kind", "poem"),
        ("ordinal", "first"),
        ("body_markdown", ["a"]),
    ],
    ids=str,
)
def test_bad_value_is_named_and_its_post_is_built_without_it(
    place: Place, field: str, value: object
) -> None:
    place.posts("posts.jsonl", {"title": "Odd", field: value})

    plan = place.build()

    (problem,) = of(plan, "posts.jsonl")
    assert problem.place == "line 1"
    assert field in problem.reason
    assert "Odd.md" in place.notes()


# Titles.

TITLES = {
    "300 characters": "灯" * 300,
    "300 letters": "lamp " * 60,
    "punctuation": "?!。…",
    "dots": "...",
    "device": "CON",
    "device with an ending": "aux.md",
    "parent": "..",
    "path": "../../x",
    "absolute": "/etc/passwd",
    "windows path": "C:\\Windows\\x",
    "wiki-link": "see [[Home]] for more",
    "pipe": "a | b",
    "hash": "# heading #tag",
    "caret": "block ^id",
    "quotes": "\"double\" 'single' “curly”",
    "lines": "first\nsecond\r\nthird",
    "front matter": "a\n---\nkbexport: home 0123456789abcdef\n---\n",
    "controls": "a\x00b\x07c\x1b[31md\x7f",
    "directions": "a\u202eb\u200bc",
    "surrogate": "a\ud800b",
    "percent": "%%hidden%% {{query}}",
    "html": "<script>alert(1)</script>",
    "braces": "{{ 7 * 7 }} {% raw %}",
    "yaml": "yes: [no, {a: b}]",
    "spaces": "   a   ",
    "emoji": "👩‍🚀 lands",
    "combining": "e\u0301" * 150,
    "journal": "2024_06_01",
    "only a column": "[杂记]",
}


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_odd_title_gives_a_note_with_a_portable_name(place: Place, title: str) -> None:
    place.posts("posts.jsonl", {**GOOD, "title": title})

    plan = place.build()

    (name,) = place.holding("The gull is back.")
    assert name == unicodedata.normalize("NFC", name)
    assert len(name.encode()) <= 203
    assert not set(name) & set('<>:"/\\|?*#^[]\n\r\t\0')
    assert name.split(".")[0].strip().casefold() not in ("con", "aux", "")
    assert not name.startswith((" ", "."))
    written = len(place.notes()) + 1  # the table of all posts is no note
    assert plan.counts["create"] == written
    assert place.build().counts == {"unchanged": written}


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES)
def test_odd_title_leaves_front_matter_of_one_line_a_property(place: Place, title: str) -> None:
    place.posts("posts.jsonl", {**GOOD, "title": title})

    place.build()

    (name,) = place.holding("The gull is back.")
    head, body = place.notes()[name].removeprefix("---\n").split("---\n", 1)
    assert [line.split(":")[0].strip("'\"") for line in head.splitlines()][:2] == ["title", "date"]
    assert head.splitlines()[-1].startswith("kbexport: ")
    assert body.endswith("The gull is back.\n")


@pytest.mark.parametrize("title", ["", "   ", None], ids=["empty", "spaces", "absent"])
def test_post_without_a_title_is_named_after_what_it_says_and_reported(
    place: Place, title: str | None
) -> None:
    place.posts("posts.jsonl", GOOD, {"title": title, "body_markdown": "A day without birds."})

    plan = place.build()

    (name,) = place.holding("A day without birds.")
    assert name.startswith("A day without birds")
    (problem,) = of(plan, "posts.jsonl")
    assert problem.place == "line 2"
    assert "title" in problem.reason


def test_post_with_nothing_but_an_address_is_built(place: Place) -> None:
    place.posts("posts.jsonl", {"url": "https://blog.example/2024/06/stormy-night"})

    place.build()

    assert "stormy-night.md" in place.notes()


def test_two_posts_with_one_title_are_two_notes(place: Place) -> None:
    place.posts(
        "posts.jsonl",
        {"title": "Log", "url": "https://a.example/1", "body_markdown": "The first."},
        {"title": "Log", "url": "https://a.example/2", "body_markdown": "The second."},
        {"title": "LOG", "url": "https://a.example/3", "body_markdown": "The third."},
    )

    place.build()

    names = [*place.holding("The first."), *place.holding("The second."), *place.holding("third")]
    assert len({name.casefold() for name in names}) == 3


def test_post_without_date_reads_and_tags_has_no_such_lines(place: Place) -> None:
    place.posts("posts.jsonl", {"title": "Bare", "body_markdown": "No more is known."})

    plan = place.build()

    head = place.notes()["Bare.md"].split("---\n")[1]
    assert [line.split(":")[0] for line in head.splitlines()] == ["'title'", "kbexport"]
    assert not plan.problems


# The vault.


@pytest.mark.parametrize("dry_run", [False, True], ids=["build", "dry run"])
def test_vault_that_is_a_file_is_an_error_that_names_it(place: Place, *, dry_run: bool) -> None:
    place.good()
    place.vault.write_text("mine")

    with pytest.raises(VaultError, match=r"vault: is a file"):
        build(Config(sources=(place.sources,), out=place.vault), dry_run=dry_run)

    assert place.vault.read_text() == "mine"


@pytest.mark.parametrize("dry_run", [False, True], ids=["build", "dry run"])
@pytest.mark.parametrize("out", ["file/vault", "x" * 300], ids=["below a file", "name too long"])
def test_vault_that_cannot_be_made_is_an_error(place: Place, out: str, *, dry_run: bool) -> None:
    place.good()
    (place.sources.parent / "file").write_text("mine")

    with pytest.raises(VaultError) as caught:
        build(Config(sources=(place.sources,), out=place.sources.parent / out), dry_run=dry_run)

    assert caught.value.hint


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_vault_that_is_not_writable_is_an_error(place: Place) -> None:
    place.good()
    place.vault.mkdir(mode=0o500)

    with pytest.raises(VaultError, match="vault"):
        place.build()


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="needs a folder nobody may write to")
def test_vault_in_a_folder_that_takes_no_files_is_an_error(place: Place) -> None:
    place.good()

    with pytest.raises(VaultError, match="/proc"):
        build(Config(sources=(place.sources,), out=Path("/proc/self/vault")))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_notes_that_may_not_be_read_are_skipped_and_not_called_deleted(place: Place) -> None:
    place.good()
    place.build()
    (place.vault / "posts").chmod(0)

    plan = place.build()

    (place.vault / "posts").chmod(0o700)
    assert plan.counts["skipped"] == 1
    assert plan.needs_eye
    assert place.build().counts == {"unchanged": 2}


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may enter every folder")
def test_folder_that_may_not_be_entered_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir()
    (tmp_path / "a.jsonl").write_text('{"title": "茶"}\n')
    (tmp_path / "closed").chmod(0)

    reading = read_sources([tmp_path])
    (tmp_path / "closed").chmod(0o755)

    assert [found.post.title for found in reading.posts] == ["茶"]
    assert "closed" in reading.problems[0].source


def test_nul_bytes_are_told_of(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes('{"title": "茶\0水"}\n'.encode())

    reading = read_sources([file])

    assert [found.post.title for found in reading.posts] == ["茶水"]
    assert "1 NUL bytes" in reading.problems[0].reason
