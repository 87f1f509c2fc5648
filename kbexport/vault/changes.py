"""What becomes of each note in a run: the lines of a plan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What becomes of a note in a run."""

    CREATE = "create"
    """It is new."""
    UPDATE = "update"
    """Its source has news, and its owner has not touched it."""
    MERGE = "merge"
    """Its source's news was put into the note that its owner edited."""
    CONFLICT = "conflict"
    """The same, but somewhere both changed one place: there the owner's words stay."""
    UNCHANGED = "unchanged"
    """Nothing new; it may have been edited."""
    REMOVE = "remove"
    """A generated index whose series or column is gone, untouched."""
    HELD = "held"
    """Its owner edited it, its source has news, and nothing says what was there before."""
    KEPT = "kept"
    """A generated index whose subject is gone, but its owner edited it."""
    DELETED = "deleted"
    """Its owner deleted it: it is not written again."""
    DETACHED = "detached"
    """Its owner removed its front matter or its id: never touched again."""
    YOURS = "yours"
    """A table or a map that its owner edited, or that is the owner's own: never touched again."""
    MISSING = "missing"
    """State was lost, so nobody knows whether it was deleted: not written."""
    SKIPPED = "skipped"
    """It could not be written."""
    AMBIGUOUS = "ambiguous"
    """Several files carry its id, none where it last lay: none is touched."""
    FORGOTTEN = "forgotten"
    """The vault no longer remembers its post, and no source of the run has it."""


NEEDS_EYE = frozenset(
    [
        Action.CONFLICT,
        Action.HELD,
        Action.KEPT,
        Action.MISSING,
        Action.SKIPPED,
        Action.AMBIGUOUS,
        Action.FORGOTTEN,
    ]
)
"""Actions that end a run with exit code 3."""


WRITES = frozenset([Action.CREATE, Action.UPDATE, Action.MERGE, Action.CONFLICT, Action.REMOVE])
"""Actions that change a note on disk."""


@dataclass(frozen=True)
class Change:
    """One line of the plan: a note, an action, a reason."""

    uid: str
    path: str
    action: Action
    reason: str = ""
    before: str | None = None
    """The note on disk, where the action replaces or removes it."""
    after: str | None = None
    """The new text, where the action writes one."""
    is_news: bool = True
    """False for what earlier runs have told already, such as an old deletion."""
    parked: str | None = None
    """The source's text, where it is kept aside for the owner to look at."""
    places: tuple[str, ...] = ()
    """The lines and properties at which owner and source differ."""
