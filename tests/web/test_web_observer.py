"""What pages ask about boards: answered once, in order, whatever happens behind the port."""

from __future__ import annotations

import pytest
from aiohttp import ClientSession

from storage.base import StoreUnavailableError
from tests.web.site import Site, open_page


async def test_questions_are_answered_by_their_numbers(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.until("entries")
        await ana.socket.send_json({"type": "look", "number": 1, "language": "es"})
        shown = await ana.until("view", number=1)
        await ana.socket.send_json({"type": "weigh", "number": 1, "match": "kfwt", "ply": 0, "text": "b1-b2"})
        weighed = await ana.until("weighed", number=1)
        await ana.socket.send_json({"type": "complete", "number": 5, "text": "b"})
        completed = await ana.until("completed", number=5)
    assert shown["view"] == {"language": "es", "own": False, "matches": [], "board": None}
    assert weighed["answer"] == {"said": "", "regions": []}
    assert completed["choices"] == []


async def test_of_many_looks_in_a_row_the_last_is_answered(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana:
        await ana.until("entries")
        # The store is away for a moment: meanwhile the reader moves the slider.
        site.boards.troubles = [StoreUnavailableError()]
        for number in range(1, 40):
            await ana.socket.send_json({"type": "look", "number": number, "match": "kfwt", "shown": number})
        await ana.until("view", number=39)
    answered = [notice for notice in ana.notices if notice["type"] == "view"]
    assert len(answered) < 39


async def test_a_defect_behind_the_port_ends_no_page(
    site: Site, session: ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_page(session, site) as ana:
        await ana.until("entries")
        site.boards.troubles = [RuntimeError("a defect")]
        await ana.socket.send_json({"type": "look", "number": 1})
        failed = await ana.until("unanswered", number=1)
        await ana.socket.send_json({"type": "look", "number": 2})
        await ana.until("view", number=2)
    assert failed["error"] in caplog.text


@pytest.mark.parametrize("trouble", [StoreUnavailableError(), RuntimeError("a defect")])
async def test_the_page_opens_without_a_board_if_it_must(
    site: Site, session: ClientSession, trouble: Exception
) -> None:
    site.boards.troubles = [trouble]
    async with session.get(site.seat(1), headers={"Accept-Language": "ru"}) as answer:
        assert answer.status == 200
        assert '"view":null' in await answer.text()


@pytest.mark.parametrize(
    "question",
    [
        {"type": "look"},
        {"type": "look", "number": -1},
        {"type": "look", "number": 1, "match": "../x"},
        {"type": "look", "number": 1, "shown": -1},
        {"type": "look", "number": 1, "shown": 10**6},
        {"type": "weigh", "number": 1, "match": "kfwt", "ply": 0, "text": "x" * 61},
        {"type": "weigh", "number": 1, "match": "kfwt", "text": "b1"},
        {"type": "complete", "number": 1, "text": None},
    ],
)
async def test_a_question_that_is_none_is_refused(
    site: Site, session: ClientSession, question: dict[str, object]
) -> None:
    async with open_page(session, site) as ana:
        await ana.until("entries")
        await ana.socket.send_json(question)
        await ana.until("malformed")


async def test_what_is_typed_is_meant_for_the_match_that_is_shown(site: Site, session: ClientSession) -> None:
    async with open_page(session, site) as ana, open_page(session, site, 2) as bo:
        await ana.say("1", "b1b2", about="kfwt")
        await ana.until("ack", id="1")
        await bo.until("changed")
    assert site.handle.seen[0].quoted == "#kfwt"
