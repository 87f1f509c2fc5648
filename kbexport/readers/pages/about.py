"""What a page says of itself to machines: JSON-LD, OpenGraph, `meta` and `link`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from kbexport.content.dom import Element
from kbexport.readers.pages.picks import Pick, Scope
from kbexport.text.clean import one_line
from kbexport.text.dates import parse_moment
from kbexport.text.urls import web_address

_LONGEST = 1_000_000
_ARTICLES = frozenset(
    "Article BlogPosting NewsArticle TechArticle SocialMediaPosting Report".split()
)
_AUTHOR = (
    Pick("meta[name='author']", attr="content"),
    Pick("meta[property='article:author']", r"^(?!https?:).*", attr="content"),
    Pick("meta[name='parsely-author'], meta[name='dc.creator']", attr="content"),
)
_PUBLISHED = (
    Pick("meta[property='article:published_time'], meta[name='publish_date']", attr="content"),
    Pick("meta[name='article:published_time'], meta[name='pubdate']", attr="content"),
    Pick("meta[name='date'], meta[name='parsely-pub-date'], meta[name='dc.date']", attr="content"),
)
_UPDATED = (
    Pick(
        "meta[property='article:modified_time'], meta[property='og:updated_time']", attr="content"
    ),
)
_TAGS = (Pick("meta[property='article:tag']", attr="content"),)
_SECTION = (Pick("meta[property='article:section']", attr="content"),)
_SITE = (Pick("meta[property='og:site_name']", attr="content"),)
_OG_TITLE = (Pick("meta[property='og:title']", attr="content"),)
_ADDRESSES = (
    Pick("link[rel='canonical']", attr="href"),
    Pick("meta[property='og:url']", attr="content"),
)


@dataclass(frozen=True)
class About:
    """The metadata of a page; empty where it has none."""

    is_article: bool = False
    """Whether the page says that it is one article."""
    title: str | None = None
    og_title: str | None = None
    site: str | None = None
    url: str | None = None
    published: str | None = None
    updated: str | None = None
    author: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


def read_about(page: Element, page_url: str | None) -> About:
    """Read the metadata of the page, which lies at ``page_url`` as far as is known."""
    scope = Scope((page,))
    linked = _linked(page)
    published = _moment(linked.get("datePublished"))
    og_article = page.select_one("meta[property='og:type'][content='article']") is not None
    stamped = scope.moment(_PUBLISHED[:1])
    return About(
        is_article=bool(linked) or og_article or stamped is not None,
        title=_line(linked.get("headline")) or _line(linked.get("name")),
        og_title=scope.line(_OG_TITLE),
        site=scope.line(_SITE),
        url=_url(scope, linked, page_url),
        published=published or scope.moment(_PUBLISHED),
        updated=_moment(linked.get("dateModified")) or scope.moment(_UPDATED),
        author=_person(linked.get("author")) or scope.line(_AUTHOR),
        tags=scope.names(_TAGS) or _listed(linked.get("keywords")),
        categories=scope.names(_SECTION) or _listed(linked.get("articleSection")),
    )


def _url(scope: Scope, linked: Mapping[str, object], page_url: str | None) -> str | None:
    """The page's own address; the root of a site is that of no article, whatever a theme says."""
    stated = [*scope.words(_ADDRESSES), linked.get("url"), page_url]
    for address in stated:
        if not isinstance(address, str):
            continue
        try:
            known = web_address(urljoin(page_url or "", address))
        except ValueError:  # such as `http://[`
            continue
        if known and (urlsplit(known).path.strip("/") or urlsplit(known).query):
            return known
    return None


def _linked(page: Element) -> Mapping[str, object]:
    """The article among the JSON-LD of the page, if there is one."""
    for script in page.select("script[type='application/ld+json']"):
        try:
            data = json.loads(script.inner_html[:_LONGEST], strict=False)
        except (ValueError, RecursionError):
            continue
        for item in _items(data):
            kinds = item.get("@type")
            if _ARTICLES & {
                kind
                for kind in (kinds if isinstance(kinds, list) else [kinds])
                if isinstance(kind, str)
            }:
                return item
    return {}


def _items(data: object) -> Iterator[Mapping[str, object]]:
    for item in data if isinstance(data, list) else [data]:
        if isinstance(item, dict):
            yield item
            graph = item.get("@graph")
            yield from (
                part
                for part in (graph if isinstance(graph, list) else [])
                if isinstance(part, dict)
            )


def _line(value: object) -> str | None:
    return one_line(value) or None if isinstance(value, str) else None


def _moment(value: object) -> str | None:
    return parse_moment(value) if isinstance(value, str) else None


def _person(value: object) -> str | None:
    """The name of an author, who is a text, an object, or the first of several."""
    if isinstance(value, list):
        return next(filter(None, map(_person, value[:5])), None)
    return _line(value.get("name") if isinstance(value, dict) else value)


def _listed(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else value.split(",") if isinstance(value, str) else []
    lines = [_line(name) for name in names]
    return tuple(dict.fromkeys(line for line in lines if line))
