"""Pictures on the web, fetched into the vault where the user asks for it (`--fetch-assets`).

The only module that uses the network, and loaded only then. Each name is resolved here, and the
very address that was found good is connected to: no name can lead into a private network, by a
redirect or by changing its mind between two questions.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import unquote

import httpx

from kbexport import __version__
from kbexport.assets import ACTIVE_SVG, PICTURES, ending_of, make_asset
from kbexport.models import Asset, OnStep, Problem
from kbexport.vault.downloads import Downloads, Part

AGENT = f"kbexport/{__version__} (keeps the pictures of a blog)"

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST = ipaddress.IPv6Network("2000::/3")
_RANGE = re.compile(r"bytes (\d{1,15})-")
_GIVE_UP = 3
"""After so many tries in a row without an answer a host is left alone."""


@dataclass(frozen=True)
class Limits:
    """How much is asked of the network, and of the patience of others."""

    size: int = 20 * 2**20
    """Bytes of one picture."""
    connect: float = 10
    """Seconds until there is a connection."""
    silence: float = 20
    """Seconds between two pieces of a picture."""
    whole: float = 120
    """Seconds for one picture."""
    at_once: int = 6
    """Pictures at once."""
    per_host: int = 2
    """Pictures at once from one host."""
    pause: float = 0.2
    """Seconds between two pictures of one host."""
    redirects: int = 5
    """How often a picture may have moved."""
    private: bool = False
    """Whether addresses of private networks, and of this machine, are allowed."""


@dataclass(frozen=True)
class Fetched:
    """What came of it."""

    assets: Mapping[str, Asset]
    """The pictures, by their addresses."""
    problems: tuple[Problem, ...]
    """Why the others did not come; the next run tries again."""


class _FetchError(Exception):
    """Why a picture did not come."""


class _SilentError(_FetchError):
    """Its host does not answer."""


def fetch_pictures(
    wanted: Mapping[str, str],
    downloads: Downloads,
    limits: Limits,
    *,
    on_step: OnStep | None = None,
) -> Fetched:
    """Fetch pictures: address -> address of a post that shows it.

    What came of an earlier run is not fetched again. Raises VaultError where one cannot be kept.
    """
    run = _Run(wanted, downloads, limits, on_step)
    with ThreadPoolExecutor(limits.at_once) as pool:
        try:
            lanes = [pool.submit(run.lane, addresses) for addresses in _lanes(wanted, limits)]
            for lane in lanes:
                lane.result()
        finally:
            run.stopped.set()
    run.transport.close()
    problems = (
        Problem(
            source=address, reason=reason, hint="the next --fetch-assets tries again", lost=False
        )
        for address, reason in sorted(run.failures.items())
    )
    return Fetched(dict(sorted(run.assets.items())), tuple(problems))


def _lanes(addresses: Iterable[str], limits: Limits) -> Iterator[list[str]]:
    """The addresses in groups: one after the other in each, so many groups for each host."""
    hosts: defaultdict[str, list[str]] = defaultdict(list)
    for address in addresses:
        hosts[address.split("/")[2]].append(address)
    for lane in range(limits.per_host):
        yield from (own[lane :: limits.per_host] for own in hosts.values() if own[lane:])


@dataclass
class _Run:
    """What all lanes share."""

    wanted: Mapping[str, str]
    downloads: Downloads
    limits: Limits
    on_step: OnStep | None
    assets: dict[str, Asset] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    # Each picture has a connection of its own: one to an address may serve another name.
    transport: httpx.HTTPTransport = field(
        default_factory=lambda: httpx.HTTPTransport(
            limits=httpx.Limits(max_keepalive_connections=0)
        )
    )

    def lane(self, addresses: list[str]) -> None:
        """Fetch pictures of one host, one after the other."""
        silent = 0
        for address in addresses:
            if self.stopped.is_set():
                return
            try:
                if silent >= _GIVE_UP:
                    self.failures[address] = "not tried, since its host does not answer"
                elif not (known := self.downloads.whole(address)):
                    self.assets[address] = self._fetched(address)
                    silent = 0
                else:
                    self.assets[address] = make_asset(_name(address), known)
            except _FetchError as error:
                self.failures[address] = str(error)
                silent = silent + 1 if isinstance(error, _SilentError) else 0
            self._told()

    def _told(self) -> None:
        with self.lock:
            if self.on_step:
                done = len(self.assets) + len(self.failures)
                self.on_step("fetching", done, len(self.wanted))

    def _fetched(self, address: str) -> Asset:
        try:
            data = self._content(address)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            raise _FetchError(f"it breaks off: {str(error) or type(error).__name__}") from error
        finally:
            self.stopped.wait(self.limits.pause)
        ending = ending_of(data)
        if ending in PICTURES:
            return make_asset(_name(address), self.downloads.keep(address, data))
        self.downloads.drop_part(address)
        if ending == ACTIVE_SVG:
            raise _FetchError("it carries scripts")
        page = data[:512].lstrip().lower().startswith((b"<!doctype", b"<html", b"<head"))
        raise _FetchError("it is a page and no picture" if page else "it is no picture")

    def _content(self, address: str) -> bytes:
        """The bytes behind an address, wherever it leads."""
        url, part = httpx.URL(address), self.downloads.part(address)
        for _ in range(self.limits.redirects + 1):
            with closing(self._asked(url, self.wanted[address], part)) as response:
                if "location" not in response.headers or not response.is_redirect:
                    return self._read(address, response, part)
                url = url.join(response.headers["location"])
        raise _FetchError("it moves on and on")

    def _asked(self, url: httpx.URL, referer: str, part: Part | None) -> httpx.Response:
        """The head of the answer, from an address that may be asked."""
        if url.scheme not in ("http", "https"):
            raise _FetchError(f"it leads to {url.scheme}:, and only http and https are fetched")
        host = url.raw_host.decode()
        if not host:
            raise _FetchError("it leads to no host")
        headers = {
            "Host": url.netloc.decode(),
            "User-Agent": AGENT,
            "Accept": "image/*,*/*;q=0.5",
            "Accept-Encoding": "identity",
            **({"Referer": _plain(referer)} if referer else {}),
            **({"Range": f"bytes={len(part.data)}-", "If-Range": part.validator} if part else {}),
        }
        limits = self.limits
        timeout = httpx.Timeout(limits.silence, connect=limits.connect).as_dict()
        reason = ""
        for ip in self._resolved(host, url.port or {"http": 80, "https": 443}[url.scheme]):
            # A password in an address is nobody's business.
            place = url.copy_with(host=ip, userinfo=b"")
            extensions = {"timeout": timeout, "sni_hostname": host}
            request = httpx.Request("GET", place, headers=headers, extensions=extensions)
            try:
                return self.transport.handle_request(request)
            except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ReadTimeout) as error:
                reason = str(error) or "no answer in time"
        raise _SilentError(f"no connection to its host: {reason}")

    def _resolved(self, host: str, port: int) -> list[str]:
        """The addresses of a host that may be asked."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise _SilentError(f"its host {host} is not known") from error
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        allowed = [ip for ip in addresses if self.limits.private or is_public(ip)]
        if not allowed:
            where = f"{host} is {addresses[0]}, which is not public"
            raise _FetchError(f"{where}; --fetch-private allows it")
        return allowed

    def _read(self, address: str, response: httpx.Response, part: Part | None) -> bytes:
        """The content of an answer, behind the part of it that is there already."""
        begins = _RANGE.match(response.headers.get("content-range", ""))
        goes_on = response.status_code == httpx.codes.PARTIAL_CONTENT
        if part and goes_on and begins and int(begins[1]) == len(part.data):
            data = bytearray(part.data)
        elif response.status_code == httpx.codes.OK:
            data = bytearray()
        else:
            self.downloads.drop_part(address)
            phrase = httpx.codes.get_reason_phrase(response.status_code)
            raise _FetchError(f"the server says {response.status_code} {phrase}".rstrip())
        try:
            self._fill(data, response)
        except (httpx.TransportError, TimeoutError) as error:
            validator = _validator(response)
            if data and validator:
                self.downloads.keep_part(address, Part(bytes(data), validator))
            raise _FetchError(f"it breaks off: {str(error) or 'no more came in time'}") from error
        return bytes(data)

    def _fill(self, data: bytearray, response: httpx.Response) -> None:
        """Read on, within the limits."""
        limit = self.limits.size
        too_large = _FetchError(f"it is larger than {limit / 2**20:.3g} MB")
        length = response.headers.get("content-length", "")
        if length.isdecimal() and len(data) + int(length) > limit:
            raise too_large
        end = time.monotonic() + self.limits.whole
        for piece in response.iter_raw():
            data += piece
            if len(data) > limit:
                raise too_large
            if time.monotonic() > end:
                raise TimeoutError(f"it takes longer than {self.limits.whole:g} s")
            if self.stopped.is_set():
                raise TimeoutError("the run ends")


def _validator(response: httpx.Response) -> str:
    """What names the content of an answer for sure; empty where nothing does."""
    tag = response.headers.get("etag", "")
    return str(tag if tag.startswith('"') else response.headers.get("last-modified", ""))


def _plain(address: str) -> str:
    """An address as a header may hold it: in ASCII, without a fragment or a password."""
    return str(httpx.URL(address).copy_with(fragment=None, userinfo=b""))


def _name(address: str) -> str:
    return unquote(re.split("[?#]", address, maxsplit=1)[0].rpartition("/")[2])


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also behind another one's form."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is None:
            return ip in _UNICAST and ip.is_global
        ip = inner
    return ip.is_global and not ip.is_multicast and not ip.is_reserved
