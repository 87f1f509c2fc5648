"""Names and kinds of files in `assets/`."""

from __future__ import annotations

import re

import pytest

from kbexport.assets import asset_of, ending_of, is_shown, make_asset, mentioned, paths_by_hash

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 20

KINDS = {
    "png": PNG,
    "jpg": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "gif": b"GIF89a\1\0\1\0",
    "webp": b"RIFF\x24\0\0\0WEBPVP8 ",
    "avif": b"\0\0\0\x20ftypavif\0\0\0\0",
    "bmp": b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0",
    "ico": b"\0\0\1\0\1\0\x10\x10\0\0",
    "svg": b'<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg"/>',
    "pdf": b"%PDF-1.7\n",
    "mp4": b"\0\0\0\x20ftypisom\0\0\2\0",
    "webm": b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\x82\x84webm",
    "mp3": b"ID3\4\0\0",
    "bin": b"who knows",
}


@pytest.mark.parametrize("ending", KINDS)
@pytest.mark.parametrize("name", ["x", "x.exe", "x.html", "x.php", "x.md", "x.xml", "x.svg"])
def test_the_content_gives_the_ending_whatever_the_name_says(ending: str, name: str) -> None:
    assert ending_of(KINDS[ending], name) == ending


def test_a_harmless_ending_stays_where_the_content_does_not_tell() -> None:
    assert ending_of(b"a,b\n1,2\n", "Table.CSV") == "csv"
    assert ending_of(b"PK\3\4...", "paper.docx") == "docx"


@pytest.mark.parametrize("page", [b"<!DOCTYPE html><html><svg></svg>", b"<script>1</script>", b""])
def test_a_page_is_no_picture_and_gets_no_ending_that_a_browser_opens(page: bytes) -> None:
    assert ending_of(page, "picture.html") == "bin"


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<x:script/>",
        "<g onload='alert(1)'/>",
        '<a href="javascript:alert(1)"/>',
        '<a href="java&#115;cript:alert(1)"/>',
        "<foreignObject><p/></foreignObject>",
        '<use href="data:text/html,x"/>',
    ],
)
def test_a_svg_that_carries_what_may_run_is_not_shown(inside: str) -> None:
    asset = make_asset("a.svg", f"<svg>{inside}</svg>".encode)

    assert asset.path.endswith(".svg.bin")
    assert not is_shown(asset.path)


def test_a_svg_that_is_no_utf8_counts_as_active() -> None:
    assert ending_of(b'<svg xmlns="x"><text>\xff\xfe</text></svg>') == "svg.bin"


def test_a_svg_is_recognised_in_time_however_many_comments_it_has() -> None:
    assert ending_of(b"<!---->" * 9000 + b"<html>") == "bin"


def test_a_name_stays_readable_and_is_cut() -> None:
    asset = make_asset("img/图 片 (1).final.JPG", lambda: PNG)

    assert re.fullmatch(r"assets/图-片-1-final-[0-9a-f]{10}\.png", asset.path)
    assert len(make_asset("图" * 500 + ".png", lambda: PNG).path.encode()) < 200
    assert make_asset("?.png", lambda: PNG).path.startswith("assets/file-")


def test_an_address_is_an_asset_by_its_form_alone() -> None:
    path = make_asset("图.png", lambda: PNG).path

    assert asset_of(path) == path
    assert asset_of(path.replace("图", "%E5%9B%BE")) == path
    for other in (
        "assets/a.png",
        "../" + path,
        "/" + path,
        path + "?x",
        "https://a.example/" + path,
    ):
        assert asset_of(other) is None


def test_bodies_and_attachments_name_their_assets() -> None:
    path = make_asset("图.png", lambda: PNG).path

    assert list(mentioned(f"![a]({path})", None, f'<img src="{path}">', path)) == [path] * 3


def test_one_content_has_one_path_the_smallest_unless_one_is_there_already() -> None:
    ours = [make_asset(name, lambda: PNG).path for name in ("c.png", "b.png", "d.png")]
    there = make_asset("z.png", lambda: PNG).path

    assert set(paths_by_hash(ours).values()) == {make_asset("b.png", lambda: PNG).path}
    assert set(paths_by_hash([there], ours).values()) == {there}
