"""The vault on disk: what is there, what was written last, what is to change, and the writing."""

from kbexport.vault.changes import WRITES, Action, Change
from kbexport.vault.decide import Rules
from kbexport.vault.plan import Plan, plan_changes
from kbexport.vault.snapshot import Restore, Snapshot
from kbexport.vault.vault import Vault

__all__ = [
    "WRITES",
    "Action",
    "Change",
    "Plan",
    "Restore",
    "Rules",
    "Snapshot",
    "Vault",
    "plan_changes",
]
