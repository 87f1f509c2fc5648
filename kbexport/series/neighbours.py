"""Which posts the texts tie to one another: a part before and behind, and any link.

An author writes ``上一篇：[X](x.html)`` where a series goes on; a site writes the same under every
page. So a link counts only where it does not look like the site's own navigation.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from urllib.parse import urljoin

from kbexport.models import CollatedPost
from kbexport.series.statements import single_spaced
from kbexport.text.keys import normal_title
from kbexport.text.urls import canonical_url

_MOST_LINKS = 400
_NAVIGATED = 0.5
"""Links on so many of the posts that have a body are rather the site's than an author's."""
_IN_A_ROW = 0.8
"""So many of them then lead to the post of the next date."""
_BEFORE = (
    r"上一?篇|(?<![之以])前一?篇|上一?节|上一?章|上回|前回|前の記事|이전 ?글"
    r"|\bprevious|\bprev|\bpart before"
)
_AFTER = r"下一?篇|(?<![之以])[后後]一?篇|下一?节|下一?章|\bnext(?: up)?|次回|次の記事|다음 ?글"
_LABEL = rf"(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))(?: ?(?:文章|一篇|part|post|article))?"
_MARKUP = r"(?: ?</?\w{1,10}>){0,3} ?"
_LINK = re.compile(
    rf"{_LABEL}{_MARKUP}[:：»←→]{_MARKUP}"  # without the colon it is a sentence
    r"(?:\[(?P<text>[^\[\]\n]{0,200})\]\( ?<?(?P<url>[^\s()<>]{1,500})"
    r"|<a\s[^<>]{0,400}?href=[\"']?(?P<href>[^\s\"'<>]{1,500})[^<>]{0,400}>(?P<shown>[^<>]{0,200})<"
    r"|《(?P<title>[^《》\n]{2,150})》)",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"\[ ?[«←]? ?{_LABEL}(?: ?[:：] ?(?P<text>[^\[\]\n]{{0,200}}))? ?[»→]? ?\]"
    r"\( ?<?(?P<url>[^\s()<>]{1,500})",
    re.IGNORECASE,
)
_SIDES = ("篇", "节", "章", "回", "記事", "글", "prev", "next", "part before")
"""What every label holds; most texts hold none of it."""
_ANY_LINK = re.compile(r"\]\(\s?<?([^\s()<>]{1,500})|\shref=[\"']?([^\s\"'<>]{1,500})")


def stated_neighbours(posts: Sequence[CollatedPost]) -> dict[str, str]:
    """For each post that a text ties to one before it, the id of that one.

    A post that several name as the one before is none; links that look like the navigation of
    the site say nothing about series.
    """
    index = _Index.of(posts)
    before: dict[str, str] = {}
    linking: set[str] = set()
    for post in posts:
        for side, address, title in _stated_links(post):
            linking.add(post.uid)
            other = index.find(address, title, post)
            if other is not None and side == "before":
                before[post.uid] = other
            elif other is not None:
                before.setdefault(other, post.uid)
    named = Counter(before.values())
    before = {uid: other for uid, other in before.items() if named[other] == 1}
    return {} if _is_navigation(before, linking, posts) else before


def linked_posts(posts: Sequence[CollatedPost]) -> dict[str, frozenset[str]]:
    """The ids of the posts of the blog that each body links to."""
    index = _Index.of(posts)
    found: dict[str, frozenset[str]] = {}
    for post in posts:
        body = post.body_markdown or post.body_html or ""
        addresses = (a or b for a, b in _ANY_LINK.findall(body)[:_MOST_LINKS])
        others = {index.find(address, "", post) for address in addresses}
        found[post.uid] = frozenset(uid for uid in others if uid is not None)
    return found


@dataclass(frozen=True, slots=True)
class _Index:
    """Posts by address and by title; a title that two posts have means neither."""

    addresses: Mapping[str, str]
    titles: Mapping[str, str]

    @classmethod
    def of(cls, posts: Sequence[CollatedPost]) -> _Index:
        titles: dict[str, list[str]] = defaultdict(list)
        for post in posts:
            titles[normal_title(post.title)].append(post.uid)
        return cls(
            {canonical_url(post.url): post.uid for post in posts if post.url},
            {title: uids[0] for title, uids in titles.items() if title and len(uids) == 1},
        )

    def find(self, address: str, title: str, post: CollatedPost) -> str | None:
        """The other post that is meant."""
        whole = canonical_url(urljoin(post.url or "", address)) if address else ""
        uid = self.addresses.get(whole) or self.titles.get(normal_title(title))
        return None if uid == post.uid else uid


def _stated_links(post: CollatedPost) -> Iterator[tuple[str, str, str]]:
    for body in (post.excerpt, post.body_markdown, post.body_html):
        if body is None or not _may_link(body.lower()):
            continue
        text = single_spaced(body)
        for pattern in (_LINK, _LABELLED):
            for match in pattern.finditer(text):
                groups = match.groupdict()
                side = "before" if groups["before"] else "after"
                address = groups.get("url") or groups.get("href") or ""
                title = groups.get("text") or groups.get("shown") or groups.get("title") or ""
                yield side, address, title


def _may_link(text: str) -> bool:
    return any(word in text for word in _SIDES) and ("](" in text or "<a" in text or "《" in text)


def _is_navigation(
    before: Mapping[str, str], linking: set[str], posts: Sequence[CollatedPost]
) -> bool:
    """Whether links stand under most bodies and lead to the next date, or to one as good as it."""
    by_uid = {post.uid: post for post in posts}
    bodies = {post.uid for post in posts if post.body_markdown or post.body_html}
    read = bodies or {post.uid for post in posts if post.excerpt}
    if len(linking) < _NAVIGATED * len(read):
        return False
    rows = _rows(posts)
    next_ones = sum(
        frozenset(pair) in rows or _is_untold(by_uid[pair[0]], by_uid[pair[1]])
        for pair in before.items()
    )
    return next_ones >= _IN_A_ROW * len(before)


def _is_untold(one: CollatedPost, other: CollatedPost) -> bool:
    """Whether dates do not tell which of two posts came first."""
    return one.published is None or other.published is None or one.published == other.published


def _rows(posts: Sequence[CollatedPost]) -> set[frozenset[str]]:
    """Neighbours by date: in the whole blog, and within each column, category and tag."""
    shelves: dict[str, list[CollatedPost]] = defaultdict(list)
    for post in posts:
        labels = {post.column or "", *post.categories, *post.tags}
        for label in {"", *labels}:
            shelves[label].append(post)
    rows: set[frozenset[str]] = set()
    for shelf in shelves.values():
        ordered = sorted(shelf, key=lambda post: (post.published or "", post.uid))
        rows.update(frozenset((a.uid, b.uid)) for a, b in pairwise(ordered))
    return rows
