"""The decision table of `reexport.md`, section 3, row by row; other tests hold the corners.

Two machines with different sources are in `test_vault_git.py`.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import pytest
from blog import Blog
from deeds import (
    FAILURES,
    REFUSALS,
    Deed,
    Posts,
    Run,
    builds,
    checks_out_older_notes,
    converts,
    copies,
    crlf,
    deletes,
    deletes_and_undoes,
    deletes_file,
    does,
    edits,
    fails_to_sync,
    has_conflict_marks_in_the_manifest,
    links_a_copy_in_and_moves,
    links_the_folder_away,
    links_the_note_away,
    loses_memory,
    loses_most,
    loses_state,
    makes_a_folder,
    may_not_write_the_note,
    moves,
    nothing,
    removes,
    reorders,
    restores,
    says_in_the_manifest,
    tears_bases,
    tears_memory,
    unquotes,
    while_another_runs,
    while_the_owner,
    writes,
)

from kbexport.errors import KbexportError, RefusedError
from kbexport.flavors.pointer import is_untouched
from kbexport.vault import WRITES, Plan

GULL = {
    "title": "Gull",
    "url": "https://b.example/gull",
    "reads": 10,
    "tags": ["bird"],
    "body_markdown": "A gull.\n\nIt flies.\n\nIt cries.",
}
TERN = {"title": "Tern", "url": "https://b.example/t", "body_markdown": "A tern."}
LOGS: Posts = tuple(
    {
        "title": f"Log ({n}): night {n}",
        "url": f"https://b.example/{n}",
        "published": f"2024-05-0{n}",
    }
    for n in (1, 2, 3, 4)
)
REST: Posts = (TERN, *LOGS[:3])
SILENT: Posts = (GULL, *REST)


def with_gull(**new: object) -> Posts:
    return ({**GULL, **new}, *REST)


def with_new(title: str, text: str = "New.", posts: Posts = SILENT) -> Posts:
    return (*posts, {"title": title, "url": "https://b.example/new", "body_markdown": text})


SAILS = "A gull.\n\nIt sails.\n\nIt cries."
NEWS = with_gull(body_markdown=SAILS)
TAGGED = with_gull(body_markdown=SAILS, tags=["bird", "sea"])
WALKS = with_gull(body_markdown="A gull.\n\nIt walks.\n\nIt cries.")
RENUMBERED: Posts = (GULL, TERN, LOGS[0], {**LOGS[1], "title": "Log (7): night 2"}, LOGS[2])
LONGER: Posts = (*SILENT, LOGS[3])
WORDS = edits("A gull", "My gull")
MOOD = edits("---\n", "---\nmood: fine\n", "Log (2)*")


@dataclass(frozen=True, kw_only=True)
class Then:
    """What is to be seen after the run."""

    code: int = 0
    has: tuple[str, ...] = ()
    """What the visible notes say, places of files included."""
    lacks: tuple[str, ...] = ()
    parked: tuple[str, ...] = ()
    says: str = ""
    """What the report says of it."""
    places: tuple[str, ...] = ()
    """The properties and lines that are named as conflicts."""
    still: bool = False
    """Whether no file at all changes."""
    again: int = 0
    """The exit code of the run after it, which writes nothing."""
    later: tuple[str, ...] = ()
    """What the visible notes say after the next run, where that one finishes the job."""


PLAINLY = builds()
TYPING = while_the_owner(edits("It cries.", "It cries.\n\nMy words."))
LINKING = while_the_owner(links_the_note_away)


@dataclass(frozen=True)
class Row:
    """One line of the table: what owner and source did, and what becomes of the note."""

    name: str
    owner: Deed
    posts: Posts
    action: str
    """What happens to the note; empty where the run is refused."""
    then: Then
    stem: str = "Gull"
    run: Run = PLAINLY
    flavor: str = "auto"


SEEN = Then(has=("It sails",), lacks=("It flies",))
OPAQUE = ("the front matter, which is no YAML that can be understood",)
MERGED = ("My gull", "It sails")
HELD = Then(code=3, has=("It flies",), lacks=("It sails",), parked=("It sails",), again=3)
REFUSED = Then(code=1, has=("It flies",), lacks=("It sails",), still=True)

# One row a line, as in the paper, as far as that goes.
# fmt: off
ROWS = [
    Row("source silent", nothing, SILENT, "unchanged", Then(has=("A gull.",), still=True)),
    Row("source silent, note edited", WORDS, SILENT, "unchanged",
        Then(has=("My gull",), still=True)),
    Row("source changed, note untouched", nothing, NEWS, "update", SEEN),
    Row("new post", nothing, with_new("Auk"), "create", Then(has=("@posts/Auk.md", "New.")), "Auk"),
    Row("new post, name taken", writes("posts/Auk.md"), with_new("Auk"), "create",
        Then(has=("@posts/Auk.md\nmine", "New."), says="Auk is taken"), "Auk"),
    Row("post in no source any more", nothing, REST, "unchanged",
        Then(has=("A gull.", "[[Gull]]"), says="1 orphan", still=True)),
    Row("part in no source any more", nothing, (GULL, TERN, *LOGS[:2]), "unchanged",
        Then(has=('next: ["[[Log (3)', "* 3 · [[Log (3)"), says="1 orphan", still=True), "Log (3)"),

    Row("owner added a key and a comment", edits("---\n", "---\nmood: fine # mine\n# mine\n"),
        NEWS, "merge", Then(has=("---\nmood: fine # mine\n# mine\n'title'", "It sails"))),
    Row("owner changed a value, source silent there", edits("reads: 10", "reads: 77"), NEWS,
        "merge", Then(has=("reads: 77\n", "It sails"))),
    Row("both changed one scalar", edits('"Gull"', '"My gull"'), with_gull(title="Gulls"),
        "conflict", Then(code=3, has=('"My gull"',), parked=('"Gulls"',), places=("title",))),
    Row("owner removed a key that the source changes", removes("^reads:.*\n"),
        with_gull(reads=99), "merge", Then(lacks=("reads: 99", "reads: 10\n"), says="reads")),
    Row("reads of the owner's own", edits("reads: 10", "reads: 77"), with_gull(reads=99), "merge",
        Then(has=("reads: 77",), lacks=("reads: 99",), says="reads")),
    Row("source dropped a key", does(MOOD, deletes("Log (3)*")), SILENT, "merge",
        Then(has=("mood: fine",), lacks=('next: ["[[Log (3)',)), "Log (2)"),
    Row("source dropped a key that the owner changed",
        does(removes("^next: .*\n", "Log (2)*"), edits("---\n", "---\nnext: mine\n", "Log (2)*"),
             deletes("Log (3)*")),
        SILENT, "merge", Then(has=("next: mine\n",), says="next"), "Log (2)"),
    Row("tag added by each and removed by the owner", edits('["bird"]', '["mine"]'),
        with_gull(tags=["bird", "sea"]), "merge", Then(has=('["mine", "sea"]',))),
    Row("tag removed by the source", edits('["bird"]', '["bird", "mine"]'), with_gull(tags=["sea"]),
        "merge", Then(has=('["mine", "sea"]',))),
    Row("aliases", edits('["Log(2)"]', '["mine", "log(7)"]', "Log (2)*"), RENUMBERED, "merge",
        Then(has=('["mine", "log(7)", "Log(7)"]',)), "Log (2)"),
    Row("tags, whatever their case", edits('["bird"]', '["Bird", "SEA"]'),
        with_gull(tags=["bird", "sea", "sky"]), "merge", Then(has=('["Bird", "SEA", "sky"]',))),

    Row("linter reordered", reorders, SILENT, "unchanged",
        Then(has=("---\nkbexport: ",), still=True)),
    Row("linter unquoted", unquotes, SILENT, "unchanged", Then(has=("\nurl: http",), still=True)),
    Row("linter reordered and unquoted, news", does(reorders, unquotes), TAGGED, "merge",
        Then(has=("---\nkbexport: ", "\nurl: http", '["bird", "sea"]', "It sails"))),
    Row("YAML broken", edits("---\n", "---\nbroken: : x\n"), NEWS, "conflict",
        Then(code=3, has=("---\nbroken: : x\n'title'", "It sails"), parked=("It sails",),
             places=OPAQUE, again=3)),
    Row("key twice", edits("---\n", "---\nurl: x\n"), NEWS, "conflict",
        Then(code=3, has=("---\nurl: x\n'title'", "It sails"), parked=("It sails",),
             places=OPAQUE, again=3)),
    Row("YAML with an anchor", edits("---\n", "---\na: &x 1\nb: *x\n"), NEWS, "conflict",
        Then(code=3, has=("---\na: &x 1\nb: *x\n", "It sails"), parked=("It sails",),
             places=OPAQUE, again=3)),
    Row("front matter removed", removes(r"\A---\n(?s:.)*?^---\n"), NEWS, "detached",
        Then(has=("It flies",), lacks=("It sails",))),
    Row("pointer removed", removes("^kbexport: .*\n"), NEWS, "detached",
        Then(has=("It flies",), lacks=("It sails",))),
    Row("pointer damaged", removes(r'[0-9a-f]{4}"$'), NEWS, "held", HELD),

    Row("text added elsewhere", edits("It cries.", "It cries.\n\nMy words."), NEWS, "merge",
        Then(has=("It sails.\n\nIt cries.\n\nMy words",))),
    Row("text added right under", edits("It flies.", "It flies.\nMy words."), NEWS, "merge",
        Then(has=("It sails.\nMy words",))),
    Row("line ends converted", crlf, NEWS, "update", Then(has=("It sails.\r\n",))),
    Row("line ends converted, text added", does(WORDS, crlf), NEWS, "merge",
        Then(has=("My gull.\r\n\r\nIt sails.\r\n\r\nIt cries.\r\n",))),
    Row("byte order mark added", converts(lambda old: b"\xef\xbb\xbf" + old), NEWS, "update",
        Then(has=("\ufeff---", "It sails"))),
    Row("navigation deleted", removes(r"^- \[\[Log\]\].*\n", "Log (3)*"), LONGER, "merge",
        Then(has=('next: ["[[Log (4)',), lacks=("· 3 ·",), says="line"), "Log (3)"),
    Row("one paragraph changed by both", edits("It flies.", "It soars."),
        with_gull(body_markdown="The gull.\n\nIt sails.\n\nIt cries.", tags=["sea"]), "conflict",
        Then(code=3, has=("The gull.\n\nIt soars", '["sea"]'), lacks=("It sails",),
             parked=("It sails",), places=("line 15",))),
    Row("paragraph deleted and changed", edits("It flies.\n\n", ""), NEWS, "conflict",
        Then(code=3, has=("A gull.\n\nIt cries.",), lacks=("It sails",), parked=("It sails",),
             places=("line 15",))),

    Row("note moved and renamed", moves("Log (2)*", "moved.md"), SILENT, "unchanged",
        Then(has=("@moved.md", "[[moved"), lacks=("[[Log (2)",)), "moved"),
    Row("title corrected", nothing, with_gull(title="Gulls"), "update",
        Then(has=('"Gulls"', "@posts/Gull.md", "[[Gull"), lacks=("@posts/Gulls.md",))),
    Row("part renumbered", nothing, RENUMBERED, "update",
        Then(has=("ordinal: 7", "@Log/Log (2)： night 2.md"), lacks=("@Log/Log (7)",)), "Log (2)"),
    Row("note deleted, source silent", deletes(), SILENT, "deleted",
        Then(lacks=("A gull.", "[[Gull]]"), says="--restore p-")),
    Row("note deleted, source changes", deletes(), NEWS, "deleted",
        Then(lacks=("It sails", "[[Gull]]"))),
    Row("note deleted and restored", deletes(), NEWS, "create", Then(has=("It sails", "[[Gull]]")),
        run=restores),
    Row("deleted note is back", deletes_and_undoes(*SILENT), NEWS, "update",
        Then(has=("It sails", "[[Gull]]"))),
    Row("most notes vanished", loses_most, NEWS, "",
        Then(code=3, says="--accept-deletions", still=True)),
    Row("most notes vanished, accepted", loses_most, NEWS, "deleted", Then(lacks=("It sails",)),
        run=builds(accept_deletions=True)),
    Row("copy beside the note", copies("copy"), NEWS, "update",
        Then(has=("It sails", "It flies"), says="copy.md has the id of")),
    Row("copies, none in its place", does(copies("a", "b"), deletes()), NEWS, "ambiguous",
        Then(code=3, has=("It flies",), lacks=("It sails",), says="a.md, b.md", again=3)),

    Row("case twin at a wanted name", writes("posts/AUK.md"), with_new("Auk"), "create",
        Then(has=("@posts/AUK.md\nmine", "New."), lacks=("@posts/Auk.md",), says="Auk is taken"),
        "Auk"),
    Row("normal form twin at a wanted name", writes("posts/Cafe\u0301.md"), with_new("Caf\xe9"),
        "create", Then(has=("mine", "New."), lacks=("@posts/Caf\xe9.md",), says="Caf\xe9 is taken"),
        "Caf\xe9"),
    Row("folder at a wanted name", makes_a_folder("posts/Auk.md"), with_new("Auk"), "create",
        Then(has=("New.",), lacks=("@posts/Auk.md",), says="Auk is taken"), "Auk"),
    Row("name too long", nothing, with_new("Auk" * 100), "create", Then(has=("New.",)), "AukAuk"),
    Row("folder is a symlink out of the vault", links_the_folder_away, with_new("Log (4)", "New.",
        NEWS), "skipped", Then(code=3, has=("New.",), again=3)),
    Row("copy behind a symlink", links_a_copy_in_and_moves, NEWS, "update", SEEN),
    Row("note is a symlink", links_the_note_away, with_new("Auk", "New.", NEWS), "skipped",
        Then(code=3, has=("New.",), lacks=("It sails",), again=3)),
    *(Row(f"note cannot be written, {errno.errorcode[number]}", nothing, with_new("Auk", "New.",
          NEWS), "skipped", Then(code=3, has=("It flies", "New."), lacks=("It sails",),
          later=("It sails",)), run=may_not_write_the_note(number)) for number in REFUSALS),
    *(Row(f"disk fails, {errno.errorcode[number]}", nothing, NEWS, "", REFUSED,
          run=fails_to_sync(number)) for number in FAILURES),
    *(Row(f"disk fails at the note, {errno.errorcode[number]}", nothing, NEWS, "",
          Then(code=1, has=("It flies",), lacks=("It sails",)), run=may_not_write_the_note(number))
      for number in FAILURES),
    Row("note edited while we run", nothing, ({**TERN, "reads": 5}, NEWS[0], *LOGS), "skipped",
        Then(code=3, has=("My words", "It flies"), lacks=("It sails",),
             later=("It sails.\n\nIt cries.\n\nMy words.",)), run=TYPING),
    Row("note made a symlink while we run", nothing, ({**TERN, "reads": 5}, NEWS[0], *LOGS),
        "skipped", Then(code=3, has=("It flies",), lacks=("It sails",)), run=LINKING),

    Row("older notes under newer state", checks_out_older_notes(*WALKS), NEWS, "update", SEEN),
    Row("older notes, edited, base there", does(checks_out_older_notes(*WALKS, bases=True), WORDS),
        NEWS, "merge", Then(has=MERGED)),
    Row("older notes, edited, base gone", does(checks_out_older_notes(*WALKS), WORDS), NEWS,
        "held", HELD),
    Row("state lost, note untouched", loses_state, NEWS, "update", SEEN),
    Row("state lost, note edited", does(loses_state, WORDS), NEWS, "held", HELD),
    Row("state lost, note missing", does(loses_state, deletes()), NEWS, "missing",
        Then(code=3, lacks=("It sails",), says="--restore-missing", again=3)),
    Row("state lost, note missing, restored", does(loses_state, deletes()), NEWS, "create",
        Then(has=("It sails",)), run=builds(restore_missing=True)),
    Row("conflict marks in the manifest", does(has_conflict_marks_in_the_manifest, WORDS), NEWS,
        "merge", Then(has=MERGED)),
    Row("first record in the manifest outdated, note untouched",
        says_in_the_manifest('"b":"', '"b":"0123456789abcdef","old":"'), NEWS, "update", SEEN),
    Row("bases torn and converted, note untouched", tears_bases, NEWS, "update", SEEN),
    Row("bases torn and converted, note edited", does(tears_bases, WORDS), NEWS, "held", HELD),
    Row("memory torn, post in a source", tears_memory, NEWS, "update",
        Then(code=3, has=("It sails",), says="cannot be read")),
    Row("memory torn, post in no source", tears_memory, REST, "forgotten",
        Then(code=3, has=("It flies",), says="cannot be read", again=3)),
    Row("memory gone, post in a source", loses_memory, NEWS, "update", SEEN),
    Row("memory gone, post in no source", loses_memory, REST, "forgotten",
        Then(code=3, has=("It flies",), again=3)),

    Row("app file edited", writes(".obsidian/app.json"), NEWS, "update",
        Then(has=("@.obsidian/app.json\nmine", "It sails"))),
    Row("app file deleted", deletes_file(".obsidian/app.json"), NEWS, "update",
        Then(has=("It sails",), lacks=("@.obsidian/app.json",))),
    Row("second run at once", nothing, NEWS, "", REFUSED, run=while_another_runs),
    Row("another flavor", nothing, NEWS, "", REFUSED, run=builds(flavor="obsidian")),
    Row("unknown format", says_in_the_manifest('"format":1', '"format":99'), NEWS, "", REFUSED),
]
# fmt: on


def visible(blog: Blog) -> str:
    """All that the owner sees: the place of each file behind an @, then its text."""
    files = (path for path in blog.files() if not path.startswith(".kbexport/"))
    return "".join(
        f"@{path}\n{(blog.vault / path).read_bytes().decode()}\n" for path in sorted(files)
    )


def exit_code(plan: Plan) -> int:
    return 3 if plan.needs_eye else 0


def check_note(row: Row, plan: Plan, uid: str | None, changed: set[str]) -> str:
    """The plan's line of the note does what it says; what the report says of it."""
    (change,) = [one for one in plan.changes if (one.uid == uid if uid else row.stem in one.path)]
    assert change.action == row.action
    assert change.places == row.then.places
    assert (change.path in changed) == (change.action in WRITES) or row.run in (TYPING, LINKING)
    record = plan.manifest.records[change.uid]
    assert record.on == (change.action not in ("deleted", "missing"))
    told = [f"{problem.source} {problem.reason}" for problem in plan.problems]
    aside = [f"{name} is taken" for name in plan.stepped_aside.values()]
    return "\n".join([change.reason, *told, *aside, f"{plan.orphans} orphans"])


