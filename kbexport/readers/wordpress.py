"""WordPress exports (WXR): RSS with elements of WordPress's own, read one item at a time.

The format is in `inputs/README.md`, section 8; tags are matched by their local names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import unquote, urljoin

from kbexport.content.html import html_to_text
from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import LeftOut, Where, post_of
from kbexport.readers.wordpress_text import Library, body_of
from kbexport.readers.xml_exports import is_wordpress
from kbexport.readers.xml_items import XmlElement, entries, full_text, local_name, namespace
from kbexport.text.clean import one_line
from kbexport.text.dates import parse_moment
from kbexport.text.markup import title_of_html

NAME = "wordpress"
_DEPTH = 2
_SERIES = frozenset(("series", "post_series", "post-series", "orgseries", "organize-series"))
# Organize Series, now PublishPress Series: the number, with the id of the series behind it or not.
_PART = re.compile(r"_series_part(?:_(?P<term>\d+))?")
_TAXONOMIES = _SERIES | {"category", "post_tag", "author", "post_format", "nav_menu", ""}
_DESIGN_TYPES = """
    nav_menu_item wp_navigation wp_global_styles wp_template wp_template_part wp_block custom_css
    wp_font_family wp_font_face customize_changeset oembed_cache user_request revision
"""
_DESIGN = frozenset(_DESIGN_TYPES.split())
_STATUS = {
    "draft": "drafts",
    "pending": "drafts",
    "auto-draft": "drafts",
    "future": "scheduled posts",
    "private": "private posts",
    "trash": "posts in the trash",
    "inherit": "revisions",
}
_PUBLISH = "publish it and export again to have it in the vault"
# What needs other items of the file: pictures of galleries, featured pictures, shared blocks.
_FAR = (b"[gallery", b"_thumbnail_id", b"wp:block ")


@dataclass
class _Site:
    """What the head of the file says, before the items."""

    address: str = ""
    authors: dict[str, str] = field(default_factory=dict)
    terms: dict[str, str] = field(default_factory=dict)
    """Slugs of series by the ids of their terms."""


@dataclass
class _Item:
    """One item as text: its own elements by their names, its terms, its properties."""

    values: dict[str, str] = field(default_factory=dict)
    terms: list[tuple[str, str, str]] = field(default_factory=list)
    """Taxonomy, slug and name."""
    meta: dict[str, str] = field(default_factory=dict)
    comments: int = 0

    def get(self, name: str) -> str:
        """The text of an element, trimmed."""
        return self.values.get(name, "").strip()

    def named(self, taxonomy: str) -> list[str]:
        """Names of the terms of one taxonomy; that of what has none is no term."""
        terms = (name for kind, slug, name in self.terms if kind == taxonomy and name)
        return [
            name
            for name in dict.fromkeys(terms)
            if taxonomy != "category" or (taxonomy, "uncategorized", name) not in self.terms
        ]


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document, what could not be read, and what was left out by rule."""
    library = _library(document) if _refers(document) else Library()
    site, left_out = _Site(), LeftOut(document.name)
    number, damaged = 0, False
    for entry in entries(document, _DEPTH):
        if isinstance(entry, Problem):
            damaged = True
            yield entry
        elif local_name(entry.element) == "item":
            number += 1
            item = _item(entry.element)
            if reason := _no_post(item):
                left_out.add(reason[0], item.get("title"), reason[1])
                continue
            _note_rest(item, left_out)
            where = Where(NAME, document.name, f"item {number}", cut=entry.cut)
            yield from post_of(_values(item, site, library), where)
        else:
            _learn(site, entry.element)
    yield from left_out.problems()
    if not number and not damaged:
        yield Problem(source=document.name, reason="the export holds no items")


def _refers(document: Document) -> bool:
    """Whether some post may need another item; only then the file is read twice."""
    bytewise = not document.encoding[1].startswith(("utf-16", "utf-32"))
    return not bytewise or any(mark in document.data for mark in _FAR)


def _library(document: Document) -> Library:
    """What posts refer to, wherever it stands in the file."""
    library = Library()
    for entry in entries(document, _DEPTH):
        if isinstance(entry, Problem) or local_name(entry.element) != "item":
            continue
        item = _item(entry.element)
        if address := item.get("attachment_url"):
            library.pictures[item.get("post_id")] = address
            library.children.setdefault(item.get("post_parent"), []).append(item.get("post_id"))
        elif item.get("post_type") == "wp_block":
            library.blocks[item.get("post_id")] = item.values.get("content", "")
    return library


def _item(element: XmlElement) -> _Item:
    item = _Item()
    for child in element:
        name = local_name(child)
        if name == "category":
            term = (child.get("domain") or "", child.get("nicename") or "")
            item.terms.append((*term, one_line(title_of_html(full_text(child)))))
        elif name == "postmeta":
            pair = {local_name(part): full_text(part) for part in child}
            item.meta.setdefault(pair.get("meta_key", "").strip(), pair.get("meta_value", ""))
        elif name == "comment":
            item.comments += 1
        else:
            if name == "encoded":
                name = "excerpt" if "excerpt" in namespace(child) else "content"
            item.values.setdefault(name, full_text(child))
    return item


