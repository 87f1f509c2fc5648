"""Article pages: which pages are articles, their titles, addresses and dates, and their text."""

from __future__ import annotations

import sys

import pytest

from kbexport.models import Post, Problem, SourcePost
from kbexport.readers import article, listing
from kbexport.readers.base import Document
from kbexport.readers.registry import claims

WORDS = "<p>先把杯子烫一遍，再放茶叶，水温不要太高。</p>"


def page(body: str, head: str = "<title>洗杯子 - 茶馆</title>") -> str:
    return f"<!DOCTYPE html><html lang=zh><head>{head}</head><body>{body}</body></html>"


def article_of(html: str, page_url: str | None = None) -> Post:
    (item,) = article.parse(html, "page.html", page_url)
    assert isinstance(item, SourcePost)
    return item.post


def problem_of(html: str) -> Problem:
    (item,) = article.parse(html, "page.html")
    assert isinstance(item, Problem)
    return item


def named(html: str) -> list[str]:
    return [reader.name for reader in claims(Document("page", html.encode()))]


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>洗杯子 - 茶馆</title>", "洗杯子"),
        ("<title>洗杯子</title>", "洗杯子"),
        ("<title>洗杯子_茶馆_某站</title>", "洗杯子"),
        ("<title>茶馆</title><meta property=og:title content=洗杯子>", "洗杯子"),
        ("", "洗杯子"),
    ],
)
def test_the_heading_that_the_page_has_for_a_title_is_the_title(head: str, title: str) -> None:
    body = f"<h1>茶馆</h1><article><h2>洗杯子</h2>{WORDS}<h2>再洗一遍</h2></article>"
    if not head:
        body = body.replace("<h1>茶馆</h1>", "").replace("<h2>洗杯子</h2>", "<h1>洗杯子</h1>")

    assert article_of(page(body, head)).title == title


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("洗杯子_李四的技术博客_51CTO博客", "洗杯子"),
        ("洗杯子_51CTO博客_杯子 怎么洗", "洗杯子"),
        ("洗杯子-李四的博客-51CTO博客", "洗杯子"),
        ("C++_洗杯子_51CTO博客", "C++_洗杯子"),
    ],
)
def test_a_site_adds_its_name_to_the_title(title: str, shown: str) -> None:
    body = f"<div class=article-detail><div class=editor-preview-side>{WORDS}</div></div>"

    assert article_of(page(body, f"<title>{title}</title>")).title == shown


def test_the_name_of_the_site_is_cut_where_the_page_tells_it() -> None:
    head = "<title>洗杯子 | 茶馆</title><meta property=og:site_name content=茶馆>"

    assert article_of(page(f"<article>{WORDS}<h2>结论</h2></article>", head)).title == "洗杯子"


@pytest.mark.parametrize(
    ("head", "page_url", "url"),
    [
        ("<link rel=canonical href=https://a.example/p/1>", None, "https://a.example/p/1"),
        ("<link rel=canonical href=/p/1>", "https://a.example/x", "https://a.example/p/1"),
        ("<meta property=og:url content=https://a.example/p/2>", None, "https://a.example/p/2"),
        ("<link rel=canonical href=https://a.example/>", "https://a.example/p/3", None),
        ("", "https://a.example/p/3", "https://a.example/p/3"),
        ("<link rel=canonical href='http://['>", None, ""),
        ("<link rel=canonical href=file:///tmp/x.html>", None, ""),
    ],
)
def test_the_address_is_what_the_page_says_unless_it_is_the_root_of_the_site(
    head: str, page_url: str | None, url: str | None
) -> None:
    html = page(f"<article><h1>茶</h1>{WORDS}</article>", head)

    assert article_of(html, page_url).url == (page_url if url is None else url or None)


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- saved from url=(0024)https://a.example/p/tea1 -->\n<html>",
        (
            "<html><!--\n Page saved with SingleFile \n url: https://a.example/p/tea1 \n"
            " saved date: Wed Jul 27 2022 10:00:00 GMT+0800 (x)\n-->"
        ),
    ],
)
def test_a_browser_notes_where_a_page_was(comment: str) -> None:
    html = f"<!DOCTYPE html>{comment}<head></head><body><article><h1>茶</h1>{WORDS}</article>"
    document = Document("page.html", html.encode())

    (item,) = article.read(document)

    assert isinstance(item, SourcePost)
    assert item.post.url == "https://a.example/p/tea1"


def test_the_visible_local_date_wins_over_one_in_utc() -> None:
    head = "<meta property=article:published_time content=2021-06-01T22:30:00+00:00>"
    shown = '<time class="entry-date published" datetime="2021-06-02T06:30:00+08:00">2 June</time>'

    post = article_of(page(f"<article><h1>茶</h1>{shown}{WORDS}</article>", head))

    assert post.published == "2021-06-02T06:30:00+08:00"


def test_a_date_that_nobody_can_read_is_absent() -> None:
    html = page(f"<article><h1>茶</h1><time datetime=soon>soon</time>{WORDS}</article>")

    assert article_of(html).published is None


def test_what_stands_around_the_text_is_not_in_it() -> None:
    inner = (
        f"<h1>洗杯子</h1><time>2021-01-01</time>{WORDS}<p>上一篇：<a href=/a>茶</a></p>"
        "<div>下一篇: <a href=/b>水</a></div><footer>版权</footer><style>p{}</style>"
    )

    assert article_of(page(f"<nav>首页</nav><article>{inner}</article>")).body_html == WORDS


