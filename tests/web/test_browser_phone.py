"""The live board and the chat on a phone: everything can be read, and what is new can be reached."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from playwright.async_api import Page, expect

from bot.computers import LEVELS
from bot.texts import LANGUAGES
from rules import GAMES
from tests.bot.table import sentence
from tests.web.process import PlayProcess
from tests.web.site import words
from tests.web.taps import turn
from tests.web.windows import PHONE, Windows, messages, say

pytestmark = pytest.mark.asyncio(loop_scope="module")

_SEEN = """
() => {
  const found = [];
  for (const part of document.querySelectorAll(".card-name .part, .card-line .part")) {
    const text = part.lastChild;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    const [words, card] = [range.getBoundingClientRect(), part.closest(".card").getBoundingClientRect()];
    const inside = words.left >= card.left && words.right <= card.right && words.bottom <= card.bottom;
    const whole = part.scrollWidth <= part.clientWidth && part.scrollHeight <= part.clientHeight + 1;
    found.push({ text: text.textContent, lines: lines.size, inside, whole });
  }
  return found;
}
"""


async def parts(page: Page) -> list[dict[str, Any]]:
    """Every part of the cards' texts: in how many lines it stands, and whether all of it is seen in its card."""
    found: list[dict[str, Any]] = await page.evaluate(_SEEN)
    return found


def longest_line(game: str, key: str, language: str) -> str:
    """A card's line with counts of two digits."""
    counts = [sentence(f"count.{game}.groups", language, n=14)]
    if game == "volo":
        counts.append(sentence("count.volo.pieces", language, n=29))
    said = " · ".join(counts)
    return sentence(key, language, counts=said) if key else said


@pytest.mark.parametrize("language", LANGUAGES)
async def test_cards_break_between_their_parts_alone(played: PlayProcess, windows: Windows, language: str) -> None:
    page = await windows.open(played.seats[0], {"width": 320, "height": 640}, locale=language)
    await say(page, "/challenge volo 6 computer 4")
    await expect(page.locator("#card-2 .card-name")).to_contain_text(" · ")
    for width in (320, 360):
        await page.set_viewport_size({"width": width, "height": 640})
        found = await parts(page)
        # A name, a bird with its level, and both lines.
        assert len(found) == 8
        for game, key, level in product(GAMES, ("card.to-move", "card.won", "card.drawn", ""), LEVELS):
            bird = sentence(f"computer.{level}", language)
            name = sentence("computer.card", language, bird=bird, level=str(level))
            card = {"name": name, "line": longest_line(game, key, language), "state": "waits"}
            await page.evaluate("card => showCards({ cards: [card, card] }, 'volo')", card)
            found += await parts(page)
        wrong = [one for one in found if one["lines"] != 1 or not one["inside"] or not one["whole"]]
        assert wrong == []


async def test_a_long_name_ends_in_two_lines(played: PlayProcess, windows: Windows) -> None:
    page = await windows.open(played.seats[0], {"width": 320, "height": 640})
    await page.click("#open-panel")
    await page.fill("#name", "Maximiliano Constantino de la Vega y Río")
    await page.keyboard.press("Escape")
    await say(page, "/challenge ayu 9 computer 1")
    name = page.locator("#card-1 .part").first
    await expect(name).to_contain_text("Maximiliano")
    lines = await page.evaluate(
        """() => {
          const part = document.querySelector("#card-1 .part");
          return part.clientHeight / parseFloat(getComputedStyle(part).lineHeight);
        }"""
    )
    assert 1.9 < lines < 2.1
    assert await page.evaluate("document.documentElement.scrollWidth") == 320


