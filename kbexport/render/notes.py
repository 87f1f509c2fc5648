"""The notes of a run: properties, body, pointer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from kbexport.assets import asset_of
from kbexport.catalog import HOME, Catalog, CatalogSeries, Column, column_of
from kbexport.content.html import convert_html
from kbexport.content.inert import Inert, inert_line, inert_markdown
from kbexport.content.outline import outline
from kbexport.flavors import Flavor, Properties
from kbexport.flavors.pointer import base_hash, with_hash
from kbexport.links import PostAddresses
from kbexport.models import CollatedPost, Model, Note, OnStep, Part, Problem
from kbexport.naming import Names, portable_name
from kbexport.render.files import Files
from kbexport.render.indexes import column_view, home_title, home_view, series_view
from kbexport.render.labels import Labels
from kbexport.render.linking import Linker
from kbexport.render.templates import Templates
from kbexport.render.views import PostView
from kbexport.series.detect import short_name


@dataclass(frozen=True)
class Rendering:
    """All notes of a run, in the order of the catalog, and what could not be kept exactly."""

    notes: tuple[Note, ...]
    problems: tuple[Problem, ...]
    remote: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the pictures on the web that the notes show, each with that of a post."""


@dataclass(frozen=True)
class Look:
    """How notes look: the dialect, the language of the labels, the templates, and the pictures."""

    flavor: Flavor
    labels: Labels
    templates: Templates
    files: Files = field(default_factory=Files)


def render_notes(
    catalog: Catalog,
    names: Names,
    tags: Mapping[str, tuple[str, ...]],
    look: Look,
    *,
    on_step: OnStep | None = None,
) -> Rendering:
    """Every note of the catalog that has a name, as text. Raises TemplateFileError."""
    renderer = _Renderer(catalog, names, tags, look)
    notes = []
    for note in renderer.notes():
        notes.append(note)
        if on_step:
            on_step("rendering", len(notes), len(names.paths))
    problems = (*renderer.problems, *_unresolved(renderer.unresolved))
    return Rendering(notes=tuple(notes), problems=problems, remote=renderer.remote)


def _unresolved(found: Mapping[str, str]) -> Iterator[Problem]:
    """A line for each address of the blog itself that leads to no post, up to some."""
    for address, path in islice(found.items(), NAMED_LINKS):
        reason = f"links to {address}, which is no post of any source"
        yield Problem(source=path, reason=reason, lost=False)
    if len(found) > NAMED_LINKS:
        reason = f"{len(found) - NAMED_LINKS} more links to the blog lead to no post of any source"
        yield Problem(source="links", reason=reason, lost=False)


NAMED_LINKS = 20
"""So many links that lead to no post are named."""


