"""Games as they were played: replay, looking back, repetition."""

from __future__ import annotations

import pytest

from rules import GAMES
from rules.core import BadSizeError, Change, Ending, Game, IllegalMoveError, InvalidMoveError, Outcome, Reason, Side
from rules.record import Record
from tests.rules.games import ayu, random_record, recorded

AYU, VOLO = GAMES["ayu"], GAMES["volo"]


def test_a_record_without_a_move() -> None:
    record = Record.opening(AYU, 9)
    assert record.moves == ()
    assert record.positions == (AYU.opening(9),)
    assert record.outcome is None
    assert record.to_move is Side.FIRST
    assert record.last_change == Change()
    assert record.texts == ()


def test_replay_reads_leniently_and_writes_canonically() -> None:
    record = Record.replay(AYU, 11, ["B9 c9", "А2→а3"])
    assert record.texts == ("b9-c9", "a2-a3")
    assert record.last_change == Change(moved=(("a2", "a3"),))
    assert record.to_move is Side.FIRST
    assert Record.replay(AYU, 11, record.texts) == record


def test_playing_leaves_the_record_as_it_was() -> None:
    record = Record.opening(VOLO, 7)
    longer = record.play(record.read("c7"))
    assert record == Record.opening(VOLO, 7)
    assert longer.positions[0] == record.position
    assert longer.texts == ("c7",)


@pytest.mark.parametrize(("game", "size"), [(AYU, 10), (VOLO, 11), (AYU, 0)])
def test_sizes_that_are_not_played(game: Game, size: int) -> None:
    with pytest.raises(BadSizeError):
        Record.replay(game, size, [])


def test_the_first_wrong_move_stops_a_replay() -> None:
    with pytest.raises(InvalidMoveError):
        Record.replay(AYU, 11, ["b9c9", "what?", "a1-a1"])
    with pytest.raises(IllegalMoveError) as caught:
        Record.replay(AYU, 11, ["b9c9", "c9-b9"])
    assert caught.value.refusal.reason is Reason.NOT_YOURS


# White and Black each step out and back.
SHUFFLE = ("c1-d2", "c4-e3", "d2-c1", "e3-c4")


def shuffled() -> Record:
    record = Record((), (ayu("...../.12.1/.122./.21../..1.."),), None)
    for text in SHUFFLE:
        record = record.play(record.read(text))
    return record


def test_repetition_ends_the_game_and_only_the_record_sees_it() -> None:
    record = shuffled()
    assert record.outcome == Outcome(Ending.REPETITION, None)
    assert record.position.outcome() is None
    move = record.position.read("c1-d2")
    with pytest.raises(IllegalMoveError) as refused_move:
        record.play(move)
    assert refused_move.value.refusal.reason is Reason.GAME_OVER
    for text in ("c1-d2", "what?"):
        with pytest.raises(IllegalMoveError) as refused_text:
            record.read(text)
        assert refused_text.value.refusal.reason is Reason.GAME_OVER


def test_after_a_takeback_the_game_goes_on() -> None:
    earlier = shuffled().upto(3)
    assert earlier.outcome is None
    assert earlier.texts == SHUFFLE[:3]
    assert earlier.play(earlier.read(SHUFFLE[3])).outcome == Outcome(Ending.REPETITION, None)
    # What was taken back does not count.
    other = earlier.upto(1)
    assert other.play(other.read("c4-e3")).outcome is None


def test_the_same_stones_with_the_other_side_to_move_are_no_repetition() -> None:
    position = ayu("...../.12.1/.122./.21../..1..")
    other = ayu("...../.12.1/.122./.21../..1..", Side.SECOND)
    record = Record((), (other, position), None)
    for text in SHUFFLE[:3]:
        record = record.play(record.read(text))
    assert record.outcome is None


def test_volo_has_no_rule_of_repetition() -> None:
    assert not VOLO.repetition_draws
    assert AYU.repetition_draws


@pytest.mark.parametrize(("game", "size"), [("ayu", 7), ("volo", 6)])
def test_upto_is_the_record_of_the_first_moves(game: str, size: int) -> None:
    record = random_record(game, size, 4, 60)
    for ply in range(len(record.moves)):
        earlier = record.upto(ply)
        assert earlier == Record.replay(GAMES[game], size, record.texts[:ply])
    assert record.upto(len(record.moves)) is record
    assert record.upto(10**6) is record


def test_recorded_repetitions() -> None:
    ended = [game for game in recorded("ayu.ndjson.gz") if game["outcome"]["reason"] == "repetition"]
    assert len(ended) == 10
    for game in ended:
        record = Record.replay(AYU, game["size"], game["moves"])
        assert record.outcome == Outcome(Ending.REPETITION, None)
        assert record.upto(len(record.moves) - 1).outcome is None
