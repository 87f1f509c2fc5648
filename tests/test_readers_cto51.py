"""The listings of 51CTO: the grammar of the text, and what is done with damaged pages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers import cto51_html, cto51_text
from kbexport.readers.base import Document
from kbexport.readers.cto51.meta import read_meta

HEADER = "李四的茶馆的博客_001_煮茶,炭、火\n\n"
FIRST = "[煮茶] 水温(1)\n\n本文量一量水温，并做成表格。\n\n水温\n\nsed\n\n"
SECOND = "[煮茶] 水温(2)\n\n水温\n\n"
META = "原创 2021-12-23 10:49:04 396 阅读\n\n"
FOOTER = "官方博客\t全部文章\n了解我们\t网站地图\n\n51CTO博客\n\n李四的茶馆"
PAGE = HEADER + FIRST + META + SECOND + META + FOOTER


def posts_of(text: str, captured: date | None = None) -> list[Post]:
    read = cto51_text.parse(text, "page.txt", captured)
    return [item.post for item in read if isinstance(item, SourcePost)]


def problems_of(text: str) -> list[Problem]:
    return [item for item in cto51_text.parse(text, "page.txt") if isinstance(item, Problem)]


@pytest.mark.parametrize(
    ("line", "kind", "pinned", "day", "reads"),
    [
        ("原创 2021-12-23 10:49:04 396 阅读", "original", False, "2021-12-23 10:49:04", "396"),
        ("置顶原创 2021-05-20 17:41:47 385 阅读", "original", True, "2021-05-20 17:41:47", "385"),
        ("置顶 原创 点赞1 阅读10000+ 收藏0 评论2 14 天前", "original", True, "14 天前", "10000+"),
        ("原创 点赞0 阅读84 收藏0 评论0 2019-12-19", "original", False, "2019-12-19", "84"),
        ("原创 阅读\u00a04 评论 0 收藏 0", "original", False, None, "4"),
        ("转载 2021/12/23 568人阅读", "repost", False, "2021/12/23", "568"),
        ("翻译 2021年12月23日 阅读：396", "translation", False, "2021年12月23日", "396"),
        ("推荐原创 12-23 阅读(396)", "original", False, "12-23", "396"),
        ("精选 原创 阅读数 1.2万 昨天 10:49", "original", False, "昨天 10:49", "1.2万"),
        ("原创 ２０２１-12-23 ３９６ 阅读", "original", False, "2021-12-23", "396"),
        ("原创 6 月前 8.7k 阅读", "original", False, "6 月前", "8.7k"),
        ("原创 刚刚 1,312 阅读", "original", False, "刚刚", "1,312"),
        ("2021-12-23 10:49 396 阅读", None, False, "2021-12-23 10:49", "396"),
    ],
)
def test_forms_of_the_meta_line(
    line: str, kind: str | None, pinned: bool, day: str | None, reads: str
) -> None:
    meta = read_meta(line)

    assert meta is not None
    assert meta.is_whole
    assert (kind, pinned, day, reads) == (
        meta.kind,
        meta.pinned,
        meta.date,
        (meta.reads or "").strip(),
    )


@pytest.mark.parametrize(
    "line", ["原创", "推荐 全部 原创", "阅读", "翻译", "396", "2021 年终总结", ""]
)
def test_lines_that_are_no_meta_lines(line: str) -> None:
    meta = read_meta(line)

    assert meta is None or not meta.is_whole


def test_a_page_is_read_whole() -> None:
    first, second = posts_of(PAGE)

    assert problems_of(PAGE) == []
    assert first == Post(
        title="[煮茶] 水温(1)",
        published="2021-12-23T10:49:04",
        author="李四的茶馆",
        reads=396,
        tags=("水温", "sed"),
        kind="original",
        excerpt="本文量一量水温，并做成表格。",
    )
    assert (second.excerpt, second.tags) == (None, ("水温",))


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.encode("gbk"),
        lambda text: text.encode("utf-16"),
        lambda text: text.encode("utf-16-le"),
        lambda text: text.encode("utf-8-sig"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.replace("\n\n", "\n").encode(),
        lambda text: text.replace("水", "水\0").encode(),
        lambda text: text.replace(" 阅读", "\u3000阅读 \u200b").encode(),
    ],
    ids=["gbk", "utf-16", "utf-16 unmarked", "mark", "crlf", "no blank lines", "nul", "spaces"],
)
def test_the_form_of_the_file_does_not_matter(damage: object) -> None:
    assert callable(damage)
    document = Document("page.txt", damage(PAGE))

    read = list(cto51_text.read(document))

    assert cto51_text.sniff(document)
    assert posts_of(PAGE) == [item.post for item in read if isinstance(item, SourcePost)]
    assert len(read) == 2


@pytest.mark.parametrize(
    "rest",
    [
        "[煮茶] 水温(3)",
        "[煮茶] 水温(3)\n\n本文量第三次，写在一张纸上。",
        "[煮茶] 水温(3)\n\n本文量第三次，写在一张纸上。\n\n水温\n\nse",
        "[煮茶] 水温(3)\n\n水温\n\n原",
        "[煮茶] 水温(3)\n\n水温\n\n原创 2021-1",
        "[煮茶] 水温(3)\n\n水温\n\n原创 2021-12-2",
        "[煮茶] 水温(3)\n\n水温\n\n原创 2021-12-23 10:4",
        "[煮茶] 水温(3)\n\n水温\n\n原创 2021-12-23 10:49:04",
        "[煮茶] 水温(3)\n\n水温\n\n原创 2021-12-23 10:49:04 39",
        "[煮茶] 水温(3)\n\n水温\n\n原创 2021-12-23 10:49:04 396 阅",
    ],
)
def test_an_entry_cut_off_at_the_end_is_read_and_reported(rest: str) -> None:
    text = HEADER + FIRST + META + SECOND + META + rest

    *whole, cut = posts_of(text)
    (problem,) = problems_of(text)

    assert posts_of(PAGE) == whole
    assert cut.title == "[煮茶] 水温(3)"
    assert cut.reads is None
    assert cut.published in {None, "2021-12-23T10:49:04"}
    assert set(cut.tags) <= {"水温"}
    assert problem.lost
    assert problem.place == "line 19"


@pytest.mark.parametrize("length", range(1, len(FOOTER)))
def test_a_footer_cut_off_is_no_entry(length: int) -> None:
    text = HEADER + FIRST + META + SECOND + META + FOOTER[:length]

    assert posts_of(PAGE) == posts_of(text)
    assert problems_of(text) == []


def test_two_pages_in_one_text_are_read_as_two() -> None:
    assert posts_of(PAGE) * 2 == posts_of(PAGE + "\n" + PAGE)


def test_tags_that_look_like_badges_stay_tags() -> None:
    (post,) = posts_of(HEADER + "推荐系统入门(1)\n推荐\n翻译\n" + META)

    assert post.tags == ("推荐", "翻译")


@pytest.mark.parametrize("word", ["登录", "51CTO学堂", "2022年", "首页"])
def test_words_of_the_frame_may_be_tags(word: str) -> None:
    text = f"水温(1)\n本文量一量水温，并做成表格。\n{word}\n{META}水温(2)\n{word}\n{META}"

    first, second = posts_of(text)

    assert (first.title, first.tags) == ("水温(1)", (word,))
    assert (second.title, second.tags) == ("水温(2)", (word,))


def test_a_number_may_be_a_title() -> None:
    first, second = posts_of(
        f"1984\n本文谈一本书，和它的译本。\n{META}1985\n本文谈下一年，和它的歌。\n{META}"
    )

    assert (first.title, second.title) == ("1984", "1985")


def test_an_excerpt_that_could_be_a_tag_is_decided_and_reported() -> None:
    text = HEADER + "水温(1)\n第三次测量水温\n" + META

    (post,), (problem,) = posts_of(text), problems_of(text)

    assert (post.excerpt, post.tags) == (None, ("第三次测量水温",))
    assert not problem.lost


def test_a_meta_line_with_more_in_it_still_ends_its_entry() -> None:
    text = HEADER + FIRST + META.strip() + " 某人\n" + SECOND + META

    assert len(posts_of(text)) == 2
    assert [problem.reason for problem in problems_of(text)] == [
        "part of the meta line is not understood: 某人"
    ]


def test_an_impossible_date_is_reported_and_left_out() -> None:
    text = HEADER + FIRST + META.replace("12-23", "13-45")

    assert posts_of(text)[0].published is None
    assert [problem.lost for problem in problems_of(text)] == [True]


def test_relative_dates_need_the_day_of_capture() -> None:
    text = HEADER + FIRST + "原创 3 天前 5 阅读\n" + SECOND + "原创 昨天 10:49 6 阅读\n"

    days = [post.published for post in posts_of(text, date(2022, 7, 27))]
    (problem,) = problems_of(text)

    assert days == ["2022-07-24", "2022-07-26T10:49"]
    assert [post.published for post in posts_of(text)] == [None, None]
    assert "2 of the entries" in problem.reason


def test_a_meta_line_without_a_title_is_reported() -> None:
    text = HEADER + META + FIRST + META

    assert len(posts_of(text)) == 1
    assert [p.reason for p in problems_of(text)] == ["a meta line without a title above it"]


def test_a_first_line_that_is_called_like_a_blog_is_a_title() -> None:
    (post,) = posts_of("我的博客\n今天开始写，记录学习。\n" + META)

    assert post.title == "我的博客"


def test_a_post_that_quotes_a_meta_line_is_no_listing() -> None:
    text = "说明一下列表的样子，下面是一行。\n" * 20 + META + "这一行之后还有很多话要说，\n" * 20

    assert not cto51_text.sniff(Document("post.md", text.encode()))


PIECES = [
    "原创",
    "阅读",
    "置顶",
    " 2021-12-23",
    " 396 ",
    "\n",
    "\n\n",
    "茶，",
    "水",
    "的博客_",
    "51CTO",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_pages_made_of_pieces_are_read_without_an_error(text: str) -> None:
    list(cto51_text.parse(text, "page.txt"))


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    list(cto51_text.parse(text, "page.txt"))
    list(cto51_html.parse(text, "page.html"))
    list(cto51_html.parse("<div class=common-article-list>" + text, "page.html"))


ENTRY = (
    '<div class="common-article-list"><h3 class="title"><a href="/u_1/{n}">水温({n})</a></h3>'
    '<div class="messages"><span class="tag original">原创</span>'
    '<span class="nums">阅读<b>{n}7</b></span>'
    '<span class="actions fr">2022-05-0{n}</span></div></div>'
)
ENTRIES = ENTRY.format(n=1) + ENTRY.format(n=2)
HTML = f"<!DOCTYPE html><html><body>51CTO{ENTRIES}</body></html>"


@pytest.mark.parametrize("length", range(HTML.index("<div"), HTML.index("</body>"), 5))
def test_a_page_cut_off_anywhere_tells_nothing_wrong_and_is_reported(length: int) -> None:
    whole = [item.post for item in cto51_html.parse(HTML, "x") if isinstance(item, SourcePost)]

    read = list(cto51_html.parse(HTML[:length], "x"))
    posts = [item.post for item in read if isinstance(item, SourcePost)]

    assert any(isinstance(item, Problem) and item.lost for item in read)
    for post, full in zip(posts, whole, strict=False):
        assert post.reads in {None, full.reads}
        assert post.published in {None, full.published}
        assert (full.title or "").startswith(post.title or "")


def test_a_page_whose_list_comes_by_script_is_reported() -> None:
    html = '<html>51cto<script type="text/html"><div class="common-article-list"></script></html>'

    (problem,) = cto51_html.parse(html, "page.html")

    assert isinstance(problem, Problem)
    assert problem.reason == "the page holds no entries"
