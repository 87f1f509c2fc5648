"""Pictures on the web, fetched into the vault where the user asks for it (`--fetch-assets`)."""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from urllib.parse import unquote

import httpx

from kbexport.assets import ACTIVE_SVG, PICTURES, ending_of, make_asset
from kbexport.fetch.web import FetchError, LateError, Limits, SilentError, Watch, Web
from kbexport.models import Asset, OnStep, Problem
from kbexport.vault.downloads import Downloads, Part

_RANGE = re.compile(r"bytes (\d{1,15})-")
_GIVE_UP = 3
"""After so many tries in a row without an answer a host is left alone."""


@dataclass(frozen=True)
class Fetched:
    """What came of it."""

    assets: Mapping[str, Asset]
    """The pictures, by their addresses."""
    problems: tuple[Problem, ...]
    """Why the others did not come; the next run tries again."""


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
    with closing(Web(limits)) as web, ThreadPoolExecutor(limits.at_once) as pool:
        run = _Run(wanted, downloads, web, on_step)
        try:
            lanes = [pool.submit(run.lane, addresses) for addresses in _lanes(wanted, limits)]
            for lane in lanes:
                lane.result()
        finally:
            run.stopped.set()
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
    web: Web
    on_step: OnStep | None
    assets: dict[str, Asset] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

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
            except FetchError as error:
                self.failures[address] = str(error)
                silent = silent + 1 if isinstance(error, SilentError) else 0
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
            raise FetchError(f"it breaks off: {str(error) or type(error).__name__}") from error
        finally:
            self.stopped.wait(self.web.limits.pause)
        ending = ending_of(data)
        if ending in PICTURES:
            return make_asset(_name(address), self.downloads.keep(address, data))
        self.downloads.drop_part(address)
        if ending == ACTIVE_SVG:
            raise FetchError("it carries scripts")
        page = data[:512].lstrip().lower().startswith((b"<!doctype", b"<html", b"<head"))
        raise FetchError("it is a page and no picture" if page else "it is no picture")

    def _content(self, address: str) -> bytes:
        """The bytes behind an address, wherever it leads."""
        url, part = httpx.URL(address), self.downloads.part(address)
        with Watch(self.web.limits.whole) as watch:
            for _ in range(self.web.limits.redirects + 1):
                with closing(self.web.ask(url, self.wanted[address], part, watch)) as response:
                    if "location" not in response.headers or not response.is_redirect:
                        return self._read(address, response, part, watch)
                    url = url.join(response.headers["location"])
        raise FetchError("it moves on and on")

    def _read(
        self, address: str, response: httpx.Response, part: Part | None, watch: Watch
    ) -> bytes:
        """The content of an answer, behind the part of it that is there already."""
        begins = _RANGE.match(response.headers.get("content-range", ""))
        goes_on = response.status_code == httpx.codes.PARTIAL_CONTENT
        if part and goes_on and begins and int(begins[1]) == len(part.data):
            data = bytearray(part.data)
        elif response.status_code == httpx.codes.OK:
            data = bytearray()
        else:
            if goes_on or response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
                self.downloads.drop_part(address)
            phrase = httpx.codes.get_reason_phrase(response.status_code)
            raise FetchError(f"the server says {response.status_code} {phrase}".rstrip())
        try:
            self._fill(data, response)
            watch.refuse_late()
        except (httpx.TransportError, LateError) as error:
            validator = _validator(response)
            if data and validator:
                self.downloads.keep_part(address, Part(bytes(data), validator))
            watch.refuse_late()
            raise FetchError(f"it breaks off: {str(error) or 'no more came in time'}") from error
        return bytes(data)

    def _fill(self, data: bytearray, response: httpx.Response) -> None:
        """Read on, within the limits."""
        limit = self.web.limits.size
        too_large = FetchError(f"it is larger than {limit / 2**20:.3g} MB")
        length = response.headers.get("content-length", "")
        if length.isdecimal() and len(data) + int(length) > limit:
            raise too_large
        for piece in response.iter_raw():
            data += piece
            if len(data) > limit:
                raise too_large
            if self.stopped.is_set():
                raise LateError("the run ends")


def _validator(response: httpx.Response) -> str:
    """What names the content of an answer for sure; empty where nothing does."""
    tag = response.headers.get("etag", "")
    return str(tag if tag.startswith('"') else response.headers.get("last-modified", ""))


def _name(address: str) -> str:
    return unquote(re.split("[?#]", address, maxsplit=1)[0].rpartition("/")[2])
