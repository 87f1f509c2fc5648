"""What notes say: `design.md`, "Properties of a note", and `formats.md`, section 6."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
import yaml

from kbexport.catalog import make_catalog, wanted_names
from kbexport.flavors import BOTH, FLAVORS, OBSIDIAN, Flavor
from kbexport.flavors.pointer import is_untouched
from kbexport.models import CollatedPost, Part, RelatedSeries, Series
from kbexport.naming import KnownNames, assign_names
from kbexport.render import Look, render_notes
from kbexport.render.files import Files
from kbexport.render.labels import LABELS
from kbexport.render.notes import local_time
from kbexport.render.templates import Templates

EVERY = pytest.mark.parametrize("flavor", FLAVORS.values())
EITHER = pytest.mark.parametrize("flavor", [BOTH, OBSIDIAN])
"""What Logseq's own flavor has instead is in `test_flavor_logseq.py`."""


def post(uid: str, title: str, **fields: object) -> CollatedPost:
    known = {"uid": uid, "keys": (), "origins": {}, "title": title, **fields}
    return CollatedPost.model_validate(known)


def series(name: str, *parts: Part, related: Iterable[str] = (), **fields: object) -> Series:
    pointers = tuple(RelatedSeries(name=other) for other in related)
    return Series.model_validate({"name": name, "parts": parts, "related": pointers, **fields})


def part(uid: str, ordinal: int | None = None, name: str = "") -> Part:
    return Part(uid=uid, ordinal=ordinal, name=name, evidence="")


def render(  # noqa: PLR0913 - what a test does not name has no say in it
    posts: Iterable[CollatedPost],
    groups: Iterable[Series] = (),
    *,
    flavor: Flavor = BOTH,
    language: str = "zh",
    tags: Mapping[str, tuple[str, ...]] | None = None,
    gone: Iterable[str] = (),
    files: Files | None = None,
) -> dict[str, str]:
    """The text of every note by its file name; ``gone`` are ids of notes that were deleted."""
    catalog = make_catalog(list(posts), list(groups), {})
    known = KnownNames(gone=frozenset(gone))
    names = assign_names(wanted_names(catalog, known, "Home", "Untitled"), known)
    of_post = {uid: (tags or {}).get(uid, ()) for uid in catalog.posts}
    look = Look(flavor, LABELS[language], Templates(flavor.name, None), files or Files())
    notes = render_notes(catalog, names, of_post, look).notes
    return {note.path.rpartition("/")[2].removesuffix(".md"): note.text for note in notes}


def properties(note: str) -> dict[str, object]:
    """The properties of a note as strings."""
    read = yaml.load(note.partition("\n---\n")[0], Loader=yaml.BaseLoader)  # noqa: S506 - strings only
    assert isinstance(read, dict)
    return read


def body(note: str) -> str:
    return note.partition("\n---\n")[2].strip("\n")


TORCH = "PyTorch 分布式"
THREE = [
    post("p-000014", "[源码解析] PyTorch 分布式(14) --- 分布式优化器", published="2021-12-10"),
    post(
        "p-000015",
        "[源码解析] PyTorch 分布式(15) --- 参数服务器",
        published="2021-12-11T10:49:04",
        reads=1523,
        author="作者甲",
        kind="original",
        pinned=True,
        url="https://blog.example.net/p/15",
        body_markdown="## 0x00 摘要\n\n本文介绍参数服务器。",
    ),
    post("p-000016", "[源码解析] PyTorch 分布式(16) --- 批处理 RPC", published="2021-12-12"),
    post("p-000021", "PyTorch 分布式 Autograd (1)"),
    post("p-000022", "PyTorch 分布式 Autograd (2)"),
]
GROUPS = [
    series(
        TORCH,
        *(part(f"p-0000{number}", number) for number in (14, 15, 16)),
        related=["PyTorch 分布式 Autograd"],
        gaps=((1, 13),),
    ),
    series("PyTorch 分布式 Autograd", part("p-000021", 1), part("p-000022", 2)),
]
TAGS = {"p-000015": ("机器学习", "PyTorch/分布式")}
NAME = "PyTorch 分布式(15) — 参数服务器"

