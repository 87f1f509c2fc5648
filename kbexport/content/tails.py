"""Tails that copying from a site adds to a text: the address of the post and whose it is."""

from __future__ import annotations

import re

_RULE = r"(?:[—\\-]{8,}\s+)?"
_ADDRESS = r"[\[<]*(?P<address>https?://[^\s>\]]+)(?:[>\]]|\]\([^\s)]*\))*"
_TAILS = (
    re.compile(
        rf"(?:^|\n+){_RULE}版权声明：本文为(?:CSDN)?博主「[^」\n]*」的原创文章，[^\n]*\s+原文链接：{_ADDRESS}\s*\Z"
    ),
    re.compile(
        rf"(?:^|\n+){_RULE}©著作权归作者所有：来自51CTO博客作者[^\n]*\n+(?:[^\n]+\n+)?{_ADDRESS}\s*\Z"
    ),
    re.compile(
        rf"(?:^|\n+){_RULE}作者：[^\n]*\n+链接：{_ADDRESS}\s+来源：[^\n]*\s+"
        r"(?:著作权归作者所有。[^\n]*)\s*\Z"
    ),
)
"""The sentences that CSDN, 51CTO and juejin or zhihu put together, at the end of a text."""


def without_tail(markdown: str, base_url: str) -> str:
    """Markdown without a tail that only says where the post itself stands.

    A tail that names another page is where a reposted text came from: it is the author's word.
    """
    for tail in _TAILS:
        found = tail.search(markdown[-2000:]) if base_url else None
        if found and _same(found["address"], base_url):
            return markdown[: len(markdown) - len(found[0])].rstrip("\n")
    return markdown


def _same(address: str, base_url: str) -> bool:
    return _bare(re.sub(r"\\(.)", r"\1", address)) == _bare(base_url)


def _bare(address: str) -> str:
    return re.sub(r"^https?://(?:www\.)?|[?#].*|/$", "", address)
