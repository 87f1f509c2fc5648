"""Zip files, web archives and MHTML: what is taken out of them, and what is said of the rest."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path

import pytest

from kbexport.models import Problem
from kbexport.readers.base import Document
from kbexport.readers.containers import documents, stream_of, zips
from kbexport.readers.sources import Reading, read_sources

TITLE = "洗杯子"
ARTICLE = (
    f"<!DOCTYPE html><html lang=zh><head><title>{TITLE}</title></head><body>"
    "<article><h1>洗杯子</h1><p>先把杯子烫一遍，再放茶叶，水温不要太高。</p></article></body></html>"
)
PAGE = "<html><body><p>关于本站</p></body></html>"


def zipped(files: dict[str, str | bytes], *, compress: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", compress) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return target.getvalue()


def record(uri: str, http: str, body: bytes, kind: str = "response") -> bytes:
    block = http.replace("\n", "\r\n").encode() + body
    content_type = "application/http; msgtype=response" if http else "text/html"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\n"
        f"WARC-Date: 2022-07-27T02:00:00Z\r\nContent-Type: {content_type}\r\n"
        f"WARC-Record-ID: <urn:x:{uri}>\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def response(uri: str, html: str, status: str = "200 OK", charset: str = "utf-8") -> bytes:
    http = f"HTTP/1.1 {status}\nContent-Type: text/html; charset={charset}\n\n"
    return record(uri, http, html.encode(charset))


CRAWL = [
    response("https://tea.example/p/cup", ARTICLE),
    response("https://tea.example/about.html", PAGE),
    response("https://tea.example/p/gone", ARTICLE, "404 Not Found"),
    record("https://tea.example/a.png", "HTTP/1.1 200 OK\nContent-Type: image/png\n\n", b"png"),
]


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def titles(reading: Reading) -> list[str | None]:
    return [item.post.title for item in reading.posts]


def reasons(reading: Reading) -> list[str]:
    return [problem.reason for problem in reading.problems]


def inside(data: bytes, name: str = "a.zip") -> list[str]:
    """The names of the documents, and the reasons of problems."""
    return [
        item.name if isinstance(item, Document) else item.reason
        for item in documents(stream_of(data), name)
    ]


# Zip files.


def test_the_files_of_a_zip_are_read_like_those_of_a_folder(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "b/post.md": "---\ntitle: 乙\n---\n正文",
        "a.jsonl": '{"title": "甲"}\n',
        "idx/index.md": "正文",
        "a.png": "no picture",
        ".git/x.jsonl": '{"title": "x"}\n',
        "node_modules/x.jsonl": '{"title": "x"}\n',
        "__MACOSX/._a.jsonl": '{"title": "x"}\n',
        "page.html": ARTICLE,
        "page_files/ad.html": ARTICLE,
        "vault/.kbexport/manifest": "{}",
        "vault/x.jsonl": '{"title": "x"}\n',
    }
    path = write(tmp_path / "export.zip", zipped(files))

    reading = read_sources([tmp_path])

    assert titles(reading) == ["甲", "乙", "idx", TITLE]
    assert reading.posts[1].source == f"{path.as_posix()}/b/post.md"
    assert reading.problems == ()


@pytest.mark.parametrize("name", ["../x.jsonl", "a/../../x.jsonl", "/x.jsonl", "C:\\x.jsonl"])
def test_an_entry_that_leads_out_of_the_archive_is_refused(name: str) -> None:
    data = zipped({"a.jsonl": "{}"}).replace(b"a.jsonl", b"a.jsonl")
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = name
        archive.writestr(info, "{}")
        archive.writestr("b.jsonl", "{}")

    assert inside(data) == ["a.zip/a.jsonl"]
    assert sorted(inside(target.getvalue())) == ["a.zip/b.jsonl", "leads out of the archive"]


def test_an_archive_bomb_is_refused_and_loses_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(zips, "FREE", 1000)
    data = zipped({"a.txt": "a" * 1_000_000, "b.txt": "b"})

    reason, other = inside(data)

    assert "archive bomb" in reason
    assert other == "a.zip/b.txt"


def test_too_many_entries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "MOST_ENTRIES", 1)

    assert inside(zipped({"a.txt": "a", "b.txt": "b"})) == ["holds 2 files"]


def test_zips_in_zips_are_opened_up_to_a_depth() -> None:
    data = zipped({"post.md": "x"})
    for depth in range(4):
        assert inside(data)[0].endswith("post.md" if depth < 3 else "lies in too many archives")
        data = zipped({"in.zip": data})


def test_a_name_in_gbk_is_read() -> None:
    raw = "茶馆/水温.md".encode("gb18030")
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("x" * len(raw), "正文")
    data = target.getvalue().replace(b"x" * len(raw), raw)

    assert inside(data) == ["a.zip/茶馆/水温.md"]


def test_an_entry_with_a_password_is_named(tmp_path: Path) -> None:
    data = bytearray(zipped({"a.jsonl": '{"title": "茶"}'}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1

    reading = read_sources([write(tmp_path / "a.zip", bytes(data))])

    assert reasons(reading) == ["is locked with a password"]


def test_a_damaged_entry_loses_no_other(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.jsonl": '{"title": "茶"}\n', "b.jsonl": '{"title": "水"}\n'}
    data = zipped(files, compress=zipfile.ZIP_STORED)

    reading = read_sources([write(tmp_path / "a.zip", data.replace("茶".encode(), b"XXX", 1))])

    assert titles(reading) == ["水"]
    (problem,) = reading.problems
    assert problem.source.endswith("a.zip/a.jsonl")
    assert "CRC" in problem.reason


@pytest.mark.parametrize("cut", [10, 60, -10])
def test_a_damaged_zip_is_named(tmp_path: Path, cut: int) -> None:
    data = zipped({"a.jsonl": '{"title": "茶"}\n' * 9})[:cut]

    (problem,) = read_sources([write(tmp_path / "a.zip", data)]).problems

    assert "damaged zip" in problem.reason
    assert problem.lost


def test_an_archive_of_pictures_is_lost_only_where_it_was_named(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", zipped({"a.png": "x"}))
    write(tmp_path / "b.jsonl", b'{"title": "x"}\n')

    (noted,) = read_sources([tmp_path]).problems
    (lost,) = read_sources([path]).problems

    assert (noted.lost, lost.lost) == (False, True)
    assert noted.reason == "no post in this archive"


# Web archives.


@pytest.mark.parametrize("form", ["plain", "by record", "whole", "in a zip", "WACZ"])
def test_the_pages_of_a_crawl_are_read(tmp_path: Path, form: str) -> None:
    plain = b"".join(CRAWL)
    by_record = b"".join(map(gzip.compress, CRAWL))
    wacz: dict[str, str | bytes] = {
        "archive/data.warc.gz": by_record,
        "datapackage.json": "{}",
        "pages/pages.jsonl": '{"url": "https://x.example/", "title": "x"}\n',
    }
    data = {
        "plain": plain,
        "by record": by_record,
        "whole": gzip.compress(plain),
        "in a zip": zipped({"data.warc": plain}),
        "WACZ": zipped(wacz, compress=zipfile.ZIP_STORED),
    }[form]

    reading = read_sources([write(tmp_path / "crawl", data)])

    (item,) = reading.posts
    assert (item.post.title, item.post.url) == (TITLE, "https://tea.example/p/cup")
    assert reasons(reading) == [
        "left out beside 2 pages: 1 that are no page, 1 with status 404",
        "pages that are neither articles nor listings: 1, such as https://tea.example/about.html",
    ]
    assert not any(problem.lost for problem in reading.problems)


def test_what_the_server_says_of_the_charset_counts_and_relative_dates_have_a_day() -> None:
    html = "<html><body><p>茶葉與水溫</p></body></html>"
    data = response("https://tea.example/p/1", html, charset="big5")

    (document,) = documents(stream_of(data), "a.warc")

    assert isinstance(document, Document)
    assert document.text == html
    assert str(document.captured) == "2022-07-27 02:00:00+00:00"


def test_an_address_in_brackets_and_one_with_a_space_are_read() -> None:
    data = response("<https://tea.example/p/a b>", ARTICLE)

    (document,) = documents(stream_of(data), "a.warc")

    assert isinstance(document, Document)
    assert document.url == "https://tea.example/p/a%20b"


def test_a_page_that_was_kept_as_a_resource_is_read() -> None:
    data = record("https://tea.example/p/1", "", ARTICLE.encode(), "resource")

    assert inside(data, "a.warc") == ["a.warc/https://tea.example/p/1"]


@pytest.mark.parametrize("gzipped", [False, True])
def test_a_crawl_that_ends_early_keeps_what_stands_before(tmp_path: Path, gzipped: bool) -> None:
    parts = [CRAWL[0], response("https://tea.example/p/2", ARTICLE.replace(TITLE, "茶"))]
    data = b"".join(map(gzip.compress, parts) if gzipped else parts)[:-60]

    reading = read_sources([write(tmp_path / "a.warc", data)])

    assert titles(reading)[0] == TITLE
    assert any(problem.lost for problem in reading.problems)


def test_odd_records_say_nothing_on_the_screen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    data = CRAWL[0].replace(b"Content-Length: 4", b"Content-Length: 3") + b"stray\r\n" + CRAWL[1]

    read_sources([write(tmp_path / "a.warc", data)])

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("encoding", ["br", "zstd", "nonsense"])
def test_a_page_packed_in_an_unknown_way_is_named(encoding: str) -> None:
    http = f"HTTP/1.1 200 OK\nContent-Type: text/html\nContent-Encoding: {encoding}\n\n"

    reason, _ = inside(record("https://tea.example/1", http, b"\x8b\x02"), "a.warc")

    assert "packed" in reason


def test_without_warcio_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "warcio.archiveiterator", None)

    (problem,) = documents(stream_of(CRAWL[0]), "a.warc")

    assert isinstance(problem, Problem)
    assert "kbexport[warc]" in problem.hint


# MHTML.

MHTML = f"""From: <Saved by Blink>
Snapshot-Content-Location: https://tea.example/p/cup
Subject: cup
Date: Wed, 27 Jul 2022 02:00:00 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
	type="text/html";
	boundary="----B----"


