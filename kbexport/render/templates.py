"""Templates: found in the user's folder first, else those that ship with kbexport."""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    TemplateSyntaxError,
)

from kbexport.errors import TemplateFileError

PACKAGE = Path(__file__).parents[1]

NAMES = ("post", "series", "column", "home")


def shipped_templates() -> Path:
    """The folder of the templates: inside the installed package, beside it in a checkout."""
    inside = PACKAGE / "templates"
    return inside if inside.is_dir() else PACKAGE.parent / "templates"


class Templates:
    """The four templates of a flavor, compiled once."""

    def __init__(self, flavor: str, own: Path | None) -> None:
        """Compile them; raises TemplateFileError that names the file and the line."""
        if own is not None and not os.path.isdir(own):
            raise TemplateFileError(str(own), "no such folder of templates", "check --templates")
        shipped = shipped_templates() / flavor
        self._templates = _compiled((own / flavor, own, shipped)) if own else _shipped(shipped)

    def render(self, name: str, variables: dict[str, object]) -> str:
        """The body of a note. Raises TemplateFileError where the template cannot do it."""
        try:
            return self._templates[name].render(variables)
        except Exception as error:  # a template can raise whatever Python can
            problem = str(error) or type(error).__name__
            hint = f"its variables: {', '.join(sorted(variables))}"
            raise TemplateFileError(_place_of(error), problem, hint) from error


@cache
def _shipped(folder: Path) -> Mapping[str, Template]:
    """Those that ship with kbexport do not change while it runs, and are compiled once."""
    return _compiled((folder,))


def _compiled(folders: tuple[Path, ...]) -> Mapping[str, Template]:
    environment = Environment(
        loader=FileSystemLoader(folders),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701 - the output is Markdown; every value is inert before
    )
    return {name: _compile(environment, f"{name}.md.j2") for name in NAMES}


def _compile(environment: Environment, file: str) -> Template:
    try:
        return environment.get_template(file)
    except TemplateSyntaxError as error:
        problem = error.message or "not a template"
        raise TemplateFileError(_place_of(error), problem, "mend that line") from error
    except TemplateNotFound as error:
        raise TemplateFileError(
            file, "this template is missing", "install kbexport again"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise TemplateFileError(file, f"cannot be read: {error}", "save it as UTF-8") from error


def _place_of(error: Exception) -> str:
    """File and line of the template that was being read or rendered when the error arose."""
    if isinstance(error, TemplateSyntaxError):
        return f"{error.filename}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename.endswith(".j2")]
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else "templates"
