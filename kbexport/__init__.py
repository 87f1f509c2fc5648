"""Turn the posts of a blog into a vault of Markdown notes for Obsidian and Logseq.

The public API, loaded on first use so that the command line starts quickly.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kbexport.config import Config
    from kbexport.errors import (
        ConfigError,
        KbexportError,
        RefusedError,
        SourceError,
        TemplateFileError,
        UsageError,
        VaultError,
    )
    from kbexport.models import Post, Series
    from kbexport.pipeline import build
    from kbexport.vault import Plan

__version__ = "0.1.0"

__all__ = [
    "Config",
    "ConfigError",
    "KbexportError",
    "Plan",
    "Post",
    "RefusedError",
    "Series",
    "SourceError",
    "TemplateFileError",
    "UsageError",
    "VaultError",
    "__version__",
    "build",
]

_HOMES = {
    "Config": "config",
    "Plan": "vault",
    "Post": "models",
    "Series": "models",
    "build": "pipeline",
}
"""The module of each name; the errors are in `errors`."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the public name is
    """Load a public name on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_HOMES.get(name, 'errors')}")
    return getattr(module, name)
