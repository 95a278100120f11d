"""Buttons: what they send back means what they were made for, and fits on every platform."""

from __future__ import annotations

from itertools import islice
from typing import Final, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.buttons import THEMES, Buttons
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
    Move,
    Moves,
    MyData,
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
from bot.payload import LIMIT, PayloadError, decode, encode, match_id
from bot.texts import LANGUAGES, Texts
from rules import GAMES
from rules.actions import Accept as AcceptSeat
from rules.actions import MakeOffer, OfferKind, PersonId, Play
from rules.match import apply, challenge
from storage.base import ChatSettings, MatchId, Profile, StoredMatch
from tests.bot.guides import FILES, Chosen, positions_of_all_sizes, questions, recorded_positions
from tests.rules.games import recorded

LONGEST_ID: Final = MatchId("bcdfghjkmnpq")
LONGEST_PERSON: Final = PersonId("telegram:" + "9" * 20)
PLY: Final = 99_999

ids = st.text("bcdfghjkmnpqrstvwxz", min_size=4, max_size=12).map(MatchId)
maybe_ids = st.one_of(st.none(), ids)
plies = st.one_of(st.none(), st.integers(0, PLY))
yes = st.booleans()
kinds = st.sampled_from(OfferKind)
moves = st.text(st.characters(codec="utf-8"), max_size=8)
steps = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="|"), min_size=1, max_size=8)

ABOUT_A_MATCH: Final = (Accept, Decline, Cancel, Moves, Rematch, ShowBoard, Replay, Export, Hint, LookBack)

# What of each command a button can carry.
COMMANDS: Final[dict[type[Command], st.SearchStrategy[Command]]] = {
    **{
        kind: st.builds(kind, maybe_ids)
        for kind in (Accept, Decline, Cancel, Moves, Rematch, ShowBoard, Replay, Export, Hint, LookBack)
    },
    Resign: st.builds(Resign, maybe_ids, yes, plies),
    Abort: st.builds(Abort, maybe_ids, yes),
    **{kind: st.builds(kind) for kind in (Games, Next, MyData, Help, Keep)},
    Forget: st.builds(Forget, yes),
    Move: st.builds(Move, moves, ids, plies, yes),
    Guide: st.builds(Guide, ids, st.integers(0, PLY), st.lists(steps, max_size=4).map(tuple)),
    Pass: st.builds(Pass, maybe_ids, plies, yes),
    Swap: st.builds(Swap, maybe_ids, plies),
    Offer: st.builds(Offer, kinds, maybe_ids),
    AnswerOffer: st.builds(AnswerOffer, kinds, yes, maybe_ids),
    Challenge: st.builds(
        Challenge,
        game=st.sampled_from(["", *GAMES]),
        size=st.one_of(st.none(), st.integers(0, 999)),
        pie=st.sampled_from([None, True, False]),
        opponent=st.one_of(st.none(), st.just(Person(LONGEST_PERSON, ""))),
        username=st.from_regex(r"|[a-z0-9_.]{2,16}", fullmatch=True),
        computer=st.sampled_from([*range(6), ANY_LEVEL]),
    ),
    Rules: st.builds(Rules, st.sampled_from(["", *GAMES])),
    Settings: st.builds(
        Settings, st.sampled_from(["", "language", "theme"]), st.sampled_from(["", *LANGUAGES, *THEMES])
    ),
}
FROM_TEXT_ALONE: Final[dict[type[Command], Command]] = {
    Start: Start("kfwt"),
    NotYet: NotYet("stats"),
    NotUnderstood: NotUnderstood("?"),
    Silence: Silence(),
    Greet: Greet(),
}


@pytest.mark.parametrize("kind", COMMANDS)
def test_what_is_decoded_is_what_was_encoded(kind: type[Command]) -> None:
    @given(COMMANDS[kind])
    def check(command: Command) -> None:
        payload = encode(command)
        assert payload.isascii()
        assert len(payload) <= LIMIT
        if isinstance(command, Move) and command != decode(payload):
            # The text did not fit: the button begins the guided move.
            assert len(command.text.encode("utf-8", "replace")) > 10
            assert decode(payload) == Move("", command.match, command.ply)
        else:
            assert decode(payload) == command

    check()


def test_every_command_is_a_buttons_or_not() -> None:
    assert {*COMMANDS, *FROM_TEXT_ALONE} == set(get_args(Command))


@pytest.mark.parametrize("kind", FROM_TEXT_ALONE)
def test_what_no_button_means(kind: type[Command]) -> None:
    with pytest.raises(PayloadError):
        encode(FROM_TEXT_ALONE[kind])


