"""What stands around the entries of a listing page: header, navigation, sidebar, footer."""

from __future__ import annotations

import re

_FOOTER_WORDS = """
    官方博客 全部文章 热门标签 班级博客 了解我们 网站地图 意见反馈 在线客服 鸿蒙开发者社区
    开源基础软件社区 51CTO学堂 51CTO 51CTO博客 软考资讯 关于我们 友情链接 版权所有
    51CTO官网 51CTO技术栈 汽车开发者社区
"""
_PAGE_WORDS = """
    51CTO首页 内容精选 博客 学堂 精品班 软考 免费课 企业培训 鸿蒙 开源 首页 关注 热榜 订阅专栏
    登录 注册 登录注册 写文章 创作者中心 消息 搜索 人气 粉丝 私信 阅读数 原创 翻译 转载 推荐 全部
    按发布时间 按阅读量 时间轴 篇 获赞 收藏 排名 换一换 更多 查看更多 TA的专栏 Ta的专栏 专栏
    上一页 下一页 尾页 末页 … ... > < » «
"""
_SIDEBAR_WORDS = """
    热门文章 近期文章 最新文章 Ta的分类 TA的分类 我的分类 文章分类 近期来访 近期评论
    最近来访 最新评论 热门专栏
"""
_FOOTER = frozenset(_FOOTER_WORDS.split())
_FOOTER_START = ("Copyright", "©", "京ICP", "京公网安备")
_PAGE = frozenset(_PAGE_WORDS.split())
_SIDEBAR = frozenset(_SIDEBAR_WORDS.split())
_CELL = re.compile(
    r"\d+篇|\d{4}年|\d{1,2}月|共?\d+条记录|[\d.]+[万wk]?\+?|[\d.]+[万wk]?(?:人气|原创|粉丝|关注|翻译|转载|阅读数?)"
    r"|(?:全部|\d{4}年|\d{1,2}月)\d+篇",
    re.IGNORECASE,
)
_PAGES = re.compile(r"(?:首页|上一页|下一页|尾页|末页|共\d+条记录|\d{1,4}|[…<>«»]|\.\.\.)")
_HEADER = re.compile(r"(?P<author>.{1,60}?)的(?:技术)?博客(?P<rest>_.*)?")
_COVER = re.compile(r"\d{1,2}图")


def header_author(line: str) -> str | None:
    """The author if the line can be the title of a blog's page."""
    found = _HEADER.fullmatch(line[:1000])
    return found["author"] if found else None


def is_sure_header(line: str) -> bool:
    """Whether a title of a post hardly looks like this."""
    found = _HEADER.fullmatch(line[:1000])
    return bool(found and found["rest"])


def is_footer(line: str, *, cut: bool = False) -> bool:
    """Whether the line consists of cells of the page's footer; its last one may be cut off."""
    if line.startswith(_FOOTER_START):
        return True
    *cells, last = line.split() or [""]
    if not all(cell in _FOOTER for cell in cells):
        return False
    return last in _FOOTER or (cut and any(cell.startswith(last) for cell in _FOOTER))


def is_sidebar_heading(line: str) -> bool:
    """Whether a list of the sidebar begins here; its lines repeat titles of posts."""
    return line in _SIDEBAR


def is_page_noise(line: str) -> bool:
    """Whether the line consists of words of the page's frame, such as its filters."""
    return all(cell in _PAGE or _CELL.fullmatch(cell) for cell in line.split()) or is_footer(line)


def has_cells(line: str) -> bool:
    """Whether the line has several words: of the page's frame, that is no tag."""
    return " " in line


def is_pagination(line: str) -> bool:
    """Whether the line links to other pages of the listing."""
    return all(_PAGES.fullmatch(cell) for cell in line.split())


def is_cover_mark(line: str) -> bool:
    """Whether the line counts the pictures of an entry."""
    return bool(_COVER.fullmatch(line))
