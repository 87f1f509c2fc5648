"""The laws of the merge, I9 of `reexport.md`, section 11, over pages of Logseq's own flavor."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from test_vault_laws import BASES, in_style

from kbexport.flavors.pointer import PLAIN
from kbexport.vault.merge import merge_note
from kbexport.vault.plain import read_plain

VALUES = st.sampled_from(
    ["1", '"1"', "a, b", "A，c", "", "[[a]], #b", '"a, b"', "a,, b ", "[[x, y]]，z"]
)
KEYS = ["reads", "tags", "aliases", "author", "my_mood"]
LINES = st.lists(
    st.sampled_from(["- a", "\t- b", "\t\t- a", "\t  c", "", "- # T", "- [[N]]", "\t- é\u2028f"]),
    max_size=7,
)
ODD = st.sampled_from(["", "mood:: 1\nMood:: 2\n", "MY-MOOD:: x\n", "  tab:: \t\n"])


@st.composite
def pages(draw: st.DrawFn, base: str, odd: st.SearchStrategy[str] = ODD) -> str:
    """A page that names its base, with its last line ended or not."""
    keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
    block = [f"{key}:: {draw(VALUES)}\n" for key in keys]
    block.insert(draw(st.integers(0, len(block))), f"kbexport:: p-1 {base}\n")
    body = "\n".join(draw(LINES)) + draw(st.sampled_from(["", "\n"]))
    return "".join(block) + draw(odd) + "\n" + body


RENDERED = st.just("")


@given(pages(BASES[0]), st.booleans(), st.booleans())
def test_properties_taken_apart_join_to_the_same_bytes(page: str, crlf: bool, mark: bool) -> None:
    found = PLAIN.match(in_style(page, crlf, mark))
    assert found
    block = read_plain(found[1])
    if block is None:
        return
    ends = [one.end for one in block.properties]

    assert [one.start for one in block.properties] == [0, *ends[:-1]]
    assert ends[-1] == len(block.text)
    for one in block.properties:
        assert all(
            one.span[0] <= item.start <= item.end <= one.span[1] <= one.end for item in one.items
        )


@given(pages(BASES[0], RENDERED), pages(BASES[1], RENDERED))
def test_a_page_that_its_owner_left_alone_becomes_the_new_one(base: str, theirs: str) -> None:
    merged = merge_note(base, base, theirs)

    assert (merged.text, merged.conflicts) == (theirs, ())


@given(pages(BASES[0], RENDERED), pages(BASES[0]), st.booleans(), st.booleans())
def test_a_page_whose_source_is_silent_keeps_every_byte(
    base: str, mine: str, crlf: bool, mark: bool
) -> None:
    mine = in_style(mine, crlf, mark)

    assert merge_note(base, mine, base).text == mine


@given(pages(BASES[0], RENDERED), pages(BASES[1], RENDERED))
def test_a_page_that_both_changed_alike_is_that_page(base: str, theirs: str) -> None:
    merged = merge_note(base, theirs, theirs)

    assert (merged.text, merged.conflicts) == (theirs, ())


@given(pages(BASES[0], RENDERED), pages(BASES[0]), pages(BASES[1], RENDERED))
def test_a_second_merge_of_a_page_changes_nothing_and_asks_nothing(
    base: str, mine: str, theirs: str
) -> None:
    first = merge_note(base, mine, theirs).text
    second = merge_note(theirs, first, theirs)

    assert second.text == first
    assert [place for place in second.conflicts if "front matter" not in place] == []
