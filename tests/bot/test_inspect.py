"""`bandada inspect`: what it answers, and that nothing stops the stream."""

from __future__ import annotations

import hashlib
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.inspect import LONGEST_LINE, MOST_MOVES, answer, run
from tests.rules.games import random_record, recorded


def ask(**request: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(json.dumps(request)))
    return found


def error_of(line: bytes | str) -> tuple[str, str, int | None]:
    """The code, the reason and the ply of the error that answers *line*."""
    found = json.loads(answer(line))
    assert list(found) == ["error"]
    error = found["error"]
    assert list(error) == ["code", "reason", "at", "message"]
    assert 0 < len(error["message"]) < 250
    return error["code"], error["reason"], error["at"]


def test_the_opening() -> None:
    found = ask(game="ayu", size=5, moves=[], trace=False)
    assert list(found) == ["legal", "to_move", "over", "winner", "reason", "board"]
    assert found["legal"] == sorted(found["legal"])
    assert len(found["legal"]) == 14
    assert found["board"] == ".1.1./2.2.2/.1.1./2.2.2/.1.1."
    assert (found["to_move"], found["over"], found["winner"], found["reason"]) == (1, False, None, None)


def test_moves_are_read_leniently() -> None:
    assert ask(game="Ayu", size=5, moves=["B1 b2"]) == ask(game="ayu", size=5, moves=["b1-b2"])


def test_the_default_size() -> None:
    assert ask(game="volo") == ask(game="volo", size=7, moves=[], trace=False)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("ayu.ndjson.gz", "no-moves"),
        ("ayu.ndjson.gz", "repetition"),
        ("volo.ndjson.gz", "one-flock"),
        ("volo.ndjson.gz", "one-flock-by-clearing"),
        ("volo.ndjson.gz", "double-pass"),
    ],
)
def test_finished_games(name: str, reason: str) -> None:
    game = next(game for game in recorded(name) if game["outcome"]["reason"] == reason)
    found = ask(game=game["game"], size=game["size"], moves=game["moves"], trace=True)
    winners = game["outcome"]["winner"]
    assert found["winner"] == ("draw" if winners == [1, 2] else winners[0])
    assert (found["over"], found["reason"], found["legal"]) == (True, reason, [])
    assert found["to_move"] == len(game["moves"]) % 2 + 1
    assert found["board"] == game["outcome"]["board"]
    assert [ply["n"] for ply in found["plies"]] == list(range(len(game["moves"]) + 1))
    assert found["plies"][-1]["legal"] == []
    for ply, expected in zip(found["plies"], game["plies"], strict=False):
        digest = hashlib.sha256(" ".join(ply["legal"]).encode()).hexdigest()[:16]
        assert (len(ply["legal"]), digest) == (expected["count"], expected["hash"])


def test_without_trace_there_are_no_plies() -> None:
    assert "plies" not in ask(game="ayu", size=9, moves=["b1b2"])


