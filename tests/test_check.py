"""`kbexport check`: each rule with a note that breaks it and one that does not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from blog import GULL, Blog, part

from kbexport.check import Severity, check, finding_lines, findings_json, needs_eye
from kbexport.errors import VaultError

SAMPLE = Path(__file__).parent.parent / "sample_vault"
HEAD = "---\ndate: 2024-05-01\nkbexport: p-000000000001 0123456789abcdef\n"


class Folder:
    """A vault of somebody's own, made file by file."""

    def __init__(self, root: Path, *apps: str) -> None:
        self.root = root
        for app in apps:
            (root / app).mkdir(parents=True)

    def write(self, path: str, text: str = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def found(self, *, fix: bool = False) -> set[tuple[str, int, str]]:
        return {(one.path, one.line, one.rule) for one in check(self.root, fix=fix)}

    def rules(self) -> set[str]:
        return {rule for _, _, rule in self.found()}


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "own", ".obsidian")


@pytest.fixture
def shared(tmp_path: Path) -> Folder:
    """One that both apps open."""
    return Folder(tmp_path / "own", ".obsidian", "logseq")


BODIES: list[tuple[str, str, str]] = [
    # rule, breaks it, does not
    ("broken-link", "see [[Nobody]]", "see [[Other]], [[other]], [[sub/Other]], [[Other.md|it]]"),
    ("broken-link", "see [it](nobody.md)", "see [it](sub/Other.md), [web](https://a.example/b.md)"),
    ("broken-link", "| [[Nobody\\|x]] |", "| a |\n|---|\n| [[Other\\|x]] |"),
    (
        "broken-link",
        "> - [[Nobody]]",
        "`[[Nobody]]`, \\[[Nobody]], $[[1]]$\n\n```\n[[Nobody]]\n```",
    ),
    ("broken-link", "* a\n\n    [[Nobody]]", "text\n\n    [[Nobody]]\n"),
    ("broken-link", "- ```\n  x\n  ```\n[[Nobody]]", "- ```\n  [[Nobody]]\n  ```"),
    ("broken-link", "> ```\n> x\n\n[[Nobody]]", "> ```\n> [[Nobody]]\n> ```"),
    ("broken-link", "a ` b\n\n[[Nobody]] ` c", "a ` b\n[[Nobody]] ` c"),
    ("missing-embed", "![[gone.png]]", "![[pic.png]] ![[Other]]"),
    (
        "missing-picture",
        "![x](gone.png)",
        "![x](sub/pic.png) ![y](pic.png) ![z](https://a.example/p)",
    ),
    (
        "broken-place",
        "[[Other#Nothing]]",
        "[[Other#A heading!]] [[other#a heading]] [[#Own]]\n\n# Own",
    ),
    ("broken-place", "[[Other#^none]]", "[[Other#^here]]"),
    ("active-code", "<script>x</script>", "`<script>` and \\<script>"),
    ("active-code", "<b onclick=x()>", "<b>on</b>"),
    ("active-code", "[x](javascript:alert(1))", "[x](https://a.example/javascript:1)"),
    ("active-code", "[x](<java\tscript:alert(1)>)", "```\n[x](javascript:alert(1))\n```"),
    ("active-code", '<a href="javascript:x">', '<a href="https://a.example">'),
    ("active-tool", "![x](data:image/png;base64,AA)", "![x](https://a.example/data:image/png)"),
    ("active-code", "![x](data:image/svg+xml,x)", "`data:image/svg+xml`"),
    ("active-tool", "<iframe src=x>", "\\<iframe"),
    ("active-tool", "<% tp.x %>", "<\\% tp.x %>"),
    ("active-tool", "```dataview\nLIST\n```", "```text\nLIST\n```"),
    ("active-tool", "`= this.x` and `$= 1`", "`x = 1`"),
    ("active-tool", "[x](file:///etc)", "[x](mailto:a@b.example)"),
]
PROPERTIES: list[tuple[str, str, str]] = [
    ("yaml", "a: b: c\n", 'a: "b: c"\n'),
    ("yaml", "a: @x\n", "a: x@y\n"),
    ("yaml", "a: 1\n'a': 2\n", "a: 1\nb: 2\n"),
    ("yaml", "- a\n", "a: yes\n"),
    ("yaml-loss", "a: #x\n", "a: x #y\n"),
    ("property-type", "a: [[Other]]\n", 'a: "[[Other]]"\n'),
    ("property-type", "tags: one\n", "tags: [one]\n"),
    ("property-type", "tags: [2024]\n", 'tags: ["x2024"]\n'),
    ("property-type", "cssclasses: wide\n", "cssclasses:\n  - wide\n"),
    ("old-key", "tag: one\n", "tags: [one]\n"),
    ("tag", "tags: [a b]\n", "tags: [a-b, 语言/C, 标签，后文]\n"),
    ("tag", 'tags: ["2024", "/a"]\n', "tags: [y2024]\n"),
    ("broken-link", 'up: "[[Nobody]]"\n', 'up: "[[Other]]"\n'),
]
OURS: list[tuple[str, str, str]] = [
    ("property-type", "reads: 1.5\n", "reads: 1\n"),
    ("property-type", "reads: many\n", "reads: 0\n"),
    ("property-type", "title: 2024\n", 'title: "2024"\n'),
    ("property-type", "pinned: yes\n", "pinned: true\n"),
    ("property-type", "series: Other\n", 'series: "[[Other]]"\n'),
]
FOR_BOTH: list[tuple[str, str, str]] = [
    ("logseq-block", "a: 1\n\n", "a: 1\n"),
    ("logseq-block", "related:\n  - x\n", "related: [x]\n"),
    ("logseq-block", "# words\na: 1\n", "a: 1 # words\n"),
    ("logseq-fence", "a: x---y\n", "a: x--y\n"),
    ("logseq-key", 'title: "x"\n', "'title': \"x\"\n"),
    ("logseq-ref", "'title': \"C#\"\n", "'title': \"C\\x23\"\n"),
]


