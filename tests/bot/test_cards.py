"""The players' cards of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.boards import Boards
from bot.texts import LANGUAGES, Texts
from renderers.png import Renderer
from rules import GAMES
from rules.actions import Accept, PersonId
from rules.core import Side
from rules.match import apply, challenge
from storage.base import MatchId, StoredMatch
from tests.bot.table import sentence

ANA, BO = PersonId("telegram:1"), PersonId("telegram:2")
UNDRAWABLE = "\U00012000\U00012001\U00012002"
"""A name in cuneiform, for which there is no font."""


def named(game: str, first: str, second: str) -> StoredMatch:
    match, _ = apply(challenge(GAMES[game], GAMES[game].default_size, ANA, 0), Accept(BO), 0)
    return StoredMatch(MatchId("kfwt"), 1, match, (), ((ANA, first), (BO, second)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_who_has_a_name_that_cannot_be_drawn_is_called_by_the_side(game: str, language: str) -> None:
    boards, stored = Boards(Texts.load()), named(game, UNDRAWABLE, "Бо")
    scene = boards.scene(language, stored, "light", stored.match.record)
    assert scene.cards[0].name == UNDRAWABLE
    assert [card.fallback for card in scene.cards] == [sentence(f"side.{game}.{side}", language) for side in (1, 2)]
    renderer = Renderer(font_directories=())
    by_side = replace(scene, cards=(replace(scene.cards[0], name=scene.cards[0].fallback), scene.cards[1]))
    assert renderer.draw(scene, 400) == renderer.draw(by_side, 400)


def test_a_swap_changes_who_sits_where_and_not_what_the_sides_are_called() -> None:
    boards, stored = Boards(Texts.load()), named("ayu", "Ana", "Бо")
    swapped = replace(stored, match=replace(stored.match, swapped=True))
    cards = boards.scene("en", swapped, "light", swapped.match.record).cards
    assert [(card.name, card.fallback) for card in cards] == [("Бо", "Black"), ("Ana", "White")]
    assert swapped.match.person_at(Side.FIRST) == BO
