"""The page is one person's window: what he reads of a match is in his language, whoever said it in which."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.bot.table import sentence
from tests.web.process import PlayProcess
from tests.web.site import words
from tests.web.windows import PHONE, Windows, messages, say

pytestmark = pytest.mark.asyncio(loop_scope="module")

MONTHS = {"en": r"[A-Z][a-z]{2} \d", "es": r"\d [a-z]{3,4}\.? ", "ru": r"\d [а-я]{3,4}\.? "}


def told(page: Page) -> Locator:
    """What both are told."""
    return page.locator(".entry.message:not(.private)")


async def reads(page: Page, language: str) -> None:
    """Return when the page shows the challenge and the first board in that language."""
    challenge, board = told(page).nth(0), told(page).nth(1)
    for message in (challenge, board):
        await expect(message).to_have_attribute("lang", language)
    until = sentence("status.challenge", language, moment="|").split("|", maxsplit=1)[0]
    # The date in a sentence speaks the sentence's language.
    await expect(challenge.locator(".words")).to_have_text(re.compile(re.escape(until) + ".*" + MONTHS[language]))
    await expect(board).to_contain_text(sentence("event.accepted", language, name="Бо"))
    await expect(board.locator("img")).to_have_attribute("alt", re.compile(sentence("side.ayu.1", language)))
    await expect(board.locator(".buttons button").first).to_have_text(sentence("button.move", language))


async def choose(page: Page, language: str) -> None:
    """Choose a language as people do: by the page's own switch."""
    await page.get_by_role("radio", name=words(language)["page.language_name"]).check()


async def test_each_reads_the_match_in_his_own_language(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1], locale="ru-RU", color_scheme="dark")
    await ana.fill("#name", "Ana")
    await bo.fill("#name", "Бо")
    await choose(ana, "es")
    await say(ana, "/challenge ayu 9 nopie @player2")
    await bo.locator("#offers .primary").click()
    await reads(ana, "es")
    await reads(bo, "ru")
    # Chosen later, it holds for what was said before, and after the page was loaded again.
    for page, language in ((bo, "es"), (ana, "en"), (bo, "en"), (bo, "ru")):
        await choose(page, language)
        await reads(page, language)
        await page.reload()
        await reads(page, language)
    await say(ana, "b1b2")
    for page, language in ((ana, "en"), (bo, "ru")):
        moved = sentence("event.moved", language, name="Ana", move="b1-b2")
        await expect(told(page).last).to_contain_text(moved)
    # The command that sets the chat's language sets the typist's with it, and nobody else's.
    await say(bo, "/settings language es")
    await reads(bo, "es")
    await reads(ana, "en")
    await say(bo, "/settings my-language ru")
    await reads(bo, "ru")


async def test_a_new_language_is_no_new_message(played: PlayProcess, windows: Windows) -> None:
    page = await windows.open(played.seats[0], PHONE)
    await say(page, "/challenge volo 6 computer 1")
    await expect(messages(page)).to_have_count(1)
    await page.click("#open-panel")
    await choose(page, "ru")
    await page.keyboard.press("Escape")
    begun = sentence("side.volo.1", "ru")
    await expect(messages(page).first).to_contain_text(begun)
    await expect(page.locator("#newer")).to_be_hidden()
    await expect(page.locator("#field")).to_be_in_viewport(ratio=1)
    # The picture, enlarged, has its words in the same language.
    picture = messages(page).first.locator("img")
    await expect(picture).to_have_attribute("src", re.compile("language=ru$"))
    assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 1000
