"""Pictures of the web, from a server on loopback."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from blog import Blog, part
from scenes import KilledError, hooked, plainly, tree
from test_vault_crash import Fault

from kbexport.errors import VaultError
from kbexport.fetch import Fetched, Limits, fetch_pictures, web
from kbexport.fetch.web import is_public
from kbexport.vault import downloads as downloads_module
from kbexport.vault import write
from kbexport.vault.downloads import Downloads, Part
from kbexport.vault.write import Kind, Operation

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
POST = "https://blog.example/p/1"
HERE = Limits(private=True, pause=0, connect=2, silence=0.3, whole=2, size=50_000)

Answer = Callable[[BaseHTTPRequestHandler], None]


def sends(body: bytes, status: int = 200, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            request.send_header(name.replace("_", "-"), value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def moves(target: str) -> Answer:
    return sends(b"", 302, Location=target)


def breaks(request: BaseHTTPRequestHandler, sent: int = 4000) -> None:
    """Break off; a request for the rest is served."""
    wanted = request.headers.get("Range")
    if wanted and request.headers.get("If-Range") == '"v1"':
        start = int(wanted.removeprefix("bytes=").rstrip("-"))
        content_range = f"bytes {start}-{len(PNG) - 1}/{len(PNG)}"
        sends(PNG[start:], 206, Content_Range=content_range)(request)
        return
    request.send_response(200)
    request.send_header("Content-Length", str(len(PNG)))
    request.send_header("ETag", '"v1"')
    request.end_headers()
    request.wfile.write(PNG[:sent])


def drips(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("ETag", '"v1"')
    request.end_headers()
    for byte in PNG:
        request.wfile.write(bytes([byte]))
        time.sleep(0.05)


def mutters(request: BaseHTTPRequestHandler) -> None:
    """Send the head of an answer, a byte at a time, without an end."""
    request.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
    for _ in range(100):
        request.wfile.write(b"x")
        time.sleep(0.05)


def never(_: BaseHTTPRequestHandler) -> None:
    time.sleep(0.8)


class Site:
    """A web server, and what it was asked."""

    def __init__(self) -> None:
        self.pages: dict[str, Answer] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.busy = self.busiest = 0
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, dict(self.headers)))
                site.busy += 1
                site.busiest = max(site.busy, site.busiest)
                try:
                    site.pages.get(self.path, sends(b"", 404))(self)
                except OSError:
                    pass  # the other side has seen enough
                finally:
                    site.busy -= 1

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - its name
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@pytest.fixture
def site() -> Iterator[Site]:
    found = Site()
    thread = threading.Thread(target=found.server.serve_forever, args=(0.02,))
    thread.start()
    yield found
    found.server.shutdown()
    thread.join()
    found.server.server_close()


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    return Blog(tmp_path)


@pytest.fixture
def downloads(tmp_path: Path) -> Downloads:
    return Downloads(tmp_path)


def get(downloads: Downloads, *addresses: str, limits: Limits = HERE) -> Fetched:
    return fetch_pictures(dict.fromkeys(addresses, POST), downloads, limits)


def reasons(fetched: Fetched) -> list[str]:
    assert not any(problem.lost for problem in fetched.problems)
    return [problem.reason for problem in fetched.problems]


def test_a_picture_comes_with_the_post_as_referer_and_an_honest_agent(
    site: Site, downloads: Downloads
) -> None:
    site.pages["/%E7%81%AF.png?x=1"] = sends(PNG)
    address = f"{site.url}/灯.png?x=1"
    referer = "https://me:secret@blog.example/文章#top"

    fetched = fetch_pictures({address: referer}, downloads, HERE)

    assert fetched.problems == ()
    assert fetched.assets[address].load() == PNG
    assert fetched.assets[address].path.startswith("assets/灯-")
    headers = site.asked[0][1]
    assert headers["Referer"] == "https://blog.example/%E6%96%87%E7%AB%A0"
    assert headers["User-Agent"].startswith("kbexport/")
    assert headers["Host"] == site.url.removeprefix("http://")
    assert not {"Cookie", "Authorization"} & set(headers)


def test_what_was_fetched_is_not_fetched_again(site: Site, downloads: Downloads) -> None:
    site.pages["/a.png"] = sends(PNG)

    first = get(downloads, f"{site.url}/a.png")
    again = get(downloads, f"{site.url}/a.png")

    assert site.paths == ["/a.png"]
    assert {a: x.path for a, x in first.assets.items()} == {
        a: x.path for a, x in again.assets.items()
    }


def test_a_picture_that_moved_is_followed(site: Site, downloads: Downloads) -> None:
    site.pages |= {"/old.png": moves("/new.png"), "/new.png": sends(PNG)}

    assert get(downloads, f"{site.url}/old.png").assets


def test_a_circle_of_redirects_ends(site: Site, downloads: Downloads) -> None:
    site.pages["/a.png"] = moves("/a.png")

    assert reasons(get(downloads, f"{site.url}/a.png")) == ["it moves on and on"]
    assert len(site.asked) == HERE.redirects + 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/a.png"])
def test_a_redirect_leads_nowhere_but_to_the_web(
    site: Site, downloads: Downloads, target: str
) -> None:
    site.pages["/a.png"] = moves(target)

    (reason,) = reasons(get(downloads, f"{site.url}/a.png"))
    assert "it leads to" in reason


def test_this_machine_is_not_asked_unless_it_is_allowed(site: Site, downloads: Downloads) -> None:
    site.pages["/a.png"] = sends(PNG)
    port = site.server.server_port
    names = (
        "127.0.0.1",
        "localhost",
        "127.1",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
    )

    fetched = get(downloads, *(f"http://{n}:{port}/a.png" for n in names), limits=Limits(pause=0))

    assert site.asked == []
    assert len(fetched.problems) == len(names)
    assert "is 127.0.0.1, which is not public" in fetched.problems[0].reason


def test_a_redirect_to_a_private_address_is_refused(
    site: Site, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "is_public", lambda ip: ip == "127.0.0.1")
    site.pages["/a.png"] = moves(f"http://127.0.0.2:{site.server.server_port}/b.png")
    site.pages["/b.png"] = sends(PNG)

    (reason,) = reasons(get(downloads, f"{site.url}/a.png", limits=Limits(pause=0)))

    assert "127.0.0.2, which is not public" in reason
    assert site.paths == ["/a.png"]


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(
    site: Site, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads to a public address first, and to another one the next time."""
    site.pages["/a.png"] = sends(PNG)
    resolve, answers = socket.getaddrinfo, ["127.0.0.1", "127.0.0.2"]

    def rebinding(host: str, *rest: Any, **more: Any) -> Any:  # noqa: ANN401 - as it is
        known = answers.pop(0) if host == "img.example" else host
        return resolve(known, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(web, "is_public", lambda ip: ip == "127.0.0.1")
    address = f"http://img.example:{site.server.server_port}/a.png"

    assert get(downloads, address, limits=Limits(pause=0)).assets
    assert answers == ["127.0.0.2"]
    assert site.asked[0][1]["Host"] == address.split("/")[2]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("64:ff9b::5db8:d822", True),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - it is refused
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("fec0::1", False),
        ("ff02::1", False),
        ("::ffff:10.0.0.1", False),
        ("::10.0.0.1", False),
        ("64:ff9b::a00:1", False),
        ("2002:a00:1::1", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize("told", [True, False])
def test_a_picture_that_is_too_large_is_refused(
    site: Site, downloads: Downloads, told: bool
) -> None:
    def untold(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(PNG * 10)

    site.pages["/a.png"] = sends(PNG * 10) if told else untold

    (reason,) = reasons(get(downloads, f"{site.url}/a.png"))
    assert "it is larger than 0.0477 MB" in reason
    assert not downloads.part(f"{site.url}/a.png")


def test_a_server_that_is_silent_or_slow_does_not_stop_the_rest(
    site: Site, downloads: Downloads
) -> None:
    site.pages |= {"/never": never, "/drips": drips, "/a.png": sends(PNG)}
    limits = Limits(private=True, pause=0, silence=0.2, whole=0.5)

    fetched = get(
        downloads, *(f"{site.url}/{n}" for n in ("drips", "never", "a.png")), limits=limits
    )

    assert list(fetched.assets) == [f"{site.url}/a.png"]
    slow, silent = reasons(fetched)
    assert slow == "it takes longer than 0.5 s"
    assert silent.startswith("no connection to its host")


@pytest.mark.parametrize("answer", [mutters, drips])
def test_an_answer_that_comes_byte_by_byte_is_ended(
    site: Site, downloads: Downloads, answer: Answer
) -> None:
    site.pages["/a.png"] = answer
    limits = Limits(private=True, pause=0, silence=0.3, whole=0.3)

    started = time.monotonic()
    told = reasons(get(downloads, f"{site.url}/a.png", limits=limits))

    assert told == ["it takes longer than 0.3 s"]
    assert time.monotonic() - started < 3


def test_a_host_that_does_not_answer_is_left_alone_after_some_tries(downloads: Downloads) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    addresses = [f"http://127.0.0.1:{port}/{number}.png" for number in range(12)]

    told = reasons(get(downloads, *addresses))

    assert sum(reason.startswith("not tried") for reason in told) == 12 - 2 * 3


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\n<!DOCTYPE html><html>403</html>", "it is a page and no picture"),
        (b"<svg><script>1</script></svg>", "it carries scripts"),
        (b"MZ\x90\0", "it is no picture"),
        (b"", "it is no picture"),
    ],
)
def test_what_is_no_picture_by_its_content_is_refused(
    site: Site, downloads: Downloads, body: bytes, reason: str
) -> None:
    site.pages["/a.png"] = sends(body, Content_Type="image/png")

    assert reasons(get(downloads, f"{site.url}/a.png")) == [reason]


def test_a_missing_picture_is_told_of_with_its_address(site: Site, downloads: Downloads) -> None:
    (problem,) = get(downloads, f"{site.url}/a.png").problems

    assert problem.source == f"{site.url}/a.png"
    assert problem.reason == "the server says 404 Not Found"


def test_a_picture_that_broke_off_goes_on_where_it_ended(site: Site, downloads: Downloads) -> None:
    site.pages["/a.png"] = breaks
    address = f"{site.url}/a.png"

    (reason,) = reasons(get(downloads, address))
    assert reason.startswith("it breaks off")
    fetched = get(downloads, address)

    assert fetched.assets[address].load() == PNG
    assert site.asked[1][1]["Range"] == "bytes=4000-"
    assert downloads.part(address) is None


def test_a_picture_that_changed_in_between_is_fetched_whole(
    site: Site, downloads: Downloads
) -> None:
    site.pages["/a.png"] = breaks
    address = f"{site.url}/a.png"
    downloads.keep_part(address, Part(b"another picture", '"v0"'))
    get(downloads, address)
    site.pages["/a.png"] = sends(PNG)

    assert get(downloads, address).assets[address].load() == PNG


def test_an_answer_that_begins_elsewhere_is_not_joined_to_a_part(
    site: Site, downloads: Downloads
) -> None:
    address = f"{site.url}/a.png"
    downloads.keep_part(address, Part(PNG[:4000], '"v1"'))
    site.pages["/a.png"] = sends(PNG[9:], 206, Content_Range=f"bytes 9-{len(PNG) - 1}/{len(PNG)}")

    assert reasons(get(downloads, address)) == ["the server says 206 Partial Content"]
    assert downloads.part(address) is None


def test_a_part_that_the_server_does_not_want_to_finish_is_dropped(
    site: Site, downloads: Downloads
) -> None:
    address = f"{site.url}/a.png"
    downloads.keep_part(address, Part(PNG, '"v1"'))
    site.pages["/a.png"] = sends(b"", 416)

    assert reasons(get(downloads, address)) == [
        "the server says 416 Requested Range Not Satisfiable"
    ]
    assert downloads.part(address) is None


def test_a_part_outlives_a_server_that_is_busy(site: Site, downloads: Downloads) -> None:
    address = f"{site.url}/a.png"
    downloads.keep_part(address, Part(PNG, '"v1"'))
    site.pages["/a.png"] = sends(b"", 503)

    assert reasons(get(downloads, address)) == ["the server says 503 Service Unavailable"]
    assert downloads.part(address) == Part(PNG, '"v1"')


def test_few_are_fetched_at_once_from_one_host(site: Site, downloads: Downloads) -> None:
    def slowly(request: BaseHTTPRequestHandler) -> None:
        time.sleep(0.05)
        sends(PNG)(request)

    site.pages |= {f"/{number}.png": slowly for number in range(8)}

    assert len(get(downloads, *(site.url + path for path in site.pages)).assets) == 8
    assert site.busiest == 2


def test_it_tells_how_far_it_is(site: Site, downloads: Downloads) -> None:
    site.pages["/a.png"] = sends(PNG)
    steps: list[tuple[str, int, int]] = []
    wanted = dict.fromkeys([f"{site.url}/a.png", f"{site.url}/b.png"], POST)

    fetch_pictures(wanted, downloads, HERE, on_step=lambda *step: steps.append(step))

    assert sorted(steps) == [("fetching", 1, 2), ("fetching", 2, 2)]


def test_a_full_disk_ends_the_run(
    site: Site, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.pages["/a.png"] = sends(PNG)
    perform = write.perform

    def full(operation: Operation) -> None:
        if operation.kind is Kind.WRITE:
            raise OSError(28, "No space left on device", str(operation.path))
        perform(operation)

    monkeypatch.setattr(downloads_module, "perform", full)

    with pytest.raises(VaultError, match="No space left"):
        get(downloads, f"{site.url}/a.png")


# Whole builds.


def shows(site: Site, *paths: str, number: int = 1) -> dict[str, Any]:
    return part(number, body_markdown="\n\n".join(f"![]({site.url}{path})" for path in paths))


def fetching(blog: Blog, *posts: dict[str, Any], **options: Any) -> Any:  # noqa: ANN401
    return blog.build(*posts, fetch_assets=True, fetch_private=True, **options)


def note(blog: Blog, number: int = 1) -> str:
    return blog.note(f"灯塔手记({number})*").read_text()


def stored(blog: Blog) -> list[str]:
    return sorted(path.name for path in blog.vault.glob("assets/*"))


def test_without_the_flag_nothing_is_asked(site: Site, blog: Blog) -> None:
    plan = blog.build(shows(site, "/a.png"))

    assert site.asked == []
    assert list(plan.remote) == [f"{site.url}/a.png"]


def test_with_the_flag_a_picture_is_kept_and_shown_and_stays_shown_without_it(
    site: Site, blog: Blog
) -> None:
    site.pages["/a.png"] = sends(PNG)
    name = f"a-{hashlib.sha256(PNG).hexdigest()[:10]}.png"

    plan = fetching(blog, shows(site, "/a.png"))

    assert stored(blog) == [name]
    assert f"![](../assets/{name})" in note(blog)
    assert plan.remote == {}
    assert site.asked[0][1]["Referer"] == "https://blog.example/p/1"
    record = {"a": f"{site.url}/a.png", "p": f"assets/{name}"}
    assert json.loads((blog.state / "assets.jsonl").read_text()) == record
    assert not (blog.state / "fetch").exists()

    before = blog.files()
    blog.build(shows(site, "/a.png"))
    fetching(blog, shows(site, "/a.png"))
    assert blog.files() == before
    assert site.paths == ["/a.png"]


def test_one_picture_at_two_addresses_is_stored_once(site: Site, blog: Blog) -> None:
    site.pages |= {"/b.png": sends(PNG), "/a.png": sends(PNG)}

    fetching(blog, shows(site, "/b.png"), shows(site, "/a.png", number=2))

    (name,) = stored(blog)
    assert name.startswith("a-")
    assert f"![](../assets/{name})" in note(blog)
    assert f"![](../assets/{name})" in note(blog, 2)


def test_what_did_not_come_stays_on_the_web_and_is_tried_again(site: Site, blog: Blog) -> None:
    site.pages["/a.png"] = sends(PNG)
    posts = [shows(site, "/a.png", "/b.png")]

    plan = fetching(blog, *posts)

    assert [problem.source for problem in plan.problems] == [f"{site.url}/b.png"]
    assert not plan.needs_eye
    assert f"![]({site.url}/b.png)" in note(blog)

    site.pages["/b.png"] = sends(PNG + b"b")
    assert fetching(blog, *posts).problems == ()
    assert sorted(site.paths) == ["/a.png", "/b.png", "/b.png"]
    assert len(stored(blog)) == 2


def test_a_dry_run_fetches_nothing(site: Site, blog: Blog) -> None:
    fetching(blog, shows(site, "/a.png"), dry_run=True)

    assert site.asked == []
    assert not blog.vault.exists()


def test_a_fetched_picture_that_its_owner_deleted_stays_deleted_until_it_is_wanted_back(
    site: Site, blog: Blog
) -> None:
    site.pages["/a.png"] = sends(PNG)
    fetching(blog, shows(site, "/a.png"))
    (name,) = stored(blog)
    (blog.vault / "assets" / name).unlink()
    before = blog.files()

    fetching(blog, shows(site, "/a.png"))
    assert blog.files() == before
    assert len(site.asked) == 1

    fetching(blog, shows(site, "/a.png"), restore_missing=True)
    assert stored(blog) == [name]
    assert f"![](../assets/{name})" in note(blog)


def test_a_run_that_was_killed_after_fetching_needs_no_network_again(
    site: Site, blog: Blog
) -> None:
    site.pages["/a.png"] = sends(PNG)
    blog.build(shows(site, "/a.png"))
    get(Downloads(blog.vault), f"{site.url}/a.png")
    assert (blog.state / "fetch").exists()

    fetching(blog, shows(site, "/a.png"))

    assert len(site.asked) == 1
    assert len(stored(blog)) == 1
    assert not (blog.state / "fetch").exists()


def test_a_run_that_is_killed_while_it_fetches_is_finished_by_the_next(
    site: Site, tmp_path: Path
) -> None:
    site.pages["/a.png"] = sends(PNG)
    log: list[Operation] = []
    whole = Blog(tmp_path)

    def counting(operation: Operation) -> None:
        log.append(operation)
        plainly(operation)

    with hooked(counting):
        fetching(whole, shows(site, "/a.png"))
    places = [at for at, operation in enumerate(log) if "fetch" in operation.path.parts]

    assert len(places) > 4
    for at in places:
        for fault in ("kill", "torn"):
            (tmp_path / f"{fault} {at}").mkdir()
            blog = Blog(tmp_path / f"{fault} {at}")
            with hooked(Fault(at, fault)), suppress(KilledError):
                fetching(blog, shows(site, "/a.png"))
            fetching(blog, shows(site, "/a.png"))
            assert tree(blog.vault, state=True) == tree(whole.vault, state=True)


def test_damaged_lines_of_the_record_are_told_of_once_and_the_rest_counts(
    site: Site, blog: Blog
) -> None:
    site.pages |= {"/a.png": sends(PNG), "/b.png": sends(PNG + b"b")}
    posts = [shows(site, "/a.png", "/b.png")]
    fetching(blog, *posts)
    record = blog.state / "assets.jsonl"
    whole = record.read_text()
    evil = json.dumps({"a": "https://a.example/x.png", "p": "../../etc/passwd"})
    record.write_text(f"<<<<<<< ours\n{whole}{evil}\n>>>>>>> theirs\n")

    plan = blog.build(*posts)

    assert [problem.place for problem in plan.problems] == ["line 1", "line 4", "line 5"]
    assert record.read_text() == whole
    assert note(blog).count("../assets/") == 2
    assert blog.build(*posts).problems == ()
