"""Every change on disk. Stage, barrier, commit, barrier, manifest: `reexport.md`, section 7.

A note never names a base that may be lost, nothing of the user's is replaced unseen, and the
manifest never claims what is not there.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from kbexport.errors import VaultError
from kbexport.vault.scan import STATE, read_text

TMP = f"{STATE}/tmp"  # noqa: S108 - a folder of the vault, not the system's
"""Where texts wait for their names."""

FATAL = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EIO])
"""Errors after which nothing more is tried."""

SYNC_THREADS = 16
"""How many files are synced at once; measured in `reexport.md`, section 7."""

IN_USE = frozenset([5, 32, 33])
"""Errors of Windows for a file that a scanner, an indexer or an editor has open for a moment."""

PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0)
"""Seconds to wait before each further try to replace a file that is in use."""


Content = str | Callable[[], bytes | None]
"""What a file is to hold: a text, or what loads its bytes; None where they cannot be had."""


class Kind(StrEnum):
    """What an operation does to the disk."""

    WRITE = "write"
    """Write a new file. Never into one that is there: it may be a second name of a note."""
    SYNC = "sync"
    """Wait until a file's bytes are on the disk."""
    SYNC_FOLDER = "sync folder"
    """Wait until a folder's names are on the disk."""
    FLUSH = "flush"
    """Wait until the disk has written what it holds in memory: on macOS a sync does not."""
    PERMIT = "permit"
    """Give a file the permissions of the one whose place it takes."""
    REPLACE = "replace"
    LINK = "link"
    UNLINK = "unlink"
    MKDIR = "mkdir"
    RMDIR = "rmdir"


@dataclass(frozen=True, slots=True)
class Operation:
    """One change of the disk."""

    kind: Kind
    path: Path
    source: Path = Path()
    """What is renamed or linked to the path."""
    data: bytes = b""
    """What is written."""
    mode: int = 0
    """What is permitted."""


def perform(operation: Operation) -> None:
    """Do one operation. Each change in a vault passes here, so that tests can let it fail."""
    path = operation.path
    match operation.kind:
        case Kind.WRITE:
            with path.open("xb") as file:
                file.write(operation.data)
        case Kind.SYNC | Kind.SYNC_FOLDER:
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        case Kind.FLUSH:
            _flush(path)
        case Kind.PERMIT:
            path.chmod(operation.mode)
        case Kind.REPLACE:
            operation.source.replace(path)
        case Kind.LINK:
            os.link(operation.source, path, follow_symlinks=False)
        case Kind.UNLINK:
            path.unlink()
        case Kind.MKDIR:
            path.mkdir(exist_ok=True)
        case Kind.RMDIR:
            path.rmdir()


if sys.platform == "darwin":
    import fcntl

    def _flush(path: Path) -> None:
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        finally:
            os.close(handle)
else:

    def _flush(path: Path) -> None:
        """Elsewhere a sync waits for the disk itself."""


class UnsafePathError(OSError):
    """A path would lead out of the vault."""


