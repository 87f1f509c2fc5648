"""Measure what a vault of many notes costs, side by side with what cannot be spared.

usage: python bench/vault_speed.py [--notes 10000] [--rounds 5]

Medians of interleaved rounds: a first build against plainly writing and syncing the same files;
a run without news (CPU) against `kbexport posts` plus reading every note (CPU); a run with 50
changed notes against the run without news. Times are noisy: compare within one run only.
"""

# ruff: noqa: INP001, T201, S603 - a script, which prints, and runs the command that it measures

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

WANTED = {"first build": 3.0, "no news (CPU)": 2.0, "50 changed": 1.5}
CHANGED = 50
READ_NOTES = """
import pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.md"):
    if ".kbexport" not in path.parts:
        path.read_bytes()
"""
"""Without the bases, which a build without news does not read either."""


def write_posts(file: Path, notes: int, changed: int = 0) -> None:
    """Write an invented blog: parts of series of ten, each with a short body."""
    with file.open("w", encoding="utf-8") as stream:
        for n in range(notes):
            text = "Seen from the tower. " * (20 + n % 30)
            post = {
                "id": f"post-{n}",
                "title": f"Lighthouse log {n // 10} ({n % 10 + 1}): night {n}",
                "url": f"https://log.example/{n}",
                "published": f"20{10 + n // 3000:02}-{1 + n // 250 % 12:02}-{1 + n % 28:02}",
                "reads": n,
                "tags": [f"tag{n % 40}", "tower"],
                "body_markdown": ("News. " if n < changed else "") + text,
            }
            stream.write(json.dumps(post) + "\n")


def kbexport(*arguments: str | Path) -> None:
    """Run the command; any exit code but 0 is an error."""
    subprocess.run(
        [sys.executable, "-m", "kbexport", *arguments], check=True, stdout=subprocess.DEVNULL
    )


def write_plainly(vault: Path, target: Path) -> None:
    """Write and sync the files of a vault as a plain program would, folders at the end."""
    folders = set()
    for file in (path for path in vault.rglob("*") if path.is_file()):
        copy = target / file.relative_to(vault)
        copy.parent.mkdir(parents=True, exist_ok=True)
        with copy.open("wb") as stream:
            stream.write(file.read_bytes())
            stream.flush()
            os.fsync(stream.fileno())
        folders.add(copy.parent)
    for folder in folders:
        handle = os.open(folder, os.O_RDONLY)
        os.fsync(handle)
        os.close(handle)


def read_notes(vault: Path) -> None:
    """Read every note once, in a process of its own so that its CPU is counted alike."""
    subprocess.run([sys.executable, "-c", READ_NOTES, vault], check=True)


def read_all(posts: Path, vault: Path) -> None:
    """Read the source and the notes, the least that a build has to do."""
    kbexport("posts", posts, "--jsonl")
    read_notes(vault)


def elapsed(action: Callable[[], object]) -> float:
    """Seconds on the wall."""
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def cpu(action: Callable[[], object]) -> float:
    """Seconds of CPU of the processes that the action starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    action()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure, and print a table of medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    seconds: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        posts, news = Path(folder, "posts.jsonl"), Path(folder, "news.jsonl")
        write_posts(posts, arguments.notes)
        write_posts(news, arguments.notes, CHANGED)
        for _ in range(arguments.rounds):
            vault, plain = Path(folder, "vault"), Path(folder, "plain")
            for old in (vault, plain):
                shutil.rmtree(old, ignore_errors=True)
            build = ("build", posts, "--out", vault)
            seconds["first build"].append(elapsed(lambda: kbexport(*build)))  # noqa: B023 - called at once
            seconds["plain write"].append(elapsed(lambda: write_plainly(vault, plain)))  # noqa: B023 - called at once
            seconds["no news (CPU)"].append(cpu(lambda: kbexport(*build)))  # noqa: B023 - called at once
            seconds["read (CPU)"].append(
                cpu(lambda: read_all(posts, vault))  # noqa: B023 - called at once
            )
            seconds["no news"].append(elapsed(lambda: kbexport(*build)))  # noqa: B023 - called at once
            seconds["50 changed"].append(
                elapsed(lambda: kbexport("build", news, "--out", vault))  # noqa: B023 - called at once
            )
    medians = {name: statistics.median(each) for name, each in seconds.items()}
    for name, other in (
        ("first build", "plain write"),
        ("no news (CPU)", "read (CPU)"),
        ("50 changed", "no news"),
    ):
        ratio = medians[name] / medians[other]
        print(
            f"{name:14} {medians[name]:7.2f} s   {other:12} {medians[other]:7.2f} s"
            f"   {ratio:5.2f} times, wanted at most {WANTED[name]}"
        )


if __name__ == "__main__":
    main()
