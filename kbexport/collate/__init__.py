"""Partial posts from many sources, and what the vault remembers, become one post per identity."""

from kbexport.collate.collate import Collation, collate, with_recalled
from kbexport.collate.titles import UNTITLED, Language, blog_language, with_titles

__all__ = [
    "UNTITLED",
    "Collation",
    "Language",
    "blog_language",
    "collate",
    "with_recalled",
    "with_titles",
]
