"""Frames, films, sound and objects -> links to their addresses."""

from __future__ import annotations

from turbohtml import Document, Element, Text

from kbexport.content.addresses import allowed
from kbexport.content.conversion import Conversion
from kbexport.content.links import resolved

_FRAMES = "iframe, frame, video, audio, embed, object, amp-iframe, amp-video, amp-audio"
_ATTRIBUTES = ("src", "data-src", "data-lazy-src", "data-original", "data")
_PARAMETER = 'param[name="movie"], param[name="src"], param[name="url"]'


def link_embeds(document: Document, conversion: Conversion) -> None:
    """What a page embeds becomes a link to its address, in a paragraph of its own."""
    for embed in document.select(_FRAMES):
        if embed.closest("html") is None:  # in one that is a link already
            continue
        address = resolved(_address(embed), conversion.base_url)
        if address and allowed(address):
            link = Element("a", {"href": address})
            link.append(Text((embed.attr("title") or "").strip() or address))
            paragraph = Element("p")
            paragraph.append(link)
            embed.replace_with(paragraph)
        elif embed.tag == "object":
            embed.unwrap()  # what it falls back to
        else:
            if embed.tag in ("video", "audio", "amp-video", "amp-audio"):
                conversion.problem(f"{embed.tag} without an address was left out")
            embed.decompose()


def _address(embed: Element) -> str:
    found = (embed.attr(name) for name in _ATTRIBUTES)
    address = next(
        (value.strip() for value in found if value and value.strip() != "about:blank"), ""
    )
    if not address and (source := embed.select_one("source[src]")):
        address = (source.attr("src") or "").strip()
    if not address and (parameter := embed.select_one(_PARAMETER)):
        address = (parameter.attr("value") or "").strip()
    return address
