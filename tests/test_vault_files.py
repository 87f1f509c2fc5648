"""Files that are not kbexport's, links out of the vault, bigger vaults around: all stay whole."""

from __future__ import annotations

import json
import stat
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from kbexport.config import Config
from kbexport.errors import VaultError
from kbexport.pipeline import build
from kbexport.report import report_lines
from kbexport.vault import Plan

GULL: dict[str, Any] = {
    "title": "Gull",
    "published": "2024-06-01",
    "body_markdown": "The gull is back.",
}
GULL_NEWS = {**GULL, "body_markdown": "The gull brought friends."}
CAFE: dict[str, Any] = {
    "title": "Café au lait",
    "published": "2024-06-02",
    "body_markdown": "Milk first.",
}
TERN: dict[str, Any] = {
    "title": "Tern",
    "url": "https://blog.example/tern",
    "body_markdown": "A tern.",
}
TERN_NEWS = {**TERN, "body_markdown": "Two terns."}
SERIES: tuple[dict[str, Any], ...] = tuple(
    {"title": f"Lighthouse log ({n}): night {n}", "published": f"2024-05-{n:02}"} for n in (1, 2, 3)
)


def built(out: Path, *posts: dict[str, Any], **options: Any) -> Plan:  # noqa: ANN401
    out.parent.mkdir(parents=True, exist_ok=True)
    source = out.parent / f"{out.name}.jsonl"
    source.write_text("".join(json.dumps(post, ensure_ascii=False) + "\n" for post in posts))
    return build(Config(sources=(source,), out=out, **options))


