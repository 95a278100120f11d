"""A match that is being played: moves, the pie rule, how it ends."""

from __future__ import annotations

import copy

import pytest

from rules import GAMES
from rules.actions import (
    Abort,
    Accept,
    AnswerOffer,
    Event,
    EventKind,
    Fault,
    MakeOffer,
    OfferKind,
    PersonId,
    Play,
    Resign,
    Swap,
)
from rules.ayu_units import AyuMove
from rules.core import BadSizeError, Ending, IllegalMoveError, InvalidMoveError, MoveError, Reason, Side
from rules.match import Agreement, Match, Result, Status, apply, challenge, replay_tokens
from rules.record import Record
from rules.volo_moves import Addition, Pass
from tests.rules.games import recorded
from tests.rules.matches import (
    ANA,
    BO,
    CLEARED_VOLO,
    EVA,
    SHORT_AYU,
    SHORT_AYU_WHITE,
    SHORT_VOLO,
    START,
    begun,
    done,
    played,
    refused,
)

AYU = GAMES["ayu"]


# ---- moves -----------------------------------------------------------------------------------------------------------


def test_a_move() -> None:
    match, events = apply(begun(), Play(ANA, "B1 b2", ply=0), START + 9)
    assert events == (Event(EventKind.MOVED, ANA, "b1-b2"),)
    assert (match.tokens, match.ply, match.changed) == (("b1-b2",), 1, START + 9)
    assert (match.to_move, match.person_to_move) == (Side.SECOND, BO)


def test_a_move_as_a_value() -> None:
    match = begun()
    move = match.record.read("b1-b2")
    assert apply(match, Play(ANA, move), START) == apply(match, Play(ANA, "b1-b2"), START)


@pytest.mark.parametrize(
    ("game", "move"),
    [
        ("ayu", AyuMove(1, 2)),
        ("ayu", AyuMove(0, 0)),
        ("ayu", AyuMove(1 << 60, 1)),
        ("ayu", Pass()),
        ("volo", Addition(0)),
        ("volo", Pass()),
        ("volo", AyuMove(1, 2)),
    ],
)
def test_a_value_that_is_no_legal_move(game: str, move: AyuMove | Addition | Pass) -> None:
    match = begun(game, GAMES[game].all_sizes[0])
    with pytest.raises(IllegalMoveError):
        apply(match, Play(ANA, move), START)


@pytest.mark.parametrize(
    ("text", "error"),
    [("b1-a1", IllegalMoveError), ("swap", IllegalMoveError), ("z1-z2", InvalidMoveError), ("", InvalidMoveError)],
)
def test_a_text_that_is_no_legal_move(text: str, error: type[MoveError]) -> None:
    match = begun()
    before = copy.deepcopy(match)
    with pytest.raises(error):
        apply(match, Play(ANA, text), START)
    assert match == before


@pytest.mark.parametrize(
    ("ply", "person", "fault"),
    [
        (1, ANA, Fault.STALE),
        (3, ANA, Fault.STALE),
        (-1, ANA, Fault.STALE),
        (1, BO, Fault.STALE),
        (2, BO, Fault.NOT_YOUR_TURN),
        (1, EVA, Fault.NOT_A_PLAYER),
    ],
)
def test_meant_for_another_ply(ply: int, person: PersonId, fault: Fault) -> None:
    match = played(begun(), "b1-b2 a2-a3")
    assert refused(match, Play(person, "d1-d2", ply)) is fault
    assert refused(match, Swap(person, ply)) is fault


def test_an_old_button_is_stale_after_a_takeback() -> None:
    match = played(begun(), "b1-b2 a2-a3 d3-d4")
    back = done(match, MakeOffer(ANA, OfferKind.TAKEBACK), AnswerOffer(BO, OfferKind.TAKEBACK, agree=True))
    assert (back.ply, refused(back, Play(ANA, "d1-d2", 3))) == (2, Fault.STALE)


# ---- the pie rule ----------------------------------------------------------------------------------------------------


