from __future__ import annotations

import pytest

from kbexport.config import SeriesRules
from kbexport.models import CollatedPost, Series
from kbexport.series.detect import detect_series
from kbexport.series.neighbours import stated_neighbours
from kbexport.series.statements import read_statement


def post(uid: str, title: str, day: int = 1, **fields: str) -> CollatedPost:
    return CollatedPost(
        uid=uid,
        keys=(),
        origins={},
        title=title,
        url=f"https://garden.example/{uid}.html",
        published=f"2020-01-{day:02}",
        **fields,  # type: ignore[arg-type]  # the caller names texts only
    )


def shown(posts: list[CollatedPost]) -> dict[str, list[tuple[str, int | None]]]:
    return {s.name: [(p.uid, p.ordinal) for p in s.parts] for s in detect_series(posts).series}


@pytest.mark.parametrize(
    ("text", "name", "ordinal"),
    [
        ("本文是 种番茄系列的第七篇，介绍浇水。", "种番茄", 7),
        ("本文是种番茄的第8篇，先看工具。", "种番茄", 8),
        ("本篇为《种番茄》系列第三篇", "种番茄", 3),
        ("本文是番茄系列的第七篇", "番茄", 7),
        ("这是种番茄系列的第12讲", "种番茄", 12),
        ("This is part 2 of my series on growing tomatoes. Today: water.", "growing tomatoes", 2),
        (
            "Welcome to the third post in a five part series about growing tomatoes!",
            "growing tomatoes",
            3,
        ),
        ("この記事は「トマトを育てる」シリーズの第3回です。", "トマトを育てる", 3),
    ],
)
def test_a_text_says_which_part_it_is(text: str, name: str, ordinal: int) -> None:
    place = read_statement(post("a", "Water", excerpt=text)).place

    assert place is not None
    assert (place.name, place.ordinal) == (name, ordinal)


@pytest.mark.parametrize(
    "text",
    [
        "这是我今年写的第三篇文章，关于番茄。",
        "本文是我第一篇博客。",
        "本文是全书的第3章。",
        "这是本系列的第二篇。",
        "The third post in my garden was rotten.",
        "Part 2 of the story comes tomorrow.",
    ],
)
def test_a_text_that_names_no_series_says_nothing(text: str) -> None:
    assert read_statement(post("a", "Water", excerpt=text)).place is None


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("本系列分为三篇文章，分别是基石、浇水和收获。", 3),
        ("This is the first of a four-part series.", 4),
        ("全5回の連載です。", 5),
        ("This is the second of a series of 3 posts.", 3),
        ("Tomatoes have many parts.", None),
        ("本文分为三部分：选种、浇水、收获。", None),
        ("A tenth part of them froze, in two parts of the garden.", None),
    ],
)
def test_a_text_says_how_many_parts_there_are(text: str, total: int | None) -> None:
    assert read_statement(post("a", "Water", body_markdown=text)).total == total


def test_posts_without_a_common_title_are_a_series_where_their_texts_say_so() -> None:
    posts = [
        post("a", "选一块地", 1, excerpt="本文是种番茄系列的第一篇。"),
        post("b", "浇水的学问", 9, excerpt="本文是种番茄系列的第二篇。"),
        post("c", "养蜂", 12),
    ]

    assert shown(posts) == {"种番茄": [("a", 1), ("b", 2)]}


def test_a_text_gives_the_number_that_a_title_lacks_and_never_corrects_one() -> None:
    posts = [
        post("a", "种番茄：选一块地", 1, excerpt="本文是种番茄系列的第一篇。"),
        post("b", "种番茄（2）：浇水", 9, excerpt="本文是种番茄系列的第三篇。"),
        post("c", "种番茄（3）：收获", 12),
    ]

    assert shown(posts) == {"种番茄": [("a", 1), ("b", 2), ("c", 3)]}


