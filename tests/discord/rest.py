"""The HTTP side: finds the route of a request, checks who asks and what, lets trouble happen, keeps a log."""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import Any, Final

from aiohttp import BodyPartReader, web

from tests.discord import shapes
from tests.discord.calls import Call, Fault, Faults, Logged, Reply
from tests.discord.messages import Desk, Upload
from tests.discord.refusals import INVALID_BODY, Refused
from tests.discord.routes import ROUTES, Handler

_PATTERNS: Final = [
    (method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)), operation, handler)
    for method, path, operation, handler in ROUTES
]
_WITHOUT_TOKEN: Final = ("create_interaction_response", "execute_webhook")
_FILE: Final = re.compile(r"files\[(\d+)\]")
_AGENT: Final = re.compile(r"DiscordBot \(.+\)")


class Rest:
    """Answers every request under ``/api/v10``. *requests* is the log; *wrong* what no correct client would send."""

    def __init__(self, desk: Desk, token: str) -> None:
        self.desk = desk
        self.token = token
        self.faults = Faults()
        self.requests: list[Logged] = []
        self.wrong: list[str] = []
        self.gateway_url = ""
        self.shards = 1

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Take one request."""
        path = "/" + request.match_info["path"]
        if path in ("/gateway", "/gateway/bot"):
            return self._gateway(request)
        found = [
            (match.groupdict(), operation, handler)
            for method, pattern, operation, handler in _PATTERNS
            if method == request.method and (match := pattern.fullmatch(path))
        ]
        if not found:
            self.wrong.append(f"{request.method} {path}: this server has no such route")
            return _json(404, {"code": 0, "message": "404: Not Found"})
        parameters, operation, handler = found[0]
        try:
            body, uploads = await _read(request)
        except ValueError as error:
            self.wrong.append(f"{operation}: {error}")
            return _json(400, {"code": 50109, "message": "The request body contains invalid JSON."})
        call = Call(operation, parameters, request.query, body, uploads)
        logged = Logged(call, time.monotonic())
        self.requests.append(logged)
        return await self._serve(request, call, handler, logged)

    async def _serve(self, request: web.Request, call: Call, handler: Handler, logged: Logged) -> web.StreamResponse:
        fault = self.faults.take(call.operation) or Fault()
        await asyncio.sleep(fault.seconds)
        if not fault.replaces or fault.after:
            response = self._do(request, call, handler, logged)
            if not fault.replaces:
                return response
        if fault.cut:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        logged.status, logged.code = fault.status, fault.code
        return _faulty(fault)

    def _do(self, request: web.Request, call: Call, handler: Handler, logged: Logged) -> web.StreamResponse:
        try:
            self._check(request, call)
            reply = handler(self.desk, call)
        except Refused as refused:
            logged.status, logged.code = refused.status, refused.code
            if refused.code in (0, INVALID_BODY[1]):
                self.wrong.append(f"{call.operation}: {refused}")
            problems = {"_errors": [{"code": "INVALID", "message": one} for one in refused.problems]}
            return _json(refused.status, {"code": refused.code, "message": refused.message, "errors": problems})
        logged.status = reply.status
        return _reply(reply)

    def _check(self, request: web.Request, call: Call) -> None:
        needs_no_token = call.operation in _WITHOUT_TOKEN or "webhook_token" in call.parameters
        if not needs_no_token and request.headers.get("Authorization") != f"Bot {self.token}":
            raise Refused(401, 0, "401: Unauthorized")
        if not needs_no_token and not _AGENT.match(request.headers.get("User-Agent", "")):
            raise Refused(403, 40333, "internal network error", "User-Agent")
        problems = shapes.problems_of_query(call.operation, call.query)
        problems += shapes.problems_of_body(call.operation, call.body)
        if problems:
            raise Refused(*INVALID_BODY, *problems)

    def _gateway(self, request: web.Request) -> web.StreamResponse:
        if request.path.endswith("/bot") and request.headers.get("Authorization") != f"Bot {self.token}":
            return _json(401, {"code": 0, "message": "401: Unauthorized"})
        limit = {"total": 1000, "remaining": 999, "reset_after": 14_400_000, "max_concurrency": 1}
        return _json(200, {"url": self.gateway_url, "shards": self.shards, "session_start_limit": limit})

    async def attachment(self, request: web.Request) -> web.StreamResponse:
        """A file of a message, as Discord's file servers give it."""
        wanted = int(request.match_info["id"])
        for channel in self.desk.world.channels.values():
            for message in channel.messages:
                for one in message.attachments:
                    if one.id == wanted:
                        return web.Response(body=one.content, content_type=one.content_type)
        return web.Response(status=404)


def _json(status: int, body: object, headers: dict[str, str] | None = None) -> web.Response:
    # discord.py reads JSON only where the content type is this and nothing more.
    return web.Response(status=status, body=json.dumps(body).encode(), content_type="application/json", headers=headers)


def _reply(reply: Reply) -> web.Response:
    return web.Response(status=204) if reply.body is None else _json(reply.status, reply.body)


def _faulty(fault: Fault) -> web.Response:
    if fault.status == 429:
        assert fault.retry_after is not None
        scope = "global" if fault.is_global else "user"
        headers = {"Via": "1.1 loopback", "Retry-After": str(fault.retry_after), "X-RateLimit-Scope": scope}
        body = {"message": fault.message, "retry_after": fault.retry_after, "global": fault.is_global}
        return _json(429, body, headers)
    if fault.status >= 500:
        return web.Response(status=fault.status, text="<html>Bad Gateway</html>", content_type="text/html")
    return _json(fault.status, {"code": fault.code, "message": fault.message})


async def _read(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    """The JSON of a request, and its files.

    :raises ValueError: if it has no such form.
    """
    if request.content_type.startswith("multipart/"):
        return await _read_parts(request)
    data = await request.read()
    if not data:
        return None, ()
    if request.content_type != "application/json":
        raise ValueError(f"the content type {request.content_type}")
    return json.loads(data), ()


async def _read_parts(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    body: Any = {}
    uploads = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise ValueError("a multipart within a multipart")  # noqa: TRY004 - the request's fault, not a type's
        content = bytes(await part.read(decode=True))
        if part.name == "payload_json":
            body = json.loads(content)
        elif part.name and (match := _FILE.fullmatch(part.name)):
            kind = part.headers.get("Content-Type", "application/octet-stream")
            uploads.append(Upload(int(match[1]), part.filename or "", content, kind))
        else:
            raise ValueError(f"the part {part.name}")
    return body, tuple(uploads)
