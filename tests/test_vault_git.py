"""A vault under git: branches merge, old commits are brought forward, line ends are kept."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from blog import Blog, part

from kbexport.flavors.pointer import base_hash

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

ALONE = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "LC_ALL": "C.UTF-8",
}
"""The environment of git without what its user has set, such as signatures and hooks."""


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
            env=ALONE,
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

    def odd_bases(self) -> list[str]:
        """Bases that do not hold what their names say."""
        bases = list(self.blog.state.glob("base/*/*.md"))
        assert bases
        return [base.name for base in bases if base_hash(base.read_text()) != base.stem]

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

FIVE_BODY = "\n\n".join(f"夜{sign}。" for sign in "一二三四五")
FIVE = part(1, body_markdown=FIVE_BODY)
FIVE_OF_4 = part(4, body_markdown=FIVE_BODY)


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


def test_words_on_two_branches_built_from_one_source_meet_in_one_note(
    repository: Repository, tmp_path: Path
) -> None:
    repository.blog.build(FIVE, *POSTS[1:])
    repository.commit("five paragraphs")
    told = {**FIVE, "reads": 700}
    edits = {"one": ("一。", "一，是我。"), "two": ("五。", "五，也是我。")}
    for branch, edit in edits.items():
        repository.git("switch", "--quiet", "--create", branch, "main")
        repository.edit("灯塔手记(1)*", *edit)
        repository.blog.build(told, *POSTS[1:])
        repository.commit(f"words on {branch}")

    repository.git("merge", "--quiet", "--no-edit", "one")
    plan = repository.blog.build(told, *POSTS[1:])

    wanted = fresh(tmp_path / "fresh", told, *POSTS[1:])
    first = next(path for path in wanted if "(1)" in path)
    for old, new in edits.values():
        wanted[first] = wanted[first].replace(old, new)
    assert repository.texts() == wanted
    assert set(plan.counts) == {"unchanged"}


@pytest.mark.parametrize("side", ["ours", "theirs"])
@pytest.mark.parametrize("words", ["三。", "三，是我。"], ids=["not edited", "edited"])
def test_a_base_that_git_took_for_renamed_on_both_branches_is_never_a_mixture(
    repository: Repository, tmp_path: Path, side: str, words: str
) -> None:
    # Git merges the texts of such files, so that neither is what its name says; a note would then
    # be held for ever, since what was last written into it is lost.
    repository.blog.build(*POSTS, FIVE_OF_4)
    repository.commit("long")
    begun = {**FIVE_OF_4, "body_markdown": FIVE_BODY.replace("一。", "一，新的。")}
    ended = {**FIVE_OF_4, "body_markdown": FIVE_BODY.replace("五。", "五，新的。")}
    both = {**begun, "body_markdown": begun["body_markdown"].replace("五。", "五，新的。")}
    repository.git("switch", "--quiet", "--create", "one")
    repository.blog.build(*POSTS, begun, part(5))
    repository.commit("one")
    repository.git("switch", "--quiet", "main")
    repository.edit("灯塔手记(4)*", "三。", words)
    repository.blog.build(*POSTS, ended, part(6))
    repository.commit("main")

    repository.git("merge", "--quiet", "--no-edit", "-X", side, "one", succeeds=False)
    repository.commit("merged")
    first = repository.blog.build(*POSTS, both, part(5), part(6))
    second = repository.blog.build(*POSTS, both, part(5), part(6))

    wanted = fresh(tmp_path / "fresh", *POSTS, both, part(5), part(6))
    fourth = next(path for path in wanted if "(4)" in path)
    assert repository.texts()[fourth] == wanted[fourth].replace("三。", words)
    assert not first.needs_eye
    assert set(second.counts) == {"unchanged"}
    assert repository.odd_bases() == []


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
    # State as well: git sees what the later commit has, and nothing else.
    repository.git("add", "--all")
    assert repository.git("diff", "--cached", "--stat", "main") == ""


def test_edits_of_an_old_commit_are_kept_when_it_is_checked_out_and_built(
    repository: Repository, tmp_path: Path
) -> None:
    repository.edit("灯塔手记(1)*", "睡了。", "睡了，没睡着。")
    repository.commit("my words")
    repository.blog.build(*NEWS)
    repository.commit("news")

    repository.git("checkout", "--quiet", "HEAD~1")
    plan = repository.blog.build(*NEWS)

    wanted = fresh(tmp_path / "fresh", *NEWS)
    first = next(path for path in wanted if "(1)" in path)
    wanted[first] = wanted[first].replace("睡了。", "睡了，没睡着。")
    assert repository.texts() == wanted
    assert not plan.needs_eye


def test_conflict_marks_in_the_manifest_are_survived(repository: Repository) -> None:
    manifest = repository.blog.state / "manifest.jsonl"
    lines = manifest.read_text().splitlines(keepends=True)
    marked = ["<<<<<<< HEAD\n", *lines[1:3], "=======\n", *lines[1:3], ">>>>>>> one\n"]
    manifest.write_text("".join([lines[0], *marked, *lines[3:]]))

    plan = repository.blog.build(*POSTS)

    assert set(plan.counts) == {"unchanged"}
    assert manifest.read_text() == "".join(lines)


def test_git_does_not_convert_the_line_ends_of_state_and_sees_no_change_after_a_build(
    repository: Repository,
) -> None:
    repository.git("config", "core.autocrlf", "true")
    repository.git("rm", "--quiet", "-r", "--cached", ".")
    repository.git("reset", "--quiet", "--hard")

    assert b"\r\n" in repository.blog.note("灯塔手记(1)*").read_bytes()
    assert all(b"\r" not in base.read_bytes() for base in repository.blog.state.glob("base/*/*"))
    assert repository.odd_bases() == []
    assert set(repository.blog.build(*POSTS).counts) == {"unchanged"}
    assert repository.git("status", "--porcelain") == ""
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
