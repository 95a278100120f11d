"""The page's platform when things go wrong: the store is away, pages send nonsense, too much or nothing."""

from __future__ import annotations

import asyncio
import logging

import pytest
from aiohttp import ClientSession, WSMsgType

from bot.adapters.page.entries import Retired, Said
from bot.adapters.page.inbox import TEXT_LENGTH
from bot.adapters.page.room import WAITING_LINES, Listener, Room
from bot.adapters.page.socket import FRAME_BYTES, SOCKETS, TOO_MANY
from bot.adapters.web_adapter import PLACE
from bot.messages import Outgoing, Text
from storage.transcript import RedisTranscript
from tests.web.site import HOSTILE, Site, open_page, text_of, words


async def test_while_the_store_is_away_the_page_is_told_and_nothing_is_lost(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.until("entries", history=True)
        site.transcript.down = True
        await ana.say("a", "hello")
        await ana.until("waiting", id="a")
        await ana.say("b", "silence")
        await ana.until("store", up=False)
        site.transcript.down = False
        await ana.until("ack", id="a")
        await ana.until("ack", id="b")
        entries = await ana.entries(3)
    assert [text_of(entry) for entry in entries] == ["hello", "heard hello", "silence"]


async def test_what_fails_between_question_and_answer_is_finished_later(site: Site, session: ClientSession) -> None:
    async def answer_and_lose_the_store(incoming: object) -> list[Outgoing]:
        del incoming
        site.transcript.down = not site.transcript.appended.count("said:1:a") > 1
        return [Outgoing(PLACE, (Text("done"),))]

    site.adapter._inbox._handle = answer_and_lose_the_store
    async with open_page(session, site) as ana:
        await ana.say("a", "hello")
        await ana.until("waiting", id="a")
        site.transcript.down = False
        await ana.until("ack", id="a")
        assert [text_of(entry) for entry in await ana.entries(2)] == ["hello", "done"]


async def test_a_page_that_opens_while_the_store_is_away_catches_up(site: Site, session: ClientSession) -> None:
    site.transcript.down = True
    async with open_page(session, site) as ana:
        await ana.until("store", up=False)
        site.transcript.down = False
        assert (await ana.until("entries", history=True))["entries"] == []


async def test_a_defect_behind_the_page_fails_one_text_alone(
    site: Site, session: ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_page(session, site) as ana:
        site.handle.fail = ZeroDivisionError("secret")
        await ana.say("a", "hello")
        failed = await ana.until("failed", id="a")
        site.handle.fail = None
        await ana.say("b", "again")
        await ana.until("ack", id="b")
    assert failed["error"] in caplog.text
    assert "secret" not in str(failed)


async def test_a_text_that_is_too_long_is_cut_and_its_writer_told(site: Site, session: ClientSession) -> None:
    async with open_page(session, site, 1) as ana, open_page(session, site, 2) as bo:
        await ana.say("a", "я" * TEXT_LENGTH)
        await ana.say("b", "я" * (TEXT_LENGTH + 1))
        await ana.say("c", "end")
        mine = await ana.entries(7)
        theirs = await bo.entries(6)
    assert [len(incoming.text) for incoming in site.handle.seen] == [TEXT_LENGTH, TEXT_LENGTH, 3]
    assert text_of(mine[4]) == words("en")["page.cut"].format(n=TEXT_LENGTH)
    assert text_of(mine[4]) not in [text_of(entry) for entry in theirs]


@pytest.mark.parametrize(
    "data",
    [
        "",
        "\x00",
        "{",
        "[]",
        "null",
        '"say"',
        "[" * 20_000,
        '{"type":"say"}',
        '{"type":"say","id":"a"}',
        '{"type":"say","id":"a","text":" "}',
        '{"type":"say","id":"a b","text":"x"}',
        '{"type":"say","id":"a\\n","text":"x"}',
        '{"type":"say","id":1,"text":"x"}',
        '{"type":"say","id":"a","text":"\\ud800"}',
        '{"type":"other","id":"a","text":"x"}',
        '{"type":"say","id":"a","payload":"' + "x" * 257 + '"}',
        '{"type":"say","id":"' + "a" * 65 + '","text":"x"}',
    ],
)
async def test_what_no_page_sends_is_answered_and_ends_nothing(site: Site, session: ClientSession, data: str) -> None:
    async with open_page(session, site) as ana:
        await ana.socket.send_str(data)
        await ana.until("malformed")
        await ana.socket.send_bytes(data.encode())
        await ana.until("malformed")
        await ana.say("a", "hello")
        await ana.until("ack", id="a")
    assert len(site.handle.seen) == 1


async def test_a_frame_that_is_too_long_ends_its_own_socket_alone(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana, open_page(session, site) as other:
        await ana.socket.send_str("x" * (FRAME_BYTES + 1))
        message = await ana.socket.receive(timeout=5)
        while message.type is WSMsgType.TEXT:
            message = await ana.socket.receive(timeout=5)
        assert message.type in {WSMsgType.CLOSE, WSMsgType.CLOSED, WSMsgType.ERROR}
        await other.say("a", "hello")
        await other.until("ack", id="a")


@pytest.mark.parametrize("payload", [HOSTILE[:256], "é", "\u2028", "a" * 256])
async def test_any_payload_arrives_as_it_is(site: Site, session: ClientSession, payload: str) -> None:
    async with open_page(session, site) as ana:
        await ana.say("a", payload=payload)
        await ana.until("ack", id="a")
    assert site.handle.seen[0].payload == payload


async def test_hostile_words_come_back_as_they_are(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.say("a", HOSTILE)
        await ana.say("b", "hostile")
        entries = await ana.entries(4)
    assert entries[0]["text"] == HOSTILE
    assert [span["text"] for span in entries[3]["text"]] == [HOSTILE, HOSTILE]
    assert entries[3]["buttons"][0][0]["label"] == HOSTILE


async def test_a_seat_has_so_many_open_pages_and_no_more(site: Site, session: ClientSession) -> None:
    sockets = [await session.ws_connect(f"{site.seat(1)}/socket") for _ in range(SOCKETS)]
    async with session.ws_connect(f"{site.seat(1)}/socket") as one_more:
        message = await one_more.receive(timeout=5)
        assert (message.type, message.data) == (WSMsgType.CLOSE, TOO_MANY)
    async with open_page(session, site, 2) as bo:
        await bo.until("entries")
    for socket in sockets:
        await socket.close()
    async with asyncio.timeout(5):
        while site.adapter._chat.room.count("web:1"):  # noqa: ASYNC110 - the server has no event for it
            await asyncio.sleep(0.01)
    async with open_page(session, site, 1) as ana:
        await ana.until("entries")


async def test_a_page_that_takes_nothing_is_cut_off() -> None:
    listener = Listener("web:1")
    for number in range(WAITING_LINES + 1):
        listener.show(number, Said(1, "Ana", "x", "a", 1))
    assert listener.is_closed
    assert await listener.take(0) == []
    assert listener.code == 4008


async def test_an_entry_that_cannot_be_read_hides_no_other(
    site: Site, session: ClientSession, transcript: RedisTranscript, caplog: pytest.LogCaptureFixture
) -> None:
    for content in (b"\xff", b"{}", b'{"kind":"later"}', b'{"kind":"said","seat":"x"}'):
        await transcript.append("main", repr(content), content)
    await Room(transcript, "main").append("good", Retired(1))
    async with open_page(session, site) as ana:
        (entry,) = await ana.entries(1)
    assert entry == {"kind": "retired", "message": 1, "number": 5}
    assert "entry 4 of room main cannot be read" in caplog.text


async def test_what_was_said_just_before_the_page_went_is_done(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        for number in range(20):
            await ana.say(str(number), f"text {number}")
    async with open_page(session, site) as ana:
        entries = await ana.entries(40)
    assert [incoming.text for incoming in site.handle.seen] == [f"text {number}" for number in range(20)]
    assert len(entries) == 40


async def test_secrets_are_not_logged(site: Site, session: ClientSession, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    site.handle.fail = ZeroDivisionError()
    async with open_page(session, site) as ana:
        await ana.say("a", "hello")
        await ana.until("failed")
    async with session.get(f"{site.seat(1)}/picture/x.png"), session.get(site.seat(1)):
        pass
    assert "hello" not in caplog.text
    for path in site.seats:
        assert path.removeprefix("/seat/") not in caplog.text


async def test_nothing_overtakes_what_could_not_be_done_when_its_page_goes(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        site.transcript.down = True
        await ana.say("a", "first")
        await ana.say("b", payload="second")
        await ana.until("waiting", id="a")
    site.transcript.down = False
    async with open_page(session, site) as ana:
        await ana.say("a", "first")
        await ana.say("b", payload="second")
        await ana.until("ack", id="b")
    assert [incoming.id for incoming in site.handle.seen] == ["1:a", "1:b"]
