"""From what the user names to posts: files, folders and standard input."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kbexport.errors import UsageError
from kbexport.models import Asset, Problem, SourcePost
from kbexport.readers.attach import missing, with_assets
from kbexport.readers.base import Document, Reader
from kbexport.readers.beside import files_beside
from kbexport.readers.containers import documents, stream_of
from kbexport.readers.names import (
    PERHAPS,
    STATE,
    TEXTS,
    is_beside,
    is_media,
    is_no_source_folder,
    page_of_files,
)
from kbexport.readers.registry import claims, readers
from kbexport.text.encodings import stray_nuls

STDIN = "-"


@dataclass(frozen=True)
class Reading:
    """What the sources of a run hold."""

    posts: tuple[SourcePost, ...]
    """In the order of the sources, of the files in each, and of the posts in each file."""
    problems: tuple[Problem, ...]
    """What could not be read as it stands."""
    assets: tuple[Asset, ...] = ()
    """Files that came with the posts; bodies and `attachments` name them by their paths."""
    fetched: Mapping[str, Asset] = field(default_factory=dict)
    """Pictures on the web that were fetched for this run, by their addresses."""


def read_sources(
    sources: Sequence[Path | str],
    *,
    format_name: str | None = None,
    vault: Path | None = None,
    on_file: Callable[[str], None] | None = None,
) -> Reading:
    """Read all posts of the sources; what cannot be read is a problem and stops nothing else.

    ``vault`` is left out where a source holds it. ``on_file`` is told the name of each file.
    """
    forced = _reader_named(format_name) if format_name is not None else None
    run = _Run(forced=forced, vault=vault, on_file=on_file)
    for source in sources:
        _read_source(str(source), run)
    return Reading(tuple(run.posts), tuple(run.problems), tuple(run.assets))


@dataclass
class _Run:
    """What one run gathers."""

    forced: Reader | None
    vault: Path | None
    on_file: Callable[[str], None] | None
    posts: list[SourcePost] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    assets: list[Asset] = field(default_factory=list)
    other_files: int = 0
    """Files in folders that are no sources, such as pictures."""
    notes: int = 0
    """Problems that only say what was passed over."""
    seen: set[str] = field(default_factory=set)
    """Real paths of the files read, so that a file named twice is read once."""

    def report(self, source: str, reason: str, hint: str, *, lost: bool = True) -> None:
        self.problems.append(Problem(source=source, reason=reason, hint=hint, lost=lost))

    def pass_over(self, source: str, reason: str, hint: str) -> None:
        """Note what a folder holds beside its sources."""
        self.notes += 1
        self.report(source, reason, hint, lost=False)

    @property
    def findings(self) -> int:
        """How much came of the sources so far."""
        return len(self.posts) + len(self.problems) - self.notes


def _reader_named(name: str) -> Reader:
    known = {reader.name: reader for reader in readers()}
    if name not in known:
        raise UsageError("--format", f"no format is called {name!r}", f"one of: {', '.join(known)}")
    return known[name]


def _read_source(source: str, run: _Run) -> None:
    name = _shown(source)
    if source == STDIN:
        _read_standard_input(run)
        return
    try:
        mode = os.stat(source).st_mode  # noqa: PTH116 - the path may be no path at all
    except FileNotFoundError:
        run.report(name, "there is no such file or folder", "check the path")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        run.report(name, f"cannot be read: {_why(error)}", "check the path and its permissions")
    else:
        if stat.S_ISDIR(mode):
            _read_folder(Path(source), run)
        elif stat.S_ISREG(mode):
            _read_file(Path(source), run, named=True)
        else:
            run.report(
                name,
                "is neither a file nor a folder",
                f"save it as a file, or pipe it in and name the source `{STDIN}`",
            )


def _read_standard_input(run: _Run) -> None:
    if run.on_file:
        run.on_file(STDIN)
    try:
        data = sys.stdin.buffer.read() if sys.stdin else b""
    except OSError as error:
        run.report(STDIN, f"cannot be read: {_why(error)}", "pipe a file into the command")
        return
    found = documents(stream_of(data), STDIN)
    _read_documents(found, STDIN, run, named=True)


def _read_folder(folder: Path, run: _Run) -> None:
    name = _shown(str(folder))
    if _holds_state(folder) or _is_vault(folder, run.vault):
        run.report(name, "is a vault, not a source", "name the folder with the exports instead")
        return
    before, others = run.findings, run.other_files
    root = Path(os.path.realpath(folder))
    for path in _files(folder, run):
        target = Path(os.path.realpath(path))
        if path.is_symlink() and not target.is_relative_to(root):
            shown = _shown(str(path))
            run.report(
                shown, "is a link to a file outside its folder", "name that file as a source"
            )
        else:
            _read_file(path, run, named=False, within=folder)
    if before == run.findings:
        others = run.other_files - others
        reason = "no source in this folder" + (f", only {others} other files" if others else "")
        run.report(name, reason, f"known formats: {_formats()}")


def _files(folder: Path, run: _Run) -> Iterator[Path]:
    """Walk the folder in sorted order, so that every machine reads in the same order."""
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        try:
            with os.scandir(current) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name)
        except OSError as error:
            hint = "check the permissions of the folder"
            run.report(_shown(str(current)), f"cannot be read: {_why(error)}", hint)
            continue
        folders = []
        for entry in entries:
            path = Path(entry.path)
            if entry.is_dir(follow_symlinks=False):
                if not _skipped(path, run.vault):
                    folders.append(path)
            elif entry.name.startswith("."):
                continue
            elif os.path.isdir(path):  # a link: where it leads may be a circle, or the whole disk
                if not _skipped(path, run.vault):
                    hint = "name that folder as a source, if it is not in this one"
                    run.pass_over(_shown(str(path)), "is a link to a folder", hint)
            else:
                yield path
        waiting += reversed(folders)


def _skipped(folder: Path, vault: Path | None) -> bool:
    """Whether the folder holds no sources: hidden, of a program, of a saved page, or a vault."""
    if is_no_source_folder(folder.name):
        return True
    if any(os.path.exists(folder.parent / page) for page in page_of_files(folder.name)):
        return True
    return _holds_state(folder) or _is_vault(folder, vault)


def _holds_state(folder: Path) -> bool:
    return os.path.isdir(folder / STATE)


def _is_vault(folder: Path, vault: Path | None) -> bool:
    return vault is not None and os.path.realpath(folder) == os.path.realpath(vault)


def _read_file(path: Path, run: _Run, *, named: bool, within: Path | None = None) -> None:
    if not named and is_media(path.name):
        run.other_files += 1
        return
    name, real = _shown(str(path)), os.path.realpath(path)
    if real in run.seen:
        return
    run.seen.add(real)
    if not os.path.isfile(path):  # a pipe, or a link that leads nowhere
        run.report(name, "is no file that can be read", "remove it, or save its content as a file")
        return
    if run.on_file:
        run.on_file(name)
    folder = _shown(Path(os.path.realpath(path.parent)).name)
    try:
        stream = path.open("rb")
    except OSError as error:
        run.report(name, f"cannot be read: {_why(error)}", "check the permissions of the file")
        return
    with stream:
        beside = files_beside(path.parent, run.seen.add, within)
        _read_documents(documents(stream, name, folder, beside), name, run, named=named)


def _read_documents(
    found: Iterator[Document | Problem], name: str, run: _Run, *, named: bool
) -> None:
    """Read the document that a file is, or those that it holds."""
    before, alone, strays = run.findings, False, []
    for item in found:
        if run.on_file and isinstance(item, Document) and item.name != name:
            run.on_file(item.name)
        if isinstance(item, Problem):
            run.problems.append(item)
            run.notes += not item.lost
        elif item.crawled and not run.forced and not claims(item):
            strays.append(item.url or item.name)
        else:
            alone |= item.name == name
            _read_document(item, run, named=named and item.name == name)
    if strays:
        reason = f"pages that are neither articles nor listings: {len(strays)}, such as {strays[0]}"
        run.pass_over(name, reason, "")
    if not alone and before == run.findings:
        hint = f"known formats: {_formats()}"
        run.report(name, "no post in this archive", hint, lost=named)


def _read_document(document: Document, run: _Run, *, named: bool) -> None:
    expected = named or (document.suffix in TEXTS | PERHAPS and not is_beside(document.name))
    if not document.data.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        if expected:
            run.report(document.name, "the file is empty", "save the page or the export again")
        else:
            run.other_files += 1
        return
    reader = run.forced or _reader_of(document, run, named=named)
    if reader is None:
        return
    if not document.binary and (nuls := stray_nuls(document.data)):
        reason = f"holds {nuls} NUL bytes, which are left out"
        hint = "the file is damaged: save it again if something is missing"
        run.problems.append(Problem(source=document.name, reason=reason, hint=hint, lost=False))
    before = len(run.posts) + len(run.problems)
    try:
        for item in reader.read(document):
            if isinstance(item, SourcePost):
                post, assets = with_assets(item, document)
                run.posts.append(post)
                run.assets += assets
                run.problems += filter(None, [missing(post, document)])
            else:
                run.problems.append(item)
    except (ValueError, RecursionError) as error:
        reason = f"cannot be read as {reader.name}: {_why(error)}"
        run.report(
            document.name, reason, "the posts read before it are kept; please report this file"
        )
    if before == len(run.posts) + len(run.problems):
        run.report(document.name, f"holds no post, read as {reader.name}", "look into the file")


def _reader_of(document: Document, run: _Run, *, named: bool) -> Reader | None:
    """The one reader that claims the document."""
    found = claims(document)
    if len(found) == 1:
        return found[0]
    if found:
        names = " and ".join(reader.name for reader in found)
        run.report(document.name, f"could be {names}", "say which one with --format")
    elif not named and is_beside(document.name):
        run.other_files += 1
        run.pass_over(document.name, "is no post, and left out", "")
    elif named or document.suffix in TEXTS | PERHAPS:
        lost = named or document.suffix in TEXTS
        run.report(document.name, "not a known format", f"known formats: {_formats()}", lost=lost)
    else:
        run.other_files += 1
    return None


def _formats() -> str:
    return ", ".join(reader.name for reader in readers())


def _shown(path: str) -> str:
    r"""The path for people: `/` on every system, `\udcff` for a byte that is no UTF-8."""
    return path.replace(os.sep, "/").encode(errors="backslashreplace").decode()


def _why(error: Exception) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error) or type(error).__name__).splitlines()[0]
