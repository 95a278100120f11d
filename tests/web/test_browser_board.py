"""The live board on the real page: a real process, real browsers, fingers, keys and a mouse."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from bot.texts import LANGUAGES
from rules import GAMES
from rules.board import Board
from tests.bot.table import sentence
from tests.web.looks import look
from tests.web.process import PlayProcess
from tests.web.site import HOSTILE, words
from tests.web.taps import cell, game, tap, taps_of, turn, walk
from tests.web.windows import DESK, PHONE, Windows, messages, say

pytestmark = pytest.mark.asyncio(loop_scope="module")


def opening(key: str, size: int) -> Board:
    """The empty board."""
    return GAMES[key].opening(size).board


async def begin(first: Page, second: Page, wanted: str) -> None:
    """A match of the two, begun by the board's own button."""
    await say(first, f"/challenge {wanted}")
    await second.locator("#offers").get_by_role("button", name=re.compile("Accept|Aceptar|Принять")).click()
    await turn(first)


async def test_a_game_of_ayu_with_fingers_against_one_with_keys(played: PlayProcess, windows: Windows) -> None:
    record = game("ayu.ndjson.gz", 10053)
    ana = await windows.open(played.seats[0], PHONE, has_touch=True)
    bo = await windows.open(played.seats[1], DESK, locale="ru-RU", color_scheme="dark")
    await begin(ana, bo, "ayu 9 nopie")
    await bo.locator("#field [tabindex='0']").focus()
    for ply, cells in enumerate(taps_of("ayu", record)):
        if ply % 2 == 0:
            await turn(ana)
            await tap(ana, cells)
        else:
            await turn(bo)
            await walk(bo, opening("ayu", 9), cells)
    for page in (ana, bo):
        await expect(page.locator("#card-2")).to_have_attribute("data-state", "won")
    assert record["outcome"]["winner"] == [2]
    assert await bo.locator(".piece").count() == await ana.locator(".piece").count()
    await expect(bo.locator("#moment-label")).to_have_text(re.compile(f"^{len(record['moves'])}/"))


async def test_a_clearing_of_volo_with_fingers_and_with_keys(played: PlayProcess, windows: Windows) -> None:
    record = game("volo.ndjson.gz", 7015)
    ana = await windows.open(played.seats[0], PHONE, has_touch=True, locale="es-ES", color_scheme="dark")
    bo = await windows.open(played.seats[1], DESK, reduced_motion="reduce")
    await begin(bo, ana, "volo 6")
    await bo.locator("#field [tabindex='0']").focus()
    for ply, cells in enumerate(taps_of("volo", record)):
        if ply % 2 == 0:
            await turn(bo)
            await walk(bo, opening("volo", 6), cells[:2])
            if len(cells) > 2:
                await expect(bo.locator(".badge")).not_to_have_count(0)
                await walk(bo, opening("volo", 6), cells[2:])
        else:
            await turn(ana)
            await tap(ana, cells)
    assert any("/" in move for move in record["moves"])
    await expect(bo.locator("#card-2")).to_have_attribute("data-state", "won")
    await expect(ana.locator("#card-2 .card-name")).to_have_text(words("es")["page.player"].format(n=1))


