"""What the vault remembers, in `.kbexport/`: plain text, committed, without time stamps.

Form: `reexport.md`, section 4.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from kbexport.assets import asset_of
from kbexport.errors import VaultError
from kbexport.models import CollatedPost, Model, Problem
from kbexport.vault.scan import STATE

FORMAT = 1

UID = re.compile(r"[a-z0-9-]{1,40}")
"""What an id of a note may be."""

MANIFEST = f"{STATE}/manifest.jsonl"

ADDRESSES = f"{STATE}/assets.jsonl"

DOWNLOADS = f"{STATE}/fetch"
"""Where pictures that were fetched wait for the end of the run; not for git."""

CONFLICTS = f"{STATE}/conflicts"

PARKED = re.compile(r"(?P<uid>[a-z0-9-]{1,40})-(?P<base>[0-9a-f]{16})\.md")
"""The name of a text of the source that is kept aside: the note's id and the text's hash."""

FIXED_FILES = {
    f"{STATE}/.gitignore": "fetch/\nlock\ntmp/\n",
    f"{STATE}/.gitattributes": (
        "base/** -text -diff -merge linguist-generated\nmanifest.jsonl -text merge=union\n"
        "assets.jsonl -text merge=union\n"
    ),
}
"""What git has to know about the state."""


class Record(Model):
    """The manifest's line of one note."""

    uid: str
    path: str
    """Where the note lay at the end of the last run."""
    base: str
    """Hash of the rendering that was last written into it."""
    keys: tuple[str, ...] = ()
    on: bool = True
    """False for a tombstone: the user deleted the note."""
    going: bool = False
    """Whether kbexport is about to remove it; then that it is not there is no wish of the user."""

    @property
    def line(self) -> str:
        """The record as it stands in the manifest."""
        return _json_line(
            {
                "b": self.base,
                "id": self.uid,
                "k": list(self.keys),
                "p": self.path,
                "s": "going" if self.going else "on" if self.on else "off",
            }
        )


@dataclass(frozen=True)
class Manifest:
    """The record of what was last written."""

    flavor: str | None
    """The dialect of the notes; None where the line that says it was lost."""
    records: Mapping[str, Record] = field(default_factory=dict)
    frayed: bool = False
    """Whether the file holds more than that, such as conflict marks: then it is written anew."""

    @property
    def text(self) -> str:
        """The manifest as a file: a header, then one line a note by id."""
        header = _json_line({"flavor": self.flavor, "format": FORMAT})
        return "".join([header, *(self.records[uid].line for uid in sorted(self.records))])


