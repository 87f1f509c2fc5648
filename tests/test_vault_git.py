"""A vault under git: branches merge, old commits are brought forward, line ends are kept."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from blog import Blog, part


class Repository:
    """A vault in git."""

    def __init__(self, folder: Path) -> None:
        self.blog = Blog(folder)
        self.blog.build(*POSTS)
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("first build")

    def git(self, *arguments: str, succeeds: bool = True) -> str:
        identity = ("-c", "user.name=owner", "-c", "user.email=owner@blog.example")
        done = subprocess.run(
            ["git", *identity, *arguments],
            cwd=self.blog.vault,
            env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
            check=False,
            capture_output=True,
            encoding="utf-8",
        )
        assert (done.returncode == 0) == succeeds, done.stdout + done.stderr
        return done.stdout

    def commit(self, message: str) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)

    def edit(self, stem: str, old: str, new: str) -> None:
        note = self.blog.note(stem)
        text = note.read_text()
        assert old in text
        note.write_text(text.replace(old, new, 1))

    def texts(self) -> dict[str, str]:
        return {
            path.relative_to(self.blog.vault).as_posix(): path.read_text()
            for path in self.blog.notes()
        }


POSTS = tuple(part(n, body_markdown=f"第{n}晚的灯。\n\n风很大。\n\n睡了。") for n in (1, 2, 3))
NEWS = (
    part(1, body_markdown="第1晚的灯。\n\n风停了。\n\n睡了。", reads=500),
    *POSTS[1:],
    part(4),
)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def fresh(folder: Path, *posts: dict[str, object]) -> dict[str, str]:
    """The notes of a vault that was never edited."""
    folder.mkdir()
    blog = Blog(folder)
    blog.build(*posts)
    return {path.relative_to(blog.vault).as_posix(): path.read_text() for path in blog.notes()}


def test_edits_on_a_branch_and_news_on_another_merge_cleanly(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("switch", "--quiet", "--create", "mine")
    repository.edit("灯塔手记(1)*", "睡了。", "睡了，没睡着。")
    repository.edit("灯塔手记(2)*", "睡了。", "我又看了一会儿海。")
    repository.commit("my words")
    repository.git("switch", "--quiet", "main")
    repository.blog.build(*NEWS)
    repository.commit("news")

    repository.git("merge", "--quiet", "--no-edit", "mine")
    plan = repository.blog.build(*NEWS)

    wanted = fresh(tmp_path / "fresh", *NEWS)
    wanted = {
        path: text.replace("睡了。", "睡了，没睡着。" if "(1)" in path else "我又看了一会儿海。")
        if "(1)" in path or "(2)" in path
        else text
        for path, text in wanted.items()
    }
    assert repository.texts() == wanted
    assert not plan.needs_eye
    assert set(plan.counts) == {"unchanged"}


def test_two_branches_built_from_one_source_merge_without_a_conflict(
    repository: Repository,
) -> None:
    for branch in ("one", "two"):
        repository.git("switch", "--quiet", "--create", branch, "main")
        repository.blog.build(*NEWS)
        repository.commit(f"built on {branch}")

    repository.git("merge", "--quiet", "--no-edit", "one")

    assert repository.git("diff", "one", "--stat") == ""


def test_branches_built_from_different_sources_are_whole_after_the_next_build(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("switch", "--quiet", "--create", "one")
    repository.blog.build(*POSTS, part(4))
    repository.commit("four")
    repository.git("switch", "--quiet", "main")
    repository.blog.build(*POSTS, part(5))
    repository.commit("five")

    # git takes bases for files that both sides renamed, and leaves both of them, which is right.
    repository.git("merge", "--quiet", "--no-edit", "-X", "ours", "one", succeeds=False)
    repository.commit("merged")
    repository.blog.build(*POSTS, part(4), part(5))
    plan = repository.blog.build(*POSTS, part(4), part(5))

    assert repository.texts() == fresh(tmp_path / "fresh", *POSTS, part(4), part(5))
    assert set(plan.counts) == {"unchanged"}


def test_git_mixes_no_bases_of_branches_that_both_changed_a_note(repository: Repository) -> None:
    lines = [f"第{n}更，风很大。" for n in range(9)]
    first, last = ["风停。", *lines[1:]], [*lines[:-1], "天亮。"]
    old, *news = (part(1, body_markdown="\n\n".join(body)) for body in (lines, first, last))
    repository.blog.build(old, *POSTS[1:])
    repository.commit("a longer night")
    repository.git("switch", "--quiet", "--create", "one")
    repository.blog.build(news[0], *POSTS[1:])
    repository.commit("one")
    repository.git("switch", "--quiet", "main")
    repository.blog.build(news[1], *POSTS[1:])
    repository.commit("two")
    repository.git("merge", "--quiet", "--no-edit", "-X", "ours", "one", succeeds=False)
    repository.commit("merged")

    repository.blog.build(news[0], *POSTS[1:])
    plan = repository.blog.build(news[0], *POSTS[1:])

    assert not plan.needs_eye
    assert "风停。" in repository.blog.note("灯塔手记(1)*").read_text()


def test_line_ends_of_the_state_survive_autocrlf_without_a_change(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.git("rm", "--quiet", "-r", "--cached", ".")
    repository.git("reset", "--quiet", "--hard")

    repository.blog.build(*POSTS)

    assert repository.git("status", "--porcelain", ".kbexport/manifest.jsonl") == ""
    assert b"\r" not in (repository.blog.state / "manifest.jsonl").read_bytes()


def test_notes_of_an_old_commit_are_brought_forward_and_edits_kept(
    repository: Repository, tmp_path: Path
) -> None:
    repository.edit("灯塔手记(2)*", "睡了。", "睡了，没睡着。")
    repository.commit("my words")
    repository.blog.build(*NEWS)
    repository.commit("news")

    repository.git("checkout", "--quiet", "HEAD~1", "--", ".", ":!.kbexport")
    plan = repository.blog.build(*NEWS)

    wanted = fresh(tmp_path / "fresh", *NEWS)
    second = next(path for path in wanted if "(2)" in path)
    wanted[second] = wanted[second].replace("睡了。", "睡了，没睡着。")
    assert repository.texts() == wanted
    assert not plan.needs_eye


def test_a_checkout_of_an_old_commit_ends_where_a_fresh_build_does(
    repository: Repository, tmp_path: Path
) -> None:
    repository.blog.build(*NEWS)
    repository.commit("news")

    repository.git("checkout", "--quiet", "HEAD~1")
    repository.blog.build(*NEWS)

    assert repository.texts() == fresh(tmp_path / "fresh", *NEWS)


def test_conflict_marks_in_the_manifest_are_survived(repository: Repository) -> None:
    manifest = repository.blog.state / "manifest.jsonl"
    lines = manifest.read_text().splitlines(keepends=True)
    marked = ["<<<<<<< HEAD\n", *lines[1:3], "=======\n", *lines[1:3], ">>>>>>> one\n"]
    manifest.write_text("".join([lines[0], *marked, *lines[3:]]))

    plan = repository.blog.build(*POSTS)

    assert set(plan.counts) == {"unchanged"}
    assert manifest.read_text() == "".join(lines)


def test_git_does_not_convert_the_line_ends_of_bases(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.git("rm", "--quiet", "-r", "--cached", ".")
    repository.git("reset", "--quiet", "--hard")

    assert all(b"\r" not in base.read_bytes() for base in repository.blog.state.glob("base/*/*"))
    repository.edit("灯塔手记(1)*", "睡了。", "睡了，没睡着。")
    plan = repository.blog.build(*NEWS)

    assert not plan.needs_eye
    text = repository.blog.note("灯塔手记(1)*").read_text()
    assert "风停了。" in text
    assert "睡了，没睡着。" in text


def test_git_stores_one_blob_for_a_note_and_its_base(repository: Repository) -> None:
    listed = repository.git("ls-tree", "-r", "HEAD").splitlines()

    blobs = {line.split("\t")[1]: line.split()[2] for line in listed}
    bases = {blob for path, blob in blobs.items() if "/base/" in path}
    notes = {blob for path, blob in blobs.items() if not path.startswith(('"', ".kbexport"))}
    assert notes & bases
    assert len(bases) == len([path for path in blobs if "/base/" in path])
