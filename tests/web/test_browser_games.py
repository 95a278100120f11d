"""Whole games on the real page: a real process, a real browser, two windows, typed moves and pressed buttons."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from rules.ayu import AYU
from rules.record import Record
from tests.web.process import PlayProcess
from tests.web.taps import game
from tests.web.windows import PHONE, Windows, messages, say

pytestmark = pytest.mark.asyncio(loop_scope="module")


def legal_moves(size: int, moves: list[str]) -> list[str]:
    """The legal moves after *moves*, in writing."""
    position = Record.replay(AYU, size, moves).position
    return [position.write(move) for move in position.legal_moves()]


async def newest(page: Page, text: str) -> Locator:
    """The newest message, once it says *text*."""
    last = messages(page).last
    await expect(last).to_contain_text(text, timeout=15_000)
    return last


async def press(page: Page, *labels: str | re.Pattern[str]) -> None:
    """Press the buttons one after the other, each on the newest message that offers it."""
    for label in labels:
        await page.locator(".entry.message").get_by_role("button", name=label, exact=True, disabled=False).last.click()


async def test_a_game_of_ayu_is_played_to_its_end_in_spanish_and_russian(played: PlayProcess, windows: Windows) -> None:
    record = game("ayu.ndjson.gz", 10053)
    ana = await windows.open(played.seats[0], locale="es-ES")
    bo = await windows.open(played.seats[1], PHONE, locale="ru-RU", color_scheme="dark")
    await ana.fill("#name", "Ana")
    await say(ana, "/challenge ayu 9 no-pie")
    await newest(bo, "Ayu 9×9")
    await bo.locator("#offers").get_by_role("button", name="Принять").click()
    await newest(ana, "Negras")
    await bo.click("#show-board")  # this game is played in the chat alone
    for ply, move in enumerate(record["moves"]):
        mover, other = (ana, bo) if ply % 2 == 0 else (bo, ana)
        origin, goal = move.split("-")
        yes = "Sí, jugar" if mover is ana else "Да, сделать ход"
        if ply < 4:
            # A stone with one move only: the move is shown, and asked about.
            known = [text for text in legal_moves(9, record["moves"][:ply]) if text.startswith(f"{origin}-")]
            await press(mover, "Jugar" if mover is ana else "Ходить", origin, goal if len(known) > 1 else yes)
        elif ply % 3 == 0:
            await say(mover, f"{origin.upper()} {goal}")
        else:
            await say(mover, f"/m {move}")
        await newest(other, move)
    last = await newest(ana, "gana")
    await expect(last).to_contain_text("no puede mover")
    assert record["outcome"]["winner"] == [2]
    await expect(last).to_contain_text("Blancas")
    await expect(last.locator("img")).to_be_visible()
    # Each reads the match in his own language.
    await expect(messages(bo).last).to_contain_text("побеждает")
    await press(bo, "Реванш")
    await newest(ana, "Ayu 9×9")


async def test_a_game_of_volo_with_a_clearing_is_played_to_its_end(played: PlayProcess, windows: Windows) -> None:
    record = game("volo.ndjson.gz", 7015)
    ana = await windows.open(played.seats[0], PHONE)
    bo = await windows.open(played.seats[1])
    await press_start(ana)
    await press(bo, "Accept")
    await newest(ana, "Orange")
    await ana.click("#show-board")
    for ply, move in enumerate(record["moves"]):
        mover, other = (ana, bo) if ply % 2 == 0 else (bo, ana)
        flight, _, kept = move.partition("/")
        if kept:
            await say(mover, flight)
            await newest(mover, "region")
            await press(mover, re.compile(rf"^\d: {kept} \(\d+\)$"))
        else:
            await say(mover, move.lower())
        await newest(other, move)
    await expect(await newest(bo, "wins")).to_contain_text("After the clearing")
    assert record["outcome"]["winner"] == [2]
    await expect(messages(bo).last).to_contain_text("Blue")


async def press_start(page: Page) -> None:
    """Start a game of Volo 6 with buttons alone."""
    await page.locator("#welcome").get_by_role("button", name="Play a friend on the other seat").click()
    await press(page, "Volo 6")
    await newest(page, "Volo 6")


async def test_a_killed_process_loses_nothing(played: PlayProcess, windows: Windows) -> None:
    windows.is_forgiving = True  # the browser says that the server is gone
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1])
    await say(ana, "/challenge ayu 9")
    await newest(bo, "Ayu 9×9")
    await press(bo, "Accept")
    await newest(ana, "to move")
    await say(ana, "b1b2")
    await newest(bo, "b1-b2")
    before = await messages(bo).all_inner_texts()
    links = played.seats
    played.kill()
    # Typed while nothing runs: it waits, and is played once there is somebody to play it.
    await say(bo, "a2a3")
    played.start()
    assert played.seats == links
    await newest(ana, "a2-a3")
    fresh = await windows.open(played.seats[1])
    await newest(fresh, "a2-a3")
    shown = await messages(fresh).all_inner_texts()
    assert [text.split("\n")[0] for text in shown[: len(before)]] == [text.split("\n")[0] for text in before]
    assert len(shown) == len(before) + 1
    await say(ana, "d1 d2")
    await newest(fresh, "d1-d2")
    assert played.stop() == 0
