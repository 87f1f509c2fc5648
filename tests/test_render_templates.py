"""Templates of the user over those that ship with kbexport."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kbexport.config import Config
from kbexport.errors import TemplateFileError
from kbexport.flavors import FLAVORS
from kbexport.pipeline import build
from kbexport.render.templates import NAMES, Templates, shipped_templates

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write templates into a folder; `__` in a name stands for `/`."""

    def write_files(**files: str | bytes) -> Path:
        for name, content in files.items():
            file = tmp_path / (name.replace("__", "/") + ".md.j2")
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write_files


@pytest.mark.parametrize("flavor", FLAVORS)
def test_every_flavor_ships_every_template(flavor: str) -> None:
    shipped = {file.name for file in (shipped_templates() / flavor).iterdir()}

    assert shipped == {f"{name}.md.j2" for name in NAMES}


def test_a_template_of_the_user_is_used_and_the_others_are_those_that_ship(write: Write) -> None:
    own = Templates("both", write(post="mine: {{ title }}"))
    shipped = Templates("both", None)
    variables: dict[str, object] = {"title": "x", "summary": (), "series": (), "newest": ()}
    variables |= {"posts": (), "labels": None}

    assert own.render("post", variables) == "mine: x"
    assert own.render("column", variables) == shipped.render("column", variables)


def test_a_template_for_one_flavor_beats_one_for_all(write: Write) -> None:
    own = write(post="all", both__post="both")

    assert Templates("both", own).render("post", {}) == "both"
    assert Templates("obsidian", own).render("post", {}) == "all"


def test_text_of_a_post_is_never_template_source(write: Write) -> None:
    own = Templates("both", write(post="{{ body }}"))

    assert own.render("post", {"body": "{{ 7 * 7 }} <b>"}) == "{{ 7 * 7 }} <b>"


def test_a_template_that_cannot_be_parsed_is_an_error_with_file_and_line(write: Write) -> None:
    own = write(post="one\ntwo {% if %}\n")

    with pytest.raises(TemplateFileError) as caught:
        Templates("both", own)
    assert caught.value.path == f"{own / 'post.md.j2'}:2"
    assert caught.value.hint


def test_templates_are_checked_for_every_flavor_before_a_run(write: Write, tmp_path: Path) -> None:
    own = write(obsidian__home="{% endif %}")

    with pytest.raises(TemplateFileError, match="home"):
        build(Config(out=tmp_path / "vault", templates=own))
    assert not (tmp_path / "vault").exists()


@pytest.mark.parametrize(
    "mistake",
    [
        "{{ titel }}",
        "{{ title.none.none }}",
        "{{ 1 // 0 }}",
        "{{ title + 1 }}",
        "{% include 'x' %}",
    ],
)
def test_a_template_that_cannot_be_rendered_is_an_error_with_file_and_line(
    write: Write, mistake: str
) -> None:
    own = write(post=f"one\ntwo\n{mistake}\n")

    with pytest.raises(TemplateFileError) as caught:
        Templates("both", own).render("post", {"title": "x"})
    assert caught.value.path == f"{own / 'post.md.j2'}:3"
    assert caught.value.problem


@pytest.mark.parametrize("mistake", ["{{ titel }}", "{% if %}"])
def test_a_mistake_in_an_included_file_is_named_there(write: Write, mistake: str) -> None:
    own = write(post="one\n{% include 'part.md.j2' %}\n", part=f"\n\n{mistake}")

    with pytest.raises(TemplateFileError) as caught:
        Templates("both", own).render("post", {"title": "x"})
    assert caught.value.path == f"{own / 'part.md.j2'}:3"


def test_an_unknown_variable_is_named(write: Write) -> None:
    with pytest.raises(TemplateFileError, match="titel"):
        Templates("both", write(post="{{ titel }}")).render("post", {"title": "x"})


def test_a_template_in_another_encoding_is_an_error_that_names_it(write: Write) -> None:
    with pytest.raises(TemplateFileError, match=r"post\.md\.j2"):
        Templates("both", write(post="茶".encode("gbk")))


def test_a_folder_of_templates_that_is_missing_is_an_error(tmp_path: Path) -> None:
    missing = tmp_path / "none"

    with pytest.raises(TemplateFileError) as caught:
        Templates("both", missing)
    assert caught.value.path == str(missing)