@pytest.mark.parametrize(("locale", "viewport"), [("en-US", PHONE), ("es-ES", DESK), ("ru-RU", PHONE)])
async def test_a_tap_that_is_no_move_says_why(
    played: PlayProcess, windows: Windows, locale: str, viewport: dict[str, int]
) -> None:
    ana = await windows.open(played.seats[0], viewport, locale=locale)
    bo = await windows.open(played.seats[1], locale=locale)
    await begin(ana, bo, "ayu 9 nopie")
    said = ana.locator("#said")
    language = locale[:2]
    foreign = sentence("refusal.not-yours", language, cells="a2")
    far = sentence("refusal.not-adjacent", language, cells="b1, e5")
    await cell(ana, "a2").click()
    await expect(said).to_have_text(foreign)
    await cell(ana, "b1").click()
    await expect(cell(ana, "b1")).to_have_attribute("aria-label", re.compile(words(language)["page.point_chosen"][8:]))
    await cell(ana, "e5").click()
    await expect(said).to_contain_text(far)
    await expect(ana.locator(".goal-dot")).to_have_count(2)  # it is still chosen
    await ana.keyboard.press("Escape")
    await expect(ana.locator(".goal-dot")).to_have_count(0)
    await cell(bo, "a2").click()
    await expect(bo.locator(".told")).to_have_class(re.compile("warned"))
    # Nobody reads of it in the chat.
    await expect(messages(ana)).to_have_count(2)


async def test_a_move_that_is_to_be_confirmed_waits_for_a_second_tap(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1])
    await say(ana, "/settings confirm on")
    await begin(ana, bo, "ayu 9 nopie")
    await tap(ana, ["b1", "b2"])
    await expect(ana.locator("#said")).to_contain_text("b1-b2")
    await ana.get_by_role("button", name=words("en")["page.undo"], exact=True).click()
    await expect(ana.locator("#moment-label")).to_have_text("0/0")
    await tap(ana, ["d1", "d2"])
    await expect(cell(ana, "d2")).to_have_attribute("aria-label", re.compile("can be reached"))
    await tap(ana, ["d2"])
    await turn(bo)
    await expect(bo.locator("#moment-label")).to_have_text("1/1 d1-d2")


async def test_a_piece_can_be_dragged_and_the_board_turned(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1])
    await begin(ana, bo, "ayu 9 nopie")
    await cell(ana, "b1").drag_to(cell(ana, "b2"))
    await turn(bo)
    await expect(ana.locator("#moment-label")).to_have_text("1/1 b1-b2")
    before = await cell(bo, "a2").bounding_box()
    await bo.get_by_role("button", name=words("en")["page.turn"]).click()
    after = await cell(bo, "a2").bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] < before["y"]
    assert after["x"] > before["x"]
    await tap(bo, ["a2", "a3"])
    await turn(ana)
    await bo.reload()
    again = await cell(bo, "a2").bounding_box()
    assert again == after


async def test_earlier_moves_can_be_looked_at_while_the_game_goes_on(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1], PHONE)
    await begin(ana, bo, "ayu 9 nopie")
    for ply, cells in enumerate((["b1", "b2"], ["a2", "a3"], ["d1", "d2"])):
        mover = (ana, bo)[ply % 2]
        await turn(mover)
        await tap(mover, cells)
    await turn(bo)
    await ana.locator("#moment").fill("1")
    await expect(ana.locator("#moment-label")).to_have_text("1/3 b1-b2")
    await expect(cell(ana, "a2")).to_have_attribute("aria-label", re.compile("white stone"))
    await cell(ana, "d1").click()
    await expect(ana.locator("#said")).to_have_text(words("en")["page.past"])
    await tap(bo, ["c2", "c3"])
    await expect(ana.locator("#moment-label")).to_have_text("1/4 b1-b2")
    await ana.get_by_role("button", name=words("en")["page.after"]).click()
    await expect(ana.locator("#moment-label")).to_have_text("2/4 a2-a3")
    await ana.locator("#moment").fill("4")
    await turn(ana)
    await tap(ana, ["f1", "f2"])
    await turn(bo)


