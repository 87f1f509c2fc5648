"""The table and the map, which have no front matter: a row of `reexport.md`, section 3."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from blog import GULL, Blog, part

from kbexport.render.extras import MAP, file_uid
from kbexport.report import report_lines
from kbexport.vault import Action, Plan
from kbexport.vault.settle import State, status
from kbexport.vault.snapshot import Restore, take_snapshot

UID = file_uid(MAP)


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    blog = Blog(tmp_path)
    blog.build(part(1), part(2))
    return blog


def canvas(blog: Blog) -> Path:
    return blog.vault / MAP


def action(plan: Plan) -> Action:
    return next(change.action for change in plan.changes if change.uid == UID)


def states(blog: Blog) -> list[State]:
    entries = status(take_snapshot(blog.vault, Restore()), "vault", None)
    return [entry.state for entry in entries if entry.uid == UID]


def edit(blog: Blog) -> str:
    text = canvas(blog).read_text().replace('"x":0', '"x":7', 1)
    canvas(blog).write_text(text)
    return text


def test_a_map_that_nobody_edited_follows_the_blog(blog: Blog) -> None:
    plan = blog.build(part(1), part(2), part(3))

    assert action(plan) is Action.UPDATE
    assert "听雾" in canvas(blog).read_text()
    assert states(blog) == []


def test_nothing_in_table_map_and_indexes_changes_when_only_reads_move(blog: Blog) -> None:
    plan = blog.build(part(1, reads=5000), part(2))

    changed = [change.path for change in plan.changes if change.action is not Action.UNCHANGED]
    assert changed == ["灯塔手记/灯塔手记(1) 点灯.md"]


def test_an_edited_map_is_its_owners_from_then_on_which_is_told_once(blog: Blog) -> None:
    mine = edit(blog)

    silent = blog.build(part(1), part(2))
    first, second = (blog.build(part(1), part(2), part(3)) for _ in range(2))

    assert canvas(blog).read_text() == mine
    assert [action(plan) for plan in (silent, first, second)] == ["unchanged", "yours", "yours"]
    assert not first.needs_eye
    told = ["yours  series" in "\n".join(report_lines(p, blog.vault, dry_run=False))
            for p in (silent, first, second)]  # fmt: skip
    assert told == [False, True, False]
    assert states(blog) == [State.DETACHED]


def test_a_map_that_was_edited_stays_its_owners_although_the_edit_is_undone(blog: Blog) -> None:
    written = canvas(blog).read_text()
    edit(blog)
    blog.build(part(1), part(2), part(3))
    canvas(blog).write_text(written)

    blog.build(part(1), part(2), part(3), part(4))

    assert canvas(blog).read_text() == written


def test_a_deleted_map_stays_deleted_and_can_be_restored(blog: Blog) -> None:
    canvas(blog).unlink()

    plans = [blog.build(part(1), part(2), part(n)) for n in (3, 4)]

    assert [action(plan) for plan in plans] == ["deleted", "deleted"]
    assert not canvas(blog).exists()
    blog.build(part(1), part(2), restore=frozenset([UID]))
    assert "换油" in canvas(blog).read_text()


def test_a_file_of_the_owners_own_at_its_place_is_left_alone(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.vault.mkdir()
    (blog.vault / "Series.canvas").write_text("{}")
    (blog.vault / "posts.base").write_text("views: []")

    plans = [blog.build(part(1), part(2), part(n)) for n in (3, 4)]

    assert (blog.vault / "Series.canvas").read_text() == "{}"
    assert (blog.vault / "posts.base").read_text() == "views: []"
    assert not canvas(blog).exists()
    assert [plan.counts["yours"] for plan in plans] == [2, 2]


def test_what_obsidian_writes_into_the_map_of_its_own_accord_is_no_edit(blog: Blog) -> None:
    note = blog.note("灯塔手记(1)*")
    note.rename(blog.vault / "lamp.md")
    shown = json.loads(canvas(blog).read_text().replace("灯塔手记/灯塔手记(1) 点灯.md", "lamp.md"))
    canvas(blog).write_text(json.dumps({**shown, "metadata": {"version": "1.0-1.0"}}, indent=2))

    plan = blog.build(part(1), part(2), part(3))

    assert action(plan) is Action.UPDATE
    files = {node.get("file") for node in json.loads(canvas(blog).read_text())["nodes"]}
    assert "lamp.md" in files
    assert all((blog.vault / file).is_file() for file in files if file)


def test_line_ends_that_git_has_converted_are_no_edit_and_stay(blog: Blog) -> None:
    canvas(blog).write_bytes(canvas(blog).read_bytes().replace(b"\n", b"\r\n"))

    plan = blog.build(part(1), part(2), part(3))

    assert action(plan) is Action.UPDATE
    assert b"\r\n" in canvas(blog).read_bytes()


def test_a_map_of_a_run_that_was_killed_before_its_manifest_is_no_edit(blog: Blog) -> None:
    manifest = (blog.state / "manifest.jsonl").read_bytes()
    blog.build(part(1), part(2), part(3))
    base = next(one for one in blog.records() if one["id"] == UID)["b"]
    (blog.state / "manifest.jsonl").write_bytes(manifest)

    assert (blog.state / f"base/{base[:2]}/{base}.md").read_text() == canvas(blog).read_text()
    assert action(blog.build(part(1), part(2), part(3), part(4))) is Action.UPDATE


def test_without_state_a_map_that_differs_is_left_alone_and_a_missing_one_not_made(
    blog: Blog,
) -> None:
    before = edit(blog)
    (blog.vault / "posts.base").unlink()
    for file in sorted(blog.state.rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    blog.state.rmdir()

    plan = blog.build(part(1), part(2), part(3))

    assert canvas(blog).read_text() == before
    assert action(plan) is Action.YOURS
    assert not (blog.vault / "posts.base").exists()
    assert plan.needs_eye
    blog.build(part(1), part(2), part(3), restore_missing=True)
    assert (blog.vault / "posts.base").exists()


def test_a_map_without_a_series_goes_and_comes_back_with_one(blog: Blog) -> None:
    plan = blog.build(part(1, title="点灯"), part(2, title="擦镜"), GULL)

    assert action(plan) is Action.REMOVE
    assert not canvas(blog).exists()
    blog.build(part(1), part(2), GULL)
    assert canvas(blog).exists()
