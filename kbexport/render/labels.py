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
    related_series: str
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
    post: str
    """What one post is called."""
    properties: dict[str, str]
    """What the properties of a post are called in a table."""
    views: tuple[str, str, str, str]
    """Views of the table of posts: by series, date, reads, column."""
    all_series: str
    """Takes a number: `{} 个系列`."""
    minutes: str
    """Takes a number: `约 {} 分钟`."""
    with_text: str
    """Takes a count of posts and a time, where some posts have no text."""
    share_names: str
    """Takes words: why two series are related, and so for the next three."""
    share_tags: str
    share_columns: str
    linked: str
    semicolon: str
    """Stands between reasons."""
    between: str
    """Stands between the items of a list on one line."""

    def time(self, minutes: float, texts: int, posts: int) -> str:
        """How long so many texts take, of so many posts; empty where there is no text."""
        if not texts:
            return ""
        about = self.minutes.format(max(1, round(minutes)))
        return about if texts == posts else self.with_text.format(self.count(texts), about)

    def reason(self, names: str, tags: str, columns: str, *, linked: bool) -> str:
        """Why two series are related, in one line."""
        shared = (
            (self.share_names, names),
            (self.share_tags, tags),
            (self.share_columns, columns),
        )
        reasons = [form.format(values) for form, values in shared if values]
        return self.semicolon.join([*reasons, *([self.linked] if linked else [])])

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
        related_series="相关系列",
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
        post="文章",
        properties={
            "ordinal": "序号",
            "date": "日期",
            "reads": "阅读",
            "series": "系列",
            "column": "专栏",
            "author": "作者",
            "tags": "标签",
        },
        views=("按系列", "按日期", "按阅读", "按专栏"),
        all_series="{} 个系列",
        minutes="约 {} 分钟",
        with_text="{}有正文，{}",
        share_names="名称都有“{}”",
        share_tags="标签都有“{}”",
        share_columns="同在专栏“{}”",
        linked="文章互相链接",
        semicolon="；",
        between="、",
    ),
    "en": Labels(
        tags="Tags:",
        in_series="Series: ",
        prev="Previous: ",
        next="Next: ",
        related="Related series: ",
        related_series="Related series",
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
        post="Post",
        properties={
            "ordinal": "Part",
            "date": "Date",
            "reads": "Reads",
            "series": "Series",
            "column": "Column",
            "author": "Author",
            "tags": "Tags",
        },
        views=("By series", "By date", "By reads", "By column"),
        all_series="{} series",
        minutes="about {} min",
        with_text="{} with text, {}",
        share_names="the names share “{}”",
        share_tags="the tags share “{}”",
        share_columns="both in column “{}”",
        linked="parts link to one another",
        semicolon="; ",
        between=", ",
    ),
}
"""Labels by language."""