def _json_line(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"


def read_manifest(root: Path) -> Manifest | None:
    """The manifest, or None where there is none, or nothing in it that can be read.

    Lines that cannot be read, such as git's conflict marks, are skipped; the first record of an
    id wins, and the note's own pointer corrects it. Raises VaultError for an unknown format.
    """
    file = root / MANIFEST
    if not os.path.lexists(file):
        return None
    flavor = None
    records: dict[str, Record] = {}
    text = _text(file)
    for line in _lines(text):
        if "format" in line:
            if line["format"] != FORMAT:
                raise VaultError(str(file), "written by a newer kbexport", "upgrade kbexport")
            flavor = flavor or line.get("flavor")
        elif record := _record(line):
            records.setdefault(record.uid, record)
    found = Manifest(flavor, records)
    return replace(found, frayed=found.text != text) if flavor or records else None


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig", errors="replace")
    except OSError as error:
        problem = error.strerror or "cannot be read"
        raise VaultError(str(file), problem, "check its permissions") from error


def _lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        try:
            content = json.loads(line)
        except ValueError:
            continue
        if isinstance(content, dict):
            yield content


def _record(line: Mapping[str, Any]) -> Record | None:
    try:
        return Record(
            uid=line["id"],
            path=line["p"],
            base=line["b"],
            keys=tuple(line.get("k", ())),
            on=line.get("s") != "off",
            going=line.get("s") == "going",
        )
    except (KeyError, TypeError, ValidationError):
        return None


@dataclass(frozen=True)
class Addresses:
    """Which asset was made of a picture on the web: one line an address, without time stamps."""

    paths: Mapping[str, str] = field(default_factory=dict)
    frayed: bool = False
    """Whether the file holds more than that: then it is written anew."""

    @property
    def text(self) -> str:
        """The addresses as a file."""
        return "".join(_json_line({"a": one, "p": self.paths[one]}) for one in sorted(self.paths))


def read_addresses(root: Path) -> tuple[Addresses, list[Problem]]:
    """The addresses of the pictures that were fetched; damaged lines are skipped and told of.

    The first line of an address wins. Raises VaultError where the file cannot be read.
    """
    file = root / ADDRESSES
    text = _text(file) if os.path.lexists(file) else ""
    paths: dict[str, str] = {}
    problems = []
    for number, line in enumerate(text.split("\n"), start=1):
        content = next(_lines(line), {})
        address, path = content.get("a"), content.get("p")
        if isinstance(address, str) and isinstance(path, str) and asset_of(path) == path:
            paths.setdefault(address, path)
        elif line:
            reason = "cannot be read: the picture of that line is shown from the web again"
            place, hint = f"line {number}", "restore the file from git, or add --fetch-assets"
            problem = Problem(source=ADDRESSES, place=place, reason=reason, hint=hint, lost=False)
            problems.append(problem)
    found = Addresses(paths)
    return replace(found, frayed=found.text != text), problems


def post_path(uid: str) -> str:
    """Where a remembered post lies."""
    shelf = uid.rsplit("-", 1)[-1][:2]
    return f"{STATE}/posts/{shelf}/{uid}.json"


def post_text(post: CollatedPost) -> str:
    """A remembered post as a file: the interchange format, with the reader of each field."""
    content = post.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_posts(root: Path) -> tuple[dict[str, CollatedPost], list[Problem]]:
    """The remembered posts by id; one that cannot be read is as if never remembered.

    A file that is not called after its post, such as a copy that a sync service made, is none.
    """
    posts: dict[str, CollatedPost] = {}
    problems: list[Problem] = []
    for file in sorted((root / STATE / "posts").glob("*/*.json")):
        try:
            post = CollatedPost.model_validate_json(file.read_bytes())
        except (OSError, ValidationError):
            post = None
        if post is None or not UID.fullmatch(post.uid) or file.name != f"{post.uid}.json":
            problems.append(
                Problem(
                    source=file.relative_to(root).as_posix(),
                    reason="the remembered post cannot be read",
                    hint="build again with a source that holds it, or restore the file from git",
                )
            )
        else:
            posts[post.uid] = post
    return posts, problems


def base_path(base: str) -> str:
    """Where a base lies."""
    return f"{STATE}/base/{base[:2]}/{base}.md"


def parked_path(uid: str, base: str) -> str:
    """Where a text of the source lies that was kept aside."""
    return f"{CONFLICTS}/{uid}-{base}.md"


def stored_parked(root: Path) -> frozenset[str]:
    """Paths of all texts of the source that are kept aside."""
    found = (root / CONFLICTS).glob("*.md")
    return frozenset(f"{CONFLICTS}/{file.name}" for file in found if PARKED.fullmatch(file.name))


def download_path(address: str) -> str:
    """Where a picture waits that was fetched from an address."""
    return f"{DOWNLOADS}/{hashlib.sha256(address.encode()).hexdigest()[:24]}"


def stored_downloads(root: Path) -> frozenset[str]:
    """Paths of the pictures that wait, those that are only half there apart."""
    found = (root / DOWNLOADS).glob("*")
    return frozenset(f"{DOWNLOADS}/{file.name}" for file in found if not file.suffix)


def stored_bases(root: Path) -> frozenset[str]:
    """Hashes of the bases that are there."""
    return frozenset(file.stem for file in (root / STATE / "base").glob("*/*.md"))


def unneeded_bases(stored: Iterable[str], needed: Iterable[str]) -> list[str]:
    """Bases that neither a note nor a record names any more."""
    return sorted(set(stored) - set(needed))
