"""Files that came with a post: pictures beside a saved page or an article, or inside of it."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import unquote, unquote_to_bytes

from kbexport.assets import FOLDER, make_asset
from kbexport.content.own_files import html_with_files, markdown_with_files
from kbexport.models import Asset, Problem, SourcePost
from kbexport.readers.base import Beside, Document
from kbexport.readers.names import is_media

_DATA = re.compile(r"data:(?P<type>[\w.+/-]*)(?P<rest>[^,]{0,200}),(?P<content>.*)", re.DOTALL)
_LOCAL_PICTURE = re.compile(
    r"!\[[^\[\]\n]{0,500}\]\([ \t]*<?(?![A-Za-z][A-Za-z0-9+.-]+:|//|#)([^\s()<>]{1,500})"
    r"|<img\s[^<>]{0,1000}?\bsrc\s*=\s*[\"']?(?![A-Za-z][A-Za-z0-9+.-]+:|//)([^\s\"'<>]{1,500})"
)
_NAMED = 5
_SMALL = 200
"""A picture in the page itself that has fewer bytes is a placeholder."""


def with_assets(found: SourcePost, document: Document) -> tuple[SourcePost, tuple[Asset, ...]]:
    """A post whose body names its files as `assets/…`, and those files.

    What is on the web, or was not saved with it, stays as it is.
    """
    files = _Files(document)
    post = found.post
    changes: dict[str, object] = {}
    if post.body_html:
        whole = document.holds_files
        changes["body_html"] = html_with_files(post.body_html, files.find, everywhere=whole)
    if post.body_markdown:
        changes["body_markdown"] = markdown_with_files(post.body_markdown, files.find)
    named = {address: files.find(address) for address in post.attachments}
    changes["attachments"] = tuple(dict.fromkeys([*_kept(named), *files.paths]))
    if not files.assets:
        return found, ()
    return found.model_copy(update={"post": post.model_copy(update=changes)}), tuple(files.assets)


def missing(found: SourcePost, document: Document) -> Problem | None:
    """A word on pictures that a post names by a path and that did not come with it."""
    if found.post.url or document.page_url:
        return None  # they are on the web
    body = found.post.body_markdown or found.post.body_html or ""
    if "![" not in body and "<img" not in body:
        return None
    names = dict.fromkeys(one[1] or one[2] for one in _LOCAL_PICTURE.finditer(body))
    lost = [name for name in names if not name.startswith(f"{FOLDER}/") and is_media(name)]
    if not lost:
        return None
    more = ", …" if len(lost) > _NAMED else ""
    what = "a picture" if len(lost) == 1 else f"{len(lost)} pictures"
    return Problem(
        source=found.source,
        place=found.place,
        reason=f"{what} did not come with it: {', '.join(lost[:_NAMED])}{more}",
        hint="put them where the text names them, and build again",
        lost=False,
    )


def _kept(named: dict[str, str | None]) -> Iterator[str]:
    return (address for address, place in named.items() if place is None)


class _Files:
    """The files that one document has at hand, each found once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._known: dict[str, str | None] = {}
        self.assets: list[Asset] = []

    @property
    def paths(self) -> list[str]:
        """Where they will lie."""
        return sorted(asset.path for asset in self.assets)

    def find(self, address: str) -> str | None:
        """Where the file of an address will lie; None where it did not come with the document."""
        if address not in self._known:
            asset = self._inside(address) if address.startswith("data:") else self._near(address)
            if asset is not None:
                self.assets.append(asset)
            self._known[address] = asset.path if asset else None
        return self._known[address]

    def _inside(self, address: str) -> Asset | None:
        """A picture that the page holds itself."""
        match = _DATA.fullmatch(address)
        if match is None:
            return None
        try:
            packed = "base64" in match["rest"].lower()
            data = unquote_to_bytes(match["content"])
            content = base64.b64decode(data, validate=False) if packed else data
        except (binascii.Error, ValueError):
            return None
        if len(content) < _SMALL:
            return None
        stem = PurePosixPath(self._document.name).stem
        return make_asset(stem, partial(_same, content))

    def _near(self, address: str) -> Asset | None:
        for name in self._names(address):
            content = self._document.beside(name)
            if content:
                lasts = self._document.files_last
                load = partial(_again, self._document.beside, name)
                return make_asset(name, load if lasts else partial(_same, content))
        return None

    def _names(self, address: str) -> Iterator[str]:
        """What the file of an address may be called, seen from the document."""
        if self._document.holds_files:
            yield address
        elif not re.match(r"[A-Za-z][A-Za-z0-9+.-]+:|//|#|$", address):
            plain = unquote(re.split(r"[?#]", address, maxsplit=1)[0])
            if _may_come_along(plain):
                yield plain
                # Hexo keeps the files of a post in a folder of its name.
                yield f"{PurePosixPath(self._document.name).stem}/{plain}"


def _may_come_along(name: str) -> bool:
    """Whether a file may be taken for a picture or the like: no source, and nothing hidden."""
    parts = PurePosixPath(name).parts
    hidden = any(part.startswith(".") and part != ".." for part in parts)
    return not hidden and (is_media(name) or not PurePosixPath(name).suffix)


def _same(content: bytes) -> bytes:
    return content


def _again(beside: Beside, name: str) -> bytes:
    content = beside(name)
    if content is None:
        raise FileNotFoundError(2, "is there no more", name)
    return content
