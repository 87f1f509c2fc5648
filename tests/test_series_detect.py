from __future__ import annotations

import json
import random
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbexport.models import CollatedPost, Series
from kbexport.series.detect import detect_series, short_name

CORPUS = Path(__file__).parent / "series" / "corpus.jsonl"
Row = dict[str, Any]


def corpus() -> dict[str, list[Row]]:
    """Return the invented blogs: each holds one kind of phenomenon with its right answer."""
    blogs: dict[str, list[Row]] = defaultdict(list)
    for line in CORPUS.read_text("utf-8").splitlines():
        row = json.loads(line)
        blogs[row["blog"]].append(row)
    return blogs


def post(  # noqa: PLR0913 - one argument a field that detection reads
    uid: str,
    title: str,
    published: str | None = None,
    *,
    series: str | None = None,
    ordinal: int | None = None,
    tags: Sequence[str] = (),
) -> CollatedPost:
    return CollatedPost(
        uid=uid,
        keys=(),
        origins={},
        title=title,
        published=published,
        series=series,
        ordinal=ordinal,
        tags=tuple(tags),
    )


def posts_of(rows: Sequence[Row]) -> list[CollatedPost]:
    return [post(r["id"], r["title"], r["published"], tags=r["tags"]) for r in rows]


def titled(*titles: str) -> list[CollatedPost]:
    return [post(f"p-{n:02}", title, f"2020-01-{n:02}") for n, title in enumerate(titles, 1)]


def found(posts: Sequence[CollatedPost]) -> dict[str, list[int | None]]:
    return {s.name: [part.ordinal for part in s.parts] for s in detect_series(posts).series}


@pytest.mark.parametrize("blog", sorted(corpus()))
def test_the_series_of_a_blog_are_those_that_a_reader_would_list(blog: str) -> None:
    rows = corpus()[blog]
    places = {
        part.uid: (series.name, part.ordinal)
        for series in detect_series(posts_of(rows)).series
        for part in series.parts
    }

    wanted = {row["title"]: (row["series"], row["ordinal"]) for row in rows}

    assert {r["title"]: places.get(r["id"], (None, None)) for r in rows} == wanted


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_posts_does_not_matter(seed: int) -> None:
    posts = [p for rows in corpus().values() for p in posts_of(rows)]
    expected = detect_series(posts).series

    random.Random(seed).shuffle(posts)  # noqa: S311 - no secret is drawn

    assert detect_series(posts).series == expected


def test_each_part_says_why_in_one_line() -> None:
    for rows in corpus().values():
        for series in detect_series(posts_of(rows)).series:
            for part in series.parts:
                assert part.evidence
                assert "\n" not in part.evidence


def test_what_the_source_states_wins_over_the_title() -> None:
    posts = [
        post("a", "种番茄（一）", series="菜园", ordinal=2),
        post("b", "一把好铲子", series="菜园", ordinal=1),
        post("c", "种番茄（二）"),
        post("d", "种番茄（三）"),
    ]

    assert found(posts) == {"菜园": [1, 2], "种番茄": [2, 3]}


def test_a_stated_series_takes_its_number_from_the_title() -> None:
    posts = [
        post("a", "The clay, part 2", series="Digging"),
        post("b", "The gravel, part 1", series="Digging"),
    ]

    assert found(posts) == {"Digging": [1, 2]}


def test_a_stated_name_and_the_same_name_in_a_title_are_one_series() -> None:
    posts = [
        post("a", "浇水", series="种番茄", ordinal=1),
        post("b", "种番茄（二）"),
        post("c", "种番茄（三）"),
    ]

    assert found(posts) == {"种番茄": [1, 2, 3]}


def test_a_part_without_a_sibling_is_no_series() -> None:
    assert found(titled("种番茄（一）", "养蜂（二）", "一把好铲子")) == {}


def test_one_title_twice_is_no_series() -> None:
    assert found(titled("种番茄（一）", "种番茄（一）", "月度总结", "月度总结")) == {}


def test_a_longer_name_is_a_series_of_its_own() -> None:
    posts = titled("水培（1）", "水培（2）", "水培 生菜（3）", "水培 生菜（4）", "水培番茄苗（5）")

    assert found(posts) == {"水培": [1, 2], "水培 生菜": [3, 4]}


