"""The interchange format, both ways."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.jsonl import parse, schema, to_line
from kbexport.readers.record import FIELDS

ANY_TEXT = st.text(st.characters(codec=None, categories=None))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)
WORDS = st.text(st.characters(categories=["L", "N"], codec="utf-8"), min_size=1)
NAMES = st.lists(WORDS, unique=True, max_size=4).map(tuple)
MOMENTS = st.sampled_from(["2021-12-23", "2021-12-23T10:49", "2021-12-23T10:49:04+08:00"])
POSTS = st.builds(
    Post,
    id=st.none() | WORDS,
    title=WORDS,
    url=st.none() | WORDS.map("https://tea.example.org/{}".format),
    published=st.none() | MOMENTS,
    updated=st.none() | MOMENTS,
    author=st.none() | WORDS,
    reads=st.none() | st.integers(0, 10**15),
    tags=NAMES,
    categories=NAMES,
    column=st.none() | WORDS,
    kind=st.none() | st.sampled_from(["original", "repost", "translation"]),
    pinned=st.none() | st.booleans(),
    excerpt=st.none() | WORDS,
    body_markdown=st.none() | WORDS.map("    {}\n\n- a\n".format),
    body_html=st.none() | WORDS.map("<p>{}</p>".format),
    series=st.none() | WORDS,
    ordinal=st.none() | st.integers(-(10**6), 10**6),
    slug=st.none() | st.sampled_from(["water-2", "茶-与-水"]),
    attachments=NAMES,
)


def posts_of(text: str) -> list[Post]:
    return [item.post for item in parse(text, "x.jsonl") if isinstance(item, SourcePost)]


def problems_of(text: str) -> list[Problem]:
    return [item for item in parse(text, "x.jsonl") if isinstance(item, Problem)]


@given(st.lists(POSTS, max_size=4))
def test_what_is_written_is_read_again(posts: list[Post]) -> None:
    text = "".join(to_line(post) + "\n" for post in posts)

    assert posts == posts_of(text)
    assert problems_of(text) == []


@given(st.dictionaries(st.sampled_from([*FIELDS, "other"]), JSON))
def test_any_record_is_read_and_what_was_read_stays(record: dict[str, object]) -> None:
    posts = posts_of(json.dumps(record))

    assert posts == [read for post in posts for read in posts_of(to_line(post))]


@given(ANY_TEXT)
def test_any_text_is_read_without_an_error(text: str) -> None:
    list(parse(text, "x.jsonl"))


def test_a_line_holds_only_what_is_known_in_the_order_of_the_model() -> None:
    post = Post(tags=("茶",), title="水", pinned=False, reads=0)

    assert to_line(post) == '{"title": "水", "reads": 0, "tags": ["茶"], "pinned": false}'


def test_a_line_has_no_line_end_that_other_programs_see() -> None:
    line = to_line(Post(excerpt="a\u2028b\x85c"))

    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"excerpt": "a\u2028b\x85c"}


def test_every_field_of_a_post_can_be_read() -> None:
    assert list(Post.model_fields) == list(FIELDS)


def test_the_schema_names_and_explains_every_field() -> None:
    properties = schema()["properties"]

    assert list(Post.model_fields) == list(properties)
    assert all(entry["description"] for entry in properties.values())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"title": ', "no valid JSON at column 11"),
        ('{"title": "a"} x', "no valid JSON at column 16"),
        ('{"title": ' + "[" * 100_000, "nested too deeply"),
        ("[1]", "no object"),
        ("17", "no object"),
    ],
)
def test_a_broken_line_is_named_and_the_others_are_read(line: str, reason: str) -> None:
    text = f'{{"title": "前"}}\n{line}\n{{"title": "后"}}\n'

    (problem,) = problems_of(text)

    assert [post.title for post in posts_of(text)] == ["前", "后"]
    assert problem.place == "line 2"
    assert reason in problem.reason
    assert problem.lost


def test_a_number_too_large_costs_only_its_field() -> None:
    (post,) = posts_of('{"title": "a", "reads": ' + "9" * 10_000 + "}")

    assert Post(title="a") == post


def test_unknown_keys_are_reported_once() -> None:
    (problem,) = problems_of('{"title": "a", "x": 1}\n{"title": "b", "x": 2, "y": 3}')

    assert "`x` (2), `y` (1)" in problem.reason
    assert not problem.lost


@pytest.mark.parametrize(
    ("slug", "expected"),
    [("Hello World!", "hello-world"), ("茶 与 水", "茶-与-水"), ("&#65;", "65"), ("？！", None)],
)
def test_a_slug_is_in_the_form_of_an_address(slug: str, expected: str | None) -> None:
    (post,) = posts_of(json.dumps({"title": "茶", "slug": slug}))

    assert expected == post.slug


def test_a_key_given_twice_is_reported() -> None:
    text = '{"title": "茶", "reads": 1, "title": "水"}'

    (post,), (problem,) = posts_of(text), problems_of(text)

    assert post.title == "水"
    assert problem.reason == "keys given twice, the last value is taken: `title`"
