"""Addresses: which may stand in a note, and how they are written (`formats.md`, section 5)."""

from __future__ import annotations

import re

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_ASSET = re.compile(r"(?:\.\./)*assets/(?!.*(?:^|/)\.\.(?:/|$))")
_ALLOWED = {"http", "https", "mailto"}
# Logseq makes a page of a link to a note, and Obsidian a note of its address.
_NOTE = re.compile(r"\.(?:md|markdown|org|txt|edn)(?:[?#].*)?$", re.IGNORECASE)
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0<>\"`\\|^{}\[\]]|\u3000|&(?=#?\w{1,31};)")


def allowed(address: str) -> bool:
    """Whether an address is http, https, mailto, or a path to what lies in `assets/`."""
    bare = _without_blanks(address)
    if not bare:
        return False
    if scheme := scheme_of(address):
        return scheme in _ALLOWED
    return _ASSET.match(bare) is not None and not _NOTE.search(bare)


def scheme_of(address: str) -> str:
    """The kind of an address, such as `https`, in lower case; empty for a path."""
    scheme = _SCHEME.match(_without_blanks(address))
    return scheme[1].lower() if scheme else ""


def _without_blanks(address: str) -> str:
    r"""Browsers ignore white space and controls in a scheme, so `java\nscript:` counts as one."""
    return re.sub(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028\u2029\ufeff]", "", address)


def written(address: str) -> str:
    """An allowed address as it stands between the round brackets of a link."""
    safe = _UNSAFE.sub(_percent, address.strip())
    # Unbalanced round brackets would end the link; balanced ones keep their bytes.
    # Two opening ones in a row are a block reference to Logseq.
    if balanced(safe, "()") and "((" not in "(" + safe:
        return safe
    return safe.replace("(", "%28").replace(")", "%29")


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())


def balanced(text: str, pair: str) -> bool:
    """Whether each bracket of ``pair``, such as `()`, has its partner."""
    depth = 0
    for char in text:
        depth += (char == pair[0]) - (char == pair[1])
        if depth < 0:
            return False
    return depth == 0