BOTH_PART = """\
- [[PyTorch 分布式]] · 15 · ← [[PyTorch 分布式(14) — 分布式优化器]] · \
[[PyTorch 分布式(16) — 批处理 RPC]] →
- 标签： #机器学习 #PyTorch/分布式

# [源码解析] PyTorch 分布式(15) --- 参数服务器

## 0x00 摘要

本文介绍参数服务器。

***

* ← [[PyTorch 分布式(14) — 分布式优化器]] · [[PyTorch 分布式(16) — 批处理 RPC]] →
* 相关系列：[[PyTorch 分布式 Autograd]]"""

OBSIDIAN_PART = """\
[[PyTorch 分布式]] · 15 · ← [[PyTorch 分布式(14) — 分布式优化器|(14)]] · \
[[PyTorch 分布式(16) — 批处理 RPC|(16)]] →

## 0x00 摘要

本文介绍参数服务器。

---

← [[PyTorch 分布式(14) — 分布式优化器|(14)]] · [[PyTorch 分布式(16) — 批处理 RPC|(16)]] →
相关系列：[[PyTorch 分布式 Autograd]]"""

BOTH_SERIES = """\
- 相关系列：[[PyTorch 分布式 Autograd]]

# PyTorch 分布式

3 篇 · 2021-12-10 – 2021-12-12 · 1 篇有正文，约 1 分钟

缺 1–13

* 14 · [[PyTorch 分布式(14) — 分布式优化器]] · 2021-12-10
* 15 · [[PyTorch 分布式(15) — 参数服务器]] · 2021-12-11
* 16 · [[PyTorch 分布式(16) — 批处理 RPC]] · 2021-12-12

## 相关系列

* [[PyTorch 分布式 Autograd]]"""


@pytest.mark.parametrize(("flavor", "text"), [(BOTH, BOTH_PART), (OBSIDIAN, OBSIDIAN_PART)])
def test_a_part_looks_as_documented(flavor: Flavor, text: str) -> None:
    assert body(render(THREE, GROUPS, flavor=flavor, tags=TAGS)[NAME]) == text


def test_a_series_note_looks_as_documented() -> None:
    assert body(render(THREE, GROUPS)[TORCH]) == BOTH_SERIES


@EITHER
def test_a_part_has_the_properties_that_are_documented(flavor: Flavor) -> None:
    def link(name: str) -> object:
        return f"[[{name}]]" if flavor is OBSIDIAN else [f"[[{name}]]"]

    found = properties(render(THREE, GROUPS, flavor=flavor, tags=TAGS)[NAME])
    pointer = found.pop("kbexport")

    assert isinstance(pointer, str)
    assert pointer.startswith("p-000015 ")
    assert found == {
        "title": "[源码解析] PyTorch 分布式(15) --- 参数服务器",
        "date": "2021-12-11T10:49:04",
        "reads": "1523",
        "tags": ["机器学习", "PyTorch/分布式"],
        "series": link(TORCH),
        "ordinal": "15",
        "prev": link("PyTorch 分布式(14) — 分布式优化器"),
        "next": link("PyTorch 分布式(16) — 批处理 RPC"),
        "related": ["[[PyTorch 分布式 Autograd]]"],
        "aliases": ["PyTorch 分布式(15)"],
        "author": "作者甲",
        "column": "源码解析",
        "kind": "original",
        "pinned": "true",
        "url": "https://blog.example.net/p/15",
    }


@EITHER
def test_a_series_note_has_title_related_and_pointer(flavor: Flavor) -> None:
    found = properties(render(THREE, GROUPS, flavor=flavor)[TORCH])

    assert list(found) == ["title", "related", "kbexport"]
    assert found["related"] == ["[[PyTorch 分布式 Autograd]]"]


