"""Titles for posts that have none, and the language that a blog's labels are in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import unquote, urlsplit

from kbexport.content.html import html_to_text
from kbexport.models import CollatedPost
from kbexport.text.clean import one_line

Language = Literal["zh", "en"]

TITLE_LENGTH = 40
"""How many characters of an excerpt or body make a title; rule: `design.md`."""

UNTITLED: dict[Language, str] = {"zh": "无题", "en": "Untitled"}

HAN = re.compile(r"[\u3400-\u9fff]")


def blog_language(posts: Sequence[CollatedPost]) -> Language:
    """Chinese where most titles hold Han, else English."""
    titles = [post.title for post in posts if post.title]
    return "zh" if 2 * sum(bool(HAN.search(title)) for title in titles) > len(titles) else "en"


def with_titles(posts: Sequence[CollatedPost], language: Language) -> tuple[CollatedPost, ...]:
    """The same posts, each with a title to show and to name a note by."""
    return tuple(
        post if post.title else post.model_copy(update={"title": stand_in_title(post, language)})
        for post in posts
    )


def stand_in_title(post: CollatedPost, language: Language) -> str:
    """The beginning of what the post says, else the last part of its address."""
    return _beginning(post) or _last_of_address(post.url) or UNTITLED[language]


def _beginning(post: CollatedPost) -> str:
    for text in (post.excerpt, post.body_markdown, html_to_text(post.body_html or "")):
        line = one_line(re.sub(r"^[#>*\-\s]+", "", text or ""))
        if line:
            return line[:TITLE_LENGTH].rstrip()
    return ""


def _last_of_address(url: str | None) -> str:
    path = urlsplit(url or "").path.rstrip("/")
    return one_line(unquote(path.rsplit("/", 1)[-1]))
