"""Keys under which things are found again, and the ids that are made of them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from kbexport.text.urls import canonical_url

NAMING = ("url", "id", "title", "dated")
"""Kinds of keys from which a new id is made, the strongest first."""


@lru_cache(maxsize=65536)
def normal_title(title: str | None) -> str:
    """The title as a key: letter case, width of signs and white space do not count."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", title or "").casefold())


def post_keys(
    *, title: str | None = None, url: str | None = None, day: str | None = None
) -> set[str]:
    """The keys of a post that do not depend on its reader: address, title, title with its day."""
    keys = set()
    if url:
        keys.add("url:" + canonical_url(url))
    if name := normal_title(title):
        keys.add("title:" + name)
        if day:
            keys.add(f"dated:{name}@{day}")
    return keys


def hashed_id(prefix: str, key: str) -> str:
    """An opaque id that fits in a file name, such as `p-1a2b3c4d5e6f`."""
    return f"{prefix}-{hashlib.sha256(key.encode()).hexdigest()[:12]}"


def sorted_keys(keys: Iterable[str]) -> tuple[str, ...]:
    """The keys, strongest kind first."""
    return tuple(sorted(keys, key=lambda key: (NAMING.index(kind_of(key)), key)))


def kind_of(key: str) -> str:
    """The part of a key before its first colon."""
    return key.split(":", 1)[0]


def is_post(uid: str) -> bool:
    """Whether an id is that of a post, and not of an index note."""
    return uid.startswith("p-")


def is_file(uid: str) -> bool:
    """Whether an id is that of a generated file without front matter, such as a Canvas."""
    return uid.startswith("g-")
