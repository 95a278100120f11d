"""Parts of the server for the host and his machines: /healthz and /metrics."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from aiohttp import web

HEALTH_PATH: Final = "/healthz"
METRICS_PATH: Final = "/metrics"

_NOT_KEPT: Final = {"Cache-Control": "no-store"}


class HealthPart:
    """Answers 200 ``ok`` when all is well, else 503 and what *trouble* says; nothing in it is secret."""

    def __init__(self, trouble: Callable[[], Awaitable[str]]) -> None:
        self._trouble = trouble

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """The one route."""
        return [web.get(HEALTH_PATH, self._answer)]

    async def close(self) -> None:
        """Nothing is open."""

    async def _answer(self, request: web.Request) -> web.Response:
        del request
        trouble = await self._trouble()
        return web.Response(status=503 if trouble else 200, text=f"{trouble or 'ok'}\n", headers=_NOT_KEPT)


class MetricsPart:
    """Answers what *text* says, which is in Prometheus' text format."""

    def __init__(self, text: Callable[[], str]) -> None:
        self._text = text

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        """The one route."""
        return [web.get(METRICS_PATH, self._answer)]

    async def close(self) -> None:
        """Nothing is open."""

    async def _answer(self, request: web.Request) -> web.Response:
        del request
        headers = {**_NOT_KEPT, "Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        return web.Response(body=self._text().encode(), headers=headers)
