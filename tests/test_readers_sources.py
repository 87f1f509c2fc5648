"""Files, folders and standard input: what is read, and what is said of the rest."""

from __future__ import annotations

import io
import os
import sys
import zipfile
from pathlib import Path
from typing import IO, Any

import pytest

from kbexport.errors import ConfigError
from kbexport.readers import readers
from kbexport.readers.sources import Reading, read_sources

LINE = '{"title": "茶"}\n'


def titles(reading: Reading) -> list[str | None]:
    return [item.post.title for item in reading.posts]


def write(path: Path, text: str = LINE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_folder_is_walked_in_sorted_order(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "sub/c.jsonl"):
        write(tmp_path / name, f'{{"title": "{name}"}}\n')

    reading = read_sources([tmp_path])

    assert titles(reading) == ["a.jsonl", "b.jsonl", "sub/c.jsonl"]
    assert reading.posts[2].source.endswith("/sub/c.jsonl")
    assert reading.problems == ()


@pytest.mark.parametrize(
    ("folder", "inner"),
    [
        (".git", ""),
        (".hidden", ""),
        ("node_modules", ""),
        ("vault", ""),
        ("other", ".kbexport"),
        ("page_files", ""),
        ("page.files", ""),
    ],
)
def test_folders_that_hold_no_sources_are_skipped(tmp_path: Path, folder: str, inner: str) -> None:
    write(tmp_path / "page.html", "---\ntitle: 茶\n---\n")
    write(tmp_path / folder / inner / "x.jsonl")
    write(tmp_path / folder / "y.jsonl")

    reading = read_sources([tmp_path], vault=tmp_path / "vault")

    assert titles(reading) == ["茶"]


def test_pictures_are_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl")
    write(tmp_path / "a.png", "no picture")

    assert read_sources([tmp_path]).problems == ()


@pytest.mark.parametrize("name", ["robots.txt", "LICENSE", "LICENSE.txt", "CNAME"])
def test_what_stands_beside_posts_is_only_noted(tmp_path: Path, name: str) -> None:
    write(tmp_path / "a.jsonl")
    path = write(tmp_path / name, "some words")

    (note,) = read_sources([tmp_path]).problems
    (problem,) = read_sources([path]).problems

    assert (note.source, note.lost) == (path.as_posix(), False)
    assert problem.lost


def test_a_folder_of_other_files_only_is_reported(tmp_path: Path) -> None:
    write(tmp_path / "a.png", "no picture")
    write(tmp_path / "robots.txt", "some words")

    *_, problem = read_sources([tmp_path]).problems

    assert problem.reason == "no source in this folder, only 2 other files"
    assert problem.lost


@pytest.mark.parametrize("name", ["tea.md", "tea.markdown", "tea.mdown"])
def test_markdown_is_known_by_its_ending_where_no_other_reader_claims_it(
    tmp_path: Path, name: str
) -> None:
    (item,) = read_sources([write(tmp_path / name, "茶与水")]).posts

    assert (item.reader, item.post.title) == ("markdown", "tea")


@pytest.mark.parametrize("name", ["index.md", "README.md"])
def test_a_title_does_not_depend_on_how_the_folder_is_named(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "idx" / name, "正文")
    monkeypatch.chdir(tmp_path)
    from_above = titles(read_sources(["idx"]))
    monkeypatch.chdir(tmp_path / "idx")

    assert from_above == titles(read_sources(["."])) == titles(read_sources([name])) == ["idx"]


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes there alone")
def test_names_that_are_no_utf_8_are_told_apart(tmp_path: Path) -> None:
    for byte in (b"\xe9", b"\xea"):
        write(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + byte + b".jsonl")))

    sources = [item.source for item in read_sources([tmp_path]).posts]

    assert [Path(source).name for source in sources] == ["\\udce9.jsonl", "\\udcea.jsonl"]


@pytest.mark.parametrize("name", ["page.txt", "feed.xml"])
def test_a_file_in_no_known_format_is_reported(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, "nothing of interest")

    (problem,) = read_sources([tmp_path]).problems

    assert problem.source.endswith(name)
    assert problem.reason == "not a known format"
    assert "51cto-text" in problem.hint