async def seen_from_its_beginning(page: Page, part: str) -> None:
    """Return when the beginning of *part* of the newest message can be seen, and the field to type in as well."""
    await page.wait_for_function(
        """part => {
          const newest = [...document.querySelectorAll(".entry.message")].at(-1).querySelector(part);
          const [log, beginning] = [document.getElementById("log"), newest?.getBoundingClientRect()];
          const { top, bottom } = log.getBoundingClientRect();
          return beginning && beginning.top >= top && beginning.top < bottom - 100;
        }""",
        arg=part,
    )
    await expect(page.locator("#text")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_is_asked_for_below_the_board_is_read_from_its_beginning(
    played: PlayProcess, windows: Windows, language: str
) -> None:
    page = await windows.open(played.seats[0], PHONE, locale=language, has_touch=True)
    await say(page, "/challenge volo 7 computer 1")
    board, toggle = page.locator("#field"), page.locator("#show-board")
    await expect(messages(page)).to_have_count(1)
    await expect(board).to_be_in_viewport(ratio=1)
    # What is short stands below the board.
    await say(page, "/foo")
    await expect(messages(page).last).to_contain_text("/foo")
    await expect(messages(page).last).to_be_in_viewport(ratio=1)
    await expect(board).to_be_in_viewport(ratio=1)
    await say(page, "a99")
    await expect(messages(page).last).to_contain_text("a99")
    await expect(board).to_be_in_viewport(ratio=1)
    # What is long gets the board's place, until a tap brings the board back.
    for command, beginning in (("/settings", "strong"), ("/help", "strong"), ("/moves", ".picture")):
        await say(page, command)
        await expect(board).to_be_hidden()
        await seen_from_its_beginning(page, beginning)
        await expect(toggle).to_have_text(words(language)["page.to_board"])
        await toggle.tap()
        await expect(board).to_be_in_viewport(ratio=1)
        await expect(page.locator("#text")).to_be_in_viewport(ratio=1)
    # The chat alone is one tap away, and stays where it was chosen.
    await expect(toggle).to_have_text(words(language)["page.to_chat"])
    await toggle.tap()
    await page.reload()
    await expect(toggle).to_have_text(words(language)["page.to_board"])
    await expect(board).to_be_hidden()


async def test_a_reader_who_has_gone_up_stays_where_he_is(played: PlayProcess, windows: Windows) -> None:
    page = await windows.open(played.seats[0], PHONE, has_touch=True)
    await say(page, "/challenge volo 7 computer 1")
    await expect(messages(page)).to_have_count(1)
    await say(page, "/rules volo")
    # Several messages, one after the other: the first is begun with.
    await expect(messages(page)).to_have_count(5)
    await expect(page.locator("#newer")).to_be_visible()
    await expect(messages(page).nth(1).locator("strong").first).to_be_in_viewport(ratio=1)


async def test_the_head_of_the_page_fits_a_small_phone(played: PlayProcess, windows: Windows) -> None:
    page = await windows.open(played.seats[0], {"width": 320, "height": 640}, locale="es")
    await say(page, "/challenge volo 6 computer 1")
    toggle = page.locator("#show-board")
    await toggle.click()
    for width in (320, 360):
        await page.set_viewport_size({"width": width, "height": 640})
        place, button = await page.locator(".place").bounding_box(), await toggle.bounding_box()
        assert place is not None
        assert button is not None
        assert place["x"] + place["width"] <= button["x"]
        for text in (".room", "#state .label"):
            assert await page.locator(f"header {text}").evaluate("text => text.scrollWidth <= text.clientWidth")


_LONG = ("Maximiliano-Constantino Uribe de la Vega", "Максимилиан-Константин Оглы из Краснодара")
_UNSEEN = """
() => {
  const found = [];
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const cut = (box, { left, top, right, bottom }) =>
    box.left < left - 1 || box.top < top - 1 || box.right > right + 1 || box.bottom > bottom + 1;
  const scrolls = (one) => one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY);
  const controls = "header button, #text, #send, #which, #offers .button, .tools button, .tools input";
  const shown = `${controls}, #field, .card, #said`;
  for (const element of document.querySelectorAll(shown)) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    // What can be scrolled to can be seen: to its end, then to its beginning.
    for (const block of ["end", "start"]) {
      for (let part = element.parentElement; part; part = part.parentElement) {
        if (scrolls(part)) {
          const [box, at] = [part.getBoundingClientRect(), element.getBoundingClientRect()];
          part.scrollTop += block === "end" ? at.bottom - box.bottom : at.top - box.top;
        }
      }
      const at = element.getBoundingClientRect();
      const edge = block === "end" ? { ...at.toJSON(), top: at.bottom - 8 } : { ...at.toJSON(), bottom: at.top + 8 };
      const name = `${element.id || element.className || element.tagName} ${element.textContent.trim().slice(0, 20)}`;
      if (!at.height || cut(edge, screen)) found.push(`${name}: off the screen`);
      for (let part = element.parentElement; part; part = part.parentElement) {
        const clips = getComputedStyle(part).overflowY !== "visible";
        if (clips && cut(edge, part.getBoundingClientRect())) found.push(`${name}: cut`);
      }
    }
    const isWhole = element.scrollHeight <= element.clientHeight + 1 || scrolls(element);
    if (element.matches("#said") && !isWhole) found.push("said is cut");
  }
  const text = document.getElementById("text");
  const style = getComputedStyle(text, "::placeholder");
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { paddingLeft, paddingRight } = getComputedStyle(text);
  const room = text.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const wide = pen.measureText(text.placeholder).width;
  if (wide > room) found.push(`placeholder: ${Math.round(wide)} of ${room}`);
  const stage = document.getElementById("stage").getBoundingClientRect();
  for (const part of document.querySelectorAll(".which, .cards, .told, .tools")) {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const beside = left >= stage.right - 1 || right <= stage.left + 1;
    if (!beside && top < stage.bottom - 1 && bottom > stage.top + 1) found.push(`${part.className}: under the board`);
  }
  for (const name of document.querySelectorAll(".card-name .part:first-child")) {
    const { clientHeight, lastChild } = name;
    const lines = Math.round(clientHeight / parseFloat(getComputedStyle(name).lineHeight));
    if (innerWidth > innerHeight && lines > 1) found.push(`${lastChild.textContent}: ${lines} lines`);
  }
  return found;
}
"""


@pytest.mark.parametrize("language", LANGUAGES)
async def test_all_controls_are_in_reach_however_long_the_names_and_the_offer(
    played: PlayProcess, windows: Windows, language: str
) -> None:
    pages = []
    for seat, name in zip(played.seats, _LONG, strict=True):
        page = await windows.open(seat, PHONE, locale=language, has_touch=True)
        await page.click("#open-panel")
        await page.fill("#name", name[:40])
        await page.keyboard.press("Escape")
        pages.append(page)
    first, second = pages
    await say(first, "/challenge volo 6 nopie")
    await second.locator("#offers .button").first.tap()
    await turn(first)
    # A second match, to choose from.
    await say(first, "/challenge ayu 9")
    await expect(second.locator("#which")).to_be_visible()
    await first.locator("#which").select_option(index=1)
    await second.locator("#which").select_option(index=1)
    await say(first, "d4")
    await turn(second)
    await second.set_viewport_size({"width": 740, "height": 360})
    await second.locator(".more summary").tap()
    await expect(second.locator(".menu")).to_be_in_viewport(ratio=1)
    await second.locator(".more summary").tap()
    await say(first, "/takeback")
    await expect(second.locator("#offers > .button")).to_have_count(2)
    wrong = {}
    for page, (width, height) in product(pages, ((740, 360), (640, 360), (320, 640))):
        await page.set_viewport_size({"width": width, "height": height})
        if found := await page.evaluate(_UNSEEN):
            wrong[pages.index(page), width] = found
    assert wrong == {}
