"""The data base of a cnblogs backup."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from kbexport.models import Problem, SourcePost
from kbexport.readers.base import Document
from kbexport.readers.cnblogs_db import read, sniff
from kbexport.readers.sources import read_sources

SQL = (Path(__file__).parent / "fixtures" / "cnblogs-db" / "backup" / "keeper.db.sql").read_text(
    encoding="utf-8"
)


def base_of(sql: str) -> bytes:
    with closing(sqlite3.connect(":memory:")) as base:
        base.executescript(sql)
        return base.serialize()


def test_a_backup_is_read_from_a_folder_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "keeper.db").write_bytes(base_of(SQL))

    reading = read_sources([tmp_path])

    assert [found.post.id for found in reading.posts] == ["10000002", "10000003", "10000005"]
    assert [path.name for path in tmp_path.iterdir()] == ["keeper.db"]


def test_a_data_base_in_the_mode_with_a_log_is_read(tmp_path: Path) -> None:
    file = tmp_path / "keeper.db"
    with closing(sqlite3.connect(file)) as base:
        base.execute("PRAGMA journal_mode = WAL")
        base.executescript(SQL)

    posts = [
        item
        for item in read(Document("keeper.db", file.read_bytes()))
        if isinstance(item, SourcePost)
    ]

    assert len(posts) == 3


@pytest.mark.parametrize("length", [20, 100, 1000, 4096, 5000])
def test_a_damaged_data_base_is_reported(length: int) -> None:
    items = list(read(Document("keeper.db", base_of(SQL)[:length])))

    assert any(isinstance(item, Problem) and item.lost for item in items)


@pytest.mark.parametrize(
    "sql",
    [
        (
            "CREATE VIEW blog_Content AS WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT * FROM n)"
            " SELECT * FROM n"
        ),
        "CREATE TABLE other (note TEXT DEFAULT 'blog_Content')",
    ],
)
def test_what_is_no_table_of_posts_is_refused(sql: str) -> None:
    (problem,) = read(Document("keeper.db", base_of(sql)))

    assert isinstance(problem, Problem)


def test_another_data_base_is_no_backup() -> None:
    assert not sniff(Document("other.db", base_of("CREATE TABLE posts (Id INTEGER)")))
