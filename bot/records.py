"""Files for people, scripts and other programs: the record of a match, and what is kept about a person. In JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from bot.replies import MyDataFile
from rules.actions import PersonId
from rules.match import Match
from storage.base import StoredMatch


def record_file(stored: StoredMatch, names: Sequence[str]) -> bytes:
    """The record in JSON: game, size, pie, players (first side first), moves, result, and the moves' board."""
    match = stored.match
    content = {
        "id": stored.id,
        "game": match.game.key,
        "size": match.size,
        "pie": match.pie,
        "players": list(names),
        "moves": list(match.tokens),
        "status": match.status.value,
        "result": _result(match),
        "board": match.record.position.diagram(),
        "started": _moment(match.created),
        "changed": _moment(match.changed),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1)


def data_file(data: MyDataFile) -> bytes:
    """Everything that is kept about a person, in JSON: his ids, his settings, his names and moves in his matches."""
    profile = data.profile
    ids = [person for person in (data.person, data.known_as) if person is not None]
    content = {
        "person": data.person,
        "known_as": data.known_as,
        "settings": {
            "name": profile.name,
            "language": profile.language,
            "ping": profile.ping,
            "confirm": profile.confirm,
            "file": profile.as_file,
            "blocked": list(profile.blocked),
            "matches_begun": profile.played,
        },
        "matches": [_share(stored, ids) for stored in data.matches],
        "unreadable_matches": list(data.damaged),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1)


def _share(stored: StoredMatch, ids: Sequence[PersonId]) -> dict[str, object]:
    """What a match holds about the person known as *ids*; of the other one only what both have done."""
    match = stored.match
    side = next((side for person in ids if (side := match.side_of(person)) is not None), None)
    return {
        "id": stored.id,
        "game": match.game.key,
        "size": match.size,
        "challenger": match.challenger in ids,
        "invited": match.invited in ids,
        "side": None if side is None else side.value,
        "name": next((name for person, name in stored.names if person in ids), ""),
        "chats": [[place.platform, place.chat, place.topic] for place in stored.places],
        "moves": list(match.tokens),
        "status": match.status.value,
        "result": _result(match),
        "started": _moment(match.created),
        "changed": _moment(match.changed),
    }


def _result(match: Match) -> dict[str, object] | None:
    result = match.result
    if result is None:
        return None
    return {"reason": result.how.value, "winner": "draw" if result.winner is None else result.winner.value}


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
