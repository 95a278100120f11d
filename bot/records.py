"""The record of a match as a file: JSON that people, scripts and other programs can read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from storage.base import StoredMatch


def record_file(stored: StoredMatch, names: Sequence[str]) -> bytes:
    """The record in JSON: game, size, pie, players (first side first), moves, result, and the moves' board."""
    match = stored.match
    result = match.result
    content = {
        "id": stored.id,
        "game": match.game.key,
        "size": match.size,
        "pie": match.pie,
        "players": list(names),
        "moves": list(match.tokens),
        "status": match.status.value,
        "result": None
        if result is None
        else {"reason": result.how.value, "winner": "draw" if result.winner is None else result.winner.value},
        "board": match.record.position.diagram(),
        "started": datetime.fromtimestamp(match.created, UTC).isoformat(),
        "changed": datetime.fromtimestamp(match.changed, UTC).isoformat(),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=1)
