"""Which value a field takes: `reexport.md`, section 12."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kbexport.collate import Collation, collate
from kbexport.models import CollatedPost, Post, SourcePost

RANKS = {"text": 1, "page": 2, "feed": 3, "jsonl": 4, "markdown": 4}

URL = "https://blog.example.net/p/1"


def item(reader: str, **fields: object) -> SourcePost:
    """One source's word on the one post of these tests."""
    post = Post.model_validate({"url": URL, **fields})
    return SourcePost(post=post, reader=reader, source=f"{reader}.file", place="line 1")


def run(*found: SourcePost, remembered: Sequence[CollatedPost] = ()) -> Collation:
    return collate(found, ranks=RANKS, remembered=remembered)


def one(*found: SourcePost) -> CollatedPost:
    (post,) = run(*found).posts
    return post


def after(*runs: SourcePost) -> CollatedPost:
    """The post after one run for each of the sources."""
    posts: tuple[CollatedPost, ...] = ()
    for found in runs:
        posts = run(found, remembered=posts).posts
    (post,) = posts
    return post


@pytest.mark.parametrize(
    ("field", "poorer", "richer"),
    [
        ("title", "A longer title from a listing", "A title"),
        ("author", "somebody else", "me"),
        ("published", "2021-01-05T10:00:00", "2021-01-04"),
        ("tags", ("a", "b", "c"), ("d",)),
        ("kind", "original", "repost"),
        ("column", "Listing", "Mine"),
    ],
)
def test_within_a_run_the_richer_source_wins(field: str, poorer: object, richer: object) -> None:
    post = one(item("jsonl", **{field: richer}), item("text", **{field: poorer}))

    assert getattr(post, field) == richer
    assert post.origins[field] == "jsonl"


def test_what_only_the_poorer_source_knows_is_kept() -> None:
    post = one(item("jsonl", title="x"), item("text", title="x", kind="repost"))

    assert post.kind == "repost"
    assert post.origins["kind"] == "text"


def test_of_two_sources_alike_the_fuller_value_wins() -> None:
    assert one(item("jsonl", tags=("a",)), item("markdown", tags=("b", "c"))).tags == ("b", "c")


PAGE = "<p class='a b c'><span style='color: #000000'>Water the tomatoes.</span></p>"
BACKUP = "Water the tomatoes. Then wait for a week, and look for slugs.\n"


def test_of_two_bodies_alike_the_one_that_says_more_wins_whatever_its_markup() -> None:
    post = one(item("jsonl", body_html=PAGE), item("markdown", body_markdown=BACKUP))

    assert (post.body_markdown, post.body_html) == (BACKUP, None)


def test_thinner_body_of_another_source_takes_no_fuller_one_away() -> None:
    page, backup = item("jsonl", body_html=PAGE), item("markdown", body_markdown=BACKUP)

    assert after(backup, page).body_markdown == BACKUP
    assert after(page, backup).body_markdown == BACKUP
    assert after(backup, item("markdown", body_markdown="Short now.")).body_markdown == "Short now."


def test_reads_is_the_highest_count_of_a_run() -> None:
    assert one(item("jsonl", reads=7), item("text", reads=12)).reads == 12


def test_a_time_beats_a_day_on_the_same_day() -> None:
    found = item("jsonl", published="2021-01-04"), item("text", published="2021-01-04T10:49:04")

    assert one(*found).published == "2021-01-04T10:49:04"
    assert after(*found).published == after(*reversed(found)).published == "2021-01-04T10:49:04"


def test_time_of_the_page_beats_that_of_a_feed_by_another_clock() -> None:
    feed = item("feed", published="2022-01-01T00:00:00Z")
    page = item("jsonl", published="2022-01-01T08:00")

    for post in (one(feed, page), after(feed, page), after(page, feed)):
        assert post.published == "2022-01-01T08:00"


def test_one_source_that_shows_the_pin_is_enough() -> None:
    assert one(item("jsonl", pinned=False), item("text", pinned=True)).pinned is True
    assert one(item("jsonl"), item("text", pinned=True)).pinned is True


def test_a_listing_without_the_pin_says_nothing() -> None:
    assert after(item("text", pinned=True), item("text")).pinned is True


def test_a_source_that_says_that_the_pin_is_gone_is_believed() -> None:
    assert after(item("jsonl", pinned=True), item("jsonl", pinned=False)).pinned is False


@pytest.mark.parametrize(
    ("field", "old", "new"),
    [
        ("title", "A long old title", "New"),
        ("tags", ("a", "b"), ("c",)),
        ("excerpt", "A long old excerpt", "New"),
        ("body_markdown", "A long old body", "New"),
        ("published", "2021-01-04T08:00:00", "2021-01-05"),
    ],
)
def test_against_memory_the_newer_value_wins(field: str, old: object, new: object) -> None:
    assert getattr(after(item("page", **{field: old}), item("page", **{field: new})), field) == new
    assert getattr(after(item("page", **{field: old}), item("jsonl", **{field: new})), field) == new


@pytest.mark.parametrize("field", ["title", "author", "excerpt", "body_markdown", "column"])
def test_against_memory_a_poorer_source_thins_nothing_out(field: str) -> None:
    post = after(item("page", **{field: "from the page"}), item("text", **{field: "from the text"}))

    assert getattr(post, field) == "from the page"
    assert post.origins[field] == "page"


def test_against_memory_an_absent_value_takes_nothing_away() -> None:
    full = item("text", title="x", reads=7, tags=("a",), excerpt="y", pinned=True, kind="repost")
    post = after(full, item("jsonl", title="x"))

    assert (post.reads, post.tags, post.excerpt, post.kind) == (7, ("a",), "y", "repost")


