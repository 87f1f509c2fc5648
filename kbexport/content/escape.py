"""Prose escapes: what is live in Obsidian, Logseq or a plugin is written so that it is only text.

The rules are the first table of `formats.md`, section 5. Both functions that callers need work on
*escaped text*: Markdown whose only backslashes stand before signs, so that nothing is
escaped twice and a second pass changes nothing.
"""

from __future__ import annotations

import re
from html.entities import html5

from kbexport.text.clean import clean_text

PIECE = "\ue000"
"""Stands for a finished piece (code, an address, a formula) while the text around it is escaped."""

ZERO_WIDTH = "\u200b"

_FIRST = r"(?=[\\\[!({<%:=^@&$/\#_])"
"""What each of the rules begins with: most characters of a text need no closer look."""

_SIGNS = r"[!-/:-@\[-`{-~]"

_RULES = rf"""
    (?P<backslash> \\<(?=%) | \\[\])] | (?<![(\]])\\\( )   # forms that must not be written
  | (?P<pair> \\{_SIGNS} )                              # escaped already
  | (?P<slash> \\ )
  | (?P<sign>
        \[ (?= [\[^:\#!{PIECE}] )BRACKETS           # links, footnotes, hiccup, callouts
      | ! (?= {PIECE} )                                # no picture of the link behind it
      | (?<=\() \(                                      # ((block reference))
      | (?<=[{{{PIECE}]) \{{                        # {{{{macro}}}}, ![](x){{:width 1}}
      | < (?= [A-Za-z0-9/!?] ) | (?<=<) %               # HTML, dates, Templater
      | (?<=:) :                                        # key:: value
      | % (?=%) | (?<=%) %  | = (?==) | (?<==) =        # %%comment%%, ==mark==
      | \^ (?= \^ | \[ | {PIECE} | [\w-]+[ \t]*$ ) | (?<=\^) \^
      | @ (?=@) | (?<=@) @                              # @@html: snippets@@
      | & (?= \#?\w{{1,31}}; )
      | \$
      | (?<=\w:) / (?=/)                                # obsidian://
      | HASHES
    )
"""


def _rules(hashes: str, brackets: str) -> re.Pattern[str]:
    rules = _RULES.replace("HASHES", hashes).replace("BRACKETS", brackets)
    return re.compile(f"{_FIRST}(?:{rules})", re.VERBOSE | re.MULTILINE)


# In Logseq C#语言 holds a tag, and x_{i} a subscript; in Obsidian a tag stands after a non-word.
_HASHES = {True: r"\# | [_^](?=\{)", False: r"(?<!\w)\#"}
_NEUTRAL = {logseq: _rules(hashes, "") for logseq, hashes in _HASHES.items()}
# Where an address, a definition or a label might follow a bracket, no bracket may open a link.
_NEUTRAL_BRACKETS = {logseq: _rules(hashes, r"| \[") for logseq, hashes in _HASHES.items()}

TASK_WORDS = "TODO DOING DONE NOW LATER WAIT WAITING STARTED IN-PROGRESS CANCELED CANCELLED".split()
_ENDS = re.compile(r"\\?[\])]")
_TASK = re.compile(rf"(?:{'|'.join(TASK_WORDS)})(?=\s|$)")

_LINE_START = re.compile(
    r"""
    (?P<sign> [-+*>] (?=\s|$) | > | -{3} | (?:-+|=+) [ \t]* $   # lists, quotes, headings, rules
      | (?:\*[ \t]*){3,} $ | (?:_[ \t]*){3,} $ | ~{3}
      | : (?= [^\s:\\]+ : )                                     # :drawer:
      | \[ (?= [^\[\]\\] \] (?:\s|$) )                          # [ ] task
      | \|                                                      # no table in CommonMark
    )
  | (?P<number> \d{1,9} ) (?P<stop> [.)] ) (?=\s|$)
    """,
    re.VERBOSE,
)


def clean(text: str) -> str:
    """Text with LF line ends, without control characters and without the sign of a piece."""
    return clean_text(text).replace(PIECE, "")


def neutralise(text: str, *, logseq: bool) -> str:
    """Escaped text -> escaped text in which nothing is live, wherever in a line it stands."""
    opens = "](" in text or "][" in text or "]:" in text
    rules = (_NEUTRAL_BRACKETS if opens else _NEUTRAL)[logseq]

    def write(match: re.Match[str]) -> str:
        found = match[0]
        if match["pair"]:
            # mldoc would find a `\]` in `\\]`, and with it the end of a formula.
            ends = logseq and found == "\\\\" and _ENDS.match(text, match.end())
            return found + ZERO_WIDTH if ends else found
        if match["backslash"]:
            return found[1:]
        if match["slash"]:
            after = text[match.end() : match.end() + 1]
            if logseq and _ENDS.match(text, match.end()):
                return "\\\\" + ZERO_WIDTH
            return "\\\\" if logseq or not after.isalnum() else "\\"
        return "\\" + found

    return rules.sub(write, text)


def neutralise_start(line: str, *, logseq: bool, first: bool = True) -> str:
    """A neutral line -> the same, no list, quote, rule, drawer or task at a line start.

    ``first`` says that a block starts here, which is where Logseq reads task words.
    """
    found = _LINE_START.match(line)
    if found and found["sign"]:
        return "\\" + line
    if found:
        # Never `\)`: Logseq would end a formula there, so an invisible sign parts the two.
        stop = r"\." if found["stop"] == "." else ZERO_WIDTH + ")"
        return found["number"] + stop + line[found.end() :]
    task = _TASK.match(line) if logseq and first else None
    return f"**{task[0]}**{line[task.end() :]}" if task else line


def escape_plain(text: str) -> str:
    """Plain text -> escaped text: emphasis, code and bars of Markdown get their backslash."""
    return re.sub(r"[\\`*|]|(?<!\w)_|_(?!\w)|~(?=~)|(?<=~)~", r"\\\g<0>", text)


def inert_line(text: str, *, logseq: bool) -> str:
    """One line of plain text -> Markdown that shows exactly this text and holds nothing live.

    It may stand at a line start, in a heading, a list item, a quote, a table cell or a label.
    """
    line = re.sub(r"[\t\n ]+", " ", clean(text)).strip(" ")
    return neutralise_start(neutralise(escape_plain(line), logseq=logseq), logseq=logseq)


def is_live(text: str, *, logseq: bool) -> bool:
    """Whether a text that an app may read as prose holds something that would not stay text."""
    if re.search(r"^[ \t]*-[ \t]", text, re.MULTILINE):
        return True
    quiet = re.sub(r"\\", "", text)
    return neutralise(quiet, logseq=logseq) != quiet


_ENTITY = re.compile(r"\\?&(#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")


def decode_entities(text: str) -> str:
    """Escaped text whose entities are characters; those that mean something get a backslash."""
    return _ENTITY.sub(_decode, text)


def _decode(match: re.Match[str]) -> str:
    if match[0][0] == "\\":
        return match[0]
    char = entity(match[1])
    if char is None:
        return match[0]
    return "\\" + char if char in "\\`*_[<~>-+" else char


def entity(name: str) -> str | None:
    """The character that an entity such as `lt`, `#60` or `#x3c` means; None for an unknown one."""
    if not name.startswith("#"):
        return html5.get(name + ";")
    point = int(f"0{name[1:]}" if name[1] in "xX" else name[1:], base=16 if name[1] in "xX" else 10)
    if not 0 < point <= 0x10FFFF:
        return "\ufffd"
    return re.sub(r"\s", " ", clean(chr(point))) if point < 0x80 else clean(chr(point))
