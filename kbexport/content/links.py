"""Links and addresses of a page: absolute, meaningful, and round words rather than blocks."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from turbohtml import Document, Element

from kbexport.assets import asset_of
from kbexport.content.addresses import allowed
from kbexport.content.conversion import Conversion

_BLOCKS = "p, div, h1, h2, h3, h4, h5, h6, ul, ol, pre, table, blockquote, section, article, figure"
_HELD_BLOCKS = "pre, table, ul, ol, p, div, section, blockquote, figure"
_ANCHOR_SIGNS = ("¶", "#", "§", "\uf0c1", "🔗", "∞", "⚓")
_CONTENTS = (
    "div.toc, div#toc, #toc_container, #ez-toc-container, #TableOfContents, .post-toc,"
    " .table-of-contents, .toc-container"
)
"""Tables of contents that a site makes from the headings; the apps show their own."""


def resolved(address: str, base_url: str) -> str:
    """An address of a page as an absolute one, as far as the page's own is known."""
    # Browsers ignore line ends and tabs within an address.
    address = re.sub(r"[\t\n\r]", "", address.strip())
    if address.startswith("//") and not base_url:
        return "https:" + address
    if not base_url or not address or address.startswith("#") or asset_of(address):
        return address
    try:
        return urljoin(base_url, address)
    except ValueError:  # an address such as `http://[`
        return address


def resolve_addresses(document: Document, conversion: Conversion) -> None:
    """Addresses are absolute where the page's own address is known."""
    for element, name in [
        *((a, "href") for a in document.select("a[href]")),
        *((img, "src") for img in document.select("img[src]")),
    ]:
        element.attrs[name] = resolved(element.attr(name) or "", conversion.base_url)


def fragment_of(link: Element, base_url: str) -> str:
    """The place on the same page that a link leads to; empty where it leads elsewhere."""
    address, sign, fragment = (link.attr("href") or "").strip().partition("#")
    own = base_url.partition("#")[0]
    return fragment if sign and address in ("", own) else ""


def drop_contents(document: Document, conversion: Conversion) -> None:
    """A table of contents that the site made goes: each of its links leads to this page."""
    for box in document.select(_CONTENTS):
        links = box.select("a[href]")
        if links and all(fragment_of(link, conversion.base_url) for link in links):
            box.decompose()


def mend_links(document: Document, conversion: Conversion) -> None:
    """Links that mean nothing go; a link round blocks goes into the first that has words."""
    for link in document.select("a"):
        address = link.attr("href") or ""
        words = link.text.replace("\u200b", "").strip()
        here = not address or bool(fragment_of(link, conversion.base_url))
        if (not words or (here and words in _ANCHOR_SIGNS)) and not link.select_one("img"):
            link.decompose()
        elif here or address.startswith("#") or not allowed(address):
            link.unwrap()
        elif link.select_one(_BLOCKS):
            _link_inside(link, address)


def _link_inside(link: Element, address: str) -> None:
    heads = link.select("h1, h2, h3, h4, h5, h6") or link.select(_BLOCKS)
    heads = [block for block in heads if block.tag not in ("pre", "table", "ul", "ol")]
    head = next((block for block in heads if block.text.strip()), heads[-1] if heads else None)
    if head and not head.select_one(_HELD_BLOCKS):
        head.wrap_children(Element("a", {"href": address}))
    link.unwrap()
