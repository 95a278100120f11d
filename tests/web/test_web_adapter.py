"""The page's platform: what is typed arrives once, and what is said is shown to whom it concerns."""

from __future__ import annotations

import asyncio

from aiohttp import ClientSession

from bot.adapters.page.entries import Said
from bot.adapters.page.room import Room
from bot.messages import Person
from rules.actions import PersonId
from storage.base import Place
from storage.transcript import RedisTranscript
from tests.web.site import Site, board, open_page, serve, text_of


async def test_a_text_is_shown_answered_and_acknowledged(site: Site, session: ClientSession) -> None:
    async with open_page(session, site, 1) as ana, open_page(session, site, 2) as bo:
        await ana.say("a-1", "b1b2")
        await ana.until("ack", id="a-1")
        mine, answer = await ana.entries(2)
        theirs, same = await bo.entries(2)
    assert (mine["kind"], mine["number"], mine["seat"], mine["name"], mine["text"]) == ("said", 1, 1, "Ana", "b1b2")
    assert (mine["id"], "id" in theirs) == ("a-1", False)
    assert answer == same
    assert (answer["kind"], answer["number"], text_of(answer)) == ("message", 2, "heard b1b2")
    assert mine["at"] < answer["at"]


async def test_what_the_handle_is_told(site: Site, session: ClientSession) -> None:
    async with open_page(session, site, 2) as bo:
        await bo.say("x", "/challenge @Player 1", name=" Бо\u202e\n ", language="ru")
        await bo.say("y", payload="g:kfwt", text="does not count", language="xx", name="")
        await bo.until("ack", id="y")
    typed, pressed = site.handle.seen
    bo_himself = Person(PersonId("web:2"), "Бо", "player2")
    assert (typed.id, typed.place, typed.person) == ("2:x", Place("web", "main"), bo_himself)
    # Nobody has named himself on the first seat: in Russian he is "Игрок 1", so "@Player 1" is nobody.
    assert (typed.text, typed.payload, typed.language, typed.mentions) == ("/challenge @Player 1", "", "ru", ())
    assert (typed.addressed, typed.admin) == (True, False)
    assert (pressed.id, pressed.text, pressed.payload, pressed.language) == ("2:y", "", "g:kfwt", "en")
    assert pressed.person == Person(PersonId("web:2"), "Player 2", "player2")


async def test_a_mention_is_written_as_the_user_name(site: Site, session: ClientSession) -> None:
    async with open_page(session, site, 1) as ana, open_page(session, site, 2) as bo:
        await bo.say("1", "hello", name="Ana María 2")
        await bo.until("ack", id="1")
        for number, text in enumerate(
            ["/challenge @ana maría 2 ayu", "@PLAYER2!", "@player23", "me@player2", "@Ana Maríá"]
        ):
            await ana.say(str(number), text)
            await ana.until("ack", id=str(number))
    heard = [(incoming.text, [person.id for person in incoming.mentions]) for incoming in site.handle.seen[1:]]
    assert heard == [
        ("/challenge @player2 ayu", ["web:2"]),
        ("@player2!", ["web:2"]),
        ("@player23", []),
        ("me@player2", []),
        # The writer's own name; the other's is longer and does not fit.
        ("@player1 Maríá", ["web:1"]),
    ]