class _Renderer:
    """What all notes of a run share while they are rendered."""

    def __init__(
        self, catalog: Catalog, names: Names, tags: Mapping[str, tuple[str, ...]], look: Look
    ) -> None:
        self.catalog = catalog
        self.names = names
        self.tags = tags
        self.flavor = look.flavor
        self.labels = look.labels
        self.templates = look.templates
        self.linker = Linker(catalog, names, look.flavor)
        self.addresses = PostAddresses.of(catalog.posts.values())
        self.files = look.files
        self.remote: dict[str, str] = {}
        self.problems: list[Problem] = []
        self.unresolved: dict[str, str] = {}
        """Addresses of the blog that lead to no post, each with a note that has it."""

    def notes(self) -> Iterator[Note]:
        for uid in self.catalog.keys:
            if uid in self.names.paths:
                text = self._text(uid)
                yield Note(uid=uid, path=self.names.paths[uid], text=text, base=base_hash(text))

    def _text(self, uid: str) -> str:
        if uid in self.catalog.posts:
            return self._post(self.catalog.posts[uid])
        if uid == HOME:
            return self._home()
        entry = self.catalog.by_uid[uid]
        return self._series(entry) if isinstance(entry, CatalogSeries) else self._column(entry)

    def _home(self) -> str:
        title = home_title(self.catalog.posts.values(), self.labels, self.linker.stem(HOME))
        view = home_view(self.catalog, self.linker, self.labels)
        return self._note("home", Properties(title=title, kbexport=f"{HOME} "), view)

    def _series(self, entry: CatalogSeries) -> str:
        properties = Properties(
            title=entry.series.name,
            related=self._related_targets(entry),
            aliases=self._aliases(entry.uid, None, entry.series.name),
            kbexport=f"{entry.uid} ",
        )
        view = series_view(entry, self.catalog, self.linker, self.labels)
        return self._note("series", properties, view)

    def _column(self, column: Column) -> str:
        properties = Properties(
            title=column.name,
            aliases=self._aliases(column.uid, None, column.name),
            kbexport=f"{column.uid} ",
        )
        view = column_view(column, self.catalog, self.linker, self.labels)
        return self._note("column", properties, view)

    def _note(self, template: str, properties: Properties, view: Model) -> str:
        variables: dict[str, object] = {
            name: getattr(view, name) for name in type(view).model_fields
        }
        body = self.templates.render(template, variables).strip("\n")
        front = self.flavor.front_matter(properties)
        return with_hash(f"{front}\n{body}\n" if body else front)

    def _post(self, post: CollatedPost) -> str:
        entry = self.catalog.series_of.get(post.uid)
        return self._note("post", self._properties(post, entry), self._post_view(post, entry))

    def _properties(self, post: CollatedPost, entry: CatalogSeries | None) -> Properties:
        part, before, after = self._place(post.uid, entry)
        title = post.title or ""
        return Properties(
            title=title,
            date=local_time(post.published),
            reads=post.reads,
            tags=self.tags[post.uid],
            series=self.names.link(entry.uid) if entry else None,
            ordinal=part.ordinal if part else None,
            prev=self.names.link(before.uid) if before else None,
            next=self.names.link(after.uid) if after else None,
            related=self._related_targets(entry),
            aliases=self._aliases(
                post.uid,
                short_name(entry.series.name, part.ordinal) if entry and part else None,
                title,
            ),
            author=post.author,
            column=column_of(post),
            kind=post.kind,
            pinned=post.pinned or None,
            url=post.url,
            kbexport=f"{post.uid} ",
        )

    def _related_targets(self, entry: CatalogSeries | None) -> tuple[str, ...]:
        uids = self.linker.related(entry) if entry else ()
        return tuple(target for uid in uids if (target := self.names.link(uid)))

    def _aliases(self, uid: str, short: str | None, title: str) -> tuple[str, ...]:
        """A short form for a part; the raw title only where the file name could not carry it."""
        wanted = (short, title if uid in self.names.marked else None)
        target = self.names.link(uid)
        return tuple(dict.fromkeys(alias for alias in wanted if alias and alias != target))

    def _place(
        self, uid: str, entry: CatalogSeries | None
    ) -> tuple[Part | None, Part | None, Part | None]:
        """The part that a post is, and its neighbours in reading order."""
        if entry is None:
            return None, None, None
        parts = entry.series.parts
        at = self.catalog.position[uid]
        return (
            parts[at],
            parts[at - 1] if at else None,
            parts[at + 1] if at + 1 < len(parts) else None,
        )

    def _post_view(self, post: CollatedPost, entry: CatalogSeries | None) -> PostView:
        part, before, after = self._place(post.uid, entry)
        prev, next_ = (self._part_link(one) if one else "" for one in (before, after))
        neighbours = (f"← {prev}" if prev else "", f"{next_} →" if next_ else "")
        series = self.linker.link(entry.uid, entry.series.name) if entry else ""
        ordinal = str(part.ordinal) if part and part.ordinal is not None else ""
        body = self._body(post)
        return PostView(
            labels=self.labels,
            title=inert_line(post.title or "", logseq=self.flavor.logseq),
            nav=tuple(filter(None, (series, ordinal, *neighbours))),
            neighbours=tuple(filter(None, neighbours)),
            series=series,
            prev=prev,
            next=next_,
            related=tuple(self.linker.series_link(uid) for uid in self.linker.related(entry))
            if entry
            else (),
            tags=tuple(f"#{tag}" for tag in self.tags[post.uid]),
            body=body,
            excerpt="" if body else inert_line(post.excerpt or "", logseq=self.flavor.logseq),
        )

    def _part_link(self, part: Part) -> str:
        label = f"({part.ordinal})" if part.ordinal is not None else portable_name(part.name)
        return self.linker.link(part.uid, self.catalog.posts[part.uid].title or "", label=label)

    def _body(self, post: CollatedPost) -> str:
        inert = self._inert_body(post)
        self._report(post, inert.warnings)
        return outline(inert.text) if self.flavor.outline else inert.text.strip("\n")

    def _report(self, post: CollatedPost, reasons: tuple[str, ...]) -> None:
        place = self.names.paths[post.uid]
        self.problems += [Problem(source=place, reason=reason, lost=False) for reason in reasons]

    def _inert_body(self, post: CollatedPost) -> Inert:
        markdown = post.body_markdown
        if not markdown and post.body_html:
            converted = convert_html(post.body_html, base_url=post.url)
            markdown = converted.markdown
            self._report(post, converted.problems)

        def link(address: str, label: str) -> str | None:
            if asset_of(address):
                return None
            uid = self.addresses.find(address, post)
            target = self.names.link(uid) if uid else None
            if self.addresses.is_missing(address, post):
                self.unresolved.setdefault(address, self.names.paths[post.uid])
            return self.flavor.text_link(target, label) if target else None

        place = self.files.placed(post, self.names.paths[post.uid], self.remote)
        return inert_markdown(markdown or "", logseq=self.flavor.logseq, link=link, place=place)


def local_time(moment: str | None) -> str | None:
    """The day and time on the author's clock: the moment without its offset."""
    return re.sub(r"(T[\d:]+).*", r"\1", moment) if moment else None
