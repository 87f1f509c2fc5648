"""What tells the exports in XML from feeds, in whose form they are."""

from __future__ import annotations

import re

from kbexport.readers.base import Document

_WORDPRESS = re.compile(
    r"http://wordpress\.org/export/|<wp:(?:wxr_version|post_id|post_type|post_name|status)\b"
)
_BLOGGER = re.compile(r"schemas\.google\.com/blogger/2008/kind#|<blogger:(?:type|status)\b")
# The live feed of a blog on cnblogs is Atom, so RSS of this site is a backup.
_CNBLOGS = re.compile(
    r"<channel\b[^>]*>(?:(?!<item\b).){0,5000}?<link>\s*(?:<!\[CDATA\[\s*)?https?://(?:www\.)?cnblogs\.com/",
    re.DOTALL,
)


def is_wordpress(document: Document) -> bool:
    """Whether it is a WordPress export: RSS with elements of its own."""
    return document.root == "rss" and bool(_WORDPRESS.search(document.head))


def is_blogger(document: Document) -> bool:
    """Whether it is a Blogger export: Atom that says of each entry what it is."""
    return document.root == "feed" and bool(_BLOGGER.search(document.head))


def is_cnblogs(document: Document) -> bool:
    """Whether it is the older backup of cnblogs."""
    found = document.root == "rss" and not is_wordpress(document)
    return found and bool(_CNBLOGS.search(document.head))


def is_export(document: Document) -> bool:
    """Whether it is one of these."""
    return is_wordpress(document) or is_blogger(document) or is_cnblogs(document)
