"""The commands that people type, with their arguments in any order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Final, get_args

import pytest

from bot import payload
from bot.messages import (
    ANY_LEVEL,
    Abort,
    Accept,
    AnswerOffer,
    Cancel,
    Challenge,
    Command,
    Decline,
    Export,
    Forget,
    Games,
    Greet,
    Guide,
    Help,
    Hint,
    Keep,
    LookBack,
    MatchCommand,
    Move,
    Moves,
    MyData,
    Next,
    NotUnderstood,
    NotYet,
    Offer,
    Pass,
    Rematch,
    Replay,
    Resign,
    Rules,
    Settings,
    ShowBoard,
    Silence,
    Start,
    Swap,
)
from bot.parse import COMMANDS, RESERVED, game_key
from rules.actions import OfferKind
from tests.bot.typed import ANA, BO, HEADING, ID, OTHER_ID, typed

# ---- commands about a match ------------------------------------------------------------------------------------------

ABOUT_A_MATCH: Final[dict[str, MatchCommand]] = {
    "/accept": Accept(ID),
    "/decline": Decline(ID),
    "/cancel": Cancel(ID),
    "/move b1-b2": Move("b1-b2", ID),
    "/move b1 – b2": Move("b1 – b2", ID),
    "/m b1b2": Move("b1b2", ID),
    "/m в1в2": Move("в1в2", ID),
    "/m a2:a4 → d5": Move("a2:a4 → d5", ID),
    "/move": Move("", ID),
    "/m": Move("", ID),
    "/move hello": Move("hello", ID),
    "/board": ShowBoard(ID),
    "/moves": Moves(ID),
    "/pass": Pass(ID),
    "/pass yes": Pass(ID, confirmed=True),
    "/swap": Swap(ID),
    "/resign": Resign(ID),
    "/resign yes": Resign(ID, confirmed=True),
    "/resign sí": Resign(ID, confirmed=True),
    "/resign Да": Resign(ID, confirmed=True),
    "/draw": Offer(OfferKind.DRAW, ID),
    "/takeback": Offer(OfferKind.TAKEBACK, ID),
    "/replay": Replay(ID),
    "/export": Export(ID),
    "/hint": Hint(ID),
    "/lookback": LookBack(ID),
    "/abort": Abort(ID),
    "/abort yes": Abort(ID, confirmed=True),
    "/rematch": Rematch(ID),
    **{f"/m {word}": Swap(ID) for word in ("swap", "SWAP", "cambiar", "поменяться")},
    **{f"/move {word}": Pass(ID) for word in ("pass", "Paso", "ПАС", "пропустить ход")},
}


@pytest.mark.parametrize("text", ABOUT_A_MATCH)
def test_the_match_id_may_stand_anywhere(text: str) -> None:
    expected = ABOUT_A_MATCH[text]
    name, *words = text.split()
    for place in range(len(words) + 1):
        for written in ("kfwt", "KFWT", "#kfwt", "#Kfwt"):
            assert typed(" ".join([name, *words[:place], written, *words[place:]])) == expected


@pytest.mark.parametrize("text", ABOUT_A_MATCH)
def test_without_an_id_nothing_is_named(text: str) -> None:
    assert typed(text) == replace(ABOUT_A_MATCH[text], match=None)


@pytest.mark.parametrize("text", ABOUT_A_MATCH)
def test_a_reply_to_a_board_is_about_its_match(text: str) -> None:
    assert typed(text, quoted=HEADING) == ABOUT_A_MATCH[text]
    named = replace(ABOUT_A_MATCH[text], match=OTHER_ID)
    assert typed(f"{text} bcdf", quoted=HEADING) == named, "what is typed counts more"


@pytest.mark.parametrize("text", [*ABOUT_A_MATCH, "/games", "/help", "/challenge ayu 11"])
def test_how_a_command_may_be_written(text: str) -> None:
    expected = typed(text)
    name, space, rest = text.partition(" ")
    for written in (name.upper(), name.title(), f"{name}@bandada_bot", f"{name.upper()}@Bandada_Bot", f"  {name}"):
        assert typed(f"{written}{space}{rest}") == expected
    for spaces in ("   ", "\n", "\t", "\u00a0"):
        assert typed(f"{name}{spaces}{rest}\n") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/start", Start()),
        ("/start kfwt", Start("kfwt")),
        ("/start " + "x" * 100, Start("x" * 64)),
        ("/games", Games()),
        ("/next", Next()),
        ("/mydata", MyData()),
        ("/forget", Forget()),
        ("/forget me", Forget()),
        ("/forget yes", Forget(confirmed=True)),
        ("/forget да", Forget(confirmed=True)),
        ("/forget sí", Forget(confirmed=True)),
        ("/help", Help()),
        ("/help me please", Help()),
        ("/rules", Rules()),
        ("/rules ayu", Rules("ayu")),
        ("/rules VOLO", Rules("volo")),
        ("/rules воло", Rules("volo")),
        ("/rules Аю", Rules("ayu")),
        ("/rules chess", Rules("chess")),
        ("/rules " + "x" * 50, Rules("x" * 40)),
        ("/rules \u202eche\u0007ss", Rules("chess")),
        ("/rules \u200b", Rules()),
        ("/settings", Settings()),
        ("/settings language", Settings("language")),
        *((f"/settings {key} {value}", Settings("language", "es"))
          for key in ("language", "idioma", "язык", "LANGUAGE")
          for value in ("es", "ES", "español", "Castellano", "испанский")),
        ("/settings lengua ruso", Settings("language", "ru")),
        ("/settings lang klingon", Settings("language", "klingon")),
        ("/settings тема dark", Settings("theme", "dark")),
        ("/settings tema Patterns", Settings("theme", "patterns")),
        *((f"/settings ping {value}", Settings("ping", "on")) for value in ("on", "sí", "Да", "вкл")),
        *((f"/settings {key} {value}", Settings("confirm", "off"))
          for key in ("confirm", "confirmar", "подтверждение") for value in ("off", "no", "НЕТ", "выкл")),
        ("/settings archivo perhaps", Settings("file", "perhaps")),
        ("/settings block @Bo", Settings("block", "@bo")),
        ("/settings block si", Settings("block", "si")),
        ("/settings разблокировать @bo", Settings("unblock", "@bo")),
        ("/settings block " + "x" * 100, Settings("block", "x" * 64)),
        ("/settings colour red", NotUnderstood("/settings colour red", command="settings", word="colour")),
        ("/colour red", NotUnderstood("/colour red", command="colour")),
        ("/Challange volo", NotUnderstood("/Challange volo", command="challange", near="challenge")),
        ("/theme@bandada_bot es", NotUnderstood("/theme@bandada_bot es", command="theme", near="settings theme")),
        ("/take", NotUnderstood("/take", command="take", near="takeback")),
        ("/язык", NotUnderstood("/язык", command="язык", near="settings language")),
        ("/правила", NotUnderstood("/правила", command="правила")),
        ("/" + "x" * 300, NotUnderstood("/" + "x" * 199)),
        ("/usr/bin", NotUnderstood("/usr/bin")),
        ("/b\u202eb", NotUnderstood("/b\u202eb")),
        ("/m " + "b1" * 101, NotUnderstood("b1" * 100)),
        ("/m " + "b1" * 100, Move("b1" * 100)),
    ],
)  # fmt: skip
def test_commands_without_a_match(text: str, expected: Command) -> None:
    assert typed(text) == expected


def test_the_person_of_the_block_list() -> None:
    assert typed("/settings block Бо", mentions=(BO,)) == Settings("block", "бо", BO)


def test_every_command_is_useful_alone() -> None:
    for name in COMMANDS:
        assert not isinstance(typed(f"/{name}"), NotUnderstood | Silence), name


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_commands(name: str) -> None:
    assert name not in COMMANDS
    for text in (f"/{name}", f"/{name.upper()}", f"/{name}@bandada_bot", f"/{name} kfwt 3"):
        assert typed(text) == NotYet(name)


# ---- challenges ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", Challenge()),
        ("ayu", Challenge("ayu")),
        ("volo 7", Challenge("volo", 7)),
        ("ayu 11 @ana_b.2", Challenge("ayu", 11, username="ana_b.2")),
        ("Аю 9 @Ana", Challenge("ayu", 9, username="ana")),
        ("ВОЛО 8x8 @bo,", Challenge("volo", 8, username="bo")),
        ("ayu, 11×11, nopie", Challenge("ayu", 11, pie=False)),
        ("ayu 13х13 tarta", Challenge("ayu", 13, pie=True)),
        ("ayu 13*13 пирог abierto", Challenge("ayu", 13, pie=True)),
        ("ayu без пирога", Challenge("ayu", pie=False)),
        ("ayu sin tarta", Challenge("ayu", pie=False)),
        ("ayu no pie", Challenge("ayu", pie=False)),
        ("ayu pie off 9", Challenge("ayu", 9, pie=False)),
        ("ayu sin-tarta cualquiera", Challenge("ayu", pie=False)),
        ("любой ayu", Challenge("ayu")),
        ("anyone 15", Challenge("", 15)),
        ("computer", Challenge(computer=ANY_LEVEL)),
        ("ayu ordenador 3", Challenge("ayu", computer=3)),
        ("volo 7 бот 5", Challenge("volo", 7, computer=5)),
        ("volo компьютер 6", Challenge("volo", 6, computer=ANY_LEVEL)),
        ("ayu computer 1", Challenge("ayu", computer=1)),
        ("ayu 5", Challenge("ayu", 5)),
        ("ayu pie tarta", Challenge("ayu", pie=True)),
        ("ayu 0", Challenge("ayu", 0)),
        ("ayu computer 0", Challenge("ayu", 0, computer=ANY_LEVEL)),
        ("ayu 999", Challenge("ayu", 999)),
    ],
)
def test_challenges_in_any_order(words: str, expected: Challenge) -> None:
    for order in permutations(words.split()):
        assert typed(f"/challenge {' '.join(order)}") == expected, order


@pytest.mark.parametrize(
    "words",
    [
        "chess", "ayu 11 please", "ayu 9 11", "ayu ayu", "ayu volo", "ayu 11x13", "ayu 1111", "ayu -9", "ayu 9.5", "@",
        "ayu @", "ayu @a", "ayu @ñandú", "ayu @Бо", "ayu @straße", "ayu @\u212aate", "ayu @a|b", "ayu @a-b",
        "ayu @" + "a" * 33, "ayu @@ana", "9 9 9",
    ],
)  # fmt: skip
def test_what_is_no_challenge(words: str) -> None:
    text = f"/challenge {words}"
    found = typed(text)
    assert isinstance(found, NotUnderstood)
    assert (found.text, found.command) == (text, "challenge")
    assert found.word in words.split()


@pytest.mark.parametrize("name", ["ab", "A" * 32, "a.b_c.9"])
def test_user_names_fit_into_buttons(name: str) -> None:
    command = typed(f"/challenge ayu 11 nopie computer 5 @{name}")
    assert command == Challenge("ayu", 11, pie=False, username=name.lower(), computer=5)
    assert payload.decode(payload.encode(command)) == command


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", Challenge(opponent=BO)),
        ("ayu 11 Бо", Challenge("ayu", 11, opponent=BO)),
        ("Бо Иванов 9 volo", Challenge("volo", 9, opponent=BO)),
        ("@bo ayu", Challenge("ayu", opponent=BO)),
        ("ayu @ñandú", Challenge("ayu", opponent=BO)),
    ],
)
def test_challenging_somebody_who_is_pointed_at(words: str, expected: Challenge) -> None:
    assert typed(f"/challenge {words}", mentions=(BO,)) == expected
    assert typed(f"/challenge {words}", mentions=(BO, ANA)) == expected


def test_names_of_games() -> None:
    assert [game_key(name) for name in ("ayu", " VOLO ", "аю", "chess", "")] == ["ayu", "volo", "ayu", "", ""]


def test_the_table_of_commands_is_complete() -> None:
    """Every command that can be typed is made by some test above; the others come from buttons or events alone."""
    about_a_match = {type(command) for command in ABOUT_A_MATCH.values()}
    others = {
        Start,
        Greet,
        Games,
        Next,
        MyData,
        Forget,
        Help,
        Rules,
        Settings,
        Challenge,
        NotYet,
        NotUnderstood,
        Silence,
    }
    assert set(get_args(Command)) - about_a_match - others == {Guide, AnswerOffer, Keep}
