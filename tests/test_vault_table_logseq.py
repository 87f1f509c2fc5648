"""The decision table of `reexport.md`, section 3, in Logseq's own flavor.

Rows that speak of no property and of no folder are those of `test_vault_table.py`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from blog import Blog
from deeds import (
    checks_out_older_notes,
    converts,
    crlf,
    deletes,
    deletes_file,
    does,
    edits,
    makes_a_folder,
    nothing,
    removes,
    writes,
)
from test_vault_table import (
    GULL,
    HELD,
    LOGS,
    LONGER,
    MERGED,
    NEWS,
    RENUMBERED,
    ROWS,
    SILENT,
    TAGGED,
    TERN,
    WALKS,
    WORDS,
    Row,
    Then,
    check_row,
    check_second_run,
    is_repeated,
    with_gull,
    with_new,
)

TWICE = ("the front matter, which has a key twice",)
FIRST = "reads:: 10\n"


def reorders(blog: Blog) -> None:
    """The properties turned around."""
    head, gap, body = blog.note("Gull").read_text().partition("\n\n")
    blog.note("Gull").write_text("\n".join(head.split("\n")[::-1]) + gap + body)


# fmt: off
OWN = [
    Row("new post", nothing, with_new("Auk"), "create", Then(has=("@pages/Auk.md", "New.")), "Auk"),
    Row("new post, name taken", writes("pages/Auk.md"), with_new("Auk"), "create",
        Then(has=("@pages/Auk.md\nmine", "New."), says="Auk is taken"), "Auk"),
    Row("part in no source any more", nothing, (GULL, TERN, *LOGS[:2]), "unchanged",
        Then(has=("next:: [[Log (3)", "- 3 · [[Log (3)"), says="1 orphan", still=True), "Log (3)"),
    Row("owner added a key", edits(FIRST, f"mood:: fine\n{FIRST}"), NEWS, "merge",
        Then(has=("mood:: fine\nreads:: 10", "It sails"))),
    Row("owner changed a value, source silent there", edits("reads:: 10", "reads:: 77"), NEWS,
        "merge", Then(has=("reads:: 77\n", "It sails"))),
    Row("both changed one scalar", edits(FIRST, f'author:: "me"\n{FIRST}'), with_gull(author="B"),
        "conflict", Then(code=3, has=('author:: "me"',), parked=('author:: "B"',),
             places=("author",))),
    Row("owner removed a key that the source changes", removes("^reads::.*\n"),
        with_gull(reads=99), "merge", Then(lacks=("reads:: 99", "reads:: 10\n"), says="reads")),
    Row("reads of the owner's own", edits("reads:: 10", "reads:: 77"), with_gull(reads=99), "merge",
        Then(has=("reads:: 77",), lacks=("reads:: 99",), says="reads")),
    Row("source dropped a key",
        does(edits("date::", "mood:: fine\ndate::", "Log (2)*"), deletes("Log (3)*")), SILENT,
        "merge", Then(has=("mood:: fine",), lacks=("next:: [[Log (3)",)), "Log (2)"),
    Row("tag added by each and removed by the owner", edits("tags:: bird", "tags:: mine"),
        with_gull(tags=["bird", "sea"]), "merge", Then(has=("tags:: mine, sea\n",))),
    Row("tag removed by the source", edits("tags:: bird", "tags:: [[bird]]，#mine"),
        with_gull(tags=["sea"]), "merge", Then(has=("tags:: #mine，sea\n",))),
    Row("tags, whatever their case", edits("tags:: bird", "Tags:: Bird, SEA"),
        with_gull(tags=["bird", "sea", "sky"]), "merge", Then(has=("Tags:: Bird, SEA, sky\n",))),
    Row("owner reordered", reorders, SILENT, "unchanged",
        Then(has=("@pages/Gull.md\nkbexport:: ",), still=True)),
    Row("owner reordered, news", reorders, TAGGED, "merge",
        Then(has=("@pages/Gull.md\nkbexport:: ", "tags:: bird, sea", "It sails"))),
    Row("key twice", edits(FIRST, f"{FIRST}Reads:: 5\n"), NEWS, "conflict",
        Then(code=3, has=("reads:: 10\nReads:: 5", "It sails"), parked=("It sails",),
             places=TWICE, again=3)),
    Row("properties removed", removes(r"\A(?:.+\n)+"), NEWS, "detached",
        Then(has=("It flies",), lacks=("It sails",))),
    Row("pointer removed", removes("^kbexport::.*\n"), NEWS, "detached",
        Then(has=("It flies",), lacks=("It sails",))),
    Row("pointer damaged", removes(r"(?<=kbexport:: .{14} .{12}).*"), NEWS, "held", HELD),
    Row("bullet added elsewhere", edits("It cries.", "It cries.\n\t- My words."), NEWS, "merge",
        Then(has=("\t- It sails.\n\t- It cries.\n\t- My words.",))),
    Row("bullet added below", edits("It flies.", "It flies.\n\t\t- My words."), NEWS, "merge",
        Then(has=("\t- It sails.\n\t\t- My words.\n\t- It cries.",))),
    Row("line ends converted, text added", does(WORDS, crlf), NEWS, "merge",
        Then(has=("\t- My gull.\r\n\t- It sails.\r\n\t- It cries.\r\n",))),
    Row("byte order mark added", converts(lambda old: b"\xef\xbb\xbf" + old), NEWS, "update",
        Then(has=("\ufeffreads::", "It sails"))),
    Row("navigation deleted", removes(r"^- Series: .*\n", "Log (3)*"), LONGER, "merge",
        Then(has=("next:: [[Log (4)",), says="line"), "Log (3)"),
    Row("one paragraph changed by both", edits("It flies.", "It soars."),
        with_gull(body_markdown="The gull.\n\nIt sails.\n\nIt cries.", tags=["sea"]), "conflict",
        Then(code=3, has=("The gull.\n\t- It soars", "tags:: sea"), lacks=("It sails",),
             parked=("It sails",), places=("line 9",))),
    Row("paragraph deleted and changed", edits("\t- It flies.\n", ""), NEWS, "conflict",
        Then(code=3, has=("A gull.\n\t- It cries.",), lacks=("It sails",), parked=("It sails",),
             places=("line 9",))),
    Row("title corrected", nothing, with_gull(title="Gulls"), "update",
        Then(has=('aliases:: "Gulls"', "@pages/Gull.md"), lacks=("@pages/Gulls.md",))),
    Row("part renumbered", nothing, RENUMBERED, "update",
        Then(has=("ordinal:: 7", "@pages/Log (2)： night 2.md"), lacks=("@pages/Log (7)",)),
        "Log (2)"),
    Row("case twin at a wanted name", writes("pages/AUK.md"), with_new("Auk"), "create",
        Then(has=("@pages/AUK.md\nmine", "New."), says="Auk is taken"), "Auk"),
    Row("folder at a wanted name", makes_a_folder("pages/Auk.md"), with_new("Auk"), "create",
        Then(has=("New.",), lacks=("@pages/Auk.md",), says="Auk is taken"), "Auk"),
    Row("older notes, edited, base there", does(checks_out_older_notes(*WALKS, bases=True), WORDS),
        NEWS, "merge", Then(has=MERGED)),
    Row("app file edited", writes("logseq/config.edn"), NEWS, "update",
        Then(has=("@logseq/config.edn\nmine", "It sails"))),
    Row("app file deleted", deletes_file("logseq/config.edn"), NEWS, "update",
        Then(has=("It sails",), lacks=("@logseq/config.edn",))),
]
# fmt: on

OTHERS = frozenset(
    [
        "owner added a key and a comment",
        "source dropped a key that the owner changed",
        "aliases",
        "linter reordered",
        "linter unquoted",
        "linter reordered and unquoted, news",
        "YAML broken",
        "YAML with an anchor",
        "front matter removed",
        "text added elsewhere",
        "normal form twin at a wanted name",
        "folder is a symlink out of the vault",
    ]
)
"""What YAML alone has, what has another name here, and what lies in other folders."""

SHARED = [row for row in ROWS if row.name not in OTHERS | {own.name for own in OWN}]

IN_LOGSEQ = [replace(row, flavor="logseq") for row in (*OWN, *SHARED)]


@pytest.mark.parametrize("row", IN_LOGSEQ, ids=lambda row: row.name)
def test_each_row_of_the_decision_table_holds_in_logseq(row: Row, quick_path: Path) -> None:
    check_row(row, quick_path)


REPEATED = [row for row in IN_LOGSEQ if is_repeated(row)]


@pytest.mark.parametrize("row", REPEATED, ids=lambda row: row.name)
def test_a_second_run_after_each_row_changes_no_byte_in_logseq(row: Row, quick_path: Path) -> None:
    check_second_run(row, quick_path)