def test_links_to_the_neighbours_that_the_author_wrote_stay() -> None:
    html = page(f"<div class=entry-content>{WORDS}<p>上一篇：<a href=/a>茶</a></p></div>")

    assert "上一篇" in (article_of(html).body_html or "")


def test_a_page_of_many_articles_is_no_article() -> None:
    many = f"<article><h2>一</h2>{WORDS}</article>" * 3

    assert named(page(many)) == []
    assert problem_of(page(many)).reason == "no article was found on this page"


@pytest.mark.parametrize(
    "entry",
    [
        "<div class=post><h2>一</h2><div class=entry-content>{}</div></div>",
        "<section><h2><a href=/p/1>一</a></h2>{}</section>",
    ],
)
def test_a_main_element_that_holds_a_list_is_no_article(entry: str) -> None:
    html = page(f"<main><h1>茶馆</h1>{entry.format(WORDS) * 4}</main>")

    assert named(html) == []
    assert problem_of(html).reason == "no article was found on this page"


def test_short_articles_beside_a_long_one_are_comments_or_related_ones() -> None:
    html = page(f"<article><h1>洗杯子</h1>{WORDS * 9}</article><article>谢谢</article>")

    assert article_of(html).body_html == WORDS * 9


@pytest.mark.parametrize(
    "html",
    [
        "<!DOCTYPE html><rss version=2.0><channel><item><description>x</description></item></rss>",
        "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><entry/></feed>",
        page("<article class=h-entry><section data-field=body class=e-content><p>x</article>"),
        page("<section class=h-card><h3 class=p-name>李四</h3></section>"),
        page("<main><h1>导航</h1><p><a href=/a>茶的一切</a> <a href=/b>水的一切</a></p></main>"),
        page("<p>hello</p>"),
        "just words",
        "",
    ],
    ids=["rss", "atom", "Medium", "profile", "links", "no main", "text", "nothing"],
)
def test_feeds_exports_and_other_pages_are_not_claimed(html: str) -> None:
    assert not article.sniff(Document("page", html.encode()))


def test_a_listing_is_no_article_and_an_article_no_listing() -> None:
    code = "<style>.dayTitle{} #cnblogs_post_body{}</style>"
    entry = (
        "<div class=day><div class=dayTitle></div><div class=postTitle><a href=/p/1>茶</a></div>"
    )
    body = f"<div id=cnblogs_post_body>{WORDS}</div>"

    assert named(page(f"{code} cnblogs <main><h1>x</h1>{entry}</div></main>")) == ["listing"]
    assert named(page(f"{code} cnblogs <div class=dayTitle>{body}</div>")) == ["article"]


@pytest.mark.parametrize(
    "words", ["该内容已被发布者删除", "当前环境异常，完成验证后即可继续访问。", "该文被密码保护。"]
)
def test_an_article_that_speaks_of_a_stub_is_none(words: str) -> None:
    html = page(f"<div id=js_content>{WORDS}<p>页面上写着“{words}”。</p></div>")

    assert words in (article_of(html).body_html or "")
    assert problem_of(page(f"<div>{words}</div>")).hint


@pytest.mark.parametrize("title", ["404 Not Found", "Page not found - 茶馆", "页面不存在"])
def test_a_page_that_was_not_found_is_named(title: str) -> None:
    html = page(f"<main><h1>{title}</h1><p>回首页看看吧。</p></main>", f"<title>{title}</title>")

    assert "not found" in problem_of(html).reason


def test_damaged_metadata_is_no_reason_to_lose_the_article() -> None:
    nested = '[{"@type":' * 3000
    head = (
        f"<script type=application/ld+json>{nested}</script>"
        '<script type=application/ld+json>{"@type":["Article"],"author":7,"keywords":{}}</script>'
    )

    post = article_of(page(f"<article><h1>茶</h1>{WORDS}</article>", head))

    assert (post.title, post.author, post.tags) == ("茶", None, ())


def test_epochs_of_chinese_sites_are_of_the_chinese_clock() -> None:
    html = page(f'<div id=js_content>{WORDS}</div><script>var ct = "1656691200";</script>')

    assert article_of(html).published == "2022-07-02T00:00:00+08:00"


def test_another_page_is_read_as_trafilatura_finds_its_text() -> None:
    text = "".join(
        f"<p>第{n}段：{'水温慢慢地升高，茶汤的颜色也慢慢变深。' * 4}</p>" for n in "一二三"
    )
    html = page(f"<div id=menu><a href=/a>首页</a></div><div id=text>{text}<pre>a = 1</pre></div>")

    post = article_of(html)

    assert post.title == "洗杯子 - 茶馆"
    assert "<pre>a = 1</pre>" in (post.body_html or "")
    assert "首页" not in (post.body_html or "")


def test_without_trafilatura_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)

    assert "kbexport[pages]" in problem_of(page(WORDS * 9)).hint


def test_a_listing_that_ends_early_is_reported() -> None:
    html = page("<ul class=artical-list><li><a class=tit href=/1/2>茶</a></li></ul>51cto")

    whole = list(listing.parse(html, "page.html"))
    cut = list(listing.parse(html.split("</ul>", maxsplit=1)[0] + "51cto", "page.html"))

    assert len(whole) == 1
    assert isinstance(cut[-1], Problem)
    assert "has no end" in cut[-1].reason
