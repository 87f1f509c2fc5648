from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.text.numerals import MAX_VALUE, parse_numeral

NUMERALS = [
    ("7", 7),
    ("007", 7),
    ("１２", 12),
    ("①", 1),
    ("零", 0),
    ("〇", 0),
    ("两", 2),
    ("十", 10),
    ("十二", 12),
    ("二十", 20),
    ("廿一", 21),
    ("卅", 30),
    ("百", 100),
    ("一百零五", 105),
    ("两百三十", 230),
    ("贰拾", 20),
    ("二〇二一", 2021),
    ("IV", 4),
    ("xii", 12),
    ("Ⅸ", 9),
    ("seven", 7),
    ("Twelve", 12),
    ("twenty-one", 21),
    (" 3 ", 3),
]

NO_NUMERALS = [
    "",
    " ",
    "x1",
    "1a",
    "IIII",
    "Iv",
    "二三十",
    "十百",
    "twenty twelve",
    "3.5",
    "-1",
    "上",
]


@pytest.mark.parametrize(("text", "value"), NUMERALS)
def test_a_numeral_is_read_in_every_script(text: str, value: int) -> None:
    assert parse_numeral(text) == value


@pytest.mark.parametrize("text", NO_NUMERALS)
def test_what_is_no_numeral_as_a_whole_is_none(text: str) -> None:
    assert parse_numeral(text) is None


@pytest.mark.parametrize("text", ["1" * 5000, "十" * 5000, "I" * 5000, "10000", "seven " * 900])
def test_a_number_beyond_all_parts_is_none(text: str) -> None:
    assert parse_numeral(text) is None


@given(st.text())
def test_any_text_is_a_small_number_or_none(text: str) -> None:
    value = parse_numeral(text)

    assert value is None or 0 <= value <= MAX_VALUE
