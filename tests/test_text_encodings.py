"""Bytes of any encoding become text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.text.encodings import decode

LISTING = "茶馆笔记\n\n本文介绍怎样煮水，以及火候。\n\n原创 2021-12-23 10:49:04 396 阅读\n"


@pytest.mark.parametrize(
    "encoding",
    [
        "utf-8",
        "utf-8-sig",
        "utf-16",
        "utf-16-le",
        "utf-16-be",
        "utf-32",
        "gbk",
        "gb18030",
        "gb2312",
    ],
)
def test_chinese_is_read_in_every_encoding(encoding: str) -> None:
    assert decode(LISTING.encode(encoding)) == LISTING


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_ascii_in_utf_16_without_a_mark(encoding: str) -> None:
    assert decode("hello, world\n".encode(encoding)) == "hello, world\n"


def test_big5_is_not_taken_for_gbk() -> None:
    text = "這一篇介紹怎樣選擇茶葉，以及怎樣保存。"

    assert decode(text.encode("big5")) == text


def test_declared_gb2312_is_read_as_gb18030() -> None:
    html = '<meta charset="gb2312"><h1>堃镕：囧㐂</h1>'

    assert decode(html.encode("gb18030")) == html


def test_valid_utf_8_wins_over_the_declaration() -> None:
    html = '<meta http-equiv="Content-Type" content="text/html; charset=gb2312"><h1>茶</h1>'

    assert decode(html.encode()) == html


def test_declared_encoding_that_is_no_character_set_is_ignored() -> None:
    data = b'<meta charset="unicode_escape">\\u0041' + "茶水与炉火的笔记".encode("gbk")

    assert "茶水与炉火的笔记" in decode(data)


def test_an_encoding_that_does_not_exist_or_fit_is_ignored() -> None:
    for name in ("no-such-charset", "utf-8", "iso-8859-99"):
        html = f'<meta charset="{name}">' + "<p>" * 500 + "煮茶的水要用山泉，炉火不要太旺。"

        assert decode(html.encode("gbk")) == html


def test_utf_8_cut_in_the_middle_of_a_character_loses_that_one_only() -> None:
    assert decode("茶与水".encode()[:-1]) == "茶与"


def test_one_broken_byte_costs_one_character() -> None:
    data = "茶与水".encode() * 20 + b"\xff" + "炉火".encode() * 20

    assert decode(data) == "茶与水" * 20 + "\ufffd" + "炉火" * 20


def test_nul_and_windows_line_ends_are_gone() -> None:
    assert decode(b"a\x00b\r\nc\rd") == "ab\nc\nd"


def test_nothing_is_nothing() -> None:
    assert decode(b"") == ""


@given(st.binary())
def test_decode_never_raises(data: bytes) -> None:
    text = decode(data)

    assert "\0" not in text
    assert "\r" not in text
    assert text.encode().decode() == text


@given(st.text(st.characters(exclude_characters="\0\r\ufeff", codec="utf-8")))
def test_utf_8_is_read_as_it_is(text: str) -> None:
    assert decode(b"\xef\xbb\xbf" + text.encode()) == text


def test_what_a_server_declares_counts_where_the_text_is_no_utf_8() -> None:
    page = '<meta charset="gb2312">茶葉與水溫'

    assert decode(page.encode("big5"), "Big5") == page
    assert decode(page.encode(), "Big5") == page
    assert decode(page.encode("gb18030"), "no-such-charset") == page


def test_a_short_page_that_calls_itself_chinese_is_read_as_chinese() -> None:
    page = '<html lang="zh-CN"><meta charset="utf-8"><p>©水温</p>'

    assert decode(page.encode("gb18030")) == page
