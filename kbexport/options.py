"""The arguments and options that commands share. Imports only typer, as `cli.py` does."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer


class FlavorName(StrEnum):
    """Values of `--flavor`."""

    auto = "auto"
    both = "both"
    obsidian = "obsidian"
    logseq = "logseq"


def _path(text: str) -> Path:
    """A path; an empty text, such as an unset variable, would mean the current folder."""
    if not text.strip():
        raise typer.BadParameter("is empty")
    return Path(text)


def given(**arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever the options hold
    """The arguments that the user gave."""
    return {name: value for name, value in arguments.items() if value not in (None, [], False)}


Sources = Annotated[
    list[Path] | None,
    typer.Argument(
        parser=_path,
        metavar="SOURCES",
        help="Files and folders to read; `-` is standard input. None: those of kbexport.toml,"
        " else the sample blog.",
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        parser=_path,
        metavar="FILE",
        help="Configuration file instead of ./kbexport.toml.",
    ),
]
FormatName = Annotated[
    str | None, typer.Option("--format", help="Read every source in this format.")
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", parser=_path, metavar="DIR", help="Folder of the vault."),
]
TemplateFolder = Annotated[
    Path | None,
    typer.Option(
        "--templates", parser=_path, metavar="DIR", help="Folder with templates of your own."
    ),
]
VaultFolder = Annotated[
    Path, typer.Argument(parser=_path, metavar="VAULT", help="Folder of the vault.")
]
NoteFile = Annotated[Path, typer.Argument(parser=_path, metavar="NOTE", help="A note of a vault.")]
FlavorOption = Annotated[FlavorName | None, typer.Option("--flavor", help="Dialect of the vault.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the plan, write nothing.")]
RestoredIds = Annotated[
    list[str] | None, typer.Option("--restore", help="Write a deleted note again, by its id.")
]
RestoreMissing = Annotated[
    bool, typer.Option("--restore-missing", help="After a loss of .kbexport/: write the rest.")
]
AcceptDeletions = Annotated[
    bool, typer.Option("--accept-deletions", help="Most notes are gone on purpose.")
]
FetchAssets = Annotated[
    bool, typer.Option("--fetch-assets", help="Fetch the pictures that notes show from the web.")
]
FetchPrivate = Annotated[
    bool,
    typer.Option("--fetch-private", help="Fetch them from private networks and this machine too."),
]
WhyTitle = Annotated[
    str | None,
    typer.Option("--why", metavar="TITLE", help="Explain one post: each candidate, and why."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Report as JSON.")]
AsSchema = Annotated[bool, typer.Option("--schema", help="JSON Schema of the interchange format.")]
Fix = Annotated[bool, typer.Option("--fix", help="Mend what is safe, and tell each.")]
Mine = Annotated[bool, typer.Option("--mine", help="Keep your text.")]
Theirs = Annotated[
    bool, typer.Option("--theirs", help="Take the source's text; yours is kept aside.")
]
MissingBodies = Annotated[
    bool,
    typer.Option(
        "--missing-bodies", help="The addresses of posts without a body, one a line, to save them."
    ),
]
