"""The listing pages of sites, as data: what begins an entry, and where it has what.

Selectors and words are those of `inputs/README.md`, sections 2, 4 and 5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbexport.models import Kind
from kbexport.readers.pages.picks import Pick


@dataclass(frozen=True)
class Listing:
    """Where the listing pages of a site have what."""

    name: str
    """The site, for people."""
    words: tuple[str, ...]
    """Words of which one stands in the source of such a page, in lower case."""
    classes: tuple[str, ...]
    """And classes of which one does."""
    entry: str
    """Selector of what begins an entry."""
    title: tuple[Pick, ...]
    link: str
    """Selector of the link to the post."""
    more: str = ""
    """Selector of further parts of an entry; they follow its beginning as siblings."""
    site: str = ""
    """What links are relative to."""
    published: tuple[Pick, ...] = ()
    author: tuple[Pick, ...] = ()
    """In an entry, else on the page."""
    reads: tuple[Pick, ...] = ()
    excerpt: tuple[Pick, ...] = ()
    kinds: tuple[tuple[str, Kind], ...] = ()
    pinned: str = ""
    """Selector of the sign that a post is pinned; `[置顶]` before a title says so as well."""
    drop: str = ""
    """Selector of signs that stand in titles."""


_DATE = r"\d{4}[-.]\d\d[-.]\d\d(?: \d\d:\d\d(?::\d\d)?)?"

LISTINGS = (
    Listing(
        name="51CTO, 2018 to 2020",
        words=("51cto",),
        classes=("artical-list",),
        entry="ul.artical-list > li",
        title=(Pick("a.tit"),),
        link="a.tit",
        site="https://blog.51cto.com/",
        published=(Pick("a.time"),),
        author=(Pick("a.name"),),
        reads=(Pick("p.read"),),
        excerpt=(Pick("a.con"),),
        kinds=(
            ("p.tab.original", "original"),
            ("p.tab.reprint", "repost"),
            ("p.tab.translation", "translation"),
        ),
        pinned="p.tab.up, .top .up",
    ),
    Listing(
        name="cnblogs",
        words=("cnblogs", "博客园"),
        classes=("dayTitle", "entrylistItem"),
        entry=".day .postTitle, .entrylistPosttitle, .entrylistItem > .entrylistItemTitle",
        more=".day .postCon, .day .postDesc, .entrylistPostSummary, .entrylistItemPostDesc",
        title=(Pick("a.postTitle2, a.entrylistItemTitle"), Pick("a")),
        link="a[href]",
        site="https://www.cnblogs.com/",
        published=(Pick(".postDesc, .entrylistItemPostDesc", _DATE),),
        author=(
            Pick(".postDesc, .entrylistItemPostDesc", r"\d\d:\d\d\s+(\S.{0,60}?)\s+阅读\s*\("),
            Pick("#Header1_HeaderTitle"),
        ),
        reads=(Pick(".postDesc, .entrylistItemPostDesc", r"阅读\s*\(\d+\)"),),
        excerpt=(Pick(".c_b_p_desc", r"^(?:摘要\s*[:：]\s*)?(.*?)\s*(?:阅读全文)?$"),),
        pinned=".pinned-post, .postSticky",
    ),
    Listing(
        name="CSDN",
        words=("csdn",),
        classes=("article-item-box", "blog-list-box"),
        entry="div.article-item-box, article.blog-list-box",
        title=(Pick("h4 a"), Pick("h4")),
        link="h4 a[href], a[href*='/article/details/']",
        site="https://blog.csdn.net/",
        published=(
            Pick(".info-box .date"),
            Pick(".view-time-box", rf"^(?!.*更新).*?({_DATE})"),
        ),
        author=(
            Pick("#uid"),
            Pick(".user-profile-head-name > div, .user-profile-head-name"),
            Pick("title", r"^(.{1,60}?)的博客"),
        ),
        reads=(
            Pick(".read-num", r"^(?!评论).*"),
            Pick(".view-num", r"^[\d.,]+[万wk]?\+?(?=\s*阅读)"),
        ),
        excerpt=(Pick("p.content"), Pick(".blog-list-content")),
        kinds=(
            ("span.article-type.type-1, .article-type-yc", "original"),
            ("span.article-type.type-2, .article-type-zz", "repost"),
            ("span.article-type.type-3, .article-type-fy", "translation"),
        ),
        pinned="img.settop, .article-type-zd",
        drop="span.article-type",
    ),
)

_CLASS = re.compile(r"\bclass=(?:[\"']?)([^\"'<>]{0,500})")
# The entries of 51CTO's newer listing, which has a reader of its own.
_NEWER_51CTO = "common-article-list"
# Some themes show articles in the frame of a listing.
_ARTICLE = re.compile(r"\bid=[\"']?(?:cnblogs_post_body|content_views|articleContentId)\b")


def _has_class(html: str, *names: str) -> bool:
    """Whether an element has one of the classes, as far as the source tells."""
    return any(not set(names).isdisjoint(found[1].split()) for found in _CLASS.finditer(html))


def listing_of(html: str) -> Listing | None:
    """The site whose listing the page is, as far as its source tells."""
    if not html.lstrip().startswith("<") or _ARTICLE.search(html):
        return None
    folded = html.lower()
    for listing in LISTINGS:
        if any(word in folded for word in listing.words) and _has_class(html, *listing.classes):
            return listing
    return None


def is_listing(html: str) -> bool:
    """Whether the page is a listing that some reader knows."""
    newer = "51cto" in html.lower() and _has_class(html, _NEWER_51CTO)
    return newer or listing_of(html) is not None
