"""The laws of the merge, I9 of `reexport.md`, section 11, over whole notes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kbexport.vault.merge import merge_note

BASES = ["0123456789abcdef", "fedcba9876543210"]
VALUES = st.sampled_from(
    [
        "1",
        "'1'",
        '"a: b"',
        "a b # c",
        "[a, b]",
        "[A, c]",
        "[]",
        "",
        "{a: 1}",
        "\n  - a\n  - 'b' # x",
    ]
)
KEYS = ["title", "reads", "tags", "aliases", "mood"]
LINES = st.lists(st.sampled_from(["a", "b", "", "- a", "[[N]]", "***", "é\u2028f"]), max_size=6)
ODD = st.sampled_from(["", "broken: : x\n", "mood: 1\nmood: 2\n", "a: &x 1\nb: *x\n", "# mine\n\n"])


@st.composite
def notes(draw: st.DrawFn, base: str, odd: st.SearchStrategy[str] = ODD) -> str:
    """A note that names its base, with its last line ended or not."""
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
    block = "".join(f"{key}: {draw(VALUES)}\n" for key in keys) + draw(odd)
    body = "\n".join(draw(LINES)) + draw(st.sampled_from(["", "\n"]))
    return f'---\n{block}kbexport: "p-1 {base}"\n---\n{body}'


def in_style(text: str, crlf: bool, mark: bool) -> str:
    return "\ufeff" * mark + (text.replace("\n", "\r\n") if crlf else text)


RENDERED = st.just("")


@given(notes(BASES[0], RENDERED), notes(BASES[1], RENDERED))
def test_a_note_that_its_owner_left_alone_becomes_the_new_one(base: str, theirs: str) -> None:
    merged = merge_note(base, base, theirs)

    assert (merged.text, merged.conflicts) == (theirs, ())


@given(notes(BASES[0], RENDERED), notes(BASES[0]), st.booleans(), st.booleans())
def test_a_note_whose_source_is_silent_keeps_every_byte(
    base: str, mine: str, crlf: bool, mark: bool
) -> None:
    mine = in_style(mine, crlf, mark)

    assert merge_note(base, mine, base).text == mine


@given(notes(BASES[0], RENDERED), notes(BASES[1], RENDERED))
def test_a_note_that_both_changed_alike_is_that_note(base: str, theirs: str) -> None:
    merged = merge_note(base, theirs, theirs)

    assert (merged.text, merged.conflicts) == (theirs, ())


@given(notes(BASES[0], RENDERED), notes(BASES[0]), notes(BASES[1], RENDERED))
def test_a_second_merge_of_a_note_changes_nothing_and_asks_nothing(
    base: str, mine: str, theirs: str
) -> None:
    first = merge_note(base, mine, theirs).text
    second = merge_note(theirs, first, theirs)

    assert second.text == first
    assert [place for place in second.conflicts if "front matter" not in place] == []
