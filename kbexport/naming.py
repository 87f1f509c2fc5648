"""File names: portable, unique over the whole vault, planned before anything is written.

Rules: `formats.md`, section 4, and `design.md`, "The vault".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

MAX_BYTES = 200
"""Longest stem in UTF-8: room up to the 255 of file systems for what a sync client adds."""

SWAPS = str.maketrans(':/\\*?"<>|#^[]%', "：／＼＊？＂＜＞｜＃＾［］％")
"""Signs that Windows, Android or a wiki-link refuse, and what stands for them."""

MARKUP: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile("`"), "｀"),
    (re.compile("~(?=~)|(?<=~)~"), "～"),
    (re.compile(r"(?<!\w)_+|_+(?!\w)"), lambda run: "＿" * len(run[0])),
    (re.compile(r"&(?=#?\w+;)"), "＆"),
)
"""Signs that a CommonMark reader takes for markup before it sees a wiki-link to the name."""

DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
    + [device + digit for device in ("com", "lpt") for digit in "0123456789¹²³"]
)

LOGSEQ_PAGES = frozenset(
    "contents favorites card a b c todo doing done now later wait waiting started in-progress"
    " canceled cancelled".split()
)
"""Pages that exist in every Logseq graph; compared without letter case."""

JOURNAL = re.compile(r"\d{4}([-_])\d\d\1\d\d|[a-z]{3} \d{1,2}(st|nd|rd|th), \d{4}", re.IGNORECASE)

UNLINKABLE = re.compile(r"[#^|\[\]]|%%")
"""What a user may put into a name, and no wiki-link can hold."""

ZWJ = "\u200d"
JOINERS = (ZWJ, "\ufe0f", "\ufe0e")


def fold(name: str) -> str:
    """The form in which two names are the same on some file system or in some app."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def stem_of(path: str) -> str:
    """The base name of a note without its ending: what a link to it says."""
    name = path.rsplit("/", 1)[-1]
    return name[:-3] if name[-3:].lower() == ".md" else name


def portable_name(text: str) -> str:
    """A text as the name of a file, a folder and a page; empty where nothing is left of it."""
    name = "".join(_visible(unicodedata.normalize("NFC", text)))
    name = re.sub(r"-{3,}", "—", name.translate(SWAPS).replace("___", "＿"))
    for live, sign in MARKUP:
        name = live.sub(sign, name)
    name = unicodedata.normalize("NFC", name).strip(" .")
    return re.sub(r"\.(md)$", r"．\1", name, flags=re.IGNORECASE)


def _visible(text: str) -> list[str]:
    """The characters without controls and invisible ones; all white space as single spaces."""
    kept: list[str] = []
    for index, char in enumerate(text):
        if char.isspace() or unicodedata.category(char) in ("Zs", "Zl", "Zp"):
            if kept and kept[-1] != " ":
                kept.append(" ")
        elif char in JOINERS:
            if _joins_emoji(char, kept, text[index + 1 : index + 2]):
                kept.append(char)
        elif unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co") and not _is_no_character(
            char
        ):
            kept.append(char)
    return kept


def _is_no_character(char: str) -> bool:
    """Whether it stands for no character at all: U+FFFD, and what Unicode will never assign.

    A character that this Python does not know yet is kept, so that names do not depend on it.
    """
    code = ord(char)
    return char == "\ufffd" or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF


def _joins_emoji(joiner: str, before: Sequence[str], after: str) -> bool:
    last = next((char for char in reversed(before) if char not in JOINERS), "")
    if not last or unicodedata.category(last) not in ("So", "Sk"):
        return False
    return joiner != ZWJ or unicodedata.category(after or " ") in ("So", "Sk")


def cut(name: str, limit: int) -> str:
    """The longest beginning of a name that fits into so many bytes, at the end of a character."""
    size = 0
    for index, char in enumerate(name):
        size += len(char.encode())
        if size > limit:
            end = index
            while end and (name[end] in JOINERS or name[end - 1] == ZWJ or _modifies(name[end])):
                end -= 1
            return name[: end or index].rstrip(" .")
    return name


