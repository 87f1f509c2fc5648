"""Values of front matter as YAML that versions 1.1 and 1.2 read alike.

The one place where YAML is not written by a library; `dependencies.md`, section 5, says why.
"""

from __future__ import annotations

import json
import re

ESCAPED = re.compile("[\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]")
"""What JSON leaves as it is and YAML 1.1 or 1.2 does not."""


def quoted(text: str) -> str:
    """A text as a double-quoted scalar: JSON's form, other scripts literally.

    ``text`` holds no lone surrogates; readers replace them. Templater runs what stands behind
    `<%` wherever in the raw text it is, so that pair is not written (`formats.md`, section 5).
    """
    plain = json.dumps(text, ensure_ascii=False).replace("<%", "<\\x25")
    return ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", plain)


def scalar(value: str | int | bool) -> str:
    """A value as it stands in front matter: numbers and truth values bare, text quoted."""
    return quoted(value) if isinstance(value, str) else json.dumps(value)
