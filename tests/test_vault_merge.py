"""The merge of one note: rules of `reexport.md`, sections 3 and 5."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.vault.lines import merge_text
from kbexport.vault.merge import merge_note, navigation_of
from kbexport.vault.properties import read_block

BLOCK = """\
title: "Slugs"
date: 2020-01-01
reads: 10
tags:
  - garden
  - "c++"
ordinal: 2
url: "https://garden.example/2"
kbexport: "p-1 {hash}"
"""
BODY = """
- [[Growing]] · 2 · [[Three]] →

# Slugs

They come at night.

They eat hostas.

```sh
water --at night
```

***

* [[Three]] →
"""


def note(block: str = BLOCK, body: str = BODY, hash: str = "0" * 16) -> str:  # noqa: A002 - the pointer's
    return f"---\n{block.format(hash=hash)}---\n{body}"


BASE = note()
NEW = "f" * 16


def edited(text: str, *edits: tuple[str, str]) -> str:
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def source(*edits: tuple[str, str]) -> str:
    """The next rendering, with another hash."""
    return edited(BASE, ("0" * 16, NEW), *edits)


CASES: dict[
    str, tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str]], int]
] = {
    # the user's edits; the source's; what of both is in the result; conflicts
    "a paragraph of each": (
        [("at night.", "at dawn.")],
        [("hostas", "beans")],
        [("at night.", "at dawn."), ("hostas", "beans")],
        0,
    ),
    "one paragraph of both": (
        [("at night.", "at dawn.")],
        [("at night.", "at noon.")],
        [("at night.", "at dawn.")],
        1,
    ),
    "text right under a line that the source changes": (
        [("They eat hostas.", "They eat hostas.\nI hate it.")],
        [("hostas", "beans")],
        [("They eat hostas.", "They eat beans.\nI hate it.")],
        0,
    ),
    "text right above it": (
        [("They eat hostas.", "Really:\nThey eat hostas.")],
        [("hostas", "beans")],
        [("They eat hostas.", "Really:\nThey eat beans.")],
        0,
    ),
    "text right under the navigation, which changes": (
        [("[[Three]] →\n\n#", "[[Three]] →\n\nMine.\n\n#")],
        [("[[Three]] →\n\n#", "[[Three]] · [[Four]] →\n\n#")],
        [("[[Three]] →\n\n#", "[[Three]] · [[Four]] →\n\nMine.\n\n#")],
        0,
    ),
    "the navigation edited, and changed": (
        [("- [[Growing]] · 2 · ", "- part two of [[Growing]], ")],
        [("· [[Three]] →\n\n#", "· [[Four]] →\n\n#")],
        [("- [[Growing]] · 2 · ", "- part two of [[Growing]], ")],
        0,
    ),
    "the navigation deleted, and changed": (
        [("\n***\n\n* [[Three]] →\n", "")],
        [("\n* [[Three]] →", "\n* [[Four]] →")],
        [("\n***\n\n* [[Three]] →\n", "")],
        0,
    ),
    "a paragraph deleted, and changed": (
        [("They eat hostas.\n\n", "")],
        [("hostas", "beans")],
        [("They eat hostas.\n\n", "")],
        1,
    ),
    "a paragraph deleted, another changed": (
        [("They eat hostas.\n\n", "")],
        [("at night.", "at noon.")],
        [("They eat hostas.\n\n", ""), ("at night.", "at noon.")],
        0,
    ),
    "the same change": (
        [("hostas", "beans")],
        [("hostas", "beans")],
        [("hostas", "beans")],
        0,
    ),
    "both add at the end": (
        [("* [[Three]] →\n", "* [[Three]] →\n\nMine.\n")],
        [("* [[Three]] →\n", "* [[Three]] →\n* [[Related]]\n")],
        [("* [[Three]] →\n", "* [[Three]] →\n* [[Related]]\n\nMine.\n")],
        0,
    ),
    "reads of the source, a key of the user's": (
        [("reads: 10\n", "reads: 10\nmood: fine # today\n")],
        [("reads: 10", "reads: 12")],
        [("reads: 10\n", "reads: 12\nmood: fine # today\n")],
        0,
    ),
    "a comment behind a value": (
        [("reads: 10\n", "reads:   10  # few\n")],
        [("reads: 10", "reads: 12")],
        [("reads: 10\n", "reads:   12  # few\n")],
        0,
    ),
    "one scalar of both": (
        [("2020-01-01", "2020-01-02")],
        [("2020-01-01", "2020-01-03")],
        [("2020-01-01", "2020-01-02")],
        1,
    ),
    "reads of the user's own": (
        [("reads: 10", "reads: 99")],
        [("reads: 10", "reads: 12")],
        [("reads: 10", "reads: 99")],
        0,
    ),
    "a key that the user removed": (
        [("reads: 10\n", "")],
        [("reads: 10", "reads: 12")],
        [("reads: 10\n", "")],
        0,
    ),
    "a key that the source dropped": (
        [("hostas", "beans")],
        [("ordinal: 2\n", "")],
        [("hostas", "beans"), ("ordinal: 2\n", "")],
        0,
    ),
    "a key that the source dropped, and the user changed": (
        [("ordinal: 2", "ordinal: 7")],
        [("ordinal: 2\n", "")],
        [("ordinal: 2", "ordinal: 7")],
        0,
    ),
    "a new key of the source": (
        [("hostas", "beans")],
        [("ordinal: 2\n", 'ordinal: 2\nnext: "[[Three]]"\n')],
        [("hostas", "beans"), ("ordinal: 2\n", 'ordinal: 2\nnext: "[[Three]]"\n')],
        0,
    ),
    "tags added by both": (
        [("  - garden\n", "  - garden\n  - mine\n")],
        [('  - "c++"\n', '  - "c++"\n  - news\n')],
        [("  - garden\n", "  - garden\n  - mine\n"), ('  - "c++"\n', '  - "c++"\n  - news\n')],
        0,
    ),
    "a tag removed by the user, one added by the source": (
        [("  - garden\n", "")],
        [('  - "c++"\n', '  - "c++"\n  - news\n')],
        [("  - garden\n", ""), ('  - "c++"\n', '  - "c++"\n  - news\n')],
        0,
    ),
    "a tag removed by the source, one added by the user": (
        [('  - "c++"\n', '  - "c++"\n  - mine # !\n')],
        [("  - garden\n", "")],
        [("  - garden\n", ""), ('  - "c++"\n', '  - "c++"\n  - mine # !\n')],
        0,
    ),
    "a tag that both added in another case": (
        [("  - garden\n", "  - garden\n  - News\n")],
        [('  - "c++"\n', '  - "c++"\n  - news\n')],
        [("  - garden\n", "  - garden\n  - News\n")],
        0,
    ),
    "tags in the user's own style": (
        [('tags:\n  - garden\n  - "c++"\n', 'tags: [garden, "c++", mine]\n')],
        [('  - "c++"\n', '  - "c++"\n  - news\n')],
        [('tags:\n  - garden\n  - "c++"\n', 'tags: [garden, "c++", mine, news]\n')],
        0,
    ),
    "all tags removed by the user": (
        [('tags:\n  - garden\n  - "c++"\n', "tags: []\n")],
        [('  - "c++"\n', '  - "c++"\n  - news\n')],
        [('tags:\n  - garden\n  - "c++"\n', "tags: [news]\n")],
        0,
    ),
    "requoted and reordered by a linter": (
        [('title: "Slugs"\ndate: 2020-01-01\n', "date: 2020-01-01\ntitle: Slugs\n")],
        [("reads: 10", "reads: 12")],
        [
            ('title: "Slugs"\ndate: 2020-01-01\n', "date: 2020-01-01\ntitle: Slugs\n"),
            ("reads: 10", "reads: 12"),
        ],
        0,
    ),
    "a code block and a paragraph": (
        [("at night\n```", "at dawn\n```")],
        [("They come at night.", "They come late.")],
        [("at night\n```", "at dawn\n```"), ("They come at night.", "They come late.")],
        0,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_news_of_the_source_goes_around_the_words_of_the_user(case: str) -> None:
    own, news, both, conflicts = CASES[case]

    merged = merge_note(BASE, edited(BASE, *own), source(*news))

    assert merged.text == edited(BASE, ("0" * 16, NEW), *both)
    assert len(merged.conflicts) == conflicts
    again = merge_note(source(*news), merged.text, source(*news))
    assert (again.text, again.conflicts) == (merged.text, ())


@pytest.mark.parametrize("case", CASES)
def test_line_ends_and_a_byte_order_mark_are_the_users(case: str) -> None:
    own, news, both, conflicts = CASES[case]
    mine = "\ufeff" + edited(BASE, *own).replace("\n", "\r\n")

    merged = merge_note(BASE, mine, source(*news))

    wanted = edited(BASE, ("0" * 16, NEW), *both)
    assert merged.text == "\ufeff" + wanted.replace("\n", "\r\n")
    assert len(merged.conflicts) == conflicts


def test_a_conflict_names_the_line_of_the_note_and_the_property() -> None:
    mine = edited(BASE, ("at night.", "at dawn."), ("2020-01-01", "2020-01-02"))
    theirs = source(("at night.", "at noon."), ("2020-01-01", "2020-01-03"))

    merged = merge_note(BASE, mine, theirs)

    line = merged.text.split("\n").index("They come at dawn.") + 1
    assert merged.conflicts == ("date", f"line {line}")
    assert "<<<<<<<" not in merged.text


@pytest.mark.parametrize(
    "broken",
    [
        ("reads: 10", "reads: : 10"),
        ("reads: 10", "reads: 10\nreads: 11"),
        ("reads: 10", "reads: [10"),
    ],
)
def test_front_matter_that_is_not_understood_stays_byte_for_byte(broken: tuple[str, str]) -> None:
    mine = edited(BASE, broken, ("at night.", "at dawn."))

    merged = merge_note(BASE, mine, source(("hostas", "beans"), ("reads: 10", "reads: 12")))

    assert merged.text == edited(mine, ("hostas", "beans"))
    assert len(merged.conflicts) == 1


REFORMATTED = {
    "bullets before every block, as Logseq has them": [
        ("They come", "- They come"),
        ("They eat", "- They eat"),
        ("# Slugs", "- # Slugs"),
    ],
    "other bullets": [("\n* [[Three]]", "\n- [[Three]]")],
    "another rule": [("***", "---")],
    "white space at the end": [("hostas.", "hostas.  ")],
    "blank lines": [("# Slugs\n", "# Slugs\n\n\n")],
}


@pytest.mark.parametrize("case", REFORMATTED)
def test_another_form_is_no_change(case: str) -> None:
    mine = edited(BASE, *REFORMATTED[case], ("at night.", "at dawn."))

    merged = merge_note(BASE, mine, source(("hostas", "beans"), ("\n* [[Three]]", "\n* [[Four]]")))

    assert merged.conflicts == ()
    assert "dawn" in merged.text
    assert "eat beans" in merged.text
    assert "[[Four]]" in merged.text


LINE = st.sampled_from(["a", "b", "c", "", "- a", "| x | y |", "|x|y|", "***", "é\u2028f"])
TEXT = st.lists(LINE, max_size=8).map("\n".join) | st.lists(LINE, max_size=8).map(
    lambda lines: "".join(f"{x}\n" for x in lines)
)


@given(TEXT, TEXT)
def test_a_text_that_one_side_left_alone_becomes_the_other(base: str, other: str) -> None:
    assert merge_text(base, base, other).text == other
    assert merge_text(base, other, base).text == other
    assert merge_text(base, other, other).text == other


@given(TEXT, TEXT, TEXT)
def test_a_second_merge_changes_nothing_and_asks_nothing(base: str, mine: str, new: str) -> None:
    first = merge_text(base, mine, new).text

    assert merge_text(new, first, new).text == first
    assert merge_text(new, first, new).conflicts == ()


@given(TEXT, st.lists(st.integers(0, 8)), TEXT)
def test_no_line_that_the_user_added_is_lost(base: str, places: list[int], new: str) -> None:
    lines = base.split("\n")
    for number, place in enumerate(places):
        lines.insert(min(place, len(lines)), f"mine {number}")

    merged = merge_text(base, "\n".join(lines), new).text

    assert all(f"mine {number}" in merged.split("\n") for number in range(len(places)))


KEYS = st.sampled_from(["title", "reads", "tags", "mood", "'tags'", "über"])
VALUES = st.sampled_from(
    ["1", '"a: b"', "a b # c", "[a, b]", "[]", "\n  - a\n  - 'b'  # x", "", "|\n  x\n  y", "{a: 1}"]
)


@given(st.lists(st.tuples(KEYS, VALUES), max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_places_of_a_block_are_those_of_its_characters(
    lines: list[tuple[str, str]], break_: str
) -> None:
    text = "".join(f"{key}: {value}\n" for key, value in lines).replace("\n", break_)

    block = read_block(text)

    keys = [key.strip("'") for key, _ in lines]
    if block is None:
        assert len(set(keys)) < len(keys)
        return
    assert [one.key for one in block.properties] == keys
    assert "".join(text[one.start : one.end] for one in block.properties) == text
    for one in block.properties:
        assert all(block.raw(item).strip("'\"") == item.text for item in one.items)


def test_navigation_is_what_holds_nothing_but_links() -> None:
    lines = BODY.split("\n")

    found = [lines[place] for place in sorted(navigation_of(BODY))]

    assert [line for line in found if line] == [
        "- [[Growing]] · 2 · [[Three]] →",
        "***",
        "* [[Three]] →",
    ]
    assert navigation_of("\nWords with a [[link]].\nAnd more.\n") == frozenset()


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parent.parent / "sample_vault").rglob("*.md")), ids=str
)
def test_every_note_of_the_sample_takes_news_around_an_edit(path: Path) -> None:
    base = path.read_text(encoding="utf-8")
    mine = base + "\nMine.\n"
    theirs = re.sub(r"^date: .*", "date: 1999-01-01", base, flags=re.MULTILINE) + "\nNews.\n"

    merged = merge_note(base, mine, theirs)

    assert merged.conflicts == ()
    assert merged.text.endswith("News.\n\nMine.\n")
    assert ("date: 1999-01-01" in merged.text) == ("date: " in base)
