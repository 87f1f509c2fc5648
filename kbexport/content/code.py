"""Code in a note: info strings, fences and inline code (`formats.md`, section 5, Code)."""

from __future__ import annotations

import re

from kbexport.content.escape import ZERO_WIDTH, is_live

_WORD = re.compile(r"[A-Za-z0-9_+#.-]{1,32}")
_RUNS = re.compile(
    r"(?:dataview|dataviewjs|datacore.*|tasks|templater|meta-bind.*|js-engine|button|query|base"
    r"|ad-.*|excalidraw|leaflet|run-.*)",
    re.IGNORECASE,
)
_FENCE_LINE = re.compile(r"[ \t]*(?:```|~~~)")


def language(info: str) -> str:
    """The info string of a fence as one harmless word; `text` for what a plugin would run."""
    word = re.split(r"[\s{,:;]", info.strip(), maxsplit=1)[0].lstrip(".")
    if not _WORD.fullmatch(word):
        return ""
    return "text" if _RUNS.fullmatch(word) else word


def fence(
    lines: list[str], info: str, *, sign: str = "`", length: int = 3, logseq: bool
) -> list[str]:
    """The lines of a fenced block that holds ``lines``, longer than any run of its sign in them."""
    longest = max((len(run) for line in lines for run in re.findall(f"{sign}+", line)), default=0)
    mark = sign * max(length, longest + 1, 3)
    body = _held(lines, logseq=logseq)
    return [mark + language(info), *body, mark]


def comes_loose(lines: list[str], *, logseq: bool) -> bool:
    """Whether Logseq would end the fence early and read something live in what comes loose.

    mldoc ends a fence at the first line that starts with three backticks or `~~~`. An odd number
    of such lines would also open a fence that swallows the text behind the block.
    """
    marks = [number for number, line in enumerate(lines) if _FENCE_LINE.match(line)]
    if not logseq or not marks:
        return False
    loose = "\n".join(lines[marks[0] + 1 :])
    return len(marks) % 2 == 1 or is_live(loose, logseq=True)


def _held(lines: list[str], *, logseq: bool) -> list[str]:
    if not comes_loose(lines, logseq=logseq):
        return lines
    return [ZERO_WIDTH + line if _FENCE_LINE.match(line) else line for line in lines]


def inline_code(content: str, *, logseq: bool, guard: bool = False) -> str:
    """Inline code that holds ``content`` and that no plugin runs.

    ``guard`` says that an escaped bracket stands before it, which one inside would close in Logseq.
    """
    text = content.replace("\n", " ")
    if text.strip().startswith(("=", "$=")):
        text = ZERO_WIDTH + text
    if logseq and "``" in text and is_live(text, logseq=True):
        # mldoc knows one or two backticks as delimiters, and breaks at two in a row inside.
        text = re.sub("`(?=`)", "`" + ZERO_WIDTH, text)
    if guard:
        text = re.sub(r"\\(?=[\])])", "\\\\" + ZERO_WIDTH, text)
    runs = {len(run) for run in re.findall("`+", text)}
    mark = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    if text.startswith("`") or text.endswith("`"):
        text = f" {text} "
    elif text.startswith(" ") and text.endswith(" ") and text.strip(" "):
        text = f" {text} "  # CommonMark takes one space from each end
    return mark + text + mark
