"""Links between the notes of a vault, in the form of its flavor."""

from __future__ import annotations

from collections.abc import Mapping

from kbexport.catalog import Catalog, CatalogSeries
from kbexport.content.inert import inert_line
from kbexport.flavors import Flavor
from kbexport.models import RelatedSeries
from kbexport.naming import Names


class Linker:
    """Makes links to notes; what has no note, because its owner deleted it, becomes text."""

    def __init__(self, catalog: Catalog, names: Names, flavor: Flavor) -> None:
        self.catalog = catalog
        self._names = names
        self._flavor = flavor
        self._series = {entry.series.name: entry.uid for entry in catalog.series}
        self._related = {
            entry.uid: {
                self._series[other.name]: other
                for other in entry.series.related
                if other.name in self._series
            }
            for entry in catalog.series
        }

    def link(self, uid: str, title: str, *, label: str | None = None) -> str:
        """A link to a note; its title as inert text where there is no note."""
        target = self._names.link(uid)
        if target is None:
            return self.text(title)
        return self._flavor.wiki_link(target, label)

    def stem(self, uid: str) -> str:
        """The name of a note; empty where there is none."""
        return self._names.link(uid) or ""

    def text(self, text: str) -> str:
        """A text of the source that shows as it is."""
        return inert_line(text, logseq=self._flavor.logseq)

    def post_link(self, uid: str) -> str:
        """A link to the note of a post."""
        return self.link(uid, self.catalog.posts[uid].title or "")

    def series_link(self, uid: str) -> str:
        """A link to the note of a series."""
        entry = self.catalog.by_uid[uid]
        return self.link(uid, entry.series.name if isinstance(entry, CatalogSeries) else entry.name)

    def related(self, entry: CatalogSeries) -> tuple[str, ...]:
        """Ids of the series that are related to one."""
        return tuple(self._related[entry.uid])

    def ties(self, entry: CatalogSeries) -> Mapping[str, RelatedSeries]:
        """The same, and what ties them."""
        return self._related[entry.uid]
