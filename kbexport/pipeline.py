"""`build`: from sources to an up-to-date vault, readable at one glance."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kbexport.catalog import Catalog, make_catalog, wanted_names
from kbexport.collate import (
    UNTITLED,
    Collation,
    Language,
    blog_language,
    collate,
    with_recalled,
    with_titles,
)
from kbexport.config import Config
from kbexport.errors import SourceError, UsageError, VaultError
from kbexport.flavors import FLAVORS, Flavor
from kbexport.models import CollatedPost, OnStep, Problem
from kbexport.naming import Names, assign_names
from kbexport.oddities import odd_notes
from kbexport.readers.registry import readers
from kbexport.readers.sources import Reading, read_sources
from kbexport.render import Look, render_extras, render_notes
from kbexport.render.files import Files
from kbexport.render.labels import LABELS
from kbexport.render.templates import Templates
from kbexport.series.detect import Detection, detect_series
from kbexport.series.explain import Explanation, explain
from kbexport.series.overrides import PostNames, Selector
from kbexport.tags import assign_tags
from kbexport.text.keys import is_post
from kbexport.vault import Plan, Restore, Rules, Snapshot, Vault, plan_changes
from kbexport.vault.assets import Assets
from kbexport.vault.scan import STATE
from kbexport.vault.settle import Entry, status
from kbexport.vault.snapshot import take_snapshot

SAMPLE = Path(__file__).parent / "sample"
"""The blog that is built where no source is named."""

MOST_EXPLAINED = 20
"""So many posts are explained at once."""

NAMED = 20
"""So many problems are named where no post can be read."""


def build(config: Config, *, dry_run: bool = False, on_step: OnStep | None = None) -> Plan:
    """Bring the vault at ``config.out`` up to date with ``config.sources``.

    A dry run computes the same plan and writes nothing. ``on_step`` is told how far each
    stage is. Raises KbexportError; unless the disk failed, nothing has been written.
    """
    # Before the sources are read, which may take long.
    _out(config)
    _templates(config)
    own = holds_a_blog(config)
    reading = Reading(posts=(), problems=()) if own else read_posts(config, on_step=on_step)
    return build_vault(config, reading, dry_run=dry_run, on_step=on_step)


def holds_a_blog(config: Config) -> bool:
    """Whether no source is named and the vault holds a blog: the sample has no place in it then.

    What the vault remembers is all there is to build of.
    """
    if config.sources or config.out is None or not (config.out / STATE).is_dir():
        return False
    vault = take_snapshot(config.out, Restore())
    held = {uid for uid in (*vault.records, *vault.disk.notes) if is_post(uid)}
    sample = collate_sources(read_posts(config)).posts if held else ()
    return bool(held) and held.isdisjoint(post.uid for post in sample)


def build_vault(
    config: Config, reading: Reading, *, dry_run: bool = False, on_step: OnStep | None = None
) -> Plan:
    """The same of posts that are read already, and of the files that came with them."""
    out, templates = _out(config), _templates(config)
    restore = Restore(config.restore, config.restore_missing)
    if config.fetch_assets and not dry_run:
        reading = _with_fetched(config, reading, restore, on_step)
    # Only now, since what the owner does to the notes while pictures come has to be seen.
    with Vault.open(out, restore, read_only=dry_run) as vault:
        if not config.accept_deletions:
            vault.snapshot.refuse_mass_deletion()
        plan = plan_vault(config, reading, vault, templates, on_step=on_step)
        return plan if dry_run else vault.apply(plan, on_step=on_step)


def _with_fetched(
    config: Config, reading: Reading, restore: Restore, on_step: OnStep | None
) -> Reading:
    """What was read, and the pictures on the web that its notes would show, fetched."""
    # Only here, so that nothing of the network is loaded without the flag.
    from kbexport.fetch import Limits, fetch_pictures  # noqa: PLC0415
    from kbexport.vault.downloads import Downloads  # noqa: PLC0415

    out = _out(config)
    with Vault.open(out, restore) as vault:
        if not config.accept_deletions:
            vault.snapshot.refuse_mass_deletion()
        plan = plan_vault(config, reading, vault, _templates(config), on_step=on_step)
        limits = Limits(private=config.fetch_private)
        fetched = fetch_pictures(plan.remote, Downloads(out), limits, on_step=on_step)
    problems = (*reading.problems, *fetched.problems)
    return replace(reading, fetched=fetched.assets, problems=problems)


def _out(config: Config) -> Path:
    if config.out is None:
        hint = "add --out DIR, or `out` to kbexport.toml"
        raise UsageError("--out", "no folder for the vault", hint)
    return config.out


def _templates(config: Config) -> dict[str, Templates]:
    return {name: Templates(name, config.templates) for name in FLAVORS}


def read_posts(config: Config, *, on_step: OnStep | None = None) -> Reading:
    """All posts of the sources, or of the sample blog where none is named.

    Raises SourceError where no source holds a post.
    """
    count = itertools.count(1)
    reading = read_sources(
        config.sources or (SAMPLE,),
        format_name=config.format,
        vault=config.out,
        on_file=(lambda _: on_step("reading", next(count), 0)) if on_step else None,
    )
    if not reading.posts:
        raise _nothing_read(reading.problems)
    return reading


def _nothing_read(problems: Sequence[Problem]) -> SourceError:
    """An error that names what is wrong with the sources, since none holds a post."""
    first, *rest = problems or [Problem(source="sources", reason="no post found")]
    more = [f"{other.where}: {other.reason}" for other in rest[:NAMED]]
    if len(rest) > NAMED:
        more.append(f"and {len(rest) - NAMED} more")
    return SourceError(first.where, "\n".join([first.reason, *more]), first.hint)


def plan_vault(
    config: Config,
    reading: Reading,
    vault: Vault,
    templates: Mapping[str, Templates],
    *,
    on_step: OnStep | None = None,
) -> Plan:
    """Everything that a build changes, without changing it."""
    known = vault.snapshot
    collation = _with_memory(reading, known)
    everything = with_recalled(collation.posts, known.recalled)
    language = _language(config, everything)
    posts, detection = find_series(everything, config)
    catalog = make_catalog(posts, detection.series, known.keys)
    _refuse_unknown(config.restore - {*catalog.keys, *known.records})
    flavor = FLAVORS[vault.choose_flavor(config.flavor)]
    names = _names(catalog, vault, flavor, UNTITLED[language])
    assets = Assets(known, reading.assets, reading.fetched)
    files = Files(assets.paths, assets.addresses)
    look = Look(flavor, LABELS[language], templates[flavor.name], files)
    tags = assign_tags(posts, config.tags)
    rendering = render_notes(catalog, names, tags, look, on_step=on_step)
    remembered = {post.uid: post for post in collation.posts}
    rules = Rules(flavor, config.reads_percent)
    notes = (*rendering.notes, *render_extras(catalog, names, look, vault.folder_in_app))
    plan = plan_changes(notes, known, keys=catalog.keys, posts=remembered, rules=rules)
    plan = assets.planned(plan, [p for uid, p in catalog.posts.items() if uid in names.paths])
    plan = replace(
        plan,
        remote=rendering.remote,
        app_files=vault.absent_app_files(flavor.app_files(_has_times(posts))),
        problems=(
            *reading.problems,
            *known.problems,
            *collation.problems,
            *detection.problems,
            *rendering.problems,
            *plan.problems,
            *odd_notes(known, names),
        ),
        contradictions=collation.contradictions,
        stepped_aside=names.stepped_aside,
    )
    return _with_sources(plan, reading, collation)


def _with_sources(plan: Plan, reading: Reading, collation: Collation) -> Plan:
    """The plan, with what was read for it."""
    sourced = len(collation.from_sources)
    read = Counter(found.reader for found in reading.posts)
    return replace(
        plan,
        read=dict(sorted(read.items())),
        sourced=sourced,
        orphans=len(collation.posts) - sourced,
    )


def _with_memory(reading: Reading, known: Snapshot) -> Collation:
    """The posts of the sources and those that the vault remembers."""
    remembered = tuple(known.posts.values())
    return collate(reading.posts, ranks=_ranks(), remembered=remembered, keys=known.keys)


def _names(catalog: Catalog, vault: Vault, flavor: Flavor, untitled: str) -> Names:
    there = vault.snapshot.names(catalog.keys)
    wanted = wanted_names(catalog, there, vault.home_name, untitled, flavor.folder)
    return assign_names(wanted, there)


def _refuse_unknown(restore: frozenset[str]) -> None:
    if restore:
        hint = "the report of a build names the ids of deleted notes"
        raise UsageError("--restore", f"no note has the id {min(restore)}", hint)


def collate_sources(reading: Reading) -> Collation:
    """The posts of the sources alone, without a vault."""
    return collate(reading.posts, ranks=_ranks())


def _ranks() -> dict[str, int]:
    return {reader.name: reader.richness for reader in readers()}


def vault_status(vault: Path, config: Config) -> list[Entry]:
    """What waits for its owner in a vault; orphans only where sources are configured.

    Raises KbexportError where there is no vault, or where a source cannot be read.
    """
    if not (vault / STATE).is_dir():
        raise VaultError(str(vault), "is no vault of kbexport", "name the folder of --out")
    snapshot = take_snapshot(vault, Restore())
    sourced = None
    if config.sources:
        sourced = frozenset(_with_memory(read_posts(config), snapshot).from_sources)
    return list(status(snapshot, str(vault), sourced))


def find_series(
    posts: Sequence[CollatedPost], config: Config
) -> tuple[tuple[CollatedPost, ...], Detection]:
    """The posts with titles, and the series among them."""
    titled = with_titles(posts, _language(config, posts))
    detection = detect_series(titled, config.series)
    return titled, replace(detection, problems=_in_file(config, detection.problems))


def explain_series(
    posts: Sequence[CollatedPost], config: Config, selector: str
) -> dict[str, Explanation]:
    """Why the posts that ``selector`` names are in their series, or in none; by their ids.

    Raises UsageError where it names no post, or too many.
    """
    uids = PostNames(posts).uids(Selector(selector))
    if not uids:
        hint = "give a title as `kbexport posts` shows it, an id, or a pattern with `*`"
        raise UsageError("--why", f"no post is called `{selector}`", hint)
    if len(uids) > MOST_EXPLAINED:
        problem = f"`{selector}` names {len(uids)} posts, and {MOST_EXPLAINED} are the most"
        raise UsageError("--why", problem, "give an id as `kbexport posts --jsonl` shows it")
    return explain(posts, config.series, uids)


def _in_file(config: Config, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Problems with the rules of the configuration, which name its file."""
    return tuple(problem.model_copy(update={"source": str(config.file)}) for problem in problems)


def _language(config: Config, posts: Sequence[CollatedPost]) -> Language:
    return blog_language(posts) if config.language == "auto" else config.language


def _has_times(posts: Sequence[CollatedPost]) -> bool:
    return any("T" in (post.published or "") for post in posts)
