"""Front matter that every reader of YAML takes as meant: `formats.md`, sections 2 and 6."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from kbexport.config import Config
from kbexport.flavors import BOTH, FLAVORS, OBSIDIAN, Flavor, Properties
from kbexport.options import FlavorName

KEYS = list(Properties.model_fields)
LINKS = ("series", "prev", "next", "related")
LISTS = ("tags", "related", "aliases")
HAS_TIMES = True

FENCED = pytest.mark.parametrize("flavor", [BOTH, OBSIDIAN])
"""The flavors whose properties are YAML; Logseq's own is in `test_flavor_logseq.py`."""

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.text("-#[]{}:'\"\\,&*!|>%@` \n\t\x00\x7f\x85\u2028\ufeff\ufffe😀a", max_size=12),
    st.sampled_from(
        "yes No null ~ 1.10 010 0x1F 1e3 2021-12-23 12:30 True y = --- ----- \\x2d".split()
        + "[[x]] [[[x]]] #tag".split()
    ),
    st.sampled_from(["a: b", "a #b", "- x", "a -- b", ""]),
)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
PROPERTIES = st.builds(
    Properties,
    title=st.none() | TEXT,
    date=st.sampled_from([None, "2021-12-23", "2021-12-23T10:49", "2021-12-23T10:49:04"]),
    reads=st.none() | st.integers(0, 10**9),
    tags=TEXTS,
    series=st.none() | TEXT,
    ordinal=st.none() | st.integers(-1, 99),
    prev=st.none() | TEXT,
    next=st.none() | TEXT,
    related=TEXTS,
    aliases=TEXTS,
    author=st.none() | TEXT,
    column=st.none() | TEXT,
    kind=st.sampled_from([None, "original", "repost", "translation"]),
    pinned=st.sampled_from([None, True]),
    url=st.none() | TEXT,
    kbexport=TEXT,
)
FULL = Properties(
    title="[源码解析] PyTorch 分布式(15) --- 参数服务器",
    date="2021-12-11T10:49:04",
    reads=1523,
    tags=("机器学习", "PyTorch/分布式"),
    series="PyTorch 分布式",
    ordinal=15,
    prev="PyTorch 分布式(14) — 分布式优化器",
    next="PyTorch 分布式(16) — 批处理 RPC",
    related=("PyTorch 分布式 Autograd",),
    aliases=("PyTorch 分布式(15)",),
    author="作者甲",
    column="源码解析",
    kind="original",
    pinned=True,
    url="https://blog.example.net/p/15",
    kbexport="p-1a2b3c4d5e6f 8b1e55c0a2d74f19",
)

BOTH_NOTE = """\
---
'title': "[源码解析] PyTorch 分布式(15) \\x2d\\x2d\\x2d 参数服务器"
date: 2021-12-11T10:49:04
reads: 1523
'tags': ["机器学习", "PyTorch/分布式"]
series: ["[[PyTorch 分布式]]"]
ordinal: 15
prev: ["[[PyTorch 分布式(14) — 分布式优化器]]"]
next: ["[[PyTorch 分布式(16) — 批处理 RPC]]"]
related: ["[[PyTorch 分布式 Autograd]]"]
'aliases': ["PyTorch 分布式(15)"]
author: "作者甲"
column: "源码解析"
kind: "original"
pinned: true
url: "https://blog.example.net/p/15"
kbexport: "p-1a2b3c4d5e6f 8b1e55c0a2d74f19"
---
"""

OBSIDIAN_NOTE = """\
---
title: "[源码解析] PyTorch 分布式(15) --- 参数服务器"
date: 2021-12-11T10:49:04
reads: 1523
tags:
  - 机器学习
  - PyTorch/分布式
series: "[[PyTorch 分布式]]"
ordinal: 15
prev: "[[PyTorch 分布式(14) — 分布式优化器]]"
next: "[[PyTorch 分布式(16) — 批处理 RPC]]"
related:
  - "[[PyTorch 分布式 Autograd]]"
aliases:
  - "PyTorch 分布式(15)"
author: "作者甲"
column: "源码解析"
kind: "original"
pinned: true
url: "https://blog.example.net/p/15"
kbexport: "p-1a2b3c4d5e6f 8b1e55c0a2d74f19"
---
"""


def lines(flavor: Flavor, properties: Properties) -> list[str]:
    first, *between, last, after = flavor.front_matter(properties).split("\n")
    assert (first, last, after) == ("---", "---", "")
    return between


def block(flavor: Flavor, properties: Properties) -> str:
    return "\n".join(lines(flavor, properties)) + "\n"


def expected(flavor: Flavor, properties: Properties) -> dict[str, object]:
    """The properties as a reader of YAML gets them, its dates and numbers aside."""
    return dict(_expected(flavor, properties))


def _expected(flavor: Flavor, properties: Properties) -> Iterator[tuple[str, object]]:
    for key, value in properties.model_dump().items():
        if value is None or value == ():
            continue
        if key in LINKS:
            targets = value if isinstance(value, tuple) else (value,)
            links: list[str] = [f"[[{target}]]" for target in targets]
            single = flavor is OBSIDIAN and key != "related"
            yield key, links[0] if single else links
        else:
            yield key, list(value) if isinstance(value, tuple) else value


def as_text(values: Mapping[str, object]) -> dict[str, object]:
    return {
        key: value if isinstance(value, list | str) else str(value).lower()
        for key, value in values.items()
    }


@pytest.mark.parametrize(("flavor", "note"), [(BOTH, BOTH_NOTE), (OBSIDIAN, OBSIDIAN_NOTE)])
def test_the_properties_look_as_documented(flavor: Flavor, note: str) -> None:
    assert flavor.front_matter(FULL) == note


