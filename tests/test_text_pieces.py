"""Clean lines, counts, dates and addresses, as tables."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.text.clean import clean_text, one_line
from kbexport.text.counts import parse_count
from kbexport.text.dates import parse_moment
from kbexport.text.urls import canonical_url, web_address

MOMENT = re.compile(r"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$")
# Any text, halves of characters included.
ANY_TEXT = st.text(st.characters(codec=None, categories=None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  第一行\n第二行 ", "第一行 第二行"),
        ("列一\t列二", "列一 列二"),
        ("前\u2028后\x85末\r\n", "前 后 末"),
        ("\ufeff茶\u3000\u00a0水", "茶 水"),
        ("茶\x00\x07水", "茶水"),
        ("\ud83d\ude00 \ud83d", "😀 \ufffd"),
        ("Ａ 不变", "Ａ 不变"),
        (" \n ", ""),
    ],
)
def test_one_line(text: str, expected: str) -> None:
    assert expected == one_line(text)


def test_clean_text_keeps_lines_tabs_and_indents() -> None:
    assert clean_text("  a\r\n\tb\rc\x00\n") == "  a\n\tb\nc\n"


@given(ANY_TEXT)
def test_clean_text_can_be_written_as_utf_8(text: str) -> None:
    assert clean_text(clean_text(text)).encode() == clean_text(text).encode()
    assert one_line(one_line(text)).encode() == one_line(text).encode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("396", 396),
        ("1.2万", 12_000),
        ("1,855", 1_855),
        ("100000+", 100_000),
        ("10万+", 100_000),
        ("1.05亿", 105_000_000),
        ("2.5k", 2_500),
        ("1.2w", 12_000),
        ("３２１", 321),
        ("阅读 298", 298),
        ("阅读数：298", 298),
        ("阅读(396)", 396),
        ("298个", 298),
        ("568人阅读", 568),
        ("1234.0", 1_234),
        ("1.15k", 1_150),
        ("0", 0),
        ("-5", None),
        ("—", None),
        ("", None),
        ("很多", None),
        ("1 000", 1_000),
        ("1\u00a0234\u202f567", 1_234_567),
        ("阅读量: 1,234次", 1_234),
        ("1.2万+ 阅读", 12_000),
        ("(396)", 396),
        ("1_000", None),
        ("1.000", None),
        ("1.000万", 10_000),
        ("1'234", None),
        ("1. 2万", None),
        ("1 00", None),
        ("约 396", None),
        ("396 元", None),
        ("1,2万", None),
        ("1e5", None),
        ("2021-12-23", None),
        ("9" * 50, None),
    ],
)
def test_counts(text: str, expected: int | None) -> None:
    assert expected == parse_count(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2021-12-23", "2021-12-23"),
        ("2021-12-23 10:49:04", "2021-12-23T10:49:04"),
        ("2021-12-23 10:49", "2021-12-23T10:49"),
        ("2021-12-23T10:49:04+08:00", "2021-12-23T10:49:04+08:00"),
        ("2021-12-23T10:49:04.123Z", "2021-12-23T10:49:04Z"),
        ("2016-09-25 18:46:04 +0800", "2016-09-25T18:46:04+08:00"),
        ("2021/1/3 9:05", "2021-01-03T09:05"),
        ("2021.01.03", "2021-01-03"),
        ("20210103", "2021-01-03"),
        ("2021年12月23日", "2021-12-23"),
        ("2021年12月23日 08:05", "2021-12-23T08:05"),
        ("2021年12月23日 下午3:05", "2021-12-23T15:05"),
        ("２０２１-12-23", "2021-12-23"),
        ("发布于：2018-03-09 22:48:14", "2018-03-09T22:48:14"),
        ("于 2015-02-13 16:20:32 发布", "2015-02-13T16:20:32"),
        ("posted @ 2022-09-01 16:57", "2022-09-01T16:57"),
        ("Thu, 23 Dec 2021 10:49:04 +0800", "2021-12-23T10:49:04+08:00"),
        ("Thu, 23 Dec 2021 10:49:04 GMT", "2021-12-23T10:49:04Z"),
        ("Thu, 03 Sep 15 00:01:01 +0200", "2015-09-03T00:01:01+02:00"),
        ("Mon, May 25 2020 04:45:26 +0000", "2020-05-25T04:45:26+00:00"),
        ("Thu, 30 Apr 2015 08:57:00 MEST", "2015-04-30T08:57:00"),
        ("Wed, 04 Aug 2021 00:00:00 +8000", "2021-08-04T00:00:00"),
        ("Wed Jul 27 2022 10:00:00 GMT+0800 (中国标准时间)", "2022-07-27T10:00:00+08:00"),
        ("December 23, 2021", "2021-12-23"),
        ("2021", None),
        ("2021-12", None),
        ("December 2021", None),
        ("2021-02-30", None),
        ("2021-12-23 25:00", None),
        ("2021-12-23 10:49:04 396", None),
        ("0000-00-00 00:00:00", None),
        ("0001-01-01T00:00:00Z", None),
        ("1970-01-01", None),
        ("Mon, 30 Nov -0001 00:00:00 +0000", None),
        ("1714969800", None),
        ("not a date", None),
        ("2021-12-23 10:49 又一篇", None),
        ("2021-12-23 10:49 CST", "2021-12-23T10:49"),
        ("", None),
    ],
)
def test_dates(text: str, expected: str | None) -> None:
    assert expected == parse_moment(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14 天前", "2022-07-13"),
        ("昨天 10:49", "2022-07-26T10:49"),
        ("刚刚", "2022-07-27"),
        ("07-26", "2022-07-26"),
        ("12-23", "2021-12-23"),
        ("3 小时前", None),
        ("6 月前", None),
        ("1 年前", None),
    ],
)
def test_relative_dates_count_from_the_day_of_capture(text: str, expected: str | None) -> None:
    assert expected == parse_moment(text, date(2022, 7, 27))


def test_hours_count_where_the_time_of_capture_is_known() -> None:
    assert parse_moment("3 小时前", datetime(2022, 7, 27, 2, 0, tzinfo=UTC)) == "2022-07-26"


@pytest.mark.parametrize("text", ["14 天前", "昨天 10:49", "刚刚", "12-23"])
def test_relative_dates_are_unknown_without_capture(text: str) -> None:
    assert parse_moment(text) is None


@given(ANY_TEXT, st.none() | st.dates() | st.datetimes())
def test_dates_never_raise_and_are_moments(text: str, captured: date | None) -> None:
    moment = parse_moment(text, captured)

    assert moment is None or MOMENT.match(moment)


@given(st.dates(min_value=date(1971, 1, 1)))
def test_days_are_read_as_they_are_written(day: date) -> None:
    assert day.isoformat() == parse_moment(day.isoformat())
    assert day.isoformat() == parse_moment(f"{day.year}年{day.month}月{day.day}日")


@given(ANY_TEXT)
def test_counts_never_raise_and_are_never_negative(text: str) -> None:
    count = parse_count(text)

    assert count is None or count >= 0


@given(st.integers(min_value=0, max_value=10**15))
def test_counts_are_read_as_they_are_written(number: int) -> None:
    assert number == parse_count(str(number)) == parse_count(f"阅读 {number:,}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" https://tea.example.org/p/1 ", "https://tea.example.org/p/1"),
        ("HTTP://tea.example.org", "HTTP://tea.example.org"),
        ("https://tea.example.org/茶", "https://tea.example.org/茶"),
        ("javascript:alert(1)", None),
        ("ftp://tea.example.org", None),
        ("/p/1", None),
        ("https://", None),
        ("https://[::1", None),
        ("https://tea.example.org/a b", None),
        ("https://tea.example.org/\x00", None),
        ("https://tea.example.org:port/", None),
        ("", None),
    ],
)
def test_web_addresses(text: str, expected: str | None) -> None:
    assert expected == web_address(text)


@pytest.mark.parametrize(
    "url",
    [
        "https://tea.example.org/p/1",
        "http://tea.example.org/p/1",
        "https://www.tea.example.org/p/1/",
        "https://TEA.example.org:443/p/1#part",
        "https://tea.example.org/p/1?utm_source=x&from=singlemessage",
    ],
)
def test_addresses_of_one_page_are_one(url: str) -> None:
    assert canonical_url(url) == "tea.example.org/p/1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://tea.example.org/p/1", "https://tea.example.org/p/2"),
        ("https://tea.example.org/?p=1", "https://tea.example.org/?p=2"),
        ("https://tea.example.org/#!/1", "https://tea.example.org/#!/2"),
        ("https://tea.example.org/A", "https://tea.example.org/a"),
        ("https://tea.example.org:8080/", "https://tea.example.org/"),
    ],
)
def test_addresses_of_two_pages_are_two(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)


def test_an_address_is_the_same_with_and_without_percent_signs() -> None:
    assert canonical_url("https://a.example/%e8%8c%b6") == canonical_url("https://a.example/茶")


@given(ANY_TEXT)
def test_addresses_never_raise(text: str) -> None:
    web_address(text)
    canonical_url(text)
    canonical_url("https://" + text)
