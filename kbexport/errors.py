"""What can go wrong, said in terms of the user: path, problem, hint."""

from __future__ import annotations


class KbexportError(Exception):
    """Ends a command, with exit code 1 unless a kind says otherwise; every note is whole.

    ``path`` is what the user can look at, ``problem`` what is wrong there, ``hint`` what to do.
    """

    exit_code = 1

    def __init__(self, path: str, problem: str, hint: str = "") -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem
        self.hint = hint


class ConfigError(KbexportError):
    """The configuration file or an argument cannot be used."""


class UsageError(ConfigError):
    """An argument is missing or cannot be used; ends with exit code 2."""

    exit_code = 2


class SourceError(KbexportError):
    """A source is missing, or no source holds a post."""


class TemplateFileError(KbexportError):
    """A template cannot be read or rendered."""


class VaultError(KbexportError):
    """The vault cannot be opened, locked or written."""


class RefusedError(KbexportError):
    """The plan would do something that its owner surely does not want; ends with exit code 3."""

    exit_code = 3
