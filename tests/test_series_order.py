from __future__ import annotations

from collections.abc import Sequence

import pytest

from kbexport.models import CollatedPost, Series
from kbexport.series.detect import detect_series
from kbexport.series.order import gaps_of


def post(uid: str, title: str, published: str | None) -> CollatedPost:
    return CollatedPost(uid=uid, keys=(), origins={}, id=uid, title=title, published=published)


def only(posts: Sequence[CollatedPost]) -> Series:
    (series,) = detect_series(posts).series
    return series


def uids(series: Series) -> list[str]:
    return [part.uid for part in series.parts]


def test_numbers_win_over_dates() -> None:
    series = only(
        [
            post("a10", "种番茄（10）", "2020-01-01"),
            post("a9", "种番茄（9）", "2020-01-02"),
            post("a0", "种番茄（0）", "2020-01-03"),
        ]
    )

    assert uids(series) == ["a0", "a9", "a10"]
    assert not series.inferred_order


def test_doubles_stand_in_the_order_of_their_dates() -> None:
    series = only(
        [
            post("new", "种番茄（1）", "2021-01-01"),
            post("old", "种番茄（1）", "2020-01-01"),
            post("two", "种番茄（2）", "2020-02-01"),
        ]
    )

    assert uids(series) == ["old", "new", "two"]


def test_three_halves_are_one_two_three() -> None:
    series = only(
        [
            post("c", "嫁接（下）", "2020-01-01"),
            post("b", "嫁接（中）", "2020-01-02"),
            post("a", "嫁接（上）", "2020-01-03"),
        ]
    )

    assert [(p.uid, p.ordinal) for p in series.parts] == [("a", 1), ("b", 2), ("c", 3)]


def test_a_part_without_a_number_stands_before_the_first_numbered_one_of_a_later_date() -> None:
    series = only(
        [
            post("one", "种番茄（1）", "2020-01-01"),
            post("extra", "种番茄：番外", "2020-01-15"),
            post("two", "种番茄（2）", "2020-02-01"),
            post("end", "种番茄（完）", "2020-03-01"),
        ]
    )

    assert uids(series) == ["one", "extra", "two", "end"]


def test_without_any_date_the_first_part_stands_in_front() -> None:
    series = only(
        [post("b", "Growing Tomatoes, part 2", None), post("a", "Growing Tomatoes", None)]
    )

    assert uids(series) == ["a", "b"]


GLASSHOUSE = ["暖棚 Verdant 之通风", "暖棚 Verdant 之遮阳", "暖棚 Verdant 之灌溉"]


def burst(day: str) -> list[CollatedPost]:
    """Return three posts without numbers, a few seconds apart."""
    return [post(f"v{n}", t, f"{day}T10:00:{n * 5:02}") for n, t in enumerate(GLASSHOUSE)]


def test_dates_give_the_order_where_there_are_no_numbers() -> None:
    series = only(burst("2020-01-01"))

    assert uids(series) == ["v0", "v1", "v2"]
    assert series.inferred_order


@pytest.mark.parametrize(
    ("seconds", "expected"), [((10, 40), ["v0", "v1", "v2"]), ((40, 10), ["v2", "v1", "v0"])]
)
def test_an_import_runs_the_way_of_the_numbered_series(
    seconds: tuple[int, int], expected: list[str]
) -> None:
    numbered = [
        post(f"n{n}", f"种番茄（{n}）", f"2020-05-01T09:00:{second}")
        for n, second in enumerate(seconds, 1)
    ]

    series = {s.name: s for s in detect_series([*burst("2020-01-01"), *numbered]).series}

    assert uids(series["暖棚 Verdant"]) == expected


def test_posts_of_one_day_without_a_time_are_no_import() -> None:
    numbered = [
        post("n1", "种番茄（1）", "2020-05-01T09:00:40"),
        post("n2", "种番茄（2）", "2020-05-01T09:00:10"),
    ]
    parts = [post(f"v{n}", title, "2020-01-01") for n, title in enumerate(GLASSHOUSE)]

    series = {s.name: s for s in detect_series([*parts, *numbered]).series}

    assert uids(series["暖棚 Verdant"]) == ["v0", "v1", "v2"]


@pytest.mark.parametrize(
    ("ordinals", "gaps"),
    [
        ([1, 2, 3], ()),
        ([0, 1], ()),
        ([7, 8], ((1, 6),)),
        ([1, 3, 4, 8], ((2, 2), (5, 7))),
        ([], ()),
        ([2021, 2022], ()),
        ([1, 999_999], ()),
    ],
)
def test_gaps_are_runs_of_missing_numbers(
    ordinals: list[int], gaps: tuple[tuple[int, int], ...]
) -> None:
    assert gaps_of(ordinals) == gaps


EXTRAS = ("种番茄 终篇", "种番茄（2）", "种番茄 前言", "种番茄（1）", "种番茄 番外：晒干")


@pytest.mark.parametrize(
    "moments",
    [
        [None] * 5,
        ["2020-01-01"] * 5,
        [f"2020-01-01T10:00:0{second}" for second in range(5)],
        [f"2020-01-01T10:00:0{9 - second}" for second in range(5)],
        ["2020-01-05", "2020-01-03", "2020-01-01", "2020-01-02", "2020-01-06"],
        [None, "2020-01-02", None, "2020-01-01", None],
    ],
    ids=["undated", "one day", "a burst", "a burst backwards", "dated", "numbers dated"],
)
def test_a_preface_stands_in_front_and_a_finale_at_the_end(moments: list[str | None]) -> None:
    series = only(
        [
            post(str(n), title, when)
            for n, (title, when) in enumerate(zip(EXTRAS, moments, strict=True))
        ]
    )

    assert uids(series)[:3] == ["2", "3", "1"]
    assert set(uids(series)[3:]) == {"0", "4"}


def test_an_extra_stands_where_its_date_puts_it() -> None:
    series = only(
        [
            post("1", "种番茄（1）", "2020-01-01"),
            post("x", "种番茄 番外：晒干", "2020-02-01"),
            post("2", "种番茄（2）", "2020-03-01"),
        ]
    )

    assert uids(series) == ["1", "x", "2"]