def test_no_two_kinds_of_buttons_are_the_same() -> None:
    examples: list[Command] = [
        *(kind(LONGEST_ID) for kind in ABOUT_A_MATCH),
        *(Resign(LONGEST_ID), Abort(LONGEST_ID), Move("", LONGEST_ID), Guide(LONGEST_ID, 0)),
        *(Pass(LONGEST_ID), Swap(LONGEST_ID), Challenge(), Rules(), Settings(), Games(), Next(), Help(), Keep()),
        *(Offer(kind, LONGEST_ID) for kind in OfferKind),
        *(AnswerOffer(kind, agree, LONGEST_ID) for kind in OfferKind for agree in (True, False)),
    ]  # fmt: skip
    payloads = {encode(command): command for command in examples}
    assert len(payloads) == len(examples)
    assert all(decode(payload) == command for payload, command in payloads.items())


@pytest.mark.parametrize(
    ("command", "payload"),
    [
        (Accept(), "a"),
        (Accept(MatchId("kfwt")), "a|kfwt"),
        (Move("b9-c9", MatchId("kfwt"), 12), "m|kfwt|12|b9-c9"),
        (Move("d9:e10-NW1/a5", MatchId("kfwt"), 12, confirmed=True), "m|kfwt|12|d9:e10-NW1/a5|!"),
        (Move("в1 в2|", MatchId("kfwt")), "m|kfwt||%D0%B21%20%D0%B22%7C"),
        (Guide(MatchId("kfwt"), 12, ("fly", "b*", "b2", "b2:b5")), "g|kfwt|12|fly|b*|b2|b2:b5"),
        (Pass(MatchId("kfwt"), 12), "p|kfwt|12"),
        (Challenge("ayu", 11, pie=False, username="ana"), "c|ayu|11|0||ana"),
    ],
)
def test_buttons_that_hang_in_chats_go_on_working(command: Command, payload: str) -> None:
    assert encode(command) == payload
    assert decode(payload) == command


def test_a_typed_flag_is_not_kept() -> None:
    """Pressed is not typed: whoever presses the button means a move."""
    assert decode(encode(Move("b1", typed=True))) == Move("b1")


# ---- what does not fit -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        Challenge(username="ñandú"),
        Challenge(username="a b"),
        Challenge(username="a|b"),
        Challenge(username="a" * 65),
        Challenge(opponent=Person(PersonId("web:Ана"), "Ана")),
        Challenge(opponent=Person(PersonId("web:" + "a" * 60), "")),
        Guide(LONGEST_ID, 1, ("fly", "b|c")),
        Guide(LONGEST_ID, 1, ("fly", "b c")),
        Guide(LONGEST_ID, 1, ("b2",) * 20),
        Settings("block", "", Person(LONGEST_PERSON, "Ana")),
        Settings("language", "x" * 64),
        Rules("шахматы"),
    ],
)
def test_what_cannot_be_a_button_is_refused(command: Command) -> None:
    with pytest.raises(PayloadError):
        encode(command)


@pytest.mark.parametrize("text", ["b1" * 100, "хочу сыграть ещё раз завтра в 5 часов", "😀" * 20, "\ud800" * 60])
def test_a_text_that_does_not_fit_is_asked_for(text: str) -> None:
    command = Move(text, LONGEST_ID, PLY, confirmed=True, typed=True)
    assert decode(encode(command)) == Move("", LONGEST_ID, PLY)


def test_how_long_a_payload_may_be() -> None:
    assert LIMIT == 64
    longest = Move("b" * (64 - len(f"m|{LONGEST_ID}||")), LONGEST_ID)
    assert len(encode(longest)) == 64
    assert decode(encode(longest)) == longest
    longer = Move(longest.text + "b", LONGEST_ID)
    assert encode(longer) == f"m|{LONGEST_ID}"
    too_long = f"m|{LONGEST_ID}||{longer.text}"
    assert decode(too_long) == NotUnderstood(too_long[:64], button=True)


# ---- every button there is -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["all sizes", *FILES])
def test_every_guided_step_fits(source: str) -> None:
    """With the longest id and ply, on every size."""
    positions = positions_of_all_sizes(80, 20) if source == "all sizes" else recorded_positions(source, 3, 12)
    buttons = longest = 0
    for position in positions:
        for chosen, question in questions(position):
            for text, left in question.options:
                path: Chosen = (*chosen, text)
                guide = Guide(LONGEST_ID, PLY, path)
                payload = encode(guide)
                assert decode(payload) == guide
                longest = max(longest, len(payload))
                if len(left) == 1:
                    _check_move(position.write(left[0]))
                buttons += 1
    assert buttons > 1000
    assert longest <= LIMIT


