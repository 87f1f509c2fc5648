from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kbexport.config import SeriesRules
from kbexport.models import CollatedPost, Series
from kbexport.series.detect import Detection, detect_series

TITLES = (
    "[Garden] Growing Pumpkins (1): Seed",
    "[Garden] Growing Pumpkins (2): Soil",
    "[Garden] Growing Pumpkins (3): Water",
    "Pumpkins under Glass: Hoops",
    "Keeping Bees (1): Hive",
    "Keeping Bees (2): Queen",
    "A late note on pumpkins",
    "Compost",
)


def post(place: int, title: str) -> CollatedPost:
    return CollatedPost(
        uid=f"p-{place}",
        keys=(),
        origins={},
        id=f"source-{place}",
        title=title,
        url=f"https://garden.example/{place}",
        published=f"2020-01-{place + 1:02}",
    )


def detect(titles: Sequence[str] = TITLES, **rules: Any) -> Detection:  # noqa: ANN401 - as in TOML
    posts = [post(place, title) for place, title in enumerate(titles)]
    return detect_series(posts, SeriesRules.model_validate(rules, strict=False))


def shown(detection: Detection) -> dict[str, list[int]]:
    """The name of each series, and the places of its parts in ``TITLES``, in reading order."""
    return {s.name: [int(part.uid[2:]) for part in s.parts] for s in detection.series}


def one(detection: Detection, name: str) -> Series:
    return next(series for series in detection.series if series.name == name)


def mistakes(detection: Detection) -> list[tuple[str, str]]:
    return [(problem.place, problem.reason) for problem in detection.problems]


def test_without_rules_the_garden_has_two_series() -> None:
    assert shown(detect()) == {"Growing Pumpkins": [0, 1, 2], "Keeping Bees": [4, 5]}
    assert mistakes(detect()) == []


@pytest.mark.parametrize(
    "selector",
    [
        "A late note on pumpkins",
        "a LATE note  on pumpkins",
        "p-6",
        "source-6",
        "https://garden.example/6",
        "A late*",
        "*late*pumpkins",
    ],
)
def test_a_post_is_named_by_title_id_address_or_pattern(selector: str) -> None:
    found = detect(join={"Growing Pumpkins": [selector]})

    assert shown(found)["Growing Pumpkins"] == [0, 1, 2, 6]
    assert mistakes(found) == []


def test_a_column_may_be_left_out_of_a_title() -> None:
    found = detect(forbid=["Growing Pumpkins (3): Water"])

    assert shown(found)["Growing Pumpkins"] == [0, 1]


def test_forbidden_posts_are_in_no_series_and_confirm_none() -> None:
    found = detect(forbid=["Keeping Bees (2)*"])

    assert shown(found) == {"Growing Pumpkins": [0, 1, 2]}
    assert [part.uid for part in found.lone] == ["p-4"]


def test_a_forbidden_series_falls_apart() -> None:
    assert shown(detect(forbid=["keeping bees"])) == {"Growing Pumpkins": [0, 1, 2]}


def test_split_posts_make_a_series_of_their_own() -> None:
    found = detect(split={"Wet Pumpkins": ["*Soil", "*Water"]})

    assert shown(found) == {"Keeping Bees": [4, 5], "Wet Pumpkins": [1, 2]}
    assert [part.ordinal for part in one(found, "Wet Pumpkins").parts] == [2, 3]


def test_what_was_split_off_leaves_no_gap_and_begins_with_none() -> None:
    titles = [f"Growing Pumpkins ({n})" for n in (1, 2, 3, 4, 5, 7, 8)]
    found = detect(titles, split={"Late Pumpkins": ["*(4)", "*(5)", "*(7)"]})

    assert [one(found, name).gaps for name in ("Growing Pumpkins", "Late Pumpkins")] == [
        ((6, 6),),
        ((6, 6),),
    ]


def test_a_forbidden_part_leaves_a_gap() -> None:
    titles = [f"Growing Pumpkins ({n})" for n in (1, 2, 3, 4)]

    assert one(detect(titles, forbid=["*(2)"]), "Growing Pumpkins").gaps == ((2, 2),)


def test_series_are_joined_to_a_series_that_is_there() -> None:
    found = detect(join={"Growing Pumpkins": ["Keeping Bees"]})

    assert set(shown(found)) == {"Growing Pumpkins"}
    assert sorted(shown(found)["Growing Pumpkins"]) == [0, 1, 2, 4, 5]
    assert one(found, "Growing Pumpkins").doubles == (1, 2)


def test_posts_are_joined_to_a_new_series() -> None:
    found = detect(join={"Loose Ends": ["Compost", "A late note*", "Pumpkins under Glass*"]})

    assert shown(found)["Loose Ends"] == [3, 6, 7]
    evidence = {part.evidence for part in one(found, "Loose Ends").parts}
    assert evidence == {"kbexport.toml: join “Loose Ends”"}


def test_a_pattern_that_fits_the_series_itself_changes_nothing() -> None:
    assert shown(detect(join={"Keeping Bees": ["Keeping Bees*"]})) == shown(detect())


@pytest.mark.parametrize("selector", ["Keeping Bees", "Keeping*", "Keeping Bees (2): Queen", "p-5"])
def test_a_series_is_renamed_by_its_name_or_by_a_part(selector: str) -> None:
    found = detect(name={selector: "Bees"})

    assert shown(found) == {"Growing Pumpkins": [0, 1, 2], "Bees": [4, 5]}


def test_a_new_name_can_be_used_in_the_rules_below_it() -> None:
    found = detect(name={"Keeping Bees": "Bees"}, order={"Bees": ["*Queen", "*Hive"]})

    assert shown(found)["Bees"] == [5, 4]


