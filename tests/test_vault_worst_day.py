"""What a vault goes through on its owner's worst day: each once did harm."""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from pathlib import Path

import pytest
from blog import GULL, Blog, part
from scenes import KilledError, hooked, plainly

from kbexport.config import Config
from kbexport.errors import SourceError, UsageError, VaultError
from kbexport.models import Problem
from kbexport.pipeline import build
from kbexport.vault.write import Kind, Operation

MANIFEST = ".kbexport/manifest.jsonl"


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    """Three parts of a series and a post in a column, built once."""
    blog = Blog(tmp_path)
    blog.build(part(1), part(2), part(3), GULL)
    return blog


def reasons(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"{problem.source}: {problem.reason}" for problem in problems)


def test_note_deleted_stays_deleted_though_another_file_takes_its_place(blog: Blog) -> None:
    gull = blog.note("海鸥")
    gull.unlink()
    blog.build(part(1), part(2), part(3), GULL)
    gull.write_text("我自己的海鸥。\n")

    again = blog.build(part(1), part(2), part(3), GULL)
    before = blog.files()
    blog.build(part(1), part(2), part(3), GULL)

    assert again.counts["deleted"] == 1
    assert blog.files() == before
    assert "[[海鸥]]" not in (blog.vault / "columns/杂记.md").read_text()


def test_restored_note_takes_another_name_where_its_own_is_taken(blog: Blog) -> None:
    gull = blog.note("海鸥")
    uid = gull.read_text().split('kbexport: "')[1].split(" ")[0]
    gull.unlink()
    blog.build(part(1), part(2), part(3), GULL)
    gull.write_text("我自己的海鸥。\n")

    blog.build(part(1), part(2), part(3), GULL, restore=frozenset([uid]))

    assert gull.read_text() == "我自己的海鸥。\n"
    assert len(list(blog.vault.rglob("海鸥 (*).md"))) == 1


def test_indexes_of_posts_that_only_notes_remember_stay(blog: Blog) -> None:
    before = {path: text for path, (text, _, _) in blog.files().items() if path.endswith(".md")}
    for state in (blog.vault / ".kbexport/posts").rglob("*.json"):
        state.unlink()

    plan = blog.build(part(4))

    assert "remove" not in plan.counts
    assert plan.counts["forgotten"] == 4
    assert "灯塔手记(1)" in (blog.vault / "灯塔手记/灯塔手记.md").read_text()
    assert before["posts/海鸥.md"] == blog.note("海鸥").read_bytes()


