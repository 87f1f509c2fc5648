from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbexport.series.extras import extras
from kbexport.series.names import key_of, tidy, tokens_of
from kbexport.series.rules import RULES, Rule, Strength
from kbexport.series.titles import candidates

READINGS = [
    # title, name, ordinal, part
    ("种番茄（三）：浇水", "种番茄", 3, "浇水"),
    ("种番茄(3) - 浇水", "种番茄", 3, "浇水"),
    ("种番茄 (3) ---- 浇水(上)", "种番茄", 3, "浇水(上)"),
    ("种番茄（零）", "种番茄", 0, ""),
    ("种番茄之二 - 搭架", "种番茄", 2, "搭架"),
    ("种番茄之(2) - 搭架", "种番茄", 2, "搭架"),
    ("种番茄 其一", "种番茄", 1, ""),
    ("种番茄系列二：搭架", "种番茄", 2, "搭架"),
    ("种番茄笔记三：浇水", "种番茄笔记", 3, "浇水"),
    ("种番茄 第3篇 浇水", "种番茄", 3, "浇水"),
    ("种番茄第廿三回：浇水", "种番茄", 23, "浇水"),
    ("《番茄》笔记系列第三弹-浇水", "《番茄》笔记系列", 3, "浇水"),
    ("种番茄-05-浇水", "种番茄", 5, "浇水"),
    ("种番茄_5", "种番茄", 5, ""),
    ("种番茄Ⅱ", "种番茄", 2, ""),
    ("种番茄Day 2：水", "种番茄", 2, "水"),
    ("番茄的病害（上）", "番茄的病害", 1, ""),
    ("番茄的病害 (下篇)", "番茄的病害", 3, ""),
    ("番茄笔记2 - 浇水", "番茄笔记", 2, "浇水"),
    ("トマトを育てる（その２：水やり）", "トマトを育てる", 2, "水やり"),
    ("トマトを育てる 4日目", "トマトを育てる", 4, ""),
    ("トマトを育てる 後編 - 水", "トマトを育てる", 3, "水"),
    ("토마토 키우기 3편 물주기", "토마토 키우기", 3, "물주기"),
    ("Growing Tomatoes, Part Two", "Growing Tomatoes", 2, ""),
    ("Growing Tomatoes: Part 2 of 5 - Watering", "Growing Tomatoes", 2, "Watering"),
    ("Growing Tomatoes [Part 6]", "Growing Tomatoes", 6, ""),
    ("Growing Tomatoes #4 - Slugs", "Growing Tomatoes", 4, "Slugs"),
    ("Growing Tomatoes II: Slugs", "Growing Tomatoes", 2, "Slugs"),
    ("Growing Tomatoes 2/3", "Growing Tomatoes", 2, ""),
    ("Growing Tomatoes: 3. Watering", "Growing Tomatoes", 3, "Watering"),
    ("Garden Letters #2: Bruno, part 3", "Garden Letters", 2, "Bruno, part 3"),
    ("Cultiver la tomate - Partie 2", "Cultiver la tomate", 2, ""),
    ("Cuidar las abejas (Parte 3)", "Cuidar las abejas", 3, ""),
    ("Rosen schneiden - 2. Teil", "Rosen schneiden", 2, ""),
    ("Cultivar tomates: segunda parte", "Cultivar tomates", 2, ""),
    ("Rosen schneiden, Teil 4: Schnitt", "Rosen schneiden", 4, "Schnitt"),
    ("Уход за розой, часть 2", "Уход за розой", 2, ""),
    ("Уход за розой. Часть вторая", "Уход за розой", 2, ""),
    ("Rosen schneiden – Teil zwei", "Rosen schneiden", 2, ""),
    ("Cuidar las abejas (y III)", "Cuidar las abejas", 3, ""),
    ("Cuidar las abejas, 2ª parte", "Cuidar las abejas", 2, ""),
    ("La Loire en barque – 2e étape", "La Loire en barque", 2, ""),
    ("Байкал. День второй", "Байкал", 2, ""),
    ("토마토 키우기 두 번째 이야기", "토마토 키우기", 2, ""),
    ("토마토 여행 둘째 날", "토마토 여행", 2, ""),
    ("토마토 키우기 제3장 물주기", "토마토 키우기", 3, "물주기"),
    ("种番茄④浇水", "种番茄", 4, "浇水"),
    ("种番茄㈢浇水", "种番茄", 3, "浇水"),
    ("种番茄·三：浇水", "种番茄", 3, "浇水"),
    ("番茄之旅 D3：浇水", "番茄之旅", 3, "浇水"),
    ("03 | 种番茄：浇水", "", 3, "种番茄：浇水"),
    ("トマトを育てる〜前編〜", "トマトを育てる", 1, ""),
    ("トマトを育てる・その壱", "トマトを育てる", 1, ""),
    ("トマトを育てる（後半）", "トマトを育てる", 3, ""),
    ("Growing Tomatoes, Ch3. Watering", "Growing Tomatoes", 3, "Watering"),
    ("Growing Tomatoes - 3", "Growing Tomatoes", 3, ""),
    ("第3回 花が咲く", "", 3, "花が咲く"),
    ("Day 3: Watering", "", 3, "Watering"),
    ("03. Watering", "", 3, "Watering"),
]

