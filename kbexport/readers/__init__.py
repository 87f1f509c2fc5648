"""Sources in, posts out. One module is one format; see CONTRIBUTING.md for how to add one."""

from kbexport.readers.registry import readers

__all__ = ["readers"]
