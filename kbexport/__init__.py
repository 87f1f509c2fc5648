"""Turn the posts of a blog into a vault of Markdown notes for Obsidian and Logseq."""

__version__ = "0.1.0"
