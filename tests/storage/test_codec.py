"""What is encoded comes back, whatever is damaged is refused, and old records are read."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import GAMES
from rules.actions import Accept
from rules.core import Game
from rules.match import SWAP, Status
from rules.record import Record
from storage.base import ChatSettings, DamagedRecordError, MatchId, Place, Profile, StoredMatch
from storage.codec import MatchCodec
from storage.envelope import Envelope
from storage.replays import Replays
from tests.storage.matches import ANA, BO, START, after, any_move, draft, stored_matches

ID = MatchId("kfwt")


def decode(record: bytes, codec: MatchCodec | None = None) -> StoredMatch:
    return (codec or MatchCodec()).decode(ID, 1, record, ())


def sealed(body: bytes) -> bytes:
    """*body*, a JSON object, with the checksum that fits."""
    return b'{"crc":"%08x",%s' % (zlib.crc32(body[1:]), body[1:])


def resealed(record: bytes, **changes: object) -> bytes:
    """*record* with some of its fields changed and a checksum that fits."""
    fields = msgspec.json.decode(record, type=dict[str, Any])
    del fields["crc"]
    return sealed(msgspec.json.encode({**fields, **changes}))


@given(stored_matches())
def test_what_was_encoded_comes_back(stored: StoredMatch) -> None:
    codec = MatchCodec()
    record = codec.encode(stored)
    for reader in (codec, MatchCodec()):
        assert reader.decode(stored.id, stored.version, record, stored.operations) == stored


@given(stored_matches(), st.data())
def test_any_damage_is_noticed(stored: StoredMatch, data: st.DataObject) -> None:
    record = bytearray(MatchCodec().encode(stored))
    place = data.draw(st.integers(0, len(record) - 1))
    record[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(DamagedRecordError, match=r"\{bandada\}:match:kfwt"):
        decode(bytes(record))


@given(stored_matches(), st.data())
def test_a_part_of_a_record_is_no_record(stored: StoredMatch, data: st.DataObject) -> None:
    record = MatchCodec().encode(stored)
    with pytest.raises(DamagedRecordError):
        decode(record[: data.draw(st.integers(0, len(record) - 1))])


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "chess"},
        {"size": 4},
        {"size": "9"},
        {"moves": "a1-a9"},
        {"moves": "swap"},
        {"challenger": 7},
        {"challenger": -1},
        {"seats": [0]},
        {"status": "asleep"},
        {"result": ["tired", 1]},
        {"result": ["resignation", 3]},
        {"offer": ["draw", 0]},
        {"log": [[1, "sneezed", 0, ""]]},
    ],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, object]) -> None:
    record = MatchCodec().encode(draft())
    assert decode(resealed(record)).match == draft().match
    with pytest.raises(DamagedRecordError, match=r"\{bandada\}:match:kfwt"):
        decode(resealed(record, **changes))


@pytest.mark.parametrize("body", [b"{}", b"[1]", b'{"schema":1}', b'{"schema":"1"}', b'{"schema":1,}', b'{"a":"\xff"}'])
def test_a_fitting_checksum_alone_is_not_enough(body: bytes) -> None:
    with pytest.raises(DamagedRecordError):
        decode(sealed(body))


def test_an_unknown_schema_is_refused_loudly() -> None:
    record = MatchCodec().encode(draft())
    for schema in (0, 2):
        with pytest.raises(DamagedRecordError, match=f"match:kfwt: schema {schema} is unknown"):
            decode(resealed(record, schema=schema))


def test_an_old_record_is_upgraded_step_by_step() -> None:
    def from_zero(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "moves": " ".join(fields.pop("turns"))}

    def from_minus_one(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "turns": fields.pop("plies")}

    stored = after(draft(), Accept(BO))
    stored = after(stored, any_move(stored))
    fields = msgspec.json.decode(MatchCodec().encode(stored), type=dict[str, Any])
    del fields["crc"]
    moves = fields.pop("moves").split(" ")
    oldest = sealed(msgspec.json.encode({**fields, "schema": -1, "plies": moves}))
    old = sealed(msgspec.json.encode({**fields, "schema": 0, "turns": moves}))

    codec = MatchCodec(upgrades={-1: from_minus_one, 0: from_zero})
    for record in (oldest, old):
        assert decode(record, codec).match == stored.match
    with pytest.raises(DamagedRecordError):
        decode(old)


def test_a_record_of_the_first_schema_is_read_for_ever() -> None:
    # Saved by schema 1 and never to be changed: a new schema brings an upgrade instead.
    record = sealed(
        b'{"schema":1,"game":"ayu","size":5,"people":["telegram:101","discord:175928847299117063"],"challenger":0,'
        b'"seats":[0,1],"created":1700000000,"changed":1700000180,"places":[["telegram","-100123456789","17"]],'
        b'"moves":"b1-b2 swap a2-a3","pie":true,"status":"playing","invited":1,"offer":["draw",1,3],'
        b'"names":[[0,"Ana"],[1,"\xd0\x91\xd0\xbe"]],'
        b'"log":[[2,"accepted",1,""],[3,"moved",0,"b1-b2"],[4,"swapped",1,""],[5,"moved",0,"a2-a3"]]}'
    )
    stored = decode(record)
    assert stored.match.tokens == ("b1-b2", SWAP, "a2-a3")
    assert stored.match.status is Status.PLAYING
    assert stored.match.person_to_move == BO
    assert stored.match.offer is not None
    assert stored.places == (Place("telegram", "-100123456789", "17"),)
    assert [stored.name_of(ANA), stored.name_of(BO)] == ["Ana", "Бо"]
    assert len(stored.log) == 4
    assert MatchCodec().encode(stored) == record


def test_settings_of_the_first_schema_are_read_for_ever() -> None:
    chat = Envelope(ChatSettings, 1)
    assert chat.unpack(sealed(b'{"schema":1,"language":"es","theme":"dark"}'), "k") == ChatSettings("es", "dark")
    person = Envelope(Profile, 1)
    packed = sealed(
        b'{"schema":1,"language":"ru","ping":false,"confirm":true,"as_file":true,"blocked":["web:x"],"played":7}'
    )
    assert person.unpack(packed, "k") == Profile(
        language="ru", ping=False, confirm=True, as_file=True, blocked=(type(ANA)("web:x"),), played=7
    )
    assert person.unpack(sealed(b'{"schema":1}'), "k") == Profile()


@given(st.builds(ChatSettings, st.text(), st.text()))
def test_settings_come_back(settings: ChatSettings) -> None:
    envelope = Envelope(ChatSettings, 1)
    assert envelope.unpack(envelope.pack(settings), "k") == settings


# ---- replays ---------------------------------------------------------------------------------------------------------


class CountingGame:
    """Ayu, counting how often its opening is asked for: each replay from the start needs it once."""

    def __init__(self) -> None:
        self.openings = 0
        self._game = GAMES["ayu"]

    def __getattr__(self, name: str) -> object:
        return getattr(self._game, name)

    def opening(self, size: int) -> object:
        self.openings += 1
        return self._game.opening(size)


def played(plies: int) -> Record:
    record = Record.opening(GAMES["ayu"], 9)
    for _ in range(plies):
        record = record.play(record.position.legal_moves()[0])
    return record


def test_a_known_record_is_not_replayed() -> None:
    game: Any = CountingGame()
    replays = Replays()
    texts = played(8).texts
    first = replays.record(game, 9, " ".join(texts))
    assert first == played(8)
    assert replays.record(game, 9, " ".join(texts)) is first
    assert game.openings == 1


def test_a_longer_record_is_played_on_from_a_known_one() -> None:
    game: Any = CountingGame()
    replays = Replays()
    whole = played(9)
    shorter = replays.record(game, 9, " ".join(whole.texts[:6]))
    longer = replays.record(game, 9, " ".join(whole.texts))
    assert longer == whole
    assert all(one is other for one, other in zip(shorter.positions, longer.positions, strict=False))
    assert game.openings == 1


def test_a_saved_record_is_known_before_it_is_loaded() -> None:
    codec = MatchCodec()
    stored = after(draft(), Accept(BO))
    for number in range(6):
        stored = after(stored, any_move(stored), START + number)
    assert decode(codec.encode(stored), codec).match.record is stored.match.record


def test_the_memory_is_bounded_and_drops_what_was_not_used_for_longest() -> None:
    game: Any = CountingGame()
    opening: Game = GAMES["ayu"]
    replays = Replays(positions=5)
    moves = [opening.opening(9).write(move) for move in opening.opening(9).legal_moves()[:3]]
    for text in moves[:2]:
        replays.record(game, 9, text)  # two positions each
    replays.record(game, 9, moves[0])
    replays.record(game, 9, moves[2])
    assert game.openings == 3
    replays.record(game, 9, moves[0])
    replays.record(game, 9, moves[2])
    assert game.openings == 3
    replays.record(game, 9, moves[1])
    assert game.openings == 4


def test_a_record_beyond_the_bound_is_still_replayed() -> None:
    replays = Replays(positions=3)
    assert replays.record(GAMES["ayu"], 9, " ".join(played(8).texts)) == played(8)
