"""The page in a real browser, against the real server with a bot that only echoes."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, async_playwright, expect

from storage.base import StoreUnavailableError
from storage.connect import connect
from storage.transcript import RedisTranscript
from tests.web.site import HOSTILE, Site, board, serve, words

pytestmark = pytest.mark.asyncio(loop_scope="module")

OPTIONS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: Final = {"width": 360, "height": 740}
DESK: Final = {"width": 1280, "height": 800}

expect.set_options(timeout=10_000)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser(chromium_path: str) -> AsyncIterator[Browser]:
    """One Chromium for the module."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path, args=list(OPTIONS))
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def memory(redis_url: str) -> AsyncIterator[RedisTranscript]:
    """An empty transcript in the module's loop."""
    client = connect(redis_url)
    await client.flushdb()
    yield RedisTranscript(client)
    await client.aclose()


@pytest_asyncio.fixture(loop_scope="module")
async def live(memory: RedisTranscript) -> AsyncIterator[Site]:
    """A site with an empty room."""
    async with serve(memory) as site:
        yield site


class Windows:
    """The browser's windows; each has a memory of its own, and none may complain."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._stack = AsyncExitStack()
        self.complaints: list[str] = []
        self.is_forgiving = False

    async def open(self, url: str, viewport: dict[str, int] | None = None, **options: Any) -> Page:  # noqa: ANN401 - playwright's own
        """A new window with nothing in its memory."""
        context = await self._browser.new_context(
            viewport=viewport or DESK,  # type: ignore[arg-type] # a ViewportSize
            locale=options.pop("locale", "en-US"),
            **options,
        )
        self._stack.push_async_callback(context.close)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on(
            "console", lambda line: self.complaints.append(line.text) if line.type in {"error", "warning"} else None
        )
        await page.goto(url)
        return page

    async def close(self) -> None:
        """Close all; AssertionError if one complained."""
        await self._stack.aclose()
        assert self.is_forgiving or self.complaints == []


@pytest_asyncio.fixture(loop_scope="module")
async def windows(browser: Browser) -> AsyncIterator[Windows]:
    """Windows to open."""
    windows = Windows(browser)
    yield windows
    await windows.close()


async def say(page: Page, text: str) -> None:
    """Type a text and send it."""
    await page.fill("#text", text)
    await page.press("#text", "Escape")
    await page.press("#text", "Enter")


def messages(page: Page) -> Locator:
    """What the bot said."""
    return page.locator(".entry.message")


async def width_and_height(thing: Locator) -> tuple[float, float]:
    """How large it is shown, in CSS pixels."""
    box = await thing.bounding_box()
    assert box is not None
    return box["width"], box["height"]


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


async def test_commands_are_offered_and_completed(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1), PHONE)
    field = page.get_by_role("combobox")
    await page.get_by_role("button", name=words("en")["page.show_commands"]).click()
    await expect(page.get_by_role("option")).to_have_count(3)
    await field.press_sequentially("mo")
    options = page.get_by_role("option")
    await expect(options).to_have_text(["/moveMake a move", "/movesWhat can I play?"])
    await expect(options.nth(0)).to_have_attribute("aria-selected", "true")
    await field.press("ArrowDown")
    await expect(field).to_have_attribute("aria-activedescendant", "offer-1")
    await field.press("Enter")
    await expect(field).to_have_value("/moves ")
    await expect(page.get_by_role("listbox")).to_be_hidden()
    await field.press("Enter")
    await expect(messages(page)).to_have_text(re.compile("^heard /moves"))
    await field.fill("/move")
    await field.press("Enter")  # typed to its end: sent, not completed
    await expect(messages(page).last).to_have_text(re.compile("^heard /move"))
    await field.fill("/")
    await options.nth(0).click()
    await expect(field).to_have_value("/challenge ")
    await expect(field).to_be_focused()


@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("es-MX", "es"), ("ru-RU", "ru"), ("de-DE", "en")])
async def test_the_page_speaks_the_browsers_language(live: Site, windows: Windows, locale: str, language: str) -> None:
    page = await windows.open(live.seat(1), locale=locale)
    await expect(page.locator("html")).to_have_attribute("lang", language)
    await expect(page.locator("#welcome h2")).to_have_text(words(language)["page.welcome"])
    await expect(page.locator("#state .label")).to_have_text(words(language)["page.state_connected"])
    await expect(page.locator("#text")).to_have_attribute("placeholder", words(language)["page.text_hint"])
    await expect(page.locator("#send")).to_have_attribute("aria-label", words(language)["page.send"])
    await expect(page.locator("#name")).to_have_attribute("placeholder", words(language)["page.player"].format(n=1))
    assert "page." not in await page.locator("body").inner_text()


async def test_another_language_can_be_chosen(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await page.get_by_role("radio", name="Русский").check()
    await expect(page.locator("#welcome h2")).to_have_text(words("ru")["page.welcome"])
    await expect(messages(page)).to_have_text(re.compile("^heard /settings language ru"))
    await expect(page.locator(".entry.said")).to_have_count(0)
    await say(page, "привет")
    await expect(messages(page)).to_have_count(2)
    assert live.handle.seen[-1].language == "ru"
    assert live.handle.seen[-1].person.name == "Игрок 1"
    await page.reload()
    await expect(page.get_by_role("radio", name="Русский")).to_be_checked()
    await expect(page.locator("html")).to_have_attribute("lang", "ru")


async def test_colours_follow_the_system_until_others_are_chosen(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1), PHONE, color_scheme="dark")
    root = page.locator("html")
    await expect(root).to_have_attribute("data-theme", "dark")
    await page.emulate_media(color_scheme="light")
    await expect(root).to_have_attribute("data-theme", "light")
    toggle = page.get_by_role("button", name=words("en")["page.dark"])
    await expect(toggle).to_have_attribute("aria-pressed", "false")
    await toggle.click()
    await expect(toggle).to_have_attribute("aria-pressed", "true")
    await page.reload()
    await expect(root).to_have_attribute("data-theme", "dark")


async def test_on_a_phone_the_panel_opens_and_gives_the_focus_back(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1), PHONE)
    menu = page.get_by_role("button", name=words("en")["page.menu"])
    await expect(page.locator("#name")).to_be_hidden()
    await menu.click()
    await expect(page.locator("#name")).to_be_visible()
    await expect(page.locator("#close-panel")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator("#name")).to_be_hidden()
    await expect(menu).to_be_focused()
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


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
    await page.wait_for_function("document.getElementById('log').scrollTop === 0")
    await live.adapter.send(board(key="later"))
    newer = page.get_by_role("button", name=words("en")["page.newer"])
    await expect(newer).to_be_visible()
    assert await page.locator("#log").evaluate("log => log.scrollTop") == 0
    await newer.click()
    await expect(messages(page).last.get_by_role("button", name="Resign")).to_be_in_viewport()
    await expect(newer).to_be_hidden()


async def test_files_are_saved_and_moving_pictures_move(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await say(page, "file")
    async with page.expect_download() as download:
        await page.get_by_role("link", name='Save é "x".json').click()
    assert (await (await download.value).path()).read_bytes() == b"{}"
    await say(page, "replay")
    image = page.get_by_role("img", name=words("en")["page.moving"])
    assert await image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1


async def test_new_messages_are_announced_and_counted(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    log = page.get_by_role("log", name=words("en")["page.log"])
    await expect(log).to_have_attribute("aria-live", "polite")
    await page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    await live.adapter.send(board(key="k"))
    await expect(page).to_have_title("(1) Bandada")


async def test_a_text_that_is_too_long_is_cut_and_said_so(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    await say(page, "x" * 10_005)
    await expect(messages(page).last).to_contain_text(words("en")["page.cut"].format(n=10_000))
    assert len(live.handle.seen[0].text) == 10_000


async def test_a_line_can_be_broken_and_a_draft_is_kept(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    field = page.get_by_role("combobox")
    await field.fill("a")
    _, low = await width_and_height(field)
    await field.press("Shift+Enter")
    await field.press_sequentially("b")
    assert (await width_and_height(field))[1] > low
    await page.reload()
    await expect(field).to_have_value("a\nb")
    await field.press("Enter")
    await expect(messages(page)).to_have_count(1)
    assert live.handle.seen[0].text == "a\nb"


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
