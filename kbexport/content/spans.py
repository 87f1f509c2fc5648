"""Inline Markdown made inert: code, links, formulas and the rest of a paragraph's text.

What an author's Markdown really has (code, links, pictures, formulas, a few tags) becomes a
finished piece; all else is text, and `escape.py` sees to it that it stays text. Emphasis is left
alone: a star is never live.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from kbexport.content.addresses import allowed, written
from kbexport.content.behind import quiet_behind_tags
from kbexport.content.code import inline_code
from kbexport.content.escape import (
    PIECE,
    ZERO_WIDTH,
    decode_entities,
    escape_plain,
    is_live,
    neutralise,
    neutralise_start,
)
from kbexport.content.formulas import formula_at, quiet_tex
from kbexport.content.labels import Code, Piece, Url, alt_of, fold_label, label_of, plain, title_of
from kbexport.content.scope import Scope


@dataclass(frozen=True)
class _Opener:
    """A bracket that may open a link."""

    part: int
    """Its place among the parts."""
    start: int
    """Where its text begins in the source."""
    image: bool


_TOKEN = re.compile(r"(?=[\\`!\[\]<$h&])(?:\\[\s\S]|\\$|`+|!?\[|[\]<$&]|(?<![A-Za-z0-9])https?://)")
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{1,2000})>")
_EMAIL = re.compile(r"<([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)>")
_MORE = re.compile(r"<!--\s*more\s*-->", re.IGNORECASE)
"""The end of the excerpt in Hexo, Hugo, Jekyll and WordPress: it says nothing in a note."""
_TAG = re.compile(r"<(/?)(br|sub|sup|kbd|u|mark)(\s[^<>]{0,300})?(/?)>", re.IGNORECASE)
_URL = re.compile(r"https?://(?:\\[-*_~#&$!+=.]|[A-Za-z0-9._~:/?#@!$&'()+,;=%-])+")
_URL_END = re.compile(r"(?:\\?[?!.,:*_~'\";])*\\?$")
_BARE = r"(?!<)(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*+\))*+\))*+"
_TARGET = re.compile(
    rf"\([ \t\n]*+(?:<(?P<angle>[^<>\n]{{0,2000}})>|(?P<bare>{_BARE}))"
    r"(?:[ \t\n]+(?P<title>\"(?:[^\"\\]|\\.){0,500}\"|'(?:[^'\\]|\\.){0,500}'"
    r"|\((?:[^()\\]|\\.){0,500}\)))?[ \t\n]*+\)"
)
_REFERENCE = re.compile(r"\[([^\[\]]{0,999})\]")
_ENTITY = re.compile(r"&#?\w{1,31};")
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]^]{1,80})\]")


def inert_spans(text: str, scope: Scope, *, start: str = "text", table: bool = False) -> str:
    """The inline Markdown of one block -> inert inline Markdown.

    ``start`` says what a line's beginning may mean: `text` (all signs), `heading` (task words
    only) or `none`. In a ``table`` a bar inside code splits the cell in Logseq.
    """
    parts = _Scanner(text, scope, table=table).parts()
    return _finish(parts, scope, start)


def _finish(parts: list[str], scope: Scope, start: str) -> str:
    pieces = [part for part in parts if isinstance(part, Piece)]
    text = "".join(PIECE if isinstance(part, Piece) else part for part in parts)
    text = neutralise(text, logseq=scope.logseq)
    if start == "text":
        lines = text.split("\n")
        if scope.logseq:
            lines = quiet_behind_tags(lines, pieces)
        text = "\n".join(
            neutralise_start(line, logseq=scope.logseq, first=number == 0)
            for number, line in enumerate(lines)
        )
    elif start == "heading" and scope.logseq and (text[:1].isupper() or text[:1] == "|"):
        text = neutralise_start(text, logseq=scope.logseq)
    if scope.logseq and ("\\[" in text or "\\(" in text):
        scope.seen.bracket = True
    split = text.split(PIECE)
    whole = [split[0]]
    for piece, after in zip(pieces, split[1:], strict=True):
        before = next((text[-1] for text in reversed(whole) if text), " ")
        whole += [_write(piece, before, scope), after]
    return "".join(whole)


def _write(piece: Piece, before: str, scope: Scope) -> str:
    if isinstance(piece, Url) and scope.logseq and before not in (" ", "\n"):
        # Right behind a word or a no-break space, Logseq reads no `<https://…>`, and a tag in what
        # follows its `#`.
        target = piece if ":" in piece else "mailto:" + piece
        return f"[{escape_plain(piece)}]({written(target)})"
    if isinstance(piece, Code):
        return inline_code(piece, logseq=scope.logseq, guard=scope.seen.bracket)
    if isinstance(piece, Url):
        return f"<{piece.replace('[', '%5B').replace(']', '%5D')}>"
    return str(piece)


class _Scanner:
    """Takes inline Markdown apart into text and finished pieces, in one pass from left to right."""

    def __init__(self, text: str, scope: Scope, *, table: bool) -> None:
        self.text = text
        self.scope = scope
        self.table = table
        self.out: list[str] = []
        self.openers: list[_Opener] = []
        self.dead = 0  # openers below this height stand before a link, so they open none
        self.runs: dict[int, list[int]] = {}
        for run in re.finditer("`+", text):
            self.runs.setdefault(len(run[0]), []).append(run.start())

    def parts(self) -> list[str]:
        """Text and pieces in the order of the source."""
        position = 0
        while token := _TOKEN.search(self.text, position):
            self.out.append(self.text[position : token.start()])
            position = self._take(token[0], token.start())
        self.out.append(self.text[position:])
        return self.out

    def _take(self, token: str, at: int) -> int:
        """Append what begins at ``at``; return where the scan goes on."""
        take = {
            "\\": self._backslash,
            "`": self._code,
            "[": self._open,
            "!": self._open,
            "]": self._close,
            "<": self._angle,
            "$": self._formula,
            "&": self._entity,
            "h": self._url,
        }
        return take[token[0]](token, at)

    def _backslash(self, pair: str, at: int) -> int:
        if pair == "\\\n":
            self.out.append("  \n")
        else:
            punctuation = pair[1:].isascii() and not pair[1:].isalnum() and pair[1:].strip()
            self.out.append(pair if punctuation else "\\")
            return at + (2 if punctuation else 1)
        return at + 2

    def _entity(self, _: str, at: int) -> int:
        found = _ENTITY.match(self.text, at)
        self.out.append(decode_entities(found[0]) if found else "&")
        return found.end() if found else at + 1

    def _code(self, token: str, at: int) -> int:
        starts = self.runs.get(len(token), [])
        place = bisect_right(starts, at)
        if place == len(starts):
            self.out.append("\\`" * len(token))
            return at + len(token)
        content = self.text[at + len(token) : starts[place]]
        if content[:1] in " \n" and content[-1:] in " \n" and content.strip():
            content = content[1:-1]
        self._opaque(Code(content.replace("\n", " ")), content)
        return starts[place] + len(token)

    def _opaque(self, piece: Piece, content: str) -> None:
        """Append a piece that Logseq does not read, unless a bar in a table would tear it open."""
        torn = self.table and self.scope.logseq and "|" in content
        if torn and is_live(content, logseq=True):
            self.out.append(escape_plain(content.replace("\\|", "|")))
        else:
            self.out.append(piece)

    def _formula(self, _: str, at: int) -> int:
        formula = formula_at(self.text, at)
        if formula is None:
            self.out.append("\\$")
            return at + 1
        self._opaque(Piece(quiet_tex(formula)), formula.strip("$"))
        return at + len(formula)

    def _angle(self, _: str, at: int) -> int:
        if found := _AUTOLINK.match(self.text, at):
            if allowed(found[1]):
                self.out.append(Url(found[1]))
                return found.end()
        elif found := _EMAIL.match(self.text, at):
            self.out.append(Url(found[1]))
            return found.end()
        elif found := _TAG.match(self.text, at):
            slash = found[4] if not found[3] else ""
            self.out.append(Piece(f"<{found[1]}{found[2].lower()}{slash}>"))
            return found.end()
        elif found := _MORE.match(self.text, at):
            return found.end()
        self.out.append("<")
        return at + 1

    def _url(self, _: str, at: int) -> int:
        found = _URL.match(self.text, at)
        raw = re.split(r"&(?:lt|gt|quot|nbsp);", found[0])[0] if found else ""
        raw = _URL_END.sub("", raw)
        while raw.endswith(")") and raw.count(")") > raw.count("("):
            raw = _URL_END.sub("", raw[:-1])
        address = plain(raw)
        if len(raw) <= len("https://") or not allowed(address) or re.search(r"[\s<>]", address):
            self.out.append(self.text[at : at + 4])
            return at + 4
        self.out.append(Url(address))
        return at + len(raw)

    def _open(self, token: str, at: int) -> int:
        footnote = _FOOTNOTE.match(self.text, at)
        defines = footnote and self.text.startswith(":", footnote.end())
        if footnote and not defines and footnote[1] in self.scope.footnotes:
            self.out.append(Piece(footnote[0]))
            return footnote.end()
        image = self.text[at] == "!"
        self.openers.append(_Opener(len(self.out), at + len(token), image))
        self.out.append(token)
        return at + len(token)

    def _close(self, _: str, at: int) -> int:
        if not self.openers:
            self.out.append("]")
            return at + 1
        height = len(self.openers) - 1
        opener = self.openers.pop()
        alive = opener.image or height >= self.dead
        self.dead = min(self.dead, height)
        target = self._target(opener, at) if alive else None
        if target is None:
            self.out.append("]")
            return at + 1
        address, title, end = target
        place, shown = self.scope.place(address, opener.image)
        if shown:
            label = [alt_of(self.text[opener.start : at], logseq=self.scope.logseq)]
            head, tail = "![", f"]({written(place)}{title_of(title, logseq=self.scope.logseq)})"
            whole = (
                [Piece(f"{head}{label[0]}{tail}")] if allowed(place) else self._text(label, opener)
            )
        else:
            self.dead = height
            whole = self._linked(opener, address, place, title)
        self.out[opener.part :] = whole
        return end

    def _text(self, label: list[str], opener: _Opener) -> list[str]:
        """A label without its link; a formula before it must not run into it."""
        before = next(
            (part for part in (self.out[n] for n in range(opener.part - 1, -1, -1)) if part), ""
        )
        return [Piece(ZERO_WIDTH), *label] if before.endswith("$") else label

    def _linked(self, opener: _Opener, address: str, place: str, title: str) -> list[str]:
        label = label_of(self.out[opener.part + 1 :])
        if opener.image and not "".join(label).strip():  # a file that is no picture needs words
            label = [escape_plain(place.rsplit("/", 1)[-1])]
        if self.scope.link:
            replaced = self.scope.link(address, _finish(label, self.scope, "none"))
            if replaced is not None:
                return [Piece(replaced.replace("|", "\\|") if self.table else replaced)]
        if not allowed(place):
            return self._text(label, opener)
        tail = f"]({written(place)}{title_of(title, logseq=self.scope.logseq)})"
        words = next((part for part in label if part), "")
        # `[^…`, `[!…` and the like mean something else to the apps.
        apart = not isinstance(words, Piece) and words.startswith(("^", "!", ":", "#"))
        return [Piece("[" + ZERO_WIDTH if apart else "["), *label, Piece(tail)]

    def _target(self, opener: _Opener, at: int) -> tuple[str, str, int] | None:
        """Address, title and end of the link whose label ends at ``at``, if it is one."""
        found = _TARGET.match(self.text, at + 1)
        if found:
            address = found["angle"] if found["angle"] is not None else found["bare"]
            return plain(address), plain((found["title"] or "")[1:-1]), found.end()
        if not self.scope.definitions or at - opener.start > 999:
            return None
        label, end = self.text[opener.start : at], at + 1
        reference = _REFERENCE.match(self.text, at + 1)
        if reference:
            label, end = reference[1] or label, reference.end()
        key = fold_label(label)
        if key not in self.scope.definitions:
            return None
        self.scope.seen.labels.add(key)
        return (*self.scope.definitions[key], end)
