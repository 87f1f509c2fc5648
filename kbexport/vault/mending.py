"""New texts for notes that are there, outside of a build: `kbexport check --fix`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from kbexport.errors import VaultError
from kbexport.vault.lock import lock
from kbexport.vault.scan import STATE
from kbexport.vault.write import Kind, Operation, Writer, explain, perform


def write_mended(root: Path, texts: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Put new texts in the place of old ones: path -> (old, new); why not, for those that stay.

    A note that has changed since it was read stays. The pointers in the notes stay, so the state
    needs no change; a vault without state has none afterwards either. Raises VaultError where
    another run is writing, or nothing can be written.
    """
    state = root / STATE
    if state.is_symlink():
        raise VaultError(str(state), "is a symlink", "kbexport writes only inside the vault")
    made = not state.exists()
    try:
        if made:
            perform(Operation(Kind.MKDIR, state))
        with lock(state / "lock"):
            return _write(root, texts)
    except OSError as error:
        place, problem = explain(error, root)
        raise VaultError(place, problem, "mend its permissions, then try again") from error
    finally:
        if made and state.is_dir():
            _remove(state)


def _write(root: Path, texts: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    writer = Writer(root)
    reasons = {}
    try:
        staged = writer.stage({path: after for path, (_, after) in texts.items()})
        for path, (before, _) in texts.items():
            try:
                if not writer.replace_if(staged[path], path, before):
                    reasons[path] = "it changed while kbexport ran"
            except OSError as error:
                reasons[path] = explain(error, root)[1]
        writer.barrier()
    finally:
        writer.clear()
    return reasons


def _remove(state: Path) -> None:
    """Take back the folder of the state, which a vault of somebody else does not want."""
    if os.path.lexists(state / "lock"):
        perform(Operation(Kind.UNLINK, state / "lock"))
    if not any(state.iterdir()):
        perform(Operation(Kind.RMDIR, state))
