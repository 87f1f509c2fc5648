"""What a run is told: `kbexport.toml` under the arguments of the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from kbexport.errors import ConfigError, KbexportError
from kbexport.models import Model

CONFIG_NAME = "kbexport.toml"


class TagRules(Model):
    """The `[tags]` table: what becomes of the tags of the source."""

    drop: frozenset[str] = frozenset()
    """Tags to leave out, such as those a site invents; letter case does not count."""
    rename: Mapping[str, str] = Field(default_factory=dict)
    """Other names for tags; letter case does not count on the left."""
    prefix: str = ""
    """Put before every tag, such as `blog/`."""


Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""A name, or words that name something."""


class SeriesRules(Model):
    """The `[series]` table: what the user knows better than detection.

    A selector names posts or series: a title, an id or an address, a series' name, or any of
    these with `*` for what differs. The table is applied in the order of these fields.
    """

    forbid: tuple[Word, ...] = ()
    """Selectors of posts that are in no series; the name of a series means all of its parts."""
    split: Mapping[Word, tuple[Word, ...]] = Field(default_factory=dict)
    """New name -> the posts that leave their series and make one of their own."""
    join: Mapping[Word, tuple[Word, ...]] = Field(default_factory=dict)
    """Name of a series, there or new -> posts and series that become part of it."""
    name: Mapping[Word, Word] = Field(default_factory=dict)
    """Selector of a series -> its new name."""
    order: Mapping[Word, tuple[Word, ...]] = Field(default_factory=dict)
    """Name of a series -> selectors of its parts in reading order; `*` is all that others leave."""


class Config(Model):
    """Everything that `build` needs to know; a value, passed in, never looked up."""

    sources: tuple[Path, ...] = ()
    """Files and folders to read; `-` is standard input; none means the sample blog."""
    out: Path | None = None
    """The vault's folder."""
    flavor: Literal["auto", "both", "obsidian", "logseq"] = "auto"
    """The dialect of the vault; `auto` asks the vault itself."""
    language: Literal["auto", "zh", "en"] = "auto"
    """Language of labels such as the name of the list of related series."""
    templates: Path | None = None
    """A folder whose templates are used instead of those that ship with kbexport."""
    reads_update: Annotated[str, Field(pattern=r"^(exact|\d{1,3}(\.\d+)?%)$")] = "exact"
    """When a new count of reads is worth a new text: `exact`, or by how much it has to grow."""
    tags: TagRules = TagRules()
    """What becomes of the tags of the source."""
    series: SeriesRules = SeriesRules()
    """What the user knows better than the detection of series."""
    format: str | None = None
    """Name of the reader to use for every source; None tells by content."""
    restore: frozenset[str] = frozenset()
    """Ids of deleted notes to write again."""
    restore_missing: bool = False
    """Whether notes that are missing after a loss of state are written again."""
    accept_deletions: bool = False
    """Whether it is meant that most notes are gone."""
    fetch_assets: bool = False
    """Whether pictures on the web are fetched into the vault: all that ever uses the network."""
    fetch_private: bool = False
    """Whether they may be fetched from private networks and from this machine."""
    file: Path = Path(CONFIG_NAME)
    """The configuration file, for messages."""

    @property
    def reads_percent(self) -> float:
        """The growth of reads that is worth a new text; 0: any."""
        return 0.0 if self.reads_update == "exact" else float(self.reads_update.rstrip("%"))


FILE_KEYS = ("sources", "out", "flavor", "language", "templates", "reads_update", "tags", "series")
"""Keys of the configuration file; the rest is for the command line alone."""


WANTED = {
    "tuple_type": "must be a list of texts",
    "frozen_set_type": "must be a list of texts",
    "path_type": "must be a text",
    "string_type": "must be a text",
    "mapping_type": "must be a table",
    "dict_type": "must be a table",
    "model_type": "must be a table",
    "extra_forbidden": "is not known",
    "string_too_short": "must not be empty",
    "string_pattern_mismatch": 'must be "exact", or a growth such as "10%"',
}
"""What the user is told of a value of the wrong kind, in the words of TOML."""


