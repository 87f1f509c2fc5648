"""The linter of a vault: rules, each a function from what was read to findings.

`vault.py` reads, everything else is pure; `--fix` writes through `vault/mending.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from kbexport.check.active import check_active
from kbexport.check.boards import check_boards
from kbexport.check.findings import Finding, Severity, finding_lines, findings_json, needs_eye
from kbexport.check.links import Resolver, check_links
from kbexport.check.mend import mends
from kbexport.check.names import check_names
from kbexport.check.properties import check_properties
from kbexport.check.series import check_series
from kbexport.check.state import check_state
from kbexport.check.vault import Checked, read_vault
from kbexport.vault.mending import write_mended

__all__ = ["Finding", "Severity", "check", "finding_lines", "findings_json", "needs_eye"]


def check(root: Path, *, fix: bool = False) -> list[Finding]:
    """What is wrong in a vault, by path and line; with ``fix``, after what is safe was mended.

    Any vault will do: rules about what kbexport remembers are left out where it has written
    nothing. Raises VaultError where the vault cannot be read, or nothing can be written.
    """
    vault = read_vault(root)
    told = _mend(vault) if fix else []
    if told:
        vault = read_vault(root)
    return sorted([*told, *_findings(vault)])


def _mend(vault: Checked) -> list[Finding]:
    """Mend what is safe; each mend, and each that could not be written."""
    found = {mend.path: mend for mend in mends(vault)}
    if not found:
        return []
    reasons = write_mended(
        vault.root, {path: (mend.before, mend.after) for path, mend in found.items()}
    )
    return [
        replace(one, message=f"not mended: {reasons[path]}", severity=Severity.WARNING)
        if path in reasons
        else one
        for path, mend in found.items()
        for one in mend.findings
    ]


def _findings(vault: Checked) -> Iterator[Finding]:
    resolver = Resolver(vault)
    for page in vault.pages.values():
        yield from check_properties(page, vault)
        yield from check_links(page, resolver)
        yield from check_active(page, vault)
    yield from check_names(vault)
    yield from check_boards(vault)
    yield from check_series(vault, resolver)
    yield from check_state(vault)
