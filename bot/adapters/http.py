"""The one HTTP server: parts (the page, a webhook, health, metrics) give it routes.

Whoever asks must call the server by a name of its own, and a browser must come from the server's own page: a site
somewhere in the world can make a visitor's browser talk to this machine, but can neither choose the Host header (DNS
rebinding shows the site's own name) nor leave out its Origin.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Protocol
from urllib.parse import urlsplit

from aiohttp import web

Words = Callable[[str], Mapping[str, str]]
"""From a language to its texts, by key."""

_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # Links hold a seat's secret: no other site learns where a reader came from.
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_STOP_SECONDS: Final = 3.0
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class Part(Protocol):
    """Something that answers requests."""

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """Its routes; no two parts may have the same."""

    async def close(self) -> None:
        """End what is still open (sockets); no new request comes after this."""


class HttpServer:
    """The server with the routes of *parts*, listening on *host* and *port* (0: any free one).

    *names* are further host names under which it is reached (the one of ``PUBLIC_URL``). *open_paths* are answered
    whatever name the server is called by, as machines do that look after it. *words* has, for each of *languages*, the
    keys ``page.refused_host`` and ``page.refused_origin``.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        words: Words,
        languages: Sequence[str],
        *,
        host: str = "127.0.0.1",
        port: int = 8000,
        names: Iterable[str] = (),
        open_paths: Container[str] = (),
    ) -> None:
        self._parts = tuple(parts)
        self._words = words
        self._languages = tuple(languages)
        self._host = host
        self._port = port
        self._guard = _Guard.of(host, names)
        self._open_paths = open_paths
        self._runner: web.AppRunner | None = None

    def application(self) -> web.Application:
        """The routes behind the checks, as one aiohttp application."""
        application = web.Application(middlewares=[self._check])
        for part in self._parts:
            application.add_routes(part.routes())
        application.on_response_prepare.append(_add_headers)
        application.on_shutdown.append(self._close_parts)
        return application

    async def start(self) -> None:
        """Listen.

        :raises OSError: if the address is taken or not this machine's: the host's to mend.
        """
        # No access log: its lines would hold the seats' secrets.
        runner = web.AppRunner(self.application(), access_log=None, shutdown_timeout=_STOP_SECONDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner

    async def stop(self) -> None:
        """Stop listening, and end the requests that are still running after a moment's grace."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    @property
    def port(self) -> int:
        """The port it listens on; before `start` the one that was asked for."""
        return self._runner.addresses[0][1] if self._runner is not None else self._port

    @property
    def url(self) -> str:
        """Where others find it, without a slash at the end: ``http://127.0.0.1:8000``."""
        return own_url(self._host, self.port)

    @web.middleware
    async def _check(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        key = None if request.path in self._open_paths else self._guard.refusal(request)
        if key is None:
            return await handler(request)
        words = self._words(preferred_language(request, self._languages))
        return web.Response(status=403, text=words[key] + "\n")

    async def _close_parts(self, application: web.Application) -> None:
        del application
        for part in self._parts:
            await part.close()


@dataclass(frozen=True, slots=True)
class _Guard:
    """Tells who calls the server by a name of its own and, if a browser, comes from the server's own page.

    *told* are the names it was told, *names* all of them but addresses; *local* if it is there for this machine alone.
    """

    told: frozenset[str]
    names: frozenset[str]
    local: bool

    @classmethod
    def of(cls, host: str, names: Iterable[str]) -> _Guard:
        """The guard of a server that listens on *host*."""
        told = frozenset(name.lower() for name in names)
        if is_loopback(host):
            return cls(told, told | {"localhost"}, local=True)
        machine = socket.gethostname().lower()
        return cls(told, told | {"localhost", host.lower(), machine, f"{machine}.local"}, local=False)

    def refusal(self, request: web.Request) -> str | None:
        """The key of the text that says why the request is refused, or None."""
        called = request.headers.get("Host", "")
        host = _netloc("http", called)
        if host is None or not self._is_own(host[0]):
            return "page.refused_host"
        for origin in request.headers.getall("Origin", []):
            scheme, _, rest = origin.partition("://")
            page = _netloc(scheme, rest)
            if page is None or (page != _netloc(scheme, called) and page[0] not in self.told):
                return "page.refused_origin"
        return None

    def _is_own(self, host: str) -> bool:
        if host in self.names:
            return True
        try:
            address = ip_address(host)
        except ValueError:
            return False
        # An address cannot be rebound: on a network each of the machine's is as good as the other.
        return address.is_loopback or not self.local


def is_loopback(host: str) -> bool:
    """True if only this machine can reach a server that listens on *host*."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def own_url(host: str, port: int) -> str:
    """Where a server that listens on *host* and *port* is found by others, without a slash at the end."""
    with contextlib.suppress(ValueError):
        if not host or ip_address(host).is_unspecified:
            host = _address_on_the_network()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def preferred_language(request: web.Request, languages: Sequence[str]) -> str:
    """The one of *languages* that the browser likes best; the first where it asks for none of them."""
    wishes = []
    for wish in request.headers.get("Accept-Language", "")[:200].split(","):
        tag, _, quality = wish.partition(";q=")
        with contextlib.suppress(ValueError):
            wishes.append((-float(quality or 1), tag.strip().lower().partition("-")[0]))
    # sorted() is stable: of equals the first named.
    return next((tag for _, tag in sorted(wishes, key=lambda wish: wish[0]) if tag in languages), languages[0])


def _netloc(scheme: str, netloc: str) -> tuple[str, int] | None:
    """Host and port, or None if it is not an authority of a web address."""
    try:
        parts = urlsplit(f"//{netloc}")
        port = parts.port or _DEFAULT_PORTS[scheme]
    except (KeyError, ValueError):
        return None
    if parts.netloc != netloc or not parts.hostname or {"@", "%"} & set(netloc):
        return None
    return parts.hostname.rstrip("."), port


def _address_on_the_network() -> str:
    """The address by which this machine reaches others on its network; loopback if there is none."""
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        try:
            # Connecting a datagram socket sends nothing; 192.0.2.1 is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    del request
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
