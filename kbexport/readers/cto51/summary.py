"""Which of the lines under a title is the excerpt, and which are tags; nothing marks them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

# The site cuts tags at 20 characters and shows five at most.
_LONGEST_TAG = 20
_MOST_TAGS = 5
_SENTENCE = re.compile(r"[，。；：？！]|(?:\.\.\.|…)$")
_ONE_WORD = re.compile(r"[^\s\u2e80-\u9fff]+|[\u2e80-\u9fff]{1,4}")
_SURELY_NO_EXCERPT = 8
# No tag that was seen begins like this, or has so many Chinese characters.
_OPENING = re.compile(r"(?:[本这该][文篇]|[上前下]文|今天|我们|最近).{4}")
_HAN = re.compile(r"[\u2e80-\u9fff]")
_MANY_HAN = 15


@dataclass(frozen=True)
class Summary:
    """The lines under a title, understood."""

    excerpt: str | None
    """The excerpt, if there is one."""
    tags: tuple[str, ...]
    """The tags, in their order."""
    doubtful: bool = False
    """Whether the first line could have been the other thing."""


def learn_tags(entries: Iterable[tuple[str, Sequence[str]]]) -> frozenset[str]:
    """What is surely a tag somewhere in the input, from (title, lines under it).

    Only the first line under a title can be an excerpt, and no excerpt belongs to two posts.
    """
    lines_of = {title: lines for title, lines in entries if lines}
    later = {line for lines in lines_of.values() for line in lines[1:]}
    first = Counter(lines[0] for lines in lines_of.values())
    return frozenset(later | {line for line, count in first.items() if count > 1})


def looks_like_excerpt(line: str) -> bool:
    """Whether the line is too long for a tag, or a sentence."""
    return len(line) > _LONGEST_TAG or bool(_SENTENCE.search(line))


def summarize(lines: Sequence[str], known_tags: frozenset[str]) -> Summary:
    """Tell the excerpt from the tags."""
    if not lines:
        return Summary(None, ())
    first, others = lines[0], tuple(lines[1:])
    if looks_like_excerpt(first) or len(lines) > _MOST_TAGS or _is_phrase(first):
        return Summary(first, others)
    if first in known_tags or _ONE_WORD.fullmatch(first):
        return Summary(None, (first, *others))
    if len(first) <= _SURELY_NO_EXCERPT:
        return Summary(None, (first, *others), doubtful=True)
    return Summary(first, others, doubtful=True)


def _is_phrase(line: str) -> bool:
    return bool(_OPENING.match(line)) or len(_HAN.findall(line)) >= _MANY_HAN


def summarize_cut(lines: Sequence[str], known_tags: frozenset[str]) -> Summary:
    """Tell the excerpt from the tags where the text ends within the last line.

    The beginning of an excerpt does no harm, the beginning of a tag would be a tag of its own: a
    single line is taken as the excerpt unless a tag begins like it, of several the last one goes.
    """
    if len(lines) == 1 and not any(tag.startswith(lines[0]) for tag in known_tags):
        return Summary(lines[0], ())
    return summarize(lines[:-1], known_tags)
