"""The web, asked for one thing: politely, within limits, and never for what is not public.

Each name is resolved here, and the very address that was found good is connected to: no name can
lead into a private network, by a redirect or by changing its mind between two questions.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

import httpx

from kbexport import __version__
from kbexport.vault.downloads import Part

AGENT = f"kbexport/{__version__} (keeps the pictures of a blog)"

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_UNICAST = ipaddress.IPv6Network("2000::/3")


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


class FetchError(Exception):
    """Why a picture did not come."""


class SilentError(FetchError):
    """Its host does not answer."""


class LateError(FetchError):
    """It takes too long."""


class Watch:
    """Ends what takes too long, be it a server that sends each byte of its answer by itself."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._late = False
        self._socket: socket.socket | None = None
        self._timer = threading.Timer(seconds, self._end)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Learn which connection is watched."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            self._socket = info["return_value"].get_extra_info("socket")
            if self._late:  # the time was over before there was a connection
                self._end()

    def _end(self) -> None:
        self._late = True
        if self._socket:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def refuse_late(self) -> None:
        """Raise where the time is over; what came until then may look whole, and is not."""
        if self._late:
            raise LateError(f"it takes longer than {self._seconds:g} s")


class Web:
    """Whatever answers to http and https."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        # Each answer has a connection of its own: one to an address may serve another name.
        no_reuse = httpx.Limits(max_keepalive_connections=0)
        self._transport = httpx.HTTPTransport(limits=no_reuse)

    def close(self) -> None:
        """Let go of all connections."""
        self._transport.close()

    def ask(self, url: httpx.URL, referer: str, part: Part | None, watch: Watch) -> httpx.Response:
        """The head of the answer, from an address that may be asked."""
        if url.scheme not in ("http", "https"):
            raise FetchError(f"it leads to {url.scheme}:, and only http and https are fetched")
        host = url.raw_host.decode()
        if not host:
            raise FetchError("it leads to no host")
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
            extensions = {"timeout": timeout, "sni_hostname": host, "trace": watch.trace}
            request = httpx.Request("GET", place, headers=headers, extensions=extensions)
            try:
                return self._transport.handle_request(request)
            except httpx.TransportError as error:
                reason = str(error) or "no answer in time"
                watch.refuse_late()
        raise SilentError(f"no connection to its host: {reason}")

    def _resolved(self, host: str, port: int) -> list[str]:
        """The addresses of a host that may be asked."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise SilentError(f"its host {host} is not known") from error
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        allowed = [ip for ip in addresses if self.limits.private or is_public(ip)]
        if not allowed:
            where = f"{host} is {addresses[0]}, which is not public"
            raise FetchError(f"{where}; --fetch-private allows it")
        return allowed


def _plain(address: str) -> str:
    """An address as a header may hold it: in ASCII, without a fragment or a password."""
    return str(httpx.URL(address).copy_with(fragment=None, userinfo=b""))


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