def test_one_name_in_two_columns_is_two_series_where_the_numbers_collide() -> None:
    posts = titled(
        "[木工] 笔记（一）", "[木工] 笔记（二）", "[园艺] 笔记（一）", "[园艺] 笔记（二）"
    )

    assert found(posts) == {"笔记": [1, 2], "笔记 (园艺)": [1, 2]} or found(posts) == {
        "笔记": [1, 2],
        "笔记 (木工)": [1, 2],
    }


def test_a_series_may_span_two_columns() -> None:
    assert found(titled("[木工] 板凳（一）", "[手工] 板凳（二）")) == {"板凳": [1, 2]}


def test_gaps_are_named() -> None:
    (series,) = detect_series(titled("种番茄（3）", "种番茄（4）", "种番茄（7）")).series

    assert series.gaps == ((1, 2), (5, 6))


def test_the_alias_is_the_name_and_the_number() -> None:
    assert short_name("种番茄", 15) == "种番茄(15)"
    assert short_name("种番茄", None) is None


@pytest.mark.parametrize(
    "titles",
    [
        ["Trowel-3", "Trowel-4", "Trowel-5"],
        ["Trowel D3 review", "Trowel D4 review"],
        ["Trowel 1 launched", "Trowel 2 launched", "Trowel 3 launched"],
        ["Trowel 5 Update 1", "Trowel 5 Update 2"],
        ["Trowel 7 Beta 3", "Trowel 7 Beta 4"],
        ["Sprint 14 demo", "Sprint 15 demo"],
        ["Level 3 frost", "Level 4 frost"],
        ["[LeetCode] 1. Two Sum", "[LeetCode] 2. Add Two Numbers"],
        ["年度总结（2019）", "年度总结（2020）"],
        ["第一次剪枝", "第二次浇水"],
        ["25 岁的番茄", "26 岁的番茄"],
    ],
)
def test_look_alikes_are_no_series(titles: list[str]) -> None:
    assert found(titled(*titles)) == {}


def test_the_next_number_soon_after_the_last_belongs_under_another_name_too() -> None:
    posts = titled(
        "Trying out bees (1)", "Trying out bees (2)", "Trying out bees (3)", "More on bees (4)"
    )

    assert found(posts) == {"Trying out bees": [1, 2, 3, 4]}


def test_a_first_part_may_have_a_longer_title() -> None:
    posts = titled("Introducing Verdant", "Verdant, part 2", "Verdant, part 3")

    assert found(posts) == {"Verdant": [None, 2, 3]}


def test_a_part_behind_a_colon_comes_before_part_2() -> None:
    posts = titled("Small Orchard Planning: apples", "Small Orchard Planning, part 2: fences")

    assert found(posts) == {"Small Orchard Planning": [None, 2]}


def test_halves_of_one_part_join_the_other_parts() -> None:
    posts = titled("番茄之浇水（上）", "番茄之浇水（下）", "番茄之选种", "番茄之育苗", "番茄之搭架")

    (series,) = detect_series(posts).series

    assert (series.name, len(series.parts)) == ("番茄", 5)


def test_a_name_behind_a_bar_needs_three_titles() -> None:
    name = " | Small Orchard Planning"

    assert found(titled(f"Apples{name}", f"Fences{name}", "Dew", "Frost", "Rain")) == {}
    assert found(
        titled(f"Apples{name}", f"Fences{name}", f"Bees{name}", "Dew", "Frost", "Rain")
    ) == {"Small Orchard Planning": [None] * 3}


def test_the_name_of_the_blog_behind_every_title_is_no_series() -> None:
    assert (
        found(titled(*(f"{word} | Anna's Small Orchard" for word in "Dew Frost Rain".split())))
        == {}
    )


def test_three_titles_with_one_long_beginning_are_a_series() -> None:
    name = "The Whole Gentle Old Art of Grafting"

    assert found(titled(*(f"{name} {tree}" for tree in "Apples Pears Plums".split()))) == {
        name: [None] * 3
    }