def test_the_swap_changes_the_seats_and_nothing_else() -> None:
    before = played(begun(), "b1-b2")
    assert before.may_swap
    match, events = apply(before, Swap(BO, ply=1), START + 3)
    assert events == (Event(EventKind.SWAPPED, BO),)
    assert (match.tokens, match.ply, match.may_swap) == (("b1-b2", "swap"), 2, False)
    # "it is still White's turn, now played by the person who made the first move"
    assert (match.record, match.to_move, match.person_to_move) == (before.record, Side.SECOND, ANA)
    assert (match.side_of(ANA), match.side_of(BO), match.side_of(EVA)) == (Side.SECOND, Side.FIRST, None)
    assert (match.person_at(Side.FIRST), match.person_at(Side.SECOND), match.seats) == (BO, ANA, (ANA, BO))
    assert (match.opponent_of(ANA), match.opponent_of(BO), match.opponent_of(EVA)) == (BO, ANA, None)
    assert refused(match, Play(BO, "a2-a3")) is Fault.NOT_YOUR_TURN
    after = played(match, "a2-a3 d3-d4")
    assert after.tokens == ("b1-b2", "swap", "a2-a3", "d3-d4")
    assert (after.ply, after.person_to_move) == (4, ANA)


def test_the_swap_by_a_challenger_who_plays_second() -> None:
    match = done(challenge(AYU, 5, ANA, START, challenger_side=Side.SECOND), Accept(BO))
    match = done(match, Play(BO, "b1-b2"), Swap(ANA))
    assert (match.person_to_move, match.side_of(ANA)) == (BO, Side.FIRST)


@pytest.mark.parametrize(
    "match",
    [
        begun(),
        played(begun(), "b1-b2 a2-a3"),
        played(begun(pie=False), "b1-b2"),
        played(begun("volo", 6), "c6"),
        done(played(begun(), "b1-b2"), Swap(BO)),
    ],
    ids=["ply 0", "ply 2", "no pie", "volo", "twice"],
)
def test_no_swap(match: Match) -> None:
    assert not match.may_swap
    assert match.person_to_move is not None
    assert refused(match, Swap(match.person_to_move)) is Fault.NO_SWAP


def test_no_swap_once_it_is_over() -> None:
    assert not done(played(begun(), "b1-b2"), Abort(BO)).may_swap


@pytest.mark.parametrize("swapped", [False, True])
def test_tokens_make_the_same_record_again(swapped: bool) -> None:
    match = played(begun(), "b1-b2")
    if swapped:
        match = done(match, Swap(BO))
    match = played(match, SHORT_AYU.removeprefix("b1-b2 "))
    assert replay_tokens(AYU, 5, iter(match.tokens)) == (match.record, swapped)


@pytest.mark.parametrize(
    ("game", "tokens"),
    [
        ("ayu", ["swap"]),
        ("ayu", ["b1-b2", "a2-a3", "swap"]),
        ("ayu", ["b1-b2", "swap", "swap"]),
        ("volo", ["c6", "swap"]),
    ],
)
def test_a_swap_out_of_place_is_no_token(game: str, tokens: list[str]) -> None:
    with pytest.raises(IllegalMoveError) as caught:
        replay_tokens(GAMES[game], GAMES[game].all_sizes[0], tokens)
    assert caught.value.refusal.reason is Reason.SWAP_IS_NO_MOVE


def test_tokens_on_a_board_that_does_not_exist() -> None:
    with pytest.raises(BadSizeError):
        replay_tokens(AYU, 10, [])


