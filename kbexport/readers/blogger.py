"""Blogger exports: the Atom file of a blog, old and of Takeout, and posts as its API gives them.

The two forms of the file tell posts, pages, comments and settings apart in different ways
(`inputs/README.md`, section 10); drafts are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document, Reader, Richness
from kbexport.readers.record import LeftOut, Where, post_of
from kbexport.readers.xml_exports import is_blogger
from kbexport.readers.xml_items import XmlElement, entries, full_text, local_name
from kbexport.text.clean import one_line
from kbexport.text.markup import title_of_html

NAME = "blogger"
_DEPTH = 1
_KIND = "kind#"
_LABELS = "http://www.blogger.com/atom/ns#"
_API = re.compile(r"\"kind\"\s*:\s*\"blogger#post(?:List)?\"")
_KINDS = {
    "page": "pages",
    "comment": "comments of readers",
    "settings": "settings of the blog",
    "template": "settings of the blog",
}
_PUBLISH = "publish it and export again to have it in the vault"


@dataclass
class _Item:
    """One entry as text."""

    values: dict[str, str] = field(default_factory=dict)
    kind: str = ""
    status: str = "live"
    labels: list[str] = field(default_factory=list)


def read(document: Document) -> Iterator[SourcePost | Problem]:
    """Yield the posts of the document, what could not be read, and what was left out by rule."""
    if document.root != "feed":
        yield from _read_json(document.text, document.name)
        return
    left_out, number, home = LeftOut(document.name), 0, ""
    for entry in entries(document, _DEPTH):
        if isinstance(entry, Problem):
            yield entry
        elif local_name(entry.element) == "entry":
            number += 1
            item = _item(entry.element)
            if rule := _no_post(item):
                left_out.add(rule[0], item.values.get("title"), rule[1])
                continue
            where = Where(NAME, document.name, f"entry {number}", cut=entry.cut)
            yield from post_of(_values(item, home), where)
        elif entry.element.get("rel") == "alternate":
            home = entry.element.get("href") or home
    yield from left_out.problems()


def _item(element: XmlElement) -> _Item:
    item = _Item()
    for child in element:
        name, text = local_name(child), full_text(child)
        if name == "category":
            term = child.get("term") or ""
            if _KIND in term:
                item.kind = term.rpartition(_KIND)[2].lower()
            elif child.get("scheme") == _LABELS:
                item.labels.append(one_line(term))
        elif name == "type":
            item.kind = text.strip().lower()
        elif name == "status" or (name == "trashed" and text.strip()):
            item.status = text.strip().lower() if name == "status" else "trashed"
        elif name == "control":
            item.status = "draft" if "yes" in text else item.status
        elif name == "author":
            names = [full_text(part) for part in child if local_name(part) == "name"]
            item.values.setdefault("author", "".join(names[:1]))
        elif name == "link" and child.get("rel") == "alternate":
            item.values["link"] = child.get("href") or ""
        else:
            item.values.setdefault(name, text)
    return item


def _no_post(item: _Item) -> tuple[str, str] | None:
    if item.kind != "post":
        what = _KINDS.get(item.kind, f"entries of the type `{one_line(item.kind)[:40]}`")
        hint = "save them as Markdown or JSONL to have them in the vault"
        return what, hint if item.kind == "page" else ""
    if item.status == "live":
        return None
    return ("drafts" if item.status == "draft" else "posts in the trash"), _PUBLISH


def _values(item: _Item, home: str) -> dict[str, object]:
    path = item.values.get("filename", "").strip()
    name = path.rpartition("/")[2].removesuffix(".html")
    address = item.values.get("link") or (urljoin(home, path) if home and path else None)
    return {
        "id": item.values.get("id"),
        "title": title_of_html(item.values.get("title", "")),
        "url": address,
        "published": item.values.get("published"),
        "updated": item.values.get("updated"),
        "author": item.values.get("author"),
        "tags": item.labels,
        "body_html": item.values.get("content"),
        "slug": name,
    }


def _read_json(text: str, source: str) -> Iterator[SourcePost | Problem]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = f"no valid JSON: {error}"
        yield Problem(source=source, reason=reason, hint="ask the API for it again")
        return
    posts = answer.get("items", [answer]) if isinstance(answer, dict) else answer
    left_out = LeftOut(source)
    for number, post in enumerate(posts if isinstance(posts, list) else [posts], 1):
        if not isinstance(post, dict) or post.get("kind") != "blogger#post":
            left_out.add("entries that are no posts")
        elif str(post.get("status") or "LIVE") not in ("LIVE", "None"):
            left_out.add("drafts", post.get("title"), _PUBLISH)
        else:
            yield from post_of(_api_values(post), Where(NAME, source, f"post {number}"))
    yield from left_out.problems()


def _api_values(post: dict[str, Any]) -> dict[str, object]:
    author = post.get("author")
    name = author.get("displayName") if isinstance(author, dict) else None
    labels = post.get("labels")
    return {
        "id": post.get("id"),
        "title": title_of_html(str(post.get("title") or "")),
        "url": post.get("url"),
        "published": post.get("published"),
        "updated": post.get("updated"),
        "author": title_of_html(name) if isinstance(name, str) else None,
        "tags": [title_of_html(str(label)) for label in labels] if isinstance(labels, list) else [],
        "body_html": post.get("content"),
    }


def sniff(document: Document) -> bool:
    """Whether it is one of these."""
    if document.root:
        return is_blogger(document)
    head = document.head
    return head[:1000].lstrip().startswith(("{", "[")) and bool(_API.search(head))


READER = Reader(NAME, Richness.FULL, sniff, read)
