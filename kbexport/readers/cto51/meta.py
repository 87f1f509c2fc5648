"""The meta line of an entry: badges, date and counts, in any order, on one line or several."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace

from kbexport.models import Kind

KINDS: dict[str, Kind] = {"原创": "original", "转载": "repost", "翻译": "translation"}
READS = "阅读"
KIND, DATE, PINNED, BADGE = "kind", "date", "置顶", "badge"

_LONGEST = 200
# More signs than a count may have: whether it is one is for `parse_count` to say.
_DIGITS = r"\d(?:[\d,.'_]*\d)?"
_GROUPS = r"\d{1,3}(?: \d{3})+(?!\d)"
_UNIT = r"\s*[千万亿kw]?\+?"
_NUMBER = rf"(?:{_GROUPS}|{_DIGITS}){_UNIT}"
# A number that goes on is part of a date.
_END = r"(?![\d.:/年月-])"
_LABEL = r"阅读|点赞|评论|收藏|浏览|赞|转发"
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?"
_TOKEN = re.compile(
    r"(?P<pinned>置顶)|(?P<kind>原创|转载|翻译)|(?P<badge>推荐|精选|热门)"
    r"|(?P<labelled>发[布表]于\s*:?\s*)?(?P<date>"
    rf"\d{{4}}(?:[-/.]\d{{1,2}}[-/.]\d{{1,2}}|年\d{{1,2}}月\d{{1,2}}日)(?:[ T]*{_CLOCK})?"
    rf"|\d{{1,2}}-\d{{1,2}}(?:\s+{_CLOCK})?(?![\d-])"
    rf"|刚刚|(?:今天|昨天|前天)(?:\s*{_CLOCK})?|\d{{1,4}}\s*(?:秒钟?|分钟|个?小时|天|周|个?月|年)前)"
    rf"|(?P<label>{_LABEL})(?:量|数)?\s*:?\s*[(（]?\s*(?P<after>{_GROUPS}$|{_DIGITS}{_UNIT}){_END}\s*[)）]?"
    rf"|(?P<before>{_NUMBER}){_END}\s*(?:人|次)?\s*(?P<label_after>{_LABEL})"
    rf"|(?P<empty>{_LABEL})(?=\s|$)",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[\s|·•,/;]*")
LABELS = frozenset(_LABEL.split("|"))
_DAMAGED = re.compile(r"(?:置顶)?\s*(?:推荐|精选)?\s*(?:原创|转载|翻译)[\s\d]")
_PART = re.compile(r"\d[\d,.:/+年月日天小时分钟秒周前个万千kw \-]*", re.IGNORECASE)
_WORDS = ("置顶", "原创", "转载", "翻译", "推荐", "精选", "刚刚", "今天", "昨天", "前天")
_LONGEST_LOOSE = 60
_STARTS = ("置顶原创", "置顶转载", "置顶翻译", "原创", "转载", "翻译", "推荐原创", "精选原创")


@dataclass(frozen=True)
class Meta:
    """What a meta line, or a part of one, says."""

    facets: frozenset[str] = frozenset()
    """Which kinds of information it holds, so that two parts can be joined."""
    kind: Kind | None = None
    """Original, repost or translation."""
    date: str | None = None
    """The date in the words of the page."""
    reads: str | None = None
    """The count of reads in the words of the page."""
    date_is_labelled: bool = False
    """Whether `发布于` stands before the date."""

    @property
    def pinned(self) -> bool:
        """Whether the page shows the entry as pinned."""
        return PINNED in self.facets

    @property
    def is_whole(self) -> bool:
        """Whether this is a meta line and not just a badge, which may be a tag or a filter."""
        counts = bool(self.facets - {KIND, DATE, PINNED, BADGE})
        return (self.kind is not None and (DATE in self.facets or counts)) or (
            DATE in self.facets and counts
        )

    @property
    def is_full(self) -> bool:
        """Whether nothing is missing that a next line could bring."""
        return {KIND, DATE, READS} <= self.facets

    @property
    def is_date_only(self) -> bool:
        """Whether it holds a date and nothing else."""
        return self.facets == {DATE}


def read_meta(line: str) -> Meta | None:
    """What the line says if it consists of parts of a meta line and of nothing else."""
    meta, rest = _scan(line)
    return meta if meta.facets and not rest else None


def read_damaged_meta(line: str) -> tuple[Meta, str] | None:
    """What can be read of a meta line that holds more, and the rest of it."""
    meta, rest = _scan(line, anywhere=True)
    timed = meta.date is not None and ":" in meta.date
    if _DAMAGED.match(line) and meta.kind and (READS in meta.facets or timed):
        return meta, rest
    # Words that are not known stand before or behind: 独家, a name.
    return (meta, rest) if timed and READS in meta.facets and len(line) <= _LONGEST_LOOSE else None


def read_cut_meta(line: str) -> Meta | None:
    """What is certain in the beginning of a meta line behind which the text ends.

    A number or a date that the end touches may be longer in truth.
    """
    text = _normal(line)
    if any(start.startswith(text) for start in _STARTS):
        return read_meta(line) or Meta()
    if not _DAMAGED.match(text):
        return None
    meta, rest = _scan(text)
    if len(rest) > 12 or re.search(r"[^\W\d_]{3}", rest):
        return None  # words follow: a title that begins like a meta line
    before_the_end, _ = _scan(re.sub(r"\S*$", "", text))
    date = what_is_certain(before_the_end).date
    return Meta(meta.facets & {PINNED}, meta.kind, date=date)


def begins_part(line: str) -> bool:
    """Whether a line behind which the text ends can be the beginning of a date, count or badge."""
    text = _normal(line)
    words = (*LABELS, *_WORDS)
    return bool(_PART.fullmatch(text)) or any(
        word.startswith(text) or (word in LABELS and text.startswith(word)) for word in words
    )


def begins_date_label(line: str) -> bool:
    """Whether a line behind which the text ends is the beginning of `发布于：` and a date."""
    text = _normal(line)
    return any(label.startswith(text[:3]) for label in ("发布于", "发表于")) and (
        len(text) <= 3 or bool(re.fullmatch(r"[\d\s:\-/年月日]*", text[3:]))
    )


def is_number(line: str) -> bool:
    """Whether the line is a count and nothing else."""
    return len(line) < 20 and bool(re.fullmatch(_NUMBER, _normal(line), re.IGNORECASE))


def join(first: Meta, second: Meta) -> Meta | None:
    """Join two parts of one meta line; ``None`` where both say the same kind of thing."""
    if (first.facets & second.facets) - {BADGE}:
        return None
    return Meta(
        facets=first.facets | second.facets,
        kind=first.kind or second.kind,
        date=first.date or second.date,
        reads=first.reads or second.reads,
        date_is_labelled=first.date_is_labelled or second.date_is_labelled,
    )


def is_cut(meta: Meta, others: list[Meta], *, in_line: bool) -> bool:
    """Whether a meta line at the very end of the text lacks what all other ones have.

    ``in_line`` says that the text ends without a line end: then any part may be cut in two.
    """
    common = frozenset({DATE, READS})  # no form of the line lacks them
    if others:
        common = frozenset.intersection(*(other.facets for other in others))
    missing = common - meta.facets - {PINNED, BADGE}
    if missing and (in_line or missing & {DATE, READS}):
        return True
    if not in_line:
        return False
    lengths = [len(other.date or "") for other in others]
    return bool(meta.date) and len(set(lengths)) == 1 and len(meta.date or "") < lengths[0]


def what_is_certain(meta: Meta) -> Meta:
    """What a cut-off meta line surely says: a date without seconds may have had them."""
    date = meta.date if meta.date and meta.date.count(":") == 2 else None
    return Meta(meta.facets & {PINNED}, meta.kind, date=date)


def _normal(line: str) -> str:
    return unicodedata.normalize("NFKC", line[: _LONGEST + 1]).strip()


def _scan(line: str, *, anywhere: bool = False) -> tuple[Meta, str]:
    """What the tokens of the line say, and what is no token.

    A line that begins with no token has none, unless they may stand ``anywhere``.
    """
    text, rest = _normal(line), []
    if len(text) > _LONGEST or not (anywhere or _TOKEN.match(text)):
        return Meta(), text
    meta, place = Meta(), 0
    while place < len(text):
        if found := _TOKEN.match(text, place):
            joined = join(meta, _meaning(found))
            if joined is None:
                rest.append(found[0])
            else:
                meta = joined
            place = found.end()
        elif (gap := _SEPARATOR.match(text, place)) and gap[0]:
            place = gap.end()
        else:
            word = re.compile(r"[A-Za-z\d]+|.", re.DOTALL).match(text, place)
            rest.append(word[0] if word else "")
            place = word.end() if word else place + 1
    if meta.reads and re.search(r"\d", "".join(rest)):
        meta = replace(meta, reads=None)  # who knows whether the number is whole
    return meta, "".join(rest)


def _meaning(found: re.Match[str]) -> Meta:
    """What one token says."""
    if found["pinned"]:
        return Meta(frozenset({PINNED}))
    if found["kind"]:
        return Meta(frozenset({KIND}), kind=KINDS[found["kind"]])
    if found["badge"] or found["empty"]:
        return Meta(frozenset({BADGE}))
    if found["date"]:
        return Meta(frozenset({DATE}), date=found["date"], date_is_labelled=bool(found["labelled"]))
    label = found["label"] or found["label_after"]
    label = READS if label == "浏览" else label
    count = found["after"] or found["before"]
    return Meta(frozenset({label}), reads=count if label == READS else None)