@pytest.mark.parametrize(
    ("first", "second"), [("jsonl", "jsonl"), ("jsonl", "text"), ("text", "jsonl")]
)
def test_reads_never_fall_and_always_rise(first: str, second: str) -> None:
    assert after(item(first, reads=9), item(second, reads=5)).reads == 9
    assert after(item(first, reads=5), item(second, reads=9)).reads == 9


def test_the_two_forms_of_a_body_never_come_from_two_sources() -> None:
    markdown, html = (
        item("page", body_markdown="from the page"),
        item("jsonl", body_html="<p>x</p>"),
    )

    for post in (one(markdown, html), after(markdown, html), after(html, markdown)):
        assert (post.body_markdown, post.body_html) == (None, "<p>x</p>")


def test_both_forms_of_a_body_stay_together() -> None:
    post = after(item("jsonl", body_markdown="x", body_html="<p>x</p>"), item("text"))

    assert (post.body_markdown, post.body_html) == ("x", "<p>x</p>")


def test_a_source_without_news_leaves_memory_as_it_is() -> None:
    both = run(item("jsonl", title="x", reads=5), item("markdown", title="x", reads=5)).posts

    for reader in ("jsonl", "markdown", "text"):
        assert run(item(reader, title="x", reads=5), remembered=both).posts == both


def test_a_contradiction_names_the_value_taken_and_what_each_source_says() -> None:
    (found,) = run(item("jsonl", title="New"), item("text", title="Old")).contradictions

    assert (found.title, found.field, found.kept) == ("New", "title", "New")
    assert found.values == {"jsonl.file, line 1": "New", "text.file, line 1": "Old"}


def test_a_contradiction_shows_numbers_as_numbers_and_what_memory_made_of_them() -> None:
    first = run(item("jsonl", reads=100))
    second = run(item("jsonl", reads=7), item("text", reads=12), remembered=first.posts)
    (found,) = second.contradictions

    assert found.kept == "100"
    assert sorted(found.values.values()) == ["12", "7"]


@pytest.mark.parametrize(
    ("one_value", "other_value"),
    [
        ({"published": "2021-01-04"}, {"published": "2021-01-04T10:49:04"}),
        ({"url": URL}, {"url": URL.replace("https", "http") + "/?utm_source=feed"}),
        ({"title": "x"}, {"title": "x"}),
        ({"title": "x"}, {}),
        ({"tags": ("a",)}, {"tags": ("b",)}),
    ],
)
def test_what_says_the_same_is_no_contradiction(
    one_value: dict[str, object], other_value: dict[str, object]
) -> None:
    assert run(item("jsonl", **one_value), item("text", **other_value)).contradictions == ()


@pytest.mark.parametrize(
    ("field", "mine", "theirs"),
    [
        ("author", "me", "you"),
        ("published", "2021-01-04", "2021-01-05"),
        ("reads", 1, 2),
        ("kind", "original", "repost"),
        ("series", "Tea", "Milk"),
        ("ordinal", 1, 2),
    ],
)
def test_contradictions_are_listed(field: str, mine: object, theirs: object) -> None:
    found = run(item("jsonl", **{field: mine}), item("text", **{field: theirs})).contradictions

    assert [one.field for one in found] == [field]


def test_post_in_which_the_capture_ends_thins_out_nothing() -> None:
    tea = Post(title="茶", tags=("水", "火"), excerpt="先烧水，再等。")
    half = Post(title="茶", tags=("水",), excerpt="先烧水")
    whole = SourcePost(post=tea, reader="text", source="a", place="1")
    end = SourcePost(post=half, reader="text", source="b", place="1", cut=True)
    first = collate([whole], ranks={"text": 1})

    (again,) = collate([end], ranks={"text": 1}, remembered=first.posts).posts

    assert (again.tags, again.excerpt) == (tea.tags, tea.excerpt)


def dated(reader: str, number: int, published: str) -> SourcePost:
    post = Post(title=f"Tomatoes {number}", published=published)
    return SourcePost(post=post, reader=reader, source=f"{reader}.file", place=f"post {number}")


IMPORT = [dated("jsonl", n, f"2021-05-20T17:41:4{n}") for n in range(4)]
TRUE = [dated("feed", n, f"2019-0{n + 1}-05T10:00:00") for n in range(4)]


def dates(posts: Sequence[CollatedPost]) -> list[str]:
    return sorted((post.published or "")[:10] for post in posts)


def test_true_dates_mend_those_of_an_import_even_from_a_poorer_source() -> None:
    assert dates(run(*IMPORT, *TRUE).posts) == dates(run(*TRUE).posts)


def test_true_dates_stay_whatever_comes_first() -> None:
    first, then = run(*TRUE).posts, run(*IMPORT).posts

    assert dates(run(*IMPORT, remembered=first).posts) == dates(first)
    assert dates(run(*TRUE, remembered=then).posts) == dates(first)


def test_one_page_with_the_date_of_an_import_takes_no_true_date_away() -> None:
    true = [found.model_copy(update={"reader": "markdown"}) for found in TRUE]
    mended = run(*IMPORT, *true).posts

    assert run(IMPORT[0], remembered=mended).posts == mended


def test_import_is_believed_where_the_other_date_is_later() -> None:
    later = [dated("feed", n, f"2023-0{n + 1}-05T10:00:00") for n in range(4)]

    assert dates(run(*IMPORT, *later).posts) == ["2021-05-20"] * 4


def test_two_posts_in_a_minute_are_no_import() -> None:
    assert dates(run(*IMPORT[:2], *TRUE[:2]).posts) == ["2021-05-20"] * 2