def begun(row: Row, folder: Path) -> tuple[Blog, str | None]:
    """The vault after the owner's deed, and the id of the note, where it is there before."""
    blog = Blog(folder)
    blog.build(*SILENT, flavor=row.flavor)
    uids = {record["p"]: record["id"] for record in blog.records()}
    row.owner(blog)
    return blog, next((uid for path, uid in uids.items() if f"/{row.stem}" in path), None)


def check_row(row: Row, folder: Path) -> None:
    """What becomes of the note is what the row says."""
    blog, uid = begun(row, folder)
    before, then = blog.files(), row.then
    try:
        plan = row.run(blog, row.posts)
    except KbexportError as error:
        plan = None
        code, said = 3 if isinstance(error, RefusedError) else 1, f"{error} {error.hint}"
    after = blog.files()
    changed = {path for path in before.keys() | after if before.get(path) != after.get(path)}
    assert (plan is None) == (not row.action)
    if plan is not None:
        code, said = exit_code(plan), check_note(row, plan, uid, changed)
    text = visible(blog)
    parked = "".join(path.read_text() for path in blog.state.glob("conflicts/*"))

    assert code == then.code
    assert then.says in said
    assert [fact for fact in then.has if fact not in text] == []
    assert [fact for fact in (*then.lacks, "<<<<<<<") if fact in text] == []
    assert [fact for fact in then.parked if fact not in parked] == []
    assert bool(parked) == bool(then.parked)
    assert changed <= {".kbexport/lock"} or not then.still


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_row_of_the_decision_table_holds(row: Row, tmp_path: Path) -> None:
    check_row(row, tmp_path)


