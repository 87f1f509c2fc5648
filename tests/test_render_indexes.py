"""What the notes of series, columns and Home say beyond their lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from blog import GULL, Blog, part
from pytest_regressions.file_regression import FileRegressionFixture

from kbexport.text.reading import reading_time

BIRDS: list[dict[str, Any]] = [
    {
        "title": f"[灯塔] 灯塔手记外篇({n}) {name}",
        "url": f"https://blog.example/b/{n}",
        "published": f"2024-07-0{n}",
        "tags": ["灯", "[[x]] #y"],
    }
    for n, name in ((1, "海鸥"), (2, "燕鸥"), (4, "信天翁"))
]
LAMPS = [part(n, tags=["灯"], title=f"[灯塔] 灯塔手记({n}) 夜") for n in (1, 2, 3)]


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path)


@pytest.mark.parametrize("flavor", ["both", "obsidian"])
def test_notes_of_series_columns_and_home_are_worth_opening(
    blog: Blog, file_regression: FileRegressionFixture, flavor: str
) -> None:
    lone = {**GULL, "title": "[灯塔] 海鸥"}
    blog.build(*LAMPS, *BIRDS, lone, flavor=flavor)

    notes = ("灯塔手记", "灯塔手记外篇", "灯塔", "Home")
    file_regression.check("\n".join(blog.note(name).read_text() for name in notes), extension=".md")


def test_a_series_says_how_long_its_texts_take_and_how_many_there_are(blog: Blog) -> None:
    blog.build(part(1, body_markdown="灯" * 2000), part(2, body_markdown=None), GULL)

    assert (
        "\n2 篇 · 2024-05-01 – 2024-05-02 · 1 篇有正文，约 5 分钟\n"
        in blog.note("灯塔手记").read_text()
    )


def test_a_typing_error_mended_in_a_text_changes_no_index(blog: Blog) -> None:
    blog.build(part(1, body_markdown="灯" * 2000), part(2))

    plan = blog.build(part(1, body_markdown="灯" * 2001), part(2))

    assert plan.counts["update"] == 1


def test_reading_time_counts_signs_of_chinese_and_words_of_english_and_no_tags() -> None:
    assert reading_time("灯" * 400, None) == 1
    assert reading_time("a lamp " * 110, None) == 1
    assert reading_time(None, "<p class='a b c'>灯</p>" * 400) == 1
    assert reading_time(None, None) == 0
