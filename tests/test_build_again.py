"""Building again: same input, same bytes; news from the sources changes only what it concerns."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from blog import GULL, NIGHTS, part, written

from kbexport.config import Config
from kbexport.pipeline import build
from kbexport.vault import Plan

HERRING: dict[str, Any] = {
    "title": "[杂记] 鲱鱼",
    "published": "2024-06-02",
    "body_markdown": "鲱鱼没有来。",
}


def built(out: Path, *posts: dict[str, Any]) -> Plan:
    source = written(out.parent / "posts.jsonl", *posts)
    return build(Config(sources=(source,), out=out))


def files(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted(vault.rglob("*"))
        if path.is_file()
    }


def notes(vault: Path) -> dict[str, bytes]:
    return {
        path: content
        for path, content in files(vault).items()
        if path.endswith(".md") and not path.startswith(".")
    }


def stamps(vault: Path) -> dict[str, tuple[int, int]]:
    """When each file was written last, and which file it is: a replaced one is another."""
    return {
        path: ((vault / path).stat().st_mtime_ns, (vault / path).stat().st_ino)
        for path in files(vault)
    }


def note(vault: Path, stem: str) -> Path:
    (path,) = vault.rglob(f"{stem}.md")
    return path


# Nothing new.


def test_second_run_touches_no_file(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2), GULL)
    before = files(vault), stamps(vault)

    plan = built(vault, part(1), part(2), GULL)

    assert (files(vault), stamps(vault)) == before
    assert plan.counts == {"unchanged": len(notes(vault)) + 2}


def test_second_run_on_the_sample_touches_no_file(tmp_path: Path) -> None:
    config = Config(out=tmp_path / "vault")
    build(config)
    before = files(tmp_path), stamps(tmp_path)

    plan = build(config)

    assert (files(tmp_path), stamps(tmp_path)) == before
    assert not plan.needs_eye


def test_order_of_the_sources_changes_no_byte(tmp_path: Path) -> None:
    first = written(tmp_path / "first.jsonl", part(1, reads=7), part(3), GULL)
    second = written(tmp_path / "second.jsonl", HERRING, part(2), part(1, reads=900))

    build(Config(sources=(first, second), out=tmp_path / "a"))
    build(Config(sources=(second, first), out=tmp_path / "b"))

    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_order_of_the_posts_in_a_source_changes_no_byte(tmp_path: Path) -> None:
    posts = [part(1), part(2), part(3), GULL, HERRING, {"title": "无日期"}, {"title": "也无日期"}]

    built(tmp_path / "a", *posts)
    built(tmp_path / "b", *reversed(posts))

    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_time_zone_hash_seed_and_locale_change_no_byte(tmp_path: Path) -> None:
    machines = [
        {"TZ": "UTC", "PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
        {"TZ": "Pacific/Auckland", "PYTHONHASHSEED": "1", "LC_ALL": "C"},
        {"TZ": "America/Adak", "PYTHONHASHSEED": "4242", "LC_ALL": "C.UTF-8"},
    ]

    runs = [
        subprocess.Popen(
            [sys.executable, "-m", "kbexport", "build", "--out", f"{number}", "--json"],
            cwd=tmp_path,
            env={**os.environ, **machine},
            stdout=subprocess.DEVNULL,
        )
        for number, machine in enumerate(machines)
    ]

    assert [run.wait() for run in runs] == [0, 0, 0]
    assert files(tmp_path / "0") == files(tmp_path / "1") == files(tmp_path / "2")


def test_age_of_the_sources_changes_no_byte(tmp_path: Path) -> None:
    source = written(tmp_path / "posts.jsonl", part(1), part(2), GULL)
    build(Config(sources=(source,), out=tmp_path / "a"))
    os.utime(source, (86_400, 86_400))

    build(Config(sources=(source,), out=tmp_path / "b"))

    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_vault_does_not_know_where_it_lies(tmp_path: Path) -> None:
    for place in ("here", "far/away"):
        (tmp_path / place).mkdir(parents=True)
        built(tmp_path / place / "vault", part(1), part(2), GULL)

    assert files(tmp_path / "here/vault") == files(tmp_path / "far/away/vault")


# News.

PAGE_A = [part(1, reads=11), part(2), part(3, reads=500), GULL]
PAGE_B = [part(3, reads=30), part(4), part(5), HERRING]


@pytest.mark.parametrize("pages", [(PAGE_A, PAGE_B), (PAGE_B, PAGE_A)], ids=["a-b", "b-a"])
def test_pages_built_one_after_the_other_end_as_built_together(
    tmp_path: Path, pages: tuple[list[dict[str, Any]], ...]
) -> None:
    built(tmp_path / "together", *PAGE_A, *PAGE_B)

    for page in pages:
        built(tmp_path / "steps", *page)

    assert notes(tmp_path / "steps") == notes(tmp_path / "together")


def test_newer_page_changes_only_the_notes_concerned(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2), part(3), GULL)
    before = stamps(vault)

    plan = built(vault, part(3), part(4))

    after = stamps(vault)
    changed = {path for path in notes(vault) if after[path] != before.get(path)}
    assert changed == {
        "Home.md",
        "灯塔手记/灯塔手记.md",
        "灯塔手记/灯塔手记(3) 听雾.md",
        "灯塔手记/灯塔手记(4) 换油.md",
    }
    assert plan.orphans == 3
    assert not plan.needs_eye


def test_posts_in_no_source_stay_and_count(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2), GULL)

    plan = built(vault, HERRING)

    assert plan.orphans == 3
    assert note(vault, "灯塔手记(1) 点灯").exists()
    assert "[[灯塔手记(2) 擦镜]]" in note(vault, "灯塔手记").read_text()
    assert "2024 · 4 篇" in note(vault, "Home").read_text()


def test_higher_reads_update_that_note_alone(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2))

    plan = built(vault, part(1, reads=5000), part(2))

    assert [change.path for change in plan.changes if change.after] == [
        "灯塔手记/灯塔手记(1) 点灯.md"
    ]
    assert "reads: 5000\n" in note(vault, "灯塔手记(1) 点灯").read_text()


def test_lower_reads_are_no_news(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2))
    before = notes(vault)

    plan = built(vault, part(1, reads=3), part(2))

    assert notes(vault) == before
    assert not plan.needs_eye


def test_corrected_title_changes_the_title_and_not_the_name(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2), GULL)

    built(vault, part(1, title="灯塔手记(1) 点上灯"), part(2), GULL)

    text = note(vault, "灯塔手记(1) 点灯").read_text()
    assert "'title': \"灯塔手记(1) 点上灯\"" in text
    assert not list(vault.rglob("*点上灯*"))
    assert "[[灯塔手记(1) 点灯]]" in note(vault, "灯塔手记(2) 擦镜").read_text()


def test_series_that_forms_later_does_not_move_its_first_part(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1))
    assert note(vault, "灯塔手记(1) 点灯").parent.name == "posts"

    built(vault, part(1), part(2))

    assert note(vault, "灯塔手记(1) 点灯").parent.name == "posts"
    assert note(vault, "灯塔手记(2) 擦镜").parent.name == "灯塔手记"
    assert "[[灯塔手记(1) 点灯]]" in note(vault, "灯塔手记(2) 擦镜").read_text()


def test_new_parts_join_the_folder_that_holds_the_series(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2))
    (vault / "灯塔手记").rename(vault / "塔")

    built(vault, part(1), part(2), part(3))

    assert note(vault, "灯塔手记(3) 听雾").parent.name == "塔"


def test_index_of_a_series_that_is_gone_is_removed(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2))
    index = note(vault, "灯塔手记")

    plan = built(vault, part(1, title="点灯"), part(2, title="擦镜"))

    assert not index.exists()
    assert plan.counts["remove"] == 2  # the map has nothing to show
    assert not plan.needs_eye


def test_index_of_a_series_that_is_gone_is_kept_where_it_was_edited(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2))
    index = note(vault, "灯塔手记")
    index.write_text(index.read_text() + "\n我的话。\n")
    mine = index.read_bytes()

    plan = built(vault, part(1, title="点灯"), part(2, title="擦镜"))

    assert index.read_bytes() == mine
    assert plan.counts["kept"] == 1
    assert plan.needs_eye


def test_renamed_series_keeps_its_note(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, part(1), part(2), part(3))

    built(vault, *(part(n, title=f"守灯日记({n}) {NIGHTS[n]}") for n in (1, 2, 3)))

    index = note(vault, "灯塔手记").read_text()
    assert "'title': \"守灯日记\"" in index
    assert not list(vault.rglob("守灯日记*.md"))


def test_no_time_stamp_is_anywhere_in_the_state(tmp_path: Path) -> None:
    source = written(tmp_path / "posts.jsonl", {"title": "潮"}, {"title": "汐"})
    os.utime(source, (1_700_000_000, 1_700_000_000))
    build(Config(sources=(source,), out=tmp_path / "vault"))

    state = b"".join(files(tmp_path / "vault/.kbexport").values()).decode()
    assert "1700000000" not in state
    assert "20" + "23-11-14" not in state
    assert not [word for word in ("mtime", "time", "version", "date") if f'"{word}"' in state]
