"""People who play on the live board: what they tap, and the way they take by keys."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Page, expect

from rules import GAMES
from rules.board import Board
from rules.core import Move, Position
from rules.record import Record

VECTORS = Path(__file__).parents[1] / "data" / "vectors"


def game(file: str, seed: int) -> dict[str, Any]:
    """A recorded game."""
    with gzip.open(VECTORS / file, "rt", encoding="utf-8") as lines:
        found: dict[str, Any] = next(record for line in lines if (record := json.loads(line))["seed"] == seed)
    return found


def taps_of(key: str, record: dict[str, Any]) -> list[list[str]]:
    """For each move of a recorded game of *key* the cells that are tapped for it."""
    played = Record.replay(GAMES[key], record["size"], record["moves"])
    return [_taps(position, move) for position, move in zip(played.positions, played.moves, strict=False)]


def _taps(position: Position, move: Move) -> list[str]:
    change, board = position.change(move), position.board
    stays = [step.text for step in position.steps(move) if step.kind == "region"]
    if not change.moved:
        return list(change.added)
    birds, goals = zip(*change.moved, strict=True)
    if len(birds) == 1:
        return [birds[0], goals[0], *stays]
    return [birds[0], birds[-1], _shown_goal(board, birds, goals), *stays]


def _shown_goal(board: Board, birds: Sequence[str], goals: Sequence[str]) -> str:
    """Where a line's goal is marked: the foremost bird's in file, else that of the end that was tapped last."""
    (x0, y0), (x1, y1), (gx, gy) = board.xy(birds[0]), board.xy(birds[-1]), board.xy(goals[0])
    if abs((x1 - x0) * (gy - y0) - (y1 - y0) * (gx - x0)) > 0.01:
        return goals[-1]
    return goals[-1] if (x1 - x0) * (gx - x0) + (y1 - y0) * (gy - y0) > 0 else goals[0]


def cell(page: Page, name: str) -> Locator:
    """A cell of the live board."""
    return page.locator(f"[data-cell={name}]")


async def turn(page: Page) -> None:
    """Return when it is this window's turn."""
    await expect(page.locator(".told")).to_have_class("told mine", timeout=15_000)


async def tap(page: Page, cells: Sequence[str]) -> None:
    """Tap one cell after the other, with a finger where the window has one."""
    fingers = await page.evaluate("navigator.maxTouchPoints > 0")
    for name in cells:
        # A region that is to be named is asked for by the server.
        if name is cells[-1] and len(cells) > 2 and await page.locator(".open").count() == 0:
            await expect(page.locator(".badge").first).to_be_attached()
        await (cell(page, name).tap() if fingers else cell(page, name).click())


async def walk(page: Page, board: Board, cells: Sequence[str]) -> None:
    """Go from cell to cell with the arrows, and press Enter on each; the focus is on the board."""
    for name in cells:
        for _ in range(100):
            at = await page.locator(".cell:focus").get_attribute("data-cell")
            assert at is not None
            if at == name:
                break
            (x, y), (to_x, to_y) = board.xy(at), board.xy(name)
            if abs(to_y - y) > 0.1:
                await page.keyboard.press("ArrowDown" if to_y > y else "ArrowUp")
            else:
                await page.keyboard.press("ArrowRight" if to_x > x else "ArrowLeft")
        await expect(cell(page, name)).to_be_focused()
        await page.keyboard.press("Enter")
