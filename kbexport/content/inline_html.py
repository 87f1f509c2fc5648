"""HTML that an author wrote into Markdown, as the Markdown that it stands for.

Only tags of HTML itself: `List<String>` and `<your-name>` are text. Code is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

_PLAIN = frozenset(
    """
    font span center div p section article small big ins label nobr summary details figure
    figcaption header footer main address abbr cite dfn time acronym picture track param
    noscript colgroup wbr
    """.split()
)
"""What only styles or groups: its words stay."""
_MARKS = {
    "b": "**",
    "strong": "**",
    "i": "*",
    "em": "*",
    "del": "~~",
    "s": "~~",
    "strike": "~~",
    "code": "`",
    "tt": "`",
    "samp": "`",
}
_EMBEDS = frozenset("iframe video audio embed source".split())
_DEEPEST = 50
"""So many tags may be open at once; this keeps the work linear."""
_TOKEN = re.compile(
    r"(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?<!\\)(?P<comment><!--(?!\s*more\s*-->).*?-->)"
    r"|(?<!\\)<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,11})(?P<attributes>(?:\s[^<>]{0,1000})?)/?>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"""([\w:-]{1,30})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")


@dataclass
class _Writer:
    """Pieces of the text so far, and the tags among them that are open."""

    out: list[str] = field(default_factory=list)
    open: list[tuple[str, int, str]] = field(default_factory=list)
    """Name, place among the pieces, address."""

    def begin(self, name: str, tag: str, address: str = "") -> None:
        """A tag that counts only if it is closed; until then it is the text that it is."""
        self.open = [*self.open[-_DEEPEST:], (name, len(self.out), address)]
        self.out.append(tag)

    def end(self, name: str, tag: str) -> None:
        """Close the last tag of this name; what opened in it stays text."""
        places = [number for number, (own, _, _) in enumerate(self.open) if own == name]
        if not places:
            self.out.append("" if name == "a" else tag)
            return
        _, place, address = self.open[places[-1]]
        del self.open[places[-1] :]
        mark, lines = _MARKS.get(name, ""), "\n" * self.out[place].count("\n")
        if not any(self.out[at].strip() for at in range(place + 1, len(self.out))):
            self.out[place] = lines
        elif mark == "`":
            self.out[place:] = [_code("".join(self.out[place + 1 :]))]
        elif mark:
            self.out[place] = mark + lines
            self.out.append(mark)
        elif address:
            self.out[place] = "[" + lines
            self.out.append(f"](<{address}>)")
        else:
            self.out[place] = lines


def _code(text: str) -> str:
    """Words of HTML as code between signs that are not in them."""
    words = unescape(text)
    longest = max(map(len, re.findall("`+", words)), default=0)
    sign = "`" * (longest + 1)
    space = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{sign}{space}{words}{space}{sign}"


def markdown_of_tags(text: str) -> str:
    """The text of a paragraph whose tags are Markdown, or gone; it keeps its line ends."""
    if "<" not in text:
        return text
    writer, at = _Writer(), 0
    for match in _TOKEN.finditer(text):
        writer.out.append(text[at : match.start()])
        at = match.end()
        if match["code"]:
            writer.out.append(match[0])
        elif match["comment"]:
            writer.out.append("\n" * match[0].count("\n"))
        else:
            _write(writer, match)
    return "".join([*writer.out, text[at:]])


def _write(writer: _Writer, match: re.Match[str]) -> None:
    name, tag = match["name"].lower(), match[0]
    lines = "\n" * tag.count("\n")
    values = {
        key.lower(): unescape(double or single or bare).strip()
        for key, double, single, bare in _ATTRIBUTE.findall(match["attributes"])
    }
    address = re.sub(r"[\s<>]", "", values.get("src") or values.get("href") or "")
    if name in _PLAIN:
        frames = bool(values) or _is_first_on_its_line(match)
        if match["close"]:
            writer.end(name, lines if frames else tag)
        else:
            writer.begin(name, lines if frames else tag)
    elif name == "img" and not match["close"]:
        alt = re.sub(r"[\[\]\n`]", " ", values.get("alt", "")).strip()
        writer.out.append(f"![{alt}](<{address}>){lines}" if address else alt + lines)
    elif name in _EMBEDS:
        writer.out.append(f"[{address}](<{address}>){lines}" if address else lines)
    elif name == "a" or name in _MARKS:
        if match["close"]:
            writer.end(name, tag)
        else:
            writer.begin(name, tag, address if name == "a" else "")
    else:
        writer.out.append(tag)


def _is_first_on_its_line(match: re.Match[str]) -> bool:
    """Whether a tag frames what follows; within a sentence it may as well be spoken of."""
    before = match.string[: match.start()].rpartition("\n")[2]
    return not _TOKEN.sub("", before).strip()