def test_a_stated_order_wins_over_numbers_and_is_not_inferred() -> None:
    found = detect(order={"Growing Pumpkins": ["*Water", "*"]})

    assert shown(found)["Growing Pumpkins"] == [2, 0, 1]
    assert not one(found, "Growing Pumpkins").inferred_order
    assert [part.ordinal for part in one(found, "Growing Pumpkins").parts] == [3, 1, 2]


def test_an_exact_title_is_stronger_than_a_pattern_before_it() -> None:
    found = detect(order={"Growing Pumpkins": ["*", "[Garden] Growing Pumpkins (1): Seed"]})

    assert shown(found)["Growing Pumpkins"] == [1, 2, 0]


def test_parts_that_an_order_does_not_name_come_behind() -> None:
    assert shown(detect(order={"Growing Pumpkins": ["*Soil"]}))["Growing Pumpkins"] == [1, 0, 2]


@pytest.mark.parametrize(
    ("rules", "place", "reason"),
    [
        ({"forbid": ["Plums"]}, "forbid", "`Plums` names no post and no series"),
        ({"split": {"A": ["Plums*"]}}, "split", "`Plums*` names no post and no series"),
        ({"split": {"A": ["Compost"]}}, "split", "`A` would have one part only"),
        ({"join": {"Keeping Bees": ["Plums"]}}, "join", "`Plums` names no post and no series"),
        (
            {"join": {"A": ["Compost"]}},
            "join",
            "`A` is no series, and would have one part only",
        ),
        ({"name": {"Plums": "A"}}, "name", "`Plums` names no series"),
        ({"name": {"*": "A"}}, "name", "`*` names 2 series"),
        (
            {"name": {"Keeping Bees": "growing pumpkins"}},
            "name",
            "there is a series `growing pumpkins` already",
        ),
        ({"order": {"Plums": ["*"]}}, "order", "`Plums` names no series"),
        (
            {"order": {"Keeping Bees": ["Compost", "*"]}},
            "order",
            "`Compost` names no part of “Keeping Bees”",
        ),
    ],
)
def test_a_rule_that_matches_nothing_is_named_and_changes_nothing(
    rules: dict[str, Any], place: str, reason: str
) -> None:
    found = detect(**rules)

    assert mistakes(found) == [(f"[series] {place}", reason)]
    assert all(problem.mistaken and problem.hint for problem in found.problems)
    assert shown(found) == shown(detect())


SELECTORS = st.sampled_from([*TITLES, "Growing Pumpkins", "Keeping Bees", "*", "*Bees*", "Plums"])
LISTS = st.lists(SELECTORS, max_size=3)
NAMES = st.sampled_from(["Growing Pumpkins", "keeping bees", "New", "Other"])


@given(
    st.fixed_dictionaries(
        {
            "forbid": LISTS,
            "split": st.dictionaries(NAMES, LISTS, max_size=2),
            "join": st.dictionaries(NAMES, LISTS, max_size=2),
            "name": st.dictionaries(SELECTORS, NAMES, max_size=2),
            "order": st.dictionaries(NAMES, LISTS, max_size=2),
        }
    )
)
def test_whatever_the_rules_say_each_post_is_in_one_series_at_most(rules: dict[str, Any]) -> None:
    found = detect(**rules)

    parts = [part.uid for series in found.series for part in series.parts]
    assert len(parts) == len(set(parts))
    assert all(len(series.parts) > 1 for series in found.series)
    names = [series.name.casefold() for series in found.series]
    assert len(names) == len(set(names))
    assert {part.uid for part in found.lone}.isdisjoint(parts)


@pytest.mark.parametrize(
    "rules",
    [
        {"split": {"A": ["Keeping Bees (2)*"]}},
        {"join": {"A": ["Keeping Bees (2)*"]}},
        {"split": {"Keeping Bees": ["*Soil", "*Water"]}},
    ],
)
def test_a_rule_that_cannot_be_followed_takes_no_part_out_of_its_series(
    rules: dict[str, Any],
) -> None:
    found = detect(**rules)

    assert len(found.problems) == 1
    assert shown(found) == shown(detect())


def test_what_is_forbidden_is_not_joined_by_a_pattern() -> None:
    found = detect(forbid=["Compost"], join={"Ends": ["Compost", "A late*", "Pumpkins*"]})

    assert shown(found)["Ends"] == [3, 6]
    assert mistakes(found) == [("[series] join", "`Compost` names no post and no series")]


def test_a_title_with_a_star_is_named_exactly_before_it_is_a_pattern() -> None:
    titles = ["Why 2 * 3", "Why 2 and then 3", "Rain", "Moss"]

    assert shown(detect(titles, join={"R": ["Why 2 * 3", "Rain"]})) == {"R": [0, 2]}


def test_width_and_spelling_of_names_do_not_count() -> None:
    found = detect(join={"ＧＲＯＷＩＮＧ  pumpkins系列": ["Ｃｏｍｐｏｓｔ"]})

    assert sorted(len(places) for places in shown(found).values()) == [2, 4]


def test_a_part_that_is_joined_keeps_the_number_and_title_it_had() -> None:
    found = detect(join={"All": ["*Soil", "*Queen"]})

    parts = one(found, "All").parts
    assert [(part.uid, part.ordinal, part.name) for part in parts] == [
        ("p-1", 2, "Soil"),
        ("p-5", 2, "Queen"),
    ]


@pytest.mark.parametrize(
    "rules", [{"join": {"  ": ["a", "b"]}}, {"name": {"A": "\n"}}, {"forbid": [""]}]
)
def test_blank_names_are_refused(rules: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        SeriesRules.model_validate(rules, strict=False)
