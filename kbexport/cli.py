"""The command line: arguments in, report and exit code out. The only module that prints.

Only typer is imported before a command runs, so that `--help` is quick.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kbexport import __version__
from kbexport import options as opt
from kbexport.errors import KbexportError, UsageError

if TYPE_CHECKING:
    from kbexport.config import Config
    from kbexport.models import Problem
    from kbexport.readers.sources import Reading

app = typer.Typer(
    name="kbexport",
    help="Turn the posts of a blog into an Obsidian and Logseq vault.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

EXIT_NEEDS_EYE = 3


def _version(value: bool) -> None:
    if value:
        print(f"kbexport {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


@app.command()
def build(
    sources: opt.Sources = None,
    out: opt.OutFolder = None,
    flavor: opt.FlavorOption = None,
    format_name: opt.FormatName = None,
    templates: opt.TemplateFolder = None,
    dry_run: opt.DryRun = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show the plan as a unified diff.")] = False,
    json: opt.AsJson = False,
    restore: opt.RestoredIds = None,
    restore_missing: opt.RestoreMissing = False,
    accept_deletions: opt.AcceptDeletions = False,
    fetch_assets: opt.FetchAssets = False,
    fetch_private: opt.FetchPrivate = False,
    config: opt.ConfigFile = None,
) -> None:
    """Build a vault, or bring it up to date."""
    from kbexport.config import load_config
    from kbexport.pipeline import build as build_vault
    from kbexport.pipeline import holds_a_blog
    from kbexport.progress import progress_bar
    from kbexport.report import diff_lines, plan_json, report_lines

    if diff and json:
        raise UsageError("--diff", "cannot go with --json", "take one of them")
    settings = load_config(
        config,
        opt.given(
            sources=sources,
            out=out,
            flavor=flavor.value if flavor else None,
            format=format_name,
            templates=templates,
            restore=restore,
            restore_missing=restore_missing,
            accept_deletions=accept_deletions,
            fetch_assets=fetch_assets,
            fetch_private=fetch_private,
        ),
    )
    if not holds_a_blog(settings):
        _say_sample(settings)
    with progress_bar(sys.stderr) as on_step:
        plan = build_vault(settings, dry_run=dry_run, on_step=on_step)
    vault = settings.out or Path()
    _warn(plan.problems)
    if json:
        print(plan_json(plan, vault, dry_run=dry_run))
    else:
        if diff:
            sys.stdout.writelines(diff_lines(plan))
        _print(report_lines(plan, vault, dry_run=dry_run))
    raise typer.Exit(EXIT_NEEDS_EYE if plan.needs_eye else 0)


@app.command()
def series(
    sources: opt.Sources = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One JSON object a post.")] = False,
    why: opt.WhyTitle = None,
    format_name: opt.FormatName = None,
    config: opt.ConfigFile = None,
) -> None:
    """Show which series were found, and why."""
    from kbexport.pipeline import collate_sources, explain_series, find_series
    from kbexport.report import explanation_lines, lone_rows, series_lines, series_tables

    if jsonl and why is not None:
        raise UsageError("--jsonl", "cannot go with --why", "take one of them")
    reading, settings = _read(sources, format_name, config)
    collation = collate_sources(reading)
    _warn(collation.problems)
    posts, found = find_series(collation.posts, settings)
    _warn(found.problems)
    by_id = {post.uid: post for post in posts}
    if why is not None:
        for uid, explanation in explain_series(posts, settings, why).items():
            _print(explanation_lines(by_id[uid], found.series, explanation))
    elif jsonl:
        _print(series_lines(collation.in_input_order, by_id, found.series))
    else:
        for title, rows in series_tables(by_id, found.series):
            _table(title, ("", "title", "date", "why"), rows)
        if found.lone:
            title = f"lone parts that may belong · {len(found.lone)}"
            _table(title, ("", "title", "date", "why"), lone_rows(by_id, found.lone))
    raise typer.Exit(_code(reading))


@app.command()
def posts(
    sources: opt.Sources = None,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="The interchange format.")] = False,
    missing_bodies: opt.MissingBodies = False,
    schema: opt.AsSchema = False,
    format_name: opt.FormatName = None,
    config: opt.ConfigFile = None,
) -> None:
    """Show what was read, one post for all its sources."""
    if schema:
        import json

        from kbexport.readers.jsonl import schema as json_schema

        print(json.dumps(json_schema(), ensure_ascii=False, indent=2))
        return
    from kbexport.pipeline import collate_sources
    from kbexport.report import addresses_without_body, post_lines, post_rows

    if jsonl and missing_bodies:
        raise UsageError("--jsonl", "cannot go with --missing-bodies", "take one of them")
    reading, _ = _read(sources, format_name, config)
    collation = collate_sources(reading)
    _warn(collation.problems)
    by_id = {post.uid: post for post in collation.posts}
    ordered = [by_id[uid] for uid in collation.in_input_order]
    if missing_bodies:
        addresses, unknown = addresses_without_body(ordered)
        _print(iter(addresses))
        if unknown:
            print(f"{unknown} more posts have neither a body nor an address", file=sys.stderr)
    elif jsonl:
        _print(post_lines(ordered, collation.contradictions))
    else:
        _table(f"{len(ordered)} posts", ("date", "reads", "title", "tags"), post_rows(ordered))
    raise typer.Exit(_code(reading))


@app.command()
def status(
    vault: opt.VaultFolder,
    json: opt.AsJson = False,
    config: opt.ConfigFile = None,
) -> None:
    """Show what is edited, deleted, held, in conflict or orphaned in a vault."""
    from kbexport.config import load_config
    from kbexport.pipeline import vault_status
    from kbexport.report import status_json, status_lines

    entries = vault_status(vault, load_config(config, {}))
    if json:
        print(status_json(entries, vault))
    else:
        _print(status_lines(entries, vault))


@app.command()
def check(vault: opt.VaultFolder, json: opt.AsJson = False, fix: opt.Fix = False) -> None:
    """Look for what is broken in a vault: links, names, properties, live content, state."""
    from kbexport.check import check as check_vault
    from kbexport.check import finding_lines, findings_json, needs_eye

    findings = check_vault(vault, fix=fix)
    if json:
        print(findings_json(findings))
    else:
        _print(finding_lines(findings, vault))
    raise typer.Exit(EXIT_NEEDS_EYE if needs_eye(findings) else 0)


@app.command()
def resolve(
    note: opt.NoteFile,
    mine: opt.Mine = False,
    theirs: opt.Theirs = False,
) -> None:
    """Settle a conflict or a held note."""
    from kbexport.vault.settle import resolve as settle

    if mine == theirs:
        raise UsageError("--mine, --theirs", "one of them has to be given", "say whose text counts")
    print(f"{note}: {settle(note, theirs=theirs)}")


@app.command()
def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where to write it.")] = Path(),
) -> None:
    """Write a commented kbexport.toml."""
    from kbexport.config import write_example

    print(f"{write_example(folder)}: written")


def _read(
    sources: list[Path] | None, format_name: str | None, config: Path | None
) -> tuple[Reading, Config]:
    from kbexport.config import load_config
    from kbexport.pipeline import read_posts
    from kbexport.progress import progress_bar

    settings = load_config(config, opt.given(sources=sources, format=format_name))
    _say_sample(settings)
    with progress_bar(sys.stderr) as on_step:
        reading = read_posts(settings, on_step=on_step)
    _warn(reading.problems)
    return reading, settings


def _say_sample(settings: Config) -> None:
    if not settings.sources:
        print("no source named: reading the sample blog that ships with kbexport", file=sys.stderr)


def _code(reading: Reading) -> int:
    return EXIT_NEEDS_EYE if any(problem.lost for problem in reading.problems) else 0


def _print(lines: Iterator[str]) -> None:
    for line in lines:
        print(line)


def _warn(problems: Sequence[Problem]) -> None:
    from kbexport.report import problem_lines

    for line in problem_lines(problems):
        print(line, file=sys.stderr)


def _table(title: str, columns: Sequence[str], rows: Iterator[tuple[str, ...]]) -> None:
    """A table on a terminal; else a line a row, its cells apart by tabs."""
    if not sys.stdout.isatty():
        print(title)
        _print("\t".join(row) for row in rows)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=None, pad_edge=False)
    for column in columns:
        justify: Any = "right" if column in ("", "reads") else "left"
        table.add_column(column, justify=justify, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console(markup=False, highlight=False)
    console.print(table)
    console.print()


def main() -> None:
    """Run the command line; every known error is one clear message and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # Posts and notes live to the end: looking for garbage among them again and again costs much.
    gc.set_threshold(200_000, 20, 100)
    try:
        app()
    except KbexportError as error:
        print(f"error: {error}", file=sys.stderr)
        if error.hint:
            print(f"  hint: {error.hint}", file=sys.stderr)
        sys.exit(error.exit_code)
    except OSError as error:
        place = error.filename2 or error.filename or "standard output"
        print(f"error: {place}: {error.strerror or error}", file=sys.stderr)
        print("  hint: check its permissions, and the room on its disk", file=sys.stderr)
        sys.exit(1)
    except UnicodeEncodeError as error:
        print(f"error: {error.object[:80]!r}: this locale cannot write it", file=sys.stderr)
        print("  hint: set PYTHONUTF8=1", file=sys.stderr)
        sys.exit(1)
    except SystemExit as end:
        # Where the reader of our output, such as `head`, has seen enough, typer calls it an error.
        sys.exit(0 if isinstance(end.__context__, BrokenPipeError) else end.code)
