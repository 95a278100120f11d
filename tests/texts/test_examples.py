"""What the texts promise holds: examples can be typed, directions are understood, card lines fit the card."""

from __future__ import annotations

import contextlib
import re
from itertools import pairwise

import pytest

from bot.texts import LANGUAGES, Texts
from renderers.cache import ByteCache
from renderers.fontbook import FontBook
from renderers.labels import Label, Labels
from rules import GAMES
from rules.core import IllegalMoveError, Position
from rules.notation import PASS_WORDS
from rules.volo_text import readings
from tests.texts.catalogs import entries

LINE_ROOM = 348
"""Pixels of a line on a card, `renderers.cards`, in a picture 1,000 pixels wide."""

SMALLEST = 22
"""The smallest size in which it is drawn."""


@pytest.fixture(scope="module")
def texts() -> Texts:
    return Texts.load()


@pytest.fixture(scope="module")
def labels() -> Labels:
    cache = ByteCache(1 << 22)
    return Labels(FontBook(cache), cache)


def is_understood(position: Position, text: str) -> bool:
    """True if *text* is a move, though perhaps none that is legal in *position*; raises if it is none."""
    with contextlib.suppress(IllegalMoveError):
        position.read(text)
    return True


def examples(language: str, key: str) -> list[str]:
    return re.findall(r"`([^`]+)`", entries(language)[key].forms[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
def test_examples_of_typing_are_moves(language: str, game: str) -> None:
    opening = GAMES[game].opening(GAMES[game].default_size)
    shown = examples(language, f"rules.{game}.typing")
    assert shown
    assert all(is_understood(opening, text) for text in shown)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["help.moves", "notice.not-understood", "refusal.not-notation"])
def test_first_examples_are_one_move_of_each_game(language: str, key: str) -> None:
    ayu, volo, *more_volo = examples(language, key)
    assert is_understood(GAMES["ayu"].opening(9), ayu)
    assert all(is_understood(GAMES["volo"].opening(7), text) for text in (volo, *more_volo))


def test_the_first_example_can_be_played_at_once() -> None:
    (example,) = examples("en", "rules.ayu.typing")
    for size in GAMES["ayu"].sizes:
        opening = GAMES["ayu"].opening(size)
        assert opening.is_legal(opening.read(example))


@pytest.mark.parametrize("language", LANGUAGES)
def test_directions_in_the_texts_are_understood(language: str) -> None:
    """The language's own stand first, in the order of the English ones that the bot writes."""
    _, directions = re.split(r"(?:Direc|Направ)\w+:", entries(language)["rules.volo.typing"].words[0])
    named = re.findall(r"(?<!\w)(?:[NS]?[EWO]|[СЮ]?[ВЗ])(?!\w)", directions)
    english = ["E", "W", "NE", "NW", "SE", "SW"]
    assert named[-6:] == english
    assert len(named) == (6 if language == "en" else 12)
    for own, meant in zip(named, english, strict=False):
        assert meant in {reading.direction for reading in readings(f"d4-{own}2")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_on_the_button_can_be_typed_to_pass(texts: Texts, language: str) -> None:
    assert texts.plain(language, "button.pass").lower() in PASS_WORDS


def drawn(labels: Labels, line: str, room: int) -> Label:
    return labels.line(line, [SMALLEST], room)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["card.to-move", "card.won", "card.drawn"])
@pytest.mark.parametrize(
    "counts",
    [
        pytest.param({"count.ayu.groups": 90}, id="ayu"),
        pytest.param({"count.volo.groups": 9, "count.volo.pieces": 29}, id="volo"),
    ],
)
def test_lines_fit_their_card(texts: Texts, labels: Labels, language: str, key: str, counts: dict[str, int]) -> None:
    said = " · ".join(texts.plain(language, part, n=n) for part, n in counts.items())
    line = texts.plain(language, key, counts=said)
    assert drawn(labels, line, LINE_ROOM).width == drawn(labels, line, 10 * LINE_ROOM).width, f"{line} is cut"


def test_the_measure_of_lines_can_fail(labels: Labels) -> None:
    widths = [drawn(labels, "x" * count, LINE_ROOM).width for count in (5, 10, 20, 40, 80)]
    assert [one < other for one, other in pairwise(widths)] == [True, True, True, False]