async def test_said_again_is_done_once(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        for _ in range(3):
            await ana.say("a", "two")
            await ana.until("ack", id="a")
        await ana.say("b", "end")
        await ana.until("ack", id="b")
        entries = await ana.entries(5)
    assert [text_of(entry) for entry in entries] == ["two", "one", "two", "end", "heard end"]
    assert [incoming.text for incoming in site.handle.seen] == ["two", "end"]


async def test_said_again_at_once_through_another_socket_is_done_once(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as one, open_page(session, site) as other:
        await asyncio.gather(one.say("a", "hello"), other.say("a", "hello"))
        await asyncio.gather(one.until("ack"), other.until("ack"))
        assert len(await one.entries(2)) == 2
    assert len(site.handle.seen) == 1


async def test_said_again_after_a_restart_is_shown_once(transcript: RedisTranscript, session: ClientSession) -> None:
    async with serve(transcript) as site, open_page(session, site) as ana:
        await ana.say("a", "two")
        await ana.until("ack")
        links = site.seats
    async with serve(transcript) as site, open_page(session, site) as ana:
        assert site.seats == links
        await ana.say("a", "two")
        await ana.until("ack")
        # The bot is told again, with the same id: only it knows whether the command was saved.
        assert [incoming.id for incoming in site.handle.seen] == ["1:a"]
        await ana.say("b", "end")
        entries = await ana.entries(5)
    assert [text_of(entry) for entry in entries] == ["two", "one", "two", "end", "heard end"]


async def test_a_quiet_text_is_not_shown(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.say("a", "/settings language es", quiet=True)
        (answer,) = await ana.entries(1)
    assert text_of(answer) == "heard /settings language es"


async def test_private_messages_are_for_one_seat_alone(site: Site, session: ClientSession) -> None:
    async with open_page(session, site, 1) as ana, open_page(session, site, 2) as bo:
        await ana.say("a", "private")
        await ana.say("b", "secret board")
        await ana.say("c", "end")
        mine = await ana.entries(6)
        theirs = await bo.entries(4)
    async with open_page(session, site, 2) as bo:
        again = await bo.entries(4)
    assert [text_of(entry) for entry in again] == [text_of(entry) for entry in theirs]
    assert [text_of(entry) for entry in theirs] == ["private", "secret board", "end", "heard end"]
    secret_board = mine[3]
    assert (secret_board["private"], mine[5]["private"]) == (True, False)
    for seat, status in ((1, 200), (2, 404)):
        async with session.get(f"{site.seat(seat)}/picture/{secret_board['number']}.png") as answer:
            assert answer.status == status


async def test_what_another_process_says_is_shown_soon(
    site: Site, session: ClientSession, transcript: RedisTranscript
) -> None:
    async with open_page(session, site) as ana:
        await ana.until("entries", history=True)
        await Room(transcript, "main").append("elsewhere", Said(2, "Бо", "from afar", "z", 1))
        (entry,) = await ana.entries(1)
    assert entry["text"] == "from afar"


async def test_a_page_that_comes_back_is_told_what_it_missed(site: Site, session: ClientSession) -> None:
    numbers = [int(await site.adapter.send(board())) for _ in range(3)]
    async with open_page(session, site, after=numbers[0]) as ana:
        assert [entry["number"] for entry in await ana.entries(2)] == numbers[1:]
    for after in ("x", "-1", "1" * 16, "٣"):
        async with session.get(f"{site.seat(1)}/socket?after={after}") as answer:
            assert answer.status == 404


async def test_a_reload_shows_the_newest_five_hundred(
    site: Site, session: ClientSession, transcript: RedisTranscript
) -> None:
    room = Room(transcript, "main")
    for number in range(510):
        await room.append(f"k{number}", Said(1, "Ana", str(number), str(number), number))
    async with open_page(session, site) as ana:
        entries = await ana.entries(500)
    assert [entry["text"] for entry in entries] == [str(number) for number in range(10, 510)]


async def test_a_page_asks_whether_the_line_lives(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.socket.send_json({"type": "here"})
        await ana.until("here")


async def test_one_private_question_takes_the_place_of_the_other(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.say("a", "choose")
        question = (await ana.entries(2))[1]["number"]
        for number, payload in enumerate(("next", "echo", "elsewhere")):
            await ana.say(str(number), payload=payload, entry=question)
        await ana.say("unknown", payload="next", entry=999)
        # Nobody takes the place of what he cannot see, or of what all can see.
        await ana.say("public", payload="next", entry=1)
        entries = await ana.entries(7)
    async with open_page(session, site, 2) as bo:
        await bo.say("b", payload="next", entry=question)
        entries += (await bo.entries(3))[2:]
    answers = [(text_of(entry), entry.get("replaces")) for entry in entries if entry["kind"] == "message"]
    assert answers == [
        ("first", None),
        ("second", question),
        ("pressed echo", None),
        ("other match", None),
        ("second", None),
        ("second", None),
        ("second", None),
    ]
