"""Pictures and other files of `assets/`: which a run writes, and that none comes back unasked.

They are never written over, never written again where the owner has deleted them, never removed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from kbexport.assets import ACTIVE_SVG, FOLDER, content_hash, hash_of, mentioned, paths_by_hash
from kbexport.models import Asset, CollatedPost, Problem
from kbexport.vault.plan import Plan
from kbexport.vault.snapshot import Snapshot
from kbexport.vault.state import Addresses, download_path


@dataclass(frozen=True)
class Assets:
    """The files that come with a run, against those that the vault has or had."""

    vault: Snapshot
    files: tuple[Asset, ...] = ()
    """Those that came with the sources."""
    fetched: Mapping[str, Asset] | None = None
    """Pictures that were fetched for this run, by their addresses."""

    @cached_property
    def there(self) -> frozenset[str]:
        """Paths of the files that lie in `assets/`, in the form in which they were written."""
        paths = (path for path in self.vault.disk.files if path.startswith(f"{FOLDER}/"))
        return frozenset(unicodedata.normalize("NFC", path) for path in paths)

    @cached_property
    def _on_disk(self) -> frozenset[str]:
        return frozenset(map(hash_of, self.there))

    @cached_property
    def at_hand(self) -> Sequence[Asset]:
        """All files of this run."""
        return (*self.files, *(self.fetched or {}).values())

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """Where each content lies or will lie, by its hash: a name that is known stays."""
        known = {*self.vault.addresses.paths.values(), *named(self.vault.posts.values())}
        return paths_by_hash(self.there, known, (asset.path for asset in self.at_hand))

    @cached_property
    def addresses(self) -> Mapping[str, str]:
        """The asset of each picture on the web that was ever fetched.

        One that is gone and wanted back counts as never fetched.
        """
        back = self.vault.restore.missing
        known = {
            address: path
            for address, path in self.vault.addresses.paths.items()
            if not back or hash_of(path) in self._on_disk
        }
        new = {
            address: self.paths[hash_of(asset.path)]
            for address, asset in (self.fetched or {}).items()
        }
        return known | new

    def _written_before(self, posts: Iterable[CollatedPost]) -> Iterator[str]:
        """Paths of what was written once: that it is not there now is the owner's wish.

        Without a state, the posts that have a note tell it.
        """
        restore = self.vault.restore
        if restore.missing:
            return
        known = (post for post in posts if post.uid in self.vault.disk.notes)
        remembered = known if self.vault.lost else self.vault.posts.values()
        yield from named(post for post in remembered if post.uid not in restore.uids)
        yield from self.vault.addresses.paths.values()

    def to_write(self, posts: Sequence[CollatedPost]) -> tuple[Asset, ...]:
        """The files that these posts, which have a note, need and the vault does not have."""
        wanted = {*map(hash_of, named(posts))}
        wanted |= {hash_of(asset.path) for asset in (self.fetched or {}).values()}
        wanted -= self._on_disk.union(map(hash_of, self._written_before(posts)))
        files = {hash_of(asset.path): asset for asset in self.at_hand}
        return tuple(
            replace(files[one], path=self.paths[one])
            for one in sorted(wanted & files.keys(), key=lambda one: self.paths[one])
        )

    def planned(self, plan: Plan, posts: Sequence[CollatedPost]) -> Plan:
        """A plan with what becomes of the files; ``posts`` are those that have a note."""
        files = self.to_write(posts)
        after, before = Addresses(self.addresses), self.vault.addresses
        changes = before.frayed or after.paths != before.paths
        return replace(
            plan,
            assets=files,
            addresses=after if changes else None,
            downloads=_settled(self.vault.downloads, after.paths),
            problems=(*plan.problems, *_active(files)),
        )


def _settled(downloads: Iterable[str], addresses: Iterable[str]) -> tuple[str, ...]:
    """Of the pictures that wait those whose asset is recorded once the run is done."""
    waiting = set(downloads)
    return tuple(sorted(waiting & set(map(download_path, addresses)))) if waiting else ()


def named(posts: Iterable[CollatedPost]) -> Iterator[str]:
    """Paths of the assets that posts name, in their bodies or among their attachments."""
    for post in posts:
        yield from mentioned(post.body_markdown, post.body_html, *post.attachments)


def _active(files: Iterable[Asset]) -> Iterator[Problem]:
    for asset in files:
        if asset.path.endswith(f".{ACTIVE_SVG}"):
            reason = "a picture that carries scripts: kept as a file, linked and not shown"
            hint = f"take `.{ACTIVE_SVG.rpartition('.')[2]}` off its name if you trust it"
            yield Problem(source=asset.path, reason=reason, hint=hint, lost=False)


def loaders(
    files: Iterable[Asset], unread: dict[str, Problem]
) -> Mapping[str, Callable[[], bytes | None]]:
    """What reads each file; why one cannot be read is put into ``unread``."""
    return {asset.path: partial(_load, asset, unread) for asset in files}


def _load(asset: Asset, unread: dict[str, Problem]) -> bytes | None:
    try:
        content = asset.load()
    except OSError as error:
        why = f"its source cannot be read: {error.strerror or error}"
    else:
        if content_hash(content) == hash_of(asset.path):
            return content
        why = "its source changed while kbexport ran"
    unread[asset.path] = Problem(source=asset.path, reason=f"{why}: not written")
    return None


def without_assets(plan: Plan, unwritten: Iterable[str]) -> Plan:
    """The plan as it was carried out where some files could not be written.

    Nothing that names them is remembered, so that the next run tries again.
    """
    lacking = {hash_of(path) for path in unwritten}
    if not lacking:
        return plan
    addresses = plan.addresses
    if addresses is not None:
        kept = {a: path for a, path in addresses.paths.items() if hash_of(path) not in lacking}
        addresses = Addresses(kept)
    return replace(
        plan,
        posts={
            path: text
            for path, text in plan.posts.items()
            if lacking.isdisjoint(map(hash_of, mentioned(text)))
        },
        assets=tuple(asset for asset in plan.assets if hash_of(asset.path) not in lacking),
        addresses=addresses,
        downloads=_settled(plan.downloads, addresses.paths if addresses else ()),
    )
