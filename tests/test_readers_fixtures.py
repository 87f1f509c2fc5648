"""One test for all formats: what each reader makes of its fixtures, held by golden files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pytest_regressions.data_regression import DataRegressionFixture

from kbexport.models import SourcePost
from kbexport.readers import readers
from kbexport.readers.base import Document
from kbexport.readers.beside import files_beside
from kbexport.readers.registry import claims

FIXTURES = Path(__file__).parent / "fixtures"
OURS = {reader.name for reader in readers()}
CASES = sorted(path for name in OURS for path in (FIXTURES / name).glob("*") if path.is_dir())


def document_of(case: Path) -> Document:
    """The one file of the case; a folder holds what lies beside it, SQL makes a data base."""
    (path,) = [path for path in case.iterdir() if path.is_file() and path.name != "expected.yml"]
    name, data = path.relative_to(FIXTURES).as_posix(), path.read_bytes()
    if name.endswith(".db.sql"):
        with closing(sqlite3.connect(":memory:")) as base:
            base.executescript(data.decode())
            return Document(name.removesuffix(".sql"), base.serialize())
    return Document(name, data, beside=files_beside(case, lambda _: None))


def name_of(case: Path) -> str:
    return case.relative_to(FIXTURES).as_posix()


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_fixture_gives_its_golden_posts(case: Path, data_regression: DataRegressionFixture) -> None:
    reader = {reader.name: reader for reader in readers()}[case.parent.name]

    read = [
        {"place": item.place, "post": item.post.model_dump(mode="json", exclude_defaults=True)}
        if isinstance(item, SourcePost)
        else {"problem": item.model_dump(exclude_defaults=True, exclude={"source"})}
        for item in reader.read(document_of(case))
    ]

    data_regression.check({"read": read}, fullpath=case / "expected.yml")


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_fixture_is_claimed_by_its_reader_alone(case: Path) -> None:
    document = document_of(case)

    assert [case.parent.name] == [reader.name for reader in claims(document)]


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_reader_has_a_fixture(name: str) -> None:
    assert any(case.parent.name == name for case in CASES)


def test_every_case_is_of_a_reader() -> None:
    assert {path.name for path in FIXTURES.iterdir() if path.is_dir()} <= OURS


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030"])
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_fixture_reads_the_same_in_other_encodings_and_with_other_line_ends(
    case: Path, encoding: str
) -> None:
    document = document_of(case)
    reader = {reader.name: reader for reader in readers()}[case.parent.name]
    if document.binary:
        pytest.skip("a data base has no encoding of its own")

    text = document.data.decode().replace("\n", "\r\n")
    other = Document(document.name, text.encode(encoding), beside=document.beside)

    assert [reader] == claims(other)
    assert list(reader.read(other)) == list(reader.read(document))