def test_a_file_that_is_named_is_always_reported(tmp_path: Path) -> None:
    (problem,) = read_sources([write(tmp_path / "LICENSE", "some words")]).problems

    assert problem.lost


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n \n", b"\0\0\0"])
def test_an_empty_file_is_reported(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "page.txt"
    path.write_bytes(data)

    (problem,) = read_sources([path]).problems

    assert problem.reason == "the file is empty"


def test_a_missing_source_stops_no_other(tmp_path: Path) -> None:
    reading = read_sources([tmp_path / "no.txt", "bad\0name", write(tmp_path / "a.jsonl")])

    assert titles(reading) == ["茶"]
    assert len(reading.problems) == 2
    assert all(problem.hint for problem in reading.problems)


def test_a_folder_without_sources_is_reported(tmp_path: Path) -> None:
    (problem,) = read_sources([tmp_path]).problems

    assert problem.reason == "no source in this folder"


@pytest.mark.skipif(sys.platform == "win32", reason="needs permissions of Unix")
def test_an_unreadable_file_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = write(tmp_path / "closed.jsonl")
    write(tmp_path / "open.jsonl")
    open_path = Path.open

    def refuse(path: Path, mode: str) -> IO[Any]:  # root may read all: permissions are no test
        if path == closed:
            raise PermissionError(13, "Permission denied")
        return open_path(path, mode)

    monkeypatch.setattr(Path, "open", refuse)

    reading = read_sources([tmp_path])

    assert titles(reading) == ["茶"]
    assert [p.reason for p in reading.problems] == ["cannot be read: Permission denied"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    write(tmp_path / "a.jsonl")

    reading = read_sources([tmp_path, tmp_path / "pipe.txt"])

    assert titles(reading) == ["茶"]
    assert len(reading.problems) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_links_lead_neither_round_in_circles_nor_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "blog"
    write(folder / "a.jsonl")
    secret = write(tmp_path / "secret.jsonl", '{"title": "secret"}\n')
    (folder / "loop").symlink_to(folder)
    (folder / "itself.txt").symlink_to(folder / "itself.txt")
    (folder / "link.jsonl").symlink_to(secret)
    (folder / "inside.jsonl").symlink_to(folder / "a.jsonl")

    reading = read_sources([folder])

    assert titles(reading) == ["茶"]
    assert [(Path(p.source).name, p.lost) for p in reading.problems] == [
        ("itself.txt", True),
        ("link.jsonl", True),
        ("loop", False),
    ]


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl")

    assert titles(read_sources([path, tmp_path, str(path)])) == ["茶"]


def test_the_vault_itself_is_no_source(tmp_path: Path) -> None:
    write(tmp_path / ".kbexport" / "manifest")
    write(tmp_path / "a.jsonl")

    (problem,) = read_sources([tmp_path]).problems

    assert "vault" in problem.reason


def test_standard_input_is_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE.encode())))

    (item,) = read_sources(["-"]).posts

    assert (item.source, item.reader, item.place) == ("-", "jsonl", "line 1")


def test_standard_input_may_be_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a/b.jsonl", LINE)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed.getvalue())))

    (item,) = read_sources(["-"]).posts

    assert item.source == "-/a/b.jsonl"


def test_a_format_can_be_forced(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "茶与水")

    (item,) = read_sources([path], format_name="markdown").posts

    assert item.post.body_markdown == "茶与水\n"


def test_an_unknown_format_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ConfigError) as caught:
        read_sources(["-"], format_name="word")

    assert "51cto-text" in caught.value.hint


def test_each_file_is_announced(tmp_path: Path) -> None:
    heard: list[str] = []

    read_sources([write(tmp_path / "a.jsonl")], on_file=heard.append)

    assert [(tmp_path / "a.jsonl").as_posix()] == heard


def test_readers_are_sorted_by_name() -> None:
    names = [reader.name for reader in readers()]

    assert sorted(names) == names
    assert {"51cto-html", "51cto-text", "jsonl", "markdown"} <= set(names)
