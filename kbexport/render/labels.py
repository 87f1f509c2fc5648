"""The few words that kbexport itself puts into notes, in the language of the blog."""

from __future__ import annotations

from kbexport.models import Model


class Labels(Model):
    """Words for templates."""

    tags: str
    in_series: str
    """Stands before the link to the series of a post."""
    prev: str
    """Stands before the link to the previous part."""
    next: str
    """Stands before the link to the next part."""
    related: str
    missing: str
    inferred: str
    series: str
    columns: str
    posts: str
    years: str
    newest: str
    undated: str
    one: str
    """`1 篇`."""
    many: str
    """Takes a number: `{} 篇`."""
    blog: str
    """Takes an author's name: the title of Home."""
    between: str
    """Stands between the items of a list on one line."""

    def count(self, number: int) -> str:
        """So many posts."""
        return self.one if number == 1 else self.many.format(number)


LABELS: dict[str, Labels] = {
    "zh": Labels(
        tags="标签：",
        in_series="系列：",
        prev="上一篇：",
        next="下一篇：",
        related="相关系列：",
        missing="缺 ",
        inferred="标题里没有序号，顺序按发布时间推断。",
        series="系列",
        columns="专栏",
        posts="文章",
        years="年份",
        newest="最新",
        undated="日期不明",
        one="1 篇",
        many="{} 篇",
        blog="{}的博客",
        between="、",
    ),
    "en": Labels(
        tags="Tags:",
        in_series="Series: ",
        prev="Previous: ",
        next="Next: ",
        related="Related series: ",
        missing="missing ",
        inferred="The titles carry no numbers; the order is inferred from the dates.",
        series="Series",
        columns="Columns",
        posts="Posts",
        years="Years",
        newest="Newest",
        undated="Undated",
        one="1 post",
        many="{} posts",
        blog="The blog of {}",
        between=", ",
    ),
}
"""Labels by language."""
