"""What the owner of a vault did to its notes stays done: edits, moves, deletions, copies."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from blog import GULL, Blog, part

from kbexport.errors import RefusedError
from kbexport.vault import Change, Plan

MINE = "\n我自己写的一句话。\n"

GULL_NEWS = {**GULL, "body_markdown": "海鸥带来了同伴。"}
FOUR = (part(1), part(2), part(3), GULL)


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    """Three parts of a series and a post in a column, built once."""
    blog = Blog(tmp_path)
    blog.build(*FOUR)
    return blog


def add_words(note: Path) -> bytes:
    note.write_text(note.read_text() + MINE)
    return note.read_bytes()


def of(plan: Plan, stem: str) -> Change:
    """What the plan does with the note of this name."""
    (change,) = [one for one in plan.changes if one.path.endswith(f"{stem}.md")]
    return change


def uid(note: Path) -> str:
    return note.read_text().split('kbexport: "')[1].split(" ")[0]


# Edited.


def test_edited_note_is_untouched_while_its_source_is_silent(blog: Blog) -> None:
    add_words(blog.note("海鸥"))
    before = blog.files()

    plan = blog.build(*FOUR)

    assert blog.files() == before
    assert not plan.needs_eye


def test_news_of_the_source_goes_around_the_edits(blog: Blog) -> None:
    add_words(blog.note("海鸥"))

    plan = blog.build(*FOUR[:3], GULL_NEWS)
    before = blog.files()
    again = blog.build(*FOUR[:3], GULL_NEWS)

    text = blog.note("海鸥").read_text()
    assert GULL_NEWS["body_markdown"] in text
    assert "我自己写的一句话。" in text
    assert (of(plan, "海鸥").action, plan.needs_eye) == ("merge", False)
    assert (of(again, "海鸥").action, blog.files()) == ("unchanged", before)


def test_one_place_that_both_changed_stays_the_owners_and_the_news_is_parked(blog: Blog) -> None:
    note = blog.note("海鸥")
    note.write_text(note.read_text().replace("海鸥又来了。", "海鸥走了。"))

    plan = blog.build(*FOUR[:3], GULL_NEWS)
    before = blog.files()
    again = blog.build(*FOUR[:3], GULL_NEWS)

    (parked,) = (blog.state / "conflicts").iterdir()
    assert "海鸥走了。" in note.read_text()
    assert GULL_NEWS["body_markdown"] not in note.read_text()
    assert GULL_NEWS["body_markdown"] in parked.read_text()
    assert (of(plan, "海鸥").action, plan.needs_eye) == ("conflict", True)
    assert (of(again, "海鸥").action, again.needs_eye) == ("unchanged", False)
    assert blog.files() == before


def test_run_that_holds_a_note_again_touches_no_file(blog: Blog) -> None:
    add_words(blog.note("海鸥"))
    blog.build(*FOUR[:3], GULL_NEWS)
    before = blog.files()

    blog.build(*FOUR[:3], GULL_NEWS)

    assert blog.files() == before


def test_held_note_does_not_stop_the_others(blog: Blog) -> None:
    add_words(blog.note("海鸥"))

    blog.build(part(1), part(2), part(3, body_markdown="雾散了。"), GULL_NEWS)

    assert "雾散了。" in blog.note("灯塔手记(3) 听雾").read_text()


def test_held_note_is_updated_once_the_edit_is_taken_back(blog: Blog) -> None:
    original = blog.note("海鸥").read_bytes()
    add_words(blog.note("海鸥"))
    blog.build(*FOUR[:3], GULL_NEWS)
    blog.note("海鸥").write_bytes(original)

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert "海鸥带来了同伴。" in blog.note("海鸥").read_text()
    assert not plan.needs_eye


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
    ],
    ids=["CRLF", "BOM", "both"],
)
def test_line_ends_and_byte_order_mark_are_no_edit(blog: Blog, change: Any) -> None:  # noqa: ANN401
    note = blog.note("海鸥")
    note.write_bytes(change(note.read_text()).encode())

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert of(plan, "海鸥").action == "update"
    assert "海鸥带来了同伴。" in note.read_text()


def test_reordered_and_unquoted_front_matter_is_found_by_its_id(blog: Blog) -> None:
    note = blog.note("海鸥")
    head, body = note.read_text().removeprefix("---\n").split("---\n", 1)
    lines = [line.replace('"', "") for line in reversed(head.splitlines())]
    note.write_text("\n".join(["---", *lines, "---", body]))
    note.rename(blog.vault / "鸟.md")

    plan = blog.build(*FOUR)

    assert of(plan, "鸟").action == "unchanged"
    assert not list(blog.vault.rglob("海鸥.md"))


def test_pointer_is_found_behind_much_front_matter_of_the_user(blog: Blog) -> None:
    note = blog.note("海鸥")
    note.write_text(note.read_text().replace("---\n", "---\nlong: " + "长" * 20_000 + "\n", 1))
    note.rename(blog.vault / "鸟.md")

    plan = blog.build(*FOUR)

    assert of(plan, "鸟").action == "unchanged"


@pytest.mark.parametrize("news", [GULL, GULL_NEWS], ids=["silent", "news"])
def test_note_without_its_front_matter_is_never_written(blog: Blog, news: dict[str, Any]) -> None:
    note = blog.note("海鸥")
    note.write_text(note.read_text().split("---\n", 2)[2])
    mine = note.read_bytes()

    for _ in range(2):
        plan = blog.build(*FOUR[:3], news)

        assert note.read_bytes() == mine
        assert of(plan, "海鸥").action == "detached"
        assert not plan.needs_eye
        assert [path.name for path in blog.vault.rglob("*海鸥*")] == ["海鸥.md"]


def test_note_without_its_pointer_is_never_written(blog: Blog) -> None:
    note = blog.note("海鸥")
    lines = note.read_text().splitlines(keepends=True)
    note.write_text("".join(line for line in lines if not line.startswith("kbexport")))
    mine = note.read_bytes()

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert note.read_bytes() == mine
    assert not plan.needs_eye


def test_note_with_a_damaged_pointer_is_held(blog: Blog) -> None:
    note = blog.note("海鸥")
    pointer = note.read_text().split("kbexport: ")[1].split("\n")[0]
    note.write_text(note.read_text().replace(pointer, pointer[:-6] + 'zz"'))
    mine = note.read_bytes()

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert note.read_bytes() == mine
    assert of(plan, "海鸥").action == "held"
    assert plan.needs_eye


def test_note_that_is_no_longer_text_is_never_written(blog: Blog) -> None:
    note = blog.note("海鸥")
    note.write_bytes(note.read_text().encode("gb18030"))
    mine = note.read_bytes()

    blog.build(*FOUR[:3], GULL_NEWS)

    assert note.read_bytes() == mine
    assert len(list(blog.vault.rglob("*海鸥*"))) == 1


# Moved and renamed.


def test_moved_note_is_found_by_its_id_and_updated(blog: Blog) -> None:
    (blog.vault / "鸟/大").mkdir(parents=True)
    blog.note("海鸥").rename(blog.vault / "鸟/大/白鸟.md")

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert "海鸥带来了同伴。" in (blog.vault / "鸟/大/白鸟.md").read_text()
    assert not list(blog.vault.rglob("海鸥.md"))
    assert not plan.needs_eye


def test_neighbours_link_to_the_new_name(blog: Blog) -> None:
    note = blog.note("灯塔手记(2) 擦镜")
    note.rename(note.with_name("擦亮.md"))

    blog.build(*FOUR)

    assert 'next: ["[[擦亮]]"]' in blog.note("灯塔手记(1) 点灯").read_text()
    assert 'prev: ["[[擦亮]]"]' in blog.note("灯塔手记(3) 听雾").read_text()
    assert "[[擦亮]]" in blog.note("灯塔手记").read_text()


def test_run_after_a_move_touches_no_file(blog: Blog) -> None:
    (blog.vault / "鸟").mkdir()
    blog.note("海鸥").rename(blog.vault / "鸟/白鸟.md")
    blog.build(*FOUR)
    before = blog.files()

    blog.build(*FOUR)

    assert blog.files() == before


def test_whole_folder_can_be_moved(blog: Blog) -> None:
    (blog.vault / "灯塔手记").rename(blog.vault / "塔")

    plan = blog.build(part(1, body_markdown="灯亮了。"), *FOUR[1:])

    assert "灯亮了。" in (blog.vault / "塔/灯塔手记(1) 点灯.md").read_text()
    assert not (blog.vault / "灯塔手记").exists()
    assert not plan.needs_eye


def test_moved_and_edited_note_is_merged_where_it_is(blog: Blog) -> None:
    add_words(blog.note("海鸥"))
    blog.note("海鸥").rename(blog.vault / "白鸟.md")

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    text = (blog.vault / "白鸟.md").read_text()
    assert "我自己写的一句话。" in text
    assert GULL_NEWS["body_markdown"] in text
    assert of(plan, "白鸟").action == "merge"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_name_that_is_no_text_does_not_stop_a_run(blog: Blog) -> None:
    blog.note("海鸥").rename(os.fsdecode(os.fsencode(blog.vault) + b"/posts/\xff.md"))
    (blog.vault / os.fsdecode(b"\xfe.txt")).write_text("mine")

    for _ in range(2):
        plan = blog.build(*FOUR[:3], GULL_NEWS)

        assert not plan.counts.get("create")


# Deleted.


@pytest.mark.parametrize("news", [GULL, GULL_NEWS], ids=["silent", "news"])
def test_deleted_note_stays_deleted(blog: Blog, news: dict[str, Any]) -> None:
    blog.note("海鸥").unlink()

    for _ in range(2):
        plan = blog.build(*FOUR[:3], news)

        assert not list(blog.vault.rglob("海鸥.md"))
        assert plan.counts["deleted"] == 1
        assert not plan.needs_eye


def test_links_to_a_deleted_note_become_text(blog: Blog) -> None:
    blog.note("灯塔手记(2) 擦镜").unlink()

    blog.build(*FOUR)

    visible = "".join(
        path.read_text() for path in blog.vault.rglob("*.md") if ".kbexport" not in path.parts
    )
    assert "[[灯塔手记(2) 擦镜]]" not in visible
    assert "灯塔手记(2) 擦镜" in blog.note("灯塔手记").read_text()


def test_deleted_index_stays_deleted(blog: Blog) -> None:
    blog.note("灯塔手记").unlink()
    blog.note("Home").unlink()

    blog.build(*FOUR, part(4))

    assert not list(blog.vault.rglob("灯塔手记.md"))
    assert not list(blog.vault.rglob("Home*.md"))


def test_restore_brings_a_deleted_note_back_at_once(blog: Blog) -> None:
    gone = uid(blog.note("灯塔手记(2) 擦镜"))
    blog.note("灯塔手记(2) 擦镜").unlink()
    blog.build(*FOUR)

    plan = blog.build(*FOUR, restore=frozenset([gone]))

    assert uid(blog.note("灯塔手记(2) 擦镜")) == gone
    assert "[[灯塔手记(2) 擦镜]]" in blog.note("灯塔手记").read_text()
    assert "[[灯塔手记(2) 擦镜]]" in blog.note("灯塔手记(1) 点灯").read_text()
    assert not plan.needs_eye


def test_restored_note_is_managed_again(blog: Blog) -> None:
    gone = uid(blog.note("海鸥"))
    blog.note("海鸥").unlink()
    blog.build(*FOUR)
    blog.build(*FOUR, restore=frozenset([gone]))

    blog.build(*FOUR[:3], GULL_NEWS)

    assert "海鸥带来了同伴。" in blog.note("海鸥").read_text()


def test_undo_of_a_deletion_is_managed_again(blog: Blog) -> None:
    original = blog.note("海鸥").read_bytes()
    blog.note("海鸥").unlink()
    blog.build(*FOUR)
    (blog.vault / "posts/海鸥.md").write_bytes(original)

    blog.build(*FOUR[:3], GULL_NEWS)
    blog.note("海鸥").unlink()
    blog.build(*FOUR[:3], GULL_NEWS)
    plan = blog.build(*FOUR)

    assert not list(blog.vault.rglob("海鸥.md"))
    assert plan.counts["deleted"] == 1


def test_undo_of_a_deletion_brings_links_and_news(blog: Blog) -> None:
    note = blog.note("灯塔手记(2) 擦镜")
    original = note.read_bytes()
    note.unlink()
    blog.build(*FOUR)
    note.write_bytes(original)

    plan = blog.build(part(1), part(2, body_markdown="镜子很亮。"), part(3), GULL)

    assert "镜子很亮。" in note.read_text()
    assert "[[灯塔手记(2) 擦镜]]" in blog.note("灯塔手记(1) 点灯").read_text()
    assert not plan.needs_eye


def test_file_of_the_user_in_the_place_of_a_deleted_note_is_theirs(blog: Blog) -> None:
    note = blog.note("海鸥")
    note.write_text("我的海鸥，不是博客的。\n")

    for _ in range(2):
        blog.build(*FOUR[:3], GULL_NEWS)

        assert note.read_text() == "我的海鸥，不是博客的。\n"
        assert len(list(blog.vault.rglob("*海鸥*"))) == 1


# Many vanished at once.


def test_more_than_half_gone_is_refused_and_nothing_is_written(blog: Blog) -> None:
    for note in blog.vault.glob("*/*.md"):
        note.unlink()
    before = blog.files()

    with pytest.raises(RefusedError) as caught:
        blog.build(*FOUR[:3], GULL_NEWS, part(4))

    assert blog.files() == before
    assert "accept-deletions" in caught.value.hint


def test_many_deletions_can_be_accepted(blog: Blog) -> None:
    for note in blog.vault.glob("*/*.md"):
        note.unlink()

    plan = blog.build(*FOUR, accept_deletions=True)

    assert not list(blog.vault.glob("*/*.md"))
    assert not plan.needs_eye
    assert not blog.build(*FOUR).needs_eye


def test_few_notes_may_go_without_a_question(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build(part(1), part(2))
    for stem in ("灯塔手记(1) 点灯", "灯塔手记(2) 擦镜", "灯塔手记"):
        blog.note(stem).unlink()

    plan = blog.build(part(1), part(2))

    assert plan.counts == {"deleted": 3, "update": 2, "unchanged": 1}


def test_half_of_the_notes_may_go_and_no_more(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    parts = [part(number) for number in range(1, 9)]
    blog.build(*parts)
    nights = sorted((blog.vault / "灯塔手记").glob("*(*.md"))
    for path in nights[:6]:
        path.rename(tmp_path / path.name)

    with pytest.raises(RefusedError, match="6 of its 10 notes"):
        blog.build(*parts)

    (tmp_path / nights[0].name).rename(nights[0])
    assert blog.build(*parts).counts["deleted"] == 5


def test_old_deletions_do_not_add_up_to_a_refusal(blog: Blog) -> None:
    for stem in ("海鸥", "灯塔手记(1) 点灯", "灯塔手记(2) 擦镜", "灯塔手记(3) 听雾", "杂记"):
        blog.note(stem).unlink()
        blog.build(*FOUR)

    assert blog.build(*FOUR).counts["deleted"] == 5


# Copies.


def test_of_a_note_and_its_copy_the_one_in_its_place_is_ours(blog: Blog) -> None:
    note = blog.note("海鸥")
    copy = note.with_name("海鸥 (conflicted copy).md")
    shutil.copy(note, copy)
    original = copy.read_bytes()

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert "海鸥带来了同伴。" in note.read_text()
    assert copy.read_bytes() == original
    assert not plan.needs_eye


def test_of_two_copies_elsewhere_none_is_touched(blog: Blog) -> None:
    note = blog.note("海鸥")
    copies = [blog.vault / "甲.md", blog.vault / "乙.md"]
    for copy in copies:
        shutil.copy(note, copy)
    note.unlink()
    original = copies[0].read_bytes()

    for _ in range(3):
        plan = blog.build(*FOUR[:3], GULL_NEWS)

        assert [copy.read_bytes() for copy in copies] == [original, original]
        assert not list(blog.vault.rglob("海鸥*.md"))
        assert plan.counts["ambiguous"] == 1
        assert plan.needs_eye


def test_last_copy_that_is_left_is_ours(blog: Blog) -> None:
    note = blog.note("海鸥")
    for stem in ("甲", "乙"):
        shutil.copy(note, blog.vault / f"{stem}.md")
    note.unlink()
    blog.build(*FOUR)
    (blog.vault / "甲.md").unlink()

    plan = blog.build(*FOUR[:3], GULL_NEWS)

    assert "海鸥带来了同伴。" in (blog.vault / "乙.md").read_text()
    assert not plan.needs_eye
