"""Exports of Medium, Substack, Ghost and Blogger."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.content.html import html_to_markdown
from kbexport.models import Post, Problem, SourcePost
from kbexport.readers import blogger, ghost, medium, readers, substack
from kbexport.readers.base import Document
from kbexport.readers.registry import claims
from kbexport.readers.sources import read_sources

FIXTURES = Path(__file__).parent / "fixtures"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "root children type text sections cards markups atoms url src html items list"
                " listitem posts tags data db id title kind status meta".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


def posts_of(items: Iterator[SourcePost | Problem]) -> list[Post]:
    return [item.post for item in items if isinstance(item, SourcePost)]


def medium_page(body: str, *, title: str = "灯", subtitle: str = "") -> str:
    head = f'<section data-field="subtitle" class="p-summary">{subtitle}</section>'
    return (
        f'<html><article class="h-entry"><h1 class="p-name">{title}</h1>{head if subtitle else ""}'
        f'<section data-field="body" class="e-content">{body}</section>'
        '<footer><time class="dt-published" datetime="2021-03-10T11:23:34.123Z"></time></footer>'
    )


def test_code_of_medium_keeps_its_lines_and_their_indent() -> None:
    code = "<pre>\n <code>\n   if lit:<br>    burn()\n </code>\n</pre>"
    other = '<pre data-code-block-lang="go"><span class="pre--content">  a<br />b</span></pre>'

    (post,) = posts_of(medium.parse(medium_page(code + other), "post.html"))

    markdown = html_to_markdown(post.body_html or "")
    assert "```\nif lit:\n    burn()\n```" in markdown
    assert "```go\n  a\nb\n```" in markdown


@pytest.mark.parametrize(
    ("body", "is_post"),
    [
        ("<p>灯芯是三股的。</p>", False),
        ("<p>别的话。</p>", True),
        ("<h3>小题</h3><p>灯芯是三股的。</p>", True),
        ("<p>灯芯是三股的。</p><pre>burn()</pre>", True),
    ],
)
def test_a_reply_begins_with_its_title_and_has_nothing_but_text(body: str, is_post: bool) -> None:
    assert bool(posts_of(medium.parse(medium_page(body, title="灯芯是…"), "a.html"))) == is_post


def test_bodies_of_substack_are_read_with_their_table_and_not_on_their_own() -> None:
    reading = read_sources([FIXTURES / "substack" / "export"])

    assert [found.post.slug for found in reading.posts] == ["first-lamp", "bell", "lost"]
    assert [problem.source for problem in reading.problems if ".html" in problem.source] == []


def test_a_table_leads_to_no_file_outside_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.html").write_text("<p>secret</p>")
    (tmp_path / "export" / "posts").mkdir(parents=True)
    (tmp_path / "export" / "posts" / "1.link.html").symlink_to(tmp_path / "secret.html")
    rows = "".join(f"{name},2021-03-10,true,灯\n" for name in ("../../secret", "1.link", "a\0b"))
    (tmp_path / "export" / "posts.csv").write_text(f"post_id,post_date,is_published,title\n{rows}")

    reading = read_sources([tmp_path / "export" / "posts.csv"])

    assert {found.post.body_html for found in reading.posts} == {None}
    assert sum(problem.lost for problem in reading.problems) == 3


def test_another_table_is_refused_when_it_is_forced_on_the_reader() -> None:
    (problem,) = substack.read(Document("a.csv", b"a,b\n1,2\n"))

    assert isinstance(problem, Problem)


def lexical(*nodes: object) -> str:
    post = {"title": "灯", "lexical": json.dumps({"root": {"children": nodes}}), "html": None}
    (read,) = posts_of(ghost.parse(json.dumps({"data": {"posts": [post]}}), "g.json"))
    return read.body_html or ""


def test_lists_of_lexical_nest() -> None:
    second = {"type": "listitem", "children": [{"type": "text", "text": "乙"}]}
    inner = {"type": "list", "listType": "bullet", "children": [second]}
    first = {"type": "listitem", "children": [{"type": "text", "text": "甲"}]}
    holder = {"type": "listitem", "children": [inner]}
    outer = {"type": "list", "listType": "number", "children": [first, holder]}

    assert lexical(outer) == "<ol><li>甲<ul><li>乙</li></ul></li></ol>"


def test_a_card_that_is_not_known_keeps_its_words_and_links() -> None:
    shown = lexical(
        {"type": "lantern", "heading": "题", "content": "话", "url": "https://a.example/"}
    )

    assert all(words in shown for words in ("题", "话", 'href="https://a.example/"'))


def test_markdown_of_the_old_editor_stays_as_it_was_written() -> None:
    document = {
        "cards": [["card-markdown", {"markdown": "# 题\n\n* a_b\n"}]],
        "sections": [[10, 0]],
    }
    post = {"title": "灯", "mobiledoc": json.dumps(document)}

    (read,) = posts_of(ghost.parse(json.dumps({"data": {"posts": [post]}}), "g.json"))

    assert read.body_markdown == "# 题\n\n* a_b\n"


@given(JSON, JSON)
def test_any_json_is_read_without_an_error(value: object, inner: object) -> None:
    text = json.dumps(inner)
    list(ghost.parse(json.dumps(value), "g.json"))
    post = {"title": value, "tags": value, "lexical": text}
    list(ghost.parse(json.dumps({"data": {"posts": [post, {"mobiledoc": text}]}}), "g.json"))
    list(blogger.read(Document("b.json", json.dumps(value).encode())))
    list(
        blogger.read(
            Document("b.json", json.dumps([{"kind": "blogger#post", "labels": value}]).encode())
        )
    )


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    list(medium.parse(text, "m.html"))
    list(medium.parse(medium_page(text, title=text), "m.html"))
    for read in (ghost.read, blogger.read, substack.read):
        list(read(Document("export", text.encode("utf-8", "replace"))))
    table = f"post_id,post_date,is_published,title\n1.a,2021-03-10,true,{text}"
    list(substack.read(Document("posts.csv", table.encode("utf-8", "replace"))))


@pytest.mark.parametrize(
    "text",
    [
        '{"data": {"posts": []}}',
        '{"posts": [{"title": "a", "body": "b"}]}',
        '{"kind": "youtube#video"}',
        "post_id,post_date\n1,2\n",
        "<html><article class='h-entry'><section class='e-content'>a</section></article></html>",
        "<urlset></urlset>",
    ],
)
def test_what_only_looks_like_an_export_is_claimed_by_no_reader_of_exports(text: str) -> None:
    ours = {medium.READER, ghost.READER, blogger.READER, substack.READER}

    assert ours <= set(readers())
    assert not ours & set(claims(Document("file", text.encode())))
