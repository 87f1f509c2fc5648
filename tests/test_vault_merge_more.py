"""Words and news that a merge must not lose without saying so; rules: `reexport.md`, section 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_vault_merge import BASE, edited, source

from kbexport.vault.lines import merge_text
from kbexport.vault.merge import merge_note, navigation_of

TAGS = 'tags:\n  - garden\n  - "c++"\n'


@pytest.mark.parametrize(
    ("own", "news"),
    [
        ((TAGS, 'tags: [garden, # why\n  "c++"]\n'), ('  - "c++"\n', '  - "c++"\n  - news\n')),
        ((TAGS, 'tags: [garden, # why\n  "c++"]\n'), ("  - garden\n", "")),
        ((TAGS, f"{TAGS}# why\n"), (TAGS, "tags: []\n")),
        ((TAGS, 'tags:\n  - garden\n  # why\n  - "c++"\n'), (TAGS, "")),
        (("- garden", "- garden # why"), ("  - garden\n", "")),
        (("ordinal: 2", "ordinal: 2 # why"), ("ordinal: 2\n", "")),
        ((TAGS, f"{TAGS}# why\n"), (TAGS, "tags: x\n")),
    ],
)
def test_no_comment_goes_with_what_the_source_changes(
    own: tuple[str, str], news: tuple[str, str]
) -> None:
    merged = merge_note(BASE, edited(BASE, own), source(news))

    assert "# why" in merged.text
    assert merged.conflicts or merged.infos


@pytest.mark.parametrize(
    "body",
    [
        "\nSee [[Three]] for more.\n\nText\n",
        "\nText\n\n---\n\n## Sources\n\n* [[Three]], volume one\n",
        "\nText\n\n***\n\n# Tail of C#\n\nan essay about C# and [[Three]]\n",
    ],
)
def test_a_text_with_a_link_is_no_navigation(body: str) -> None:
    assert navigation_of(body) == frozenset()


def test_news_that_is_only_form_comes_whatever_the_line_ends() -> None:
    base, theirs = "if x:\n  y\n\nend\n", "if x:\n    y\n\nend\n"

    merged = merge_text(base, f"{base}mine\n".replace("\n", "\r\n"), theirs)

    assert merged.text == f"{theirs}mine\n".replace("\n", "\r\n")


def test_an_underscore_inside_a_word_is_no_emphasis() -> None:
    merged = merge_text("use a_b here\n", "use a*b here\n", "use a_b there\n")

    assert (merged.text, merged.conflicts) == ("use a*b here\n", (1,))


def test_a_table_behind_a_bullet_is_the_same_table() -> None:
    merged = merge_text("x\n| a | b |\n", "x\n- | a | b |\n", "x\n| a | c |\n")

    assert (merged.text, merged.conflicts) == ("x\n| a | c |\n", ())


WORDS = st.lists(st.sampled_from(["a b", "", "- c", "| x | y |", "d_e"]), max_size=6)


@given(WORDS, WORDS, st.integers(0, 5), st.integers(0, 5))
def test_a_word_inside_a_line_stays_and_news_comes_or_is_told_of(
    base: list[str], rest: list[str], mine: int, theirs: int
) -> None:
    own, new = [*base, "z"], [*base, "z", *rest]
    own[mine % len(own)] += " MINE"
    new[theirs % len(new)] += " NEWS"

    before, after, newer = ("".join(f"{x}\n" for x in each) for each in ([*base, "z"], own, new))
    merged = merge_text(before, after, newer)

    assert "MINE" in merged.text
    assert "NEWS" in merged.text or merged.conflicts


@pytest.mark.parametrize("line", ["title:", "title: # mine", "'title':", "'title':  # mine"])
def test_a_value_is_put_to_a_key_that_has_none(line: str) -> None:
    def note(title: str, base: str) -> str:
        return f'---\n{title}\nreads: 1\nkbexport: "p-1 {base * 16}"\n---\ntext\n'

    merged = merge_note(note('title: ""', "0"), note(line, "0"), note('title: "New"', "1"))

    key, colon, rest = line.partition(":")
    assert merged.text == note(f'{key}{colon} "New"{rest}', "1")
    assert merged.conflicts == ()


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("a\nb\nc\n", "A\nb\nc", "a\nb\nC\n", "A\nb\nC"),
        ("a\nb\nc", "A\nb\nc", "a\nb\nC", "A\nb\nC"),
        ("a\nb\nc", "A\nb\nc\n", "a\nb\nC", "A\nb\nC\n"),
        ("a\nb\nc", "A\nb\nc", "a\nb\nC\n", "A\nb\nC\n"),
        ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC", "A\nb\nC"),
    ],
)
def test_the_last_line_ends_as_the_side_has_it_that_changed_its_end(
    base: str, mine: str, theirs: str, merged: str
) -> None:
    assert merge_text(base, mine, theirs).text == merged


@pytest.mark.parametrize(
    "typed",
    ["column: [[Mine]]\n", "column:\n  why: mine\n", "column:\n  - [mine, own]\n"],
)
def test_a_map_or_a_nested_list_of_the_users_stays_where_the_source_brings_its_key(
    typed: str,
) -> None:
    mine = edited(BASE, ("kbexport:", f"{typed}kbexport:"))

    merged = merge_note(BASE, mine, source(("ordinal: 2\n", 'ordinal: 2\ncolumn: "News"\n')))

    assert typed in merged.text
    assert merged.conflicts == ("column",)


@pytest.mark.parametrize("news", ["hostas.\n\nNews.\n", "hostas, too.\n"])
def test_news_comes_once_into_a_note_whose_front_matter_is_not_understood(news: str) -> None:
    mine = edited(BASE, ("reads: 10", "reads: [10"), ("hostas.\n", "hostas.\n\nMine.\n"))
    theirs = source(("hostas.\n", news))

    once = merge_note(BASE, mine, theirs)
    again = merge_note(BASE, once.text, theirs)

    assert again.text == once.text
    assert "Mine." in once.text
    assert once.conflicts
    assert again.conflicts