NO_PARTS = [
    "My 2016",
    "Greenhouse (2018)",
    "Seedbank 2.1 is out",
    "10 分鐘學會堆肥",
    "Trowel7",
    "Trowel 2 Beta Released",
    "Trowel 3 Preview 2",
    "Trowel 4 is out",
    "Trowel 5 发布",
    "Trowel D3 review",
    "Bug #123",
    "LeetCode 15. 三数之和",
    "种番茄零基础",
    "种番茄之美",
    "种番茄二三事",
    "C# and F#",
    "Graphics card (3080)",
    "一把好铲子",
    "",
]


@pytest.mark.parametrize(("title", "name", "ordinal", "part"), READINGS)
def test_a_title_is_name_ordinal_and_part(title: str, name: str, ordinal: int, part: str) -> None:
    first = candidates(title)[0]

    assert (first.name, first.ordinal, first.part) == (name, ordinal, part)


@pytest.mark.parametrize("title", NO_PARTS)
def test_a_number_that_counts_something_else_is_no_part(title: str) -> None:
    assert candidates(title) == ()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_reads_its_example(rule: Rule) -> None:
    assert rule.name in {candidate.rule for candidate in candidates(rule.example)}


def test_a_bare_number_is_the_weakest_sign() -> None:
    assert [c.strength for c in candidates("Growing Tomatoes 2")] == [Strength.BARE]


def test_the_name_may_stand_behind_a_bracket() -> None:
    readings = candidates("The clay (digging deeper, part 3)")

    assert ("digging deeper", 3) in {(c.name, c.ordinal) for c in readings}


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("种番茄系列总结", "种番茄"),
        ("种番茄（完）", "种番茄"),
        ("种番茄 番外篇", "种番茄"),
        ("种番茄番外：蚯蚓", "种番茄"),
        ("种番茄入门篇", "种番茄"),
        ("种番茄之类型", "种番茄"),
        ("続・トマトを育てる", "トマトを育てる"),
        ("Rosen schneiden – Fortsetzung", "Rosen schneiden"),
        ("Уход за розой: продолжение", "Уход за розой"),
        ("种番茄 续", "种番茄"),
        ("Growing Tomatoes, continued", "Growing Tomatoes"),
        ("Growing Tomatoes: an epilogue", "Growing Tomatoes"),
        ("Growing Tomatoes - Watering", "Growing Tomatoes"),
        ("种番茄 之 浇水", "种番茄"),
    ],
)
def test_a_title_names_a_series_without_a_number(title: str, name: str) -> None:
    assert name in {extra.name for extra in extras(title)}


@pytest.mark.parametrize("title", ["种番茄之前", "两棵番茄之间", "番茄之类的菜"])
def test_a_word_that_only_holds_the_linking_sign_names_no_series(title: str) -> None:
    assert extras(title) == ()


def test_a_number_may_count_what_stands_in_front_of_a_colon() -> None:
    readings = candidates("Growing Tomatoes: Watering (3)")

    assert [(c.name, c.ordinal, c.part) for c in readings] == [
        ("Growing Tomatoes: Watering", 3, ""),
        ("Watering", 3, "Growing Tomatoes"),
        ("Growing Tomatoes", 3, "Watering"),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("种 番茄", "种番茄"),
        ("种番茄系列", "种番茄"),
        ("GROWING Tomatoes", "Growing tomatoes"),
        ("Ｃ＋＋入门", "C++入门"),
    ],
)
def test_spellings_of_one_name_share_a_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(("one", "other"), [("C", "C++"), ("C", "C#"), ("种番茄", "种番茄苗")])
def test_different_names_have_different_keys(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("种番茄 ----", "种番茄"),
        ("种番茄（", "种番茄"),
        ("(原创)种番茄", "种番茄"),
        (".NET 调优：", ".NET 调优"),
        ("C# ", "C#"),
        ("Growing #", "Growing"),
        ("Growing (slowly)", "Growing (slowly)"),
    ],
)
def test_a_name_is_shown_without_frayed_ends(raw: str, shown: str) -> None:
    assert tidy(raw) == shown


@given(st.text() | st.text(alphabet=st.sampled_from("第一二上下(（[【】）)] -—:：#12Part之のIVX.")))
def test_titles_of_any_text_are_read_without_an_error(title: str) -> None:
    for candidate in candidates(title):
        assert candidate.ordinal is not None
        assert candidate.ordinal >= 0
    for extra in extras(title):
        assert key_of(extra.name)
    assert tokens_of(tidy(title)) is not None
