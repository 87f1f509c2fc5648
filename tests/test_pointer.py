"""The property `kbexport`, which certifies a note: `reexport.md`, section 2."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from kbexport.flavors import FLAVORS, Flavor, Properties
from kbexport.flavors.pointer import (
    Pointer,
    base_hash,
    find_pointer,
    is_untouched,
    with_hash,
)


def note(
    flavor: Flavor = FLAVORS["both"], *, uid: str = "p-1a2b3c4d5e6f", body: str = "正文\n\n二\n"
) -> str:
    properties = Properties(title="周报 --- 一", tags=("a", "b"), kbexport=f"{uid} ")
    return with_hash(f"{flavor.front_matter(properties)}\n{body}")


NOTE = note()
POINTER = find_pointer(NOTE)


@pytest.mark.parametrize("flavor", FLAVORS.values())
def test_a_new_note_names_itself_and_its_base(flavor: Flavor) -> None:
    text = note(flavor)

    assert find_pointer(text) == Pointer("p-1a2b3c4d5e6f", base_hash(text))
    assert is_untouched(text)


def test_the_hash_is_the_same_before_and_after_it_is_filled_in() -> None:
    blank = FLAVORS["both"].front_matter(Properties(title="x", kbexport="p-1 "))

    assert base_hash(with_hash(blank)) == base_hash(blank)
    assert with_hash(with_hash(blank)) == with_hash(blank)


def test_a_hash_is_16_hex_digits() -> None:
    assert len(base_hash(NOTE)) == 16
    assert int(base_hash(NOTE), 16) >= 0


@pytest.mark.parametrize(
    "text",
    [
        NOTE.replace("\n", "\r\n"),
        "\ufeff" + NOTE,
        "\ufeff" + NOTE.replace("\n", "\r\n"),
        NOTE.replace("\n", "\r\n", 3),
    ],
    ids=["CRLF", "BOM", "both", "mixed line ends"],
)
def test_a_note_with_other_line_ends_or_a_byte_order_mark_is_untouched(text: str) -> None:
    assert find_pointer(text) == POINTER
    assert is_untouched(text)


@given(st.integers(0, len(NOTE) - 1), st.characters(exclude_categories=["Cs"]))
@example(0, "x")
@example(len(NOTE) - 1, " ")
def test_a_note_with_any_other_sign_is_touched(at: int, sign: str) -> None:
    changed = NOTE[:at] + sign + NOTE[at + 1 :]
    assume(changed != NOTE)

    assert not is_untouched(changed)


@given(st.integers(0, len(NOTE) - 1))
def test_a_note_that_lost_a_sign_is_touched(at: int) -> None:
    assert not is_untouched(NOTE[:at] + NOTE[at + 1 :])


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: text + "\n",
        lambda text: text + "more\n",
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("---\n", "---\nmine: 1\n", 1),
        lambda text: text.replace("'title'", "title"),
        lambda text: text.replace("p-1a2b3c4d5e6f", "p-000000000000"),
    ],
)
def test_a_note_that_was_edited_is_touched(edit: object) -> None:
    assert callable(edit)
    assert not is_untouched(edit(NOTE))


LINE = f'kbexport: "{POINTER.uid} {POINTER.base}"' if POINTER else ""


@pytest.mark.parametrize(
    "line",
    [
        LINE,
        LINE.replace('"', ""),
        LINE.replace('"', "'"),
        LINE.replace("kbexport", '"kbexport"'),
        LINE.replace("kbexport", "'kbexport'"),
        LINE.replace(": ", ":   ") + "  ",
    ],
)
@pytest.mark.parametrize("place", ["first", "between", "last"])
def test_a_pointer_is_found_however_a_linter_writes_it(line: str, place: str) -> None:
    others = ["title: x", "tags:", "  - a"]
    block = {
        "first": [line, *others],
        "between": [others[0], line, *others[1:]],
        "last": [*others, line],
    }[place]
    text = "\n".join(["---", *block, "---", "", "body"])

    assert find_pointer(text) == POINTER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "body\n",
        f"{LINE}\n",
        f"---\ntitle: x\n---\n{LINE}\n",
        f"---\ntitle: x\n{LINE}\n",
        f"\n---\n{LINE}\n---\n",
        f"---\nx-{LINE}\n---\n",
        f"---\nnested:\n  {LINE}\n---\n",
        f"---\n{LINE[:-2]}\n---\n",
        f'---\n{LINE[:-1]}0"\n---\n',
        f"---\n{LINE.replace('p-', 'P-')}\n---\n",
    ],
)
def test_what_only_looks_like_a_pointer_is_none(text: str) -> None:
    assert find_pointer(text) is None
    assert not is_untouched(text)


def test_a_title_cannot_forge_a_pointer() -> None:
    forged = f"x\n---\n{LINE}\nkbexport: p-0 0000000000000000"
    for flavor in FLAVORS.values():
        properties = Properties(title=forged, aliases=(forged,), kbexport="p-real ")
        found = find_pointer(with_hash(flavor.front_matter(properties)))

        assert found is not None
        assert found.uid == "p-real"


def test_two_posts_of_equal_text_have_two_bases() -> None:
    assert base_hash(note(uid="p-1")) != base_hash(note(uid="p-2"))


def test_a_pointer_is_found_behind_more_than_8_kib_of_properties() -> None:
    properties = Properties(aliases=("字" * 9000,), kbexport="p-1 ")
    for flavor in FLAVORS.values():
        text = with_hash(flavor.front_matter(properties) + "\nbody\n")

        assert find_pointer(text) is not None
        assert is_untouched(text)
        assert not is_untouched(text + "x")


def test_text_without_a_pointer_takes_no_hash() -> None:
    with pytest.raises(ValueError, match="pointer"):
        with_hash("---\ntitle: x\n---\n")
