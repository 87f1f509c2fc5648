"""Pages that stand in the place of an article: blocked, deleted, not found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbexport.content.dom import Element

_SHORT = 1500
"""A stub has few words; an article that speaks of one has more."""

_OPEN_IT = "open the page in a browser, pass the check, and save it from there"
_GONE = "remove the file; the text may be in a backup, a feed or a web archive"


@dataclass(frozen=True)
class Stub:
    """How a page that is no article gives itself away."""

    reason: str
    hint: str
    source: str = ""
    """A pattern in the source of the page, scripts included."""
    title: str = ""
    """A pattern in the title."""
    words: str = ""
    """A pattern in the words that are shown."""


STUBS = (
    Stub(
        "an anti-bot page in place of the article (EdgeOne, as 51CTO has it)",
        _OPEN_IT,
        source=r"__tst_status|\bWTKkN\b|EO_Bot_Ssid",
    ),
    Stub(
        "an anti-bot page in place of the article (Cloudflare)",
        _OPEN_IT,
        source=r"_cf_chl_opt|cf-browser-verification",
        title=r"^(?:Just a moment|Attention Required|请稍候)",
    ),
    Stub(
        "an anti-bot page in place of the article (zhihu)",
        _OPEN_IT,
        source=r"/account/unhuman|zse-ck",
        title=r"^(?:安全验证|知乎，让每一次点击|知乎 - 有问题)|安全中心",
    ),
    Stub(
        "an anti-bot page in place of the article (WeChat)",
        _OPEN_IT,
        words=r"当前环境异常，完成验证后|环境异常.{0,20}去验证",
    ),
    Stub(
        "the article was deleted by its author",
        _GONE,
        words=r"该内容已被发布者删除|The content has been deleted by the author"
        r"|(?:该|此|这篇)?(?:文章|博文|博客|内容)(?:不存在|已(?:被|经被|经)?(?:作者)?(?:删除|下架))",
    ),
    Stub(
        "the article is blocked by the site",
        _GONE,
        words=r"此内容因违规无法查看|该内容暂时无法查看|此内容被投诉|该公众号已迁移|该(?:文章|博文)(?:已被|正在)审核",
    ),
    Stub(
        "the article asks for a password",
        "open the page in a browser, give the password, and save it from there",
        words=r"该文被密码保护|This (?:content|post) is password[- ]protected|此内容受密码保护",
    ),
    Stub(
        "the page says that it was not found",
        _GONE,
        title=r"^\s*(?:404\b|(?:Error )?404|Page [Nn]ot [Ff]ound|Not Found)"
        r"|(?:页面|文章|网页)(?:不存在|未找到|找不到|没有找到)|404 ?错误|\b404 Not Found",
        words=r"(?:您|你)(?:访问|查看|请求)的(?:页面|文章|内容)(?:不存在|找不到|未找到|已(?:被)?删除)",
    ),
)


def find_stub(page: Element, html: str) -> Stub | None:
    """The stub that the page is; whether it has the text of an article was asked before."""
    body = page.select_one("body")
    shown = body.text if body else page.text
    if len(shown) > _SHORT:
        return None
    heading = page.select_one("title")
    title = heading.text if heading else ""
    return next((stub for stub in STUBS if _is(stub, html, title, shown)), None)


def _is(stub: Stub, html: str, title: str, shown: str) -> bool:
    pairs = ((stub.source, html), (stub.title, title), (stub.words, shown))
    return any(pattern and re.search(pattern, text) for pattern, text in pairs)
