"""Kill a build, or fail it, at each call to the kernel that changes its vault; for nightly use.

It trusts no hook of kbexport: `strace` numbers the calls of a build in a process of its own, then
injects SIGKILL, ENOSPC and EIO into each (`reexport.md`, section 9). Needs strace, Linux only.

    python bench/strace_crash.py [--every N] [--fault kill]
"""

# ruff: noqa: INP001, T201 - a script, which prints

from __future__ import annotations

import argparse
import collections
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from blog import Blog, written  # noqa: E402 - found beside this file
from scenes import NEWS, SCENES, Scene  # noqa: E402

CALLS = ("openat", "write", "fsync", "rename", "link", "linkat", "unlink", "rmdir", "mkdir")
FAULTS = {"kill": "signal=KILL", "ENOSPC": "error=ENOSPC", "EIO": "error=EIO"}
BUILD = """
import sys
from pathlib import Path
from kbexport.config import Config
from kbexport.errors import KbexportError
from kbexport.pipeline import build
from kbexport.vault import write

class Here:
    # strace counts the calls of each thread apart, so all are made in one.
    map = staticmethod(map)
    def __init__(self, threads): pass
    def __enter__(self): return self
    def __exit__(self, *error): pass

write.ThreadPoolExecutor = Here
try:
    build(Config(sources=(Path(sys.argv[1]),), out=Path(sys.argv[2])))
except KbexportError:
    sys.exit(1)
"""
LINE = re.compile(r"(?P<call>\w+)\((?P<arguments>.*)\)\s+= ")


def traced(blog: Blog, *options: str) -> int:
    """One build under strace; its exit code, below 0 where it was killed."""
    written(blog.source, *NEWS)
    command = ["strace", "-f", "-qq", "-y", "-s", "4096", *options]
    command += [sys.executable, "-c", BUILD, str(blog.source), str(blog.vault)]
    path = f"{ROOT}{os.pathsep}{ROOT / 'tests'}"
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": path}
    done = subprocess.run(command, env=environment, check=False, capture_output=True)  # noqa: S603
    return done.returncode


def points(scene: Scene) -> list[tuple[str, int]]:
    """The calls that change the vault: the call's name, and which of that name it is."""
    blog = scene.copy("crashed")
    log = scene.folder / "trace"
    if traced(blog, "-e", f"trace={','.join(CALLS)}", "-o", str(log)):
        sys.exit("the build under strace failed; is strace installed?")
    found = []
    numbers: collections.Counter[str] = collections.Counter()
    for line in log.read_text(errors="replace").splitlines():
        call = LINE.search(line)
        if call is None:
            continue
        numbers[call["call"]] += 1
        reads = call["call"] == "openat" and "O_CREAT" not in call["arguments"]
        if str(blog.vault) in call["arguments"] and not reads:
            found.append((call["call"], numbers[call["call"]]))
    return found


def main() -> None:
    """Print how many points were tried with each fault, how many fired and how many were bad."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--every", type=int, default=1, help="try each N-th point only")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="default: all")
    chosen = parser.parse_args()
    began = time.monotonic()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        scene = SCENES["a build over edits"](Path(folder).resolve() / "scene")
        everything = points(scene)
        tried = everything[:: chosen.every]
        print(f"{len(everything)} points, {len(tried)} tried with each fault")
        for fault in chosen.fault or FAULTS:
            fired = failures = 0
            for call, number in tried:
                blog = scene.copy("crashed")
                scene.checked.clear()
                inject = f"inject={call}:{FAULTS[fault]}:when={number}"
                code = traced(blog, "-e", f"trace={call}", "-e", inject, "-o", os.devnull)
                fired += code != 0
                if code == 0 and fault == "kill":
                    print(f"not killed at {call} {number}")
                try:
                    scene.check(blog, f"{fault} at {call} {number}", told=fault != "kill")
                except AssertionError as error:
                    failures += 1
                    print("BAD", str(error).splitlines()[0])
            bad += failures
            print(f"{fault}: {len(tried)} tried, {fired} ended the build, {failures} bad")
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(bool(bad))


if __name__ == "__main__":
    main()