@EVERY
def test_every_note_is_untouched_when_it_is_new(flavor: Flavor) -> None:
    notes = render(THREE, GROUPS, flavor=flavor, tags=TAGS).values()

    assert [is_untouched(note) for note in notes] == [True] * len(notes)


@EVERY
def test_every_note_ends_with_one_line_end(flavor: Flavor) -> None:
    for note in render([*THREE, post("p-1", "x")], GROUPS, flavor=flavor).values():
        assert note.endswith("\n")
        assert not note.endswith("\n\n")
        assert "\n\n\n" not in note


@EITHER
@pytest.mark.parametrize(
    ("uid", "before", "after"),
    [("p-000014", False, True), ("p-000015", True, True), ("p-000016", True, False)],
)
def test_the_first_part_has_no_previous_and_the_last_no_next(
    flavor: Flavor, uid: str, before: bool, after: bool
) -> None:
    note = next(n for n in render(THREE, GROUPS, flavor=flavor).values() if f'"{uid} ' in n)

    assert ("prev" in properties(note), "next" in properties(note)) == (before, after)
    assert (note.count("← "), note.count(" →")) == (2 * before, 2 * after)


@EITHER
def test_neighbours_are_those_in_reading_order_over_gaps(flavor: Flavor) -> None:
    posts = [post("p-1", "Tea (1)"), post("p-7", "Tea (7)")]
    notes = render(posts, [series("Tea", part("p-1", 1), part("p-7", 7))], flavor=flavor)

    assert "[[Tea (7)" in str(properties(notes["Tea (1)"])["next"])


@EITHER
def test_a_neighbour_whose_note_was_deleted_becomes_text(flavor: Flavor) -> None:
    note = render(THREE, GROUPS, flavor=flavor, gone=["p-000014"])[NAME]

    assert "prev" not in properties(note)
    assert (
        body(note).count("← \\[源码解析] PyTorch 分布式(14)")
        + body(note).count("← [源码解析] PyTorch 分布式(14)")
        == 2
    )
    assert "[[PyTorch 分布式(14)" not in note
    assert "[[PyTorch 分布式(16)" in note


@EITHER
def test_the_text_in_place_of_a_deleted_note_is_inert(flavor: Flavor) -> None:
    posts = [post("p-1", "Tea [[x]] {{query}}"), post("p-2", "Tea 2")]
    groups = [series("Tea", part("p-1", 1), part("p-2", 2))]
    note = render(posts, groups, flavor=flavor, gone=["p-1"])["Tea 2"]

    assert "← Tea \\[[x]] {\\{query}}" in note


@EITHER
def test_a_series_whose_note_was_deleted_becomes_text(flavor: Flavor) -> None:
    catalog = make_catalog(THREE, GROUPS, {})
    note = render(THREE, GROUPS, flavor=flavor, gone=[catalog.series[0].uid])[NAME]

    assert "series" not in properties(note)
    assert "[[PyTorch 分布式]]" not in note
    assert "PyTorch 分布式 · 15 · ←" in note


@EITHER
def test_a_part_without_a_number_shows_none(flavor: Flavor) -> None:
    posts = [post("p-1", "Celery 之 启动"), post("p-2", "Celery 之 worker")]
    parts = [part("p-1", name="启动"), part("p-2", name="worker")]
    note = render(posts, [series("Celery", *parts)], flavor=flavor)["Celery 之 启动"]

    assert "ordinal" not in properties(note)
    assert "aliases" not in properties(note)
    assert "[[Celery]] · [[Celery 之 worker" in note


