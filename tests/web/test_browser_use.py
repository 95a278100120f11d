"""Using the page in a real browser: languages, colours, keys, small screens, people who see less."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.web.looks import look
from tests.web.site import Site, board, words
from tests.web.windows import DESK, PHONE, Windows, messages, say, width_and_height

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
    await expect(messages(page)).to_have_text(re.compile("^heard /settings my-language ru"))
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


async def test_new_messages_are_announced_and_counted(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1))
    log = page.get_by_role("log", name=words("en")["page.log"])
    await expect(log).to_have_attribute("aria-live", "polite")
    await page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    await live.adapter.send(board(key="k"))
    await expect(page).to_have_title("(1) Bandada")


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


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_everything_can_be_read_named_and_tapped(
    live: Site, windows: Windows, viewport: dict[str, int], scheme: str
) -> None:
    windows.is_forgiving = True  # pictures answer 503 while the store is away
    page = await windows.open(live.seat(1), viewport, color_scheme=scheme, locale="ru-RU", reduced_motion="reduce")
    other = await windows.open(live.seat(2))
    for text in ("board", "choose", "file", "x" * 300):
        await say(page, text)
    await say(other, "hello")
    await expect(page.locator(".entry")).to_have_count(10)
    live.transcript.down = True
    await say(page, "on its way")
    await expect(page.locator("#alert")).to_be_visible()
    seen = [await look(page)]
    await page.fill("#text", "/")
    seen.append(await look(page))
    if viewport is PHONE:
        await page.press("#text", "Escape")
        await page.click("#open-panel")
        await expect(page.locator("#close-panel")).to_be_focused()
        seen.append(await look(page))
    assert sum(one["texts"] for one in seen) > 60
    assert sum(one["controls"] for one in seen) > 40
    for one in seen:
        assert (one["pale"], one["nameless"], one["small"], one["wide"]) == ([], [], [], 0)


async def test_motion_is_reduced_for_those_who_ask(live: Site, windows: Windows) -> None:
    page = await windows.open(live.seat(1), PHONE, reduced_motion="reduce")
    duration = await page.locator("#panel").evaluate("panel => getComputedStyle(panel).transitionDuration")
    assert float(duration.split("s")[0]) < 0.001


@pytest.mark.parametrize("locale", ["en-US", "es-ES", "ru-RU"])
async def test_a_newcomer_on_a_phone_sees_the_welcome_from_its_beginning(
    live: Site, windows: Windows, locale: str
) -> None:
    page = await windows.open(live.seat(1), PHONE, locale=locale)
    await page.wait_for_function("document.querySelector('#welcome h1, #welcome h2').textContent.length > 5")
    assert await page.locator("#log").evaluate("log => log.scrollTop") == 0