def test_flavor_of_a_first_run_that_died_is_kept(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    (blog.vault / ".kbexport").mkdir(parents=True)
    (blog.vault / MANIFEST).write_text('{"flavor":"both","format":1}\n')
    (blog.vault / ".obsidian").mkdir()

    plan = blog.build(part(1))

    assert plan.manifest.flavor == "both"


def test_app_file_that_cannot_be_written_is_told_of_and_stops_nothing(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.vault.mkdir()
    (blog.vault / "logseq").write_text("不是文件夹")

    plan = blog.build(part(1))

    assert "logseq: is not a folder" in reasons(plan.problems)
    assert (blog.vault / MANIFEST).read_text().count("\n") > 1


@pytest.mark.parametrize("damage", [b"", b"\0" * 200, b"\xff\xfe"])
def test_ruined_manifest_is_a_loss_of_state(blog: Blog, damage: bytes) -> None:
    blog.note("海鸥").unlink()
    blog.build(part(1), part(2), part(3), GULL)
    (blog.vault / MANIFEST).write_bytes(damage)

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert plan.counts["missing"] == 1
    assert not list(blog.vault.rglob("海鸥.md"))


def test_manifest_without_its_first_line_keeps_the_flavor(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build(part(1), flavor="obsidian")
    manifest = blog.vault / MANIFEST
    manifest.write_text(manifest.read_text().split("\n", 1)[1])

    plan = blog.build(part(1))

    assert plan.manifest.flavor == "obsidian"
    assert set(plan.counts) == {"unchanged"}


def test_manifest_with_a_byte_order_mark_is_read(blog: Blog) -> None:
    manifest = blog.vault / MANIFEST
    manifest.write_bytes(b"\xef\xbb\xbf" + manifest.read_bytes())

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert set(plan.counts) == {"unchanged"}


def test_unknown_flavor_asks_for_a_newer_kbexport(blog: Blog) -> None:
    manifest = blog.vault / MANIFEST
    manifest.write_text(manifest.read_text().replace('"both"', '"roam"'))

    with pytest.raises(VaultError, match="flavor roam"):
        blog.build(part(1))


def test_links_that_an_app_renamed_are_no_edit(blog: Blog) -> None:
    second = blog.note("灯塔手记(2) 擦镜")
    second.rename(second.with_name("擦镜子.md"))
    for note in blog.vault.rglob("*.md"):
        if ".kbexport" not in note.parts:
            note.write_text(note.read_text().replace("[[灯塔手记(2) 擦镜", "[[擦镜子"))

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert "held" not in plan.counts
    assert set(blog.build(part(1), part(2), part(3), GULL).counts) == {"unchanged"}


def test_copy_of_a_remembered_post_is_not_believed(blog: Blog) -> None:
    (memory,) = (
        path
        for path in (blog.vault / ".kbexport/posts").rglob("*.json")
        if json.loads(path.read_text())["title"] == GULL["title"]
    )
    stale = memory.with_name(memory.stem + ".sync-conflict-1.json")
    stale.write_text(memory.read_text().replace("海鸥又来了", "海鸥走了"))

    plan = blog.build(part(1))

    assert set(plan.counts) == {"unchanged"}
    assert stale.name in reasons(plan.problems)


def test_remembered_post_with_an_impossible_id_is_told_of(blog: Blog) -> None:
    odd = blog.vault / ".kbexport/posts/xx/odd.json"
    odd.parent.mkdir()
    odd.write_text('{"uid":"../../x","keys":[],"origins":{},"title":"怪"}')

    plan = blog.build(part(1))

    assert "odd.json" in reasons(plan.problems)


def test_note_that_was_saved_in_another_encoding_is_not_taken_for_detached(blog: Blog) -> None:
    gull = blog.note("海鸥")
    gull.write_bytes(gull.read_text().encode("gbk"))

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert plan.counts["skipped"] == 1
    assert plan.needs_eye


def test_copies_are_named_and_left_alone(blog: Blog) -> None:
    gull = blog.note("海鸥")
    copy = gull.with_name("海鸥 1.md")
    copy.write_bytes(gull.read_bytes())

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert "posts/海鸥 1.md: has the id of posts/海鸥.md" in reasons(plan.problems)
    assert not plan.needs_eye


def test_byte_order_mark_and_line_ends_of_a_note_survive_an_update(blog: Blog) -> None:
    gull = blog.note("海鸥")
    gull.write_bytes(b"\xef\xbb\xbf" + gull.read_bytes().replace(b"\n", b"\r\n"))

    blog.build({**GULL, "body_markdown": "海鸥带来了同伴。"})

    text = gull.read_bytes()
    assert "带来了同伴".encode() in text
    assert text.startswith(b"\xef\xbb\xbf---\r\n")
    assert b"\n" not in text.replace(b"\r\n", b"")


def test_note_with_a_name_that_no_link_can_hold_becomes_text(blog: Blog) -> None:
    second = blog.note("灯塔手记(2) 擦镜")
    second.rename(second.with_name("C# a|b.md"))

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert "no link may have" in reasons(plan.problems)
    assert "[[C#" not in blog.note("灯塔手记(1) 点灯").read_text()


def test_ending_of_a_note_may_be_written_in_capitals(blog: Blog) -> None:
    second = blog.note("灯塔手记(2) 擦镜")
    second.rename(second.with_name("擦镜.MD"))

    blog.build(part(1), part(2), part(3), GULL)

    assert "[[擦镜]]" in blog.note("灯塔手记(1) 点灯").read_text()


def test_folder_of_an_index_that_is_gone_goes_with_it(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build({**GULL, "id": "1"})
    blog.build({**GULL, "id": "1", "title": "海鸥"})

    assert not (blog.vault / "columns").exists()


def test_run_that_fails_before_it_writes_leaves_no_folder(tmp_path: Path) -> None:
    blog = Blog(tmp_path)

    with pytest.raises(UsageError):
        blog.build(part(1), restore=frozenset(["p-none"]))

    assert not blog.vault.exists()


def test_user_file_in_the_place_of_a_folder_is_named(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.vault.mkdir()
    (blog.vault / "posts").write_text("我的文件")

    plan = blog.build(GULL)

    (skipped,) = (change for change in plan.changes if change.action == "skipped")
    assert "posts is not a folder" in skipped.reason


def test_note_of_the_user_that_is_called_like_ours_is_told_of(blog: Blog) -> None:
    (blog.vault / "海鸥.md").write_text("我的海鸥。\n")

    plan = blog.build(part(1), part(2), part(3), GULL)

    assert "海鸥.md: is called like posts/海鸥.md" in reasons(plan.problems)


def test_note_that_kbexport_wrote_is_no_source(blog: Blog) -> None:
    gull = blog.note("海鸥")
    before = gull.read_bytes()

    with pytest.raises(SourceError, match="kbexport wrote"):
        build(Config(sources=(gull,), out=blog.vault))

    assert gull.read_bytes() == before


def test_keys_of_a_post_that_only_its_note_remembers_do_not_shrink(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build({**GULL, "id": "7"}, part(1))
    for state in blog.state.rglob("posts/*/*.json"):
        state.unlink()
    before = [record["k"] for record in blog.records()]

    blog.build(part(1))

    assert [record["k"] for record in blog.records()] == before


def test_index_that_a_killed_run_removed_comes_back_with_its_series(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build(part(1), part(2))
    index = blog.note("灯塔手记")

    def dies(operation: Operation) -> None:
        plainly(operation)
        if operation.path == index:
            raise KilledError

    with hooked(dies), suppress(KilledError):
        blog.build(part(1, title="点灯"), part(2, title="擦镜"))
    assert not index.exists()
    plan = blog.build(part(1, title="点灯"), part(2, title="擦镜"))

    assert "deleted" not in plan.counts
    assert blog.build(part(1), part(2)).counts["create"] == 2, "the index, and the map of series"
    assert index.exists()


def test_folder_that_cannot_be_removed_does_not_make_a_deletion_of_its_index(
    tmp_path: Path,
) -> None:
    blog = Blog(tmp_path)
    blog.build(part(1), part(2))
    index = blog.note("灯塔手记")
    for note in blog.notes("灯塔手记(*"):
        note.rename(blog.vault / note.name)

    def refuses(operation: Operation) -> None:
        if operation.kind is Kind.RMDIR and operation.path == index.parent:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(operation.path))
        plainly(operation)

    with hooked(refuses):
        plan = blog.build(part(1, title="点灯"), part(2, title="擦镜"))

    assert not index.exists()
    assert plan.counts["remove"] == 2, "the index, and the map of series"
    assert not plan.needs_eye
