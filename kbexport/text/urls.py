"""Addresses: which ones are kept, and when two of them mean the same page."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

_LONGEST = 4000
_UNFIT = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\u2028\u2029\ufeff\ud800-\udfff\\<>\"]")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_TRACKING_NAMES = """
    from spm fbclid gclid msclkid yclid igshid mc_cid mc_eid vd_source isappinstalled nsukey
    hmsr hmpl hmcu hmkw hmci chksm scene srcid wt_mc _ga
"""
_TRACKING = frozenset(_TRACKING_NAMES.split())
_TRACKING_PREFIXES = ("utm_", "share_", "sharer_")


def web_address(text: str) -> str | None:
    """The address, trimmed, if it is a plain http or https one."""
    address = text.strip()
    if len(address) > _LONGEST or _UNFIT.search(address):
        return None
    parts = _split(address)
    if parts is None or parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        return None
    return address


@lru_cache(maxsize=65536)
def canonical_url(url: str) -> str:
    """What identifies the page: equal for all addresses that surely mean the same one.

    Scheme, `www.`, default port, trailing slash, fragment and tracking parameters do not count.
    """
    parts = _split(url.strip())
    if parts is None or not parts.hostname:
        return url.strip()
    host = parts.hostname.removeprefix("www.")
    if parts.port is not None and parts.port not in _DEFAULT_PORTS.values():
        host = f"{host}:{parts.port}"
    query = "&".join(item for item in parts.query.split("&") if item and not _tracks(item))
    page = host + _escaped(parts.path).rstrip("/")
    if query:
        page += "?" + _escaped(query)
    if parts.fragment.startswith("!"):  # an address of the page inside a one-page site
        page += "#" + _escaped(parts.fragment)
    return page


_REDIRECTORS = {
    "link.zhihu.com": "target",
    "link.juejin.cn": "target",
    "link.csdn.net": "target",
    "gitee.com/link": "target",
    "links.jianshu.com/go": "to",
    "www.jianshu.com/go-wild": "url",
    "www.oschina.net/action/GoToLink": "url",
    "blog.51cto.com/transfer": "",
}
"""Pages that only lead on: host and path -> the parameter that holds the address, or all of it."""


def redirected(address: str) -> str:
    """Where an address leads if it is one of the pages with which sites count clicks."""
    parts = _split(address.strip())
    if parts is None or not parts.query:
        return address
    place = f"{parts.hostname}{parts.path}".rstrip("/")
    if place not in _REDIRECTORS:
        return address
    name = _REDIRECTORS[place]
    target = parse_qs(parts.query).get(name, [""])[0] if name else unquote(parts.query)
    return target if web_address(target) else address


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # such as `http://[::1`, or a port that is no number
        return None
    return None if port == 0 else parts


def _tracks(item: str) -> bool:
    name, _, value = item.lower().partition("=")
    of_feed = name == "source" and value.startswith("rss-")  # Medium adds it to the links of feeds
    return of_feed or name in _TRACKING or name.startswith(_TRACKING_PREFIXES)


def _escaped(text: str) -> str:
    """Percent-encode what is not yet, with capital digits, so that both spellings are one."""
    encoded = quote(text, safe="%/:=&?~#+!$,;'@()*[]|", errors="replace")
    return _PERCENT.sub(lambda found: found[0].upper(), encoded)
