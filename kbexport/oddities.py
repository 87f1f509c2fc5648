"""Notes that build well and may still surprise: twins, copies, names that nothing can link to."""

from __future__ import annotations

from kbexport.models import Problem
from kbexport.naming import Names
from kbexport.vault.snapshot import Snapshot


def odd_notes(known: Snapshot, names: Names) -> list[Problem]:
    """A line for each note that shares id or name with ours, or that nothing can link to."""
    copies = [
        Problem(
            source=copy,
            reason=f"has the id of {path}: left alone",
            hint="take its line `kbexport` out to make it a note of your own",
            lost=False,
        )
        for copy, path in known.copies.items()
    ]
    unlinkable = [
        Problem(
            source=path,
            reason="its name has a sign that no link may have, so nothing links to it",
            hint="rename it without # ^ | [ ]",
            lost=False,
        )
        for uid, path in sorted(names.paths.items())
        if path and names.link(uid) is None
    ]
    twins = [
        Problem(
            source=twin,
            reason=f"is called like {path}, so links to that name mean both",
            hint="rename one of them",
            lost=False,
        )
        for twin, path in known.twins.items()
    ]
    return [*copies, *twins, *unlinkable]
