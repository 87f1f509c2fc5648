"""What the name of a file or folder says of what it holds."""

from __future__ import annotations

from pathlib import PurePosixPath

STATE = ".kbexport"
"""A folder that holds one of this name is a vault."""

# A file of such an ending was surely meant to be read.
TEXTS = frozenset(".txt .html .htm .xhtml .md .markdown .mdown .jsonl .ndjson .mhtml .mht".split())
# One of these may be, or may be a part of some program.
PERHAPS = frozenset(".json .xml .rss .atom".split())
_MEDIA_ENDINGS = """
    .png .jpg .jpeg .gif .webp .bmp .ico .svg .avif .mp3 .mp4 .m4a .mov .avi .webm .mkv .pdf
    .woff .woff2 .ttf .otf .eot .exe .dll .so .dylib .pyc .7z .rar .iso .css .js .map
    .doc .docx .ppt .pptx .xls .xlsx .odt .ods .odp .epub .jar .apk .whl
"""
_MEDIA = frozenset(_MEDIA_ENDINGS.split())
# Texts that stand beside posts in the folder of a site, with `.txt` or without.
_BESIDE_NAMES = """
    robots humans ads app-ads security llms cname license licence copying notice authors
    contributors requirements
"""
_BESIDE = frozenset(_BESIDE_NAMES.split())
_PAGES = (".html", ".htm", ".xhtml")
_FILES = ("_files", ".files")


def is_media(name: str) -> bool:
    """Whether it is a picture, a program or a document of an office."""
    return PurePosixPath(name).suffix.lower() in _MEDIA


def is_beside(name: str) -> bool:
    """Whether the file has the name of one that stands beside posts, such as `robots.txt`."""
    path = PurePosixPath(name)
    return path.stem.lower() in _BESIDE and path.suffix.lower() in ("", ".txt")


def is_no_source_folder(name: str) -> bool:
    """Whether it is the folder of a program: hidden, or of packages."""
    return name.startswith(".") or name == "node_modules"


def page_of_files(folder: str) -> tuple[str, ...]:
    """Names that a page may have whose browser keeps its pictures and scripts in this folder."""
    for end in _FILES:
        if folder.endswith(end):
            return tuple(folder.removesuffix(end) + page for page in _PAGES)
    return ()
