"""`posts.base` and `series.canvas`, as Obsidian reads them."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
import yaml
from blog import GULL, Blog, part
from hypothesis import given
from hypothesis import strategies as st
from pytest_regressions.file_regression import FileRegressionFixture

from kbexport.config import Config
from kbexport.pipeline import build
from kbexport.render.labels import LABELS
from kbexport.render.layout import arrange
from kbexport.render.table import table_text

HOSTILE = '<img src=x onerror=evil()> {{title}} <% tp.x %> [[y]] `= 1` "\\'


def shown(vault: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((vault / "series.canvas").read_text())
    return content


def series(name: str, count: int, **more: object) -> list[dict[str, Any]]:
    return [
        {
            "title": f"{name}({n}) p{n}",
            "published": f"2024-01-{n:02}",
            "url": f"https://b.example/{name}/{n}",
            **more,
        }
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("language", LABELS)
def test_the_table_has_views_by_series_date_reads_and_column(
    file_regression: FileRegressionFixture, language: str
) -> None:
    file_regression.check(table_text(LABELS[language], ""), extension=".base")


def test_the_table_inside_a_bigger_vault_shows_its_own_folder_alone() -> None:
    content = yaml.safe_load(table_text(LABELS["en"], 'My "Blog"'))

    assert content["filters"]["and"][-1] == 'file.inFolder("My \\"Blog\\"")'


def test_the_map_of_a_small_blog_shows_the_parts_of_each_series(
    tmp_path: Path, file_regression: FileRegressionFixture
) -> None:
    blog = Blog(tmp_path)
    blog.build(
        *(part(n) for n in (1, 2, 3, 4, 5)), *series("灯塔手记外篇", 2), *series("Gulls", 2), GULL
    )

    file_regression.check((blog.vault / "series.canvas").read_text(), extension=".canvas")


def test_the_map_of_a_big_blog_shows_the_notes_of_the_series_alone(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    names = [f"{bird}{place}" for bird in ("海鸥", "燕鸥", "信天翁") for place in ("之歌", "手记")]
    blog.build(*(post for name in names for post in series(name, 28)))

    content = shown(blog.vault)
    assert sorted(node["file"] for node in content["nodes"]) == sorted(f"{n}/{n}.md" for n in names)
    assert overlaps({node["id"]: node for node in content["nodes"]}) == []


def test_the_map_names_notes_where_they_lie_in_the_folder_that_the_app_opens(
    tmp_path: Path,
) -> None:
    (tmp_path / "My/.obsidian").mkdir(parents=True)
    source = tmp_path / "posts.jsonl"
    source.write_text("".join(json.dumps(part(n)) + "\n" for n in (1, 2)))
    out = tmp_path / "My/Blog"

    build(Config(sources=(source,), out=out))

    files = [node["file"] for node in shown(out)["nodes"] if "file" in node]
    assert len(files) == 3
    assert all((tmp_path / "My" / file).is_file() for file in files)


def test_a_deleted_part_has_no_place_on_the_map_and_arrows_go_past_it(tmp_path: Path) -> None:
    blog = Blog(tmp_path)
    blog.build(part(1), part(2), part(3))
    blog.note("灯塔手记(2)*").unlink()
    blog.build(part(1), part(2), part(3))

    content = shown(blog.vault)
    one, three = (
        next(n["id"] for n in content["nodes"] if f"手记({number})" in n.get("file", ""))
        for number in (1, 3)
    )
    assert [(edge["fromNode"], edge["toNode"]) for edge in content["edges"]] == [(one, three)]


@pytest.mark.parametrize("flavor", ["both", "obsidian"])
def test_no_word_of_a_source_can_run_in_table_or_map(tmp_path: Path, flavor: str) -> None:
    blog = Blog(tmp_path)
    posts = series(HOSTILE, 3, tags=[HOSTILE], column=HOSTILE, author=HOSTILE)

    blog.build(*posts, flavor=flavor)

    content = shown(blog.vault)
    assert {node["type"] for node in content["nodes"]} == {"file", "group"}
    assert not any("label" in edge for edge in content["edges"])
    text = (blog.vault / "series.canvas").read_text()
    assert [sign for sign in ("<", "[[", "]]", "|") if sign in text] == []
    assert (blog.vault / "posts.base").read_text() in [
        table_text(labels, "") for labels in LABELS.values()
    ]


def overlaps(boxes: Mapping[str, Mapping[str, int]]) -> list[tuple[str, str]]:
    def apart(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
        return any(
            one[at] + one[size] <= other[at] or other[at] + other[size] <= one[at]
            for at, size in (("x", "width"), ("y", "height"))
        )

    return [pair for pair in combinations(sorted(boxes), 2) if not apart(*(boxes[u] for u in pair))]


@given(st.integers(1, 40), st.randoms(use_true_random=False))
def test_no_box_lies_over_another_and_order_plays_no_part(count: int, dice: random.Random) -> None:
    uids = [f"s-{n}" for n in range(count)]
    sizes = {uid: (dice.randint(1, 900), dice.randint(1, 900)) for uid in uids}
    ties: dict[str, list[str]] = {uid: [] for uid in uids}
    for _ in range(dice.randint(0, 2 * count)):
        one, other = dice.choice(uids), dice.choice(uids)
        if one != other:
            ties[one].append(other)
            ties[other].append(one)

    places = arrange(sizes, ties)
    turned = {uid: sizes[uid] for uid in reversed(uids)}
    again = arrange(turned, {uid: ties[uid][::-1] for uid in turned})

    boxes = {
        uid: {"x": x, "y": y, "width": sizes[uid][0], "height": sizes[uid][1]}
        for uid, (x, y) in places.items()
    }
    assert overlaps(boxes) == []
    assert again == places
