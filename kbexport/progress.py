"""A bar that shows how far a long run is, where there is a terminal to show it on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from kbexport.models import OnStep


@contextmanager
def progress_bar(stream: TextIO) -> Iterator[OnStep | None]:
    """What to tell of each step, drawn on ``stream``; None where that is no terminal."""
    if not stream.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - only where there is a terminal
    from rich.progress import Progress  # noqa: PLC0415 - the same

    with Progress(console=Console(file=stream, markup=False), transient=True) as progress:
        tasks: dict[str, Any] = {}

        def on_step(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total or None)
            progress.update(tasks[stage], completed=done)

        yield on_step