def test_posts_in_a_row_on_a_tag_of_their_own_are_a_series() -> None:
    subject = [
        post("a", "How the Verdant works", "2020-01-01", tags=("Verdant", "glass")),
        post("b", "A lamp for my Verdant", "2020-01-05", tags=("Verdant", "glass")),
        post("c", "Selling a Verdant", "2020-01-09", tags=("Verdant", "glass")),
    ]
    others = [post("d", "Dew", "2020-02-01", tags=("glass",))]

    assert found([*subject, *others]) == {"Verdant": [None] * 3}
    assert found([*subject, post("e", "Cleaning", "2020-01-11", tags=("Verdant",))]) == {}


def test_an_opening_that_names_the_series_is_evidence_for_it() -> None:
    parts = [
        post("a", "番茄病害：开篇", "2020-01-01"),
        post("b", "番茄病害：白粉", "2021-01-01"),
        post("c", "番茄病害：早疫", "2022-01-01"),
    ]

    assert found(parts) == {"番茄病害": [None] * 3}


TITLES = st.builds(
    lambda column, name, sign, part: f"{column}{name}{sign}{part}",
    st.sampled_from(["", "[甲] ", "【乙】", "[1] "]),
    st.sampled_from(
        ["种番茄", "Growing Tomatoes", "水培 生菜", "水培", "", "C++", "ß", "SS", "第"]
    ),
    st.sampled_from(
        ["", "（一）", " (2)", " Part 3", " #4", " 2021", "（上）", "(下)", " II", " 5", "续"]
    ),
    st.sampled_from(["", " - 浇水", "：浇水", " and more", "（1/2）", "上"]),
)
POSTS = st.lists(
    st.tuples(
        TITLES | st.text(max_size=30),
        st.none() | st.dates().map(str) | st.just("2021-05-20T17:41:31"),
        st.sampled_from([None, None, "种番茄", "Stated", "stated", " "]),
        st.none() | st.integers(-2, 3000),
    ),
    max_size=25,
)


def series_of(
    drawn: Sequence[tuple[str, str | None, str | None, int | None]],
) -> tuple[Series, ...]:
    posts = [
        post(f"p-{n}", title, date, series=series, ordinal=ordinal)
        for n, (title, date, series, ordinal) in enumerate(drawn)
    ]
    return detect_series(posts).series


@given(POSTS)
@settings(deadline=None)
def test_any_posts_give_series_that_keep_their_promises(
    drawn: list[tuple[str, str | None, str | None, int | None]],
) -> None:
    series = series_of(drawn)

    uids = Counter(part.uid for each in series for part in each.parts)
    names = Counter(unicodedata.normalize("NFKC", each.name).casefold() for each in series)
    assert all(count == 1 for count in uids.values())
    assert all(count == 1 for count in names.values())
    assert all(each.name.strip() and len(each.parts) >= 2 for each in series)
    assert all(len(each.gaps) <= len(each.parts) + 1 for each in series)
    known = {each.name for each in series}
    for each in series:
        related = [other.name for other in each.related]
        assert len(related) <= 5
        assert set(related) <= known - {each.name}


@given(POSTS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_any_posts_give_the_same_series_in_any_order(
    drawn: list[tuple[str, str | None, str | None, int | None]], shuffler: random.Random
) -> None:
    posts = [
        post(f"p-{n}", title, date, series=series, ordinal=ordinal)
        for n, (title, date, series, ordinal) in enumerate(drawn)
    ]
    expected = detect_series(posts).series

    shuffler.shuffle(posts)

    assert detect_series(posts).series == expected


def test_ten_thousand_posts_take_seconds() -> None:
    posts = [
        post(
            f"p-{n:05}",
            f"[栏目] 主题{n // 10} Topic{n // 10} ({n % 10 + 1}) - 浇水 {n}"
            if n % 2
            else f"Thoughts on tool {n}: notes",
            f"20{10 + n % 15}-03-{1 + n % 28:02}T10:00:00",
            tags=("园艺", f"t{n % 50}"),
        )
        for n in range(10_000)
    ]
    began = time.process_time()

    assert detect_series(posts).series
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "sign", ["(", "一", "- ", "1 ", "之", "part 1 ", " ", "，", "[", "第1回", "a."]
)
def test_hostile_titles_take_no_longer_than_others(sign: str) -> None:
    posts = [post(f"p-{n}", sign * 20_000 + str(n)) for n in range(20)]
    began = time.process_time()

    detect_series(posts)

    assert time.process_time() - began < 5
