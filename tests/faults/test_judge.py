"""What the judge must not complain of, and what it must."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from rules import GAMES
from rules.actions import Accept
from rules.match import apply
from rules.record import Record
from storage.base import MatchId, Place, StoredMatch
from tests.faults.judge import Evidence, judge
from tests.faults.loopback import Deed
from tests.faults.wire import PLATFORM, Update
from tests.storage.matches import ANA, BO, draft

MATCH: Final = MatchId("kfwt")
BEFORE: Final = ("i6", "e6")
FLIGHT: Final = "j2-E3"


def _played() -> StoredMatch:
    """A match of Volo whose first person flew in the end."""
    begun = draft(Place(PLATFORM, "chat1"), game="volo")
    match, _ = apply(begun.match, Accept(BO), begun.match.created)
    match = replace(match, record=Record.replay(GAMES["volo"], match.size, (*BEFORE, FLIGHT)))
    return replace(begun, id=MATCH, version=4, match=match)


def _typed(*texts: str) -> dict[str, Deed]:
    """What the first person typed in his chat, all of it answered by the board alone."""
    updates = [Update(f"u{number}", "chat1", str(ANA), "Ana", text) for number, text in enumerate(texts)]
    return {update.id: Deed(update, update.text.partition(" ")[0], 0.0, confirmed=True) for update in updates}


def _complaints(*texts: str) -> set[str]:
    """The kinds of the complaints about the flight, once these *texts* were accepted."""
    evidence = Evidence(tuple(_typed(*texts).values()), (), {}, {MATCH: _played()})
    told = [line for line in judge(evidence) if line.startswith(("lost: telegram", "done twice: telegram"))]
    return {line.partition(":")[0] for line in told if FLIGHT.lower() in line.lower()}


@pytest.mark.parametrize(
    ("texts", "kinds"),
    [
        ((FLIGHT,), set()),
        ((f"{FLIGHT} {MATCH}",), set()),
        # A step of Ayu, typed with no word of its match, is read in the match where it fits: here a flight.
        ((FLIGHT.lower(),), set()),
        ((FLIGHT.lower(), FLIGHT.lower()), {"lost"}),
        ((FLIGHT, FLIGHT.lower()), {"lost"}),
        ((f"{FLIGHT.lower()} {MATCH}",), {"lost", "done twice"}),
        (("j2-W3",), {"done twice"}),
        ((), {"done twice"}),
    ],
)
def test_a_move_typed_for_no_certain_match_may_have_become_what_its_match_reads(
    texts: tuple[str, ...], kinds: set[str]
) -> None:
    assert _complaints(*texts) == kinds
