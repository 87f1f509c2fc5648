"""What the README shows and names is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer

from kbexport.cli import app
from kbexport.config import EXAMPLE, FILE_KEYS, Config, SeriesRules, load_config
from kbexport.models import Post
from kbexport.pipeline import collate_sources, explain_series, find_series, read_posts
from kbexport.readers import readers
from kbexport.report import WORDS, explanation_lines
from kbexport.series.rules import RULES

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

TOML = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
OPTIONS = sorted(
    {
        option
        for command in COMMANDS.values()
        for parameter in command.params
        for option in parameter.opts
        if option.startswith("--")
    }
    - {"--help"}
)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_described(name: str) -> None:
    assert f"### `kbexport {name}" in README


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_is_described(option: str) -> None:
    assert re.search(rf"`[^`\n]*{option}\b", README)


@pytest.mark.parametrize("name", [reader.name for reader in readers()])
def test_every_format_is_in_the_table(name: str) -> None:
    assert f"| `{name}` |" in README


@pytest.mark.parametrize("key", FILE_KEYS)
def test_every_key_of_the_configuration_is_shown(key: str) -> None:
    assert re.search(rf"^\[?{key}\b", README, re.MULTILINE)
    assert key in EXAMPLE


@pytest.mark.parametrize("word", WORDS.values())
def test_every_word_of_the_report_is_explained(word: str) -> None:
    assert re.search(rf"^\| ([\w ]+, )*{word}\b", README, re.MULTILINE)


@pytest.mark.parametrize("field", list(Post.model_fields))
def test_every_field_of_the_interchange_format_is_named(field: str) -> None:
    assert f"`{field}`" in README


@pytest.mark.parametrize("block", re.findall(r"```markdown\n(.*?)```", README, re.DOTALL))
def test_notes_stand_in_the_sample_vault_as_they_are_shown(block: str) -> None:
    notes = (ROOT / "sample_vault").rglob("*.md")

    assert block in {note.read_text(encoding="utf-8") for note in notes}


def test_the_explanation_of_a_post_is_what_the_command_prints() -> None:
    command, *shown = re.findall(
        r"^\$ kbexport series --why (.*?)```", README, re.MULTILINE | re.DOTALL
    )[0].splitlines()
    posts, found = find_series(collate_sources(read_posts(Config())).posts, Config())
    ((uid, explanation),) = explain_series(posts, Config(), command.strip("'")).items()
    post = next(post for post in posts if post.uid == uid)
    printed = list(explanation_lines(post, found.series, explanation))

    assert len(shown) > 5
    for line in shown:
        start = line.removesuffix("…")
        assert any(other.startswith(start) for other in printed), line


def test_the_number_of_forms_is_that_of_the_table() -> None:
    assert f"any of {len(RULES)} forms" in README


def test_the_rules_for_series_that_are_shown_do_something_to_the_sample(tmp_path: Path) -> None:
    block = next(block for block in TOML if block.startswith("[series]"))
    file = tmp_path / "kbexport.toml"
    file.write_text(block, encoding="utf-8")
    config = load_config(file, {})

    _, found = find_series(collate_sources(read_posts(config)).posts, config)

    assert set(SeriesRules.model_fields) == set(config.series.model_fields_set)
    assert [problem.reason for problem in found.problems] == [
        "`Leetcode *` names no post and no series"
    ]
    assert {"KilnKV", "Sampan 收尾"} < {series.name for series in found.series}