def _modifies(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me", "Sk")


def is_forbidden(name: str) -> bool:
    """Whether a name means something else to Windows or to Logseq."""
    device = name.partition(".")[0].strip().casefold()
    return (
        device in DEVICES or name.casefold() in LOGSEQ_PAGES or JOURNAL.fullmatch(name) is not None
    )


def marked(name: str, uid: str, digits: int = 6) -> str:
    """The name with a piece of the note's id behind it: `名字 (1a2b3c)`.

    A device name takes it before its first dot, since Windows looks no further.
    """
    mark = f" ({uid.rsplit('-', 1)[-1][:digits]})"
    head, dot, tail = name.partition(".")
    if head.strip().casefold() in DEVICES:
        return cut(head.strip() + mark + dot + tail, MAX_BYTES)
    return cut(name, MAX_BYTES - len(mark)) + mark


@dataclass(frozen=True)
class Wanted:
    """A note that is to have a name."""

    uid: str
    """Its id."""
    name: str
    """What it would be called: a title, or a series' name."""
    folder: str = ""
    """Where it would lie, in `/`; empty is the vault itself. Already portable."""
    fallback: str = "Untitled"
    """What it is called where nothing is left of its name."""


@dataclass(frozen=True)
class KnownNames:
    """Names that are there before a run: on disk, in the manifest, in an enclosing vault."""

    paths: Mapping[str, str] = field(default_factory=dict)
    """Where the note of each id lies now; such names and folders stay."""
    gone: frozenset[str] = frozenset()
    """Ids of notes that the user deleted: they get no name, and nothing links to them."""
    stems: frozenset[str] = frozenset()
    """Folded base names of all notes, without `.md`."""
    entries: frozenset[str] = frozenset()
    """Folded paths of all files and folders of the vault."""
    folders: frozenset[str] = frozenset()
    """Paths of the vault's folders as they are spelt."""


@dataclass(frozen=True)
class Names:
    """The path of every note of the run."""

    paths: Mapping[str, str]
    """Where each note lies, or will lie, by id."""
    stepped_aside: Mapping[str, str]
    """New notes whose name was taken by a file that is not theirs: id -> that name."""
    marked: frozenset[str]
    """Ids of notes whose file name was cut, or carries a mark."""

    def link(self, uid: str) -> str | None:
        """The target of a wiki-link to a note; None where there is none, or none can link to it."""
        stem = stem_of(self.paths.get(uid, ""))
        return stem if stem and not UNLINKABLE.search(stem) else None


def assign_names(wanted: Sequence[Wanted], known: KnownNames) -> Names:
    """A unique path for every note, earlier ones in ``wanted`` first.

    A note that exists keeps name and folder. Of several new ones that want the same name the
    first keeps it; the others, and every cut or forbidden name, are marked with their id.
    """
    paths = {item.uid: known.paths[item.uid] for item in wanted if item.uid in known.paths}
    new = [item for item in wanted if item.uid not in paths and item.uid not in known.gone]
    taken = set(known.stems)
    taken.update(fold(stem_of(path)) for path in paths.values())
    own_stems: set[str] = set()
    aside: dict[str, str] = {}
    folders = _FolderSpelling(known)
    for item in new:
        stem = portable_name(item.name) or portable_name(item.fallback) or item.uid
        folder = folders.spelt(item.folder)
        plain = stem == cut(stem, MAX_BYTES) and not is_forbidden(stem)
        if plain and not _is_taken(folder, stem, taken, known):
            name = stem
        else:
            name = _free_mark(item, stem, folder, taken, known)
            if plain and fold(stem) not in own_stems:
                aside[item.uid] = stem
        taken.add(fold(name))
        own_stems.add(fold(stem))
        paths[item.uid] = f"{folder}/{name}.md" if folder else f"{name}.md"
    return Names(paths=paths, stepped_aside=aside, marked=_marked_ids(wanted, paths))


def _is_taken(folder: str, stem: str, taken: set[str], known: KnownNames) -> bool:
    path = f"{folder}/{stem}.md" if folder else f"{stem}.md"
    return fold(stem) in taken or fold(path) in known.entries


def _free_mark(item: Wanted, stem: str, folder: str, taken: set[str], known: KnownNames) -> str:
    for digits in range(6, 13):
        name = marked(stem, item.uid, digits)
        if not _is_taken(folder, name, taken, known):
            return name
    return marked(f"{stem} {item.uid}", item.uid, 12)


def _marked_ids(wanted: Sequence[Wanted], paths: Mapping[str, str]) -> frozenset[str]:
    """The notes whose name has a piece of their id; told by the name, as old notes must be too."""
    return frozenset(
        item.uid
        for item in wanted
        if f"({item.uid.rsplit('-', 1)[-1][:6]}" in stem_of(paths.get(item.uid, ""))
    )


class _FolderSpelling:
    """Folders as they are spelt on disk, so that no second one differs in letter case alone."""

    def __init__(self, known: KnownNames) -> None:
        self._spelling = {fold(folder): folder for folder in sorted(known.folders)}

    def spelt(self, folder: str) -> str:
        return self._spelling.setdefault(fold(folder), folder) if folder else ""


RESERVED_FOLDERS = frozenset(["posts", "columns", "assets", "logseq", "pages", "journals"])
"""Folders that mean something already; a series of such a name takes another."""


def assign_folders(
    names: Mapping[str, str], known: KnownNames, others: Iterable[str] = ()
) -> dict[str, str]:
    """A folder for each new series: id -> name of the series, in; id -> folder, out.

    Marked where the name is reserved, cut, that of a file, or that of the folder of another
    series: of one in ``others``, or of an earlier one.
    """
    files = known.entries - {fold(folder) for folder in known.folders}
    used = set(RESERVED_FOLDERS | files).union(map(fold, others))
    folders = {}
    for uid, name in names.items():
        stem = portable_name(name) or uid
        plain = stem == cut(stem, MAX_BYTES) and not is_forbidden(stem) and fold(stem) not in used
        folders[uid] = stem if plain else marked(stem, uid)
        used.add(fold(folders[uid]))
    return folders
