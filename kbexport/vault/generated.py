"""What a run does with a file that has no front matter, such as `posts.base` or `series.canvas`.

Rule: `reexport.md`, section 3: the manifest names its base; unedited it is replaced, edited it is
the user's from then on. It is found by its place, since it carries no id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kbexport.flavors.pointer import base_hash
from kbexport.models import Note
from kbexport.naming import fold
from kbexport.vault.changes import Action, Change
from kbexport.vault.decide import in_style_of
from kbexport.vault.snapshot import Snapshot
from kbexport.vault.state import Record

CANVAS = ".canvas"


def decide_file(uid: str, note: Note | None, vault: Snapshot) -> Change:
    """What becomes of the generated file ``uid``, whose rendering in this run is ``note``."""
    record = vault.records.get(uid)
    path = record.path if record and record.path else note.path if note else ""
    if vault.is_hidden(uid):
        reason = "a symlink, or what cannot be read, lies there; the next run tries again"
        return Change(uid, path, Action.SKIPPED, reason)
    if path not in vault.disk.files and fold(path) not in vault.disk.entries:
        return _not_there(uid, path, note, vault)
    before = vault.read(path) if path not in vault.disk.closed else None
    if note is not None and before is not None and _same(path, before, note.text):
        return Change(uid, path, Action.UNCHANGED)
    if before is None or not is_as_written(uid, path, before, vault):
        return _edited(uid, path, note, record)
    if note is None:
        return Change(uid, path, Action.REMOVE, "there is nothing to show in it", before)
    after = in_style_of(before, note.text)
    return Change(uid, path, Action.UPDATE, "its posts or series have changed", before, after)


def _edited(uid: str, path: str, note: Note | None, record: Record | None) -> Change:
    """A file that its owner edited, or made; told once, when there is news for it."""
    if record is not None and note is not None and note.base == record.base:
        return Change(uid, path, Action.UNCHANGED)
    if record is not None and record.base:
        reason = f"you edited it, so it is yours; delete it and --restore {uid} brings ours back"
        return Change(uid, path, Action.YOURS, reason)
    reason = f"it is a file of yours; move it away and --restore {uid} writes ours"
    return Change(uid, path, Action.YOURS, reason, is_news=record is None)


def base_after(change: Change, note: Note | None, old: str) -> str:
    """The base that the manifest names once the change is carried out; none of the user's own."""
    if change.action is Action.YOURS:
        return ""
    agreed = change.action in (Action.CREATE, Action.UPDATE, Action.UNCHANGED)
    return note.base if note is not None and agreed else old


def _not_there(uid: str, path: str, note: Note | None, vault: Snapshot) -> Change:
    record = vault.records.get(uid)
    unknown = vault.lost if record is None else not record.path
    wanted = uid in vault.restore.uids or (unknown and vault.restore.missing)
    if note is not None and (wanted or (record is None and not vault.lost)):
        return Change(uid, path, Action.CREATE, "restored" if wanted else "", after=note.text)
    if record is None or unknown:
        reason = f"{path}: state was lost, so it may be deleted; --restore-missing writes it"
        return Change(uid, "", Action.MISSING, reason)
    reason = f"you deleted it; --restore {uid} brings it back"
    return Change(uid, path, Action.DELETED, reason, is_news=record.on)


def is_as_written(uid: str, path: str, text: str, vault: Snapshot) -> bool:
    """Whether a file is a rendering: the one that the manifest names, or one of a killed run.

    What Obsidian writes of its own accord is no edit: the form of the file, and where the notes
    of a map lie now.
    """
    record = vault.records.get(uid)
    if base_hash(text) in {record.base if record else "", *vault.bases}:
        return True
    base = vault.base_text(record.base) if record and record.base else None
    if base is None or not path.endswith(CANVAS):
        return False
    moved = {
        known.path: vault.standing[one]
        for one, known in vault.records.items()
        if vault.standing.get(one)
    }
    return _canvas(text, {}) == _canvas(base, moved) is not None


def _same(path: str, one: str, other: str) -> bool:
    """Whether two texts say the same, whoever wrote them."""
    if path.endswith(CANVAS) and (canvas := _canvas(one, {})) is not None:
        return canvas == _canvas(other, {})
    return base_hash(one) == base_hash(other)


def _canvas(text: str, moved: Mapping[str, str]) -> dict[str, Any] | None:
    """What a Canvas shows: its nodes and edges by their ids, at the places where notes are now."""
    try:
        content = json.loads(text.removeprefix("\ufeff"))
        shown = {
            kind: {item["id"]: item for item in content.get(kind, ())}
            for kind in ("nodes", "edges")
        }
        counted = {kind: len(content.get(kind, ())) for kind in shown}
        for node in shown["nodes"].values():
            if "file" in node:
                node["file"] = moved.get(node["file"], node["file"])
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    rest = {key: value for key, value in content.items() if key not in (*shown, "metadata")}
    return {"counted": counted, "rest": rest, **shown}