def test_parts_that_are_still_to_come_are_gaps_where_a_text_gives_the_total() -> None:
    posts = [
        post("a", "种番茄（1）", 1, excerpt="本系列分为四篇文章。"),
        post("b", "种番茄（2）", 2),
    ]

    (series,) = detect_series(posts).series

    assert series.gaps == ((3, 4),)


LINKED = {
    "Markdown": "Text.\n\nPrevious: [A patch](a.html)",
    "HTML": '<p>Text</p><p>Previous post: <a href="https://garden.example/a.html">A patch</a></p>',
    "label in the link": "[« Previous: A patch](a.html)",
    "title": "上一篇：《A patch》",
}


@pytest.mark.parametrize("body", LINKED.values(), ids=LINKED)
def test_a_link_to_the_part_before_ties_two_posts(body: str) -> None:
    field = "body_html" if body.startswith("<") else "body_markdown"
    posts = [
        post("a", "A patch", 1),
        post("x", "Bees", 2),
        post("b", "Water", 3, **{field: body}),
        post("y", "Wood", 4),
    ]

    assert stated_neighbours(posts) == {"b": "a"}
    assert list(shown(posts).values()) == [[("a", None), ("b", None)]]


def test_links_give_the_order_that_dates_do_not() -> None:
    posts = [
        post("c", "Harvest", 1, body_markdown="上一篇：[Water](b.html)"),
        post("b", "Water", 2, body_markdown="下一篇：[Harvest](c.html)\n上一篇：[A patch](a.html)"),
        post("a", "A patch", 3),
        *[post(f"x{n}", f"Bees in {n} rooms", n, body_markdown="Nothing") for n in range(4, 9)],
    ]

    (series,) = detect_series(posts).series

    assert [part.uid for part in series.parts] == ["a", "b", "c"]
    assert not series.inferred_order


def test_links_in_a_circle_lose_no_part() -> None:
    posts = [
        post("a", "A patch", 1, body_markdown="上一篇：[Harvest](c.html)"),
        post("b", "Water", 2, body_markdown="上一篇：[A patch](a.html)"),
        post("c", "Harvest", 3, body_markdown="上一篇：[Water](b.html)"),
        *[post(f"x{n}", f"Bees in {n} rooms", n, body_markdown="Nothing") for n in range(4, 9)],
    ]

    assert [sorted(uid for uid, _ in parts) for parts in shown(posts).values()] == [["a", "b", "c"]]


def test_links_that_lead_through_the_whole_blog_are_its_navigation() -> None:
    titles = ["A patch", "Bees", "Water", "Wood", "Plums", "Fences", "Slugs", "Frost"]
    posts = [
        post(
            f"p{n}", title, n + 1, body_markdown=f"Text\n\n上一篇：[{titles[n - 1]}](p{n - 1}.html)"
        )
        for n, title in enumerate(titles)
    ]

    assert shown(posts) == {}


def test_an_extra_joins_the_series_that_its_text_continues() -> None:
    posts = [
        post("a", "种番茄（1）", 1),
        post("b", "种番茄（2）", 5),
        post("c", "晒干的味道", 9, body_markdown="前一篇：[种番茄（2）](b.html)"),
        *[post(f"x{n}", f"养蜂{n}箱", n, body_markdown="无") for n in range(10, 14)],
    ]

    assert shown(posts)["种番茄"] == [("a", 1), ("b", 2), ("c", None)]


def test_a_number_in_another_series_is_none_in_this_one() -> None:
    posts = [
        post("a", "种番茄（1）", 1),
        post("b", "种番茄（2）", 5),
        post(
            "c",
            "晒干的味道",
            9,
            body_markdown="本文是木工系列的第七篇。\n\n前一篇：[种番茄（2）](b.html)",
        ),
        *[post(f"x{n}", f"养蜂{n}箱", n, body_markdown="无") for n in range(10, 14)],
    ]

    assert shown(posts)["种番茄"] == [("a", 1), ("b", 2), ("c", None)]


