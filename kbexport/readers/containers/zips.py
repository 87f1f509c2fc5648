"""Zip files of exports and saved pages, and WACZ, a zip file of web archives.

Nothing is unpacked to the disk, so no entry can escape; names that try are refused all the same.
"""

from __future__ import annotations

import io
import posixpath
import re
import stat
import zipfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath

from kbexport.models import Problem
from kbexport.readers.base import Document
from kbexport.readers.beside import of_site
from kbexport.readers.containers.base import UNREADABLE, Container, Limited, Member
from kbexport.readers.names import STATE, is_media, is_no_source_folder, page_of_files

MOST_ENTRIES = 100_000
LARGEST_ENTRY = 1 << 30
FREE = 16 << 20
"""So much any entry may hold; more than that only in proportion to what it takes in the file."""
RATIO = 200
"""Text packs to a tenth or a twentieth."""

_DRIVE = re.compile(r"[A-Za-z]:")
_UTF8 = 0x800
_ENCRYPTED = 0x1
_SYSTEM = "__MACOSX"


def _sniff(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _open(stream: io.BufferedReader, name: str) -> Iterator[Document | Problem | Member]:
    source = stream if stream.seekable() else io.BytesIO(stream.read())
    try:
        archive = zipfile.ZipFile(source)
    except UNREADABLE as error:
        hint = "export it again, or unpack it with another program and name the folder"
        yield Problem(source=name, reason=f"a damaged zip file: {error}", hint=hint)
        return
    with archive:
        entries = {_path(info): info for info in archive.infolist() if not info.is_dir()}
        if len(entries) > MOST_ENTRIES:
            hint = "unpack it, and name the folder"
            yield Problem(source=name, reason=f"holds {len(entries)} files", hint=hint)
            return
        taken: set[str] = set()
        for path in sorted(_sources(entries)):
            info, shown = entries[path], f"{name}/{path}"
            if path in taken:
                continue
            if reason := _refused(path, info):
                hint = "unpack it yourself, and name the file"
                yield Problem(source=shown, reason=reason, hint=hint)
            else:
                folder = PurePosixPath(path).parent
                beside = partial(_beside, archive, entries, taken, folder)
                yield Member(shown, folder.name, partial(_entry, archive, info), beside)


def _path(info: zipfile.ZipInfo) -> str:
    """The name of an entry with `/`; old programs write GBK and say that it is code page 437."""
    name = info.filename
    if not info.flag_bits & _UTF8 and not name.isascii():
        try:
            raw = name.encode("cp437")
        except UnicodeEncodeError:
            raw = b""
        for encoding in ("utf-8", "gb18030") if raw else ():
            try:
                name = raw.decode(encoding)
                break
            except UnicodeDecodeError:
                continue
    return name.replace("\\", "/")


def _sources(entries: Mapping[str, zipfile.ZipInfo]) -> Iterator[str]:
    """The entries that may be sources, by the rules for the files of a folder."""
    archives = [path for path in entries if re.fullmatch(r"archive/[^/]+\.warc(?:\.gz)?", path)]
    if archives and "datapackage.json" in entries:  # WACZ: the rest only describes them
        yield from archives
        return
    vaults = {path.partition(f"{STATE}/")[0] for path in entries if f"/{STATE}/" in f"/{path}"}
    for path in entries:
        *folders, file = path.split("/")
        if file.startswith(".") or is_media(path) or path.startswith(tuple(vaults)):
            continue
        if not any(_is_skipped(folders[: depth + 1], entries) for depth in range(len(folders))):
            yield path


def _is_skipped(folders: list[str], entries: Mapping[str, zipfile.ZipInfo]) -> bool:
    folder = folders[-1]
    if folder == _SYSTEM or (is_no_source_folder(folder) and folder != ".."):
        return True
    before = "".join(f"{one}/" for one in folders[:-1])
    return any(before + page in entries for page in page_of_files(folder))


def _refused(path: str, info: zipfile.ZipInfo) -> str:
    """Why an entry is not opened."""
    if ".." in path.split("/") or path.startswith("/") or _DRIVE.match(path):
        return "leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "is a link, not a file"
    return "is locked with a password" if info.flag_bits & _ENCRYPTED else ""


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> io.BufferedReader:
    limit = min(LARGEST_ENTRY, max(FREE, RATIO * info.compress_size))
    if info.compress_type == zipfile.ZIP_STORED:
        limit = info.compress_size  # web archives, which may be large and are read record by record
    return io.BufferedReader(Limited(archive.open(info), limit))


def _beside(
    archive: zipfile.ZipFile,
    entries: Mapping[str, zipfile.ZipInfo],
    taken: set[str],
    folder: PurePosixPath,
    name: str,
) -> bytes | None:
    """The content of an entry by its name from a folder of the archive."""
    above = (folder, *folder.parents)
    named = of_site(name, above) if name.startswith("/") else (str(folder / name),)
    paths = map(posixpath.normpath, named)
    path = next((one for one in paths if one in entries), "")
    info = entries.get(path)
    if info is None or _refused(path, info):
        return None
    taken.add(path)
    try:
        with _entry(archive, info) as stream:
            return stream.read()
    except UNREADABLE:
        return None


ZIP = Container("zip", _sniff, _open)
