from __future__ import annotations

from kbexport.models import CollatedPost, Series
from kbexport.series.detect import detect_series


def parts(name: str, *, column: str = "", tags: tuple[str, ...] = ()) -> list[CollatedPost]:
    return [
        CollatedPost(
            uid=f"{name}-{n}", keys=(), origins={}, title=f"{column}{name}（{n}）", tags=tags
        )
        for n in (1, 2)
    ]


def by_name(posts: list[CollatedPost]) -> dict[str, Series]:
    return {series.name: series for series in detect_series(posts).series}


def related(series: Series) -> set[str]:
    return {other.name for other in series.related}


def test_series_whose_names_share_specific_words_are_related_with_one_another() -> None:
    names = {"水培 生菜", "水培", "水培番茄苗"}
    posts = [post for name in (*names, "养蜂", "木工") for post in parts(name)]

    series = by_name(posts)

    for name in names:
        assert related(series[name]) == names - {name}
    assert related(series["养蜂"]) == set()


def test_a_relation_says_why() -> None:
    series = by_name([*parts("水培 生菜"), *parts("水培")])

    assert [other.reason for other in series["水培"].related] == ["the names share 水培"]


def test_a_shared_column_alone_relates_nothing() -> None:
    names = ["养蜂", "木工", "堆肥", "月季"]
    series = by_name([post for name in names for post in parts(name, column="[手记] ")])

    assert all(not related(each) for each in series.values())


def test_a_rare_tag_relates_and_one_that_all_carry_does_not() -> None:
    names = [f"{sign}的故事" for sign in "春夏秋冬山水风云花鸟虫鱼"]
    posts = [post for name in names for post in parts(name, tags=("故事",))]
    posts += parts("养蜂", tags=("蜂蜜",)) + parts("烤面包", tags=("蜂蜜",))

    series = by_name(posts)

    assert related(series["养蜂"]) == {"烤面包"}


def test_a_big_family_names_five_at_most() -> None:
    posts = [post for sign in "春夏秋冬山水风云" for post in parts(f"水培手册{sign}")]

    assert all(len(each.related) <= 5 for each in by_name(posts).values())
