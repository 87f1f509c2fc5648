"""The further files of an export that one file of it speaks of, such as bodies and pictures."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePath

from kbexport.readers.base import Beside

_ROOTS = ("", "source", "static", "public")
"""Where sites keep what an address such as `/images/a.png` names: Hexo, Hugo, Jekyll."""


def of_site(name: str, folders: Iterable[PurePath]) -> Iterator[str]:
    """Paths that an address from the root of a site may mean, where its root is not known.

    ``folders`` are those above the post, the nearest first: a source may hold several sites.
    """
    for folder in folders:
        for top in _ROOTS:
            yield str(folder / top / name.lstrip("/"))


def files_beside(
    folder: Path, on_read: Callable[[str], None], within: Path | None = None
) -> Beside:
    """Gives the content of files by their names from the folder; ``on_read`` is told their paths.

    The names come out of an export, so none leads out of ``within``, the source that the user named
    (else out of the folder), not even over a link.
    """
    here = os.path.realpath(folder)
    root = os.path.realpath(within or folder)

    def places(name: str) -> Iterator[str]:
        if name.startswith("/"):
            above = (Path(here), *Path(here).parents)
            yield from of_site(name, (one for one in above if one.is_relative_to(root)))
        else:
            yield str(Path(here) / name)

    def read(name: str) -> bytes | None:
        if "\0" in name:
            return None
        for place in places(name):
            path = os.path.realpath(place)
            if not Path(path).is_relative_to(root) or not os.path.isfile(path):
                continue
            try:
                data = Path(path).read_bytes()
            except OSError:
                continue
            on_read(path)
            return data
        return None

    return read
