"""Bodies: HTML converted to Markdown, Markdown made inert. Pure; no other package knows HTML."""
