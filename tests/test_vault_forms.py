"""What apps and formatters do to a note, and counts of reads: nothing of it is a conflict."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from blog import Blog

from kbexport.vault.forms import in_form, is_odd
from kbexport.vault.reads import only_few_reads

GULL = {
    "title": "Gull #1 --- [[x]]",
    "url": "https://b.example/g",
    "published": "2024-05-01",
    "reads": 1000,
    "tags": ["bird", "c++"],
    "series": "Birds",
    "body_markdown": "A gull.\n\n* It flies.\n* It cries.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "```py\nx = 1\n\ny = 2\n```\n\nThe *end* of it.",
}
TERN = {**GULL, "title": "Tern", "url": "https://b.example/t", "published": "2024-05-02"}
NEWS = {**GULL, "body_markdown": GULL["body_markdown"].replace("A gull.", "The gull.")}  # type: ignore[attr-defined]


@pytest.fixture(params=["both", "obsidian"])
def blog(tmp_path: Path, request: pytest.FixtureRequest) -> Blog:
    made = Blog(tmp_path)
    made.build(GULL, TERN, flavor=request.param)
    return made


def properties(text: str) -> dict[str, object]:
    found: dict[str, object] = yaml.safe_load(text.split("---\n")[1])
    return found


def as_obsidian_saves(text: str) -> str:
    """The block as Obsidian writes it when a property is edited there: `formats.md`, section 3."""
    _, block, rest = re.split(r"^---\n", text, maxsplit=2, flags=re.MULTILINE)
    content = yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - texts only
    content["mood"] = "fine"
    lines = []
    for key, value in content.items():
        if isinstance(value, list):
            items = [yaml.safe_dump(item, allow_unicode=True).split("\n")[0] for item in value]
            lines += [f"{key}:", *(f"  - {item}" for item in items)]
        else:
            plain = re.fullmatch(r"[\w./:-]+", value) and not value.startswith("-")
            lines.append(f"{key}: {value}" if plain else f'{key}: "{value}"')
    return "---\n" + "\n".join(lines) + "\n---\n" + rest


def as_logseq_saves(text: str) -> str:
    """Bullets before every block of the body, at the first edit there."""
    head, mark, body = text.partition("---\n\n")
    blocks = re.split(r"\n\n(?!y = 2)", body.strip("\n"))
    return (
        head
        + mark
        + "\n".join(block if block.startswith("- ") else f"- {block}" for block in blocks)
    )


def as_prettier_saves(text: str) -> str:
    """Other bullets, padded tables, other emphasis, another rule, quotes of its own."""
    head, mark, body = text.partition("---\n\n")
    body = re.sub(r"^\* ", "- ", body, flags=re.MULTILINE)
    body = body.replace("| 1 | 2 |", "| 1   | 2   |").replace("|---|---|", "| --- | --- |")
    body = body.replace("*end*", "_end_").replace("***\n", "---\n")
    return head.replace('url: "', "url: '").replace('/g"\n', "/g'\n") + mark + body


def as_windows_saves(text: str) -> str:
    """A byte order mark, CRLF, white space at the end of lines."""
    return "\ufeff" + text.replace("\n", "\r\n").replace("A gull.", "A gull.  ")


SAVED: dict[str, Callable[[str], str]] = {
    "obsidian": as_obsidian_saves,
    "logseq": as_logseq_saves,
    "prettier": as_prettier_saves,
    "windows": as_windows_saves,
}


@pytest.mark.parametrize("app", SAVED)
def test_news_arrives_in_a_note_that_an_app_saved_anew(blog: Blog, app: str) -> None:
    note = blog.note("Gull*")
    text = SAVED[app](note.read_text()).replace("It cries.", "It cries, I say.")
    note.write_text(text, newline="")

    plan = blog.build(NEWS, TERN)
    before = blog.files()
    blog.build(NEWS, TERN)

    after = note.read_bytes().decode()
    assert not plan.needs_eye
    assert "The gull." in after
    assert "It cries, I say." in after
    assert blog.files() == before
    if app == "obsidian":
        assert "mood: fine" in after


@pytest.mark.parametrize("app", SAVED)
def test_a_silent_source_changes_nothing_but_what_an_app_cannot_read(blog: Blog, app: str) -> None:
    note = blog.note("Gull*")
    saved = SAVED[app](note.read_text())
    note.write_text(saved, newline="")
    both = "'title'" in blog.note("Tern").read_text()

    plan = blog.build(GULL, TERN)
    before = blog.files()
    blog.build(GULL, TERN)

    after = note.read_bytes().decode()
    assert not plan.needs_eye
    assert blog.files() == before
    if not both or app != "obsidian":
        assert after == saved
    else:
        lines = after.split("---\n")[1].splitlines()
        assert all(re.match(r"('[\w-]+'|[\w-]+): ", line) for line in lines)
        assert properties(after) == properties(saved)
        assert "'tags': [" in after


def test_comments_and_maps_are_not_lost_when_the_form_is_mended() -> None:
    text = "---\n# mine\ntags:\n  - a # first\n  - b\nmap:\n  x: 1\nlist:\n- 1\n- two\n---\nBody\n"

    assert is_odd(text)
    assert in_form(text) == text.replace("list:\n- 1\n- two\n", "list: [1, two]\n")
    assert in_form(in_form(text)) == in_form(text)


@pytest.mark.parametrize(
    "item",
    [
        "Smith, John",
        "see a]b",
        "x{y}",
        "one\n    two, three",
        "",
        "one --- two",
        "'one --- two'",
        "'it''s, so'",
        "true",
        "http://a.example/b",
    ],
)
def test_items_of_a_list_mean_the_same_in_brackets(item: str) -> None:
    text = f"---\nby:\n  - {item}\n  - last\n---\nBody\n"
    after = in_form(text)

    assert yaml.load(after.split("---\n")[1], Loader=yaml.BaseLoader) == yaml.load(  # noqa: S506 - texts only
        text.split("\n---\n", maxsplit=1)[0],
        Loader=yaml.BaseLoader,  # noqa: S506
    )
    assert re.search(r"^by: \[.*, last\]$", after, re.MULTILINE)
    assert not is_odd(after)


def test_reads_alone_are_written_exactly_by_default(blog: Blog) -> None:
    blog.build({**GULL, "reads": 1001}, TERN)

    assert "reads: 1001" in blog.note("Gull*").read_text()


@pytest.mark.parametrize(
    ("reads", "written"), [(1001, 1000), (1100, 1000), (1101, 1101), (5000, 5000)]
)
def test_few_new_reads_are_not_worth_a_new_text(blog: Blog, reads: int, written: int) -> None:
    before = blog.files()

    plan = blog.build({**GULL, "reads": reads}, TERN, reads_update="10%")

    assert f"reads: {written}\n" in blog.note("Gull*").read_text()
    changed = {path for path, file in blog.files().items() if before.get(path) != file}
    notes = {path for path in changed if not path.startswith(".kbexport")}
    assert len(notes) == (written != 1000)
    assert plan.counts.get("update", 0) == len(notes)


def test_reads_are_exact_again_when_the_note_has_other_news(blog: Blog) -> None:
    blog.build({**NEWS, "reads": 1001}, TERN, reads_update="10%")

    assert "reads: 1001" in blog.note("Gull*").read_text()


def test_a_run_in_which_only_reads_moved_touches_no_other_note(blog: Blog) -> None:
    before = blog.files()

    blog.build({**GULL, "reads": 2000}, TERN)

    changed = {path for path, file in blog.files().items() if before.get(path) != file}
    assert {path for path in changed if not path.startswith(".kbexport")} == {
        blog.note("Gull*").relative_to(blog.vault).as_posix()
    }


@pytest.mark.parametrize(
    ("old", "new", "few"),
    [(20, 30, True), (20, 31, False), (1000, 1100, True), (1000, 1101, False), (20, 3, True)],
)
def test_growth_counts_in_percent_and_in_reads(old: int, new: int, few: bool) -> None:
    base, text = (f'---\nreads: {reads}\nkbexport: "p-1 {"0" * 16}"\n---\n' for reads in (old, new))

    assert only_few_reads(base, text, 10.0) == few
    assert not only_few_reads(base, text, 0.0)
    assert not only_few_reads(base, text + "News.", 10.0)


@pytest.mark.parametrize("item", ["one, two", "a]b", "'it---s'", "x---y", "a {b", "5", '"q---r"'])
def test_item_of_a_list_is_the_same_when_it_goes_to_one_line(item: str) -> None:
    text = f"---\nlist:\n  - {item}\nkbexport: p-1 0123456789abcdef\n---\n"

    assert properties(in_form(text)) == yaml.safe_load(
        text.removeprefix("---\n").split("\n---\n")[0]
    )
    assert not is_odd(in_form(text))