class Writer:
    """Writes into one vault. Staged texts first, then names; folders are synced at barriers."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._tmp = root / TMP
        # The folder of the state may be new, and must be there before a note says so.
        self._touched: set[Path] = {root}

    def stage(self, contents: Mapping[str, Content]) -> dict[str, Path]:
        """Write contents to temporary files and sync them: path -> its temporary file.

        A content that cannot be had has none. They are loaded one after the other.
        """
        self.clear()
        self.make_folder(TMP)
        staged = {}
        for number, (path, content) in enumerate(contents.items()):
            data = content.encode() if isinstance(content, str) else content()
            if data is not None:
                staged[path] = self._tmp / str(number)
                perform(Operation(Kind.WRITE, staged[path], data=data))
        with ThreadPoolExecutor(SYNC_THREADS) as pool:
            list(pool.map(_sync, staged.values()))
        return staged

    def create(self, staged: Path, path: str) -> None:
        """Give a staged file its name; FileExistsError where the name is taken."""
        target = self._target(path)
        try:
            perform(Operation(Kind.LINK, target, staged))
        except FileExistsError:
            raise
        except OSError:
            # No hard links here (FAT, some network disks): look, then rename, under the lock.
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, "exists already", str(target)) from None
            _rename(staged, target)
        else:
            perform(Operation(Kind.UNLINK, staged))

    def replace(self, staged: Path, path: str) -> None:
        """Put a staged file in the place of what is there."""
        _rename(staged, self._target(path))

    def replace_if(self, staged: Path, path: str, expected: str | None) -> bool:
        """The same, unless the note has changed since it was read; whether it was done."""
        target = self._target(path)
        if target.is_symlink() or read_text(target) != expected:
            return False
        _permit_alike(staged, target)
        _rename(staged, target)
        return True

    def remove_if(self, path: str, expected: str | None) -> bool:
        """Delete a note, unless it has changed since it was read; whether it was done.

        Its folder goes with it where nothing else is left in it.
        """
        target = self._target(path)
        if target.is_symlink() or read_text(target) != expected:
            return False
        self._unlink(target)
        return True

    def remove(self, path: str) -> None:
        """Delete a file of the state, and its folder where nothing else is left in it."""
        target = self._target(path)
        if target.exists():
            self._unlink(target)

    def _unlink(self, target: Path) -> None:
        perform(Operation(Kind.UNLINK, target))
        folder = target.parent
        if folder != self._root and not any(folder.iterdir()):
            try:
                perform(Operation(Kind.RMDIR, folder))
            except OSError as error:
                if error.errno in FATAL:
                    raise
                return  # the file is gone, and an empty folder does no harm
            self._touched.discard(folder)
            self._touched.add(folder.parent)

    def barrier(self) -> None:
        """Sync every folder that was touched since the last one."""
        if sys.platform != "win32":
            for folder in sorted(self._touched):
                perform(Operation(Kind.SYNC_FOLDER, folder))
        if sys.platform == "darwin" and self._touched:
            perform(Operation(Kind.FLUSH, self._root))
        self._touched.clear()

    def clear(self) -> None:
        """Remove the temporary files, as far as that can be done; a symlink is not followed."""
        if self._tmp.is_symlink():
            return
        for folder, folders, names in os.walk(self._tmp, topdown=False):
            links = (name for name in folders if Path(folder, name).is_symlink())
            for name in (*names, *links):
                with suppress(OSError):
                    perform(Operation(Kind.UNLINK, Path(folder, name)))
            with suppress(OSError):
                perform(Operation(Kind.RMDIR, Path(folder)))

    def make_folder(self, folder: str) -> Path:
        """The folder, made where it is missing; UnsafePathError where a symlink is on the way."""
        path = self._root
        for part in Path(folder).parts:
            parent, path = path, path / part
            if path.is_symlink():
                raise UnsafePathError(errno.ELOOP, "is a symlink", str(path))
            if not path.is_dir():
                if path.exists():
                    raise NotADirectoryError(errno.ENOTDIR, "is not a folder", str(path))
                perform(Operation(Kind.MKDIR, path))
                self._touched.add(parent)
        return path

    def _target(self, path: str) -> Path:
        if path.startswith("/") or ".." in path.split("/"):
            raise UnsafePathError(errno.EPERM, "leads out of the vault", str(self._root / path))
        folder, _, name = path.rpartition("/")
        parent = self.make_folder(folder)
        self._touched.add(parent)
        return parent / name


def _permit_alike(staged: Path, target: Path) -> None:
    """What its owner keeps from others stays so; what they keep from writers is left alone."""
    mode = stat.S_IMODE(target.stat().st_mode)
    if not mode & stat.S_IWUSR:
        raise PermissionError(errno.EACCES, "is read-only", str(target))
    _permit(staged, mode)


def _permit(path: Path, mode: int) -> None:
    if mode != stat.S_IMODE(path.stat().st_mode):
        perform(Operation(Kind.PERMIT, path, mode=mode))


def _rename(staged: Path, target: Path) -> None:
    """Put a file in a place, in one step; its folder may be on another disk."""
    try:
        replace_file(staged, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = target.with_name(f".kbexport-{staged.name}")
        if os.path.lexists(beside):
            perform(Operation(Kind.UNLINK, beside))
        perform(Operation(Kind.WRITE, beside, data=staged.read_bytes()))
        _permit(beside, stat.S_IMODE(staged.stat().st_mode))
        _sync(beside)
        replace_file(beside, target)


def replace_file(staged: Path, target: Path) -> None:
    """Rename over what is there, once it is free; never by copying over it or deleting it first."""
    for pause in PAUSES:
        try:
            perform(Operation(Kind.REPLACE, target, staged))
        except OSError as error:
            if getattr(error, "winerror", None) not in IN_USE:
                raise
            time.sleep(pause)
        else:
            return
    perform(Operation(Kind.REPLACE, target, staged))


def _sync(path: Path) -> None:
    perform(Operation(Kind.SYNC, path))


def explain(error: OSError, root: Path) -> tuple[str, str]:
    """Where an error arose, which is the place that was to be written, and what it is.

    Raises VaultError where the error means that nothing more can be written.
    """
    if error.errno in FATAL:
        raise VaultError(
            str(root),
            f"{error.strerror}; stopped, every note is whole",
            "make room or mend the disk, then build again",
        ) from error
    place = error.filename2 or error.filename or str(root)
    if error.errno == errno.EISDIR:
        return str(place), "is a folder, not a file"
    return str(place), error.strerror or "cannot be written"
