"""The wheel as a user gets it: installed in an environment of its own, away from the checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Installed:
    """A wheel, and an environment that has nothing of kbexport but this wheel."""

    wheel: Path
    environment: Path
    commands: Path

    def run(self, *command: str, cwd: Path) -> str:
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        program, *arguments = command
        done = subprocess.run(
            [self.commands / program, *arguments],
            cwd=cwd,
            env=env,
            check=False,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Built and installed without network: the dependencies are those of the running Python."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, CHECKOUT],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, with_pip=False, symlinks=os.name != "nt")
    commands = environment / ("Scripts" if os.name == "nt" else "bin")
    quietly = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-index")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", environment, "install", *quietly, wheel],
        check=True,
        capture_output=True,
    )
    (site,) = environment.rglob("site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return Installed(wheel, environment, commands)


def files(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted(vault.rglob("*"))
        if path.is_file()
    }


def test_package_is_loaded_from_the_environment(installed: Installed, tmp_path: Path) -> None:
    where = installed.run("python", "-c", "import kbexport; print(kbexport.__file__)", cwd=tmp_path)

    assert Path(where).is_relative_to(installed.environment)


def test_templates_sample_and_type_marker_are_in_the_wheel(installed: Installed) -> None:
    inside = set(zipfile.ZipFile(installed.wheel).namelist())
    kept = {".pyc"}

    templates = {
        f"kbexport/{path.relative_to(CHECKOUT).as_posix()}"
        for path in (CHECKOUT / "templates").rglob("*.j2")
    }
    package = {
        path.relative_to(CHECKOUT).as_posix()
        for path in (CHECKOUT / "kbexport").rglob("*")
        if path.is_file() and path.suffix not in kept
    }
    assert len(templates) >= 8
    assert any(name.startswith("kbexport/sample/") for name in package)
    assert templates | package <= inside


def test_nothing_but_the_package_is_in_the_wheel(installed: Installed) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(installed.wheel).namelist()}

    assert {top for top in tops if not top.endswith(".dist-info")} == {"kbexport"}


def test_installed_command_builds_the_vault_that_the_checkout_builds(
    installed: Installed, tmp_path: Path
) -> None:
    installed.run("kbexport", "build", "--out", "wheel", cwd=tmp_path)
    subprocess.run(
        [sys.executable, "-m", "kbexport", "build", "--out", tmp_path / "checkout"],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
    )

    assert files(tmp_path / "wheel") == files(tmp_path / "checkout")


def test_installed_command_says_its_version(installed: Installed, tmp_path: Path) -> None:
    version = installed.wheel.name.split("-")[1]

    assert installed.run("kbexport", "--version", cwd=tmp_path) == f"kbexport {version}"
