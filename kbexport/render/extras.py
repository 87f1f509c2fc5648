"""The files beside the notes: a table of all posts and a map of the series, for Obsidian."""

from __future__ import annotations

from kbexport.catalog import Catalog
from kbexport.flavors.pointer import base_hash
from kbexport.models import Note
from kbexport.naming import Names
from kbexport.render.canvas import canvas_text
from kbexport.render.linking import Linker
from kbexport.render.notes import Look
from kbexport.render.table import table_text
from kbexport.text.keys import hashed_id

TABLE = "posts.base"
MAP = "series.canvas"


def file_uid(path: str) -> str:
    """The id of a generated file."""
    return hashed_id("g", path)


def render_extras(catalog: Catalog, names: Names, look: Look, folder: str) -> tuple[Note, ...]:
    """The files of this run.

    ``folder`` is where the vault lies in the folder that the app opens; empty where it is that.
    """
    if look.flavor.outline:
        return ()  # a graph of Logseq alone
    texts = {
        TABLE: table_text(look.labels, folder),
        MAP: canvas_text(catalog, Linker(catalog, names, look.flavor), names, folder),
    }
    return tuple(
        Note(uid=file_uid(path), path=path, text=text, base=base_hash(text))
        for path, text in texts.items()
        if text is not None
    )
