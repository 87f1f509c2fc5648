"""The listings of 51CTO: the grammar of the text, and what is done with damaged pages."""

from __future__ import annotations

from datetime import date
from pathlib import Path

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
FIXTURES = Path(__file__).parent / "fixtures" / "51cto-text"
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


@pytest.mark.parametrize("word", ["{{ msg }}", "{% raw %}", "{{< figure >}}"])
def test_an_entry_may_speak_of_templates(word: str) -> None:
    posts = [
        item.post
        for item in cto51_html.parse(HTML.replace("水温", word.replace("<", "&lt;")), "page.html")
        if isinstance(item, SourcePost)
    ]

    assert [post.title for post in posts] == [f"{word}(1)", f"{word}(2)"]


def test_a_count_that_cannot_be_read_is_reported() -> None:
    text = HEADER + FIRST + META.replace("396", "1_000")

    assert posts_of(text)[0].reads is None
    assert [(p.reason, p.lost) for p in problems_of(text)] == [("no such count: 1_000", True)]
    (problem,) = [
        item
        for item in cto51_html.parse(HTML.replace("17</b>", "1'017</b>"), "page.html")
        if isinstance(item, Problem)
    ]
    assert problem.reason == "no count that can be read: 阅读1'017"


@pytest.mark.parametrize(
    ("line", "kind", "rest"),
    [
        ("独家 原创 2021-12-23 10:49:04 396 阅读", "original", "独家"),
        ("付费 2021-12-23 10:49:04 396 阅读", None, "付费"),
        ("原创 2021-12-23 10:49:04 396 阅读 · 阿桥", "original", "阿桥"),
        ("阿桥 2021-12-23 10:49:04 阅读 396 VIP2", None, "阿桥VIP2"),
    ],
)
def test_a_meta_line_with_unknown_words_is_used_and_reported(
    line: str, kind: str | None, rest: str
) -> None:
    text = HEADER + FIRST + line + "\n\n" + SECOND + META

    first, second = posts_of(text)
    (problem,) = problems_of(text)

    assert (first.title, first.kind, second.title) == ("[煮茶] 水温(1)", kind, "[煮茶] 水温(2)")
    assert (first.published, first.tags) == ("2021-12-23T10:49:04", ("水温", "sed"))
    assert first.reads == (None if "2" in rest else 396)
    assert (problem.reason, problem.lost) == (
        f"part of the meta line is not understood: {rest}",
        False,
    )


@pytest.mark.parametrize("line", ["1 000 阅读", "阅读 1 000", "1,000 阅读"])
def test_thousands_may_be_set_apart(line: str) -> None:
    (post,) = posts_of(HEADER + FIRST + "原创 2021-12-23 10:49:04 " + line)

    assert post.reads == 1000


def test_a_title_that_is_a_date_stays_a_title() -> None:
    text = f"2021-12-23\n本文记一天里喝的茶，一杯一杯。\n{META}水温(2)\n水温\n{META}"

    first, second = posts_of(text)

    assert (first.title, second.title) == ("2021-12-23", "水温(2)")


def test_relative_dates_are_reported_in_the_words_of_the_page() -> None:
    text = HEADER + FIRST + "原创 6 小时前 5 阅读\n"

    (problem,) = problems_of(text)

    assert "`6 小时前`" in problem.reason


TAGS = {"木炭", "火柴", "推荐", "翻译", "水温", "sed"}


def cut_at(text: str, length: int) -> tuple[list[SourcePost], list[Problem]]:
    read = list(cto51_text.parse(text[:length], "page.txt"))
    posts = [item for item in read if isinstance(item, SourcePost)]
    return posts, [item for item in read if isinstance(item, Problem) and item.lost]


@pytest.mark.parametrize("case", ["one-badge-a-line", "date-above-the-title"])
def test_a_page_of_several_lines_an_entry_may_end_anywhere(case: str) -> None:
    text = (FIXTURES / case / "page.txt").read_text(encoding="utf-8")
    whole = posts_of(text)

    for length in range(1, len(text) - 1):
        posts, problems = cut_at(text, length)
        # A count or a badge that follows may be missing without a trace.
        assert problems or posts[-1].post in whole or posts[-1].cut or len(posts) == 1
        for item, full in zip(posts, whole, strict=False):
            post = item.post
            assert (full.title or "").startswith(post.title or "")
            assert set(post.tags) <= set(full.tags) | {"推荐", "翻译"}
            assert post.reads in {None, full.reads}
            assert post.published in {None, full.published}
        assert not [item for item in posts[:-1] if item.cut]


def test_a_cut_entry_is_marked_in_text_and_in_html() -> None:
    text, _ = cut_at(PAGE, PAGE.index("sed"))
    read = cto51_html.parse(HTML[: HTML.rindex("阅读")], "page.html")
    page = [item for item in read if isinstance(item, SourcePost)]

    assert [item.cut for item in text] == [True]
    assert [item.cut for item in page] == [False, True]


@pytest.mark.parametrize(
    ("rest", "tags", "kind"),
    [
        ("水温(3)\n本文量第三次，写在一张纸上。\n水温\n原创", ("水温",), "original"),
        ("水温(3)\n本文量第三次，写在一张纸上。\n水温\n原创\n2021-1", ("水温",), "original"),
        ("水温(3)\n本文量第三次，写在一张纸上。\n水温\n原创\n点赞1\n阅", ("水温",), "original"),
        ("水温(3)\n本文量第三次，写在一张纸上。\n水温\nsed", ("水温",), None),
        ("水温(3)\n本文量第三次，写在一张纸上。\n水温\nsed\n", ("水温", "sed"), None),
        ("水温(3)\nsed", (), None),
    ],
)
def test_the_tags_of_a_cut_entry_are_whole_tags(
    rest: str, tags: tuple[str, ...], kind: str | None
) -> None:
    *_, cut = posts_of(HEADER + FIRST + META + SECOND + META + rest)

    assert (cut.title, cut.tags, cut.kind) == ("水温(3)", tags, kind)


def test_a_page_clipped_as_markdown_reads_as_the_page() -> None:
    text = r"""
### [\[源码解析\] 甲系列(2)](https://blog.51cto.com/u_1/2_(a) "甲系列")

[本文用 snake\_case 写名字，并说明它的\*用处\*。](https://blog.51cto.com/u_1/2)

[sed](https://blog.51cto.com/t/sed.html) [c++](https://blog.51cto.com/t/c.html "c++")

原创 2021-12-23 10:49:04 396 阅读
"""
    (post,) = posts_of(text)

    assert post.title == "[源码解析] 甲系列(2)"
    assert post.url == "https://blog.51cto.com/u_1/2_(a)"
    assert post.excerpt == "本文用 snake_case 写名字，并说明它的*用处*。"
    assert post.tags == ("sed", "c++")
    assert problems_of(text) == []


def test_a_page_that_no_clipper_wrote_keeps_its_backslashes() -> None:
    (post,) = posts_of("正则 \\[a\\](x)\n本文讲 \\* 与 \\[，各举一例。\n" + META)

    assert (post.title, post.excerpt) == ("正则 \\[a\\](x)", "本文讲 \\* 与 \\[，各举一例。")


def test_a_long_clipped_page_is_recognized() -> None:
    link = "[水温](https://blog.51cto.com/topic/shuiwen.html)\n"
    entry = "### [水温({n})](https://blog.51cto.com/u_1/{n})\n一句话，很短。\n" + link * 5 + META
    text = "".join(entry.format(n=n) for n in range(30))

    assert cto51_text.sniff(Document("page.md", text.encode()))