------B----
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>
Content-Transfer-Encoding: 8bit
Content-Location: https://ads.example/frame

<html><body><article><h1>广告</h1><p>广告</p></article></body></html>
------B----
Content-Type: text/html
Content-Transfer-Encoding: 8bit
Content-Location: https://tea.example/p/cup

{ARTICLE}
------B----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: https://tea.example/a.png

iVBORw0KGgo=
------B------
"""


def test_the_page_of_an_mhtml_file_is_read(tmp_path: Path) -> None:
    data = MHTML.replace("\n", "\r\n").encode()
    path = write(tmp_path / "page.mhtml", data)

    reading = read_sources([path])
    (document,) = documents(stream_of(data), "page.mhtml")

    (item,) = reading.posts
    assert (item.post.title, item.post.url) == (TITLE, "https://tea.example/p/cup")
    assert reading.problems == ()
    assert isinstance(document, Document)
    assert str(document.captured) == "2022-07-27 02:00:00"


def test_an_mhtml_file_that_ends_early_is_reported(tmp_path: Path) -> None:
    data = MHTML.partition("------B----\nContent-Type: image")[0].encode()

    reading = read_sources([write(tmp_path / "page.mhtml", data)])

    assert titles(reading) == [TITLE]
    assert reasons(reading) == ["the file ends early"]


def test_an_mhtml_file_without_a_page_is_reported(tmp_path: Path) -> None:
    data = MHTML.replace("text/html\n", "text/plain\n").encode()

    reading = read_sources([write(tmp_path / "page.mhtml", data)])

    assert reasons(reading)[0] == "a saved page without a page in it"


def test_a_letter_or_a_text_with_headers_is_no_page() -> None:
    for text in ("From: a@b.example\nSubject: tea\n\nMIME-Version: 1.0\n", "title: x\n\nbody"):
        assert inside(text.encode(), "x.txt") == ["x.txt"]
