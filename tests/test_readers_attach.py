"""Pictures and files that came with the sources: found, named, and shown where they were."""

from __future__ import annotations

import base64
import re
import zipfile
from pathlib import Path

import pytest

from kbexport.config import Config
from kbexport.pipeline import build
from kbexport.readers.sources import read_sources
from kbexport.vault import Plan

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
LARGE = PNG + bytes(300)
PAGE = """<!-- saved from url=(0035)https://garden.example/posts/1.html -->
<html><head><title>Bees</title></head><body><article><h1>Bees</h1><p>A hive:</p>
<p><img src="{address}" alt="hive"></p><p>Words enough for an article of the garden.</p>
</article></body></html>"""
POST = "---\ntitle: Bees\ndate: 2024-05-01\n---\nA hive: ![hive]({address})\n"


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def built(folder: Path, *sources: Path) -> Plan:
    return build(Config(sources=sources or (folder / "src",), out=folder / "vault"))


def shown(folder: Path) -> str:
    """The picture as the one note shows it, with its name made plain."""
    (note,) = (folder / "vault/posts").glob("*.md")
    (picture,) = re.findall(r"!\[[^\]]*\]\(([^)]*)\)", note.read_text())
    path = folder / "vault/posts" / picture
    assert path.is_file() or "://" in picture
    return re.sub(r"-[0-9a-f]{10}\.", "-HASH.", picture)


def test_pictures_of_a_page_saved_as_a_whole_come_along(tmp_path: Path) -> None:
    written(tmp_path / "src/page.html", PAGE.format(address="./page_files/hive.png"))
    written(tmp_path / "src/page_files/hive.png", PNG)

    built(tmp_path)

    assert shown(tmp_path) == "../assets/hive-HASH.png"


@pytest.mark.parametrize(
    ("post", "address", "picture"),
    [
        ("bees.md", "images/hive.png", "images/hive.png"),
        ("a/bees.md", "../images/my%20hive.png", "images/my hive.png"),
        ("source/_posts/bees.md", "/images/hive.png", "source/images/hive.png"),
        ("content/bees.md", "/images/hive.png", "static/images/hive.png"),
        ("source/_posts/bees.md", "hive.png", "source/_posts/bees/hive.png"),
        ("my-site/source/_posts/bees.md", "/images/hive.png", "my-site/source/images/hive.png"),
        ("my-site/content/a/bees.md", "/images/hive.png", "my-site/static/images/hive.png"),
    ],
)
def test_pictures_beside_markdown_come_along(
    tmp_path: Path, post: str, address: str, picture: str
) -> None:
    written(tmp_path / "src" / post, POST.format(address=address))
    written(tmp_path / "src" / picture, PNG)

    built(tmp_path)

    assert re.fullmatch(r"\.\./assets/(?:my-)?hive-HASH\.png", shown(tmp_path))


def test_a_picture_in_the_page_itself_becomes_a_file(tmp_path: Path) -> None:
    data = base64.b64encode(LARGE).decode()
    written(tmp_path / "src/page.html", PAGE.format(address=f"data:image/png;base64,{data}"))

    built(tmp_path)

    assert shown(tmp_path) == "../assets/page-HASH.png"


def test_pictures_of_a_page_saved_as_mhtml_come_along(tmp_path: Path) -> None:
    address = "https://cdn.garden.example/hive.png"
    page = PAGE.format(address=address).partition("\n")[2]
    parts = (
        "From: <Saved by Blink>\nSnapshot-Content-Location: https://garden.example/posts/1.html\n"
        'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="B"\n\n'
        "--B\nContent-Type: text/html; charset=utf-8\n"
        f"Content-Location: https://garden.example/posts/1.html\n\n{page}\n"
        f"--B\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n"
        f"Content-Location: {address}\n\n{base64.b64encode(PNG).decode()}\n--B--\n"
    )
    written(tmp_path / "src/page.mhtml", parts)

    built(tmp_path)

    assert shown(tmp_path) == "../assets/hive-HASH.png"


