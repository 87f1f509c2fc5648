"""Links between the posts of a blog: which note an address in a body means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from urllib.parse import unquote, urljoin

from kbexport.models import CollatedPost
from kbexport.readers.fields import as_slug
from kbexport.text.urls import canonical_url, redirected, web_address

_PAGE = re.compile(r"(?:/_?index)?\.(?:html?|php|aspx?|md|markdown)$|/index$", re.IGNORECASE)
_MOBILE = re.compile(r"^(?:m|mobile|wap)\.")
_QUERY_ID = re.compile(r"^(?P<root>[^?]*)\?(?:p|page_id|post)=(?P<id>\d{1,15})(?:&|$)")
_CNBLOGS = re.compile(
    r"^(?:m\.)?cnblogs\.com/[^/?]+/(?:p|articles|archive/\d{4}/\d\d?/\d\d?)/(?P<id>\d{1,15})(?:\.html?)?$"
)
"""The forms of an address on cnblogs; a number is one post of the whole site."""
_BACKUP = "id:cnblogs-db:"
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
    slugs: Mapping[str, str]
    """Name of the file or in the address -> id, of posts whose own address is not known."""
    roots: frozenset[str]
    """The folders of sites under which the blog's posts lie."""

    @classmethod
    def of(cls, posts: Iterable[CollatedPost]) -> PostAddresses:
        """The addresses of posts, and those that they had in former runs."""
        exact: dict[str, str] = {}
        loose: defaultdict[str, set[str]] = defaultdict(set)
        numbers: defaultdict[str, set[str]] = defaultdict(set)
        slugs: defaultdict[str, set[str]] = defaultdict(set)
        for post in posts:
            own = [key.removeprefix("url:") for key in post.keys if key.startswith("url:")]
            for address in own:
                exact[address] = post.uid
                loose[_loosely(address)].add(post.uid)
            for number in filter(None, _numbers(post.keys, own)):
                numbers[number].add(post.uid)
            if post.slug and not own:
                slugs[post.slug].add(post.uid)
        return cls(exact, _single(loose), _single(numbers), _single(slugs), _roots(exact))

    def find(self, address: str, post: CollatedPost) -> str | None:
        """The id of the other post that an address in a post's body leads to, if it is one."""
        page = _whole(address, post)
        uid = self._uid(page) if page else self._named(address, post)
        return uid if uid != post.uid else None

    def _named(self, address: str, post: CollatedPost) -> str | None:
        """Files of one site name each other by their files, or by addresses that only it knows."""
        path = unquote(re.split("[?#]", address, maxsplit=1)[0]).rstrip("/")
        if post.url or not post.slug or ":" in path or path.startswith("//"):
            return None
        return self.slugs.get(as_slug(_PAGE.sub("", path).rpartition("/")[2]) or "")

    def _uid(self, page: str) -> str | None:
        known = self.exact.get(page) or self.loose.get(_loosely(page))
        return known or self.numbers.get(_number(page))

    def is_missing(self, address: str, post: CollatedPost) -> bool:
        """Whether an address leads to a page of the blog that looks like a post, and is none."""
        page = _whole(address, post)
        if page is None or self._uid(page):
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


def _number(page: str) -> str:
    """The host and the number of a post that an address names; empty where it names none."""
    if found := _CNBLOGS.match(page):
        return f"cnblogs.com {found['id']}"
    found = _QUERY_ID.match(page)
    return f"{_host(page)} {found['id']}" if found else ""


def _numbers(keys: Iterable[str], addresses: Sequence[str]) -> Iterator[str]:
    """The numbers that a post has on its hosts; some sources give an address as the id."""
    for key in keys:
        if key.startswith(_BACKUP):
            yield "cnblogs.com " + key.removeprefix(_BACKUP)
        elif key.startswith("id:"):
            own = key.split(":", 2)[2]
            if own.isdecimal():
                yield from (f"{_host(address)} {own}" for address in addresses)
            else:
                yield _number(canonical_url(own))
    yield from map(_number, addresses)


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
