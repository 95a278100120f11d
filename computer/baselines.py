"""Players to measure against: simple, named, without a clock. They play by `rules` alone."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Final, Protocol

from rules.ayu import AyuPosition
from rules.ayu_units import AyuMove, Grid, grid
from rules.core import Move, Position, Side
from rules.record import Record
from rules.volo import VoloPosition
from rules.volo_flights import sky

_LOST: Final = -1_000.0


class Player(Protocol):
    """Somebody who plays: the record so far in, a legal move out."""

    def __call__(self, record: Record, rng: Random) -> Move:
        """The move for the side to move; the game is not over."""


def play_random(record: Record, rng: Random) -> Move:
    """Any legal move."""
    return rng.choice(record.position.legal_moves())


# ---- Ayu -------------------------------------------------------------------------------------------------------------


def need(tables: Grid, own: int, empty: int) -> int:
    """Weight of the minimum spanning forest of the units, an edge weighing the empty points of the shortest path."""
    stride, board = tables.board.stride, tables.board
    rest, total = own, 0
    while rest:
        tree = board.flood(rest & -rest, rest)
        rest ^= tree
        while rest:
            front, unseen, length = tree, (empty | rest) & ~tree, 0
            while True:
                front = (front << 1 | front >> 1 | front << stride | front >> stride) & unseen
                met = front & rest
                if met or not front:
                    break
                unseen ^= front
                length += 1
            if not met:
                break
            unit = board.flood(met & -met, rest)
            total += length
            tree |= unit
            rest ^= unit
    return total


Children = list[tuple[float, float, int, AyuMove]]
"""(opponent's need − own need, a random number, own stones after the move, the move), the best last."""


class _Needs:
    """Moves by need; what one side needs is remembered for the time of one move."""

    def __init__(self, position: AyuPosition, rng: Random) -> None:
        self._grid = grid(position.size)
        self._rng = rng
        self._known: dict[tuple[int, int], int] = {}

    def need(self, own: int, empty: int) -> int:
        """As `need`."""
        key = own, empty
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = need(self._grid, own, empty)
        return known

    def children(self, own: int, opponent: int) -> Children:
        """All moves of the side *own*, the best first, ties at random."""
        empty = self._grid.board.full & ~(own | opponent)
        found = []
        for move in self._grid.moves(own, empty):
            after, left = own ^ move.origin | move.goal, empty ^ move.goal | move.origin
            value = float(self.need(opponent, left) - self.need(after, left))
            found.append((value, self._rng.random(), after, move))
        found.sort(key=lambda child: child[:2], reverse=True)
        return found

    def search(self, own: int, opponent: int, depth: int, alpha: float, beta: float) -> float:
        """Alpha-beta over the 8 best moves; "side to move needs nothing" is won."""
        empty = self._grid.board.full & ~(own | opponent)
        mine = self.need(own, empty)
        if not mine:
            return -_LOST + depth
        if not depth:
            return float(self.need(opponent, empty) - mine)
        best = 2 * _LOST
        for _, _, after, _ in self.children(own, opponent)[:8]:
            best = max(best, -self.search(opponent, after, depth - 1, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best


def _ayu(position: Position) -> AyuPosition:
    if not isinstance(position, AyuPosition):
        raise TypeError("this player knows Ayu alone")
    return position


def play_greedy(record: Record, rng: Random) -> Move:
    """Ayu: the move that maximises opponent's need − own need, ties at random."""
    position = _ayu(record.position)
    side = position.to_move
    return _Needs(position, rng).children(position.pieces(side), position.pieces(side.other))[0][3]


def play_three(record: Record, rng: Random) -> Move:
    """Ayu: alpha-beta, 3 plies, the 8 greedily best moves at each, need at the leaves."""
    position = _ayu(record.position)
    side = position.to_move
    own, opponent = position.pieces(side), position.pieces(side.other)
    needs = _Needs(position, rng)
    children = needs.children(own, opponent)[:8]
    best, pick = 3 * _LOST, children[0][3]
    for _, _, after, move in children:
        value = -needs.search(opponent, after, 2, 2 * _LOST, -best)
        if value > best:
            best, pick = value, move
    return pick


# ---- Volo ------------------------------------------------------------------------------------------------------------


def play_one_ply(record: Record, rng: Random) -> Move:
    """Volo: the move that maximises opponent's flocks − own flocks, then own flights, ties at random."""
    position = record.position
    if not isinstance(position, VoloPosition):
        raise TypeError("this player knows Volo alone")
    side = position.to_move
    scored = []
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        ended = 0 if outcome is None or outcome.winner is None else 100 if outcome.winner is side else -100
        flocks = len(after.groups(side.other)) - len(after.groups(side))
        scored.append((ended + flocks, rng.random(), after, move))
    top = max(score for score, _, _, _ in scored)
    best = [(_flights(after, side), chance, move) for score, chance, after, move in scored if score == top]
    return max(best, key=lambda item: item[:2])[2]


def _flights(position: VoloPosition, side: Side) -> int:
    return len(sky(position.size).flights(position.pieces(side), position.pieces(side.other)))


BASELINES: Final[Mapping[str, Mapping[str, Player]]] = MappingProxyType(
    {
        "ayu": MappingProxyType({"random": play_random, "greedy": play_greedy, "three": play_three}),
        "volo": MappingProxyType({"random": play_random, "one-ply": play_one_ply}),
    }
)
"""Game -> name -> player."""
