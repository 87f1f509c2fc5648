"""Links between the posts of a blog: which note an address in a body means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from urllib.parse import urljoin

from kbexport.models import CollatedPost
from kbexport.text.urls import canonical_url, redirected, web_address

_PAGE = re.compile(r"(?:/index)?\.(?:html?|php|aspx?)$|/index$", re.IGNORECASE)
_MOBILE = re.compile(r"^(?:m|mobile|wap)\.")
_QUERY_ID = re.compile(r"^(?P<root>[^?]*)\?(?:p|page_id|post)=(?P<id>\d{1,15})(?:&|$)")
_LEAST = 2
"""So many posts under one folder of a site make it the blog's own."""
_LISTING = re.compile(
    r"/(?:p_?\d+|page/?\d*|tags?|categor(?:y|ies)\w*|archives?|about|feed|rss)(?:/|$)|\.xml$|/\d{4}/(?:\d{1,2}/?)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PostAddresses:
    """Which post an address leads to, in every spelling that surely means it."""

    exact: Mapping[str, str]
    """Canonical address -> id."""
    loose: Mapping[str, str]
    """The address without what servers do not care for -> id, where that means one post alone."""
    numbers: Mapping[str, str]
    """Host and the source's own number -> id: `garden.example 123`, for links such as `?p=123`."""
    roots: frozenset[str]
    """The folders of sites under which the blog's posts lie."""

    @classmethod
    def of(cls, posts: Iterable[CollatedPost]) -> PostAddresses:
        """The addresses of posts, and those that they had in former runs."""
        exact: dict[str, str] = {}
        loose: defaultdict[str, set[str]] = defaultdict(set)
        numbers: defaultdict[str, set[str]] = defaultdict(set)
        for post in posts:
            own = [key.removeprefix("url:") for key in post.keys if key.startswith("url:")]
            ids = [key.rsplit(":", 1)[1] for key in post.keys if key.startswith("id:")]
            for address in own:
                exact[address] = post.uid
                loose[_loosely(address)].add(post.uid)
                for number in filter(str.isdecimal, ids):
                    numbers[f"{_host(address)} {number}"].add(post.uid)
        return cls(exact, _single(loose), _single(numbers), _roots(exact))

    def find(self, address: str, post: CollatedPost) -> str | None:
        """The id of the other post that an address in a post's body leads to, if it is one."""
        page = _whole(address, post)
        if page is None:
            return None
        uid = self.exact.get(page) or self.loose.get(_loosely(page)) or self._numbered(page)
        return uid if uid != post.uid else None

    def _numbered(self, page: str) -> str | None:
        found = _QUERY_ID.match(page)
        return self.numbers.get(f"{_host(page)} {found['id']}") if found else None

    def is_missing(self, address: str, post: CollatedPost) -> bool:
        """Whether an address leads to a page of the blog that looks like a post, and is none."""
        page = _whole(address, post)
        if page is None or page in self.exact or _loosely(page) in self.loose:
            return False
        plain = page.split("?")[0]
        inside = any(plain.startswith(root) and len(plain) > len(root) for root in self.roots)
        return inside and not _LISTING.search(plain) and not _is_file(plain)


def _whole(address: str, post: CollatedPost) -> str | None:
    """The canonical form of an address as it stands in a body; None where it is no page."""
    if address.startswith("#"):
        return None
    whole = web_address(redirected(urljoin(post.url or "", address)))
    return canonical_url(whole) if whole else None


def _loosely(page: str) -> str:
    path, _, query = page.partition("?")
    plain = _PAGE.sub("", _MOBILE.sub("", path)).rstrip("/").casefold()
    return f"{plain}?{query}" if query else plain


def _host(page: str) -> str:
    return re.split("[/?#]", page, maxsplit=1)[0]


def _single(found: Mapping[str, set[str]]) -> dict[str, str]:
    return {address: next(iter(uids)) for address, uids in found.items() if len(uids) == 1}


def _roots(pages: Iterable[str]) -> frozenset[str]:
    """For each host the folder that all the blog's posts on it share; many blogs share a host."""
    hosts: defaultdict[str, list[list[str]]] = defaultdict(list)
    for page in pages:
        folders = page.split("?")[0].split("/")[:-1]
        if folders:
            hosts[folders[0]].append(folders)
    return frozenset(
        "/".join(_shared(each)) + "/" for each in hosts.values() if len(each) >= _LEAST
    )


def _shared(paths: list[list[str]]) -> list[str]:
    columns = takewhile(lambda parts: len(set(parts)) == 1, zip(*paths, strict=False))
    return [parts[0] for parts in columns]


def _is_file(page: str) -> bool:
    ending = page.rsplit("/", 1)[-1].rpartition(".")[2].lower()
    return "." in page.rsplit("/", 1)[-1] and ending not in ("html", "htm", "php", "asp", "aspx")
