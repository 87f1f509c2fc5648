"""What a note itself still says of its post, for when the vault remembers no more than that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from kbexport.catalog import HOME
from kbexport.flavors.pointer import FENCED, PLAIN
from kbexport.models import CollatedPost
from kbexport.text.dates import parse_moment
from kbexport.text.keys import is_post, normal_title, post_keys, sorted_keys
from kbexport.vault.plain import read_plain
from kbexport.vault.properties import LOADER


def recall_post(uid: str, text: str) -> CollatedPost | None:
    """The post of a note as far as its properties tell; None where they cannot be read.

    It has no body: its note is left as it is, but series, links and Home go on speaking of it.
    """
    properties = _properties(text)
    title = _text(properties, "title")
    if title is None:
        return None
    url, date = _text(properties, "url"), parse_moment(_text(properties, "date") or "")
    tags = properties.get("tags")
    keys = post_keys(title=title, url=url, day=date[:10] if date else None)
    return CollatedPost(
        uid=uid,
        keys=sorted_keys(keys),
        origins={},
        title=title,
        url=url,
        published=date,
        tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        author=_text(properties, "author"),
        column=_text(properties, "column"),
    )


def recall_keys(uid: str, text: str) -> tuple[str, ...]:
    """The identity keys that a note still shows: of a post, or the name of an index."""
    if uid == HOME:
        return ()  # there is one, and it needs none
    if is_post(uid):
        post = recall_post(uid, text)
        return post.keys if post else ()
    title = _text(_properties(text), "title")
    return ("name:" + normal_title(title),) if title else ()


def _properties(text: str) -> Mapping[str, Any]:
    block = FENCED.match(text)
    if block is None:
        return _plain_properties(text)
    try:
        properties = yaml.load(block[1], Loader=LOADER)  # noqa: S506 - texts only
    except yaml.YAMLError:
        return {}
    return properties if isinstance(properties, dict) else {}


def _plain_properties(text: str) -> Mapping[str, Any]:
    """Logseq's properties; the title is the first alias, since `title` would name the page."""
    found = PLAIN.match(text)
    block = read_plain(found[1]) if found else None
    if block is None:
        return {}
    values = {one.key: one.value for one in block.properties}
    properties = {
        key: list(value) if isinstance(value, tuple) else value for key, value in values.items()
    }
    return {**properties, "title": next(iter(values.get("aliases") or ()), None)}


def _text(properties: Mapping[str, Any], key: str) -> str | None:
    value = properties.get(key)
    return value if isinstance(value, str) and value else None