def test_in_obsidian_a_part_without_a_number_is_labelled_by_its_name() -> None:
    posts = [post("p-1", "Celery 之 启动"), post("p-2", "Celery 之 a|b]]")]
    parts = [part("p-1", name="启动"), part("p-2", name="a|b]]")]
    notes = render(posts, [series("Celery", *parts)], flavor=OBSIDIAN)

    assert "[[Celery 之 a｜b］］|a｜b］］]] →" in notes["Celery 之 启动"]


@EITHER
def test_a_part_numbered_zero_shows_its_zero(flavor: Flavor) -> None:
    posts = [post("p-1", "Tea (0)"), post("p-2", "Tea (1)")]
    notes = render(posts, [series("Tea", part("p-1", 0), part("p-2", 1))], flavor=flavor)

    assert properties(notes["Tea (0)"])["ordinal"] == "0"
    assert "* 0 · [[Tea (0)]]" in notes["Tea"]


@EITHER
def test_a_post_in_no_series_has_neither_navigation_nor_rule(flavor: Flavor) -> None:
    note = render([post("p-1", "周报", body_markdown="正文")], flavor=flavor)["周报"]

    assert body(note) == ("# 周报\n\n正文" if flavor is BOTH else "正文")


@EITHER
def test_an_excerpt_is_a_quote_where_there_is_no_body(flavor: Flavor) -> None:
    note = render([post("p-1", "周报", excerpt="第一行\n- 第二行")], flavor=flavor)["周报"]

    assert body(note).split("\n")[-1] == "> 第一行 - 第二行"


@EVERY
@pytest.mark.parametrize("text", [{"body_markdown": "正文"}, {"body_html": "<p>正文</p>"}])
def test_an_excerpt_is_not_shown_beside_a_body(flavor: Flavor, text: dict[str, str]) -> None:
    note = render([post("p-1", "周报", excerpt="摘要", **text)], flavor=flavor)["周报"]

    assert "正文" in note
    assert "摘要" not in note


@EVERY
def test_an_empty_body_is_no_body(flavor: Flavor) -> None:
    posts = [post("p-1", "周报", excerpt="摘要", body_markdown=" \n", body_html="<p></p>")]

    assert "> 摘要" in render(posts, flavor=flavor)["周报"]


def test_a_post_with_nothing_but_a_title_is_only_its_front_matter_in_obsidian() -> None:
    assert body(render([post("p-1", "周报")], flavor=OBSIDIAN)["周报"]) == ""


@EITHER
def test_the_title_is_inert_in_the_text_and_raw_in_the_properties(flavor: Flavor) -> None:
    title = "TODO #tag [[x]] {{query}}"
    note = next(n for n in render([post("p-1", title)], flavor=flavor).values() if '"p-1 ' in n)

    assert properties(note)["title"] == title
    for live in (" #tag", " [[x]]", "{{query}}", "# TODO"):
        assert live not in body(note)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh", ("标签： #茶", "相关系列：[[Milk]]")),
        ("en", ("Tags: #茶", "Related series: [[Milk]]")),
    ],
)
def test_labels_are_in_the_language_of_the_blog(language: str, words: tuple[str, str]) -> None:
    posts = [post(f"p-{n}", f"T{n}") for n in range(4)]
    groups = [
        series("Tea", part("p-0", 1), part("p-1", 2), related=["Milk"]),
        series("Milk", part("p-2", 1), part("p-3", 2)),
    ]
    notes = render(posts, groups, language=language, tags={"p-0": ("茶",)})

    assert all(word in notes["T0"] for word in words)


def test_a_short_alias_that_is_the_file_name_is_none() -> None:
    posts = [post("p-1", "Tea(1)"), post("p-2", "Tea (2) milk")]
    notes = render(posts, [series("Tea", part("p-1", 1), part("p-2", 2))])

    assert "aliases" not in properties(notes["Tea(1)"])
    assert properties(notes["Tea (2) milk"])["aliases"] == ["Tea(2)"]