def file(path: Path, text: str = "mine\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def visible(vault: Path) -> set[str]:
    return {
        path.relative_to(vault).as_posix()
        for path in vault.rglob("*.md")
        if ".kbexport" not in path.parts
    }


def stems(vault: Path) -> list[str]:
    return sorted(path.rsplit("/", 1)[-1] for path in visible(vault))


def report(plan: Plan, vault: Path) -> str:
    return "\n".join(report_lines(plan, vault, dry_run=False))


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


# Files of the user.


@pytest.mark.parametrize(
    ("theirs", "post"),
    [
        ("posts/Gull.md", GULL),
        ("posts/GULL.md", GULL),
        ("Gull.md", GULL),
        ("deep/down/gull.MD", GULL),
        (unicodedata.normalize("NFD", "posts/Café au lait.md"), CAFE),
        (unicodedata.normalize("NFD", "elsewhere/CAFÉ AU LAIT.md"), CAFE),
    ],
    ids=["same place", "case twin", "same name elsewhere", "deep", "NFD twin", "NFD case twin"],
)
def test_file_of_the_user_keeps_its_bytes_and_its_name(
    tmp_path: Path, theirs: str, post: dict[str, Any]
) -> None:
    vault = tmp_path / "vault"
    mine = file(vault / theirs)

    plan = built(vault, post)

    assert mine.read_text() == "mine\n"
    (note,) = [
        path for path in visible(vault) if post["body_markdown"] in (vault / path).read_text()
    ]
    assert note != theirs
    assert note in report(plan, vault)
    assert "exists already" in report(plan, vault)


def test_folder_at_the_wanted_name_stays_a_folder(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "posts/Gull.md").mkdir(parents=True)

    plan = built(vault, GULL)

    assert (vault / "posts/Gull.md").is_dir()
    assert plan.counts == {"create": 3}
    assert not plan.needs_eye
    assert "exists already" in report(plan, vault)


def test_home_of_the_user_stays(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    mine = file(vault / "Home.md")

    for _ in range(2):
        built(vault, GULL)

        assert mine.read_text() == "mine\n"
        assert len(list(vault.glob("Home*.md"))) == 2


def test_folder_is_shared_in_the_spelling_it_has(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    file(vault / "POSTS/mine.md")

    built(vault, GULL)

    assert "POSTS/Gull.md" in visible(vault)


def test_file_in_the_place_of_a_series_folder_stays(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    mine = file(vault / "Lighthouse log")

    plan = built(vault, *SERIES)

    assert mine.read_text() == "mine\n"
    assert not plan.needs_eye
    assert plan.counts == {"create": 7}


def test_files_of_the_user_are_untouched_by_many_runs(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    theirs = [
        file(vault / name)
        for name in ("notes.md", "posts/mine.txt", ".hidden/x.md", "assets/a.png", "Home.canvas")
    ]
    built(vault, GULL, *SERIES)
    stamps = [path.stat().st_mtime_ns for path in theirs]

    built(vault, GULL_NEWS, TERN)

    assert [path.read_text() for path in theirs] == ["mine\n"] * len(theirs)
    assert [path.stat().st_mtime_ns for path in theirs] == stamps


def test_note_of_the_user_with_front_matter_of_its_own_is_theirs(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    text = "---\ntitle: Gull\ntags: [bird]\n---\nmine\n"
    mine = file(vault / "posts/Gull.md", text)

    built(vault, GULL)

    assert mine.read_text() == text


# Files of the apps.


def test_app_files_are_written_only_where_absent(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    mine = file(vault / ".obsidian/app.json", '{"mine": true}')

    built(vault, GULL)

    assert mine.read_text() == '{"mine": true}'
    assert (vault / ".obsidian/types.json").is_file()
    assert (vault / ".gitignore").is_file()


def test_deleted_app_files_do_not_come_back(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, GULL)
    (vault / ".obsidian/graph.json").unlink()
    (vault / ".gitignore").unlink()

    built(vault, GULL_NEWS)

    assert not (vault / ".obsidian/graph.json").exists()
    assert not (vault / ".gitignore").exists()


def test_edited_app_files_stay_as_they_are(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, GULL)
    mine = file(vault / ".obsidian/app.json", "{}")

    built(vault, GULL_NEWS)

    assert mine.read_text() == "{}"


# Links out of the vault.


def test_link_at_the_place_of_a_note_is_not_followed(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside.md"
    built(vault, GULL, TERN)
    note = vault / "posts/Gull.md"
    note.rename(outside)
    note.symlink_to(outside)
    text = outside.read_bytes()

    for _ in range(2):
        plan = built(vault, GULL_NEWS, TERN_NEWS)

        assert outside.read_bytes() == text
        assert note.is_symlink()
        assert "Two terns." in (vault / "posts/Tern.md").read_text()
        assert plan.counts["skipped"] == 1
        assert plan.needs_eye


def test_link_that_hides_a_note_can_be_taken_away_again(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside.md"
    built(vault, GULL)
    note = vault / "posts/Gull.md"
    note.rename(outside)
    note.symlink_to(outside)
    built(vault, GULL_NEWS)
    note.unlink()
    outside.rename(note)

    plan = built(vault, GULL_NEWS)

    assert "brought friends" in note.read_text()
    assert not plan.needs_eye


def test_dangling_link_at_a_wanted_name_stays(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "posts").mkdir(parents=True)
    (vault / "posts/Gull.md").symlink_to(tmp_path / "nowhere.md")

    built(vault, GULL)

    assert (vault / "posts/Gull.md").is_symlink()
    assert not (tmp_path / "nowhere.md").exists()


def test_linked_folder_gets_no_new_note(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    outside.mkdir()
    vault.mkdir()
    (vault / "posts").symlink_to(outside)

    plan = built(vault, GULL, *SERIES)

    assert not list(outside.iterdir())
    assert plan.counts == {"create": 7, "skipped": 1}
    assert plan.needs_eye


def test_notes_in_a_linked_folder_are_left_alone_and_not_called_deleted(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    built(vault, GULL, TERN, *SERIES)
    (vault / "posts").rename(outside)
    (vault / "posts").symlink_to(outside)
    before = contents(outside)

    for _ in range(2):
        plan = built(vault, GULL_NEWS, TERN, *SERIES)

        assert contents(outside) == before
        assert plan.counts["skipped"] == 2
        assert plan.needs_eye
    (vault / "posts").unlink()
    outside.rename(vault / "posts")
    plan = built(vault, GULL_NEWS, TERN, *SERIES)
    assert "brought friends" in (vault / "posts/Gull.md").read_text()
    assert not plan.needs_eye


@pytest.mark.parametrize(
    "place", [".kbexport", ".kbexport/lock", ".kbexport/tmp", ".kbexport/base"]
)
def test_linked_state_is_refused(tmp_path: Path, place: str) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    outside.mkdir()
    (vault / place).parent.mkdir(parents=True)
    (vault / place).symlink_to(outside)

    with pytest.raises(VaultError):
        built(vault, GULL)

    assert not list(outside.iterdir())
    assert not visible(vault)


def test_linked_app_folder_gets_no_file(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    outside.mkdir()
    vault.mkdir()
    (vault / ".obsidian").symlink_to(outside)

    built(vault, GULL)

    assert not list(outside.iterdir())


# What cannot be written.


def test_note_that_cannot_be_written_is_skipped_alone_and_the_next_run_finishes(
    tmp_path: Path,
) -> None:
    vault = tmp_path / "vault"
    blocker = file(vault / "posts")

    plan = built(vault, GULL, *SERIES)

    assert blocker.read_text() == "mine\n"
    assert plan.counts == {"create": 7, "skipped": 1}
    assert plan.needs_eye
    blocker.unlink()
    plan = built(vault, GULL, *SERIES)
    assert "The gull is back." in (vault / "posts/Gull.md").read_text()
    assert plan.counts["create"] == 1
    assert not plan.needs_eye


def test_note_that_is_skipped_again_touches_no_file(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    file(vault / "posts")
    built(vault, GULL, *SERIES)
    before = {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()}

    built(vault, GULL, *SERIES)

    after = {path: path.stat().st_mtime_ns for path in vault.rglob("*") if path.is_file()}
    assert after == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755])
def test_permissions_of_a_note_stay_when_news_comes(tmp_path: Path, mode: int) -> None:
    vault = tmp_path / "vault"
    built(vault, TERN)
    note = vault / "posts/Tern.md"
    note.chmod(mode)

    built(vault, TERN_NEWS)

    assert "Two terns." in note.read_text()
    assert stat.S_IMODE(note.stat().st_mode) == mode


def test_a_note_that_its_owner_made_read_only_is_skipped(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, TERN)
    note = vault / "posts/Tern.md"
    note.chmod(0o444)

    plan = built(vault, TERN_NEWS)

    assert "A tern." in note.read_text()
    assert plan.counts["skipped"] == 1
    note.chmod(0o644)
    built(vault, TERN_NEWS)
    assert "Two terns." in note.read_text()


# Bigger vaults around, others inside.


@pytest.fixture
def around(tmp_path: Path) -> Path:
    """A vault of the user's that Obsidian opens, with notes in it."""
    around = tmp_path / "MyVault"
    file(around / ".obsidian/app.json", "{}")
    file(around / "Diary/Gull.md")
    file(around / "Home.md")
    return around


def test_no_app_files_inside_a_bigger_vault(around: Path) -> None:
    vault = around / "Blog"

    built(vault, GULL)

    assert {path.name for path in vault.iterdir()} == {
        ".kbexport",
        "Blog.md",
        "posts",
        "posts.base",
    }


def test_home_is_called_after_the_folder_inside_a_bigger_vault(around: Path) -> None:
    built(around / "Blog", TERN)

    assert stems(around / "Blog") == ["Blog.md", "Tern.md"]


def test_names_are_unique_over_the_bigger_vault(around: Path) -> None:
    plan = built(around / "Blog", GULL, TERN)

    assert stems(around).count("Gull.md") == 1
    assert "Gull" in report(plan, around / "Blog").split("renamed", 1)[1]
    assert (around / "Diary/Gull.md").read_text() == "mine\n"


def test_second_run_inside_a_bigger_vault_changes_nothing(around: Path) -> None:
    built(around / "Blog", GULL, TERN)
    before = contents(around / "Blog")

    plan = built(around / "Blog", GULL, TERN)

    assert contents(around / "Blog") == before
    assert set(plan.counts) == {"unchanged"}


def test_flavor_of_a_bigger_obsidian_vault_is_taken(around: Path) -> None:
    built(around / "Blog", GULL)

    assert '"flavor":"obsidian"' in (around / "Blog/.kbexport/manifest.jsonl").read_text()


@pytest.mark.parametrize(
    ("folders", "flavor"),
    [
        ([".obsidian"], "obsidian"),
        (["logseq"], "logseq"),
        ([".obsidian", "logseq"], "both"),
        ([], "both"),
    ],
    ids=["obsidian", "logseq", "both", "neither"],
)
def test_flavor_auto_looks_at_the_vault(tmp_path: Path, folders: list[str], flavor: str) -> None:
    vault = tmp_path / "vault"
    for folder in folders:
        (vault / folder).mkdir(parents=True)

    built(vault, GULL)

    assert f'"flavor":"{flavor}"' in (vault / ".kbexport/manifest.jsonl").read_text()


def test_flavor_auto_keeps_what_the_manifest_says(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, GULL, flavor="obsidian")
    (vault / "logseq").mkdir()
    before = contents(vault)

    built(vault, GULL)

    assert contents(vault) == before


def test_another_flavor_than_the_manifest_says_is_refused(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault, GULL, flavor="obsidian")
    before = contents(vault)

    with pytest.raises(VaultError, match="obsidian"):
        built(vault, GULL_NEWS, flavor="both")

    assert contents(vault) == before


def test_vault_beside_the_folder_one_works_in_is_not_inside_it(
    around: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file(around.parent / "gull.jsonl", json.dumps(GULL))
    monkeypatch.chdir(around)

    build(Config(sources=(Path("../gull.jsonl"),), out=Path("../Blog")))

    assert stems(around.parent / "Blog") == ["Gull.md", "Home.md"]


def test_vault_in_the_current_folder_is_called_after_it(
    around: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (around / "Blog").mkdir()
    file(around.parent / "tern.jsonl", json.dumps(TERN))
    monkeypatch.chdir(around / "Blog")

    build(Config(sources=(Path("../../tern.jsonl"),), out=Path()))

    assert stems(around / "Blog") == ["Blog.md", "Tern.md"]


def test_other_vaults_inside_are_left_alone(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    built(vault / "inner", GULL)
    (vault / "inner.jsonl").unlink()
    before = contents(vault / "inner")

    for _ in range(2):
        plan = built(vault, GULL_NEWS, TERN)

        assert contents(vault / "inner") == before
        assert not plan.needs_eye
    assert len({path.rsplit("/", 1)[-1] for path in visible(vault)}) == len(visible(vault))
