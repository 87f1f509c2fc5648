"""Labels, descriptions and titles of links, and the pieces that a paragraph is taken apart into."""

from __future__ import annotations

import re
from html import unescape

from kbexport.content.addresses import balanced
from kbexport.content.escape import PIECE, ZERO_WIDTH, escape_plain, is_live, neutralise


class Piece(str):
    """A finished piece of Markdown, no longer to be escaped."""

    __slots__ = ()


class Code(Piece):
    """The content of inline code; it is written last, when the text around it is known."""

    __slots__ = ()


class Url(Piece):
    """An address in the text, to be written as an autolink, but not inside a label."""

    __slots__ = ()


def fold_label(label: str) -> str:
    """Key of a reference label: case and runs of white space do not count."""
    return " ".join(label.split()).casefold()


def plain(text: str) -> str:
    """What an address or a title in Markdown means: backslashes and entities resolved."""
    return unescape(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text))


def title_of(title: str, *, logseq: bool) -> str:
    """The title of a link as it stands behind the address; nothing where it would be live."""
    text = " ".join(title.replace('"', "'").split())
    quiet = text and not re.search(r"[\\\[\]`<>|]", text) and not is_live(text, logseq=logseq)
    return f' "{text}"' if quiet else ""


def alt_of(source: str, *, logseq: bool) -> str:
    """The description of a picture, as text."""
    text = " ".join(plain(source).split(" ")).replace("\n", " ").replace(PIECE, "")
    inert = neutralise(escape_plain(text), logseq=logseq)
    if "\\[" in inert or not balanced(text, "[]"):
        text = text.replace("[", "［").replace("]", "］")
        inert = neutralise(escape_plain(text), logseq=logseq)
    return inert


def label_of(parts: list[str]) -> list[str]:
    """The parts of a label: brackets in it balanced and single, addresses in it only text."""
    label: list[str] = []
    opened: list[int] = []
    for part in parts:
        if isinstance(part, Url):
            label.append(Piece(escape_plain(part)))
        elif isinstance(part, Piece):
            label.append(part)
        else:
            for token in re.findall(r"\\.|[\[\]]|[^\\\[\]]+|\\", part, re.DOTALL):
                _label_token(token, label, opened)
    for place in opened:
        label[place] = "\\["
    return label


def _label_token(token: str, label: list[str], opened: list[int]) -> None:
    if token in ("[", "\\["):
        opened.append(len(label))
        # An invisible sign keeps it from `[[wiki-links]]`, `[^footnotes]` and the like.
        label.append(Piece("[" if label and not label[-1].endswith("[") else ZERO_WIDTH + "["))
    elif token in ("]", "\\]"):
        if opened:
            opened.pop()
            label.append(Piece("]"))
        else:
            label.append("］")
    else:
        if label and label[-1].endswith("[") and token[0] in "^:#!":
            label.append(Piece(ZERO_WIDTH))
        label.append(token)
