"""State that is stale: what `.kbexport/` says against what lies on the disk.

Rules: `reexport.md`, sections 3 and 4. Only for vaults that kbexport has written.
"""

from __future__ import annotations

from collections.abc import Iterator

from kbexport.check.findings import Finding, Severity
from kbexport.check.vault import Checked
from kbexport.errors import RefusedError
from kbexport.flavors.pointer import is_untouched
from kbexport.text.keys import is_file, is_post
from kbexport.vault.scan import STATE
from kbexport.vault.settle import settling
from kbexport.vault.snapshot import Snapshot
from kbexport.vault.state import ADDRESSES, MANIFEST, PARKED, unneeded_bases

_BUILD = "build again"
_RESTORE = "restore it from git"


def check_state(vault: Checked) -> Iterator[Finding]:
    """What of the state is missing, unreadable, or no longer true."""
    state = vault.state
    if state is None:
        return
    yield from _manifest(state)
    for problem in state.problems:
        line = int(problem.place.removeprefix("line ") or 0)
        yield Finding(problem.source, line, "state-unread", problem.reason, problem.hint)
    yield from _parked(state, vault)
    yield from _notes(state, vault)
    yield from _deletions(state)
    yield from _bases(state)


def _manifest(state: Snapshot) -> Iterator[Finding]:
    if state.lost:
        message = "is gone or unreadable, but there are notes of kbexport"
        yield Finding(MANIFEST, 0, "state-lost", message, f"{_RESTORE}, or {_BUILD}")
    elif state.manifest is not None and state.manifest.frayed:
        message = "has lines that cannot be read, are there twice or are out of order"
        yield Finding(MANIFEST, 0, "state-unread", message, f"{_BUILD}: it is written anew")
    if state.addresses.frayed and not state.problems:
        message = "has lines that are there twice or are out of order"
        yield Finding(ADDRESSES, 0, "state-unread", message, f"{_BUILD}: it is written anew")


def _parked(state: Snapshot, vault: Checked) -> Iterator[Finding]:
    """Texts of the source that wait for the owner, each told at its note."""
    for parked in sorted(state.parked):
        name = PARKED.fullmatch(parked.rpartition("/")[2])
        own = state.own_note(name["uid"]) if name else None
        if own is None:
            message = "a text of the source waits, but its note is gone"
            yield Finding(parked, 0, "state-parked", message, "delete it")
        else:
            message = f"a text of its source waits in {parked}"
            hint = settling(str(vault.root), own[0])
            yield Finding(own[0], 0, "state-parked", message, hint)


def _notes(state: Snapshot, vault: Checked) -> Iterator[Finding]:
    """Notes on the disk against what is known of them."""
    for uid, found in sorted(state.disk.notes.items()):
        own = state.own_note(uid)
        if own is None:
            for path, _ in found:
                message = f"several notes carry the id {uid}, and it is unclear which one is meant"
                yield Finding(path, 0, "state-double", message, "delete all but one")
            continue
        path, pointer = own
        record = state.records.get(uid)
        if record is None and not state.lost:
            message = f"carries the id {uid}, which the vault does not know"
            yield Finding(path, 0, "state-note", message, _BUILD)
        elif record is not None and not record.on:
            message = "was deleted once, and is back"
            yield Finding(path, 0, "state-note", message, _BUILD, Severity.NOTE)
        page = vault.pages.get(path)
        if page and not is_untouched(page.text) and state.base_text(pointer.base) is None:
            message = "you edited it, and what was last written is lost: news cannot be merged"
            hint = "restore `.kbexport/base` from git"
            yield Finding(path, 0, "state-base", message, hint)
        if is_post(uid) and uid not in state.posts:
            message = "the vault does not remember its post"
            hint = "build again with a source that holds it"
            yield Finding(path, 0, "state-post", message, hint)
    for path, other in state.copies.items():
        message = f"a copy of {other}: both carry one id"
        hint = "delete one, or take the line `kbexport` out of the copy"
        yield Finding(path, 0, "state-copy", message, hint)


def _deletions(state: Snapshot) -> Iterator[Finding]:
    try:
        state.refuse_mass_deletion()
    except RefusedError as error:
        yield Finding(MANIFEST, 0, "state-gone", error.problem, error.hint)
        return
    for uid, record in sorted(state.records.items()):
        if record.on and record.path and uid not in state.standing:
            message = f"you deleted it; `kbexport build --restore {uid}` brings it back"
            yield Finding(record.path, 0, "state-deleted", message, "", Severity.NOTE)
        elif state.is_detached(uid) and not is_file(uid):
            message = "no longer carries its id: kbexport does not touch it"
            yield Finding(record.path, 0, "state-detached", message, "", Severity.NOTE)


def _bases(state: Snapshot) -> Iterator[Finding]:
    if state.lost:
        return  # nobody knows what is needed
    named = {record.base for record in state.records.values()}
    named |= {pointer.base for found in state.disk.notes.values() for _, pointer in found}
    if stale := unneeded_bases(state.bases, named):
        many = "1 text is" if len(stale) == 1 else f"{len(stale)} texts are"
        message = f"{many} needed no more"
        yield Finding(f"{STATE}/base", 0, "state-stale", message, _BUILD, Severity.NOTE)