async def test_of_several_matches_one_is_chosen_and_what_is_typed_is_meant_for_it(
    played: PlayProcess, windows: Windows
) -> None:
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1])
    await begin(ana, bo, "ayu 9 nopie")
    await say(ana, "/challenge volo 6")
    await expect(bo.locator("#which option")).to_have_count(2)
    # It is not Bo's turn in the first one: the new challenge is shown.
    await expect(bo.locator("#board")).to_have_attribute("data-looks", "volo")
    await bo.locator("#offers .primary").click()
    await expect(ana.locator("#which option")).to_have_text([re.compile("● Volo"), re.compile("● Ayu")])
    await ana.locator("#which").select_option(index=1)
    await expect(ana.locator("#board")).to_have_attribute("data-looks", "ayu")
    await ana.fill("#text", "b1")
    await expect(ana.locator("#suggestions li")).to_have_text(["b1-b2", "b1-c1"])
    await ana.press("#text", "ArrowDown")
    await ana.press("#text", "Enter")
    await ana.press("#text", "Enter")
    await expect(ana.locator("#moment-label")).to_have_text("1/1 b1-b2")
    await ana.locator("#which").select_option(index=1)
    await expect(ana.locator("#board")).to_have_attribute("data-looks", "volo")
    # A challenge is accepted and a move made where that can be meant, though another match is shown.
    await say(bo, "/challenge volo 6")
    await expect(ana.locator("#which option")).to_have_count(3)
    ayu = await ana.locator("#which option", has_text="Ayu").get_attribute("value")
    await ana.locator("#which").select_option(ayu)
    await expect(ana.locator("#board")).to_have_attribute("data-looks", "ayu")
    await say(ana, "/accept")
    await expect(bo.locator("#which option")).to_have_count(3)
    await turn(bo)


async def test_each_is_led_to_his_own_matches_and_to_no_others(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0], PHONE)
    bo = await windows.open(played.seats[1])
    await begin(ana, bo, "ayu 9 nopie")
    await say(ana, "b1-b2")
    await turn(bo)
    # He has something to do there, but has just begun another match: that one is shown, and meant.
    await say(bo, "/challenge volo 7 computer 1 nopie")
    await expect(bo.locator("#board")).to_have_attribute("data-looks", "volo")
    await turn(bo)
    await say(bo, "/hint")
    await expect(bo.locator("#entries .message.private").last).to_contain_text(re.compile("Volo|Hint"))
    # She does not play in it. If she looks at it all the same, she is led back when it is her turn, not before.
    await expect(ana.locator("#which option")).to_have_count(2)
    await expect(ana.locator("#board")).to_have_attribute("data-looks", "ayu")
    await ana.locator("#which").select_option(index=0)
    await expect(ana.locator("#board")).to_have_attribute("data-looks", "volo")
    ayu = await bo.locator("#which option", has_text="Ayu").get_attribute("value")
    await say(bo, f"a2-a3 {ayu}")
    await expect(ana.locator("#board")).to_have_attribute("data-looks", "ayu")
    await turn(ana)
    assert await ana.locator("#which").input_value() == ayu


async def test_a_kill_between_two_taps_loses_and_doubles_nothing(played: PlayProcess, windows: Windows) -> None:
    windows.is_forgiving = True  # the browser says that the server is gone
    ana = await windows.open(played.seats[0], PHONE)
    bo = await windows.open(played.seats[1])
    await begin(ana, bo, "ayu 9 nopie")
    await cell(ana, "b1").click()
    played.kill()
    await cell(ana, "b2").click()
    await expect(ana.locator("#state")).to_have_attribute("data-state", "lost")
    played.start()
    await turn(bo)
    await expect(ana.locator("#moment-label")).to_have_text("1/1 b1-b2")
    await cell(bo, "a2").click()
    played.kill()
    played.start()
    await bo.reload()
    await expect(bo.locator("#moment-label")).to_have_text("1/1 b1-b2")
    await tap(bo, ["a2", "a3"])
    await turn(ana)
    await ana.reload()
    await expect(ana.locator("#moment-label")).to_have_text("2/2 a2-a3")