# Where the owner was quicker, a base lies there that the next run collects.
def is_repeated(row: Row) -> bool:
    """Whether the run after the row's is to change nothing."""
    return bool(row.action) and not row.then.later and row.run not in (TYPING, LINKING)


REPEATED = [row for row in ROWS if is_repeated(row)]


def check_second_run(row: Row, folder: Path) -> None:
    """The run after the row's writes nothing."""
    blog, _ = begun(row, folder)
    row.run(blog, row.posts)
    before = blog.files()

    plan = blog.build(*row.posts)

    assert blog.files() == before
    assert exit_code(plan) == row.then.again


@pytest.mark.parametrize("row", REPEATED, ids=lambda row: row.name)
def test_a_second_run_after_each_row_changes_no_byte(row: Row, tmp_path: Path) -> None:
    check_second_run(row, tmp_path)


FINISHED = [row for row in ROWS if row.then.later]


@pytest.mark.parametrize("row", FINISHED, ids=lambda row: row.name)
def test_the_run_after_a_skipped_note_finishes_the_job(row: Row, tmp_path: Path) -> None:
    blog, _ = begun(row, tmp_path)
    row.run(blog, row.posts)

    plan = blog.build(*row.posts)
    before, text = blog.files(), visible(blog)
    blog.build(*row.posts)

    assert exit_code(plan) == 0
    assert [fact for fact in row.then.later if fact not in text] == []
    assert blog.files() == before


def test_a_note_that_was_updated_is_the_rendering_of_a_fresh_build(tmp_path: Path) -> None:
    blog, fresh = Blog(tmp_path), Blog(tmp_path / "fresh")
    fresh.vault.parent.mkdir()
    blog.build(*SILENT)

    blog.build(*TAGGED)
    fresh.build(*TAGGED)

    assert is_untouched(blog.note("Gull").read_text())
    assert blog.note("Gull").read_bytes() == fresh.note("Gull").read_bytes()


def test_two_machines_with_the_same_sources_write_the_same_bytes(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        blog = Blog(tmp_path / name)
        blog.build(*SILENT)
        blog.build(*NEWS)
        contents.append({path: file[0] for path, file in blog.files().items()})

    assert contents[0] == contents[1]
