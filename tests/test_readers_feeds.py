"""Feeds, and the older backup of cnblogs, which has their form."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers import cnblogs_rss, feeds, json_feed
from kbexport.readers.base import Document
from kbexport.readers.registry import claims
from kbexport.readers.xml_mending import Mending

RSS = '<rss version="2.0"><channel><title>灯塔</title><link>https://log.example/</link>{}</channel></rss>'
ATOM = '<feed xmlns="http://www.w3.org/2005/Atom"><title>灯塔</title>{}</feed>'
ITEM = "<item><title>{}</title><link>https://log.example/1</link>{}</item>"


def read(text: str) -> list[SourcePost | Problem]:
    return list(feeds.parse(text, "feed.xml"))


def post_of(text: str) -> Post:
    (post,) = [item.post for item in read(text) if isinstance(item, SourcePost)]
    return post


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("甲 &amp;amp; 乙", "甲 & 乙"),
        ("<![CDATA[<b>粗</b> 与细]]>", "粗 与细"),
        ("<![CDATA[用 List<String> 存灯]]>", "用 List<String> 存灯"),
        ("[灯塔] 换灯(1)", "[灯塔] 换灯(1)"),
    ],
)
def test_titles_of_rss_are_html(written: str, title: str) -> None:
    assert post_of(RSS.format(ITEM.format(written, ""))).title == title


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("2016/6/29 15:07:41", "2016-06-29T15:07:41"),
        ("Thu, 03 Sep 15 00:01:01 +0200", "2015-09-03T00:01:01+02:00"),
        ("Wed, 04 Aug 2021 00:00:00 +8000", "2021-08-04T00:00:00"),
        ("2021年12月23日 08:05", "2021-12-23T08:05"),
    ],
)
def test_dates_are_read_as_far_as_they_are_written(written: str, published: str) -> None:
    date = f"<pubDate>{written}</pubDate>"

    assert post_of(RSS.format(ITEM.format("灯", date))).published == published


def test_a_date_that_cannot_be_read_is_reported_and_left_out() -> None:
    items = read(RSS.format(ITEM.format("灯", "<pubDate>not a date</pubDate>")))

    assert [item.lost for item in items if isinstance(item, Problem)] == [True]
    assert [item.post.published for item in items if isinstance(item, SourcePost)] == [None]


def test_the_day_of_a_change_is_no_day_of_publication() -> None:
    entry = "<entry><title>灯</title><id>1</id><updated>2021-03-10T01:00:00Z</updated></entry>"

    post = post_of(ATOM.format(entry))

    assert (post.published, post.updated) == (None, "2021-03-10T01:00:00Z")


def test_formulas_and_frames_of_a_body_stay() -> None:
    body = '<script type="math/tex">x^2</script><iframe src="https://video.example/1"></iframe>'

    post = post_of(RSS.format(ITEM.format("灯", f"<description><![CDATA[{body}]]></description>")))

    assert post.body_html == body


def test_a_feed_that_declares_entities_is_refused() -> None:
    bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'

    (problem,) = read(bomb + RSS.format(ITEM.format("&b;", "")))

    assert isinstance(problem, Problem)
    assert problem.lost


def test_the_name_of_a_file_is_no_feed(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_text(RSS.format(ITEM.format("灯", "")), encoding="utf-8")

    assert not [item for item in read(str(tmp_path / "feed.xml")) if isinstance(item, SourcePost)]


def test_a_feed_that_speaks_of_entities_is_read() -> None:
    about = "<description><![CDATA[<pre><!ENTITY a 'b'></pre>]]></description>"

    assert post_of(RSS.format(ITEM.format("灯", about))).body_html


def test_a_feed_that_was_cut_off_is_reported_and_its_last_post_counts_less() -> None:
    text = RSS.format(ITEM.format("一", "") + ITEM.format("二", "<guid>2</guid>"))

    items = read(text[: text.index("<guid>2") + 12])

    assert [item.cut for item in items if isinstance(item, SourcePost)] == [False, True]
    assert any(isinstance(item, Problem) and item.lost for item in items)


@pytest.mark.parametrize("declared", ["", '<?xml version="1.0" encoding="gb2312"?>'])
@pytest.mark.parametrize("encoding", ["gb2312", "gb18030", "utf-8", "utf-16"])
def test_a_wrong_or_missing_declaration_does_not_matter(encoding: str, declared: str) -> None:
    text = declared + RSS.format(ITEM.format("起雾的日子，只有钟声与海浪", ""))

    (item,) = feeds.read(Document("feed.xml", text.encode(encoding)))

    assert isinstance(item, SourcePost)
    assert item.post.title == "起雾的日子，只有钟声与海浪"


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    list(feeds.parse(text, "feed.xml"))
    list(feeds.parse(RSS.format(ITEM.format(text, text)), "feed.xml"))
    list(json_feed.parse(text, "feed.json"))


@given(
    st.lists(
        st.sampled_from(
            [
                "&",
                "&amp;",
                "&nbsp;",
                "&#8;",
                "<![CDATA[",
                "]]>",
                "<!--",
                "-->",
                "<a>",
                "\x01",
                "字" * 50,
                "x",
                ";",
                "&#x41;",
            ]
        )
    ).map("".join),
    st.integers(1, 60),
)
def test_mending_does_not_depend_on_where_the_text_is_parted(text: str, size: int) -> None:
    pieces = [text[place : place + size] for place in range(0, len(text), size)]

    whole, parted = Mending(), Mending()

    assert "".join(whole.mended([text])) == "".join(parted.mended(pieces))
    assert whole == parted


def test_rss_of_cnblogs_is_a_backup_and_its_atom_a_feed() -> None:
    backup = RSS.replace("https://log.example/", "http://www.cnblogs.com/keeper/")
    feed = ATOM.format('<link rel="alternate" href="http://www.cnblogs.com/keeper/"/>')

    names = [
        reader.name
        for text in (backup, feed)
        for reader in claims(Document("rss.xml", text.encode()))
    ]

    assert names == [cnblogs_rss.NAME, feeds.NAME]


@pytest.mark.parametrize(
    "values",
    ["[]", "{}", '{"items": {}}', '{"items": [null]}', "{", '{"items": [{"tags": 3, "id": {}}]}'],
)
def test_a_json_feed_without_posts_is_reported(values: str) -> None:
    assert any(isinstance(item, Problem) for item in json_feed.parse(values, "feed.json"))