def with_others(folder: Folder, text: str) -> set[str]:
    """The rules that a note breaks in a vault with a few others."""
    folder.write("Note.md", text)
    folder.write("sub/Other.md", "# A heading!\n\nwords ^here\n")
    folder.write("sub/pic.png")
    return folder.rules()


@pytest.mark.parametrize(("rule", "bad", "good"), BODIES)
def test_body_breaks_a_rule_or_does_not(folder: Folder, rule: str, bad: str, good: str) -> None:
    assert with_others(folder, f"\n\n{bad}\n") == {rule}
    assert with_others(folder, f"\n\n{good}\n") == set()


@pytest.mark.parametrize(("rule", "bad", "good"), PROPERTIES)
def test_property_breaks_a_rule_or_does_not(folder: Folder, rule: str, bad: str, good: str) -> None:
    assert rule in with_others(folder, f"---\n{bad}---\n")
    assert with_others(folder, f"---\n{good}---\n") == set()


@pytest.mark.parametrize(("rule", "bad", "good"), OURS)
def test_property_of_ours_has_its_type(tmp_path: Path, rule: str, bad: str, good: str) -> None:
    blog = Blog(tmp_path)
    blog.build(GULL, flavor="obsidian")
    note = blog.note("海鸥")
    text = note.read_text(encoding="utf-8").replace('title: "[杂记] 海鸥"\n', "")

    def found(line: str) -> set[str]:
        Folder(blog.vault).write("Other.md")
        note.write_text(text.replace("kbexport:", f"{line}kbexport:"), encoding="utf-8")
        return {one.rule for one in check(blog.vault)}

    assert found(bad) == {rule}
    assert found(good) == set()


