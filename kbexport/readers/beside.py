"""The further files of an export that one file of it speaks of, such as the bodies of its posts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from kbexport.readers.base import Beside


def files_beside(folder: Path, on_read: Callable[[str], None]) -> Beside:
    """Gives the content of files by their names from the folder; ``on_read`` is told their paths.

    The names come out of an export, so none leads out of the folder, not even over a link.
    """
    root = os.path.realpath(folder)

    def read(name: str) -> bytes | None:
        if "\0" in name:
            return None
        path = os.path.realpath(Path(root) / name)
        if not Path(path).is_relative_to(root) or not os.path.isfile(path):
            return None
        try:
            data = Path(path).read_bytes()
        except OSError:
            return None
        on_read(path)
        return data

    return read
