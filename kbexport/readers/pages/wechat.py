"""WeChat posts whose text is in a script: pictures with a few words, and words alone.

Forms: `inputs/README.md`, section 6; nothing of the script is run.
"""

from __future__ import annotations

import re
from html import escape

from kbexport.content.dom import Element, parse_page

_KIND = re.compile(r"\bitem_show_type\s*[:=]\s*['\"](?:8|10)['\"]")
_WORDS = re.compile(
    r"\b(?:content_noencode|(?:Text)?ContentNoEncode)\b[^'\n]{0,80}'((?:\\.|[^'\\\n]){1,100000})'"
)
_PICTURES = "picture_page_info_list"
_LONGEST = 400_000
# Such as the same picture with a water mark.
_INNER = re.compile(r"\w+\s*:\s*\{[^{}]*\}")
_ADDRESS = re.compile(r"\bcdn_url\s*:\s*(?:JsDecode\()?['\"]([^'\"]{1,2000})['\"]")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_SIGNS = {"n": "\n", "r": "", "t": "\t"}


def script_text(page: Element, html: str) -> Element | None:
    """The text and the pictures of such a post, as if the page had them; else nothing."""
    content = page.select_one("#js_content")
    if not _KIND.search(html) or (content and content.text):
        return None
    found = _WORDS.search(html)
    described = page.select_one("meta[property='og:description']")
    words = _decoded(found[1] if found else (described and described.attr("content")) or "")
    listed = _INNER.sub("", html.partition(_PICTURES)[2][:_LONGEST].partition("]")[0])
    pictures = dict.fromkeys(
        _decoded(address).replace("&amp;", "&") for address in _ADDRESS.findall(listed)
    )
    lines = "<br>".join(words.strip().split("\n"))
    images = "".join(f'<p><img src="{escape(address)}"></p>' for address in pictures)
    return parse_page(f"<p>{lines}</p>{images}").select_one("body") if lines or images else None


def _decoded(text: str) -> str:
    r"""The value of a text in JavaScript, which may hold `\x26` and the like."""
    return _ESCAPE.sub(
        lambda found: (
            chr(int(found[1] or found[2], 16))
            if found[1] or found[2]
            else _SIGNS.get(found[3], found[3])
        ),
        text,
    )
