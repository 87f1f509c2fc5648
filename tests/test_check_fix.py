"""`kbexport check --fix`: what it mends, that no value changes by it, and what it leaves alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import yaml
from blog import GULL, Blog, part
from hypothesis import given, settings
from hypothesis import strategies as st

from kbexport.check import Severity, check
from kbexport.errors import VaultError
from kbexport.vault.lock import lock

SAVED = (
    '---\ntitle: "[杂记] 海鸥"\ndate: 2024-06-01\nrelated:\n  - "[[a---b]]"\n  - "[[c]]"\n'
    "tags:\n  - 海鸥\n  - a b\n\nmood: fine, really\n"
    "list:\n  - one, two\n  - 'it---s'\n---\n\nText.\n"
)


def vault_with(root: Path, text: str, *apps: str) -> Path:
    for app in apps or (".obsidian", "logseq"):
        (root / app).mkdir(parents=True)
    (root / "Note.md").write_bytes(text.encode())
    return root / "Note.md"


def mended(root: Path) -> list[str]:
    return [one.path for one in check(root, fix=True) if one.severity is Severity.MENDED]


@pytest.mark.parametrize("crlf", [False, True])
def test_what_obsidian_saved_has_its_form_back_and_the_same_values(
    tmp_path: Path, crlf: bool
) -> None:
    before = SAVED.replace("\n", "\r\n") if crlf else SAVED
    note = vault_with(tmp_path / "v", before)

    assert mended(tmp_path / "v") == ["Note.md"]

    after = note.read_bytes().decode()
    assert after.count("\r\n") == (after.count("\n") if crlf else 0)
    plain = after.replace("\r\n", "\n")
    head, body = plain.removeprefix("---\n").split("\n---\n")
    assert all(":" in line and "---" not in line for line in head.split("\n"))
    assert body == "\nText.\n"
    assert '\'tags\': ["海鸥", "a b"]' in head
    assert 'list: ["one, two", "it\\x2d\\x2d\\x2ds"]' in head
    assert yaml.safe_load(head) == yaml.safe_load(
        SAVED.removeprefix("---\n").partition("\n---\n")[0]
    )


def test_byte_order_mark_goes_where_logseq_reads_the_note(tmp_path: Path) -> None:
    note = vault_with(tmp_path / "v", "\ufeff---\na: 1\n---\n")

    assert mended(tmp_path / "v") == ["Note.md"]
    assert note.read_bytes() == b"---\na: 1\n---\n"


def test_vault_of_obsidian_alone_is_left_as_it_is(tmp_path: Path) -> None:
    note = vault_with(tmp_path / "v", SAVED, ".obsidian")

    assert mended(tmp_path / "v") == []
    assert note.read_bytes() == SAVED.encode()


def test_comments_and_what_cannot_be_read_stay_and_are_told(tmp_path: Path) -> None:
    text = "---\n# words\ntags:\n  - a # more\na: b: c\n---\n"
    note = vault_with(tmp_path / "v", text)

    assert {one.rule for one in check(tmp_path / "v", fix=True)} >= {"yaml", "logseq-block"}
    assert note.read_bytes() == text.encode()


def test_vault_of_somebody_else_has_no_state_afterwards(tmp_path: Path) -> None:
    vault_with(tmp_path / "v", SAVED)

    check(tmp_path / "v", fix=True)

    assert sorted(path.name for path in (tmp_path / "v").iterdir()) == [
        ".obsidian",
        "Note.md",
        "logseq",
    ]


def test_mended_note_of_ours_is_no_news_to_a_build(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build(part(1), part(2), GULL)
    note = blog.note("海鸥")
    text = note.read_text(encoding="utf-8")
    saved = text.replace("'title'", "title").replace(
        'column: "杂记"', 'column: "杂记"\nmine:\n  - a'
    )
    note.write_text(saved, encoding="utf-8")
    assert mended(blog.vault) == ["posts/海鸥.md"]
    fixed = note.read_bytes()

    plan = blog.build(part(1), part(2), GULL)

    assert note.read_bytes() == fixed
    assert plan.counts == {"unchanged": len(plan.changes)}
    assert check(blog.vault) == []


def test_fix_waits_for_no_other_run(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build(GULL)
    note = blog.note("海鸥")
    note.write_text(note.read_text(encoding="utf-8").replace("'title'", "title"), encoding="utf-8")

    with lock(blog.state / "lock"), pytest.raises(VaultError):
        check(blog.vault, fix=True)


KEYS = st.sampled_from(["title", "'title'", "tags", "aliases", "related", "a", "b c", '"tags"'])
WORDS = st.text("ab #[]---'\":,{}&*!|>%@`\\\t中\u2028", max_size=8)
VALUES = st.one_of(
    WORDS,
    st.lists(WORDS, max_size=3).map(lambda each: "\n" + "\n".join(f"  - {one}" for one in each)),
    st.lists(WORDS, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
    WORDS.map(lambda word: f"|\n  {word}\n  more"),
    st.sampled_from(["", "\n\n", "\n# words\n", '\n  - "[[a]]"\n  - "[[b---c]]"', "\n  x: 1"]),
)
BLOCKS = st.lists(st.tuples(KEYS, VALUES), max_size=5).map(
    lambda pairs: "".join(f"{key}: {value}\n" for key, value in pairs)
)


@settings(deadline=None, max_examples=60)
@given(blocks=st.lists(BLOCKS, min_size=1, max_size=8), crlf=st.booleans(), mark=st.booleans())
def test_a_second_fix_changes_nothing_and_no_fix_changes_a_value(
    blocks: list[str], crlf: bool, mark: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for app in (".obsidian", "logseq"):
            (root / app).mkdir()
        for number, block in enumerate(blocks):
            text = "\ufeff" * mark + f"---\n{block}---\nText: [[x]] --- \n"
            text = text.replace("\n", "\r\n") if crlf else text
            (root / f"{number}.md").write_bytes(text.encode())
        before = {path: path.read_bytes() for path in root.glob("*.md")}
        check(root, fix=True)
        after = {path: path.read_bytes() for path in root.glob("*.md")}

        assert mended(root) == []
        assert {path: path.read_bytes() for path in root.glob("*.md")} == after
        for path, content in before.items():
            old, new = (_loaded(each) for each in (content, after[path]))
            assert old == new or old is None


def _loaded(content: bytes) -> object:
    """What PyYAML reads, as texts; None where it reads nothing."""
    text = content.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    block = text.removeprefix("---\n").rpartition("---\nText")[0]
    try:
        return yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - texts only
    except yaml.YAMLError:
        return None
