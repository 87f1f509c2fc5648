"""The dialects of a vault: how its apps want front matter, links and rules. Values, not classes."""

from kbexport.flavors.base import Flavor, Properties
from kbexport.flavors.both import BOTH
from kbexport.flavors.logseq import LOGSEQ
from kbexport.flavors.obsidian import OBSIDIAN

__all__ = ["BOTH", "FLAVORS", "LOGSEQ", "OBSIDIAN", "Flavor", "Properties"]

FLAVORS: dict[str, Flavor] = {flavor.name: flavor for flavor in (BOTH, OBSIDIAN, LOGSEQ)}
"""All flavors by name."""
