"""What the bot sends to the page: messages once, pictures when they are looked at, files under their names."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from aiohttp import ClientSession

from bot.adapters.web_adapter import PLACE
from bot.messages import Bold, Code, Document, Outgoing, Picture, Text
from bot.ports import PlaceGoneError, SendLaterError
from renderers.scene import Card
from storage.base import Place
from storage.transcript import RedisTranscript
from tests.web.site import GIF, SCENE, Site, board, flat_png, open_page, serve


async def test_the_courier_posts_once_for_each_key(site: Site, session: ClientSession) -> None:
    async with open_page(session, site, 2) as bo:
        number = await site.adapter.send(board(key="kfwt:3"))
        assert await site.adapter.send(board(key="kfwt:3")) == number
        assert await site.adapter.send(board()) != await site.adapter.send(board())
        first, *_ = await bo.entries(3)
    assert (first["number"], first["match"], first["board"], first["ping"]) == (int(number), "kfwt", True, True)
    assert first["picture"] == {"alt": "Ayu, nine by nine. Ana to move."}
    assert [span["kind"] for span in first["text"]] == ["bold", "text", "code", "text", "mention", "text", "moment"]
    assert first["buttons"][1] == [{"label": "Resign", "payload": "r:kfwt", "style": "danger"}]


async def test_buttons_are_taken_off_for_all_and_for_ever(site: Site, session: ClientSession) -> None:
    number = await site.adapter.send(board(key="k"))
    async with open_page(session, site) as ana:
        for _ in range(2):
            await site.adapter.retire(PLACE, number)
        await site.adapter.retire(PLACE, "no number")
        await site.adapter.retire(Place("web", "elsewhere"), number)
        await ana.say("a", "end")
        entries = await ana.entries(4)
    async with open_page(session, site) as ana:
        assert await ana.entries(4) == entries
    assert [entry["kind"] for entry in entries] == ["message", "retired", "said", "message"]
    assert entries[1]["message"] == int(number)


async def test_the_courier_learns_why_it_cannot_send(site: Site) -> None:
    with pytest.raises(PlaceGoneError):
        await site.adapter.send(Outgoing(Place("web", "elsewhere"), (Text("x"),)))
    site.transcript.down = True
    with pytest.raises(SendLaterError):
        await site.adapter.send(board())
    with pytest.raises(SendLaterError):
        await site.adapter.retire(PLACE, "1")


async def test_pictures_are_drawn_when_they_are_looked_at_and_then_kept(site: Site, session: ClientSession) -> None:
    number = await site.adapter.send(board(key="k"))
    assert site.render.drawn == 0
    url = f"{site.seat(2)}/picture/{number}.png"

    async def fetch() -> bytes:
        async with session.get(url) as answer:
            assert answer.headers["Content-Type"] == "image/png"
            assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
            return await answer.read()

    pictures = await asyncio.gather(fetch(), fetch(), fetch())
    assert set(pictures) == {flat_png(1000, 1088, 180)}
    assert site.render.drawn == 1


async def test_a_message_in_several_languages_is_one_message(site: Site, session: ClientSession) -> None:
    cards = Card("Ana", "Ходит"), Card("Бо", "")
    russian = replace(
        board(),
        text=(Bold("Ana"), Text(" ходит "), Code("b1-b2")),
        picture=Picture(replace(SCENE, cards=cards), "Ayu, девять на девять."),
        buttons=tuple(tuple(replace(one, label=one.label.upper()) for one in row) for row in board().buttons),
        language="ru",
    )
    number = await site.adapter.send(replace(board(key="k"), others=(russian,)))
    async with open_page(session, site, 2) as bo:
        (entry,) = await bo.entries(1)
    assert entry["text"][1]["text"] == " played "
    (other,) = entry["others"]
    assert (other["language"], other["alt"], "picture" in other) == ("ru", "Ayu, девять на девять.", False)
    assert [span["text"] for span in other["text"]] == ["Ana", " ходит ", "b1-b2"]
    assert other["labels"] == [["MOVE", "MOVES"], ["RESIGN"]]
    # Its picture is the same board with other words, drawn for each language once.
    for language, drawn in (("ru", 1), ("es", 2), ("", 2), ("ru", 2)):
        async with session.get(f"{site.seat(2)}/picture/{number}.png?language={language}") as answer:
            assert answer.status == 200
        assert site.render.drawn == drawn
        if drawn == 1:
            assert site.render.last == replace(SCENE, cards=cards)
    assert site.render.last == SCENE


async def test_a_picture_that_is_drawn_already_is_not_drawn_again(site: Site, session: ClientSession) -> None:
    drawn = Outgoing(PLACE, (Text("x"),), picture=Picture(SCENE, "alt", b"\x89PNG drawn"))
    number = await site.adapter.send(drawn)
    async with session.get(f"{site.seat(1)}/picture/{number}.png") as answer:
        assert await answer.read() == b"\x89PNG drawn"
    assert site.render.drawn == 0


async def test_pictures_are_still_there_after_a_restart(transcript: RedisTranscript, session: ClientSession) -> None:
    async with serve(transcript) as site:
        number = await site.adapter.send(Outgoing(PLACE, (), picture=Picture(SCENE, "alt", b"\x89PNG drawn")))
    async with serve(transcript) as site, session.get(f"{site.seat(1)}/picture/{number}.png") as answer:
        assert await answer.read() == flat_png(1000, 1088, 180)


async def test_what_is_no_picture_and_no_file_is_not_found(site: Site, session: ClientSession) -> None:
    number = await site.adapter.send(Outgoing(PLACE, (Text("words alone"),)))
    await site.adapter.retire(PLACE, number)
    for wanted in (number, "2", "3", "0", "999999999999999", "1" * 16, "x", "-1"):
        for path in (f"picture/{wanted}.png", f"document/{wanted}"):
            async with session.get(f"{site.seat(1)}/{path}") as answer:
                assert answer.status == 404, path


async def test_pictures_wait_for_the_store(site: Site, session: ClientSession) -> None:
    number = await site.adapter.send(board(key="k"))
    site.transcript.down = True
    async with session.get(f"{site.seat(1)}/picture/{number}.png") as answer:
        assert answer.status == 503


async def test_files_are_saved_under_their_names(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.say("a", "file")
        _, entry = await ana.entries(2)
    assert entry["file"] == {"name": 'é "x".json', "media_type": "application/json", "size": 2}
    async with session.get(f"{site.seat(1)}/document/{entry['number']}") as answer:
        assert await answer.read() == b"{}"
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''%C3%A9%20%22x%22.json"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("text", "name", "drawn"), [("gif", "game.gif", 0), ("replay", "bandada-kfwt.gif", 2)])
async def test_replays_are_moving_pictures(
    site: Site, session: ClientSession, text: str, name: str, drawn: int
) -> None:
    async with open_page(session, site) as ana:
        await ana.say("a", text)
        _, entry = await ana.entries(2)
    assert (entry["file"]["name"], entry["file"]["media_type"]) == (name, "image/gif")
    for _ in range(2):
        async with session.get(f"{site.seat(1)}/document/{entry['number']}") as answer:
            assert (await answer.read(), answer.headers["Content-Type"]) == (GIF, "image/gif")
    assert site.render.drawn == drawn


async def test_a_hostile_file_type_is_no_page(site: Site, session: ClientSession) -> None:
    number = await site.adapter.send(
        Outgoing(PLACE, (), document=Document("../x\r\nA: b", b"<script>", "text/html\r\nX: y"))
    )
    async with session.get(f"{site.seat(1)}/document/{number}") as answer:
        assert answer.headers["Content-Type"] == "application/octet-stream"
        assert "A" not in answer.headers
