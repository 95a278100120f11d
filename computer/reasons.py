"""Why a move: what the evaluation sees of it, as a kind and numbers. The words for it are made elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from computer.baselines import need
from computer.volo_mind import VoloMind
from rules.ayu import AyuPosition
from rules.ayu_units import grid
from rules.core import Move, Position, Side
from rules.volo import VoloPosition
from rules.volo_flights import sky
from rules.volo_moves import Flight, Pass


class Kind(StrEnum):
    """What speaks for a move most."""

    WINS = "wins"  # the game is over with it, or surely won
    BLOCKS = "blocks"  # Ayu: the opponent's way becomes longer
    SHUTS_OUT = "shuts-out"  # Ayu: units of the opponent's that could meet no longer can
    JOINS = "joins"  # two units, or flocks, become one
    NEARS = "nears"  # Ayu: the units come nearer
    PARRIES = "parries"  # Volo: the opponent's next flight would have won
    THREATENS = "threatens"  # Volo: the next flight would win
    CLEARS = "clears"  # Volo: birds of the opponent's are taken off
    PREPARES = "prepares"  # Volo: a bird that flights can use
    WAITS = "waits"  # Volo: a pass


@dataclass(frozen=True, slots=True)
class Grounds:
    """Why a move: *kind*, and what both sides are left with after it.

    *own* and *theirs* are moves that each still needs to unite (Ayu), or flocks (Volo). *count* is how much of it the
    kind tells: moves the other loses, birds taken off. *threat* is the flight that would have won, or would win next.
    """

    kind: Kind
    own: int
    theirs: int
    count: int = 0
    threat: str = ""


def grounds(position: Position, move: Move, *, wins: bool = False) -> Grounds:
    """What speaks for the legal *move*; *wins* if it is known to win.

    :raises TypeError: for a game that is not known here.
    """
    if isinstance(position, AyuPosition):
        return _ayu(position, move, wins=wins)
    if isinstance(position, VoloPosition):
        return _volo(position, move, wins=wins)
    raise TypeError(f"no reasons for {position.game.key}")


def _ayu(position: AyuPosition, move: Move, *, wins: bool) -> Grounds:
    side, tables = position.to_move, grid(position.size)
    after = position.play(move)
    own, theirs = (need(tables, after.pieces(who), after.empty) for who in (side, side.other))
    before = need(tables, position.pieces(side.other), position.empty)
    zones_before, zones = (_zones(one, side.other) for one in (position, after))
    if wins:
        kind = Kind.WINS
    elif zones > zones_before:
        kind = Kind.SHUTS_OUT
    elif theirs > before:
        kind = Kind.BLOCKS
    elif len(after.groups(side)) < len(position.groups(side)):
        kind = Kind.JOINS
    else:
        kind = Kind.NEARS
    return Grounds(kind, own, theirs, max(0, theirs - before))


def _zones(position: AyuPosition, side: Side) -> int:
    """How many sets of units of *side* there are that can no longer reach each other."""
    board, own = position.board, position.pieces(side)
    rest, zones = own, 0
    while rest:
        rest &= ~board.flood(rest & -rest, own | position.empty)
        zones += 1
    return zones


def _volo(position: VoloPosition, move: Move, *, wins: bool) -> Grounds:
    side = position.to_move
    after = position.play(move)
    own, theirs = len(after.groups(side)), len(after.groups(side.other))
    removed = len(position.change(move).removed)
    threat_before = winning_flight(position, side.other)
    threat = "" if after.outcome() is not None else winning_flight(after, side)
    if after.outcome() is not None or wins:
        kind = Kind.WINS
    elif threat_before:
        kind = Kind.PARRIES
    elif threat:
        kind = Kind.THREATENS
    elif removed:
        kind = Kind.CLEARS
    else:
        kind = Kind.JOINS if isinstance(move, Flight) else Kind.WAITS if isinstance(move, Pass) else Kind.PREPARES
    told = threat_before if kind is Kind.PARRIES else threat
    return Grounds(kind, own, theirs, removed, told)


def winning_flight(position: VoloPosition, side: Side) -> str:
    """The flight that would unite the birds of *side* if it were to move, or the empty string."""
    own, opponent = position.pieces(side), position.pieces(side.other)
    tables = sky(position.size)
    flocks = tables.flocks(own)
    everyone = (1 << len(flocks)) - 1
    if len(flocks) < 2 or all(joined != everyone for _, joined in VoloMind(position.size).ways(flocks, own | opponent)):
        return ""
    for birds, goal, _ in tables.flights(own, opponent):
        if tables.is_one_flock(own ^ birds | goal):
            return position.write(Flight(birds, goal))
    return ""
