"""WordPress exports: what is a post, what its text says, and files that are damaged."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers.base import Document
from kbexport.readers.registry import claims
from kbexport.readers.wordpress import read
from kbexport.readers.wordpress_paragraphs import paragraphs
from kbexport.readers.wordpress_text import Library, body_of

HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>灯塔</title>'
    "<link>https://log.example</link><wp:wxr_version>1.2</wp:wxr_version>"
)
ITEM = (
    "<item><title>{title}</title><link>https://log.example/{n}</link><wp:post_id>{n}</wp:post_id>"
    "<wp:status>publish</wp:status><wp:post_type>post</wp:post_type>{more}"
    "<content:encoded><![CDATA[<p>正文{n}</p>]]></content:encoded></item>\n"
)
TAIL = "</channel></rss>"


def items_of(text: str) -> list[SourcePost | Problem]:
    return list(read(Document("blog.xml", text.encode("utf-8", "surrogatepass"))))


def posts_of(text: str) -> list[Post]:
    return [item.post for item in items_of(text) if isinstance(item, SourcePost)]


def item(n: int, title: str = "灯", more: str = "") -> str:
    return ITEM.format(n=n, title=title, more=more)


def dated(local: str, gmt: str) -> str:
    dates = f"<wp:post_date>{local}</wp:post_date><wp:post_date_gmt>{gmt}</wp:post_date_gmt>"
    return HEAD + item(1, more=dates) + TAIL


@pytest.mark.parametrize(
    ("local", "gmt", "published"),
    [
        ("2021-03-10 00:30:00", "2021-03-09 16:30:00", "2021-03-10T00:30:00+08:00"),
        ("2021-07-04 20:00:00", "2021-07-05 00:00:00", "2021-07-04T20:00:00-04:00"),
        ("2021-07-04 20:00:00", "0000-00-00 00:00:00", "2021-07-04T20:00:00"),
        ("0000-00-00 00:00:00", "2021-07-05 00:00:00", "2021-07-05T00:00:00Z"),
        ("0000-00-00 00:00:00", "0000-00-00 00:00:00", None),
        ("2021-07-04 20:00:00", "2019-01-01 00:00:00", "2021-07-04T20:00:00"),
        ("2021-03-10 05:45:00", "2021-03-10 00:00:00", "2021-03-10T05:45:00+05:45"),
    ],
)
def test_the_day_of_a_post_is_that_on_the_authors_clock(
    local: str, gmt: str, published: str | None
) -> None:
    (post,) = posts_of(dated(local, gmt))

    assert post.published == published


@pytest.mark.parametrize(
    "fault",
    ["a & b", "a < b", "a <b> c", "a <b c", "a </b> c", "a <!x> b", "a <?x b", "a ]]> b", "<item>",
     "<![CDATA[a", "a </title> b", "a &#8; b", "a &nope; b", "\x01"],
)  # fmt: skip
def test_a_fault_in_one_post_costs_no_other(fault: str) -> None:
    items = items_of(HEAD + item(1) + item(2, fault) + item(3) + item(4) + TAIL)

    bodies = [found.post.body_html for found in items if isinstance(found, SourcePost)]
    assert len(bodies) == 4
    assert [bodies[0], *bodies[2:]] == ["<p>正文1</p>", "<p>正文3</p>", "<p>正文4</p>"]
    assert any(isinstance(found, Problem) for found in items)


def test_posts_that_speak_of_such_files_are_counted_once_in_a_damaged_one() -> None:
    about = item(1).replace("正文1", "</item>\n<item>正文1</item>\n<item>")
    text = HEAD + about + about.replace("正文1", "x" * 3_000_000) + item(3, "</b>") + item(4) + TAIL

    bodies = [post.body_html or "" for post in posts_of(text)]

    assert [body.count("<item>") for body in bodies] == [2, 2, 0, 0]
    assert bodies[2:] == ["<p>正文3</p>", "<p>正文4</p>"]


def test_an_export_is_told_and_read_without_its_whole_text() -> None:
    document = Document("blog.xml", (HEAD + item(1) + TAIL).encode())

    (reader,) = claims(document)
    list(reader.read(document))

    assert "text" not in vars(document)


@pytest.mark.parametrize("end", range(len(HEAD), len(HEAD + item(1) + item(2)) - 1, 7))
def test_a_file_cut_off_anywhere_is_reported_and_the_posts_before_are_read(end: int) -> None:
    items = items_of((HEAD + item(1) + item(2))[:end])

    posts = [found for found in items if isinstance(found, SourcePost)]
    assert any(isinstance(found, Problem) and found.lost for found in items)
    if end >= len(HEAD + item(1)):
        assert (posts[0].post.body_html, posts[0].cut) == ("<p>正文1</p>", False)
    assert all(post.cut for post in posts[1:])


def test_a_document_that_declares_entities_is_refused() -> None:
    bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    padded = "<!--" + "x" * 300_000 + "-->"

    for above in (bomb, padded + bomb):
        text = HEAD.replace("<rss", above + "<rss") + item(1, "&b;") + TAIL
        (problem,) = items_of(text)

        assert isinstance(problem, Problem)
        assert problem.lost


def test_a_text_of_many_megabytes_is_read() -> None:
    text = HEAD + item(1).replace("正文", "x" * 11_000_000) + item(2) + TAIL

    assert [len(post.body_html or "") > 5 for post in posts_of(text)] == [True, True]


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2"])
def test_the_version_of_the_format_does_not_matter(version: str) -> None:
    text = (HEAD + item(1) + TAIL).replace("export/1.2/", f"export/{version}/")

    assert [post.id for post in posts_of(text)] == ["1"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("一\n二", "<p>一<br />\n二</p>"),
        ("一\n\n二", "<p>一</p>\n<p>二</p>"),
        ("<h2>题</h2>\n一", "<h2>题</h2>\n<p>一</p>"),
        ("<pre>a\n\nb</pre>", "<pre>a\n\nb</pre>"),
        ("一\n<ul>\n<li>二</li>\n</ul>", "<p>一</p>\n<ul>\n<li>二</li>\n</ul>"),
        ("<p>一\n二</p>", "<p>一<br />\n二</p>"),
        ('<img\nsrc="a.png">', '<p><img src="a.png"></p>'),
        ("", ""),
    ],
)
def test_bare_line_ends_are_paragraphs_and_breaks(text: str, shown: str) -> None:
    assert paragraphs(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[code]a\n\nb[/code]", "<pre><code>a\n\nb</code></pre>"),
        ('[code lang="js"]a < b[/code]', '<pre><code class="language-js">a &lt; b</code></pre>'),
        ("[python]a &lt; b[/python]", '<pre><code class="language-python">a &lt; b</code></pre>'),
        ("[code]&lt;b&gt; <i>[/code]", "<pre><code>&amp;lt;b&amp;gt; &lt;i&gt;</code></pre>"),
        ("a[1] 与 [注]", "<p>a[1] 与 [注]</p>"),
        ("[[code]a[/code]]", "<p>[code]a[/code]</p>"),
        ("一<!--more-->二<!--nextpage-->", "<p>一二</p>"),
        ("一<!-- 作者的话 -->", "<p>一<!-- 作者的话 --></p>"),
        ('[caption caption="字"]<img src="a">[/caption]',
         '<figure><img src="a"><figcaption>字</figcaption></figure>'),
        ("[gallery ids='1,2']",
         '<figure><img src="a?x&amp;y"></figure>\n<figure><img src="b"></figure>'),
        ("[gallery]", '<figure><img src="b"></figure>'),
        ("[gallery ids='1,9']", "<p>[gallery ids='1,9']</p>"),
        ('[video mp4="https://v.example/1.mp4"][/video]',
         '<p><a href="https://v.example/1.mp4">https://v.example/1.mp4</a></p>'),
        ("$latex x^2$ 与 $5", "<p>$x^2$ 与 $5</p>"),
        ("[contact-form to='a']", "<p>[contact-form to='a']</p>"),
    ],
)  # fmt: skip
def test_shortcodes_become_what_they_show(text: str, shown: str) -> None:
    library = Library(pictures={"1": "a?x&y", "2": "b"}, children={"7": ["2"]})

    assert body_of(text, "7", library) == shown


@pytest.mark.parametrize(
    "piece",
    [
        *("[code]", "[caption]<img ", "[[", "[[a]", "[embed]", "[gallery ", "[video ", "[latex]"),
        *("\n<p", "<pre>", "<pre ", "<hr ", "<blockquote", "<img\n", "<br ", "$latex "),
        *("<!-- wp:code {", "<!-- more"),
    ],
)
def test_marks_without_an_end_cost_no_time(piece: str) -> None:
    begin = time.process_time()

    for text in (piece * 20_000, f"{piece * 10_000}[/code]</pre>-->"):
        body_of(text, "1", Library())

    assert time.process_time() - begin < 10


@given(st.text(st.sampled_from("<>/[]=\"'\n &;!-pre code li caption gallery 字")))
def test_any_text_is_shown_without_an_error(text: str) -> None:
    body_of(text, "1", Library())
    items_of(HEAD + item(1, text, text) + TAIL)
    items_of(HEAD + text)
