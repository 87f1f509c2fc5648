"""What templates are given: every value is inert Markdown, ready to be put where it stands."""

from __future__ import annotations

from kbexport.models import Model
from kbexport.render.labels import Labels


class PostView(Model):
    """Variables of `post.md.j2`."""

    labels: Labels
    title: str
    """The title as published, on one line."""
    nav: tuple[str, ...]
    """Link to the series, number, link to the previous and to the next part; what there is."""
    neighbours: tuple[str, ...]
    """The last two of `nav`."""
    series: str
    """Link to the series; empty where there is none, as are the next two."""
    prev: str
    """Link to the previous part."""
    next: str
    """Link to the next part."""
    related: tuple[str, ...]
    """Links to related series."""
    tags: tuple[str, ...]
    """With their `#`."""
    body: str
    """The text, in flavor `logseq` an outline; empty where no source has it."""
    excerpt: str
    """The summary on one line; empty where there is a body."""


class PartView(Model):
    """A line of a series note or of a list of posts."""

    number: str
    """The printed number; empty where there is none."""
    link: str
    date: str
    """The day; empty where it is unknown."""


class RelatedView(Model):
    """A series that is related to another one."""

    link: str
    reason: str
    """Why: `名称都有“水培”；文章互相链接`; empty where nothing can be named."""


class SeriesView(Model):
    """Variables of `series.md.j2`."""

    labels: Labels
    title: str
    summary: tuple[str, ...]
    """How many parts, first and last day, how long they take to read; what is known."""
    related: tuple[RelatedView, ...]
    missing: str
    """Numbers that no part has: `1–13、15`; empty where none is missing."""
    inferred: bool
    """Whether the order comes from dates."""
    parts: tuple[PartView, ...]


class SeriesLineView(Model):
    """A line of a list of series, on Home or in a column."""

    link: str
    count: str
    numbers: str
    """First and last number: `7–16`; empty where the series has none."""
    missing: str
    dates: str
    """First and last day; empty where unknown."""


class ColumnView(Model):
    """Variables of `column.md.j2`."""

    labels: Labels
    title: str
    summary: tuple[str, ...]
    """How many posts, first and last day."""
    series: tuple[SeriesLineView, ...]
    """Series that have a part in the column."""
    newest: tuple[PartView, ...]
    """Its newest posts, those in series too; empty where all are in `posts`."""
    posts: tuple[PartView, ...]
    """Its posts in no series, by date."""


class CountView(Model):
    """A line that leads to some posts and says how many."""

    link: str
    count: str


class YearView(Model):
    """A year on Home."""

    name: str
    count: str
    posts: tuple[PartView, ...]
    """Its posts that are in no series and no column, the newest first."""


class HomeView(Model):
    """Variables of `home.md.j2`."""

    labels: Labels
    title: str
    summary: tuple[str, ...]
    """How many posts, first and last day, how many series."""
    series: tuple[SeriesLineView, ...]
    columns: tuple[CountView, ...]
    years: tuple[YearView, ...]
    """The newest first; posts without a date last."""
    newest: tuple[PartView, ...]
