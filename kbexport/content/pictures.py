"""Pictures: their real addresses, their twins, and what sites add to addresses and descriptions."""

from __future__ import annotations

import base64
import binascii
import re
from itertools import islice
from urllib.parse import unquote

from turbohtml import Document, Element, Text

from kbexport.content.conversion import Conversion

LAZY = (
    "data-src data-original data-lazy-src data-actualsrc data-original-src data-lazyload data-url "
    "data-cfsrc data-croporisrc data-echo data-lazy data-real-src _src file"
).split()
"""Where sites keep the address of a picture that loads late; it counts more than `src`."""
_PLACEHOLDER = re.compile(
    r"(?:data|about|blob):|[^?#]*(?:loading|lazy|placeholder|spin|spacer|blank|pixel|transparent"
    r"|grey|gray|1x1)[^/?#]*(?:[?#]|$)|$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:https?:)?//\S+|\S*\.\S+|/\S+|\S+/\S+")
_PICTURE = re.compile(
    r"(?:(?:https?:)?//|\.{0,2}/)\S+|\S+\.(?:png|jpe?g|gif|webp|avif|bmp)(?:[?#]\S*)?",
    re.IGNORECASE,
)
_CANDIDATES = re.compile(r"(?<=\d[wx]),|,(?=\s)")
_REAL_SIZE = 2000
"""A `data:` address longer than this is a picture, not a placeholder."""

_CSDN_PROXY = re.compile(r"https?://imgconvert\.csdnimg\.cn/([\w+/=%-]+)")
_MARKED = re.compile(
    r"(https?://[\w.-]*\.(?:csdnimg\.cn|51cto\.com)/[^?#]*)(\?x-oss-process=[^#]*)?#?.*"
)
_CTO51 = re.compile(r"https?://[\w.-]+\.51cto\.com/")
_MADE_ALT = re.compile(r".*_[^_\s]+(?:_\d+)?")
"""51CTO writes `<title>_<tag>_02` as description; the author's own words are the title."""


def find_pictures(document: Document, conversion: Conversion) -> None:
    """Pictures that load late get their real address; placeholders and doubles go."""
    for late in document.select("amp-img, image"):
        late.tag = "img"
    for twin in document.select("noscript"):
        _settle_twin(twin)
    for picture in document.select("img"):
        alt = (picture.attr("alt") or "").strip()
        address = address_of(picture)
        if alt and (picture.has_class("emoji") or picture.has_class("wp-smiley")):
            picture.replace_with(Text(alt))
        elif address:
            picture.attrs["src"] = address
            _mend(picture, address, alt)
        else:
            if len(picture.attr("src") or "") > _REAL_SIZE:
                conversion.problem("a picture that is part of the page itself was left out")
            picture.replace_with(Text(alt))


def _settle_twin(twin: Element) -> None:
    """Of a late picture and the one for readers without scripts, one stays."""
    spare = twin.select_one("img")
    late = _beside(twin) if spare else None
    if spare is None or late is None:
        twin.unwrap()
        return
    real = address_of(late)
    if real and (real == address_of(spare) or _is_lazy(late)):
        if not late.attr("alt") and spare.attr("alt"):
            late.attrs["alt"] = spare.attr("alt") or ""
        twin.decompose()
    else:
        if not real:
            late.decompose()
        twin.unwrap()


def _beside(twin: Element) -> Element | None:
    for side in (twin.previous_siblings, twin.next_siblings):
        near = islice(side, 3)  # of all siblings of a large page there may be many
        first = next((node for node in near if isinstance(node, Element)), None)
        if first is not None and first.tag == "img":
            return first
    return None


def _is_lazy(picture: Element) -> bool:
    return any(picture.attr(name) for name in LAZY) or bool(picture.attr("data-srcset"))


def address_of(picture: Element) -> str:
    """The address of a picture; empty where it has none of its own."""
    lazy = ((picture.attr(name) or "").strip() for name in LAZY)
    found = next((value for value in lazy if _is_address(value)), "")
    plain = (picture.attr("src") or "").strip()
    if found or not _PLACEHOLDER.match(plain):
        return found or plain
    return _from_set(picture) or _from_data(picture) or ("" if ":" in plain[:6] else plain)


def _is_address(value: str) -> bool:
    return not value.startswith(("data:", "blob:")) and _ADDRESS.fullmatch(value) is not None


def _from_set(picture: Element) -> str:
    """The largest picture of a `srcset`, its own or that of the `picture` around it."""
    sets = [picture.attr("srcset") or picture.attr("data-srcset") or ""]
    frame = picture.parent
    if isinstance(frame, Element) and frame.tag == "picture":
        sources = frame.select("source")
        sets += [source.attr("srcset") or source.attr("data-srcset") or "" for source in sources]
    for value in sets:
        parts = [part.strip(",").split() for part in _CANDIDATES.split(value)]
        found = [(_size(part[1:]), part[0]) for part in parts if part]
        best = max(found, default=(0.0, ""))[1]
        if best and not best.startswith("data:"):
            return best
    return ""


def _size(words: list[str]) -> float:
    """The width or density that a candidate of a `srcset` names."""
    number = words[0][:-1] if words and words[0][-1] in "wx" else ""
    return float(number) if re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", number) else 1.0


def _from_data(picture: Element) -> str:
    """The address in any other `data-` attribute that holds one."""
    for name in picture.attrs:
        value = (picture.attr(name) or "").strip() if name.startswith("data-") else ""
        if value and _PICTURE.fullmatch(value):
            return value
    return ""


def _mend(picture: Element, address: str, alt: str) -> None:
    """Undo what CSDN and 51CTO do to addresses and descriptions."""
    if found := _CSDN_PROXY.match(address):
        address = _decoded(unquote(found[1])) or address
    if found := _MARKED.fullmatch(address):
        address = found[1]
    picture.attrs["src"] = address
    if _CTO51.match(address) and _MADE_ALT.fullmatch(alt):
        picture.attrs["alt"] = picture.attrs.pop("title", None) or ""


def _decoded(text: str) -> str:
    """The address that CSDN's proxy holds in base64; empty where it is something else."""
    try:
        address = base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
        found = address.decode("utf-8")
    except (binascii.Error, ValueError):
        return ""
    return found if re.fullmatch(r"https?://\S+", found) else ""
