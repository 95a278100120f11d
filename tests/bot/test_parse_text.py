"""Moves, chatter and anything at all typed without a command, or typed wrongly."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot import payload
from bot.messages import (
    Challenge,
    Command,
    Help,
    Move,
    NotUnderstood,
    NotYet,
    Pass,
    Person,
    ShowBoard,
    Silence,
    Swap,
)
from bot.parse import COMMANDS, RESERVED, parse
from storage.base import MatchId
from tests.bot.typed import ANA, BO, HEADING, ID, OTHER_ID, TYPED, typed

# ---- text without a command ------------------------------------------------------------------------------------------

FREE: Final[dict[str, Move | Swap | Pass]] = {
    "b1b2": Move("b1b2", typed=True),
    "B1 – B2": Move("B1 – B2", typed=True),
    "в1→в2": Move("в1→в2", typed=True),
    "  c7\n": Move("c7", typed=True),
    "a2:a4\n-d5": Move("a2:a4 -d5", typed=True),
    "a3-ne2/b1": Move("a3-ne2/b1", typed=True),
    "b1b2 kfwt": Move("b1b2", ID, typed=True),
    "#kfwt b1b2": Move("b1b2", ID, typed=True),
    "b1 KFWT b2": Move("b1 b2", ID, typed=True),
    "swap": Swap(),
    "Cambio": Swap(),
    "обмен": Swap(),
    "swap kfwt": Swap(ID),
    "pass": Pass(),
    "PASAR": Pass(),
    "Пропустить ход": Pass(),
    "#kfwt пас": Pass(ID),
}
CHATTER: Final = [
    "", "   ", "hello", "good game!", "kfwt", "#kfwt", "¿jugamos?", "/", "/ move", "//move", "👍", "!move",
    "one two b1 " * 5,
    "b1" * 101, "pass it on", "/ñ/", "😀" * 30,
]  # fmt: skip


@pytest.mark.parametrize("text", FREE)
def test_free_text(text: str) -> None:
    expected = FREE[text]
    assert typed(text) == expected
    assert typed(text, addressed=False) == Silence()
    about = expected if expected.match else replace(expected, match=ID)
    for addressed in (True, False):
        assert typed(text, quoted=HEADING, addressed=addressed) == about


@pytest.mark.parametrize("text", CHATTER)
def test_chatter(text: str) -> None:
    for quoted in ("", HEADING):
        assert typed(text, quoted=quoted) == NotUnderstood(text.strip()[:200])
        assert typed(text, quoted=quoted, addressed=False) == Silence()


@pytest.mark.parametrize(
    ("text", "is_move"),
    [
        ("b1" * 100, True),
        ("b1" * 100 + "-", False),
        ("b1 " * 12, True),
        ("b1 " * 13, False),
        ("b1 " * 11 + "kfwt", True),
    ],
)
def test_how_long_a_move_may_be(text: str, is_move: bool) -> None:
    assert isinstance(typed(text), Move) == is_move


@pytest.mark.parametrize(
    ("text", "addressed"),
    [("/move b1-b2", Move("b1-b2")), ("/top", NotYet("top")), ("/colour", Silence()), ("/help", Help())],
)
def test_commands_of_groups(text: str, addressed: Command) -> None:
    """A platform shows commands to its bots even where nobody speaks to them: unknown ones are another bot's."""
    assert typed(text, addressed=False) == addressed


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ("#kfwt", ID),
        ("Ayu · #kfwt.", ID),
        # The heading comes last: whoever is called #kfwt names no match.
        ("#ana #kfwt #bcdf", OTHER_ID),
        ("#kfwt plays c7.\nVolo 7 · #bcdf", OTHER_ID),
        ("see #hello or\n#bcdf", OTHER_ID),
        ("#kfwtbcdfghjk", MatchId("kfwtbcdfghjk")),
        ("kfwt", None),
        ("# kfwt", None),
        ("#kfw", None),
        ("#KFWT", None),
        ("#kfwtbcdfghjkl", None),
        ("#kfwt9", None),
        ("#kfwt_", None),
        ("", None),
    ],
)
def test_the_match_of_a_quoted_message(quoted: str, expected: MatchId | None) -> None:
    assert typed("/board", quoted=quoted) == ShowBoard(expected)