def _learn(site: _Site, element: XmlElement) -> None:
    """Take what an element of the head says."""
    name = local_name(element)
    parts = {local_name(part): one_line(full_text(part)) for part in element}
    if name == "author":
        shown = parts.get("author_display_name") or parts.get("author_login", "")
        site.authors[parts.get("author_login", "")] = shown
    elif name == "term" and parts.get("term_taxonomy") in _SERIES:
        site.terms[parts.get("term_id", "")] = parts.get("term_slug", "")
    elif name == "base_blog_url" or (name == "link" and not site.address):
        site.address = one_line(full_text(element))


def _no_post(item: _Item) -> tuple[str, str] | None:
    """What kind of item it is if it is no published post, and how to have it after all."""
    kind, status = item.get("post_type") or "post", item.get("status") or "publish"
    if kind == "attachment":
        return "attachments", ""
    if kind in _DESIGN:
        return "parts of the site's design and history", ""
    if kind != "post":
        what = "pages" if kind == "page" else f"entries of the type `{one_line(kind)[:40]}`"
        return what, "save them as Markdown or JSONL to have them in the vault"
    if status != "publish":
        return _STATUS.get(status, f"posts with the status `{one_line(status)[:40]}`"), _PUBLISH
    if item.get("post_password"):
        return "posts behind a password", _PUBLISH
    return None


def _note_rest(item: _Item, left_out: LeftOut) -> None:
    """Count what a note does not keep of a post."""
    for _ in range(item.comments):
        left_out.add("comments of readers")
    for taxonomy, _, name in item.terms:
        if taxonomy not in _TAXONOMIES:
            left_out.add(f"terms of the taxonomy `{one_line(taxonomy)[:40]}`", name)
    series = [name for taxonomy, _, name in item.terms if taxonomy in _SERIES]
    for name in series[1:]:
        left_out.add("further series of posts that are in several", name)


def _values(item: _Item, site: _Site, library: Library) -> dict[str, object]:
    login = one_line(item.get("creator"))
    authors = item.named("author") or [site.authors.get(login) or login]
    series, ordinal = _series(item, site)
    picture = library.pictures.get(item.meta.get("_thumbnail_id", "").strip())
    link = item.get("link")
    return {
        "id": item.get("guid") or item.get("post_id"),
        "title": title_of_html(item.get("title")),
        "url": urljoin(site.address, link) if link else None,
        "published": _moment(item, "post_date") or _known(item.get("pubDate")),
        "updated": _moment(item, "post_modified"),
        "author": ", ".join(authors),
        "tags": item.named("post_tag"),
        "categories": item.named("category"),
        "pinned": True if item.get("is_sticky") == "1" else None,
        "excerpt": html_to_text(item.get("excerpt")),
        "body_html": body_of(item.values.get("content", ""), item.get("post_id"), library),
        "series": series,
        "ordinal": ordinal,
        "slug": unquote(item.get("post_name")),
        "attachments": [picture] if picture else [],
    }


def _series(item: _Item, site: _Site) -> tuple[str | None, str | None]:
    """The series that a plugin keeps, and the number of the part in it."""
    found = [(slug, name) for kind, slug, name in item.terms if kind in _SERIES and name]
    if not found:
        return None, None
    parts = {}
    for key, value in item.meta.items():
        if match := _PART.fullmatch(key):
            parts[match["term"] or ""] = value.strip()
    slug, name = found[0]
    own = [part for term, part in parts.items() if site.terms.get(term) == slug]
    number = own[0] if own else parts.get("") or (next(iter(parts.values()), None))
    return name, number if number and number.isdecimal() and (own or len(parts) == 1) else None


def _moment(item: _Item, name: str) -> str | None:
    """The time on the author's clock, with the offset that the two times of WordPress tell.

    The day that readers know is the local one; of drafts one or both may be zeros.
    """
    local, gmt = _known(item.get(name)), _known(item.get(f"{name}_gmt"))
    if local is None or gmt is None or len(local) != 19 or len(gmt) != 19:
        return local or (f"{gmt}Z" if gmt and len(gmt) == 19 else gmt) or _odd(item.get(name))
    offset = datetime.fromisoformat(local) - datetime.fromisoformat(gmt)
    if abs(offset) > timedelta(hours=14) or offset % timedelta(minutes=15):
        return local
    minutes = offset // timedelta(minutes=1)
    hours, rest = divmod(abs(minutes), 60)
    return f"{local}{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"


def _known(text: str) -> str | None:
    return parse_moment(text) if text else None


def _odd(text: str) -> str | None:
    """A date that says something and cannot be read, to be reported."""
    return text if text.strip("0-: ") else None


READER = Reader(NAME, Richness.FULL, is_wordpress, read)
