"""Every change on disk. Stage, barrier, commit, barrier, manifest: `reexport.md`, section 7.

A note never names a base that may be lost, nothing of the user's is replaced unseen, and the
manifest never claims what is not there.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from kbexport.errors import VaultError
from kbexport.vault.scan import STATE, read_text

TMP = f"{STATE}/tmp"  # noqa: S108 - a folder of the vault, not the system's
"""Where texts wait for their names."""

FATAL = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EIO])
"""Errors after which nothing more is tried."""

SYNC_THREADS = 16
"""How many files are synced at once; measured in `reexport.md`, section 7."""


class UnsafePathError(OSError):
    """A path would lead out of the vault."""


class Writer:
    """Writes into one vault. Staged texts first, then names; folders are synced at barriers."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._tmp = root / TMP
        # The folder of the state may be new, and must be there before a note says so.
        self._touched: set[Path] = {root}

    def stage(self, texts: Mapping[str, str]) -> dict[str, Path]:
        """Write texts to temporary files and sync them: path of the text -> its temporary file."""
        shutil.rmtree(self._tmp, ignore_errors=True)
        self.make_folder(TMP)
        staged = {}
        for number, (path, text) in enumerate(texts.items()):
            staged[path] = self._tmp / str(number)
            # A run that was killed may have left it as a second name of a note.
            if os.path.lexists(staged[path]):
                staged[path].unlink()
            staged[path].write_bytes(text.encode())
        with ThreadPoolExecutor(SYNC_THREADS) as pool:
            list(pool.map(_sync, staged.values()))
        return staged

    def create(self, staged: Path, path: str) -> None:
        """Give a staged file its name; FileExistsError where the name is taken."""
        target = self._target(path)
        try:
            os.link(staged, target, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:
            # No hard links here (FAT, some network disks): look, then rename, under the lock.
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, "exists already", str(target)) from None
            _rename(staged, target)
        else:
            staged.unlink()

    def replace(self, staged: Path, path: str) -> None:
        """Put a staged file in the place of what is there."""
        _rename(staged, self._target(path))

    def replace_if(self, staged: Path, path: str, expected: str | None) -> bool:
        """The same, unless the note has changed since it was read; whether it was done."""
        target = self._target(path)
        if target.is_symlink() or read_text(target) != expected:
            return False
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
        target.unlink()
        if target.parent != self._root and not any(target.parent.iterdir()):
            self._touched.discard(target.parent)
            target.parent.rmdir()
            self._touched.add(target.parent.parent)

    def barrier(self) -> None:
        """Sync every folder that was touched since the last one."""
        if sys.platform != "win32":
            for folder in self._touched:
                _sync(folder)
        self._touched.clear()

    def clear(self) -> None:
        """Remove the temporary files."""
        shutil.rmtree(self._tmp, ignore_errors=True)

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
                path.mkdir()
                self._touched.add(parent)
        return path

    def _target(self, path: str) -> Path:
        if path.startswith("/") or ".." in path.split("/"):
            raise UnsafePathError(errno.EPERM, "leads out of the vault", str(self._root / path))
        folder, _, name = path.rpartition("/")
        parent = self.make_folder(folder)
        self._touched.add(parent)
        return parent / name


def _rename(staged: Path, target: Path) -> None:
    """Put a file in a place, in one step; its folder may be on another disk."""
    try:
        staged.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = target.with_name(f".kbexport-{staged.name}")
        beside.write_bytes(staged.read_bytes())
        _sync(beside)
        beside.replace(target)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