# ---- buttons ---------------------------------------------------------------------------------------------------------


def test_a_button_is_its_payload_whatever_is_beside_it() -> None:
    pressed = replace(TYPED, payload=payload.encode(Move("b1-b2", ID, 3)), text="/help", quoted="#bcdf")
    for addressed in (True, False):
        assert parse(replace(pressed, addressed=addressed)) == Move("b1-b2", ID, 3)
    assert parse(replace(TYPED, payload="?")) == NotUnderstood("?", button=True)


# ---- any text at all -------------------------------------------------------------------------------------------------

WORDS: Final = st.sampled_from(
    [
        *(f"/{name}" for name in (*COMMANDS, *sorted(RESERVED), "m@bot")), "ayu", "volo", "11", "11x11", "9х9",
        "3", "computer", "pie",
        "no", "без", "@ana", "@ñ", "@", "kfwt", "#kfwt", "b1", "b1-b2", "a2:a4", "NE2", "/a5", "pass", "swap",
        "yes", "language", "block",
        "on", "\u0661\u0661", "²", "ß", "\ud800", "\x00", "\u202e", "İ", "|", "%",
    ]
)  # fmt: skip
TEXTS: Final = st.one_of(
    st.text(st.characters(exclude_categories=())),
    st.builds(lambda word, rest: word + rest, WORDS, st.text(st.characters(exclude_categories=()), max_size=30)),
    st.lists(WORDS, max_size=8).map(" ".join),
)
COMMAND_TYPES: Final = get_args(Command)


@given(
    text=TEXTS,
    quoted=st.one_of(st.just(HEADING), TEXTS),
    mentions=st.sampled_from([(), (BO,), (BO, ANA)]),
    addressed=st.booleans(),
)
@example(text="/challenge \u0661\u0661", quoted="", mentions=(), addressed=True)
def test_any_text_gives_a_command(text: str, quoted: str, mentions: tuple[Person, ...], addressed: bool) -> None:
    command = typed(text, quoted=quoted, mentions=mentions, addressed=addressed)
    assert type(command) in COMMAND_TYPES
    if isinstance(command, Challenge | Move):
        assert len(payload.encode(command)) <= payload.LIMIT


@given(
    payload_text=st.one_of(
        st.text(st.characters(exclude_categories=()), min_size=1), st.text("acdmgrt|kfwt0123!%-", min_size=1)
    )
)
def test_any_payload_gives_a_command(payload_text: str) -> None:
    assert type(parse(replace(TYPED, payload=payload_text))) in COMMAND_TYPES


@pytest.mark.parametrize(
    "text",
    [
        "b" * 10_000, "b1" * 5_000, " ".join(["b1"] * 3_000), "/" * 10_000, "/m " + "b1 " * 3_000,
        "/challenge " + "x" * 10_000,
        "/challenge " + "9 " * 5_000, "/challenge @" + "a" * 10_000, "/settings " + "x" * 10_000,
        "/" + "x" * 10_000, "#kfwt " * 1_700,
        "1" * 10_000, "/challenge " + "1" * 10_000, "@" * 10_000, "\n" * 10_000, "/start\n" + "k" * 10_000,
        "ñ" * 10_000,
    ],
    ids=lambda text: text[:14].strip() or "newlines",
)  # fmt: skip
def test_long_texts_are_cut(text: str) -> None:
    """What a command holds of what was typed is short, whatever was typed."""
    for quoted in ("", text):
        command = typed(text, quoted=quoted)
        assert len(repr(command)) < 600
        assert len(repr(parse(replace(TYPED, payload=text)))) < 600
