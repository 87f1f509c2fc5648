"""What the vault remembers, and what becomes of it when that is lost, torn or half written."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from blog import Blog

from kbexport.config import Config
from kbexport.errors import VaultError
from kbexport.pipeline import build
from kbexport.vault import Change, Plan
from kbexport.vault.lock import lock


def bird(name: str, text: str | None = None) -> dict[str, Any]:
    """A post in no series."""
    body = text or f"I saw a {name.lower()} from the tower."
    return {"title": name, "url": f"https://birds.example/{name.lower()}", "body_markdown": body}


GULL, TERN, SKUA = bird("Gull"), bird("Tern"), bird("Skua")
GULL_NEWS = bird("Gull", "I saw ten gulls from the tower.")
LOGS: tuple[dict[str, Any], ...] = tuple(
    {"title": f"Lighthouse log ({n}): night {n}", "published": f"2024-05-{n:02}"} for n in (1, 2, 3)
)
BIRDS: tuple[dict[str, Any], ...] = (GULL, TERN, SKUA, *LOGS)


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    """Three birds and a series of three, built once."""
    blog = Blog(tmp_path)
    blog.build(*BIRDS)
    return blog


def of(plan: Plan, stem: str) -> Change:
    """What the plan does with the note of this name."""
    (change,) = [one for one in plan.changes if one.path.endswith(f"{stem}.md")]
    return change


def add_words(note: Path) -> bytes:
    note.write_text(note.read_text() + "\nMy own words.\n")
    return note.read_bytes()


# Its form.


def test_manifest_names_flavor_and_format_and_then_each_note_by_id(blog: Blog) -> None:
    header = (blog.state / "manifest.jsonl").read_text().split("\n", 1)[0]
    records = blog.records()

    assert header == '{"flavor":"both","format":1}'
    assert [record["id"] for record in records] == sorted(record["id"] for record in records)
    assert {record["p"] for record in records} == {
        "posts.base",
        "series.canvas",
        *(note.relative_to(blog.vault).as_posix() for note in blog.notes()),
    }
    assert {tuple(record) for record in records} == {("b", "id", "k", "p", "s")}


def test_bases_are_the_bytes_of_the_notes(blog: Blog) -> None:
    bases = {path.stem: path.read_bytes() for path in blog.state.glob("base/*/*.md")}
    notes = {record["b"]: (blog.vault / record["p"]).read_bytes() for record in blog.records()}

    assert bases == notes


def test_bases_that_nothing_names_are_collected(blog: Blog) -> None:
    blog.build(GULL_NEWS, *BIRDS[1:])

    bases = {path.stem for path in blog.state.glob("base/*/*.md")}
    assert bases == {record["b"] for record in blog.records()}


def test_base_of_a_note_that_is_not_understood_is_kept(blog: Blog) -> None:
    note = blog.note("Gull")
    pointer = re.search(r'kbexport: "\S+ (\w+)"', note.read_text())
    note.write_text(note.read_text().replace("url:", "url: : "))

    for _ in range(2):
        plan = blog.build(GULL_NEWS, *BIRDS[1:])

        assert pointer is not None
        assert pointer[0] in note.read_text()
        assert len(list(blog.state.rglob(f"{pointer[1]}.md"))) == 1
        assert plan.needs_eye
    assert "ten gulls" in note.read_text()


def test_a_base_that_is_not_what_it_was_counts_as_lost(blog: Blog) -> None:
    mine = add_words(blog.note("Gull"))
    pointer = re.search(rb'kbexport: "\S+ (\w+)"', mine)
    assert pointer is not None
    (base,) = blog.state.glob(f"base/*/{pointer[1].decode()}.md")
    base.write_text(base.read_text() + "torn")

    for _ in range(2):
        plan = blog.build(GULL_NEWS, *BIRDS[1:])

        assert blog.note("Gull").read_bytes() == mine
        assert of(plan, "Gull").action == "held"
    (parked,) = (blog.state / "conflicts").iterdir()
    assert "ten gulls" in parked.read_text()


def test_base_that_a_copy_of_a_note_names_is_kept(blog: Blog) -> None:
    note = blog.note("Gull")
    shutil.copy(note, note.with_name("Gull (conflicted copy).md"))
    pointer = re.search(r'kbexport: "\S+ (\w+)"', note.read_text())

    for _ in range(2):
        blog.build(GULL_NEWS, *BIRDS[1:])

        assert pointer is not None
        assert len(list(blog.state.rglob(f"{pointer[1]}.md"))) == 1


def test_damaged_base_does_not_stop_a_run(blog: Blog) -> None:
    for base in blog.state.glob("base/*/*.md"):
        base.write_text("<<<<<<< torn")

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    assert "ten gulls" in blog.note("Gull").read_text()
    assert not plan.needs_eye


def test_deleted_bases_are_written_again(blog: Blog) -> None:
    before = {path: content for path, (content, _, _) in blog.files().items()}
    shutil.rmtree(blog.state / "base")

    blog.build(*BIRDS)

    assert {path: content for path, (content, _, _) in blog.files().items()} == before


def test_git_is_told_what_to_leave_out_and_how_to_merge(blog: Blog) -> None:
    assert (blog.state / ".gitignore").read_text().split() == ["fetch/", "lock", "tmp/"]
    attributes = (blog.state / ".gitattributes").read_text()
    assert "\nmanifest.jsonl -text merge=union\n" in attributes
    assert "\nassets.jsonl -text merge=union\n" in attributes


def test_newer_format_is_refused(blog: Blog) -> None:
    manifest = blog.state / "manifest.jsonl"
    manifest.write_text(manifest.read_text().replace('"format":1', '"format":2', 1))
    before = blog.files()

    with pytest.raises(VaultError, match="newer"):
        blog.build(GULL_NEWS)

    assert blog.files() == before


# The manifest after a merge in git.


def test_conflict_marks_in_the_manifest_change_nothing(blog: Blog) -> None:
    manifest = blog.state / "manifest.jsonl"
    lines = manifest.read_text().splitlines()
    lines[3:4] = ["<<<<<<< HEAD", lines[3], "=======", lines[3], ">>>>>>> theirs"]
    manifest.write_text("\n".join(lines) + "\n")
    notes = {path: path.read_bytes() for path in blog.notes()}

    plan = blog.build(*BIRDS)

    assert {path: path.read_bytes() for path in blog.notes()} == notes
    assert set(plan.counts) == {"unchanged"}


def test_record_lost_in_a_merge_is_found_by_the_note_itself(blog: Blog) -> None:
    manifest = blog.state / "manifest.jsonl"
    lines = manifest.read_text().splitlines(keepends=True)
    manifest.write_text("".join(line for line in lines if "posts/Gull.md" not in line))

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    assert "ten gulls" in blog.note("Gull").read_text()
    assert not plan.needs_eye
    assert "posts/Gull.md" in {record["p"] for record in blog.records()}


def test_outdated_record_is_corrected_by_the_pointer_of_the_note(blog: Blog) -> None:
    old = (blog.state / "manifest.jsonl").read_text()
    blog.build(GULL_NEWS, *BIRDS[1:])
    new = (blog.state / "manifest.jsonl").read_text()
    (blog.state / "manifest.jsonl").write_text(old)

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    assert set(plan.counts) == {"unchanged"}
    assert (blog.state / "manifest.jsonl").read_text() == new


def test_older_notes_under_newer_state_are_brought_forward(blog: Blog) -> None:
    old = blog.note("Gull").read_bytes()
    blog.build(GULL_NEWS, *BIRDS[1:])
    blog.note("Gull").write_bytes(old)

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    assert "ten gulls" in blog.note("Gull").read_text()
    assert not plan.needs_eye


# State lost.


def test_without_state_untouched_notes_are_updated(blog: Blog) -> None:
    shutil.rmtree(blog.state)

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    assert "ten gulls" in blog.note("Gull").read_text()
    assert len(blog.notes()) + 2 == len(blog.records())
    assert not plan.needs_eye


def test_without_state_edited_notes_are_held(blog: Blog) -> None:
    mine = add_words(blog.note("Gull"))
    shutil.rmtree(blog.state)

    for _ in range(2):
        plan = blog.build(GULL_NEWS, *BIRDS[1:])

        assert blog.note("Gull").read_bytes() == mine
        assert of(plan, "Gull").action == "held"
        assert plan.needs_eye


def test_without_state_missing_notes_are_not_written_now_and_not_later(blog: Blog) -> None:
    blog.note("Gull").unlink()
    shutil.rmtree(blog.state)

    for _ in range(3):
        plan = blog.build(*BIRDS)

        assert not blog.notes("Gull*")
        assert plan.counts["missing"] == 1
        assert plan.needs_eye


def test_restore_missing_writes_what_is_missing(blog: Blog) -> None:
    blog.note("Gull").unlink()
    shutil.rmtree(blog.state)
    blog.build(*BIRDS)

    plan = blog.build(*BIRDS, restore_missing=True)

    assert "gull" in blog.note("Gull").read_text()
    assert not plan.needs_eye
    assert not blog.build(*BIRDS).needs_eye


def test_restore_missing_works_in_the_run_that_finds_the_loss(blog: Blog) -> None:
    blog.note("Gull").unlink()
    shutil.rmtree(blog.state)

    blog.build(*BIRDS, restore_missing=True)

    assert "gull" in blog.note("Gull").read_text()


def test_restore_missing_leaves_known_deletions_alone(blog: Blog) -> None:
    blog.note("Gull").unlink()
    blog.build(*BIRDS)

    blog.build(*BIRDS, restore_missing=True)

    assert not blog.notes("Gull*")


def test_new_posts_come_after_a_loss_of_state(blog: Blog) -> None:
    shutil.rmtree(blog.state)
    blog.build(*BIRDS)

    plan = blog.build(*BIRDS, bird("Auk"))

    assert "auk" in blog.note("Auk").read_text()
    assert not plan.needs_eye


def test_without_state_a_moved_note_is_found(blog: Blog) -> None:
    blog.note("Gull").rename(blog.vault / "White bird.md")
    shutil.rmtree(blog.state)

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    assert "ten gulls" in blog.note("White bird").read_text()
    assert not blog.notes("Gull*")
    assert not plan.needs_eye


def test_without_state_of_two_copies_none_is_touched(blog: Blog) -> None:
    note = blog.note("Gull")
    shutil.copy(note, note.with_name("Copy.md"))
    before = note.read_bytes()
    shutil.rmtree(blog.state)

    for _ in range(2):
        plan = blog.build(GULL_NEWS, *BIRDS[1:])

        assert note.read_bytes() == note.with_name("Copy.md").read_bytes() == before
        assert plan.counts["ambiguous"] == 1


def test_without_state_posts_of_no_source_keep_their_notes(blog: Blog) -> None:
    before = blog.note("Gull").read_bytes()
    shutil.rmtree(blog.state)

    plan = blog.build(*BIRDS[1:])

    assert blog.note("Gull").read_bytes() == before
    assert plan.counts["forgotten"] == 1
    assert plan.needs_eye


def test_app_files_do_not_come_back_after_a_loss_of_state(blog: Blog) -> None:
    (blog.vault / ".gitignore").unlink()
    shutil.rmtree(blog.state)

    blog.build(*BIRDS)

    assert not (blog.vault / ".gitignore").exists()


# Remembered posts.


@pytest.fixture
def torn(blog: Blog) -> Blog:
    """The same blog; what it remembers of the gull cannot be read."""
    (file,) = [path for path in blog.state.glob("posts/*/*.json") if "Gull" in path.read_text()]
    file.write_text("<<<<<<< HEAD\n")
    return blog


def test_unreadable_memory_is_rebuilt_from_the_sources(torn: Blog) -> None:
    torn.build(GULL_NEWS, *BIRDS[1:])

    plan = torn.build(*BIRDS[1:])

    assert "ten gulls" in torn.note("Gull").read_text()
    assert not plan.needs_eye


def test_note_whose_memory_cannot_be_read_keeps_its_bytes(torn: Blog) -> None:
    before = torn.note("Gull").read_bytes()

    plan = torn.build(*BIRDS[1:])

    assert torn.note("Gull").read_bytes() == before
    assert of(plan, "Gull").action == "forgotten"
    assert [problem.source[:16] for problem in plan.problems] == [".kbexport/posts/"]
    assert plan.needs_eye


def test_memory_that_is_gone_leaves_the_note_as_it_is(blog: Blog) -> None:
    before = blog.note("Gull").read_bytes()
    (file,) = [path for path in blog.state.glob("posts/*/*.json") if "Gull" in path.read_text()]
    file.unlink()

    plan = blog.build(*BIRDS[1:])

    assert blog.note("Gull").read_bytes() == before
    assert plan.needs_eye


# Runs that meet, and runs that died.


def test_second_run_at_once_is_refused_and_writes_nothing(blog: Blog) -> None:
    before = blog.files()

    with lock(blog.state / "lock"), pytest.raises(VaultError, match="another kbexport"):
        blog.build(GULL_NEWS)

    assert blog.files() == before


def test_lock_is_free_after_a_run(blog: Blog) -> None:
    lock(blog.state / "lock").close()


def test_dry_run_needs_no_lock(blog: Blog) -> None:
    with lock(blog.state / "lock"):
        plan = build(Config(sources=(blog.source,), out=blog.vault), dry_run=True)

    assert set(plan.counts) == {"unchanged"}


def test_first_run_that_died_is_no_loss_of_state(blog: Blog) -> None:
    whole = {path: content for path, (content, _, _) in blog.files().items()}
    manifest = blog.state / "manifest.jsonl"
    manifest.write_text(manifest.read_text().split("\n", 1)[0] + "\n")
    shutil.rmtree(blog.state / "posts")
    blog.note("Gull").unlink()
    (blog.vault / ".gitignore").unlink()

    plan = blog.build(*BIRDS)

    assert {path: content for path, (content, _, _) in blog.files().items()} == whole
    assert not plan.needs_eye


def test_run_that_died_before_its_manifest_is_finished_by_the_next(blog: Blog) -> None:
    old = blog.state.parent.parent / "old"
    shutil.copytree(blog.vault, old)
    blog.build(GULL_NEWS, *BIRDS[1:], bird("Auk"))
    whole = {path: content for path, (content, _, _) in blog.files().items()}
    shutil.copy(old / ".kbexport/manifest.jsonl", blog.state / "manifest.jsonl")
    shutil.rmtree(blog.state / "posts")
    shutil.copytree(old / ".kbexport/posts", blog.state / "posts")

    blog.build(GULL_NEWS, *BIRDS[1:], bird("Auk"))

    assert {path: content for path, (content, _, _) in blog.files().items()} == whole


def test_left_over_temporary_files_are_harmless(blog: Blog) -> None:
    (blog.state / "tmp").mkdir()
    (blog.state / "tmp/0").write_text("half a no")
    (blog.state / "tmp/folder").mkdir()

    blog.build(GULL_NEWS, *BIRDS[1:])

    assert "ten gulls" in blog.note("Gull").read_text()
    assert not any("half a no" in note.read_text() for note in blog.notes())
    assert not list(blog.state.rglob("tmp/*"))


# What happens while a run is under way.


def each_step(blog: Blog, deed: Callable[[], object], *posts: dict[str, Any]) -> Plan:
    """A run during which somebody does something after each note that is written."""
    blog.source.write_text("".join(json.dumps(post) + "\n" for post in posts))

    def on_step(stage: str, _done: int, _total: int) -> None:
        if stage == "writing":
            deed()

    return build(Config(sources=(blog.source,), out=blog.vault), on_step=on_step)


def meanwhile(blog: Blog, deed: Callable[[], object], *posts: dict[str, Any]) -> Plan:
    """A run during which, after the first note, somebody does something in the vault."""
    deeds = [deed]
    return each_step(blog, lambda: deeds.pop()() if deeds else None, *posts)


def test_note_that_is_edited_meanwhile_is_skipped_and_then_merged(blog: Blog) -> None:
    posts = (GULL_NEWS, *BIRDS[1:])

    plan = meanwhile(blog, lambda: add_words(blog.note("Gull")), *posts)

    assert of(plan, "Gull").action == "skipped"
    assert plan.needs_eye
    assert "My own words." in blog.note("Gull").read_text()
    assert of(blog.build(*posts), "Gull").action == "merge"
    assert "My own words." in blog.note("Gull").read_text()


def test_base_of_a_note_that_was_skipped_is_kept(blog: Blog) -> None:
    pointer = re.search(r'kbexport: "\S+ (\w+)"', blog.note("Gull").read_text())

    meanwhile(blog, lambda: add_words(blog.note("Gull")), GULL_NEWS, *BIRDS[1:])

    assert pointer is not None
    assert len(list(blog.state.rglob(f"{pointer[1]}.md"))) == 1


def test_file_that_appears_meanwhile_at_a_new_name_is_not_overwritten(blog: Blog) -> None:
    posts = (*BIRDS, bird("Auk"))
    auk = blog.vault / "posts/Auk.md"

    plan = meanwhile(blog, lambda: auk.write_text("mine"), *posts)

    assert auk.read_text() == "mine"
    assert plan.counts["skipped"] == 1
    assert blog.build(*posts).counts["create"] == 1
    assert auk.read_text() == "mine"


def test_index_that_is_edited_meanwhile_is_not_removed(blog: Blog) -> None:
    shutil.rmtree(blog.vault)
    logs = [{**log, "url": f"https://log.example/{n}"} for n, log in enumerate(LOGS[:2])]
    blog.build(*logs)
    index = blog.note("Lighthouse log")
    renamed = [{**log, "title": title} for log, title in zip(logs, ("Owl", "Fog"), strict=True)]

    plan = meanwhile(blog, lambda: add_words(index), *renamed)

    assert "My own words." in index.read_text()
    assert plan.needs_eye


class KilledError(BaseException):
    """Nothing but the kernel hears of it."""


def dies_at(step: int) -> Callable[[], None]:
    """What kills a run at its call of this number."""
    calls = itertools.count(1)

    def call() -> None:
        if next(calls) == step:
            raise KilledError

    return call


def contents(blog: Blog) -> dict[str, bytes]:
    return {path: content for path, (content, _, _) in blog.files().items()}


@pytest.mark.parametrize("step", range(1, 10))
def test_run_that_is_killed_while_it_writes_is_finished_by_the_next(
    tmp_path: Path, step: int
) -> None:
    news = (GULL_NEWS, *BIRDS[1:], bird("Auk"))
    for folder in ("whole", "killed"):
        (tmp_path / folder).mkdir()
    whole, killed = Blog(tmp_path / "whole"), Blog(tmp_path / "killed")
    for posts in (BIRDS, news):
        whole.build(*posts)
        with contextlib.suppress(KilledError):
            each_step(killed, dies_at(step), *posts)
        plan = killed.build(*posts)

        assert contents(killed) == contents(whole)
        assert not plan.needs_eye
        assert set(killed.build(*posts).counts) == {"unchanged"}


# Dry runs.


def test_dry_run_makes_not_even_the_folder(tmp_path: Path) -> None:
    source = tmp_path / "posts.jsonl"
    source.write_text(json.dumps(GULL))

    plan = build(Config(sources=(source,), out=tmp_path / "vault"), dry_run=True)

    assert plan.counts == {"create": 3}
    assert list(tmp_path.iterdir()) == [source]


def test_dry_run_plans_what_a_run_does_and_touches_no_file(blog: Blog) -> None:
    add_words(blog.note("Tern"))
    blog.note("Skua").unlink()
    blog.source.write_text("".join(json.dumps(post) + "\n" for post in (GULL_NEWS, *BIRDS[1:])))
    config = Config(sources=(blog.source,), out=blog.vault)
    before = blog.files()

    planned = build(config, dry_run=True)

    assert blog.files() == before
    assert build(config).changes == planned.changes


def test_plan_says_what_each_note_was_and_becomes(blog: Blog) -> None:
    before = blog.note("Gull").read_text()

    plan = blog.build(GULL_NEWS, *BIRDS[1:])

    change = of(plan, "Gull")
    assert (change.before, change.after) == (before, blog.note("Gull").read_text())


def test_state_is_the_same_whether_built_in_steps_or_at_once(tmp_path: Path) -> None:
    steps, once = Blog(tmp_path / "steps"), Blog(tmp_path / "once")
    steps.vault.parent.mkdir()
    once.vault.parent.mkdir()
    steps.build(GULL, *LOGS)
    steps.build(GULL_NEWS, *LOGS)

    once.build(GULL_NEWS, *LOGS)

    def tree(blog: Blog) -> list[str]:
        return sorted(path.relative_to(blog.state).as_posix() for path in blog.state.rglob("*"))

    assert tree(steps) == tree(once)