@pytest.mark.parametrize(
    ("address", "picture"),
    [("img/hive.png", "site/source/_posts/img/hive.png"), ("/hive.png", "site/source/hive.png")],
)
def test_pictures_in_a_zip_file_come_along(tmp_path: Path, address: str, picture: str) -> None:
    (tmp_path / "src").mkdir()
    with zipfile.ZipFile(tmp_path / "src/site.zip", "w") as archive:
        archive.writestr("site/source/_posts/bees.md", POST.format(address=address))
        archive.writestr(picture, PNG)

    built(tmp_path)

    assert shown(tmp_path) == "../assets/hive-HASH.png"


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("../secret.png", "secret.png"),
        ("/../secret.png", "secret.png"),
        (".git/secret.png", "src/.git/secret.png"),
        ("notes.txt", "src/notes.txt"),
    ],
)
def test_no_file_is_taken_from_elsewhere_nor_a_hidden_one_nor_a_source(
    tmp_path: Path, address: str, secret: str
) -> None:
    written(tmp_path / "src/bees.md", POST.format(address=address))
    written(tmp_path / secret, "Bees\n\n原创 2024-05-01 10:00:00 5 阅读\n" * 3)

    built(tmp_path)

    assert not (tmp_path / "vault/assets").exists()


def test_code_that_speaks_of_a_picture_stays_as_it_is(tmp_path: Path) -> None:
    code = "```md\n![hive](hive.png)\n```\n\n~~~\n```\n![](hive.png)\n~~~"
    written(tmp_path / "src/bees.md", f"---\ntitle: Bees\n---\n{code}\n")
    written(tmp_path / "src/hive.png", PNG)

    (found,) = read_sources([tmp_path / "src"]).posts

    assert "assets/" not in (found.post.body_markdown or "")


def test_one_picture_under_two_names_is_stored_once(tmp_path: Path) -> None:
    for name in ("bees", "wasps"):
        text = POST.replace("Bees", name).format(address=f"{name}.png")
        written(tmp_path / f"src/{name}.md", text)
        written(tmp_path / f"src/{name}.png", PNG)

    built(tmp_path)

    (picture,) = (tmp_path / "vault/assets").iterdir()
    notes = [note.read_text() for note in sorted((tmp_path / "vault/posts").glob("*.md"))]
    assert all(f"../assets/{picture.name}" in note for note in notes)


def test_a_second_build_touches_nothing_and_one_without_the_picture_keeps_it(
    tmp_path: Path,
) -> None:
    post = written(tmp_path / "src/bees.md", POST.format(address="hive.png"))
    picture = written(tmp_path / "src/hive.png", PNG)
    built(tmp_path)
    before = shown(tmp_path)

    again = built(tmp_path)
    picture.unlink()
    listing = written(
        tmp_path / "other/p.jsonl", '{"title": "Bees", "published": "2024-05-01", "reads": 5}\n'
    )
    later = built(tmp_path, listing)

    assert set(again.counts) == {"unchanged"}
    assert later.counts["update"] == 1
    assert shown(tmp_path) == before
    assert post.exists()


def test_an_author_of_markdown_in_obsidian_has_embeds(tmp_path: Path) -> None:
    written(tmp_path / "src/bees.md", "---\ntitle: Bees\n---\nA hive: ![[hive.png|200]]\n")
    written(tmp_path / "src/hive.png", PNG)

    built(tmp_path)

    assert shown(tmp_path) == "../assets/hive-HASH.png"


def test_another_file_is_linked(tmp_path: Path) -> None:
    written(tmp_path / "src/bees.md", "---\ntitle: Bees\n---\nThe [plan](plan.pdf).\n")
    written(tmp_path / "src/plan.pdf", b"%PDF-1.4\n")

    built(tmp_path)

    (note,) = (tmp_path / "vault/posts").glob("*.md")
    assert re.search(r"\[plan\]\(\.\./assets/plan-[0-9a-f]{10}\.pdf\)", note.read_text())


def test_pictures_that_did_not_come_along_are_told(tmp_path: Path) -> None:
    text = "![a](a.png) ![b](https://x.example/b.png) <img src='c/c.jpg'> ![d](d.png)"
    written(tmp_path / "src/bees.md", f"---\ntitle: Bees\n---\n{text}\n")
    written(tmp_path / "src/d.png", PNG)

    (problem,) = built(tmp_path).problems

    assert problem.reason == "2 pictures did not come with it: a.png, c/c.jpg"
    assert not problem.lost
