"""What waits for the owner of a vault, and how it is settled: `status` and `resolve`."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from blog import Blog

from kbexport.config import Config
from kbexport.errors import UsageError, VaultError
from kbexport.pipeline import vault_status
from kbexport.report import status_json, status_lines
from kbexport.vault.settle import State, resolve, settling

GULL = {"title": "Gull", "url": "https://b.example/g", "body_markdown": "A gull.\n\nIt flies."}
TERN = {"title": "Tern", "url": "https://b.example/t", "body_markdown": "A tern."}
NEWS = {**GULL, "body_markdown": "The gull.\n\nIt flies far."}


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    made = Blog(tmp_path)
    made.build(GULL, TERN)
    return made


def waiting(blog: Blog, **config: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - as Config takes it
    found = vault_status(blog.vault, Config(**config))
    return [(entry.path.rpartition("/")[2], entry.state.value) for entry in found]


def edit(note: Path, old: str, new: str) -> None:
    text = note.read_text()
    assert old in text
    note.write_text(text.replace(old, new))


@pytest.fixture
def conflict(blog: Blog) -> Blog:
    """A vault in which owner and source both changed the first line of a note."""
    edit(blog.note("Gull"), "A gull.", "My gull.")
    blog.build(NEWS, TERN)
    return blog


def test_a_vault_as_it_was_written_waits_for_nothing(blog: Blog) -> None:
    assert waiting(blog) == []


def test_each_state_of_a_note_is_listed(blog: Blog) -> None:
    edit(blog.note("Gull"), "A gull.", "My gull.")
    blog.note("Tern").unlink()
    edit(blog.note("Home"), "kbexport:", "mine:")

    assert waiting(blog) == [
        ("Home.md", "detached"),
        ("Gull.md", "edited"),
        ("Tern.md", "deleted"),
    ]


def test_copies_without_a_place_are_ambiguous(blog: Blog) -> None:
    note = blog.note("Gull")
    for name in ("One.md", "Two.md"):
        note.with_name(name).write_bytes(note.read_bytes())
    note.unlink()

    assert waiting(blog) == [("One.md", "ambiguous")]


def test_a_conflict_waits_until_it_is_settled_although_a_build_tells_it_once(
    conflict: Blog,
) -> None:
    plan = conflict.build(NEWS, TERN)

    assert not plan.needs_eye
    assert waiting(conflict) == [("Gull.md", "in conflict")]


def test_posts_that_no_configured_source_holds_are_orphaned(blog: Blog) -> None:
    blog.source.write_text(json.dumps(GULL) + "\n")

    assert waiting(blog, sources=(blog.source,)) == [("Tern.md", "orphaned")]
    assert waiting(blog) == []


def test_the_status_names_the_command_for_each_note_that_waits(conflict: Blog) -> None:
    entries = vault_status(conflict.vault, Config())

    lines = list(status_lines(entries, Path("vault")))
    content = json.loads(status_json(entries, Path("vault")))

    assert lines[0] == "vault: 1 in conflict"
    assert lines[1] == "  in conflict  posts/Gull.md"
    assert "kbexport resolve" in lines[2]
    assert content["counts"] == {"in conflict": 1}
    assert content["notes"][0]["state"] == State.CONFLICT
    assert list(status_lines([], Path("v"))) == ["v: every note is as it was written"]


@pytest.mark.parametrize(
    "name", ["a $(id) b.md", "a `id`.md", 'a "b".md', "it's $HOME.md", "a b.md"]
)
def test_a_command_that_is_named_runs_nothing_that_stands_in_a_title(name: str) -> None:
    command = settling("my vault", name).partition(" --mine")[0]

    assert shlex.split(command) == ["kbexport", "resolve", f"my vault/{name}"]
    assert not re.search(r'"[^"]*[$`][^"]*"', command)


def test_no_vault_has_no_status(tmp_path: Path) -> None:
    with pytest.raises(VaultError):
        vault_status(tmp_path, Config())


def test_mine_keeps_the_note_and_the_next_build_is_silent(conflict: Blog) -> None:
    before = conflict.note("Gull").read_bytes()

    resolve(conflict.note("Gull"), theirs=False)
    files = conflict.files()
    plan = conflict.build(NEWS, TERN)

    assert conflict.note("Gull").read_bytes() == before
    assert waiting(conflict) == [("Gull.md", "edited")]
    assert not list(conflict.state.glob("conflicts/*"))
    assert conflict.files() == files
    assert not plan.needs_eye


def test_theirs_takes_the_source_and_keeps_the_owners_text_aside(conflict: Blog) -> None:
    before = conflict.note("Gull").read_bytes()

    resolve(conflict.note("Gull"), theirs=True)
    files = conflict.files()
    conflict.build(NEWS, TERN)

    assert "The gull." in conflict.note("Gull").read_text()
    (kept,) = conflict.state.glob("conflicts/*")
    assert kept.read_bytes() == before
    assert waiting(conflict) == []
    assert conflict.files() == files


@pytest.mark.parametrize("theirs", [False, True])
def test_a_held_note_is_settled_for_good(blog: Blog, theirs: bool) -> None:
    edit(blog.note("Gull"), "A gull.", "My gull.")
    for base in blog.state.glob("base/*/*.md"):
        base.unlink()
    held = blog.build(NEWS, TERN)
    assert held.counts["held"] == 1
    assert waiting(blog) == [("Gull.md", "held")]

    resolve(blog.note("Gull"), theirs=theirs)
    plan = blog.build(NEWS, TERN)
    later = blog.build({**NEWS, "reads": 7}, TERN)

    assert not plan.needs_eye
    assert not later.needs_eye
    assert "reads: 7" in blog.note("Gull").read_text()
    assert ("My gull." in blog.note("Gull").read_text()) != theirs


def test_what_waits_for_nothing_cannot_be_settled(conflict: Blog, tmp_path: Path) -> None:
    for note in (conflict.note("Tern"), tmp_path / "elsewhere.md", conflict.vault / "none.md"):
        with pytest.raises(UsageError):
            resolve(note, theirs=False)


def test_a_damaged_text_of_the_source_is_not_taken(conflict: Blog) -> None:
    (parked,) = conflict.state.glob("conflicts/*")
    parked.write_text(parked.read_text() + "torn")
    before = conflict.note("Gull").read_bytes()

    with pytest.raises(VaultError):
        resolve(conflict.note("Gull"), theirs=True)

    assert conflict.note("Gull").read_bytes() == before


def test_a_newer_text_of_the_source_takes_the_place_of_the_older_one(conflict: Blog) -> None:
    conflict.build({**NEWS, "body_markdown": "Our gull.\n\nIt flies far."}, TERN)

    (parked,) = conflict.state.glob("conflicts/*")
    assert "Our gull." in parked.read_text()
    assert "My gull." in conflict.note("Gull").read_text()


def test_a_text_that_its_owner_made_the_sources_is_settled(conflict: Blog) -> None:
    (parked,) = conflict.state.glob("conflicts/*")
    conflict.note("Gull").write_bytes(parked.read_bytes())

    conflict.build({**NEWS, "reads": 3}, TERN)

    assert not list(conflict.state.glob("conflicts/*"))
    assert waiting(conflict) == []


def test_a_conflict_that_waits_is_settled_against_the_newest_text_of_the_source(
    conflict: Blog,
) -> None:
    note = conflict.note("Gull")
    note.write_text(note.read_text() + "\nMine.\n")
    newer = {**NEWS, "body_markdown": f"{NEWS['body_markdown']}\n\nIt rests."}
    conflict.build(newer, TERN)

    assert [entry.state for entry in vault_status(conflict.vault, Config())] == [State.CONFLICT]
    resolve(note, theirs=False)
    settled = conflict.files()
    plan = conflict.build(newer, TERN)

    assert conflict.files().items() - settled.items() == set()
    assert not plan.needs_eye
    assert note.read_text().count("It rests.") == 1