def _check_move(text: str) -> None:
    move = Move(text, LONGEST_ID, PLY, confirmed=True)
    assert decode(encode(move)) == move


@pytest.mark.parametrize("name", FILES)
def test_every_recorded_move_fits(name: str) -> None:
    texts = {text for game in recorded(name) for text in game["moves"]}
    for text in texts:
        _check_move(text)
    assert len(texts) > 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_under_messages(language: str) -> None:
    """Making them encodes them: all statuses of a match, the games for the longest opponent, settings, rules."""
    buttons = Buttons(Texts.load())
    opponent = Person(LONGEST_PERSON, "Ana")
    rows = [
        *buttons.start(language),
        *buttons.rules(language),
        *buttons.settings(language, ChatSettings(), Profile(), chat_too=True),
        *buttons.games(language, Challenge(pie=False, opponent=opponent), first_time=True),
        *buttons.games(language, Challenge(pie=False, username="a" * 32), first_time=False),
    ]
    for game in GAMES.values():
        ana, bo = PersonId("telegram:1"), PersonId("telegram:2")
        waiting = challenge(game, game.default_size, ana, 0, invited=bo)
        begun, _ = apply(waiting, AcceptSeat(bo), 0)
        played, _ = apply(begun, Play(ana, begun.record.position.legal_moves()[0]), 0)
        offered = [apply(played, MakeOffer(ana, kind), 0)[0] for kind in OfferKind]
        for match in (waiting, begun, played, *offered):
            rows += buttons.match(language, StoredMatch(LONGEST_ID, 1, match, ()))
    made = [button for row in rows for button in row]
    assert len(made) > 60
    for button in made:
        assert len(button.payload) <= LIMIT
        assert not isinstance(decode(button.payload), NotUnderstood)


# ---- what comes back from outside ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payload",
    [
        "?", "z", "A|kfwt", "accept", "aa|kfwt", "|kfwt", "a|kfw", "a|hello", "a|kfwtkfwtkfwtk", "a|kfwt9", "a|#kfw",
        "r|kfwt|yes",
        "m|kfwt|-1|b1", "m|kfwt|1.5|b1", "m|kfwt|999999|b1", "m|kfwt|1|b1|?", "m|kfwt|1|%ff", "g", "g|kfwt", "g||3",
        "g|kfwt|x", "g|kfwt|3||b1",
        "o|kfwt", "o|kfwt|truce", "y|kfwt|", "n", "c|ayu|x", "c|ayu|11|2", "c|ayu|11|1||ana|x", "s|kfwt|!",
        "p|kfwt|1|x", "a kfwt", "a|kfwt\n",
        "ä|kfwt", "\x00", "c|ayu|11|||ñ", "c|ayu|11|||a b", "a|" + "k" * 63, "m|kfwt|٣|b1", "😀",
    ],
)  # fmt: skip
def test_buttons_that_are_none(payload: str) -> None:
    assert decode(payload) == NotUnderstood(payload[:LIMIT], button=True)


@given(
    st.one_of(
        st.text(st.characters(exclude_categories=())),
        st.binary(max_size=80).map(lambda data: data.decode("latin-1")),
        st.binary(max_size=80).map(lambda data: data.decode("utf-8", "surrogateescape")),
        st.text("admgcrstoynpuRb|kfwt0129!%-:/*", max_size=70),
        st.builds("{}|{}|{}|{}".format, st.sampled_from("admgcrstoynpux"), ids, st.integers(-1, 200_000), steps),
    )
)
def test_anything_is_harmless(payload: str) -> None:
    """It means nothing, or something that a button could have said."""
    command = decode(payload)
    assert type(command) in COMMANDS or command == NotUnderstood(payload[:LIMIT], button=True)
    if type(command) in COMMANDS:
        assert decode(encode(command)) == command


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kfwt", "kfwt"),
        ("KFWT", "kfwt"),
        ("#Kfwt", "kfwt"),
        ("bcdfghjkmnpq", "bcdfghjkmnpq"),
        ("", None),
        ("#", None),
        ("kfw", None),
        ("bcdfghjkmnpqr", None),
        ("##kfwt", None),
        ("kfwt#", None),
        ("kfwt\n", None),
        (" kfwt", None),
        *((f"kfw{letter}", None) for letter in "aeiouyl1ñй"),
    ],
)  # fmt: skip
def test_match_ids(text: str, expected: str | None) -> None:
    assert match_id(text) == expected


def test_a_match_id_is_never_a_cell_or_a_move() -> None:
    words = {text for name in FILES for game in islice(recorded(name), 40) for text in game["moves"]}
    assert not any(match_id(word) for word in {*words, "pass", "swap", "nw", "ne", "sw", "se", "e", "w"})
