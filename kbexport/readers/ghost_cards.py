"""What both editors of Ghost put between paragraphs, as HTML or Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from kbexport.content.html import html_to_markdown

DEEPEST = 100
"""Lists nest no deeper; what does is no text of a person."""


class TextError(ValueError):
    """The form of the editor cannot be read."""


@dataclass
class Body:
    """The text of a post, piece by piece: HTML, or Markdown where the author wrote that."""

    pieces: list[tuple[bool, str]] = field(default_factory=list)

    def add(self, html: str) -> None:
        """Put HTML at the end."""
        self.pieces.append((False, html))

    def add_markdown(self, markdown: str) -> None:
        """Put Markdown at the end."""
        self.pieces.append((True, markdown))

    @property
    def field(self) -> Literal["body_html", "body_markdown"]:
        """In which form the text is."""
        return "body_markdown" if any(markdown for markdown, _ in self.pieces) else "body_html"

    @property
    def text(self) -> str:
        """The text; where one piece is Markdown, all of it is."""
        if self.field == "body_html":
            return "\n".join(html for _, html in self.pieces)
        runs: list[str] = []
        html: list[str] = []
        for is_markdown, piece in [*self.pieces, (True, "")]:
            if not is_markdown:
                html.append(piece)
                continue
            runs += [html_to_markdown("\n".join(html)), piece.strip("\n")]
            html = []
        return "\n\n".join(run for run in runs if run.strip()) + "\n"


def loaded(text: str) -> dict[str, object]:
    """The form of the editor, which is JSON in a string."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TextError(f"no valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise TextError("no object")
    return value


def add_card(body: Body, name: str, card: Mapping[str, object]) -> None:
    """Put a card at the end: a picture, a block of code, a bookmark and the like.

    Of a card that is not known its texts and addresses stay.
    """
    name = name.lower().removeprefix("card-")
    text = {key: value for key, value in card.items() if isinstance(value, str) and value.strip()}
    if name == "markdown":
        body.add_markdown(text.get("markdown", ""))
    elif name in ("code", "codeblock"):
        language = text.get("language", "").strip()
        kind = f' class="language-{escape(language)}"' if language else ""
        code = f"<pre><code{kind}>{escape(text.get('code', ''), quote=False)}</code></pre>"
        body.add(code + _caption(text))
    elif name in ("hr", "horizontalrule"):
        body.add("<hr>")
    elif name == "gallery":
        images = card.get("images")
        for image in images if isinstance(images, list) else ():
            if isinstance(image, dict):
                add_card(body, "image", image)
        body.add(_caption(text))
    elif name == "image" and "src" in text:
        body.add(_picture(text))
    elif name != "paywall":
        body.add(_other(text))


def _picture(text: Mapping[str, str]) -> str:
    picture = f'<img src="{escape(text["src"])}" alt="{escape(text.get("alt", ""))}">'
    if "href" in text:
        picture = f'<a href="{escape(text["href"])}">{picture}</a>'
    caption = f"<figcaption>{text['caption']}</figcaption>" if "caption" in text else ""
    return f"<figure>{picture}{caption}</figure>"


def _caption(text: Mapping[str, str]) -> str:
    return f"<p>{text['caption']}</p>" if "caption" in text else ""


_PLAIN = ("title", "calloutEmoji", "description", "fileName")
_HEADS = ("heading", "header", "title", "calloutEmoji")
_TEXTS = (
    "content calloutText subheader subheading textValue description productDescription html".split()
)
_ADDRESSES = ("url", "src", "buttonUrl", "productUrl", "fileSrc")


def _other(text: Mapping[str, str]) -> str:
    """A callout, a toggle, a bookmark, a file, or what comes yet: its words, then its links."""
    shown = {key: escape(value) if key in _PLAIN else value for key, value in text.items()}
    parts = [f"<p><strong>{shown[key]}</strong></p>" for key in _HEADS if key in shown]
    texts = ((key, shown[key]) for key in _TEXTS if key in shown)
    parts += [
        words if "<p" in words or key == "html" else f"<p>{words}</p>" for key, words in texts
    ]
    if "html" not in shown:
        for key in _ADDRESSES:
            if key in text:
                words = text.get("buttonText") or text.get("fileName") or text[key]
                parts.append(f'<p><a href="{escape(text[key])}">{escape(words)}</a></p>')
    return "\n".join(parts) + _caption(text)