def load_config(path: Path | None, arguments: Mapping[str, Any]) -> Config:
    """The configuration file, with the arguments over it.

    ``path`` is the file that the user named; None means `kbexport.toml` in the current folder,
    where there is one. ``arguments`` holds only what was given. Raises ConfigError that names
    the file and the key.
    """
    file = path or Path(CONFIG_NAME)
    table = _read_toml(file) if path is not None or file.is_file() else {}
    for key in table:
        if key not in FILE_KEYS:
            raise ConfigError(
                str(file), f"unknown key `{key}`", f"known keys: {', '.join(FILE_KEYS)}"
            )
    settings = {**_with_paths(table, file.parent), **arguments, "file": file}
    try:
        return Config.model_validate(settings, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"] if isinstance(part, str))
        place = "arguments" if first["loc"][0] in arguments else str(file)
        wanted = WANTED.get(first["type"], first["msg"])
        raise ConfigError(place, f"key `{key}`: {wanted}", "see `kbexport init`") from error


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(
            str(file), error.strerror or "cannot be read", "check --config"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(str(file), f"not TOML: {error}", "mend the line that it names") from error


def _with_paths(table: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The table with its paths taken from the folder of the file, not from the current one."""
    settings = dict(table)
    for key in ("out", "templates"):
        if isinstance(table.get(key), str):
            settings[key] = folder / Path(table[key]).expanduser()
    if isinstance(table.get("sources"), list):
        settings["sources"] = [
            folder / Path(source).expanduser()
            if isinstance(source, str) and source != "-"
            else source
            for source in table["sources"]
        ]
    return settings


def write_example(folder: Path) -> Path:
    """Write a commented `kbexport.toml` into a folder, which is made if need be; its path.

    Raises KbexportError where there is one already, or where it cannot be written.
    """
    file = folder / CONFIG_NAME
    hint = "name another DIR"
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
    except OSError as error:
        raise KbexportError(str(folder), error.strerror or "cannot be made", hint) from error
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(EXAMPLE)
    except FileExistsError as error:
        raise KbexportError(str(file), "exists already", f"edit it, or {hint}") from error
    except OSError as error:
        raise KbexportError(str(file), error.strerror or "cannot be written", hint) from error
    return file


EXAMPLE = """\
# kbexport.toml: read by every command started in this folder. Arguments win over it; paths are
# relative to this file. Take the `#` away from the lines that you want to change.

# The files and folders to read.
# sources = ["pages/", "articles/"]

# The vault.
# out = "vault"

# auto: what the vault says. both: one folder for Obsidian and Logseq. obsidian, logseq: one of
# them alone.
# flavor = "auto"

# Language of labels: auto, zh or en.
# language = "auto"

# A folder with your own templates; any that is not there is taken from kbexport.
# templates = "templates"

# When a new count of reads is written: "exact", or only when it has grown by so much (and by 10).
# reads_update = "10%"

[tags]
# Tags that the site invents and nobody wants. Letter case does not count.
# drop = ["sed", "ide"]

# Tags that mean the same.
# rename = { "后向传播" = "反向传播" }

# Put before every tag, so that the blog's tags stay together.
# prefix = "blog/"

[series]
# What you know better. Posts are named by title, id or address, series by name, and `*` stands for
# what differs. The keys are applied in this order; a name that matches nothing is told.

# In no series. The name of a series means all of its parts.
# forbid = ["Leetcode *", "A post that only looks like a part"]

# These leave their series and make one of their own.
# split = { "Pumpkins under Glass" = ["Pumpkins * glass*"] }

# Posts, and whole series, that become part of a series; a name that is new makes a new one.
# join = { "Growing Pumpkins" = ["Pumpkins, a late addition", "Pumpkin Notes"] }

# Another name.
# name = { "Growing Pumpkins" = "Pumpkins" }

# The reading order. A lone `*` is whatever the other entries leave.
# order = { "Pumpkins" = ["Before you start", "*", "A late addition"] }
"""
"""What `kbexport init` writes; every key that exists, with its default."""
