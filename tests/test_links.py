"""Which post an address in a body means."""

from __future__ import annotations

from pathlib import Path

import pytest
from blog import Blog

from kbexport.config import Config
from kbexport.links import PostAddresses
from kbexport.models import CollatedPost
from kbexport.pipeline import build
from kbexport.text.keys import post_keys, sorted_keys
from kbexport.text.urls import redirected

SITE = "https://garden.example/posts"


def post(uid: str, url: str, *keys: str) -> CollatedPost:
    known = sorted_keys({*post_keys(url=url), *keys})
    return CollatedPost(uid=uid, keys=known, origins={}, title=uid, url=url)


FROM = post("p-from", f"{SITE}/from.html")
TOMATO = post("p-tomato", f"{SITE}/Tomato.html", "id:wordpress:123")
BEES = post("p-bees", f"{SITE}/%E8%9C%82/")
ALL = PostAddresses.of([FROM, TOMATO, BEES])


@pytest.mark.parametrize(
    "address",
    [
        f"{SITE}/Tomato.html",
        "http://www.garden.example/posts/Tomato.html#water",
        "https://m.garden.example/posts/tomato",
        f"{SITE}/Tomato/index.html",
        f"{SITE}/Tomato.html?utm_source=feed",
        "Tomato.html",
        "/posts/Tomato.html",
        "//garden.example/posts/Tomato.html",
        "https://garden.example/?p=123",
        f"https://link.zhihu.com/?target={SITE.replace(':', '%3A')}/Tomato.html",
        f"https://blog.51cto.com/transfer?{SITE}/Tomato.html",
    ],
)
def test_every_spelling_of_an_address_means_the_post(address: str) -> None:
    assert ALL.find(address, FROM) == "p-tomato"


@pytest.mark.parametrize("address", [f"{SITE}/蜂", f"{SITE}/%e8%9c%82/"])
def test_percent_signs_and_letters_are_one(address: str) -> None:
    assert ALL.find(address, FROM) == "p-bees"


@pytest.mark.parametrize(
    "address", ["#water", f"{SITE}/from.html#top", "mailto:a@garden.example", "https://b.example/"]
)
def test_other_addresses_mean_no_post(address: str) -> None:
    assert ALL.find(address, FROM) is None
    assert not ALL.is_missing(address, FROM)


def test_number_in_the_guid_of_a_wordpress_export_means_the_post() -> None:
    guid = "id:wordpress:https://garden.example/?p=7"
    blog = PostAddresses.of([FROM, post("p-plum", f"{SITE}/plum/", guid)])

    assert blog.find("http://www.garden.example/?p=7&preview=true", FROM) == "p-plum"
    assert blog.find("/?p=7", FROM) == "p-plum"
    assert blog.find("https://other.example/?p=7", FROM) is None


@pytest.mark.parametrize(
    "address",
    [
        "https://www.cnblogs.com/gardener/p/2001.html",
        "http://www.cnblogs.com/Gardener/archive/2019/01/05/2001.html#3",
        "https://m.cnblogs.com/gardener/p/2001",
    ],
)
@pytest.mark.parametrize(
    "known",
    [
        CollatedPost(uid="p-own", keys=("id:cnblogs-db:2001",), origins={}),
        post("p-own", "https://www.cnblogs.com/gardener/p/2001.html"),
    ],
    ids=["of the backup", "of a page"],
)
def test_addresses_on_cnblogs_mean_the_post_of_their_number(
    address: str, known: CollatedPost
) -> None:
    blog = PostAddresses.of([FROM, known])

    assert blog.find(address, FROM) == "p-own"
    assert not blog.is_missing(address, known)


def test_an_address_that_two_posts_may_mean_is_none_of_them() -> None:
    twins = PostAddresses.of([post("p-a", f"{SITE}/x.html"), post("p-b", f"{SITE}/X/")])

    assert twins.find(f"{SITE}/x", FROM) is None
    assert twins.find(f"{SITE}/x.html", FROM) == "p-a"


@pytest.mark.parametrize(
    ("address", "missing"),
    [
        (f"{SITE}/Pear.html", True),
        (f"{SITE}/page/2", False),
        (f"{SITE}/tag/water", False),
        (f"{SITE}/plan.pdf", False),
        (f"{SITE}/", False),
        ("https://garden.example/about.html", False),
        ("https://other.example/posts/Pear.html", False),
    ],
)
def test_an_address_of_the_blog_that_is_no_post_is_missing(address: str, missing: bool) -> None:
    assert ALL.is_missing(address, FROM) is missing


def test_other_blogs_of_one_site_are_not_the_blog() -> None:
    blog = PostAddresses.of([post(f"p-{n}", f"https://blog.51cto.com/u_77/{n}") for n in (1, 2, 3)])

    assert blog.is_missing("https://blog.51cto.com/u_77/9", FROM)
    assert not blog.is_missing("https://blog.51cto.com/u_78/9", FROM)


@pytest.mark.parametrize(
    "address",
    ["https://link.zhihu.com/?target=javascript%3Aalert(1)", "https://link.zhihu.com/", "x?y"],
)
def test_a_redirector_that_leads_nowhere_stays(address: str) -> None:
    assert redirected(address) == address


def test_links_to_posts_that_no_source_has_are_reported(tmp_path: Path) -> None:
    posts = [
        {"title": "Bees", "url": f"{SITE}/bees.html", "body_markdown": "See [it](pears.html)."},
        {"title": "Plums", "url": f"{SITE}/plums.html", "body_markdown": "See [it](bees.html)."},
    ]

    plan = Blog(tmp_path).build(*posts)

    assert [(problem.source, problem.reason, problem.lost) for problem in plan.problems] == [
        (
            "posts/Bees.md",
            "links to pears.html, which is no post of any source",
            False,
        )
    ]


@pytest.mark.parametrize(
    "address",
    [
        "plum-jam",
        "plum-jam.md",
        "../jam/plum-jam.md#cook",
        "/2024/05/02/plum-jam/",
        "/2024/05/02/plum-jam.html",
        "./Plum%20Jam.md",
    ],
)
def test_files_of_one_site_are_linked_by_their_names(tmp_path: Path, address: str) -> None:
    posts = tmp_path / "site/_posts"
    posts.mkdir(parents=True)
    head = "---\ntitle: {}\ndate: 2024-05-02\n---\n{}\n"
    (posts / "bees.md").write_text(head.format("Bees", f"See [it]({address}), [no](pears.md)."))
    (posts / "Plum Jam.md").write_text(head.format("How to cook plums", "Stir."))

    build(Config(sources=(tmp_path / "site",), out=tmp_path / "vault", flavor="obsidian"))

    note = (tmp_path / "vault/posts/Bees.md").read_text()
    assert "See [[How to cook plums|it]], no." in note


def test_name_that_two_files_have_is_no_address() -> None:
    own = [
        CollatedPost(uid=uid, keys=(), origins={}, slug=slug)
        for uid, slug in (("p-a", "one"), ("p-b", "one"), ("p-c", "two"))
    ]
    blog = PostAddresses.of(own)

    assert blog.find("one.md", own[2]) is None
    assert blog.find("two.md", own[0]) == "p-c"
    assert blog.find("two.md", FROM) is None
