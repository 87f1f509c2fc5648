"""Pictures on their way from the web into the vault, so that a run that breaks off loses none."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kbexport.errors import VaultError
from kbexport.vault.state import DOWNLOADS, download_path
from kbexport.vault.write import Kind, Operation, Writer, explain, perform, replace_file


@dataclass(frozen=True)
class Part:
    """The beginning of a picture whose end did not come."""

    data: bytes
    validator: str
    """The server's name for this very content, so that its rest is asked for and no other's."""


class Downloads:
    """The folder of the state where pictures wait for the end of the run that records them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lock = threading.Lock()

    def whole(self, address: str) -> Callable[[], bytes] | None:
        """What reads a picture that was fetched already."""
        file = self._file(address)
        return file.read_bytes if file.is_file() and not file.is_symlink() else None

    def part(self, address: str) -> Part | None:
        """What came of a picture when it was last tried."""
        file = self._file(address).with_suffix(".part")
        if file.is_symlink():
            return None
        try:
            head, _, data = file.read_bytes().partition(b"\n")
            return Part(data, str(json.loads(head)))
        except (OSError, ValueError):
            return None

    def keep_part(self, address: str, part: Part) -> None:
        """Keep the beginning of a picture. Raises VaultError."""
        head = json.dumps(part.validator).encode()
        self._put(self._file(address).with_suffix(".part"), head + b"\n" + part.data)

    def keep(self, address: str, data: bytes) -> Callable[[], bytes]:
        """Keep a whole picture; what reads it. Raises VaultError."""
        file = self._file(address)
        self._put(file, data)
        self.drop_part(address)
        return file.read_bytes

    def drop_part(self, address: str) -> None:
        """Forget the beginning of a picture. Raises VaultError."""
        self._remove(self._file(address).with_suffix(".part"))

    def _file(self, address: str) -> Path:
        return self._root / download_path(address)

    def _put(self, file: Path, data: bytes) -> None:
        new = file.with_name(f"{file.name}.new")
        self._remove(new)
        try:
            with self._lock:  # two threads at once would each find it half made
                Writer(self._root).make_folder(DOWNLOADS)
            perform(Operation(Kind.WRITE, new, data=data))
            perform(Operation(Kind.SYNC, new))
            replace_file(new, file)
        except OSError as error:
            raise self._error(error) from error

    def _remove(self, file: Path) -> None:
        if os.path.lexists(file):
            try:
                perform(Operation(Kind.UNLINK, file))
            except OSError as error:
                raise self._error(error) from error

    def _error(self, error: OSError) -> VaultError:
        place, problem = explain(error, self._root)
        return VaultError(place, problem, "mend its permissions, then build again")
