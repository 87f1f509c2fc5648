"""Bodies, excerpts and titles made inert: nothing in them runs, links or counts in any app.

Rules: `formats.md`, sections 1, 3, 5 and 6. A body is changed in place, block by block; what is
harmless keeps its bytes, and a second pass changes nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from kbexport.content.blocks import Block, parse_blocks
from kbexport.content.code import comes_loose, fence
from kbexport.content.escape import ZERO_WIDTH, clean, inert_line
from kbexport.content.formulas import ACTIVE_TEX, quiet_tex
from kbexport.content.html import convert_html
from kbexport.content.inline_html import markdown_of_tags
from kbexport.content.labels import fold_label, plain
from kbexport.content.lines import continuation, split_cells
from kbexport.content.scope import PlaceFile, ReplaceLink, Scope, Seen, as_it_is
from kbexport.content.spans import inert_spans

__all__ = ["Inert", "inert_line", "inert_markdown"]

_DEFINITION = re.compile(
    r"\[([^\[\]^][^\[\]]{0,998})\]:[ \t]*(?:<([^<>]{0,2000})>|([^\s<][^\s]{0,2000}))"
    r"(?:[ \t]+(\"[^\"]{0,500}\"|'[^']{0,500}'|\([^()]{0,500}\)))?[ \t]*$"
)
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]^]{1,80})\]: $")
_DEFINES = re.compile(r"(?!https?:|mailto:)[a-z][\w+.-]*:\S|[^\s<\u200b]\S*[ \t]*\n", re.IGNORECASE)
_PROPERTY = re.compile(r"^[^\s`\u200b]*`\S*?::(?=\s|$)", re.MULTILINE)
"""Code that begins a line and holds `key::`: Logseq sees the property first."""
_LONE_TAG = re.compile(r"\A</?(?:br|sub|sup|kbd|u|mark)\s*/?>(?=[ \t]*(?:\n|\Z))", re.IGNORECASE)
_APART = rf"\g<0>{ZERO_WIDTH}"


@dataclass(frozen=True)
class Inert:
    """A body that holds nothing live."""

    text: str
    """Markdown without an empty line at either end."""
    warnings: tuple[str, ...] = ()
    """What could not be kept, or had to be changed inside code, for the report."""


def inert_markdown(
    markdown: str,
    *,
    logseq: bool,
    link: ReplaceLink | None = None,
    place: PlaceFile = as_it_is,
) -> Inert:
    """A Markdown body of a source -> the same body, with all that would be live made text.

    ``logseq`` says that Logseq reads the note too (flavors `both` and `logseq`). ``link`` may
    replace a link by other Markdown, say by a wiki-link: it gets the address and the inert label.
    ``place`` says where the files lie that the body shows or links to.
    """
    problems: list[str] = []
    parsed = [_without_tags(block) for block in parse_blocks(clean(markdown))]
    blocks = list(_with_definitions(_without_html(parsed, problems)))
    scope = replace(_scope(blocks, logseq=logseq), link=link, place=place)
    written = [_write(block, scope) for block in blocks if block.kind != "definition"]
    # Only now is it known which definitions are used; the others are text.
    parts = iter(written)
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        part = _unused(block, scope) if block.kind == "definition" else next(parts)
        if block.kind == "rule" and lines and lines[-1].strip(" >") and not _marked(block):
            part = [part[0].replace("---", "***")]  # below text, `---` would make a heading of it
        if logseq:
            _add_block(lines, block, before, part)
        else:
            lines += part
        before = block
    problems += _warnings(blocks, logseq=logseq)
    return Inert(_guard_top("\n".join(lines).strip("\n")), tuple(problems))


def _scope(blocks: list[Block], *, logseq: bool) -> Scope:
    definitions: dict[str, tuple[str, str]] = {}
    for block in blocks:
        found = _DEFINITION.match(block.lines[0]) if block.kind == "definition" else None
        if found:
            address = plain(found[2] if found[2] is not None else found[3])
            definitions.setdefault(block.info, (address, plain((found[4] or "")[1:-1])))
    names = (_FOOTNOTE.search(block.prefixes[0]) for block in blocks)
    footnotes = frozenset(name[1] for name in names if name)
    # A definition may turn out to be text, with an escaped bracket before any code.
    return Scope(logseq, definitions, footnotes, seen=Seen(bracket=bool(definitions)))


def _without_tags(block: Block) -> Block:
    """A block whose tags are Markdown; one that was nothing but tags is an empty line."""
    if block.kind not in ("text", "heading", "table") or "<" not in "".join(block.lines):
        return block
    lines = markdown_of_tags("\n".join(block.lines)).split("\n")
    if lines == block.lines:
        return block
    if block.kind == "text" and not "".join(lines).strip():
        return Block("text" if _marked(block) else "blank", block.prefixes[:1], [""])
    if block.kind == "text":
        kept = [place for place, line in enumerate(lines) if line.strip()]
        lines = [lines[place].lstrip(" \t") for place in kept]
        rest = [block.prefixes[place] for place in kept[1:] if place < len(block.prefixes)]
        block.prefixes = [block.prefixes[0], *rest]
    block.lines = lines
    return block


def _without_html(blocks: list[Block], problems: list[str]) -> list[Block]:
    """Code and tables that the author wrote in HTML, as Markdown."""
    result: list[Block] = []
    for block in blocks:
        if block.kind != "html":
            result.append(block)
            continue
        converted = convert_html("\n".join(block.lines))
        problems += converted.problems
        inner = parse_blocks(clean(converted.markdown))
        rest = continuation(block.prefixes[0])
        for number, part in enumerate(inner):
            first = block.prefixes[0] if number == 0 else rest
            behind = [rest + prefix for prefix in part.prefixes[1:]]
            part.prefixes = [first + part.prefixes[0], *behind]
            result.append(part)
        result.append(Block("blank", [rest], [""]))
    return result


def _with_definitions(blocks: list[Block]) -> list[Block]:
    """The blocks with the reference definitions at the head of a paragraph on their own."""
    result: list[Block] = []
    for block in blocks:
        while block.kind == "text" and not _FOOTNOTE.search(block.prefixes[0]):
            found = _DEFINITION.match(block.lines[0])
            if not found:
                break
            label = fold_label(found[1])
            prefix, line = block.prefixes.pop(0), block.lines.pop(0)
            result.append(Block("definition", [prefix], [line.rstrip()], info=label))
            block.prefixes = [continuation(prefix)] * len(block.lines)
            if not block.lines:
                break
        if block.lines or block.kind != "text":
            result.append(block)
    return result


def _add_block(lines: list[str], block: Block, before: Block | None, part: list[str]) -> None:
    """Append a block for Logseq too, parted from the one before where it would join with it."""
    prefix, above = block.prefixes[0], lines[-1].strip(" >") if lines else ""
    if before and before.kind != "blank" and block.kind != "blank" and above:
        quote_ends = ">" in before.prefixes[0] and ">" not in prefix
        # Below a list item, Logseq reads code that holds an empty line as text.
        torn = (
            not _marked(block)
            and block.kind == "code"
            and not all(line.strip() for line in block.lines)
        )
        item_ends = (
            not _marked(block)
            and block.kind == "code"
            and continuation(before.prefixes[0]) != prefix
        )
        if quote_ends or torn or item_ends:
            lines.append(continuation(prefix).rstrip())
    if block.kind == "code" and _marked(block):
        # Logseq sees no code right behind the mark of a list item.
        rest = continuation(prefix)
        lines += [prefix + ZERO_WIDTH, rest.rstrip(), rest + part[0][len(prefix) :], *part[1:]]
        return
    lines += part


def _marked(block: Block) -> bool:
    """Whether the block begins right behind the mark of a list item."""
    return bool(block.prefixes[0].strip(" >"))


def _write(block: Block, scope: Scope) -> list[str]:
    """The lines of a block, inert."""
    prefix, pairs = block.prefixes[0], zip(block.prefixes, block.lines, strict=False)
    match block.kind:
        case "blank":
            # `* * *` would be a rule, not empty items within each other.
            lines = [prefix + ZERO_WIDTH if prefix.count("*") > 2 else prefix.rstrip()]
        case "rule":
            lines = [_rule(prefix, logseq=scope.logseq)]
        case "heading":
            words = inert_spans(block.lines[0], scope, start="heading").replace("\n", " ")
            lines = [f"{prefix}{block.info} {words}".rstrip()]
        case "code":
            lines = _code(block, scope)
        case "table":
            lines = [
                before + (row if number == 1 else _LONE_TAG.sub(_APART, _row(row, scope)))
                for number, (before, row) in enumerate(pairs)
            ]
        case "math" if not ACTIVE_TEX.search("".join(block.lines)):
            lines = [before + quiet_tex(line) for before, line in pairs]
        case _:
            lines = _text(block, scope)
    return lines


def _rule(prefix: str, *, logseq: bool) -> str:
    # `* ***` would itself be a rule, not an item that holds one.
    stars = logseq and not prefix.strip(" >")
    return prefix + ("***" if stars else "---")


def _row(row: str, scope: Scope) -> str:
    first, *others = split_cells(row)
    # A row without a bar in front begins like any other line of text.
    cells = [inert_spans(first, scope, table=True)]
    cells += [inert_spans(cell, scope, start="none", table=True) for cell in others]
    return "|".join(cells)


def _text(block: Block, scope: Scope) -> list[str]:
    *upper, last = (line.rstrip(" \t") for line in block.lines)
    # A break before the first word says nothing.
    upper = [
        line + ("  " if raw.endswith("  ") else "")
        for line, raw in zip(upper, block.lines[:-1], strict=True)
        if line != "\\"
    ]
    lines = [*upper, last]
    text = inert_spans("\n".join(lines), scope)
    # A tag alone on the first line would make HTML of the whole paragraph.
    text = _LONE_TAG.sub(_APART, text, count=1)
    if _FOOTNOTE.search(block.prefixes[0]) and _DEFINES.match(text):
        # One word behind `[^1]:` is the address of a link to a reader that has no footnotes.
        text = f"{ZERO_WIDTH} {text}"
    if scope.logseq:
        text = _PROPERTY.sub(rf"{ZERO_WIDTH} \g<0>", text)
    if not text.strip():
        return [block.prefixes[0] + ZERO_WIDTH if _marked(block) else block.prefixes[0].rstrip()]
    rest = block.prefixes[1:] or [continuation(block.prefixes[0])]
    prefixes = [block.prefixes[0], *rest]
    return [
        prefixes[min(number, len(prefixes) - 1)] + re.sub(r" {3,}$", "  ", line)
        for number, line in enumerate(text.split("\n"))
    ]


def _code(block: Block, scope: Scope) -> list[str]:
    body = fence(block.lines, block.info, sign=block.sign, length=block.length, logseq=scope.logseq)
    rest = continuation(block.prefixes[0])
    return [
        block.prefixes[0] + body[0],
        *((rest + line).rstrip(" ") if not line else rest + line for line in body[1:]),
    ]


def _unused(block: Block, scope: Scope) -> list[str]:
    """A definition that no link uses is text; one that is used went into its links."""
    if block.info in scope.seen.labels:
        # The mark of a list item stays, for the lines below are indented to it.
        return [block.prefixes[0] + ZERO_WIDTH] if _marked(block) else []
    text = inert_spans(block.lines[0], replace(scope, definitions={}))
    # An empty line keeps it from joining with the paragraph that it stood above.
    return [block.prefixes[0] + text, continuation(block.prefixes[0]).rstrip()]


def _guard_top(text: str) -> str:
    """A body never begins with `---`, which opens front matter."""
    return re.sub(r"\A---(?=[ \t]*(?:\n|$))", "***", text)


def _warnings(blocks: list[Block], *, logseq: bool) -> list[str]:
    return [
        "an invisible sign (U+200B) was put before a fence inside code, "
        f"or Logseq would end the code there: {block.lines[0].strip()[:40]!r}"
        for block in blocks
        if block.kind == "code" and comes_loose(block.lines, logseq=logseq)
    ]
