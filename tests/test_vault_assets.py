"""Pictures and files in a vault: written once, never over anything, never again, never removed."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from blog import Blog, part

from kbexport.assets import make_asset
from kbexport.models import Asset
from kbexport.report import plan_json, report_lines

GIF = b"GIF89a\1\0\1\0"


def picture(name: str, more: bytes = b"") -> Asset:
    return make_asset(name, lambda: GIF + more)


LAMP, BOAT = picture("灯.gif"), picture("boat.gif", b"boat")


def shows(*pictures: Asset, number: int = 1) -> dict[str, object]:
    body = "\n\n".join(f"![]({one.path})" for one in pictures)
    return part(number, body_markdown=body, attachments=[one.path for one in pictures])


def stored(blog: Blog) -> set[str]:
    return {path.relative_to(blog.vault).as_posix() for path in blog.vault.glob("assets/*")}


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path)


def test_a_picture_lies_in_the_vault_and_its_note_shows_it(blog: Blog) -> None:
    plan = blog.build(shows(LAMP), assets=[LAMP])

    assert (blog.vault / LAMP.path).read_bytes() == GIF
    assert f"![](../{LAMP.path})" in blog.note("灯塔手记*").read_text()
    assert "  1 new in assets/" in list(report_lines(plan, blog.vault, dry_run=False))


def test_a_second_run_touches_nothing(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])
    before = blog.files()

    plan = blog.build(shows(LAMP), assets=[LAMP])

    assert blog.files() == before
    assert plan.assets == ()


def test_a_dry_run_writes_no_picture_and_names_it(blog: Blog) -> None:
    plan = blog.build(shows(LAMP), assets=[LAMP], dry_run=True)

    assert not blog.vault.exists()
    assert f"  new  {LAMP.path}" in list(report_lines(plan, blog.vault, dry_run=True))
    assert json.loads(plan_json(plan, blog.vault, dry_run=True))["assets"] == [LAMP.path]


def test_what_no_post_names_is_not_written(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP, BOAT])

    assert stored(blog) == {LAMP.path}


def test_an_attachment_that_no_body_shows_is_written(blog: Blog) -> None:
    blog.build(part(1, attachments=[BOAT.path]), assets=[BOAT])

    assert stored(blog) == {BOAT.path}


def test_pictures_are_loaded_one_by_one_and_only_where_they_are_needed(blog: Blog) -> None:
    loaded: list[str] = []

    def loads(asset: Asset) -> Asset:
        def load() -> bytes:
            loaded.append(asset.path)
            return asset.load()

        return Asset(asset.path, load)

    posts = [shows(LAMP), shows(BOAT, number=2)]
    blog.build(*posts, assets=[loads(LAMP), loads(BOAT)])
    blog.build(*posts, assets=[loads(LAMP), loads(BOAT)])

    assert sorted(loaded) == sorted([LAMP.path, BOAT.path])


@pytest.mark.parametrize("backwards", [False, True])
def test_one_picture_under_two_names_is_stored_once(blog: Blog, backwards: bool) -> None:
    twins = [picture("b.gif"), picture("a.gif")]
    posts = [shows(twins[0]), shows(twins[1], number=2)]
    step = -1 if backwards else 1

    blog.build(*posts[::step], assets=twins[::step])

    assert stored(blog) == {twins[1].path}
    for note in blog.notes("灯塔手记(*"):
        assert f"![](../{twins[1].path})" in note.read_text()


def test_a_picture_that_is_there_keeps_its_name_whatever_comes_later(blog: Blog) -> None:
    first, later = picture("b.gif"), picture("a.gif")
    blog.build(shows(first), assets=[first])
    blog.build(shows(first), part(2), assets=[first])
    before = blog.files()[first.path], blog.note("灯塔手记(1)*").stat().st_mtime_ns

    blog.build(shows(first), shows(later, number=2), assets=[later, first])

    assert stored(blog) == {first.path}
    assert (blog.files()[first.path], blog.note("灯塔手记(1)*").stat().st_mtime_ns) == before
    assert f"![](../{first.path})" in blog.note("灯塔手记(2)*").read_text()


def test_a_file_of_the_owner_is_never_written_over(blog: Blog) -> None:
    (blog.vault / "assets").mkdir(parents=True)
    (blog.vault / LAMP.path).write_bytes(b"mine")

    blog.build(shows(LAMP), assets=[LAMP])

    assert (blog.vault / LAMP.path).read_bytes() == b"mine"


def test_a_file_that_comes_while_kbexport_runs_is_not_written_over(blog: Blog) -> None:
    def load() -> bytes:
        (blog.vault / "assets").mkdir()
        (blog.vault / LAMP.path).write_bytes(b"mine")
        return GIF

    plan = blog.build(shows(LAMP), assets=[Asset(LAMP.path, load)])

    assert (blog.vault / LAMP.path).read_bytes() == b"mine"
    assert [problem.reason for problem in plan.problems] == ["File exists: not written"]


def test_a_name_that_a_disk_spells_in_another_normal_form_is_known_again(blog: Blog) -> None:
    cafe = picture("café.gif")
    blog.build(shows(cafe), assets=[cafe])
    path = blog.vault / cafe.path
    path.rename(path.with_name(unicodedata.normalize("NFD", path.name)))

    assert blog.build(shows(cafe), assets=[cafe], restore_missing=True).assets == ()


def test_a_picture_that_its_owner_deleted_stays_deleted(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])
    (blog.vault / LAMP.path).unlink()
    before = blog.files()

    blog.build(shows(LAMP), assets=[LAMP])

    assert blog.files() == before


def test_it_stays_deleted_where_the_post_has_news(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])
    (blog.vault / LAMP.path).unlink()

    blog.build(shows(LAMP, BOAT), assets=[LAMP, BOAT])

    assert stored(blog) == {BOAT.path}


def test_restore_missing_brings_a_deleted_picture_back(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])
    (blog.vault / LAMP.path).unlink()

    blog.build(shows(LAMP), assets=[LAMP], restore_missing=True)

    assert stored(blog) == {LAMP.path}


def test_a_restored_note_comes_with_its_pictures(blog: Blog) -> None:
    posts = [shows(LAMP), part(2), part(3), part(4)]
    blog.build(*posts, assets=[LAMP])
    note = blog.note("灯塔手记(1)*")
    uid = next(line["id"] for line in blog.records() if line["p"].endswith(note.name))
    note.unlink()
    (blog.vault / LAMP.path).unlink()
    blog.build(*posts, assets=[LAMP])
    assert stored(blog) == set()

    blog.build(*posts, assets=[LAMP], restore=frozenset([uid]))

    assert stored(blog) == {LAMP.path}


def test_a_new_picture_of_a_deleted_note_is_not_written(blog: Blog) -> None:
    blog.build(*(part(n) for n in range(1, 5)))
    blog.note("灯塔手记(1)*").unlink()

    blog.build(shows(LAMP), *(part(n) for n in range(2, 5)), assets=[LAMP])

    assert stored(blog) == set()


def test_a_deleted_picture_does_not_come_back_with_a_loss_of_state(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])
    (blog.vault / LAMP.path).unlink()
    shutil.rmtree(blog.state)

    blog.build(shows(LAMP), assets=[LAMP])
    assert stored(blog) == set()
    blog.build(shows(LAMP), assets=[LAMP])
    assert stored(blog) == set()


def test_a_picture_that_no_post_names_any_more_stays(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])

    blog.build(part(1))

    assert stored(blog) == {LAMP.path}


def test_a_note_that_moved_finds_its_pictures(blog: Blog) -> None:
    blog.build(shows(LAMP), assets=[LAMP])
    note = blog.note("灯塔手记*")
    (blog.vault / "a/b").mkdir(parents=True)
    note.rename(blog.vault / "a/b" / note.name)

    blog.build(shows(LAMP), assets=[LAMP])

    assert f"![](../../{LAMP.path})" in blog.note("灯塔手记*").read_text()


def gone() -> bytes:
    raise FileNotFoundError(2, "No such file or directory")


@pytest.mark.parametrize(
    ("load", "reason"),
    [(gone, "its source cannot be read"), (lambda: b"another", "its source changed")],
)
def test_a_picture_that_cannot_be_read_is_told_of_and_tried_again(
    blog: Blog, load: Callable[[], bytes], reason: str
) -> None:
    plan = blog.build(shows(LAMP), part(2), assets=[Asset(LAMP.path, load)])

    assert [problem.source for problem in plan.problems] == [LAMP.path]
    assert reason in plan.problems[0].reason
    assert plan.needs_eye
    assert len(blog.notes("灯塔手记(*")) == 2
    assert stored(blog) == set()

    assert not blog.build(shows(LAMP), part(2), assets=[LAMP]).problems
    assert stored(blog) == {LAMP.path}


@pytest.mark.parametrize("make", [Path.touch, lambda path: path.symlink_to("..")])
def test_where_no_folder_for_pictures_can_be_the_notes_are_written_all_the_same(
    blog: Blog, make: Callable[[Path], None]
) -> None:
    blog.vault.mkdir()
    make(blog.vault / "assets")

    plan = blog.build(shows(LAMP, BOAT), assets=[LAMP, BOAT])

    assert plan.needs_eye
    assert [problem.source for problem in plan.problems] == [str(blog.vault / "assets")]
    assert blog.notes("灯塔手记*")
    assert plan.assets == ()


def test_a_svg_with_scripts_is_kept_linked_and_told_of(blog: Blog) -> None:
    active = make_asset("a.svg", b"<svg><script>1</script></svg>".__bytes__)

    plan = blog.build(shows(active), assets=[active])

    assert stored(blog) == {active.path}
    assert f"]({'../' + active.path})" in blog.note("灯塔手记*").read_text()
    assert "![" not in blog.note("灯塔手记*").read_text()
    assert [problem.source for problem in plan.problems] == [active.path]
    assert not plan.needs_eye


def test_the_report_ends_with_the_pictures_on_the_web(blog: Blog) -> None:
    plan = blog.build(
        part(1, body_markdown="![](https://a.example/1.png) ![](https://a.example/1.png)")
    )

    *_, last = report_lines(plan, blog.vault, dry_run=False)
    assert last == "  1 picture is on the web; --fetch-assets fetches it"
    assert json.loads(plan_json(plan, blog.vault, dry_run=False))["remote_pictures"] == 1
