"""Posts and series to notes, through a flavor and templates. Touches no note on disk."""

from kbexport.render.extras import render_extras
from kbexport.render.notes import Look, Rendering, render_notes

__all__ = ["Look", "Rendering", "render_extras", "render_notes"]
