"""File names: `formats.md`, section 4, rule by rule."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kbexport.naming import (
    KnownNames,
    Names,
    Wanted,
    assign_folders,
    assign_names,
    fold,
    portable_name,
)

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("PyTorch 分布式(15)", "PyTorch 分布式(15)"),
        ("Cafe\u0301", "Café"),
        ("茶\x00\x07\x1b\x7f\x9f水", "茶水"),
        ("茶\ufffd水", "茶水"),
        ("a\u200bb\ufeffc\u200cd\u200de\u2060f", "abcdef"),
        ("a\u202eb\u200fc\u2067d", "abcd"),
        ("  a \t\n b\u00a0\u3000c  ", "a b c"),
        ("a -- b", "a -- b"),
        ("a --- b ------ c", "a — b — c"),
        (r':/\*?"<>|', "：／＼＊？＂＜＞｜"),
        ("#^[]%", "＃＾［］％"),
        ("C# 与 C++", "C＃ 与 C++"),
        ("a___b", "a＿b"),
        ("a_b", "a_b"),
        ("README.md", "README．md"),
        ("README.MD", "README．MD"),
        ("README.md.", "README．md"),
        ("README.md 说明", "README.md 说明"),
        ("...等等...", "等等"),
        (" . 句点 . ", "句点"),
        ("..", ""),
        ("../../x", "／..／x"),
        ("???", "？？？"),
        ("", ""),
        (f"{FAMILY}家", f"{FAMILY}家"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("👩🏽\u200d💻", "👩🏽\u200d💻"),
        ("\u200d👩\u200d", "👩"),
    ],
)
def test_a_title_becomes_a_portable_name(title: str, name: str) -> None:
    assert portable_name(title) == name


FORBIDDEN = re.compile(
    r'[:/\\*?"<>|#^\[\]%\x00-\x1f\x7f-\x9f\ufffd\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]'
    r"|[^\S ]|  |-{3,}|___|\.md\Z|\A[ .]|[ .]\Z",
    re.IGNORECASE,
)

TITLES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.text("aA:/.#-_ ~`&;<>md\u200b\u200d\ufe0f😀👩e\u0301\u00a0\n", max_size=12),
    st.sampled_from(["CON", "nul.txt", "2021-12-11", "Contents", "周报", FAMILY]),
)


@given(TITLES)
@example("a__b")
@example("x.md.")
def test_naming_a_name_again_changes_nothing(title: str) -> None:
    assert portable_name(portable_name(title)) == portable_name(title)


@given(TITLES)
def test_a_portable_name_holds_no_sign_that_some_system_refuses(title: str) -> None:
    name = portable_name(title)

    assert FORBIDDEN.search(name) is None
    assert unicodedata.is_normalized("NFC", name)


def uid_of(number: int) -> str:
    return f"p-{number:012x}"


def names_of(*titles: str, known: KnownNames | None = None) -> Names:
    wanted = [Wanted(uid_of(number), title, "posts") for number, title in enumerate(titles, 1)]
    return assign_names(wanted, known or KnownNames())


def stems(*titles: str, known: KnownNames | None = None) -> list[str]:
    paths = names_of(*titles, known=known).paths.values()
    return [path.rpartition("/")[2].removesuffix(".md") for path in paths]


def on_disk(*paths: str, own: Mapping[str, str] | None = None) -> KnownNames:
    """A vault in which these files lie; ``own`` are those of kbexport by id."""
    files = [*paths, *(own or {}).values()]
    folders = {path.rpartition("/")[0] for path in files} - {""}
    return KnownNames(
        paths=own or {},
        stems=frozenset(fold(path.rpartition("/")[2].removesuffix(".md")) for path in files),
        entries=frozenset(map(fold, [*files, *folders])),
        folders=frozenset(folders),
    )


MARK = " (000000)"


@pytest.mark.parametrize("title", ["CON", "nul", "Com1", "LPT9", "aux", "PRN", "CONIN$", "com¹"])
def test_a_windows_device_takes_the_mark(title: str) -> None:
    assert stems(title) == [f"{title}{MARK}"]


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("nul.txt", f"nul{MARK}.txt"),
        ("con.tar.gz", f"con{MARK}.tar.gz"),
        ("NUL .txt", f"NUL{MARK}.txt"),
    ],
)
def test_a_device_name_takes_its_mark_before_the_first_dot(title: str, stem: str) -> None:
    assert stems(title) == [stem]


@pytest.mark.parametrize("title", ["2021-12-11", "2021_12_11", "Dec 11th, 2021"])
def test_a_journal_date_takes_the_mark(title: str) -> None:
    assert stems(title) == [f"{title}{MARK}"]


@pytest.mark.parametrize(
    "title", ["Contents", "favorites", "card", "A", "b", "TODO", "Done", "in-progress", "CANCELLED"]
)
def test_a_page_that_logseq_has_takes_the_mark(title: str) -> None:
    assert stems(title) == [f"{title}{MARK}"]


@pytest.mark.parametrize(
    "title", ["2021-12-11 周报", "2021", "2021-12", "console", "nullable.txt", "D", "TODO list"]
)
def test_a_harmless_name_takes_no_mark(title: str) -> None:
    assert stems(title) == [title]


def test_the_mark_is_six_hex_digits_of_the_id() -> None:
    wanted = [Wanted("p-1a2b3c4d5e6f", "CON")]

    assert assign_names(wanted, KnownNames()).paths == {"p-1a2b3c4d5e6f": "CON (1a2b3c).md"}


@pytest.mark.parametrize("title", ["字" * 300, "a" * 201, "x" + "é" * 100, "nul." + "字" * 90])
def test_a_long_name_is_cut_and_marked(title: str) -> None:
    names = names_of(title)
    (stem,) = stems(title)

    assert 180 < len(stem.encode()) <= 200
    assert MARK in stem
    assert names.marked == {uid_of(1)}


def test_a_name_of_200_bytes_is_whole() -> None:
    assert stems("a" * 200) == ["a" * 200]


@pytest.mark.parametrize("before", range(30))
def test_a_cut_leaves_emoji_families_whole(before: int) -> None:
    (stem,) = stems("a" * before + FAMILY * 20)
    kept = stem.removesuffix(MARK).lstrip("a")

    assert kept == FAMILY * (len(kept) // len(FAMILY))


def test_a_cut_keeps_accents_and_variation_selectors_with_their_letter() -> None:
    (stem,) = stems("a" * 189 + "❤\ufe0f" * 10)
    assert stem == "a" * 189 + MARK

    (stem,) = stems("a" * 189 + "x\u0304" * 10)
    assert stem == "a" * 189 + MARK


def test_something_is_left_of_a_name_that_is_one_long_character() -> None:
    (stem,) = stems("x" + "\u0304" * 200)

    assert stem.startswith("x")


def test_an_empty_name_is_that_of_a_post_without_title() -> None:
    wanted = [Wanted(uid_of(number), "..", "posts", fallback="无题") for number in (1, 2)]

    assert list(assign_names(wanted, KnownNames()).paths.values()) == [
        "posts/无题.md",
        f"posts/无题{MARK}.md",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("周报", "周报"),
        ("Tea", "TEA"),
        ("Café", "Cafe\u0301"),
        ("a:b", "a：b"),
        ("STRASSE", "straße"),
    ],
)
def test_the_first_keeps_the_name_and_the_second_is_marked(first: str, second: str) -> None:
    names = names_of(first, second)

    assert stems(first, second) == [portable_name(first), f"{portable_name(second)}{MARK}"]
    assert names.marked == {uid_of(2)}
    assert names.stepped_aside == {}


def test_a_name_is_unique_whatever_the_folder() -> None:
    wanted = [Wanted(uid_of(1), "周报", "posts"), Wanted(uid_of(2), "周报", "Redis")]

    assert list(assign_names(wanted, KnownNames()).paths.values()) == [
        "posts/周报.md",
        f"Redis/周报{MARK}.md",
    ]


@pytest.mark.parametrize("theirs", ["周报.md", "mine/周报.md", "posts/周报.md"])
def test_a_note_of_the_user_keeps_its_name_and_ours_steps_aside(theirs: str) -> None:
    names = names_of("周报", known=on_disk(theirs))

    assert names.paths == {uid_of(1): f"posts/周报{MARK}.md"}
    assert names.stepped_aside == {uid_of(1): "周报"}


def test_a_twin_in_case_or_normal_form_makes_ours_step_aside() -> None:
    assert stems("Tea", known=on_disk("tea.md")) == [f"Tea{MARK}"]
    assert stems("Café", known=on_disk("Cafe\u0301.md")) == [f"Café{MARK}"]


def test_a_folder_of_the_user_at_the_wanted_path_makes_ours_step_aside() -> None:
    folder = KnownNames(entries=frozenset([fold("posts/周报.md")]), folders=frozenset(["posts"]))

    assert stems("周报", known=folder) == [f"周报{MARK}"]


def test_a_mark_that_is_taken_grows() -> None:
    assert stems("周报", known=on_disk("周报.md", f"周报{MARK}.md")) == ["周报 (0000000)"]


def test_a_folder_is_spelt_as_it_lies_on_disk() -> None:
    assert names_of("周报", known=on_disk("Posts/x.md")).paths == {uid_of(1): "Posts/周报.md"}


def test_a_known_note_keeps_name_and_folder_whatever_its_title() -> None:
    known = on_disk(own={uid_of(1): "mine/旧名.md"})

    assert names_of("新名", known=known).paths == {uid_of(1): "mine/旧名.md"}


def test_a_known_note_keeps_its_name_against_an_earlier_one() -> None:
    known = on_disk(own={uid_of(2): "posts/周报.md"})

    assert names_of("周报", "周报", known=known).paths == {
        uid_of(1): f"posts/周报{MARK}.md",
        uid_of(2): "posts/周报.md",
    }


def test_a_deleted_note_gets_no_name_and_no_link() -> None:
    names = names_of("周报", "茶", known=KnownNames(gone=frozenset([uid_of(1)])))

    assert names.paths == {uid_of(2): "posts/茶.md"}
    assert names.link(uid_of(1)) is None
    assert names.link(uid_of(2)) == "茶"


NUMBERED = st.lists(TITLES, max_size=8).map(
    lambda titles: [Wanted(uid_of(n), title, "posts") for n, title in enumerate(titles, 1)]
)


@given(NUMBERED, st.frozensets(TITLES.map(portable_name).filter(bool), max_size=4))
def test_distinct_notes_get_distinct_names(wanted: list[Wanted], theirs: frozenset[str]) -> None:
    known = on_disk(*(f"mine/{name}.md" for name in theirs))
    paths = assign_names(wanted, known).paths
    new = {fold(path.rpartition("/")[2].removesuffix(".md")) for path in paths.values()}

    assert len(new) == len(wanted) == len(paths)
    assert not new & known.stems


@given(NUMBERED)
def test_every_name_is_portable_and_short(wanted: list[Wanted]) -> None:
    for path in assign_names(wanted, KnownNames()).paths.values():
        stem = path.removeprefix("posts/").removesuffix(".md")

        assert 0 < len(stem.encode()) <= 200
        assert portable_name(stem) == stem


@given(NUMBERED)
def test_names_once_given_stay(wanted: list[Wanted]) -> None:
    paths = assign_names(wanted, KnownNames()).paths
    again = assign_names(wanted[::-1], on_disk(own=paths))

    assert again.paths == paths
    assert again.stepped_aside == {}


@given(st.lists(st.sampled_from("甲乙丙丁戊"), unique=True), st.randoms())
def test_the_order_of_unrelated_notes_plays_no_part(titles: list[str], random: Random) -> None:
    wanted = [Wanted(uid_of(number), title) for number, title in enumerate(titles, 1)]
    shuffled = list(wanted)
    random.shuffle(shuffled)

    assert assign_names(shuffled, KnownNames()).paths == assign_names(wanted, KnownNames()).paths


@pytest.mark.parametrize(
    ("names", "folders"),
    [
        (["Redis"], ["Redis"]),
        (["a/b: c"], ["a／b： c"]),
        (["posts"], [f"posts{MARK}"]),
        (["Columns"], [f"Columns{MARK}"]),
        (["Tea", "TEA"], ["Tea", f"TEA{MARK}"]),
        (["a:b", "a：b"], ["a：b", f"a：b{MARK}"]),
        (["CON"], [f"CON{MARK}"]),
    ],
)
def test_a_series_lies_in_a_folder_of_its_name(names: list[str], folders: list[str]) -> None:
    wanted = {f"s-{number:012x}": name for number, name in enumerate(names, 1)}

    assert list(assign_folders(wanted, KnownNames()).values()) == folders


def test_a_folder_steps_aside_for_a_file_of_that_name() -> None:
    known = KnownNames(entries=frozenset([fold("Redis")]))

    assert assign_folders({"s-1": "Redis"}, known) == {"s-1": "Redis (1)"}
