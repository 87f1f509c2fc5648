"""The command line: exit codes, streams, what each command prints."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kbexport import __version__
from kbexport.vault.lock import lock

GULL: dict[str, Any] = {
    "id": "g1",
    "title": "Gull",
    "published": "2024-06-01",
    "body_markdown": "A\u2028gull.",
}
LOGS: list[dict[str, Any]] = [
    {
        "id": f"log{n}",
        "title": f"Lighthouse log ({n}): night {n}",
        "url": f"https://log.example/{n}",
        "published": f"2024-05-{n:02}T20:00:00",
        "reads": 10 * n,
        "tags": ["lamp", "c++"],
        "column": "Tower",
        "body_markdown": f"The lamp burns on night {n}.\n\n```python\nlamp = {n}\n```\n",
    }
    for n in (2, 1, 4)
]

LONE: dict[str, Any] = {
    "id": "k7",
    "title": "Keeping Gulls, part 7",
    "published": "2024-07-01",
    "url": "https://log.example/k7",
}


class Place:
    """A folder in which the command is run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.vault = folder / "vault"

    def write(self, name: str, *posts: dict[str, Any]) -> None:
        lines = [json.dumps(post, ensure_ascii=False) + "\n" for post in posts]
        (self.folder / name).write_text("".join(lines))

    def run(self, *arguments: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "kbexport", *arguments],
            cwd=self.folder,
            input=stdin,
            env={**os.environ, **env},
            check=False,
            capture_output=True,
            encoding="utf-8",
        )
        assert "Traceback" not in done.stderr
        return done


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder with a blog of four posts."""
    place = Place(tmp_path)
    place.write("posts.jsonl", *LOGS, GULL)
    return place


def notes(vault: Path) -> dict[str, str]:
    return {
        path.relative_to(vault).as_posix(): path.read_text()
        for path in vault.rglob("*.md")
        if ".kbexport" not in path.parts
    }


def without_ids(texts: dict[str, str]) -> dict[str, str]:
    return {path: re.sub("kbexport: .*", "", text) for path, text in texts.items()}


# Exit codes and streams of `build`.


def test_build_reports_on_standard_output_and_exits_with_0(place: Place) -> None:
    run = place.run("build", "posts.jsonl", "--out", "vault")

    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("vault: 9 new")


def test_error_names_path_problem_and_hint_and_exits_with_1(place: Place) -> None:
    run = place.run("build", "nowhere.jsonl", "--out", "vault")

    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("error: nowhere.jsonl: there is no such file")
    assert "\n  hint: " in run.stderr
    assert not place.vault.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["build", "posts.jsonl"],
        ["build", "posts.jsonl", "--out", "vault", "--nonsense"],
        ["build", "posts.jsonl", "--out", "vault", "--flavor", "vanilla"],
        ["build", "posts.jsonl", "--out", "vault", "--json", "--diff"],
        ["build", "posts.jsonl", "--out", "vault", "--restore", "p-000000000000"],
        ["nonsense"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2_and_writes_nothing(place: Place, arguments: list[str]) -> None:
    run = place.run(*arguments)

    assert (run.returncode, run.stdout) == (2, "")
    assert not notes(place.vault)


def test_unknown_format_is_an_error_that_names_the_known_ones(place: Place) -> None:
    run = place.run("build", "posts.jsonl", "--out", "vault", "--format", "papyrus")

    assert run.returncode == 2
    assert "'papyrus'" in run.stderr
    assert "jsonl" in run.stderr
    assert not place.vault.exists()


def test_unreadable_post_exits_with_3_and_a_warning_and_the_rest_is_built(place: Place) -> None:
    with (place.folder / "posts.jsonl").open("a") as file:
        file.write("{torn\n")

    run = place.run("build", "posts.jsonl", "--out", "vault")

    assert run.returncode == 3
    assert run.stderr.startswith("warning: posts.jsonl, line 5: ")
    assert "posts/Gull.md" in notes(place.vault)


def test_conflict_exits_with_3_once_and_names_place_and_command(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")
    note = place.vault / "posts/Gull.md"
    note.write_text(note.read_text().replace("gull.", "gull of mine."))
    place.write("posts.jsonl", *LOGS, {**GULL, "body_markdown": "A gull of the source."})

    run = place.run("build", "posts.jsonl", "--out", "vault")
    again = place.run("build", "posts.jsonl", "--out", "vault")

    assert (run.returncode, again.returncode) == (3, 0)
    assert re.search(r"in conflict  posts/Gull.md: .* both changed line \d+: yours", run.stdout)
    assert 'kbexport resolve "vault/posts/Gull.md" --mine' in run.stdout


def test_refused_mass_deletion_exits_with_3_and_says_how_to_accept_it(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")
    for path in notes(place.vault):
        (place.vault / path).unlink()

    refused = place.run("build", "posts.jsonl", "--out", "vault")
    accepted = place.run("build", "posts.jsonl", "--out", "vault", "--accept-deletions")

    assert (refused.returncode, refused.stdout) == (3, "")
    assert "--accept-deletions" in refused.stderr
    assert accepted.returncode == 0


def test_second_command_at_once_exits_with_1(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")

    with lock(place.vault / ".kbexport/lock"):
        run = place.run("build", "posts.jsonl", "--out", "vault")

    assert (run.returncode, run.stdout) == (1, "")
    assert "another kbexport" in run.stderr


def test_report_names_the_id_that_restores_a_deleted_note(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")
    (place.vault / "posts/Gull.md").unlink()
    report = place.run("build", "posts.jsonl", "--out", "vault").stdout
    uid = re.search(r"--restore (\S+)", report)
    assert uid is not None

    run = place.run("build", "posts.jsonl", "--out", "vault", "--restore", uid[1])

    assert run.returncode == 0
    assert "posts/Gull.md" in notes(place.vault)


def test_source_may_be_standard_input(place: Place) -> None:
    run = place.run("build", "-", "--out", "vault", stdin=json.dumps(GULL))

    assert run.returncode == 0
    assert "posts/Gull.md" in notes(place.vault)


def test_no_source_builds_the_sample_and_says_so(place: Place) -> None:
    run = place.run("build", "--out", "vault")

    assert run.returncode == 0
    assert "sample" in run.stderr
    assert len(notes(place.vault)) > 30


def test_the_sample_never_comes_into_the_vault_of_another_blog(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")
    before = notes(place.vault)
    (place.vault / "posts/Gull.md").unlink()
    place.run("build", "posts.jsonl", "--out", "vault")
    (command,) = re.findall("kbexport (build .*)", place.run("status", "vault").stdout)

    run = place.run(*shlex.split(command))

    assert run.returncode == 0
    assert "sample" not in run.stderr
    assert notes(place.vault) == before


# `--json`, `--dry-run`, `--diff`.


def test_json_is_pure_json_with_the_keys_of_the_design(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")
    place.write("again.jsonl", {**LOGS[0], "reads": 1}, {**GULL, "reads": 7}, {"url": "no url"})

    run = place.run("build", "posts.jsonl", "again.jsonl", "--out", "vault", "--json")
    content = json.loads(run.stdout)

    assert list(content) == [
        "vault",
        "dry_run",
        "counts",
        "changes",
        "problems",
        "contradictions",
        "assets",
        "remote_pictures",
        "read",
        "posts",
    ]
    assert content["vault"] == "vault"
    assert content["dry_run"] is False
    assert content["counts"]["update"] == 1
    assert [set(change) for change in content["changes"]] == [{"id", "path", "action", "reason"}]
    assert content["problems"]
    assert {frozenset(problem) for problem in content["problems"]} == {
        frozenset(["source", "place", "reason", "hint"])
    }
    assert [one["field"] for one in content["contradictions"]] == ["reads"]


def test_dry_run_lists_the_plan_and_writes_nothing(place: Place) -> None:
    run = place.run("build", "posts.jsonl", "--out", "vault", "--dry-run")

    assert run.returncode == 0
    assert "new  posts/Gull.md" in run.stdout
    assert not place.vault.exists()


def test_dry_run_as_json_says_that_it_is_one(place: Place) -> None:
    run = place.run("build", "posts.jsonl", "--out", "vault", "--dry-run", "--json")

    content = json.loads(run.stdout)
    assert content["dry_run"] is True
    assert {change["action"] for change in content["changes"]} == {"create"}
    assert not place.vault.exists()


def test_diff_can_be_applied_and_gives_the_notes_of_the_build(place: Place) -> None:
    place.run("build", "posts.jsonl", "--out", "vault")
    patched = place.folder / "patched"
    extras = {name: (place.vault / name).read_text() for name in ("posts.base", "series.canvas")}
    for path, text in {**notes(place.vault), **extras}.items():
        (patched / path).parent.mkdir(parents=True, exist_ok=True)
        (patched / path).write_text(text)
    new = {**LOGS[0], "id": "log3", "title": "Lighthouse log (3): new", "url": "https://x.example"}
    place.write("posts.jsonl", *LOGS, new, {**GULL, "body_markdown": "A\u2028gull.\n\nAnother."})

    shown = place.run("build", "posts.jsonl", "--out", "vault", "--dry-run", "--diff")
    written = place.run("build", "posts.jsonl", "--out", "vault", "--diff")
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=patched,
        input=shown.stdout.encode(),
        check=True,
    )

    assert notes(patched) == notes(place.vault)
    assert shown.stdout.split("vault: ")[0] == written.stdout.split("vault: ")[0]


# `series` and `posts`.


def test_series_jsonl_has_one_object_a_post_in_input_order(place: Place) -> None:
    run = place.run("series", "posts.jsonl", "--jsonl")

    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0
    assert {tuple(line) for line in lines} == {
        ("id", "title", "series", "ordinal", "prev", "next", "evidence")
    }
    assert [line.pop("evidence") != "" for line in lines] == [True] * 4
    name = "Lighthouse log"
    titles = [post["title"] for post in (*LOGS, GULL)]
    assert [tuple(line.values()) for line in lines] == [
        ("log2", titles[0], name, 2, "log1", "log4"),
        ("log1", titles[1], name, 1, None, "log2"),
        ("log4", titles[2], name, 4, "log2", None),
        ("g1", titles[3], None, None, None, None),
    ]


def test_series_explains_why_a_post_is_where_it_is(place: Place) -> None:
    run = place.run("series", "posts.jsonl", "--why", "*night 2")

    lines = run.stdout.splitlines()
    assert run.returncode == 0
    assert lines[0] == "Lighthouse log (2): night 2 · 2024-05-02 · log2"
    assert lines[1].startswith("  in “Lighthouse log”, 2 of 3: ")
    assert any(line.startswith("  won ") for line in lines)


@pytest.mark.parametrize(
    "arguments",
    [("--why", "No such post"), ("--why", "*", "--jsonl"), ("--why", "Memo *")],
    ids=["no post", "jsonl", "too many"],
)
def test_series_cannot_explain(place: Place, arguments: tuple[str, ...]) -> None:
    place.write("many.jsonl", *({"id": f"m{n}", "title": f"Memo {n} of mine"} for n in range(21)))

    run = place.run("series", "posts.jsonl", "many.jsonl", *arguments)

    assert run.returncode == 2
    assert "hint: " in run.stderr


def test_series_lists_doubles_and_lone_parts(place: Place) -> None:
    place.write("more.jsonl", {**LOGS[0], "id": "x", "url": "https://log.example/x"}, LONE)

    run = place.run("series", "posts.jsonl", "more.jsonl")

    assert "Lighthouse log · 4 · missing 3 · double 2" in run.stdout
    lone = run.stdout.split("lone parts that may belong · 1\n")[1]
    assert lone.startswith("7\tKeeping Gulls, part 7\t2024-07-01\t")


def test_rules_for_series_change_the_vault_and_taking_them_out_changes_it_back(
    place: Place,
) -> None:
    config = place.folder / "kbexport.toml"
    place.run("build", "posts.jsonl", "--out", "vault")
    before = {p: p.read_bytes() for p in place.vault.rglob("*.md")}

    config.write_text('[series]\nname = { "Lighthouse log" = "Logbook" }\nforbid = ["Rat*"]\n')
    changed = place.run("build", "posts.jsonl", "--out", "vault")
    renamed = (place.vault / "Lighthouse log/Lighthouse log.md").read_text()
    config.write_text("")
    place.run("build", "posts.jsonl", "--out", "vault")

    assert changed.returncode == 0
    assert "warning: kbexport.toml, [series] forbid: `Rat*` names no post" in changed.stderr
    assert "Logbook" in renamed
    assert {p: p.read_bytes() for p in place.vault.rglob("*.md")} == before


def test_series_shows_a_table_with_gaps_and_evidence(place: Place) -> None:
    run = place.run("series", "posts.jsonl")

    assert run.returncode == 0
    assert "Lighthouse log" in run.stdout
    assert "missing 3" in run.stdout
    assert "the title names" in run.stdout


def test_posts_jsonl_gives_back_what_was_read(place: Place) -> None:
    run = place.run("posts", "posts.jsonl", "--jsonl")

    read = [json.loads(line) for line in run.stdout.split("\n") if line]
    assert [post["id"] for post in read] == ["log2", "log1", "log4", "g1"]
    origins = read[1].pop("origins")
    assert read[1] == LOGS[1]
    assert origins == dict.fromkeys(LOGS[1], "jsonl")


def test_vault_built_from_posts_jsonl_has_the_same_notes_apart_from_ids(place: Place) -> None:
    (place.folder / "again.jsonl").write_text(place.run("posts", "--jsonl").stdout)

    place.run("build", "--out", "vault")
    place.run("build", "again.jsonl", "--out", "other")

    assert without_ids(notes(place.folder / "other")) == without_ids(notes(place.vault))


def test_posts_schema_is_the_json_schema_of_the_format(place: Place) -> None:
    run = place.run("posts", "--schema")

    schema = json.loads(run.stdout)
    assert set(schema["properties"]) == set(
        "id title url published updated author reads tags categories column kind pinned excerpt"
        " body_markdown body_html series ordinal slug attachments".split()
    )
    assert schema["type"] == "object"
    assert not schema.get("required")
    assert all(field["description"] for field in schema["properties"].values())


@pytest.mark.parametrize("command", ["posts", "series"])
def test_commands_that_read_exit_with_3_where_something_was_unreadable(
    place: Place, command: str
) -> None:
    run = place.run(command, "posts.jsonl", "nowhere.txt", "--jsonl")

    assert run.returncode == 3
    assert "warning: nowhere.txt: " in run.stderr
    assert "Gull" in run.stdout


# `init`, and the file it writes.


def test_init_writes_a_file_that_build_reads(place: Place) -> None:
    run = place.run("init")
    config = place.folder / "kbexport.toml"
    assert run.returncode == 0
    assert config.read_text().count("#") > 10

    text = config.read_text()
    assert place.run("build", "posts.jsonl", "--out", "vault").returncode == 0
    for key in ("sources", "out"):
        text = text.replace(f"# {key} =", f"{key} =")
    config.write_text(text.replace('["pages/", "articles/"]', '["posts.jsonl"]'))
    built = place.run("build")

    assert (built.returncode, built.stderr) == (0, "")
    assert "unchanged" in built.stdout


def test_every_key_that_init_shows_is_known(place: Place) -> None:
    place.run("init", "other")
    config = place.folder / "other/kbexport.toml"
    live = re.sub(r"^# (?=\w+ = )", "", config.read_text(), flags=re.MULTILINE)
    config.write_text(live.replace('["pages/", "articles/"]', '["../posts.jsonl"]'))
    (place.folder / "other/templates").mkdir()

    run = place.run("build", "--config", "other/kbexport.toml")

    mistakes = re.findall(
        r"^warning: other/kbexport.toml, \[series\] (\w+): ", run.stderr, re.MULTILINE
    )
    assert run.returncode == 0
    assert set(mistakes) == {"forbid", "split", "join", "name", "order"}
    assert len(run.stderr.splitlines()) == 2 * len(mistakes)
    assert "posts/Gull.md" in notes(place.folder / "other/vault")


def test_init_does_not_overwrite(place: Place) -> None:
    (place.folder / "kbexport.toml").write_text("# mine\n")

    run = place.run("init")

    assert run.returncode == 1
    assert "kbexport.toml: exists already" in run.stderr
    assert (place.folder / "kbexport.toml").read_text() == "# mine\n"


def test_init_in_the_place_of_a_file_names_that_file(place: Place) -> None:
    run = place.run("init", "posts.jsonl")

    assert run.returncode == 1
    assert run.stderr.startswith("error: posts.jsonl: ")


@pytest.mark.parametrize(
    ("toml", "named"),
    [("colour = 1", "`colour`"), ("[tags]\nlose = []", "lose"), ("# x\nout = [\n\n}", "line 4")],
    ids=["unknown key", "unknown key in a table", "not TOML"],
)
def test_bad_configuration_names_file_and_place(place: Place, toml: str, named: str) -> None:
    (place.folder / "kbexport.toml").write_text(toml)

    run = place.run("build", "posts.jsonl", "--out", "vault")

    assert run.returncode == 1
    assert run.stderr.startswith("error: kbexport.toml: ")
    assert named in run.stderr
    assert not place.vault.exists()


# The rest.


def test_version_is_that_of_the_package(place: Place) -> None:
    assert place.run("--version").stdout == f"kbexport {__version__}\n"


def test_no_colour_off_a_terminal_and_with_no_color(place: Place) -> None:
    for env in ({}, {"NO_COLOR": "1", "FORCE_COLOR": ""}):
        run = place.run("series", "posts.jsonl", **env)

        assert "\x1b" not in run.stdout + run.stderr


def test_shell_completion_can_be_installed(place: Place) -> None:
    text = place.run("--help", NO_COLOR="1").stdout

    assert "--install-completion" in text
    assert "--show-completion" in text


def test_output_that_nobody_reads_to_the_end_is_no_error(place: Place) -> None:
    run = subprocess.Popen(
        [sys.executable, "-m", "kbexport", "posts", "--jsonl"],
        cwd=place.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.readline()
    run.stdout.close()

    assert b"Traceback" not in run.stderr.read()
    run.stderr.close()
    assert run.wait() == 0


LIBRARIES = {
    "feedparser",
    "frontmatter",
    "jinja2",
    "lxml",
    "pydantic",
    "rapidfuzz",
    "rich.console",
    "httpx",
    "slugify",
    "turbohtml",
    "yaml",
}


@pytest.mark.parametrize(
    ("arguments", "typers_own"), [(["--help"], set()), (["build", "--help"], {"pydantic"})]
)
def test_only_typer_is_imported_for_help(
    place: Place, arguments: list[str], typers_own: set[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "kbexport", *arguments],
        cwd=place.folder,
        check=True,
        capture_output=True,
        encoding="utf-8",
    )

    loaded = {line.rsplit("|", 1)[-1].strip() for line in run.stderr.splitlines()}
    assert "typer" in loaded
    assert loaded & LIBRARIES <= typers_own
    assert not [name for name in loaded if name.startswith("kbexport.") and name not in OURS]


def test_a_build_without_the_flag_does_not_even_load_what_uses_the_network(place: Place) -> None:
    run = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "kbexport", "build", "--out", "vault"],
        cwd=place.folder,
        check=True,
        capture_output=True,
        encoding="utf-8",
    )

    assert "kbexport.pipeline" in run.stderr
    assert "httpx" not in run.stderr


OURS = {"kbexport.cli", "kbexport.errors", "kbexport.options", "kbexport.__main__"}


def test_posts_without_a_body_are_listed_by_address_to_fetch_them(place: Place) -> None:
    place.write("posts.jsonl", *LOGS, LONE, {"title": "Nowhere", "published": "2024-01-01"})

    run = place.run("posts", "posts.jsonl", "--missing-bodies")

    assert run.stdout == "https://log.example/k7\n"
    assert run.stderr == "1 more posts have neither a body nor an address\n"
    assert run.returncode == 0


def test_missing_bodies_and_jsonl_exclude_each_other(place: Place) -> None:
    run = place.run("posts", "posts.jsonl", "--missing-bodies", "--jsonl")

    assert run.returncode == 2
    assert "take one of them" in run.stderr


def test_posts_say_where_each_field_came_from_and_what_others_have(place: Place) -> None:
    place.write("a.jsonl", {**GULL, "reads": 5, "url": "https://log.example/g"})
    (place.folder / "b.md").write_text(
        "---\ntitle: Gull\ndate: 2024-06-01\nreads: 9\nurl: https://log.example/g\n---\nB.\n"
    )

    run = place.run("posts", "a.jsonl", "b.md", "--jsonl")
    again = place.run("posts", "-", "--jsonl", stdin=run.stdout)

    (post,) = map(json.loads, run.stdout.splitlines())
    assert post["reads"] == 9
    assert post["origins"]["reads"] == "markdown; not 5 in a.jsonl, line 1"
    assert post["origins"]["id"] == "jsonl"
    assert again.stderr == ""
    assert json.loads(again.stdout)["origins"]["reads"] == "jsonl"


def test_the_report_tells_how_many_posts_of_which_format_were_joined(place: Place) -> None:
    place.write("a.jsonl", *LOGS, GULL)
    (place.folder / "b.md").write_text("---\ntitle: Gull\ndate: 2024-06-01\n---\nA gull.\n")

    run = place.run("build", "a.jsonl", "b.md", "--out", "vault")

    assert "\n  read: jsonl 4, markdown 1; 4 posts after joining\n" in run.stdout
