"""Which formats there are: every module of this folder that ends in a `READER`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from kbexport.readers.base import Document, Reader


@cache
def readers() -> tuple[Reader, ...]:
    """All readers, sorted by name."""
    package = __name__.rpartition(".")[0]
    names = [module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)])]
    modules = [importlib.import_module(f"{package}.{name}") for name in names]
    found = [module.READER for module in modules if hasattr(module, "READER")]
    return tuple(sorted(found, key=lambda reader: reader.name))


def claims(document: Document) -> list[Reader]:
    """The readers that claim the document: one, unless it is unknown or ambiguous.

    What no reader knows by its content goes to the one that takes its ending; but in a crawl any
    page may end in `.html`.
    """
    by_content = [reader for reader in readers() if reader.sniff(document)]
    if document.crawled:
        return by_content
    return by_content or [reader for reader in readers() if document.suffix in reader.endings]
