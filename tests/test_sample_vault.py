"""`sample_vault/` is what the README's first command writes, and says so byte by byte."""

from pathlib import Path

import pytest

from kbexport.config import Config
from kbexport.pipeline import SAMPLE, build

COMMITTED = Path(__file__).parent.parent / "sample_vault"


def tree(folder: Path) -> dict[str, bytes]:
    # The lock is this machine's alone; git does not carry it.
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock"
    }


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sample") / "vault"
    build(Config(out=out))
    return out


def test_sample_vault_has_the_files_of_a_fresh_build(sample: Path) -> None:
    assert sorted(tree(sample)) == sorted(tree(COMMITTED))


def test_sample_vault_is_a_fresh_build_byte_by_byte(sample: Path) -> None:
    assert tree(sample) == tree(COMMITTED)


def test_sample_page_is_no_news_to_the_sample_vault(sample: Path) -> None:
    before = tree(sample)

    build(Config(sources=(SAMPLE / "page-1.txt",), out=sample))

    assert tree(sample) == before
