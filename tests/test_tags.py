"""Tags that Obsidian and Logseq accept: `formats.md`, section 2, and `design.md`, "Properties"."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kbexport.config import TagRules
from kbexport.models import CollatedPost
from kbexport.tags import assign_tags, portable_tag

VALID = re.compile(
    r"""(?=.*[^\d/])                # not digits only
    [^\u2000-\u206f\u2e00-\u2e7f\s'!"#$%&()*+,.:;<=>?@^`{|}~\[\]\\]+""",
    re.VERBOSE,
)


@pytest.mark.parametrize(
    ("tag", "portable"),
    [
        ("机器学习", "机器学习"),
        ("C", "C"),
        ("C++", "Cpp"),
        ("c++", "cpp"),
        ("Ｃ＋＋", "Ｃpp"),
        ("C＋＋", "Cpp"),
        ("C++11", "Cpp11"),
        ("C#", "CSharp"),
        ("F#", "FSharp"),
        (".NET", "dotNET"),
        ("NET", "NET"),
        ("Node.js", "Node-js"),
        ("docker login", "docker-login"),
        ("  a \t b  ", "a-b"),
        ("#运维", "运维"),
        ("docker/容器", "docker/容器"),
        ("/a//b/", "a/b"),
        ("a/ /b", "a/b"),
        ("snake_case", "snake_case"),
        ("AI&ML: 入门", "AI-ML-入门"),
        ("标签，后文", "标签-后文"),
        ("（杂谈）", "杂谈"),
        ("《茶》！", "茶"),
        ("a^b`c", "a-b-c"),
        ("🍵茶", "🍵茶"),
        ("👍🏽", "👍🏽"),
        ("Cafe\u0301", "Café"),
        ("ⸯa", "a"),
        ("？！", ""),
        ("#", ""),
        ("/", ""),
        ("", ""),
    ],
)
def test_a_tag_becomes_one_that_both_apps_accept(tag: str, portable: str) -> None:
    assert portable_tag(tag) == portable


@pytest.mark.parametrize("tag", ["2021", "２０２１", "1/2"])
def test_a_tag_of_digits_alone_keeps_its_digits_and_gains_a_sign(tag: str) -> None:
    assert tag in portable_tag(tag)
    assert VALID.fullmatch(portable_tag(tag))


def test_languages_stay_apart() -> None:
    tags = ["C", "C++", "C#", "F", "F#", "NET", ".NET", "A+", "A"]

    assert len({portable_tag(tag).casefold() for tag in tags}) == len(tags)


TAGS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.text("aZ1/._-+# ^`~，😀\u0301\u200d\ufe0f\u2e2f²", max_size=8),
)


@given(TAGS)
def test_every_tag_is_valid_or_nothing(tag: str) -> None:
    portable = portable_tag(tag)

    assert not portable or VALID.fullmatch(portable)
    assert not portable.startswith("/")
    assert not portable.endswith("/")
    assert "//" not in portable


@given(TAGS)
@example("a+\u0301")
def test_a_valid_tag_stays_as_it_is(tag: str) -> None:
    assert portable_tag(portable_tag(tag)) == portable_tag(tag)


def assigned(*tags: Sequence[str], **rules: object) -> list[tuple[str, ...]]:
    """The tags of some posts, given the tags of each in its source."""
    posts = [
        CollatedPost(uid=f"p-{number}", keys=(), origins={}, tags=tuple(own))
        for number, own in enumerate(tags)
    ]
    return list(assign_tags(posts, TagRules.model_validate(rules, strict=False)).values())


def test_tags_that_differ_in_case_take_the_spelling_that_most_posts_use() -> None:
    assert assigned(["redis"], ["Redis"], ["Redis", "缓存"]) == [
        ("Redis",),
        ("Redis",),
        ("Redis", "缓存"),
    ]


def test_a_post_that_repeats_its_tag_has_one_voice() -> None:
    assert assigned(["redis", "redis", "redis"], ["Redis"], ["Redis"])[0] == ("Redis",)


def test_a_tie_between_spellings_does_not_depend_on_order() -> None:
    assert assigned(["redis"], ["Redis"]) == assigned(["Redis"], ["redis"])


def test_repeats_are_dropped_and_the_order_stays() -> None:
    assert assigned(["b", "a", "#b", "b ", "？"]) == [("b", "a")]


def test_a_dropped_tag_is_gone_whatever_its_case() -> None:
    assert assigned(["SED", "sed", "awk"], drop=["Sed"]) == [("awk",)]


def test_a_renamed_tag_joins_its_namesake() -> None:
    assert assigned(["Backprop", "反向传播"], rename={"backprop": "反向传播"}) == [("反向传播",)]


def test_a_prefix_stands_before_every_tag_that_is_left() -> None:
    assert assigned(["C++", "#茶", ".NET", "2021", "？"], prefix="blog/") == [
        ("blog/Cpp", "blog/茶", "blog/dotNET", "blog/2021")
    ]
    assert assigned([".NET"], prefix="blog-") == [("blog-dotNET",)]


def test_a_tag_renamed_to_nothing_is_gone() -> None:
    assert assigned(["sed", "awk"], rename={"sed": ""}, prefix="blog/") == [("blog/awk",)]
