"""What notes there are, and where they would lie: `design.md`, "The vault"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from kbexport.catalog import HOME, Catalog, Column, make_catalog, wanted_names
from kbexport.models import CollatedPost, Part, Series
from kbexport.naming import KnownNames, assign_names, fold


def post(uid: str, title: str | None = None, **fields: object) -> CollatedPost:
    known = {"uid": uid, "keys": (), "origins": {}, "title": title or uid, **fields}
    return CollatedPost.model_validate(known)


def series(name: str, *uids: str) -> Series:
    return Series(name=name, parts=tuple(Part(uid=uid, evidence="") for uid in uids))


def catalog(
    *groups: Series,
    posts: Iterable[CollatedPost] = (),
    known: Mapping[str, tuple[str, ...]] | None = None,
) -> Catalog:
    """The catalog of these series and posts; parts need not be named twice."""
    by_id = {part.uid: post(part.uid) for group in groups for part in group.parts}
    by_id.update({one.uid: one for one in posts})
    return make_catalog(list(by_id.values()), groups, known or {})


def known_keys(*catalogs: Catalog) -> dict[str, tuple[str, ...]]:
    return {uid: keys for one in catalogs for uid, keys in one.keys.items()}


def paths(one: Catalog, known: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """Where all notes lie, given where some lie already."""
    own = known or {}
    folders = {path.rpartition("/")[0] for path in own.values()} - {""}
    names = KnownNames(
        paths=own,
        stems=frozenset(fold(path.rpartition("/")[2].removesuffix(".md")) for path in own.values()),
        entries=frozenset(map(fold, [*own.values(), *folders])),
        folders=frozenset(folders),
    )
    return assign_names(wanted_names(one, names, "Home", "Untitled"), names).paths


def test_every_post_series_and_column_has_a_note_and_so_has_home() -> None:
    one = catalog(series("Tea", "p-1", "p-2"), posts=[post("p-3", "[Notes] x")])
    (tea,), (notes,) = one.series, one.columns

    assert set(one.keys) == {HOME, "p-1", "p-2", "p-3", tea.uid, notes.uid}


def test_a_series_note_follows_its_parts_when_the_series_is_renamed() -> None:
    before = catalog(series("Tea", "p-1", "p-2", "p-3"))
    after = catalog(series("Tea and Milk", "p-1", "p-2", "p-4"), known=known_keys(before))

    assert after.series[0].uid == before.series[0].uid


def test_a_renamed_series_keeps_the_name_and_the_folder_of_its_note() -> None:
    before = catalog(series("Tea", "p-1", "p-2"))
    written = paths(before)
    after = catalog(series("Milk", "p-1", "p-2", "p-3"), known=known_keys(before))
    uid = before.series[0].uid

    assert paths(after, written)[uid] == written[uid] == "Tea/Tea.md"
    assert paths(after, written)["p-3"] == "Tea/p-3.md"


def test_of_a_series_that_fell_apart_the_larger_piece_keeps_the_note() -> None:
    before = catalog(series("Tea", "p-1", "p-2", "p-3", "p-4", "p-5"))
    after = catalog(
        series("Tea", "p-1", "p-2"),
        series("Tea green", "p-3", "p-4", "p-5"),
        known=known_keys(before),
    )
    small, large = after.series

    assert large.uid == before.series[0].uid
    assert small.uid != large.uid


def test_of_two_notes_with_as_many_parts_the_one_of_the_name_is_taken() -> None:
    before = catalog(series("Tea", "p-1", "p-2"), series("Milk", "p-3", "p-4"))
    after = catalog(series("Milk", "p-1", "p-2", "p-3", "p-4"), known=known_keys(before))

    assert after.series[0].uid == before.series[1].uid


def test_a_series_of_other_posts_takes_the_note_of_its_name() -> None:
    before = catalog(series("PyTorch 分布式", "p-1", "p-2"))
    after = catalog(series("pytorch分布式", "p-8", "p-9"), known=known_keys(before))

    assert after.series[0].uid == before.series[0].uid


def test_one_note_serves_one_series() -> None:
    before = catalog(series("Tea", "p-1", "p-2"))
    after = catalog(
        series("Tea", "p-8", "p-9"), series("Milk", "p-1", "p-2"), known=known_keys(before)
    )
    tea, milk = after.series

    assert milk.uid == before.series[0].uid
    assert tea.uid not in (milk.uid, "")


def test_the_id_of_a_new_series_does_not_depend_on_the_others() -> None:
    alone = catalog(series("Tea", "p-1", "p-2"))
    beside = catalog(series("Milk", "p-3", "p-4"), series("Tea", "p-1", "p-2"))

    assert beside.series[1].uid == alone.series[0].uid


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"title": "[源码解析] x"}, "源码解析"),
        ({"title": "x", "column": "专栏"}, "专栏"),
        ({"title": "[源码解析] x", "column": "专栏"}, "专栏"),
    ],
)
def test_a_column_is_the_sites_own_or_the_bracket_prefix(fields: dict[str, str], name: str) -> None:
    one = catalog(posts=[post("p-1", fields["title"], column=fields.get("column"))])

    assert [column.name for column in one.columns] == [name]


def test_a_post_without_a_column_is_in_none() -> None:
    assert catalog(posts=[post("p-1", "x")]).columns == ()


def test_a_column_is_spelt_as_most_of_its_posts_spell_it() -> None:
    one = catalog(
        posts=[post(f"p-{n}", f"[{name}] {n}") for n, name in enumerate(("AI", "ai", "ai"))]
    )

    assert [column.name for column in one.columns] == ["ai"]


def test_a_column_lists_series_once_and_apart_from_them_the_other_posts() -> None:
    inside = [post(uid, f"[Notes] {uid}") for uid in ("p-1", "p-2", "p-3")]
    one = catalog(series("Tea", "p-1", "p-2"), posts=inside)
    (notes,) = one.columns

    assert notes == Column(
        uid=notes.uid,
        name="Notes",
        series=(one.series[0].uid,),
        posts=("p-3",),
        members=("p-1", "p-2", "p-3"),
    )


def test_notes_lie_by_what_they_are() -> None:
    one = catalog(series("Tea", "p-1", "p-2"), posts=[post("p-3", "[Notes] Milk")])

    assert paths(one) == {
        HOME: "Home.md",
        "p-1": "Tea/p-1.md",
        "p-2": "Tea/p-2.md",
        "p-3": "posts/Milk.md",
        one.series[0].uid: "Tea/Tea.md",
        one.columns[0].uid: "columns/Notes.md",
    }


def test_a_series_note_steps_aside_for_a_post_of_its_name() -> None:
    one = catalog(series("Tea", "p-1", "p-2"), posts=[post("p-3", "Tea")])
    uid = one.series[0].uid

    assert paths(one)["p-3"] == "posts/Tea.md"
    assert paths(one)[uid] == f"Tea/Tea ({uid[2:8]}).md"


def test_of_posts_that_want_one_name_the_earliest_by_date_and_id_keeps_it() -> None:
    one = catalog(
        posts=[
            post("p-a00000", "x:y", published="2021-01-03"),
            post("p-c00000", "[A] x:y", published="2021-01-02"),
            post("p-b00000", "[Z] x：y", published="2021-01-02"),
            post("p-000000", "x:y"),
        ]
    )

    assert {uid for uid, path in paths(one).items() if path == "posts/x：y.md"} == {"p-b00000"}


def test_a_series_called_posts_lies_in_a_folder_of_its_own() -> None:
    one = catalog(series("posts", "p-1", "p-2"), posts=[post("p-3")])
    uid = one.series[0].uid

    assert paths(one)["p-1"] == f"posts ({uid[2:8]})/p-1.md"
    assert paths(one)["p-3"] == "posts/p-3.md"


def test_two_series_whose_folders_fold_together_lie_apart() -> None:
    one = catalog(series("a:b", "p-1", "p-2"), series("A：B", "p-3", "p-4"))
    first, second = (paths(one)[uid].split("/")[0] for uid in ("p-1", "p-3"))

    assert fold(first) != fold(second)


def test_a_new_series_does_not_move_into_the_folder_of_another() -> None:
    before = catalog(series("Tea", "p-1", "p-2"))
    written = paths(before)
    after = catalog(
        series("Milk", "p-1", "p-2"), series("Tea", "p-8", "p-9"), known=known_keys(before)
    )

    assert fold(paths(after, written)["p-8"].split("/")[0]) != "tea"


@pytest.mark.parametrize("folder", ["Mine", "Deep/er", ""])
def test_a_new_part_lies_with_the_others_wherever_the_user_moved_them(folder: str) -> None:
    before = catalog(series("Tea", "p-1", "p-2"))
    moved = {
        uid: f"{folder}/{path.rpartition('/')[2]}".lstrip("/") if uid in ("p-1", "p-2") else path
        for uid, path in paths(before).items()
    }
    after = catalog(series("Tea", "p-1", "p-2", "p-3"), known=known_keys(before))

    assert paths(after, moved)["p-3"] == f"{folder}/p-3.md".lstrip("/")


@pytest.mark.parametrize("folder", ["posts", "Posts"])
def test_a_series_that_forms_later_does_not_move_its_first_part(folder: str) -> None:
    after = catalog(series("Tea", "p-1", "p-2"))
    written = {"p-1": f"{folder}/p-1.md"}

    assert paths(after, written)["p-1"] == f"{folder}/p-1.md"
    assert paths(after, written)["p-2"] == "Tea/p-2.md"


def test_a_part_of_which_it_is_unclear_where_it_lies_says_nothing_about_the_folder() -> None:
    after = catalog(series("Tea", "p-1", "p-2"))

    assert paths(after, {"p-1": ""})["p-2"] == "Tea/p-2.md"


def test_position_and_series_of_each_part_are_known() -> None:
    one = catalog(series("Tea", "p-2", "p-1"), posts=[post("p-3")])

    assert one.position == {"p-2": 0, "p-1": 1}
    assert set(one.series_of) == {"p-1", "p-2"}