async def test_the_language_is_the_readers_own_wherever_he_chooses_it(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0])
    bo = await windows.open(played.seats[1])
    await begin(ana, bo, "ayu 9 nopie")
    for language in (*LANGUAGES[1:], LANGUAGES[0]):
        await ana.get_by_role("radio", name=words(language)["page.language_name"]).check()
        await expect(ana.locator("html")).to_have_attribute("lang", language)
        await expect(cell(ana, "b1")).to_have_attribute("aria-label", re.compile(words(language)["page.piece_black"]))
        await expect(ana.locator("#said")).to_contain_text(sentence("side.ayu.1", language))
    await expect(bo.locator("html")).to_have_attribute("lang", "en")
    await say(ana, "/settings my-language es")
    await expect(ana.locator("html")).to_have_attribute("lang", "es")
    await expect(ana.get_by_role("radio", name="Español")).to_be_checked()
    # Another browser on the same seat knows it too.
    again = await windows.open(played.seats[0], PHONE, locale="ru-RU")
    await expect(again.locator("html")).to_have_attribute("lang", "es")
    await tap(ana, ["b1", "b2"])
    await expect(messages(bo).last).to_contain_text("plays")


async def test_a_hostile_name_stays_a_name_on_the_board(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0], PHONE)
    bo = await windows.open(played.seats[1])
    await ana.click("#open-panel")
    await ana.fill("#name", HOSTILE[:40])
    await ana.keyboard.press("Escape")
    await bo.fill("#name", "\u202e</script>'\"&lt;b>")
    await begin(ana, bo, "volo 6")
    await expect(ana.locator("#card-1 .card-name")).to_contain_text("<img src=x")
    await expect(ana.locator("#card-2 .card-name")).to_contain_text("</script>")
    assert await ana.locator("#board img, #board b").count() == 0
    assert await ana.title() == "Bandada"
    assert await ana.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_board_can_be_read_named_and_seen(
    played: PlayProcess, windows: Windows, viewport: dict[str, int], scheme: str
) -> None:
    ana = await windows.open(played.seats[0], viewport, color_scheme=scheme, locale="ru-RU", reduced_motion="reduce")
    bo = await windows.open(played.seats[1])
    seen = []
    for wanted in ("ayu 9 nopie", "volo 6"):
        await begin(ana, bo, wanted)
        await ana.locator("#hints").click()
        seen.append(await look(ana))
        await ana.locator("#offers summary").click()
        seen.append(await look(ana))
        await bo.locator("#offers summary").click()
        await bo.locator("#offers .danger").click()
        await bo.get_by_role("button", name="Yes, resign").click()
        await expect(ana.locator("#card-1")).to_have_attribute("data-state", "won")
        # The live board is quicker than the chat: the next match's question must not be taken for this one's.
        await expect(bo.get_by_role("button", name="Yes, resign")).to_have_count(0)
        seen.append(await look(ana))
    for one in seen:
        assert (one["pale"], one["nameless"], one["small"], one["wide"]) == ([], [], [], 0)
    assert sum(one["controls"] for one in seen) > 400
    target = ana.locator("#field [tabindex='0']")
    await target.focus()
    await ana.keyboard.press("ArrowRight")
    ring = ana.locator(".cell:focus-visible .focus")
    assert await ring.evaluate("ring => getComputedStyle(ring).stroke") != "none"


async def test_the_computer_takes_the_other_seat(played: PlayProcess, windows: Windows) -> None:
    ana = await windows.open(played.seats[0], PHONE)
    await ana.locator("#welcome").get_by_role("button", name=words("en")["page.start_computer"]).click()
    await messages(ana).last.get_by_role("button", name="Ayu 9×9").click()
    await messages(ana).last.get_by_role("button", name=re.compile("^1 · ")).click()
    await turn(ana)
    await tap(ana, ["b1", "b2"])
    # It makes its move, or swaps the sides.
    await expect(ana.locator("#moment-label")).to_have_text(re.compile("^[12]/[12] "))
    await expect(ana.locator(".told.mine")).to_be_visible(timeout=60_000)
