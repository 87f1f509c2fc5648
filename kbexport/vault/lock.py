"""One run at a time: a lock that the kernel frees, also after a kill."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import BinaryIO

from kbexport.errors import VaultError

if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(path: Path) -> BinaryIO:
    """Take the lock; closing the file frees it.

    Raises VaultError where another run has it, or where it cannot be opened.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    try:
        file = os.fdopen(os.open(path, flags, 0o644), "rb+")
    except OSError as error:
        raise VaultError(
            str(path), error.strerror or "cannot be opened", "check what lies there"
        ) from error
    try:
        _try_lock(file)
    except OSError as error:
        file.close()
        raise VaultError(
            str(path.parent.parent), "another kbexport is writing here", "wait until it is done"
        ) from error
    return file
