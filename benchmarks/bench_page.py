"""The page in a real browser: how soon the first board is there, and a tap's way into the other window.

Measured inside the pages, by the browser's own clock: from the start of the navigation until the board has been
painted; from the click on the goal until the other window's board shows the move and has been painted.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Final

from playwright.async_api import Browser, Page, async_playwright

from benchmarks.machine import slowness
from rules import GAMES
from rules.record import Record
from storage.embedded import stop_server
from tests.web.process import PlayProcess
from tests.web.windows import OPTIONS

OPENED: Final = 15
MOVES: Final = 40
GAMES_PLAYED: Final = (("ayu", 11), ("volo", 7))

_WATCH: Final = """
  const seen = (name) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => (window.bench[name] = performance.timeOrigin + performance.now());
    channel.port2.postMessage(0);
  });
  window.bench = { start: performance.timeOrigin };
  new MutationObserver(() => {
    if (!window.bench.board && document.querySelector("#board:not([hidden]) .piece")) seen("board");
    const label = document.getElementById("moment-label")?.textContent ?? "";
    if (label !== window.bench.label) {
      window.bench.label = label;
      seen(label);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  addEventListener("click", () => (window.bench.click = performance.timeOrigin + performance.now()), true);
"""


async def _number(page: Page, name: str) -> float:
    """The time that was noted as *name*, in milliseconds, once it was."""
    while True:
        value: float | None = await page.evaluate("name => window.bench?.[name] ?? null", name)
        if value is not None:
            return value
        await asyncio.sleep(0.005)


async def _window(browser: Browser, url: str) -> Page:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-US")
    await context.add_init_script(_WATCH)
    page = await context.new_page()
    await page.goto(url)
    return page


def _line(what: str, milliseconds: list[float], promised: int) -> None:
    median, worst = statistics.median(milliseconds), max(milliseconds)
    print(
        f"{what}: median {median:.0f} ms, longest {worst:.0f} ms of {len(milliseconds)} "
        f"(promised {promised}; on the reference machine about {median / slowness():.0f})"
    )


async def _begin(pages: list[Page], game: str, size: int) -> None:
    await pages[0].fill("#text", f"/challenge {game} {size} {'nopie' if GAMES[game].has_pie else ''}")
    await pages[0].press("#text", "Escape")
    await pages[0].press("#text", "Enter")
    await pages[1].locator("#offers").get_by_role("button", name="Accept").click()
    await pages[0].wait_for_selector(".told.mine")


async def _play(pages: list[Page], game: str, size: int, rng: random.Random) -> list[float]:
    """How long each of some moves took into the other window."""
    record, took = Record.opening(GAMES[game], size), []
    for ply in range(MOVES):
        moves = [move for move in record.position.legal_moves() if "/" not in record.position.write(move)]
        short = [move for move in moves if len(record.position.change(move).moved) <= 1]
        if record.outcome is not None or not short:
            break
        move = rng.choice(short)
        change, text = record.position.change(move), record.position.write(move)
        mover, other = pages[ply % 2], pages[1 - ply % 2]
        await mover.wait_for_selector(".told.mine")
        for cell in (*(cell for pair in change.moved for cell in pair), *change.added):
            await mover.click(f"[data-cell={cell}]")
        shown = await _number(other, f"{ply + 1}/{ply + 1} {text}")
        took.append(shown - await _number(mover, "click"))
        record = record.play(move)
    return took


async def _measure(seats: tuple[str, str], game: str, size: int) -> None:
    async with async_playwright() as playwright:
        names = ("chromium", "chromium-browser", "google-chrome")
        path = next(found for name in names if (found := shutil.which(name)))
        browser = await playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        pages = [await _window(browser, seat) for seat in seats]
        await _begin(pages, game, size)
        _line(f"{game} {size}: tap -> the other window's board", await _play(pages, game, size, random.Random(5)), 150)
        opened = []
        for _ in range(OPENED):
            page = await _window(browser, seats[0])
            opened.append(await _number(page, "board") - await _number(page, "start"))
            await page.context.close()
        _line(f"{game} {size}: first board after the page is opened", opened, 300)
        await browser.close()


def main() -> None:
    """Print the medians."""
    for game, size in GAMES_PLAYED:
        folder = Path(tempfile.mkdtemp(prefix="bandada-bench-"))
        process = PlayProcess(folder)
        try:
            asyncio.run(_measure(process.start(), game, size))
        finally:
            process.close()
            stop_server(folder)
            shutil.rmtree(folder, ignore_errors=True)
