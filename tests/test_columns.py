from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.text.columns import split_column

COLUMNS = [
    ("[园丁夜话] 蚯蚓的一天", "园丁夜话", "蚯蚓的一天"),
    ("[园丁夜话]蚯蚓的一天", "园丁夜话", "蚯蚓的一天"),
    ("【木工】第一课：锯", "木工", "第一课：锯"),
    ("［木工］锯", "木工", "锯"),
    ("〔木工〕锯", "木工", "锯"),
    (" [C] pointers", "C", "pointers"),
    ("[Java 8] streams", "Java 8", "streams"),
]

NO_COLUMNS = [
    "[[双链]] 是什么",
    "[1] 开始",
    "[2021] 总结",
    "[十二] 开始",
    "[Part 6] Watering",
    "【第3期】浇水",
    "【连载一】浇水",
    "[只有括号]",
    "[] 空的",
    "[text](https://example.org)",
    "数组[0]|下标",
    "「トマト」を育てる",
    "《土壤手册》读后",
    "（原创）堆肥",
    "[a bracket that goes on for so long that it is a sentence] and more",
    "no bracket",
]


@pytest.mark.parametrize(("title", "column", "rest"), COLUMNS)
def test_a_bracket_in_front_is_the_column(title: str, column: str, rest: str) -> None:
    assert split_column(title) == (column, rest)


@pytest.mark.parametrize("title", NO_COLUMNS)
def test_other_brackets_stay_in_the_title(title: str) -> None:
    assert split_column(title) == (None, title)


@given(st.text(alphabet=st.sampled_from("[]【】 a1第期\n"), min_size=1) | st.text(min_size=1))
def test_no_title_loses_its_text(title: str) -> None:
    column, rest = split_column(title)

    assert rest
    assert column is None or column in title
