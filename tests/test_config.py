"""`kbexport.toml` under the arguments: `design.md`, "Command line"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from kbexport.config import EXAMPLE, FILE_KEYS, Config, TagRules, load_config
from kbexport.errors import ConfigError

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a configuration file into a folder called `blog`."""

    def write_file(content: str | bytes) -> Path:
        file = tmp_path / "blog" / "kbexport.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write_file


def test_without_a_file_the_defaults_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert load_config(None, {}) == Config()


def test_the_file_in_the_current_folder_is_read(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write('flavor = "obsidian"\nout = "vault"').parent)

    assert load_config(None, {}) == Config(flavor="obsidian", out=Path("vault"))


def test_paths_are_relative_to_the_file(write: Write) -> None:
    file = write('sources = ["pages", "/abs/x.txt"]\nout = "../vault"\ntemplates = "look"')
    config = load_config(file, {})

    assert config.sources == (file.parent / "pages", Path("/abs/x.txt"))
    assert config.out == file.parent / "../vault"
    assert config.templates == file.parent / "look"


def test_standard_input_has_no_folder(write: Write) -> None:
    assert load_config(write('sources = ["-"]'), {}).sources == (Path("-"),)


def test_arguments_win_and_are_relative_to_the_current_folder(write: Write) -> None:
    file = write('flavor = "obsidian"\nlanguage = "en"\nout = "vault"\nsources = ["pages"]')
    config = load_config(file, {"out": Path("mine"), "sources": [Path("x")], "flavor": "both"})

    assert config == Config(
        flavor="both", language="en", out=Path("mine"), sources=(Path("x"),), file=file
    )


def test_the_rules_for_tags_are_read(write: Write) -> None:
    file = write('[tags]\ndrop = ["sed"]\nrename = { "a" = "b" }\nprefix = "blog/"')

    assert load_config(file, {}).tags == TagRules(
        drop=frozenset(["sed"]), rename={"a": "b"}, prefix="blog/"
    )


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ('flavour = "both"', "flavour"),
        ("accept_deletions = true", "accept_deletions"),
        ("[tag]\ndrop = []", "tag"),
        ('[tags]\nskip = ["x"]', "tags.skip"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_file_and_key(
    write: Write, content: str, key: str
) -> None:
    file = write(content)

    with pytest.raises(ConfigError, match=f"`{re.escape(key)}`") as caught:
        load_config(file, {})
    assert caught.value.path == str(file)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("content", "key"),
    [
        ('sources = "pages"', "sources"),
        ("sources = [1]", "sources"),
        ("out = 5", "out"),
        ('flavor = "word"', "flavor"),
        ('language = "fr"', "language"),
        ("templates = true", "templates"),
        ("tags = 5", "tags"),
        ('[tags]\ndrop = "sed"', "tags.drop"),
        ("[tags]\ndrop = [1]", "tags.drop"),
        ("[tags]\nrename = { a = 1 }", "tags.rename"),
        ("[tags]\nprefix = 5", "tags.prefix"),
    ],
)
def test_a_wrong_type_is_an_error_that_names_file_and_key(
    write: Write, content: str, key: str
) -> None:
    file = write(content)

    with pytest.raises(ConfigError, match=f"`{re.escape(key)}[`.]") as caught:
        load_config(file, {})
    assert caught.value.path == str(file)


def test_a_wrong_argument_is_not_blamed_on_the_file(write: Write) -> None:
    file = write('language = "en"')

    with pytest.raises(ConfigError, match="`flavor`") as caught:
        load_config(file, {"flavor": "word"})
    assert caught.value.path != str(file)


def test_a_byte_order_mark_does_no_harm(write: Write) -> None:
    assert load_config(write('\ufefflanguage = "en"'), {}).language == "en"


@pytest.mark.parametrize(
    "content", ["flavor = both", "[tags", b'language = "\xff"', "a = 1\na = 2"]
)
def test_what_is_not_toml_is_an_error_that_names_the_file(
    write: Write, content: str | bytes
) -> None:
    file = write(content)

    with pytest.raises(ConfigError, match="not TOML") as caught:
        load_config(file, {})
    assert caught.value.path == str(file)


def test_a_mistake_in_toml_is_named_with_its_line(write: Write) -> None:
    with pytest.raises(ConfigError, match="line 2"):
        load_config(write('language = "en"\nflavor = both'), {})


def test_a_file_that_the_user_named_has_to_be_there(tmp_path: Path) -> None:
    for missing in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(ConfigError) as caught:
            load_config(missing, {})
        assert caught.value.path == str(missing)


UNCOMMENTED = re.sub(r"^# (?=\w+ = )", "", EXAMPLE, flags=re.MULTILINE)


def test_the_example_changes_nothing_as_it_stands(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(EXAMPLE).parent)

    assert load_config(None, {}) == Config()


def test_the_example_shows_every_key_that_a_file_may_have_and_no_other() -> None:
    shown = tomllib.loads(UNCOMMENTED)

    assert set(shown) == set(FILE_KEYS)
    assert set(shown["tags"]) == set(TagRules.model_fields)


def test_every_key_of_the_example_is_accepted(write: Write) -> None:
    config = load_config(write(UNCOMMENTED), {})

    assert {name for name in FILE_KEYS if name in config.model_fields_set} == set(FILE_KEYS)


def test_every_key_of_a_file_is_a_setting() -> None:
    assert set(FILE_KEYS) <= set(Config.model_fields)