# ---- endings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "size", "moves", "swapped", "result", "person"),
    [
        ("ayu", 5, SHORT_AYU, False, Result(Ending.NO_MOVES, Side.FIRST), ANA),
        ("ayu", 5, SHORT_AYU, True, Result(Ending.NO_MOVES, Side.FIRST), BO),
        ("ayu", 5, SHORT_AYU_WHITE, False, Result(Ending.NO_MOVES, Side.SECOND), BO),
        ("ayu", 5, SHORT_AYU_WHITE, True, Result(Ending.NO_MOVES, Side.SECOND), ANA),
        ("volo", 6, SHORT_VOLO, False, Result(Ending.ONE_FLOCK, Side.FIRST), ANA),
        ("volo", 6, CLEARED_VOLO, False, Result(Ending.ONE_FLOCK_BY_CLEARING, Side.SECOND), BO),
    ],
)
def test_the_board_ends_the_match(
    game: str, size: int, moves: str, swapped: bool, result: Result, person: PersonId
) -> None:
    first, *others, last = moves.split()
    match = played(begun(game, size), first)
    before = played(done(match, Swap(BO)) if swapped else match, " ".join(others))
    mover = before.person_to_move
    assert mover is not None
    match, events = apply(before, Play(mover, last), START + 99)
    assert events == (Event(EventKind.MOVED, mover, last), Event(EventKind.FINISHED))
    assert (match.status, match.live, match.result) == (Status.FINISHED, False, result)
    assert result.winner is not None
    assert (match.person_at(result.winner), match.person_to_move, match.changed) == (person, None, START + 99)


def repeating() -> tuple[Match, int, list[str]]:
    """A match one move before a recurring position; the ply at which that stood first; all moves."""
    game = next(game for game in recorded("ayu.ndjson.gz") if game["outcome"]["reason"] == "repetition")
    positions = Record.replay(AYU, game["size"], game["moves"]).positions
    match = played(begun("ayu", game["size"]), " ".join(game["moves"][:-1]))
    return match, positions.index(positions[-1]), game["moves"]


def test_a_recurring_position_is_a_draw() -> None:
    match, _, moves = repeating()
    ended = played(match, moves[-1])
    assert (ended.status, ended.result) == (Status.FINISHED, Result(Ending.REPETITION, None))


def taken_back(match: Match) -> Match:
    """The match after its last move is taken back."""
    asker = match.opponent_of(match.person_to_move or ANA)
    assert asker is not None
    asked = done(match, MakeOffer(asker, OfferKind.TAKEBACK))
    return done(asked, AnswerOffer(asked.opponent_of(asker) or ANA, OfferKind.TAKEBACK, agree=True))


def test_what_was_taken_back_does_not_count_for_the_repetition() -> None:
    match, first, moves = repeating()
    again = played(taken_back(match), " ".join(moves[-2:]))
    assert again.result == Result(Ending.REPETITION, None), "one move was taken back, and made once more"
    while match.ply >= first:
        match = taken_back(match)
    assert match.ply == first - 1
    match = played(match, " ".join(moves[first - 1 : -1]))
    assert match.status is Status.PLAYING, "each position stood once on the board, but not in the record"


@pytest.mark.parametrize(("person", "winner"), [(ANA, Side.SECOND), (BO, Side.FIRST)])
@pytest.mark.parametrize("moves", ["", "b1-b2", "b1-b2 a2-a3"])
def test_resigning(person: PersonId, winner: Side, moves: str) -> None:
    match, events = apply(played(begun(), moves), Resign(person), START)
    assert (match.status, match.result) == (Status.FINISHED, Result(Agreement.RESIGNATION, winner))
    assert events == (Event(EventKind.RESIGNED, person), Event(EventKind.FINISHED))
    assert match.person_at(winner) != person


def test_resigning_after_the_swap() -> None:
    match = done(played(begun(), "b1-b2"), Swap(BO), Resign(BO))
    assert match.result == Result(Agreement.RESIGNATION, Side.SECOND)
    assert match.person_at(Side.SECOND) == ANA


def test_aborting() -> None:
    match, events = apply(played(begun(), "b1-b2"), Abort(BO), START)
    assert (match.status, match.result, events) == (Status.ABORTED, None, (Event(EventKind.ABORTED, BO),))
    assert match.tokens == ("b1-b2",)
    late = played(begun(), SHORT_AYU.removesuffix(" c4-d3"))
    assert refused(late, Abort(ANA)) is Fault.TOO_LATE_TO_ABORT
    assert done(late, Abort(EVA, admin=True)).status is Status.ABORTED
    swapped = done(played(begun(), "b1-b2"), Swap(BO))
    assert refused(swapped, Abort(ANA)) is Fault.TOO_LATE_TO_ABORT, "the swap stands for the second move"