def test_posts_that_texts_link_are_called_by_what_their_titles_share() -> None:
    posts = [
        post("a", "番茄日记甲", 1),
        post("b", "番茄日记乙", 5, body_markdown="前一篇：[番茄日记甲](a.html)"),
        *[post(f"x{n}", f"养蜂{n}箱", n, body_markdown="无") for n in range(10, 14)],
    ]

    assert list(shown(posts)) == ["番茄日记"]


def test_a_post_whose_neighbour_is_forbidden_is_no_series_of_one() -> None:
    posts = [
        post("a", "浇水", 1),
        post("b", "晒干的味道", 5, body_markdown="前一篇：[浇水](a.html)"),
        *[post(f"x{n}", f"养蜂{n}箱", n, body_markdown="无") for n in range(10, 14)],
    ]

    assert detect_series(posts, SeriesRules(forbid=("浇水",))).series == ()


def test_an_extra_between_two_series_joins_the_one_before_it() -> None:
    posts = [
        post("a1", "种番茄（1）", 1),
        post("a2", "种番茄（2）", 2),
        post("c", "晒干的味道", 3, body_markdown="前一篇：[种番茄（2）](a2.html)"),
        post("b1", "养蜂记（1）", 4, body_markdown="前一篇：[晒干的味道](c.html)"),
        post("b2", "养蜂记（2）", 5),
        *[post(f"x{n}", f"木箱{n}号", n, body_markdown="无") for n in range(10, 16)],
    ]

    assert shown(posts)["种番茄"] == [("a1", 1), ("a2", 2), ("c", None)]
    assert shown(list(reversed(posts))) == shown(posts)


def related(posts: list[CollatedPost]) -> dict[str, list[str]]:
    found: tuple[Series, ...] = detect_series(posts).series
    return {s.name: [f"{r.name}: {r.reason}" for r in s.related] for s in found}


def test_series_whose_parts_link_to_one_another_are_related() -> None:
    posts = [
        post("a1", "种番茄（1）", 1),
        post("a2", "种番茄（2）", 2, body_markdown="蜂来了，见[养蜂](b1.html)。"),
        post("b1", "养蜂记（1）", 3),
        post("b2", "养蜂记（2）", 4),
        post("c1", "木工（1）", 5),
        post("c2", "木工（2）", 6),
    ]

    assert related(posts) == {
        "养蜂记": ["种番茄: parts link to one another"],
        "种番茄": ["养蜂记: parts link to one another"],
        "木工": [],
    }


def test_white_space_of_any_length_costs_nothing() -> None:
    """Each of these took minutes before white space was collapsed; the test ends if it is."""
    spaces = " " * 3000
    layout = "<h2>系列</h2><span>本文</span>" + "\n        <div>" * 200
    for text in (f"系列 本文{spaces}x", f"series 本文 {spaces}第", layout):
        assert read_statement(post("a", "Water", body_html=text)).place is None
    for text in (f"previous{spaces}x", f"<div>Previous{spaces}", f"[{spaces}prev"):
        assert stated_neighbours([post("a", "Water", body_markdown=text * 20)]) == {}


TOPICS = "Slugs Bees Water Wood Plums Fences Rain Frost Sand Stone Moss Clay".split()


def navigated(n: int, before: int) -> dict[str, str]:
    return {"body_markdown": f"Text\n\nPrevious: [{TOPICS[before]}](p{before}.html)"} if n else {}


def test_navigation_of_posts_of_one_day_or_without_a_date_makes_no_series() -> None:
    posts = [post(f"p{n}", t, 1, **navigated(n, n - 1)) for n, t in enumerate(TOPICS)]

    assert shown(posts) == {}
    assert shown([one.model_copy(update={"published": None}) for one in posts]) == {}


def test_navigation_within_categories_makes_no_series() -> None:
    posts = [
        post(f"p{n}", t, n + 1, **navigated(max(0, n - 1), n - 2)).model_copy(
            update={"categories": ("odd" if n % 2 else "even",)}
        )
        for n, t in enumerate(TOPICS)
    ]

    assert shown(posts) == {}


