"""Which source posts are one post, and which ids they get: `reexport.md`, section 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.collate import Collation, collate
from kbexport.models import CollatedPost, Post, SourcePost

RANKS = {"text": 1, "page": 2, "jsonl": 4, "markdown": 4}

Item = tuple[str, Mapping[str, object]]


def item(reader: str = "jsonl", **fields: object) -> Item:
    return reader, fields


def sources(items: Sequence[Item]) -> list[SourcePost]:
    return [
        SourcePost(
            post=Post.model_validate(fields), reader=reader, source="s", place=f"line {number}"
        )
        for number, (reader, fields) in enumerate(items)
    ]


def run(
    *items: Item,
    remembered: Sequence[CollatedPost] = (),
    keys: Mapping[str, Sequence[str]] | None = None,
) -> Collation:
    return collate(sources(items), ranks=RANKS, remembered=remembered, keys=keys)


def uids(collation: Collation) -> list[str]:
    """The id of each source post, in input order."""
    return list(collation.uids.values())


def partition(*items: Item) -> list[list[int]]:
    """Which of the items are one post: their numbers, together."""
    together: dict[str, list[int]] = {}
    for number, uid in enumerate(uids(run(*items))):
        together.setdefault(uid, []).append(number)
    return list(together.values())


A = "https://blog.example.net/p/1"
B = "https://blog.example.net/p/2"
MIRROR = "https://mirror.example.org/1"
SAME_A = "http://www.blog.example.net/p/1/?utm_source=feed#top"

TEA, SAIL = "first boil the water then wait", "hoist every sail and steer north"
HAN = "学习分布式训练需要很多台机器和很多耐心"


@pytest.mark.parametrize(
    "items",
    [
        pytest.param([item(url=A, title="x"), item(url=A, title="y")], id="one url"),
        pytest.param([item(url=A, title="x"), item(url=SAME_A, title="y")], id="one page"),
        pytest.param([item("text", title="周报"), item("page", title="周报")], id="one title"),
        pytest.param(
            [item(title="PyTorch 分布式(1)"), item(title="pytorch分布式（１）")], id="spelling"
        ),
        pytest.param(
            [item("text", title="周报"), item("page", title="周报", url=A)], id="text and page"
        ),
        pytest.param(
            [item(title="周报", url=A), item(title="周报", url=MIRROR)],
            id="a mirror on another host",
        ),
        pytest.param(
            [item("page", title="周报", id="1"), item("jsonl", title="周报", id="2")],
            id="ids of two readers",
        ),
        pytest.param(
            [
                item("text", title="周报", published="2021-01-01"),
                item("page", title="周报", published="2021-01-02"),
            ],
            id="days of two readers",
        ),
        pytest.param(
            [
                item(title="周报", published="2021-01-01T08:00:00"),
                item(title="周报", published="2021-01-01"),
            ],
            id="one day with and without its time",
        ),
        pytest.param(
            [item(title="x", body_markdown=TEA), item(title="x", body_markdown=f"{TEA}. {TEA}!")],
            id="bodies that share their words",
        ),
        pytest.param(
            [item(title="x", body_markdown=HAN), item(title="x", body_html=f"<p>我{HAN}</p>")],
            id="Han bodies that are shifted by a sign",
        ),
        pytest.param(
            [item(url=A, title="x"), item(url=A, title="y"), item(title="y")],
            id="joined over a url, then a title",
        ),
    ],
)
def test_the_same_post_in_several_sources_is_one(items: list[Item]) -> None:
    assert partition(*items) == [list(range(len(items)))]


@pytest.mark.parametrize(
    "items",
    [
        pytest.param([item(title="x"), item(title="y")], id="two titles"),
        pytest.param([item(excerpt="x"), item(excerpt="y")], id="no title is no key"),
        pytest.param([item(title="  ", excerpt="x"), item(title="", excerpt="y")], id="blank"),
        pytest.param(
            [item(title="周报", url=A), item(title="周报", url=B)], id="two urls of a host"
        ),
        pytest.param(
            [item(title="周报", id="1"), item(title="周报", id="2")], id="two ids of a reader"
        ),
        pytest.param(
            [
                item(title="周报", published="2021-01-01"),
                item(title="周报", published="2021-01-02T08:00:00"),
            ],
            id="two days of a reader",
        ),
        pytest.param(
            [item(title="x", body_markdown=TEA), item("page", title="x", body_html=SAIL)],
            id="bodies that share nothing",
        ),
        pytest.param(
            [item(title="x", id="guid", url=A), item(title="x", id="guid", url=B)],
            id="one id and two urls",
        ),
    ],
)
def test_two_posts_stay_two(items: list[Item]) -> None:
    assert partition(*items) == [[0], [1]]


@pytest.mark.parametrize(("shared", "parts"), [(2, 2), (4, 2), (5, 1), (6, 1), (10, 1)])
def test_bodies_that_share_half_of_their_words_are_one(shared: int, parts: int) -> None:
    one = " ".join(f"word{number}" for number in range(10))
    other = " ".join(f"word{number}" for number in range(10 - shared, 20 - shared))

    found = partition(item(title="x", body_markdown=one), item(title="x", body_markdown=other))
    assert len(found) == parts


def test_where_a_pair_is_barred_posts_of_one_day_are_joined_and_the_rest_stay_apart() -> None:
    monday = [
        item("text", title="周报", published="2021-01-04"),
        item("page", title="周报", published="2021-01-04", url=A),
    ]
    tuesday = item("page", title="周报", published="2021-01-05", url=B)
    undated = item("jsonl", title="周报")

    assert partition(*monday, tuesday, undated) == [[0, 1], [2], [3]]


def test_posts_of_one_day_that_are_barred_themselves_stay_apart() -> None:
    day = "2021-01-04"

    assert partition(
        item(title="周报", url=A, published=day),
        item(title="周报", url=B, published=day),
        item("text", title="周报", published=day),
    ) == [[0], [1], [2]]


def test_one_day_joins_no_two_titles() -> None:
    renamed = [
        item("page", url=A, title="x", published="2021-01-01"),
        item("page", url=A, title="y", published="2021-01-02"),
    ]
    one = item("page", title="x", url=B, published="2021-01-03")
    other = item("text", title="y", published="2021-01-03")

    assert partition(*renamed, one, other) == [[0, 1], [2], [3]]


def test_a_listing_text_keeps_its_id_when_its_page_comes_and_gains_its_url() -> None:
    first = run(item("text", title="周报", published="2021-01-04"))
    second = run(item("page", title="周报", published="2021-01-04", url=A), remembered=first.posts)
    third = run(item("page", title="周报(改)", url=A), remembered=second.posts)

    assert uids(first) == uids(second) == uids(third)
    assert set(first.posts[0].keys) < set(second.posts[0].keys) < set(third.posts[0].keys)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (item(title="x", url=A), item(title="y", url=SAME_A)),
        (item(title="x", id="7"), item(title="y", id="7")),
        (item(title="x", url=A, id="7"), item(title="y", url=B, id="7")),
        (item(title="x"), item("page", title="X ")),
        (item(title="x", url=A), item("text", title="x")),
        (item(title="x", url=A), item(title="x", url=MIRROR)),
    ],
)
def test_a_post_finds_its_note_again(before: Item, after: Item) -> None:
    first = run(before)

    assert uids(run(after, remembered=first.posts)) == uids(first)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (item(title="周报", url=A), item(title="周报", url=B)),
        (item(title="周报", id="1"), item(title="周报", id="2")),
        (item(title="周报", published="2021-01-04"), item(title="周报", published="2021-01-05")),
        (item(title="x", body_markdown=TEA), item(title="x", body_markdown=SAIL)),
        (item("page", title="x", id="7"), item("jsonl", title="y", id="7")),
        (item(excerpt="x"), item(excerpt="y")),
    ],
)
def test_another_post_takes_no_note_that_is_not_its_own(before: Item, after: Item) -> None:
    first = run(before)
    second = run(after, remembered=first.posts)

    assert len(second.posts) == 2
    assert uids(second) != uids(first)


def test_a_note_whose_post_is_forgotten_still_has_its_address() -> None:
    known = {"p-old": ("title:周报", "url:blog.example.net/p/1")}

    assert uids(run(item(title="周报", url=B), keys=known)) != ["p-old"]
    assert uids(run(item(title="周报", url=A), keys=known)) == ["p-old"]
    assert uids(run(item("text", title="周报"), keys=known)) == ["p-old"]


def test_a_key_that_two_free_posts_have_decides_nothing() -> None:
    known = {"p-old": ("id:jsonl:guid",)}
    clash = run(item(id="guid", title="x", url=A), item(id="guid", title="y", url=B), keys=known)

    assert "p-old" not in uids(clash)
    assert len(set(uids(clash))) == 2


def test_a_key_that_two_free_notes_have_decides_nothing() -> None:
    known = {"p-one": ("title:周报",), "p-two": ("title:周报",)}

    assert not {"p-one", "p-two"} & set(uids(run(item(title="周报"), keys=known)))


def test_two_notes_of_one_title_are_told_apart_by_their_day() -> None:
    items = [item("text", title="周报", published=f"2021-01-0{day}") for day in (4, 5)]
    first = run(*items)
    second = run(*reversed(items), remembered=first.posts)

    assert uids(second) == uids(first)[::-1]


def test_the_stronger_key_decides_between_two_notes() -> None:
    known = {"p-url": ("url:blog.example.net/p/1",), "p-id": ("id:jsonl:7", "title:x")}

    assert uids(run(item(title="x", id="7", url=A), keys=known)) == ["p-url"]


def test_one_note_takes_one_post() -> None:
    known = {"p-old": ("id:jsonl:7", "url:blog.example.net/p/1")}
    both = run(item(title="x", url=A), item(title="y", id="7"), keys=known)

    assert uids(both)[0] == "p-old"
    assert uids(both)[1] != "p-old"


def test_posts_of_one_title_on_two_days_get_two_ids() -> None:
    both = run(*(item("text", title="周报", published=f"2021-01-0{day}") for day in (4, 5)))

    assert len(set(uids(both))) == 2


def test_an_id_comes_from_the_strongest_key() -> None:
    assert uids(run(item(url=A, title="x"))) == uids(run(item("text", url=SAME_A, title="y")))
    assert uids(run(item(id="7", title="x"))) == uids(run(item(id="7", title="y")))
    assert uids(run(item(id="7", title="x"))) != uids(run(item("text", title="x")))


def test_a_title_that_a_post_once_had_gives_another_post_no_id_that_is_taken() -> None:
    first = run(item("text", title="周报"))
    with_url = run(item("page", title="周报", url=A), remembered=first.posts)
    both = run(
        item("page", title="周报一", url=A), item("text", title="周报"), remembered=with_url.posts
    )

    assert uids(both)[0] == uids(first)[0]
    assert uids(both)[1] != uids(first)[0]


def test_an_untitled_post_keeps_its_id_when_it_is_read_more_often() -> None:
    first = run(item("text", excerpt="无题的话", reads=5))
    second = run(item("text", excerpt="无题的话", reads=9, pinned=True), remembered=first.posts)

    assert uids(first) == uids(second)


def test_an_id_is_fit_for_a_pointer() -> None:
    (uid,) = uids(run(item(title="周报")))

    assert uid.startswith("p-")
    assert len(uid) <= 40
    assert set(uid) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_a_post_in_no_source_of_the_run_stays() -> None:
    first = run(item(title="x"), item(title="y"))
    second = run(item(title="x"), remembered=first.posts)

    assert second.posts == first.posts
    assert second.from_sources == set(uids(second))


def test_posts_stand_by_date_and_those_without_one_last_by_title() -> None:
    posts = run(
        item(title="b"),
        item(title="a"),
        item(title="z", published="2021-01-02"),
        item(title="y", published="2021-01-02T08:00:00"),
        item(title="x", published="2020-12-31T23:59:59"),
    ).posts

    assert [post.title for post in posts] == ["x", "z", "y", "a", "b"]


def texts(*values: str) -> st.SearchStrategy[str | None]:
    return st.sampled_from([None, *values])


ITEMS = st.lists(
    st.tuples(
        st.sampled_from(list(RANKS)),
        st.fixed_dictionaries(
            {
                "title": texts("周报", "周 报", "Tea"),
                "url": texts(A, B, SAME_A, MIRROR),
                "id": texts("1", "2"),
                "published": texts("2021-01-04", "2021-01-04T08:00:00", "2021-01-05"),
                "reads": st.sampled_from([None, 1, 2]),
                "tags": st.sampled_from([(), ("a",), ("b",), ("a", "b")]),
                "author": texts("甲", "乙"),
                "body_markdown": texts(TEA, SAIL),
                "body_html": texts(TEA),
            }
        ),
    ),
    max_size=7,
)


@given(ITEMS, st.randoms())
def test_the_order_of_the_sources_plays_no_part(items: list[Item], random: Random) -> None:
    posts = sources(items)
    shuffled = list(posts)
    random.shuffle(shuffled)
    one, other = collate(posts, ranks=RANKS), collate(shuffled, ranks=RANKS)

    assert other.posts == one.posts
    assert other.contradictions == one.contradictions
    assert other.uids == one.uids


@given(ITEMS, ITEMS, st.randoms())
def test_the_order_plays_no_part_in_a_vault_that_remembers(
    before: list[Item], items: list[Item], random: Random
) -> None:
    remembered = run(*before).posts
    posts = sources(items)
    shuffled = list(posts)
    random.shuffle(shuffled)
    one = collate(posts, ranks=RANKS, remembered=remembered)
    other = collate(shuffled, ranks=RANKS, remembered=remembered)

    assert other.posts == one.posts
    assert other.uids == one.uids


@given(ITEMS)
def test_a_second_run_has_no_news(items: list[Item]) -> None:
    first = run(*items)

    assert run(*items, remembered=first.posts).posts == first.posts


@given(ITEMS, ITEMS)
def test_a_known_post_never_vanishes_and_its_keys_and_reads_never_shrink(
    before: list[Item], items: list[Item]
) -> None:
    first = run(*before)
    after = {post.uid: post for post in run(*items, remembered=first.posts).posts}

    for post in first.posts:
        assert set(post.keys) <= set(after[post.uid].keys)
        assert (post.reads or 0) <= (after[post.uid].reads or 0)


def test_one_reader_at_two_times_of_a_day_has_two_posts() -> None:
    morning = item("text", title="随手记", published="2021-12-23T08:00:00")
    evening = item("text", title="随手记", published="2021-12-23T22:00:00")

    assert partition(morning, evening) == [[0], [1]]


def test_posts_of_two_times_keep_their_ids_when_their_words_change() -> None:
    morning = item("text", title="随手记", published="2021-12-23T08:00:00", excerpt="早")
    evening = item("text", title="随手记", published="2021-12-23T22:00:00", excerpt="晚")
    later = item("text", title="随手记", published="2021-12-23T22:00:00", excerpt="晚上好")
    first = run(morning, evening)

    assert uids(run(morning, later, remembered=first.posts)) == uids(first)


def test_id_that_two_posts_of_a_source_have_is_told_of() -> None:
    collation = run(item(id="1", title="茶", url=A), item(id="1", title="帆", url=B))

    assert len(collation.posts) == 2
    assert [problem.place for problem in collation.problems] == ["line 1"]