@pytest.mark.parametrize("title", ["字" * 100, "CON", "2021-12-11", "[源码解析] nul.txt"])
def test_a_file_name_that_was_cut_or_marked_leaves_the_raw_title_as_alias(title: str) -> None:
    note = next(n for n in render([post("p-1", title)]).values() if '"p-1 ' in n)

    assert properties(note)["aliases"] == [title]


def test_a_file_name_with_other_signs_leaves_no_alias() -> None:
    assert "aliases" not in properties(render([post("p-1", "[源码解析] a: b?")])["a： b？"])


def test_of_two_posts_with_one_title_only_the_marked_one_has_an_alias() -> None:
    notes = render([post("p-1", "周报", published="2021-01-01"), post("p-2", "周报")])

    assert "aliases" not in properties(notes["周报"])
    assert properties(notes["周报 (2)"])["aliases"] == ["周报"]


@EITHER
def test_only_a_pinned_post_says_so(flavor: Flavor) -> None:
    posts = [post("p-1", "x1", pinned=True), post("p-2", "x2", pinned=False), post("p-3", "x3")]
    notes = render(posts, flavor=flavor)

    assert ["pinned" in properties(notes[name]) for name in ("x1", "x2", "x3")] == [
        True,
        False,
        False,
    ]


@EITHER
def test_no_reads_is_a_count_and_unknown_reads_are_none(flavor: Flavor) -> None:
    notes = render([post("p-1", "x1", reads=0), post("p-2", "x2")], flavor=flavor)

    assert properties(notes["x1"])["reads"] == "0"
    assert "reads" not in properties(notes["x2"])


@pytest.mark.parametrize(
    ("moment", "date"),
    [
        (None, None),
        ("2021-12-23", "2021-12-23"),
        ("2021-12-23T10:49", "2021-12-23T10:49"),
        ("2021-12-23T10:49:04", "2021-12-23T10:49:04"),
        ("2021-12-23T10:49Z", "2021-12-23T10:49"),
        ("2021-12-23T10:49:04Z", "2021-12-23T10:49:04"),
        ("2021-12-23T10:49+08:00", "2021-12-23T10:49"),
        ("2021-12-23T10:49:04-05:30", "2021-12-23T10:49:04"),
    ],
)
def test_a_date_is_local_and_as_exact_as_the_source(moment: str | None, date: str | None) -> None:
    assert local_time(moment) == date
    assert properties(render([post("p-1", "x", published=moment)])["x"]).get("date") == date


@EVERY
def test_a_series_note_says_what_is_missing_and_whether_the_order_is_inferred(
    flavor: Flavor,
) -> None:
    posts = [post(f"p-{n}", f"T{n}") for n in (1, 2)]
    parts = (part("p-1", 4), part("p-2", 6))
    with_gaps = render(posts, [series("Tea", *parts, gaps=((1, 3), (5, 5)))], flavor=flavor)
    by_date = render(posts, [series("Tea", *parts, inferred_order=True)], flavor=flavor)

    assert "缺 1–3、5\n" in with_gaps["Tea"]
    assert "按发布时间推断" not in with_gaps["Tea"]
    assert "缺" not in by_date["Tea"]
    assert "按发布时间推断" in by_date["Tea"]


@EITHER
def test_a_column_note_lists_its_series_and_its_other_posts(flavor: Flavor) -> None:
    posts = [post(f"p-{n}", f"[Notes] T{n}", published=f"2021-01-0{n}") for n in (1, 2, 3)]
    note = render(posts, [series("Tea", part("p-1"), part("p-2"))], flavor=flavor)["Notes"]

    assert "* [[Tea]] · 2 篇 · 2021-01-01 – 2021-01-02\n" in note
    assert "## 最新\n\n* [[T3]] · 2021-01-03\n* [[T2]]" in note
    assert note.endswith("## 文章\n\n* [[T3]] · 2021-01-03\n")


