"""When a new count of reads is worth a new text: `reexport.md`, section 8."""

from __future__ import annotations

import re

from kbexport.flavors.pointer import front_matter_of, without_hash

_READS = re.compile(r"^reads::? (\d+)$", re.MULTILINE)
_LEAST = 10
"""So many reads must be new in any case."""


def only_few_reads(base: str, text: str, percent: float) -> bool:
    """Whether a rendering differs from the last one in reads alone, and by too few to be written.

    ``percent`` is the growth that is worth it; 0 means that every new read is.
    """
    if not percent:
        return False
    (old, rest), (new, same) = _without_reads(base), _without_reads(text)
    if old is None or new is None or rest != same:
        return False
    return not (new > old * (1 + percent / 100) and new > old + _LEAST)


def _without_reads(text: str) -> tuple[int | None, str]:
    plain = without_hash(text)
    block = front_matter_of(plain)
    found = _READS.search(plain, block.start(1), block.end(1)) if block else None
    if found is None:
        return None, plain
    return int(found[1]), plain[: found.start(1)] + plain[found.end(1) :]
