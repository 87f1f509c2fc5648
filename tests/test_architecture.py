"""The house: what may import what, who prints, who reads the clock, how big a room may be."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kbexport

PACKAGE = Path(kbexport.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

LINES = [
    "errors models text",
    "assets config flavors",
    "content series naming tags",
    "readers collate catalog",
    "links",
    "render",
    "vault",
    "fetch",
    "check report oddities",
    "pipeline",
    "options progress",
    "cli",
]
"""A module imports from the lines above its own, and from its own package."""

LINE_OF = {name: number for number, line in enumerate(LINES) for name in line.split()}
FRONT_DOORS = {"__init__", "__main__"}

ONE_PLACE = {
    "turbohtml": ("content/", "text/encodings.py"),
    "feedparser": ("readers/feeds.py",),
    "jinja2": ("render/",),
    "rich": ("cli.py", "progress.py"),
    "lxml": ("readers/xml_",),
    "trafilatura": ("readers/pages/guess.py",),
    "typer": ("cli.py", "options.py"),
    "warcio": ("readers/containers/warc.py",),
}
"""Libraries that stay behind one door."""


def name_of(module: Path) -> str:
    return module.relative_to(PACKAGE).as_posix()


def room_of(module: Path) -> str:
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def tree(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def imports(module: Path) -> Iterator[str]:
    """Every module that this one imports, also inside functions and for types."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(module)} has a relative import"
            if node.module == "kbexport":
                yield from (f"kbexport.{alias.name}" for alias in node.names)
            elif node.module:
                yield node.module


def rooms_imported(module: Path) -> set[str]:
    rooms = {name.split(".")[1] for name in imports(module) if name.startswith("kbexport.")}
    return {room for room in rooms if not room.startswith("__")}


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_module_imports_only_from_lines_above(module: Path) -> None:
    room = room_of(module)
    if room in FRONT_DOORS:
        pytest.skip("the front doors lead to every room")

    below = {other for other in rooms_imported(module) - {room} if LINE_OF[other] >= LINE_OF[room]}

    assert not below, f"{name_of(module)} imports {', '.join(sorted(below))}"


def test_every_room_has_its_line() -> None:
    assert {room_of(module) for module in MODULES} - FRONT_DOORS <= set(LINE_OF)


@pytest.mark.parametrize("library", ONE_PLACE)
def test_library_is_imported_in_its_place_only(library: str) -> None:
    users = {
        name_of(module)
        for module in MODULES
        if any(name.split(".")[0] == library for name in imports(module))
    }

    assert users
    assert {user for user in users if not user.startswith(ONE_PLACE[library])} == set()


def test_text_knows_of_turbohtml_only_its_detection() -> None:
    names = {name for name in imports(PACKAGE / "text/encodings.py") if "turbohtml" in name}

    assert names <= {"turbohtml.detect"}


def calls(module: Path) -> Iterator[str]:
    """The names of everything that is called: `print`, or the last part of `a.b.now`."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                yield node.func.id
            elif isinstance(node.func, ast.Attribute):
                yield node.func.attr


def test_only_the_command_line_prints() -> None:
    printing = {name_of(module) for module in MODULES if "print" in calls(module)}
    streams = {
        name_of(module)
        for module in MODULES
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr")
    }

    assert printing | streams == {"cli.py"}


def test_nothing_reads_the_clock() -> None:
    clocks = {"now", "utcnow", "today", "time_ns", "localtime", "gmtime", "getmtime"}
    clocks |= {"monotonic", "perf_counter", "process_time"}

    assert {name_of(module) for module in MODULES if clocks & set(calls(module))} == set()
    # It waits for a file that is in use.
    assert {name_of(m) for m in MODULES if "time" in imports(m)} == {"vault/write.py"}


def test_only_one_room_reaches_for_the_network_and_is_loaded_only_on_demand() -> None:
    networks = {"socket", "ssl", "http", "urllib.request", "requests", "httpx", "aiohttp"}

    assert {room_of(m) for m in MODULES if networks & set(imports(m))} == {"fetch"}
    users = {name_of(m) for m in MODULES if "fetch" in rooms_imported(m) and room_of(m) != "fetch"}
    assert users == {"pipeline.py"}
    top = [node for node in tree(PACKAGE / "pipeline.py").body if isinstance(node, ast.ImportFrom)]
    assert "kbexport.fetch" not in [node.module for node in top]


WRITES = {"write_text", "write_bytes", "unlink", "mkdir", "rename", "replace", "rmtree", "symlink"}


def test_only_vault_writes_files() -> None:
    """`init` apart, which writes its one file itself; `replace` is also a method of text."""
    writing = {
        name_of(module)
        for module in MODULES
        if (WRITES - {"replace", "rename"}) & set(calls(module))
    }

    assert {name for name in writing if not name.startswith("vault/")} <= {"config.py"}


CHANGES = (WRITES - {"replace"}) | {"rmdir", "link", "fsync", "hardlink_to", "touch", "truncate"}


def changes_of_the_disk(module: Path) -> Iterator[str]:
    """The functions that change the disk; `a.replace(b)` is that of a path."""
    for function in functions(module):
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                is_replace = node.func.attr == "replace" and len(node.args) == 1
                if node.func.attr in CHANGES or (is_replace and not node.keywords):
                    yield f"{name_of(module)}: {function.name}"


def test_every_change_of_a_vault_passes_the_hook_of_the_harnesses() -> None:
    vault = [module for module in MODULES if room_of(module) == "vault"]

    assert {place for module in vault for place in changes_of_the_disk(module)} == {
        "vault/write.py: perform"
    }


def functions(module: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def public(module: Path) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes that other modules may use, and their methods."""
    for node in tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_"):
                    yield inner


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_module_and_all_that_is_public_in_it_say_what_they_are(module: Path) -> None:
    assert ast.get_docstring(tree(module))
    assert [node.name for node in public(module) if not ast.get_docstring(node)] == []


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_module_is_no_longer_than_one_can_read(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 320


def length(function: ast.FunctionDef | ast.AsyncFunctionDef, module: Path) -> int:
    """From `def` to the last line; of a command without its parameters, one for each option."""
    first = function.body[0].lineno if room_of(module) == "cli" else function.lineno
    return (function.end_lineno or first) - first + 1


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_functions_are_no_longer_than_a_screen(module: Path) -> None:
    lengths = {function.name: length(function, module) for function in functions(module)}

    assert {name: lines for name, lines in lengths.items() if lines > 45} == {}
