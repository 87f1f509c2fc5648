"""The notes that list others: series, columns, Home."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from kbexport.catalog import HOME, Catalog, CatalogSeries, Column
from kbexport.models import CollatedPost, Part, Series
from kbexport.render.labels import Labels
from kbexport.render.linking import Linker
from kbexport.render.views import (
    ColumnView,
    CountView,
    HomeSeriesView,
    HomeView,
    PartView,
    SeriesView,
    YearView,
)

NEWEST = 20
"""How many of the newest posts Home lists."""


def series_view(
    entry: CatalogSeries, catalog: Catalog, linker: Linker, labels: Labels
) -> SeriesView:
    """The parts in reading order, what is missing, and related series."""
    return SeriesView(
        labels=labels,
        title=linker.text(entry.series.name),
        related=tuple(linker.series_link(uid) for uid in linker.related(entry)),
        missing=_missing(entry.series, labels),
        inferred=entry.series.inferred_order,
        parts=tuple(_part_view(part, catalog, linker) for part in entry.series.parts),
    )


def column_view(column: Column, catalog: Catalog, linker: Linker, labels: Labels) -> ColumnView:
    """The series that have a part in the column, and its other posts by date."""
    return ColumnView(
        labels=labels,
        title=linker.text(column.name),
        series=tuple(linker.series_link(uid) for uid in column.series),
        posts=tuple(_post_view(catalog.posts[uid], linker) for uid in column.posts),
    )


def home_view(catalog: Catalog, linker: Linker, labels: Labels) -> HomeView:
    """Series, columns, years and the newest posts."""
    posts = sorted(catalog.posts.values(), key=lambda post: post.published or "", reverse=True)
    return HomeView(
        labels=labels,
        title=linker.text(home_title(catalog.posts.values(), labels, linker.stem(HOME))),
        series=tuple(
            _home_series(entry, catalog, linker, labels)
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


def _home_series(
    entry: CatalogSeries, catalog: Catalog, linker: Linker, labels: Labels
) -> HomeSeriesView:
    parts = entry.series.parts
    ordinals = [part.ordinal for part in parts if part.ordinal is not None]
    days = sorted(
        published[:10] for part in parts if (published := catalog.posts[part.uid].published)
    )
    return HomeSeriesView(
        link=linker.series_link(entry.uid),
        count=labels.count(len(parts)),
        numbers=_span(str(min(ordinals)), str(max(ordinals))) if ordinals else "",
        missing=_missing(entry.series, labels),
        dates=_span(days[0], days[-1], " – ") if days else "",
    )


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
