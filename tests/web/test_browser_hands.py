"""Fingers on the live board: a line of birds that is taken by both ends, and two fingers that zoom."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Locator, Page, expect

from tests.web.process import PlayProcess
from tests.web.site import words
from tests.web.taps import cell, tap, turn
from tests.web.windows import PHONE, Windows, say

pytestmark = pytest.mark.asyncio(loop_scope="module")

TYPED = ("f8", "h5", "g12-W3", "h5-SE6")
LINE = ("f8", "g9")
GOALS = ("l3", "m3")
FLOWN = "f8:g9-NW6"


def naming(key: str) -> re.Pattern[str]:
    """Names of points that say so."""
    parts = re.split(r"\{\w+\}", words("en")[key])
    return re.compile(".*".join(map(re.escape, parts)))


async def place(thing: Locator) -> tuple[float, float, float]:
    """The middle of what is shown, and its width, in CSS pixels."""
    box = await thing.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]


@pytest.mark.parametrize("ends", [LINE, LINE[::-1]], ids="-".join)
async def test_a_line_flies_when_both_its_ends_and_its_goal_are_tapped(
    played: PlayProcess, windows: Windows, ends: tuple[str, str]
) -> None:
    ana = await windows.open(played.seats[0], PHONE, has_touch=True)
    bo = await windows.open(played.seats[1])
    await say(ana, "/challenge volo 7 @player2")
    await bo.locator("#offers .primary").click()
    for ply, move in enumerate(TYPED):
        mover = (ana, bo)[ply % 2]
        await turn(mover)
        await say(mover, move)
    await turn(ana)
    await tap(ana, ends[:1])
    # One bird is chosen; the other end of its line is offered.
    await expect(cell(ana, ends[1])).to_have_attribute("aria-label", naming("page.point_end"))
    await tap(ana, ends[1:])
    for bird in LINE:
        await expect(cell(ana, bird)).to_have_attribute("aria-label", naming("page.point_chosen"))
    # It flies side by side: the goal is marked where the end goes that was tapped last.
    await expect(ana.locator(".cell.open")).to_have_count(1)
    await tap(ana, [GOALS[LINE.index(ends[1])]])
    await turn(bo)
    for page in (ana, bo):
        await expect(page.locator("#moment-label")).to_have_text(f"5/5 {FLOWN}")
        for bird in GOALS:
            await expect(cell(page, bird)).to_have_attribute("aria-label", naming("page.piece_orange"))
        for bird in LINE:
            await expect(cell(page, bird)).to_have_attribute("aria-label", naming("page.point_empty"))


async def pinch(page: Page, middle: tuple[float, float], spans: tuple[float, float]) -> None:
    """Put two fingers around *middle* on the glass, and move them from the first of *spans* apart to the second."""
    fingers = await page.context.new_cdp_session(page)
    (x, y), (first, last) = middle, spans
    for step in range(9):
        half = (first + (last - first) * step / 8) / 2
        points = [{"x": x - half, "y": y, "id": 1}, {"x": x + half, "y": y, "id": 2}]
        kind = "touchMove" if step else "touchStart"
        await fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    await fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    await fingers.detach()


async def test_two_fingers_zoom_the_board_where_they_are(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0], PHONE, has_touch=True, is_mobile=True)
    bo = await windows.open(played.seats[1])
    await say(ana, "/challenge ayu 9 nopie @player2")
    await bo.locator("#offers .primary").click()
    await turn(ana)
    stone = cell(ana, "c3").locator(".hit")
    closer, farther = ana.locator("#closer"), ana.locator("#farther")
    await expect(farther).to_be_disabled()
    x, y, width = await place(stone)
    await pinch(ana, (x, y), (60, 120))
    zoomed_x, zoomed_y, zoomed = await place(stone)
    assert zoomed == pytest.approx(2 * width, rel=0.05)
    # What was between the fingers is there still; the page around the board is as large as before.
    assert [zoomed_x, zoomed_y] == pytest.approx([x, y], abs=12)
    assert await ana.evaluate("[visualViewport.scale, document.documentElement.scrollWidth]") == [1, PHONE["width"]]
    await expect(farther).to_be_enabled()
    # Two fingers choose nothing, and one finger plays on the zoomed board.
    await expect(ana.locator(".goal-dot")).to_have_count(0)
    await tap(ana, ["d1", "d2"])
    await turn(bo)
    # Closer than can be, and back again.
    await pinch(ana, (x, y), (40, 320))
    assert (await place(stone))[2] == pytest.approx(3 * width, rel=0.05)
    await expect(closer).to_be_disabled()
    await pinch(ana, (x, y), (320, 40))
    assert (await place(stone))[2] == pytest.approx(width, rel=0.05)
    await expect(farther).to_be_disabled()