@pytest.mark.parametrize(
    ("request_", "error"),
    [
        ({"game": "chess", "size": 8, "moves": []}, ("unknown-game", "unknown-game", None)),
        ({"game": "", "size": 8, "moves": []}, ("unknown-game", "unknown-game", None)),
        ({"game": "x" * 100_000, "size": 8}, ("unknown-game", "unknown-game", None)),
        ({"game": "ayu", "size": 10, "moves": []}, ("bad-size", "bad-size", None)),
        ({"game": "volo", "size": 11, "moves": []}, ("bad-size", "bad-size", None)),
        ({"game": "ayu", "size": -(10**15)}, ("bad-size", "bad-size", None)),
        ({"game": "ayu", "size": 11, "moves": ["b9c9", "swap"]}, ("illegal", "swap-is-no-move", 1)),
        ({"game": "ayu", "size": 11, "moves": ["a1-a2"]}, ("illegal", "empty", 0)),
        ({"game": "ayu", "size": 11, "moves": ["b9"]}, ("ambiguous", "goal-missing", 0)),
        ({"game": "ayu", "size": 11, "moves": ["b9-z9"]}, ("invalid", "off-board", 0)),
        ({"game": "ayu", "size": 11, "moves": ["b9c9", "\ud83d\ude00" * 150]}, ("invalid", "not-notation", 1)),
        ({"game": "volo", "size": 7, "moves": ["pass"]}, ("illegal", "pass-not-allowed", 0)),
        ({"game": "ayu", "size": 11, "moves": [""] * (MOST_MOVES + 1)}, ("bad-json", "too-many-moves", None)),
        ({"game": "ayu", "size": 11, "moves": ["x"] * MOST_MOVES}, ("invalid", "not-notation", 0)),
    ],
)
def test_requests_that_are_wrong(request_: dict[str, Any], error: tuple[str, str, int | None]) -> None:
    assert error_of(json.dumps(request_)) == error


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"", "not-json"),
        (b"{", "not-json"),
        (b"\x00", "not-json"),
        (b"\xff\xfe{", "not-json"),
        (b'{"game":"\xff"}', "not-json"),
        (b'{"game":"\\ud800"}', "not-json"),
        ("{\ud800}", "not-json"),
        (b'{"game":"ayu"} {"game":"ayu"}', "not-json"),
        (b'{"game":"ayu","size":NaN}', "not-json"),
        (b'{"game":"ayu","size":Infinity}', "not-json"),
        (b'{"game":"ayu","size":' + b"9" * 10_000 + b"}", "wrong-shape"),
        (b'{"game":"ayu","size":1e999}', "wrong-shape"),
        (b'{"game":"ayu","size":11.5}', "wrong-shape"),
        (b'{"game":"ayu","size":"11"}', "wrong-shape"),
        (b'{"game":"ayu","size":true}', "wrong-shape"),
        (b'{"game":null}', "wrong-shape"),
        (b'{"size":11}', "wrong-shape"),
        (b'{"game":"ayu","moves":"b9c9"}', "wrong-shape"),
        (b'{"game":"ayu","moves":[1]}', "wrong-shape"),
        (b'{"game":"ayu","trace":1}', "wrong-shape"),
        (b'{"game":"ayu","move":[]}', "wrong-shape"),
        (b"null", "wrong-shape"),
        (b'"ayu"', "wrong-shape"),
        (b"[" * 100_000, "wrong-shape"),
        (b'{"moves":' + b"[" * 100_000, "wrong-shape"),
        (b'{"a":' * 50_000, "wrong-shape"),
        (b'{"game":"ayu","game":"volo"}', "duplicate-key"),
        (b'{"game":"ayu","moves":[],"size":9,"moves":["b1b2"]}', "duplicate-key"),
        (b'{"game":"' + b"a" * 1_000_000 + b'"}', "too-long"),
        (b" " * 1_000_000, "too-long"),
    ],
)  # fmt: skip
def test_lines_that_hold_no_request(line: bytes | str, reason: str) -> None:
    assert error_of(line) == ("bad-json", reason, None)


@given(line=st.one_of(st.binary(max_size=60), st.text(max_size=60)))
def test_any_line_is_answered(line: bytes | str) -> None:
    assert error_of(line)[0] == "bad-json"


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=5,
)


@given(
    request_=st.fixed_dictionaries(
        {},
        optional={
            "game": st.one_of(st.sampled_from(["ayu", "volo"]), json_values),
            "size": st.one_of(st.sampled_from([5, 6, 7, 9]), json_values),
            "moves": st.one_of(
                st.lists(st.one_of(st.sampled_from(["b1b2", "a2a3", "c4", "pass"]), st.text())), json_values
            ),
            "trace": st.one_of(st.booleans(), json_values),
            "else": json_values,
        },
    )
)
def test_any_object_is_answered(request_: dict[str, Any]) -> None:
    found = json.loads(answer(json.dumps(request_)))
    assert "error" in found or "legal" in found


# ---------------------------------------------------------------- the stream


class Watched(io.BytesIO):
    """Output that counts what is flushed."""

    def __init__(self) -> None:
        super().__init__()
        self.flushed: list[int] = []

    def flush(self) -> None:
        self.flushed.append(len(self.getvalue()))


def stream(data: bytes) -> tuple[list[Any], Watched]:
    out = Watched()
    run(io.BytesIO(data), out)
    return [json.loads(line) for line in out.getvalue().splitlines()], out


def test_each_line_is_answered_at_once() -> None:
    good = b'{"game":"ayu","size":5,"moves":[]}'
    lines = [good, b"", b"nonsense", b"x" * (3 * LONGEST_LINE), good + b"\r", b"\xff", good]
    found, out = stream(b"\n".join(lines))
    assert ["legal" in answered for answered in found] == [True, False, False, False, True, False, True]
    ends = [index + 1 for index, byte in enumerate(out.getvalue()) if byte == ord("\n")]
    assert out.flushed == ends


@pytest.mark.parametrize("length", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 2 * LONGEST_LINE + 1])
def test_lines_about_as_long_as_allowed(length: int) -> None:
    line = b'{"game":"ayu"}'.ljust(length)
    found, _ = stream(line + b"\n" + b'{"game":"ayu"}\n')
    assert ["legal" in answered for answered in found] == [length <= LONGEST_LINE, True]


def test_nothing_in_nothing_out() -> None:
    assert stream(b"")[0] == []


def test_a_long_game() -> None:
    record = random_record("volo", 6, 41, 300)
    found = ask(game="volo", size=6, moves=list(record.texts), trace=True)
    assert len(found["plies"]) == len(record.positions)