@FENCED
def test_an_unknown_value_has_no_line(flavor: Flavor) -> None:
    assert lines(flavor, Properties(kbexport="p-1 x")) == ['kbexport: "p-1 x"']


@FENCED
@given(properties=PROPERTIES)
def test_a_yaml_1_2_reader_reads_what_was_written(flavor: Flavor, properties: Properties) -> None:
    reader = YAML(typ="safe", pure=True)
    read = reader.load(StringIO(block(flavor, properties)))
    date = read.pop("date", None)
    wanted = expected(flavor, properties)

    assert str(date or "").replace(" ", "T")[:16] == str(wanted.pop("date", ""))[:16]
    assert read == wanted


@FENCED
@given(properties=PROPERTIES)
def test_a_yaml_1_1_reader_reads_what_was_written(flavor: Flavor, properties: Properties) -> None:
    read = yaml.safe_load(block(flavor, properties))
    date = read.pop("date", None)
    wanted = expected(flavor, properties)

    assert str(date or "").replace(" ", "T")[:16] == str(wanted.pop("date", ""))[:16]
    assert read == wanted


LOADERS = [yaml.BaseLoader, getattr(yaml, "CBaseLoader", yaml.BaseLoader)]


@pytest.mark.parametrize("loader", LOADERS)
@FENCED
@given(properties=PROPERTIES)
def test_a_reader_of_strings_reads_the_very_strings(
    flavor: Flavor, loader: type[yaml.BaseLoader], properties: Properties
) -> None:
    read = yaml.load(block(flavor, properties), Loader=loader)  # noqa: S506 - strings only

    assert read == as_text(expected(flavor, properties))


@FENCED
@given(properties=PROPERTIES)
def test_the_keys_keep_their_order(flavor: Flavor, properties: Properties) -> None:
    keys = [key for key in KEYS if key in expected(flavor, properties)]

    assert list(yaml.safe_load(block(flavor, properties))) == keys


@given(PROPERTIES)
def test_both_writes_one_line_a_key_and_each_has_a_colon(properties: Properties) -> None:
    written = lines(BOTH, properties)
    keys = [re.split(":", line, maxsplit=1)[0].strip("'") for line in written]

    assert keys == [key for key in KEYS if key in expected(BOTH, properties)]


@given(PROPERTIES)
def test_both_holds_no_fence_between_its_fences(properties: Properties) -> None:
    assert "---" not in "\n".join(lines(BOTH, properties))


@given(PROPERTIES)
def test_both_hides_tags_and_links_in_the_quoted_keys(properties: Properties) -> None:
    quoted = [line for line in lines(BOTH, properties) if line.startswith("'")]
    others = [line for line in lines(BOTH, properties) if not line.startswith("'")]

    assert {line.split("'")[1] for line in quoted} <= {"title", "tags", "aliases"}
    assert not {line.split(":")[0] for line in others} & {"title", "tags", "aliases"}
    assert not any("#" in line or "[[" in line for line in quoted)


@given(PROPERTIES)
def test_obsidian_writes_a_list_one_item_a_line(properties: Properties) -> None:
    written = lines(OBSIDIAN, properties)

    for key in LISTS:
        items = getattr(properties, key)
        if items:
            at = written.index(f"{key}:")
            following = written[at + 1 : at + 2 + len(items)]
            assert [line.startswith("  - ") for line in following] == [True] * len(items) + [False]


@FENCED
@given(properties=PROPERTIES)
def test_no_control_and_no_line_end_of_any_reader_stands_in_a_value(
    flavor: Flavor, properties: Properties
) -> None:
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]", block(flavor, properties)
    )


def test_an_emoji_is_never_written_as_two_halves() -> None:
    for flavor in (BOTH, OBSIDIAN):
        assert 'author: "😀"' in lines(flavor, Properties(author="😀", kbexport="p-1 x"))


@pytest.mark.parametrize("flavor", [BOTH, OBSIDIAN], ids=["both", "obsidian"])
def test_a_value_holds_no_command_of_templater(flavor: Flavor) -> None:
    text = flavor.front_matter(Properties(title="<% a %> <%", kbexport="p-1 0123456789abcdef"))

    assert "<%" not in text
    assert yaml.safe_load(text.removeprefix("---\n").removesuffix("---\n"))["title"] == "<% a %> <%"


def test_only_obsidian_has_labels() -> None:
    assert OBSIDIAN.wiki_link("周报 (1)", "(1)") == "[[周报 (1)|(1)]]"
    assert OBSIDIAN.wiki_link("周报", None) == OBSIDIAN.wiki_link("周报", "周报") == "[[周报]]"
    assert BOTH.wiki_link("周报 (1)", "(1)") == "[[周报 (1)]]"


def test_app_files_are_those_of_the_apps_that_read_the_vault() -> None:
    assert "logseq/config.edn" in BOTH.app_files(HAS_TIMES)
    assert "logseq/config.edn" not in OBSIDIAN.app_files(HAS_TIMES)
    assert ".obsidian/app.json" in set(BOTH.app_files(HAS_TIMES)) & set(
        OBSIDIAN.app_files(HAS_TIMES)
    )


@pytest.mark.parametrize(("flavor", "link"), [(BOTH, "multitext"), (OBSIDIAN, "text")])
def test_obsidian_knows_the_type_of_every_property(flavor: Flavor, link: str) -> None:
    types = yaml.safe_load(flavor.app_files(not HAS_TIMES)[".obsidian/types.json"])["types"]

    assert list(types) == KEYS
    assert (types["series"], types["related"], types["date"]) == (link, "multitext", "date")


def test_command_line_and_configuration_know_the_same_flavors() -> None:
    known = {"auto", *FLAVORS}

    assert {flavor.value for flavor in FlavorName} == known
    assert set(get_args(Config.model_fields["flavor"].annotation)) == known