def test_navigation_of_a_few_saved_pages_beside_a_listing_makes_no_series() -> None:
    posts = [
        post(f"p{n}", t, n + 1, excerpt="Text", **(navigated(n, n - 1) if 3 <= n < 7 else {}))
        for n, t in enumerate(TOPICS)
    ]

    assert shown(posts) == {}


@pytest.mark.parametrize(
    "sentence",
    [
        "Previously [I wrote about soil](a.html), which has nothing to do with it.",
        "Next [test your soil](a.html) and start the pump.",
        "我之前一篇《A patch》里提过。",
        "前一篇《A patch》里提过。",
    ],
)
def test_a_sentence_with_a_link_ties_no_posts(sentence: str) -> None:
    posts = [
        post("a", "A patch", 1),
        *[post(f"x{n}", topic, n + 2, body_markdown="No") for n, topic in enumerate(TOPICS)],
        post("b", "Kites", 28, body_markdown=sentence),
    ]

    assert stated_neighbours(posts) == {}


def test_a_post_that_several_name_as_the_one_before_is_none() -> None:
    posts = [
        post("a", "Start here", 1),
        *[post(f"x{n}", topic, n + 2, body_markdown="No") for n, topic in enumerate(TOPICS)],
        *[
            post(f"b{n}", f"Kites {topic}", 25 + n, body_markdown="Previous: [Start here](a.html)")
            for n, topic in enumerate("red blue".split())
        ],
    ]

    assert stated_neighbours(posts) == {}


def test_a_title_that_two_posts_have_means_neither() -> None:
    posts = [
        post("a", "A patch", 1),
        post("a2", "A patch", 3),
        post("x", "Bees", 5),
        post("b", "Water", 9, body_markdown="上一篇：《A patch》"),
    ]

    assert stated_neighbours(posts) == {}


@pytest.mark.parametrize(
    "text",
    [
        "If you are new, start with the first part in my series on growing tomatoes.",
        "> 本文是种番茄系列的第一篇（转引）",
        "<blockquote>本文是种番茄系列的第一篇</blockquote>",
    ],
)
def test_a_text_about_another_part_says_nothing_of_this_one(text: str) -> None:
    assert read_statement(post("a", "Water", body_html=text)).place is None


@pytest.mark.parametrize(
    "text", ["Last night I saw a ten-part series on TV.", "某出版社的系列丛书共 9 篇。"]
)
def test_the_total_of_another_series_is_none_of_this_one(text: str) -> None:
    assert read_statement(post("a", "Water", body_markdown=text)).total is None


def test_a_number_that_two_texts_state_is_given_to_neither() -> None:
    said = "本文是种番茄系列的第三篇。"
    posts = [
        post("a", "种番茄（1）", 1),
        post("b", "种番茄（2）", 2),
        post("c", "种番茄：收获", 3, excerpt=said),
        post("d", "种番茄：晒干", 4, excerpt=said),
    ]

    assert shown(posts) == {"种番茄": [("a", 1), ("b", 2), ("c", None), ("d", None)]}


def test_totals_that_differ_say_nothing() -> None:
    posts = [
        post("a", "种番茄（1）", 1, excerpt="本系列分为四篇文章。"),
        post("b", "种番茄（2）", 2, excerpt="本系列分为五篇文章。"),
    ]

    assert detect_series(posts).series[0].gaps == ()


def test_what_a_text_says_is_not_told_as_the_titles() -> None:
    posts = [
        post("a", "选一块地", 1, excerpt="本文是种番茄系列的第一篇。"),
        post("b", "浇水的学问", 9, excerpt="本文是种番茄系列的第二篇。"),
        post("c", "蜂箱", 12, excerpt="本文是养蜂笔记系列的第四篇。"),
    ]

    found = detect_series(posts)

    evidence = [part.evidence for part in found.series[0].parts]
    evidence += [part.evidence for part in found.lone]
    assert len(evidence) == 3
    assert all(each.startswith("its text says ") for each in evidence)
