"""What people type, and which command it is."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Final, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot import payload
from bot.messages import (
    Abort,
    Accept,
    AnswerOffer,
    Cancel,
    Challenge,
    Command,
    Decline,
    Export,
    Games,
    Guide,
    Help,
    Incoming,
    Keep,
    MatchCommand,
    Move,
    Moves,
    Next,
    NotUnderstood,
    NotYet,
    Offer,
    Pass,
    Person,
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
from bot.parse import COMMANDS, RESERVED, game_key, parse
from rules.actions import OfferKind, PersonId
from storage.base import MatchId, Place

ANA: Final = Person(PersonId("telegram:1"), "Ana", "ana")
BO: Final = Person(PersonId("telegram:2"), "Бо")
ID: Final = MatchId("kfwt")
OTHER_ID: Final = MatchId("bcdf")
TYPED: Final = Incoming("1", Place("telegram", "-100"), ANA)
HEADING: Final = "Ana: b1-b2\nБо is to move (Black)\nAyu 11×11 · #kfwt"


def typed(text: str, **more: object) -> Command:
    return parse(replace(TYPED, text=text, **more))  # type: ignore[arg-type]  # a test may set any field


def not_understood(text: str) -> NotUnderstood:
    return NotUnderstood(text)


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
        ("/settings colour red", not_understood("/settings colour red")),
        ("/colour red", not_understood("/colour red")),
        ("/m " + "b1" * 101, not_understood("b1" * 100)),
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
        ("computer", Challenge(computer=1)),
        ("ayu ordenador 3", Challenge("ayu", computer=3)),
        ("volo 7 бот 5", Challenge("volo", 7, computer=5)),
        ("volo компьютер 6", Challenge("volo", 6, computer=1)),
        ("ayu 0", Challenge("ayu", 0)),
        ("ayu computer 0", Challenge("ayu", 0, computer=1)),
        ("ayu 999", Challenge("ayu", 999)),
    ],
)
def test_challenges_in_any_order(words: str, expected: Challenge) -> None:
    for order in permutations(words.split()):
        assert typed(f"/challenge {' '.join(order)}") == expected, order


@pytest.mark.parametrize(
    "words",
    [
        "chess", "ayu 11 please", "ayu ayu", "ayu volo", "ayu 11x13", "ayu 1111", "ayu -9", "ayu 9.5", "@",
        "ayu @", "ayu @a", "ayu @ñandú", "ayu @Бо", "ayu @straße", "ayu @\u212aate", "ayu @a|b", "ayu @a-b", "ayu @" + "a" * 33, "ayu @@ana",
    ],
)  # fmt: skip
def test_what_is_no_challenge(words: str) -> None:
    text = f"/challenge {words}"
    assert typed(text) == not_understood(text)


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
    "", "   ", "hello", "good game!", "kfwt", "#kfwt", "¿jugamos?", "/", "/ move", "//move", "👍", "!move", "one two b1 " * 5,
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
        assert typed(text, quoted=quoted) == not_understood(text.strip()[:200])
        assert typed(text, quoted=quoted, addressed=False) == Silence()


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
        ("#ana #kfwt #bcdf", ID),
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
        *(f"/{name}" for name in (*COMMANDS, *sorted(RESERVED), "m@bot")), "ayu", "volo", "11", "11x11", "9х9", "3", "computer", "pie",
        "no", "без", "@ana", "@ñ", "@", "kfwt", "#kfwt", "b1", "b1-b2", "a2:a4", "NE2", "/a5", "pass", "swap", "yes", "language", "block",
        "on", "\u0661\u0661", "²", "ß", "\ud800", "\x00", "\u202e", "İ", "|", "%",
    ]
)  # fmt: skip
TEXTS: Final = st.one_of(
    st.text(st.characters()),
    st.builds(lambda word, rest: word + rest, WORDS, st.text(st.characters(), max_size=30)),
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


@given(payload_text=st.one_of(st.text(st.characters(), min_size=1), st.text("acdmgrt|kfwt0123!%-", min_size=1)))
def test_any_payload_gives_a_command(payload_text: str) -> None:
    assert type(parse(replace(TYPED, payload=payload_text))) in COMMAND_TYPES


@pytest.mark.parametrize(
    "text",
    [
        "b" * 10_000, "b1" * 5_000, " ".join(["b1"] * 3_000), "/" * 10_000, "/m " + "b1 " * 3_000, "/challenge " + "x" * 10_000,
        "/challenge " + "9 " * 5_000, "/challenge @" + "a" * 10_000, "/settings " + "x" * 10_000, "/" + "x" * 10_000, "#kfwt " * 1_700,
        "1" * 10_000, "/challenge " + "1" * 10_000, "@" * 10_000, "\n" * 10_000, "/start\n" + "k" * 10_000, "ñ" * 10_000,
    ],
    ids=lambda text: text[:14].strip() or "newlines",
)  # fmt: skip
def test_long_texts_are_cut(text: str) -> None:
    """What a command holds of what was typed is short, whatever was typed."""
    for quoted in ("", text):
        command = typed(text, quoted=quoted)
        assert len(repr(command)) < 600
        assert len(repr(parse(replace(TYPED, payload=text)))) < 600


def test_the_table_of_commands_is_complete() -> None:
    """Every command that can be typed is made by some test above; the others come from buttons alone."""
    made = {type(command) for command in (*ABOUT_A_MATCH.values(), *FREE.values())}
    named = {Start, Games, Next, Help, Rules, Settings, Challenge, NotYet, NotUnderstood, Silence}
    from_buttons = set(COMMAND_TYPES) - made - named
    assert from_buttons == {Guide, AnswerOffer, Keep}
