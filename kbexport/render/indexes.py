"""The notes that list others: series, columns, Home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from kbexport.catalog import HOME, Catalog, CatalogSeries, Column
from kbexport.models import CollatedPost, Part, RelatedSeries, Series
from kbexport.render.labels import Labels
from kbexport.render.linking import Linker
from kbexport.render.views import (
    ColumnView,
    CountView,
    HomeView,
    PartView,
    RelatedView,
    SeriesLineView,
    SeriesView,
    YearView,
)
from kbexport.text.reading import reading_time

NEWEST = 20
"""How many of the newest posts Home lists."""

NEWEST_OF_COLUMN = 5
"""How many a column lists."""


def series_view(
    entry: CatalogSeries, catalog: Catalog, linker: Linker, labels: Labels
) -> SeriesView:
    """The parts in reading order, what is missing, and related series."""
    posts = [catalog.posts[part.uid] for part in entry.series.parts]
    return SeriesView(
        labels=labels,
        title=linker.text(entry.series.name),
        summary=_summary(labels.count(len(posts)), _dates(posts), _time(posts, labels)),
        related=tuple(
            RelatedView(link=linker.series_link(uid), reason=_reason(other, linker, labels))
            for uid, other in linker.ties(entry).items()
        ),
        missing=_missing(entry.series, labels),
        inferred=entry.series.inferred_order,
        parts=tuple(_part_view(part, catalog, linker) for part in entry.series.parts),
    )


def column_view(column: Column, catalog: Catalog, linker: Linker, labels: Labels) -> ColumnView:
    """The series that have a part in the column, and its other posts by date."""
    posts = _newest_first(catalog.posts[uid] for uid in column.members)
    return ColumnView(
        labels=labels,
        title=linker.text(column.name),
        summary=_summary(labels.count(column.size), _dates(posts)),
        series=tuple(
            _series_line(entry, catalog, linker, labels)
            for entry in catalog.series
            if entry.uid in column.series
        ),
        newest=tuple(_post_view(post, linker) for post in posts[:NEWEST_OF_COLUMN])
        if column.series
        else (),
        posts=tuple(_post_view(catalog.posts[uid], linker) for uid in column.posts),
    )


def home_view(catalog: Catalog, linker: Linker, labels: Labels) -> HomeView:
    """Series, columns, years and the newest posts."""
    posts = _newest_first(catalog.posts.values())
    many = labels.all_series.format(len(catalog.series)) if catalog.series else ""
    return HomeView(
        labels=labels,
        title=linker.text(home_title(catalog.posts.values(), labels, linker.stem(HOME))),
        summary=_summary(labels.count(len(posts)), _dates(posts), many),
        series=tuple(
            _series_line(entry, catalog, linker, labels)
            for entry in sorted(catalog.series, key=lambda entry: (entry.series.name, entry.uid))
        ),
        columns=tuple(
            CountView(link=linker.series_link(column.uid), count=labels.count(column.size))
            for column in catalog.columns
        ),
        years=tuple(_years(posts, catalog, linker, labels)),
        newest=tuple(_post_view(post, linker) for post in posts[:NEWEST]),
    )


def home_title(posts: Iterable[CollatedPost], labels: Labels, stem: str) -> str:
    """Whose blog it is, where most posts say so; else the name of the note."""
    authors = Counter(post.author for post in posts)
    for author, count in authors.items():
        if author and 2 * count > authors.total():
            return labels.blog.format(author)
    return stem


def _years(
    posts: Sequence[CollatedPost], catalog: Catalog, linker: Linker, labels: Labels
) -> Iterator[YearView]:
    """Each year, and the posts of it that no series and no column leads to."""
    collected = {*catalog.series_of, *(uid for column in catalog.columns for uid in column.posts)}
    for year, of_year in groupby(posts, key=lambda post: (post.published or "")[:4]):
        inside = list(of_year)
        yield YearView(
            name=year or labels.undated,
            count=labels.count(len(inside)),
            posts=tuple(_post_view(post, linker) for post in inside if post.uid not in collected),
        )


def _series_line(
    entry: CatalogSeries, catalog: Catalog, linker: Linker, labels: Labels
) -> SeriesLineView:
    parts = entry.series.parts
    ordinals = [part.ordinal for part in parts if part.ordinal is not None]
    return SeriesLineView(
        link=linker.series_link(entry.uid),
        count=labels.count(len(parts)),
        numbers=_span(str(min(ordinals)), str(max(ordinals))) if ordinals else "",
        missing=_missing(entry.series, labels),
        dates=_dates(catalog.posts[part.uid] for part in parts),
    )


def _summary(*facts: str) -> tuple[str, ...]:
    return tuple(filter(None, facts))


def _newest_first(posts: Iterable[CollatedPost]) -> list[CollatedPost]:
    return sorted(posts, key=lambda post: post.published or "", reverse=True)


def _dates(posts: Iterable[CollatedPost]) -> str:
    """First and last day."""
    days = sorted(post.published[:10] for post in posts if post.published)
    return _span(days[0], days[-1], " – ") if days else ""


def _time(posts: Sequence[CollatedPost], labels: Labels) -> str:
    """How long the texts take to read that are there."""
    times = [reading_time(post.body_markdown, post.body_html) for post in posts]
    return labels.time(sum(times), sum(time > 0 for time in times), len(posts))


def _reason(other: RelatedSeries, linker: Linker, labels: Labels) -> str:
    """Why a series is related, in the language of the blog."""
    shared = (other.names, other.tags, other.columns)
    names, tags, columns = (linker.text(labels.between.join(values)) for values in shared)
    return labels.reason(names, tags, columns, linked=other.linked)


def _missing(series: Series, labels: Labels) -> str:
    return labels.between.join(_span(str(first), str(last)) for first, last in series.gaps)


def _span(first: str, last: str, dash: str = "–") -> str:
    return first if first == last else f"{first}{dash}{last}"


def _part_view(part: Part, catalog: Catalog, linker: Linker) -> PartView:
    view = _post_view(catalog.posts[part.uid], linker)
    number = "" if part.ordinal is None else str(part.ordinal)
    return view.model_copy(update={"number": number})


def _post_view(post: CollatedPost, linker: Linker) -> PartView:
    return PartView(number="", link=linker.post_link(post.uid), date=(post.published or "")[:10])