@pytest.mark.parametrize(("rule", "bad", "good"), FOR_BOTH)
def test_front_matter_is_for_both_apps(shared: Folder, rule: str, bad: str, good: str) -> None:
    assert rule in with_others(shared, f"---\n{bad}---\n")
    assert with_others(shared, f"---\n{good}---\n") == set()


@pytest.mark.parametrize(("rule", "bad", "good"), FOR_BOTH)
def test_what_logseq_cannot_read_is_no_matter_where_it_does_not_open_the_vault(
    folder: Folder, rule: str, bad: str, good: str
) -> None:
    assert rule not in with_others(folder, f"---\n{bad}{good}---\n")


@pytest.mark.parametrize(
    ("bad", "good"),
    [
        ("{{query x}}", "{\\{query x}}"),
        ("#+TITLE: x", "\\#+TITLE: x"),
        ("[:div x]", "\\[:div x]"),
        ("@@html: x@@", "\\@\\@html: x"),
    ],
)
def test_tools_of_logseq_are_told_where_it_opens_the_vault(
    shared: Folder, bad: str, good: str
) -> None:
    assert with_others(shared, f"{bad}\n") == {"active-tool"}
    assert with_others(shared, f"{good}\n") == set()


def test_tool_of_the_user_is_only_told_and_one_in_a_note_of_ours_is_wrong(
    folder: Folder,
) -> None:
    folder.write("Mine.md", "<% x %>\n")
    assert not needs_eye(check(folder.root))

    folder.write("Ours.md", f"{HEAD}---\n<% x %>\n")
    severities = {one.path: one.severity for one in check(folder.root) if one.rule == "active-tool"}
    assert severities == {"Mine.md": Severity.NOTE, "Ours.md": Severity.WARNING}


def test_front_matter_that_is_not_closed_is_found_and_a_rule_is_none(folder: Folder) -> None:
    folder.write("Open.md", "---\na: 1\n\nwords\n")
    folder.write("Late.md", "\n---\na: 1\n---\n")
    folder.write("Rule.md", "---\n\nwords\n")

    assert folder.found() == {("Open.md", 1, "front-matter"), ("Late.md", 1, "front-matter")}


def test_front_matter_of_many_aliases_is_read_once(folder: Folder) -> None:
    levels = "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    folder.write("A.md", f"---\na0: &a0 [x]\n{levels}self: &s [*s]\n---\n")

    assert folder.rules() == {"property-type"}


def test_lines_are_those_of_the_file(folder: Folder) -> None:
    folder.write(
        "A.md", "---\r\na: 1\r\ntags: x\r\n---\r\n\r\n[[No]]\r\n```\r\n[[x]]\r\n```\r\n[[No]]"
    )
    folder.write("B.md", "[[No]]\n")

    assert folder.found() == {
        ("A.md", 3, "property-type"),
        ("A.md", 6, "broken-link"),
        ("A.md", 10, "broken-link"),
        ("B.md", 1, "broken-link"),
    }


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("a?.md", "name-sign"),
        ("nul.md", "name-device"),
        ("COM1.notes.md", "name-device"),
        ("folder./a.md", "name-end"),
        ("e\u0301.md", "name-form"),
        ("C#.md", "name-link"),
        ("a [b].md", "name-link"),
    ],
)
def test_name_that_some_system_or_link_cannot_hold_is_found(
    folder: Folder, name: str, rule: str
) -> None:
    folder.write("Plain name.md")
    assert folder.rules() == set()

    folder.write(name)
    assert folder.rules() == {rule}


def test_names_that_differ_in_case_or_normal_form_alone_are_twins(folder: Folder) -> None:
    folder.write("Straße.md")
    folder.write("STRASSE.md")

    assert {rule for _, _, rule in folder.found()} == {"name-twin"}


