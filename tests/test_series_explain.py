from __future__ import annotations

from collections.abc import Sequence

from test_series_invented import blogs

from kbexport.config import SeriesRules
from kbexport.models import CollatedPost
from kbexport.report import explanation_lines, lone_rows
from kbexport.series.detect import detect_series
from kbexport.series.explain import explain

Row = tuple[str, str, tuple[str, ...]]
GARDEN: tuple[Row, ...] = (
    ("Growing Tomatoes - 1 - Seed", "2020-01-01", ("garden",)),
    ("Growing Tomatoes - 2 - slugs part 1", "2020-01-08", ("garden",)),
    ("Growing Tomatoes - 3 - slugs part 2", "2020-01-15", ("garden",)),
    ("Trowel 2 Beta Released", "2020-02-01", ("tools",)),
    ("Keeping Bees, Part 4: Queens", "2020-03-01", ("bees",)),
    ("Bees: a diary", "2020-03-09", ("bees",)),
)


def posts(rows: Sequence[Row] = GARDEN) -> list[CollatedPost]:
    return [
        CollatedPost(uid=f"p-{n}", keys=(), origins={}, title=title, published=date, tags=tags)
        for n, (title, date, tags) in enumerate(rows)
    ]


def why(place: int, *, forbid: tuple[str, ...] = ()) -> list[str]:
    given, rules = posts(), SeriesRules(forbid=forbid)
    (explanation,) = explain(given, rules, [f"p-{place}"]).values()
    return list(explanation_lines(given[place], detect_series(given, rules).series, explanation))


def test_a_part_is_explained_by_its_step_and_every_candidate() -> None:
    assert why(1) == [
        "Growing Tomatoes - 2 - slugs part 1 · 2020-01-08 · p-1",
        (
            "  in “Growing Tomatoes”, 2 of 3: the title names “Growing Tomatoes” and the number 2"
            " (between dashes)"
        ),
        (
            "  step   titles that share a name and a number: “Growing Tomatoes”, 3 parts; the title"
            " names “Growing Tomatoes” and the number 2 (between dashes)"
        ),
        (
            "  won    “Growing Tomatoes”, number 2 as 2 (between dashes; a number set apart):"
            " other posts with this name and a number: 2"
        ),
        "  won    “Growing Tomatoes” (its name and a separator): the name of the series",
        (
            "  lost   “Growing Tomatoes - 2 - slugs”, number 1 as part 1 (part word; clearly a"
            " part): no other post has this name and a number"
        ),
        (
            "  lost   “slugs”, number 1 as part 1 (part word; clearly a part): “Growing Tomatoes”"
            " came first"
        ),
        (
            "  lost   “Growing Tomatoes”, number 1 as part 1 (part word; a bare number): another"
            " number of the title came first"
        ),
        (
            "  lost   the number part 1 alone (other posts in its count: 0): no post counts on from"
            " it soon enough"
        ),
        "  lost   “Growing Tomatoes - 2” (its name and a separator): no other title has it",
        "  lost   “2 - slugs part 1” (its name behind a separator): no other title has it",
        "  lost   “slugs part 1” (its name behind a separator): no other title has it",
        "  lost   the tag “garden”: not every title of its posts names it",
    ]


def test_a_post_that_stands_alone_is_explained_too() -> None:
    lines = why(3)

    assert lines[1] == "  stands alone"
    assert all(line.startswith("  lost ") for line in lines[2:])


def test_a_lone_part_lost_for_want_of_company() -> None:
    assert (
        "  lost   “Keeping Bees”, number 4 as Part 4 (part word; clearly a part): no other post"
        " has this name and a number" in why(4)
    )


def test_a_forbidden_post_says_so() -> None:
    assert why(0, forbid=("*Seed",))[1:] == ["  stands alone", "  step   kbexport.toml forbids it"]


def test_issues_of_a_weekly_and_links_are_candidates_too() -> None:
    weekly: list[Row] = [(f"Spade Memo 2020-05-{n:02}", f"2020-05-{n:02}", ()) for n in (1, 8, 15)]
    given = posts([*weekly, ("A patch", "2020-06-01", ()), ("Water", "2020-06-02", ())])
    given = [post.model_copy(update={"excerpt": "Text"}) for post in given]
    given[4] = given[4].model_copy(update={"excerpt": "Previous: 《A patch》"})

    found = explain(given, SeriesRules(), [post.uid for post in given])

    assert found["p-0"].verdicts[0].candidate == "“Spade Memo”, issue 2020-05-01"
    assert found["p-0"].verdicts[0].won
    assert found["p-4"].verdicts[0].candidate == "a text names “A patch” as the part before it"
    assert found["p-3"].verdicts[0].candidate == "a text names “Water” as the part behind it"
    assert found["p-3"].verdicts[0].won


def test_what_won_is_what_detection_did() -> None:
    """Whatever the titles, a post in a series has a step, and one that stands alone won nothing."""
    for rows in list(blogs().values())[:12]:
        given = posts([(row["title"], row["date"], tuple(row["tags"])) for row in rows])
        placed = {part.uid for s in detect_series(given).series for part in s.parts}
        for uid, explanation in explain(given, SeriesRules(), [post.uid for post in given]).items():
            assert bool(explanation.steps) == (uid in placed)
            assert uid in placed or not any(verdict.won for verdict in explanation.verdicts)


def test_lone_parts_are_listed_with_what_they_may_belong_to() -> None:
    rows = [*GARDEN, ("Keeping Bees in Town, Part 1", "2021-01-01", ())]
    rows.append(("Keeping Bees in Town, Part 2", "2021-01-02", ()))
    given = posts(rows)

    found = list(lone_rows({p.uid: p for p in given}, detect_series(given).lone))

    assert found == [
        (
            "4",
            "Keeping Bees, Part 4: Queens",
            "2020-03-01",
            (
                "the title has the number Part 4, and no other part of “Keeping Bees” was found;"
                " near: Keeping Bees in Town"
            ),
        )
    ]