@EITHER
def test_home_lists_series_columns_years_and_the_newest(flavor: Flavor) -> None:
    home = render(THREE, GROUPS, flavor=flavor)["Home"]

    assert "* [[PyTorch 分布式]] · 3 篇 · 14–16 · 缺 1–13 · 2021-12-10 – 2021-12-12\n" in home
    assert "* [[源码解析]] · 3 篇\n" in home
    assert "* 2021 · 3 篇\n" in home
    assert home.index("[[PyTorch 分布式(16)") < home.index("[[PyTorch 分布式(14)")


@pytest.mark.parametrize(
    ("authors", "title"),
    [
        (["甲", "甲", "乙"], "甲的博客"),
        (["甲", None, None], "Home"),
        (["甲", "乙"], "Home"),
        ([None], "Home"),
    ],
)
def test_home_is_called_after_the_author_of_most_posts(
    authors: list[str | None], title: str
) -> None:
    posts = [post(f"p-{n}", f"T{n}", author=author) for n, author in enumerate(authors)]

    assert properties(render(posts)["Home"])["title"] == title


@EVERY
def test_nothing_of_a_blog_without_posts_is_listed(flavor: Flavor) -> None:
    assert "##" not in render([], flavor=flavor)["Home"]


PICTURE = "assets/图-0123456789.png"
CLIP = "assets/clip-abcdef0123.mp4"


@EVERY
def test_pictures_and_files_of_the_vault_are_named_from_the_folder_of_the_note(
    flavor: Flavor,
) -> None:
    body = f"![灯]({PICTURE}) [片]({CLIP}) ![]({CLIP}) [图]({PICTURE})"
    lone = post("p-1", "灯", url="https://blog.example/p/1", body_markdown=body)
    inside = post("p-2", "甲", body_html=f'<p><img alt="灯" src="{PICTURE}"></p>')
    parts = series("塔", part("p-2", 1), part("p-3", 2))

    notes = render([lone, inside, post("p-3", "乙")], [parts], flavor=flavor)

    assert f"![灯](../{PICTURE}) [片](../{CLIP})" in notes["灯"]
    assert f"[clip-abcdef0123.mp4](../{CLIP}) [图](../{PICTURE})" in notes["灯"]
    assert f"![灯](../{PICTURE})" in notes["甲"]


def test_an_asset_is_not_looked_for_beside_the_post() -> None:
    html = f'<img src="{PICTURE}"><a href="{CLIP}">片</a><img src="assets/own.png">'
    at = "https://blog.example/p/1.html"

    note = render([post("p-1", "灯", url=at, body_html=html)])["灯"]

    assert f"(../{PICTURE})" in note
    assert f"(../{CLIP})" in note
    assert "(https://blog.example/p/assets/own.png)" in note


def test_a_picture_that_lies_in_the_vault_under_another_name_is_shown_from_there() -> None:
    files = Files(paths={"0123456789": "assets/other-0123456789.png"})

    note = render([post("p-1", "灯", body_markdown=f"![]({PICTURE})")], files=files)["灯"]

    assert "![](../assets/other-0123456789.png)" in note


def test_a_picture_of_the_web_that_was_fetched_is_shown_from_the_vault() -> None:
    web = "https://img.example/a.png"
    files = Files(fetched={web: PICTURE})
    body = f"![]({web}) [大图]({web}) ![](https://img.example/b.png)"
    at = "https://img.example/posts/1"

    note = render([post("p-1", "灯", url=at, body_markdown=body)], files=files)["灯"]

    assert note.count(f"![](../{PICTURE})") == 1
    assert f"[大图]({web})" in note
    assert "![](https://img.example/b.png)" in note


def test_a_svg_with_scripts_is_linked_and_not_shown() -> None:
    note = render([post("p-1", "灯", body_markdown="![图](assets/a-0123456789.svg.bin)")])["灯"]

    assert "\n[图](../assets/a-0123456789.svg.bin)" in note