def test_link_to_a_name_that_two_notes_have_is_ambiguous_and_a_path_is_not(
    folder: Folder,
) -> None:
    folder.write("a/Same.md")
    folder.write("b/Same.md")
    folder.write("Links.md", "[[Same]]\n[[a/Same]] [[b/same]]\n[x](b/Same.md)\n")

    assert folder.found() == {("Links.md", 1, "ambiguous-link"), ("b/Same.md", 0, "name-double")}


def test_names_of_logseq_are_told_only_where_it_opens_the_vault(shared: Folder) -> None:
    shared.write("2024-05-01.md")
    shared.write("a___b.md")
    shared.write("journals/2024_05_02.md")

    assert shared.found() == {
        ("2024-05-01.md", 0, "name-journal"),
        ("a___b.md", 0, "name-logseq"),
    }


def test_links_go_over_the_whole_vault_around(folder: Folder) -> None:
    folder.write("Outside.md")
    folder.write("blog/In.md", "[[Outside]] [[blog/In]] [x](../Outside.md) [[Nobody]]\n")

    found = check(folder.root / "blog")

    assert [(one.path, one.message) for one in found] == [("In.md", "[[Nobody]] leads to no note")]


def test_canvas_and_base_are_read_and_show_files_that_are_there(folder: Folder) -> None:
    folder.write("sub/A.md")
    folder.write("Good.canvas", '{"nodes": [{"type": "file", "file": "sub/A.md"}, {"text": "x"}]}')
    folder.write("Empty.canvas")
    folder.write("Good.base", "views:\n  - type: table\n")
    assert folder.found() == set()

    folder.write("Gone.canvas", '{"nodes": [{"type": "file", "file": "A.md"}]}')
    folder.write("Bad.canvas", "{\n[")
    folder.write("Odd.canvas", '{"nodes": 1}')
    folder.write("Bad.base", "views:\n  - a: b: c\n")
    assert folder.found() == {
        ("Gone.canvas", 0, "missing-embed"),
        ("Bad.canvas", 2, "canvas"),
        ("Odd.canvas", 0, "canvas"),
        ("Bad.base", 2, "base"),
    }


def test_note_that_is_not_utf_8_is_told(folder: Folder) -> None:
    (folder.root / "a.md").write_bytes(b"\xff\xfe")

    assert folder.found() == {("a.md", 0, "unreadable")}


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    made = Blog(tmp_path)
    made.build(*(part(number) for number in (1, 2, 3)), GULL)
    return made


def rules_of(blog: Blog) -> set[str]:
    return {one.rule for one in check(blog.vault)}


def test_gap_and_double_of_a_series_are_told_and_nothing_is_wrong(blog: Blog) -> None:
    assert check(blog.vault) == []

    blog.build(
        part(1),
        part(2),
        part(3),
        part(6),
        {**part(6), "title": "灯塔手记(6) 又一夜", "url": "https://blog.example/b"},
    )

    found = check(blog.vault)
    assert {one.rule for one in found} == {"series-gap", "series-double"}
    assert "4–5" in found[1].message
    assert not needs_eye(found)


def test_chain_that_does_not_lead_back_is_found(blog: Blog) -> None:
    note = blog.note("灯塔手记(2) 擦镜")
    text = note.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if not line.startswith("prev:")]
    note.write_text("\n".join(lines), encoding="utf-8")

    found = [one for one in check(blog.vault) if one.rule == "series-chain"]

    assert {one.path for one in found} == {
        "灯塔手记/灯塔手记(1) 点灯.md",
        "灯塔手记/灯塔手记.md",
    }


def test_state_that_is_gone_is_told(blog: Blog) -> None:
    (blog.state / "manifest.jsonl").unlink()

    assert rules_of(blog) == {"state-lost"}


def test_conflict_marks_and_unreadable_posts_are_told(blog: Blog) -> None:
    manifest = blog.state / "manifest.jsonl"
    manifest.write_text("<<<<<<< ours\n" + manifest.read_text(encoding="utf-8"), encoding="utf-8")
    next(blog.state.glob("posts/*/p-*.json")).write_text("{")

    assert rules_of(blog) == {"state-unread", "state-post"}


