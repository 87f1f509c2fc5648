"""Markdown of one line as plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.text.markup import Link, links_alone, plain_line


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("茶 *与* **水** 和 `a*b*` [炉](u)", "茶 与 水 和 a*b* 炉"),
        ("***茶*** ~~水~~ __炉__ <b>火</b>", "茶 水 炉 火"),
        ('[茶](u_(a) "题") ![图](<a b>)', "茶 图"),
        ("[**茶**](https://x)", "茶"),
        ("`` a`b `` <https://x/_a_>", "a`b https://x/_a_"),
        ("\\*茶\\* &amp; R&D", "*茶* & R&D"),
        ("snake_case_name 与 2 * 3 * 4", "snake_case_name 与 2 * 3 * 4"),
        ("[源码解析] List<String> (2)", "[源码解析] List<String> (2)"),
    ],
)
def test_markup_becomes_its_words(line: str, expected: str) -> None:
    assert expected == plain_line(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[a](u)", [Link("a", "u")]),
        (r"[\[a\] b](u) [c++](v 't')", [Link("[a] b", "u"), Link("c++", "v")]),
        ("[a](u) b", []),
        ("![a](u)", []),
        ("a", []),
    ],
)
def test_a_line_of_links_is_taken_apart(line: str, expected: list[Link]) -> None:
    assert expected == links_alone(line)


@given(st.text(st.sampled_from(list('ab *_~`[]()<>!\\"&;#\n\ue000\ue0010茶'))))
def test_any_line_is_read_without_an_error(line: str) -> None:
    plain_line(line)
    links_alone(line)
