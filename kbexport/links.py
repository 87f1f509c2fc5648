"""Links between the posts of a blog: which note an address in a body means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urljoin

from kbexport.models import CollatedPost
from kbexport.text.urls import canonical_url, web_address


def post_addresses(posts: Iterable[CollatedPost]) -> dict[str, str]:
    """The post of every address that the vault knows: canonical address -> id."""
    return {
        key.removeprefix("url:"): post.uid
        for post in posts
        for key in post.keys
        if key.startswith("url:")
    }


def linked_post(address: str, post: CollatedPost, addresses: Mapping[str, str]) -> str | None:
    """The id of the other post that an address in a post's body leads to, if it is one."""
    whole = web_address(urljoin(post.url or "", address))
    uid = addresses.get(canonical_url(whole)) if whole else None
    return uid if uid != post.uid else None
