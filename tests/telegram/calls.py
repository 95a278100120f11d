"""Every call of the Bot API on its way: read, checked, troubled by planted faults, limited, done and recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from tests.telegram.account import OwnSettings
from tests.telegram.faults import Fault, Planted, Rates
from tests.telegram.limits import check_webhook
from tests.telegram.model import Json
from tests.telegram.places import Places
from tests.telegram.refusals import MistakeError, RefusedError, bad, wrong
from tests.telegram.shapes import Fields, Form, Upload, check, methods
from tests.telegram.updates import Hook, Updates, check_kinds
from tests.telegram.writing import Writing

_WRITES: Final = frozenset(
    {
        *("sendMessage", "sendPhoto", "sendDocument", "sendAnimation"),
        *("editMessageText", "editMessageCaption", "editMessageMedia", "editMessageReplyMarkup"),
    }
)
_LONGEST_POLL: Final = 50.0


@dataclass(slots=True, eq=False)
class Call:
    """One request. *refused* is the error that it got; *done*: it took effect."""

    method: str
    fields: Fields
    at: float
    refused: RefusedError | None = None
    done: bool = False
    result: Any = None

    @property
    def chat_id(self) -> int | str | None:
        """The chat that it names, if any."""
        return self.fields.get("chat_id")

    def __repr__(self) -> str:
        shown = {
            name: f"<{len(one.data)} bytes>" if isinstance(one, Upload) else one for name, one in self.fields.items()
        }
        return f"<{self.method} {shown}{f' -> {self.refused}' if self.refused else ''}>"


@dataclass(slots=True)
class Calls:
    """All that the bot asked for. *mistakes* are the calls that no bot may make: a test with one has failed."""

    updates: Updates
    writing: Writing
    places: Places
    own: OwnSettings
    log: list[Call] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    planted: list[Planted] = field(default_factory=list)
    rates: Rates | None = None
    running: int = 0
    _methods: dict[str, Callable[[Fields], Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = self.own
        self._methods = {
            **self.writing.methods,
            **self.places.methods,
            "getUpdates": self._get_updates,
            "setWebhook": self._set_webhook,
            "deleteWebhook": self._delete_webhook,
            "getWebhookInfo": self._webhook_info,
            "setMyCommands": own.set_commands,
            "deleteMyCommands": own.delete_commands,
            "getMyCommands": own.get_commands,
            "setMyName": lambda fields: own.set_text("name", 64, fields),
            "setMyDescription": lambda fields: own.set_text("description", 512, fields),
            "setMyShortDescription": lambda fields: own.set_text("short_description", 120, fields),
            "getMyName": lambda fields: own.get_text("name", fields),
            "getMyDescription": lambda fields: own.get_text("description", fields),
            "getMyShortDescription": lambda fields: own.get_text("short_description", fields),
            "setChatMenuButton": own.set_menu,
            "getChatMenuButton": own.get_menu,
        }

    @property
    def known(self) -> frozenset[str]:
        """The methods that the server does."""
        return frozenset(self._methods)

    async def handle(self, request: web.Request) -> web.Response:
        """Answer a request for a method, or break its connection."""
        name = request.match_info["method"]
        cls = methods().get(name.lower())
        call = Call(cls.__api_method__ if cls else name, {}, self.updates.bell.time())
        if call.method == "getUpdates":
            return await self._handle(request, call)
        # A call takes effect also when its caller has gone away.
        self.running += 1
        handling = asyncio.ensure_future(self._handle(request, call))
        handling.add_done_callback(self._handled)
        return await asyncio.shield(handling)

    def _handled(self, _handling: asyncio.Future[web.Response]) -> None:
        self.running -= 1
        self.updates.bell.ring()

    async def _handle(self, request: web.Request, call: Call) -> web.Response:
        if call.method != "getUpdates":
            self.log.append(call)
        fault: Fault | None = None
        try:
            call.fields = check(call.method, await _read_form(request))
            fault = self._fault(call)
            if fault is not None and not fault.after:
                await asyncio.sleep(fault.delay)
                if fault.cut:
                    return _cut(request)
                if fault.error is not None:
                    raise fault.error
            result = await self._do(call)
            call.done, call.result = True, result
        except RefusedError as error:
            call.refused = error
            if isinstance(error, MistakeError):
                self.mistakes.append(f"{call}")
            return _answer_error(error)
        if fault is not None and fault.after:
            await asyncio.sleep(fault.delay)
            if fault.cut:
                return _cut(request)
            if fault.error is not None:
                call.refused = fault.error
                return _answer_error(fault.error)
        return web.json_response({"ok": True, "result": result})

    def _fault(self, call: Call) -> Fault | None:
        return next((one.fault for one in self.planted if one.takes(call.method, call.chat_id)), None)

    async def _do(self, call: Call) -> object:
        if self.rates is not None and call.method in _WRITES and "ephemeral_message_parameters" not in call.fields:
            chat = self.writing.world.find_chat(call.chat_id)
            if chat is not None:
                self.rates.take(chat, call.at)
        does = self._methods.get(call.method)
        if does is None:
            raise MistakeError(404, f"Not Found: this server does no {call.method}")
        result = does(call.fields)
        return await result if asyncio.iscoroutine(result) else result

    # ---- updates -----------------------------------------------------------------------------------------------------

    async def _get_updates(self, fields: Fields) -> list[Json]:
        self._want(fields)
        limit = fields.get("limit", 100)
        if not 1 <= limit <= 100:
            raise wrong("limit must be between 1 and 100")
        seconds = min(max(fields.get("timeout", 0), 0), _LONGEST_POLL)
        return await self.updates.poll(fields.get("offset", 0), limit, seconds)

    def _want(self, fields: Fields) -> None:
        kinds = fields.get("allowed_updates")
        if kinds and (unknown := check_kinds(kinds)):
            raise wrong(f"allowed_updates: {', '.join(unknown)}")
        self.updates.want(kinds)

    def _set_webhook(self, fields: Fields) -> bool:
        if not fields["url"]:
            return self._delete_webhook(fields)
        check_webhook(fields)
        self._want(fields)
        if fields.get("drop_pending_updates"):
            self.updates.drop()
        self.updates.hook = Hook(fields["url"], fields.get("secret_token", ""), fields.get("max_connections", 40))
        self.updates.bell.ring()
        return True

    def _delete_webhook(self, fields: Fields) -> bool:
        if fields.get("drop_pending_updates"):
            self.updates.drop()
        self.updates.hook = None
        self.updates.bell.ring()
        return True

    def _webhook_info(self, _fields: Fields) -> Json:
        hook = self.updates.hook
        found: Json = {
            "url": hook.url if hook else "",
            "has_custom_certificate": False,
            "pending_update_count": len(self.updates.pending),
            "allowed_updates": sorted(self.updates.allowed),
        }
        if hook is not None:
            found["max_connections"] = hook.most
            if hook.error:
                found |= {"last_error_date": self.writing.world.now(), "last_error_message": hook.error}
        return found


async def _read_form(request: web.Request) -> Form:
    """The parameters: of the address, of a form, of a multipart form, or JSON."""
    if request.content_type == "application/json":
        try:
            values = await request.json()
        except ValueError:
            raise bad("can't parse JSON object") from None
        if not isinstance(values, Mapping):
            raise bad("object expected")
        return Form(values, {}, typed=True)
    post = await request.post()
    texts: dict[str, Any] = dict(request.query)
    files = {}
    for name, value in post.items():
        if isinstance(value, web.FileField):
            files[name] = Upload(value.filename, value.file.read())
        else:
            texts[name] = value
    return Form(texts, files)


def _answer_error(error: RefusedError) -> web.Response:
    body: Json = {"ok": False, "error_code": error.code, "description": error.text}
    if error.parameters:
        body["parameters"] = error.parameters
    return web.json_response(body, status=error.code)


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)
