"""The chat in a real browser, against the real server with a bot that only echoes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from playwright.async_api import Page, expect

from bot.adapters.page.entries import Said, encode
from rules.actions import PersonId
from storage.base import StoreUnavailableError
from storage.transcript import RedisTranscript
from tests.web.site import HOSTILE, Site, board, serve, words
from tests.web.windows import PHONE, Windows, messages, say, width_and_height

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_newcomer_lands_on_the_first_seat_and_finds_the_second(live: Site, windows: Windows) -> None:
    page = await windows.open(live.url, PHONE)
    await expect(page).to_have_url(live.seat(1))
    await expect(page.locator("#state .label")).to_have_text("Connected")
    link = page.locator("#welcome .open-friend")
    await expect(link).to_be_in_viewport()
    await expect(link).to_have_attribute("target", "_blank")
    async with page.expect_popup() as popup:
        await link.click()
    friend = await popup.value
    await expect(friend).to_have_url(live.seat(2))
    await expect(friend.locator("#welcome .invite")).to_be_hidden()
    await say(friend, "hello")
    await expect(page.locator(".entry.said .who")).to_have_text("Player 2")


async def test_the_friends_link_can_be_copied(live: Site, windows: Windows) -> None:
    page = await windows.open(live.url, permissions=["clipboard-read", "clipboard-write"])
    await page.click("#friend .copy-friend")
    await expect(page.locator("#friend .copy-friend")).to_have_text("Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == live.seat(2)
    assert await page.input_value("#friend-link") == live.seat(2)


async def test_what_is_typed_is_answered_and_survives_a_reload(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await page.fill("#name", "Ana")
    await say(page, "b1b2")
    await expect(page.locator(".entry.said.own .words")).to_contain_text("b1b2")
    await expect(messages(page)).to_have_text(re.compile("^heard b1b2"))
    await expect(page.locator(".pending")).to_have_count(0)
    await expect(page.locator("#text")).to_have_value("")
    before = await page.locator("#entries").inner_text()
    await page.reload()
    await expect(messages(page)).to_have_count(1)
    assert await page.locator("#entries").inner_text() == before
    assert live.handle.seen[0].person.name == "Ana"
    await expect(page.locator("#name")).to_have_value("Ana")


async def test_both_seats_see_each_other_at_once_and_nobody_elses_secrets(live: Site, windows: Windows) -> None:
    ana = await windows.open(live.seat(1), PHONE)
    bo = await windows.open(live.seat(2))
    await say(ana, "private")
    await say(ana, "two")
    await expect(messages(bo)).to_have_count(2)
    await expect(messages(ana)).to_have_count(3)
    await expect(ana.locator(".entry.private .foot")).to_contain_text("Only you see this")
    assert "a secret" not in await bo.content()


async def test_a_board_is_a_picture_with_words_and_buttons(live: Site, windows: Windows) -> None:
    await live.adapter.send(board(key="k"))
    page = await windows.open(live.seat(2), PHONE)
    picture = page.get_by_role("button", name="Ayu, nine by nine. Ana to move.")
    await expect(picture).to_be_in_viewport()
    assert await picture.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1000
    article = messages(page)
    await expect(article.locator("strong")).to_have_text("Ana")
    await expect(article.locator("code")).to_have_text("b1-b2")
    await expect(article.locator(".mention.me")).to_have_text("Бо <b>")
    await expect(article.locator("time[data-as=moment]")).to_contain_text("2026")
    await expect(article).to_have_class(re.compile("ping"))
    await picture.click()
    viewer = page.locator("#viewer")
    await expect(viewer).to_be_visible()
    await expect(viewer.get_by_role("img", name="Ayu, nine by nine. Ana to move.")).to_be_visible()
    await viewer.locator("img").click()
    assert await width_and_height(viewer.locator("img")) == (1000, 1088)
    await page.keyboard.press("Escape")
    await expect(viewer).to_be_hidden()
    await expect(picture).to_be_focused()


async def test_a_pressed_button_waits_for_its_acknowledgement(live: Site, windows: Windows) -> None:
    await live.adapter.send(board(key="k"))
    page = await windows.open(live.seat(1))
    button = page.get_by_role("button", name="Move", exact=True)
    live.handle.fail = StoreUnavailableError()
    await button.click()
    await expect(button).to_have_attribute("aria-busy", "true")
    await expect(page.locator("#alert")).to_have_text(words("en")["page.waiting"])
    await page.get_by_role("button", name="Resign").click()  # too late: one is on its way
    live.handle.fail = None
    await expect(button).not_to_have_attribute("aria-busy", "true")
    await expect(page.locator("#alert")).to_be_hidden()
    await expect(messages(page).last).to_have_text(re.compile("^pressed g:kfwt"))
    assert [incoming.payload for incoming in live.handle.seen] == ["g:kfwt"]


async def test_buttons_of_an_older_board_are_dead(live: Site, windows: Windows) -> None:
    first = await live.adapter.send(board(key="1"))
    other = await live.adapter.send(board("bcdf", key="2"))
    page = await windows.open(live.seat(1))
    moves = page.get_by_role("button", name="Move", exact=True)
    await expect(moves).to_have_count(2)
    await expect(moves.nth(0)).to_be_enabled()
    await live.adapter.send(board(key="3"))
    await expect(moves).to_have_count(3)
    await expect(moves.nth(0)).to_be_disabled()
    await expect(moves.nth(1)).to_be_enabled()
    await live.adapter.retire(board().place, other)
    await expect(moves.nth(1)).to_be_disabled()
    await live.adapter.retire(board().place, first)
    await page.reload()
    await expect(moves).to_have_count(3)
    assert [await moves.nth(index).is_enabled() for index in range(3)] == [False, False, True]


async def test_a_choice_step_by_step_stays_one_message(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1), PHONE)
    await say(page, "choose")
    first = page.get_by_role("button", name="Next")
    await first.focus()
    await page.keyboard.press("Enter")
    await expect(messages(page)).to_have_text(re.compile("^second"))
    await expect(page.get_by_role("button", name="Next")).to_be_focused()
    await expect(page.get_by_role("img", name="second, a picture")).to_be_visible()
    await live.adapter.send(board("bcdf", key="1"))
    await expect(page.get_by_role("button", name="Next")).to_be_enabled()
    await live.adapter.send(board(key="2"))
    await expect(messages(page)).to_have_count(3)
    # The move is made: the question is out of date.
    await expect(page.get_by_role("button", name="Next")).to_be_hidden()
    await expect(page.get_by_role("img", name="second, a picture")).to_be_hidden()
    await page.reload()
    await expect(messages(page)).to_have_count(3)
    await expect(messages(page).first).to_have_text(re.compile("^second"))
    await expect(page.get_by_role("button", name="Next")).to_be_hidden()


async def test_hostile_words_stay_words(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await page.fill("#name", '<b onclick="x">')
    await say(page, HOSTILE.replace("\x00", ""))
    await say(page, "hostile")
    await expect(messages(page)).to_have_count(2)
    assert await page.locator("#log img, #log b").count() == 0
    assert await page.title() == "Bandada"
    await page.get_by_role("button", name="<img src=x").click()
    await expect(messages(page)).to_have_count(3)
    assert live.handle.seen[-1].payload == HOSTILE[:60]


async def test_what_is_typed_while_the_server_is_gone_is_not_lost(memory: RedisTranscript, windows: Windows) -> None:
    windows.is_forgiving = True  # the browser itself complains about each connection that is refused
    async with serve(memory) as site:
        port = site.server.port
        page = await windows.open(site.seat(1))
        await say(page, "first")
        await expect(messages(page)).to_have_count(1)
        await site.adapter.send(board(key="k"))
        await expect(messages(page)).to_have_count(2)
    await expect(page.locator("#state")).to_have_attribute("data-state", "lost")
    await expect(page.locator("#alert")).to_have_text(words("en")["page.kept"])
    await say(page, "second")
    await say(page, "third")
    await page.get_by_role("button", name="Move", exact=True).click()
    await expect(page.locator(".pending .words")).to_have_text([re.compile("second"), re.compile("third")])
    async with serve(memory, port=port) as site:
        await expect(page.locator("#state")).to_have_attribute("data-state", "connected")
        await expect(page.locator("#alert")).to_be_hidden()
        await expect(messages(page)).to_have_count(5)
        await expect(page.locator(".pending")).to_have_count(0)
        assert [incoming.text or incoming.payload for incoming in site.handle.seen] == ["second", "third", "g:kfwt"]


async def test_what_was_on_its_way_goes_on_after_a_reload(live: Site, windows: Windows) -> None:
    windows.is_forgiving = True  # a picture that is fetched without the store is an error in the console
    await live.adapter.send(board(key="k"))
    page = await windows.open(live.seat(1))
    await expect(messages(page)).to_have_count(1)
    live.transcript.down = True
    await say(page, "hello")
    await page.get_by_role("button", name="Move", exact=True).click()
    await expect(page.locator(".pending")).to_have_count(1)
    await page.reload()
    await expect(page.locator("#state")).to_have_attribute("data-state", "store")
    live.transcript.down = False
    await expect(messages(page)).to_have_count(3)
    await expect(page.locator(".pending, [aria-busy=true]")).to_have_count(0)
    assert [incoming.text or incoming.payload for incoming in live.handle.seen] == ["hello", "g:kfwt"]
    await expect(page.locator("#entries img")).to_have_class("loaded")


async def test_a_text_that_is_kept_but_not_done_is_shown_once(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    live.handle.fail = StoreUnavailableError()
    await say(page, "hello")
    await expect(page.locator("#alert")).to_have_text(words("en")["page.waiting"])
    await page.reload()
    await expect(page.locator("#alert")).to_have_text(words("en")["page.waiting"])
    await expect(page.locator(".entry.said")).to_have_count(1)
    live.handle.fail = None
    await expect(messages(page)).to_have_count(1)
    await expect(page.locator(".entry.said")).to_have_count(1)


async def test_the_newest_message_is_in_view_unless_the_reader_looks_back(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1), PHONE)
    for number in range(3):
        await live.adapter.send(board(key=str(number)))
    await say(page, "end")
    await expect(messages(page).last).to_be_in_viewport()
    await page.locator("#log").evaluate("log => log.scrollTo(0, 0)")
    await live.adapter.send(board(key="later"))
    newer = page.get_by_role("button", name=words("en")["page.newer"])
    await expect(newer).to_be_visible()
    assert await page.locator("#log").evaluate("log => log.scrollTop") == 0
    await newer.click()
    await expect(messages(page).last.get_by_role("button", name="Resign")).to_be_in_viewport()
    await expect(newer).to_be_hidden()
    # Who presses an old button wants to see what comes of it.
    await page.locator(".picture").first.scroll_into_view_if_needed()
    await page.get_by_role("button", name="Moves").last.click()
    await expect(messages(page).last).to_be_in_viewport()
    await expect(messages(page).last).to_have_text(re.compile("^pressed q:kfwt"))


async def test_files_are_saved_and_moving_pictures_move(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await say(page, "file")
    async with page.expect_download() as download:
        await page.get_by_role("link", name='Save é "x".json').click()
    assert (await (await download.value).path()).read_bytes() == b"{}"
    await say(page, "replay")
    image = page.get_by_role("img", name=words("en")["page.moving"])
    assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1


async def test_a_text_that_is_too_long_is_cut_and_said_so(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await say(page, "x" * 10_005)
    await expect(messages(page).last).to_contain_text(words("en")["page.cut"].format(n=10_000))
    assert len(live.handle.seen[0].text) == 10_000


@asynccontextmanager
async def _without_storage(windows: Windows, url: str) -> AsyncIterator[Page]:
    page = await windows.open("about:blank")
    await page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked'); }})")
    await page.goto(url)
    yield page


async def test_a_browser_without_storage_plays_too(live: Site, windows: Windows) -> None:
    async with _without_storage(windows, live.seat(1)) as page:
        await say(page, "hello")
        await expect(messages(page)).to_have_count(1)
        await expect(page.locator(".pending")).to_have_count(0)


async def test_a_long_chat_says_that_it_began_earlier(live: Site, windows: Windows) -> None:
    for number in range(501):
        await live.transcript.append("main", f"k{number}", encode(Said(2, "Бо", str(number), f"i{number}", 1)))
    page = await windows.open(live.seat(1))
    await expect(page.locator(".entry")).to_have_count(500)
    await expect(page.locator("#cut")).to_have_text(words("en")["page.earlier"])
    await say(page, "one more")
    await expect(messages(page)).to_have_count(1)


async def test_a_question_outlives_the_board_that_it_was_asked_about(live: Site, windows: Windows) -> None:
    """The live board is quicker than the message that tells of it: who asks in between can still answer."""
    page = await windows.open(live.seat(1))
    resign = page.locator(".entry.private button.danger")
    await live.adapter.send(replace(board(key="a"), version=1))
    await live.adapter.send(replace(board(key="b", only_for=PersonId("web:1")), version=2, board=False))
    await expect(resign).to_be_enabled()
    await live.adapter.send(replace(board(key="c"), version=2))
    await expect(messages(page)).to_have_count(3)
    await expect(resign).to_be_enabled()
    await live.adapter.send(replace(board(key="d"), version=3))
    await expect(messages(page)).to_have_count(4)
    await expect(resign).to_be_disabled()
