"""Planted faults, limits and the web hook of the loopback platform, as the real python-telegram-bot meets them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from telegram.error import BadRequest, Conflict, NetworkError, RetryAfter, TimedOut

from tests.telegram.asking import Client, hear
from tests.telegram.faults import Rates, cut, refuse, slow
from tests.telegram.server import Telegram
from tests.telegram.updates import SECRET_HEADER

SECRET = "not-guessed"


async def test_an_upload_may_arrive_in_any_pieces(telegram: Telegram) -> None:
    """The network cuts it where it likes; each piece is read before the next one comes."""
    ana = telegram.person("Ana")
    ana.start()
    number, file = str(ana.id), b"x" * 9000
    before = b'--cut\r\nContent-Disposition: form-data; name="chat_id"\r\n\r\n'
    between = b'\r\n--cut\r\nContent-Disposition: form-data; name="document"; filename="a.bin"\r\n\r\n'
    rest = number[5:].encode() + between + file + b"\r\n--cut--\r\n"
    pieces = (before, number[:3].encode(), number[3:5].encode(), rest)

    async def body() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece
            await asyncio.sleep(0.05)

    headers = {"Content-Type": "multipart/form-data; boundary=cut"}
    url = f"{telegram.url}/bot{telegram.token}/sendDocument"
    async with ClientSession() as session, session.post(url, data=body(), headers=headers) as answer:
        assert answer.status == 200, await answer.text()
    (sent,) = telegram.calls("sendDocument")
    assert sent.fields["document"].data == file


async def test_planted_faults(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    group, other = telegram.group("Friends", ana), telegram.group("Club", ana)
    telegram.plant(refuse(429, retry_after=3), "sendMessage", group)
    await client.send_message(other.id, "not there")
    with pytest.raises(RetryAfter) as later:
        await client.send_message(group.id, "one")
    assert later.value.retry_after == timedelta(seconds=3)
    assert group.messages == []
    telegram.plant(refuse(400, "Bad Request: CHAT_WRITE_FORBIDDEN"), "sendMessage")
    with pytest.raises(BadRequest, match="Chat_write_forbidden"):
        await client.send_message(group.id, "two")
    telegram.plant(refuse(500, after=True), "sendMessage")
    with pytest.raises(NetworkError):
        await client.send_message(group.id, "three")
    broken = telegram.plant(cut(), "sendMessage")
    with pytest.raises(NetworkError):
        await client.send_message(group.id, "four")
    telegram.plant(cut(after=True), "sendMessage")
    with pytest.raises(NetworkError):
        await client.send_message(group.id, "five")
    telegram.plant(slow(0.05), "sendMessage")
    await client.send_message(group.id, "six")
    assert [one.text for one in group.messages] == ["three", "five", "six"]
    assert broken.hits == 1
    assert [call.done for call in telegram.calls("sendMessage", group)] == [False, False, True, False, True, True]


async def test_a_call_takes_effect_though_nobody_waits(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    group = telegram.group("Friends", ana)
    telegram.plant(slow(0.2, after=True), "sendMessage")
    telegram.plant(slow(0.2), "sendMessage")
    for number in range(2):
        with pytest.raises(TimedOut):
            await client.send_message(group.id, f"{number}", read_timeout=0.05)
    await telegram.wait(group, "1")
    assert [one.text for one in group.messages] == ["0", "1"]


async def test_too_much_for_a_group(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    ana.start()
    group = telegram.group("Friends", ana)
    telegram.limit(Rates(group=3))
    for number in range(3):
        await client.send_message(group.id, f"{number}")
    with pytest.raises(RetryAfter) as later:
        await client.edit_message_text("x", group.id, group.last.id)
    assert isinstance(later.value.retry_after, timedelta)
    assert timedelta(seconds=55) <= later.value.retry_after <= timedelta(seconds=60)
    await client.send_message(ana.id, "private chats are not held up")


# ---- web hook --------------------------------------------------------------------------------------------------------


class Receiver:
    """A web hook that refuses as often as it is told."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.taken: list[int] = []
        self.secrets: set[str | None] = set()

    async def take(self, request: web.Request) -> web.Response:
        self.secrets.add(request.headers.get(SECRET_HEADER))
        if self.refusals:
            self.refusals -= 1
            return web.Response(status=503)
        self.taken.append((await request.json())["update_id"])
        return web.Response()


async def test_a_web_hook_gets_every_update_in_order(telegram: Telegram, client: Client) -> None:
    receiver = Receiver(refusals=2)
    app = web.Application()
    app.router.add_post("/telegram", receiver.take)
    with pytest.raises(BadRequest, match="an https url must be provided for webhook"):
        await client.set_webhook("http://play.example/telegram")
    async with TestServer(app) as server:
        telegram.route("https://play.example", str(server.make_url("")).rstrip("/"))
        await client.set_webhook("https://play.example/telegram", secret_token=SECRET)
        with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
            await hear(client)
        ana = telegram.person("Ana")
        for number in range(5):
            ana.say(ana.private, f"{number}")
        await telegram.idle()
        info = await client.get_webhook_info()
        assert receiver.taken == [update.id for update in telegram.updates.history]
        assert receiver.secrets == {SECRET}
        assert (info.pending_update_count, info.last_error_message) == (
            0,
            "Wrong response from the webhook: 503 Service Unavailable",
        )
        telegram.updates.again()
        await telegram.idle()
        assert receiver.taken[-1] == receiver.taken[-2]
        await client.delete_webhook()
    assert await hear(client) == []