def test_lost_base_matters_only_for_an_edited_note(blog: Blog) -> None:
    for base in blog.state.glob("base/*/*.md"):
        base.unlink()
    assert check(blog.vault) == []

    with blog.note("海鸥").open("a", encoding="utf-8") as note:
        note.write("\nmine\n")
    assert rules_of(blog) == {"state-base"}


def test_text_of_the_source_that_waits_is_told_with_its_command(blog: Blog) -> None:
    gull = {**part(7), "body_markdown": "海鸥又来了。"}
    blog.build(gull)
    note = blog.note("灯塔手记(7) 收旗")
    note.write_text(note.read_text(encoding="utf-8").replace("又来了", "走了"), encoding="utf-8")
    blog.build({**gull, "body_markdown": "海鸥没来。"})

    (found,) = [one for one in check(blog.vault) if one.rule == "state-parked"]
    assert found.path == "灯塔手记/灯塔手记(7) 收旗.md"
    assert "kbexport resolve" in found.hint


def test_copy_and_deletion_and_damaged_pointer_are_told(blog: Blog) -> None:
    gull = blog.note("海鸥")
    text = gull.read_text(encoding="utf-8")
    Folder(blog.vault).write("Copy.md", text)
    assert rules_of(blog) == {"state-copy"}

    (blog.vault / "Copy.md").unlink()
    gull.write_text(text.replace('kbexport: "', 'kbexport: "x '), encoding="utf-8")
    assert {"pointer"} <= rules_of(blog)

    gull.unlink()
    assert {"state-deleted"} <= rules_of(blog)


def test_sample_vault_has_nothing_wrong_and_one_gap() -> None:
    found = check(SAMPLE)

    assert [(one.rule, one.severity) for one in found] == [("series-gap", Severity.NOTE)]


@pytest.mark.parametrize("flavor", ["both", "obsidian"])
def test_fresh_vault_of_hostile_posts_is_clean(tmp_path: Path, flavor: str) -> None:
    hostile = "\n\n".join(bad for _, bad, _ in BODIES)
    blog = Blog(tmp_path)
    blog.build(
        {**GULL, "title": "<% x %> {{query}} [[y]]", "body_markdown": hostile}, flavor=flavor
    )

    assert [one for one in check(blog.vault) if one.rule.startswith("active")] == []
    assert rules_of(blog) <= {"missing-picture"}


def test_json_is_a_list_of_objects_with_six_keys(folder: Folder) -> None:
    folder.write("A.md", "[[No]]\n")

    (one,) = json.loads(findings_json(check(folder.root)))

    assert set(one) == {"path", "line", "rule", "message", "hint", "severity"}
    assert (one["path"], one["line"], one["severity"]) == ("A.md", 1, "warning")


def test_report_goes_note_by_note(folder: Folder) -> None:
    folder.write("A.md", "[[No]]\n[[Neither]]\n")
    folder.write("nul.md")

    lines = list(finding_lines(check(folder.root), Path("own")))

    assert lines[0] == "own: 3 warnings"
    assert [line for line in lines[1:] if not line.startswith(" ")] == ["A.md", "nul.md"]
    assert "    2  warning  [[Neither]] leads to no note  (broken-link)" in lines


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kbexport", "check", *arguments],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def test_exit_codes_are_0_clean_3_findings_1_error_2_usage(folder: Folder) -> None:
    assert run(str(folder.root)).returncode == 0
    folder.write("A.md", "[[No]]\n")
    assert run(str(folder.root)).returncode == 3
    assert json.loads(run(str(folder.root), "--json").stdout)[0]["rule"] == "broken-link"
    assert run(str(folder.root / "nowhere")).returncode == 1
    assert run().returncode == 2


def test_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(VaultError):
        check(tmp_path / "nowhere")
