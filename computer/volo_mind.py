"""What the computer sees in a Volo position: flocks, flights, which flocks a flight would link, and who unites next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from computer.search import CHECKED, DRAW, WIN, Branch, Expired
from rules.core import Move, Position
from rules.volo import VoloPosition
from rules.volo_flights import Sky, sky
from rules.volo_moves import Addition, Flight, Pass

State = tuple[int, int, bool]
"""The birds of the side to move, of the other, and whether the move before was a pass."""

Way = tuple[int, int]
"""A flight: the new spaces it passes and reaches, and the flocks (by number, as bits) that it makes one."""


@dataclass(frozen=True, slots=True)
class VoloWeights:
    """What the evaluation counts, each as the difference of both sides.

    *flock* for each flock too many, *group* for each group of flocks that flights link (1 = all hang together), minus
    *flight* for each flight, of which at most *most* count; and *turn* for having the move.
    """

    flock: float = 10.0
    group: float = 60.0
    flight: float = 1.5
    most: int = 20
    turn: float = 25.0


_THREATS: Final = 4
"""How many threats to unite are looked at beyond the best moves."""

# Found by games of the computer against itself, see docs/computer.md.
WEIGHTS: Final = VoloWeights()


class VoloMind:
    """Values Volo's moves on one board."""

    step: Final = 10.0
    scale: Final = 60.0

    def __init__(self, size: int, weights: VoloWeights = WEIGHTS) -> None:
        self._sky: Sky = sky(size)
        self._weights = weights
        self._full = self._sky.board.full

    def state(self, position: Position) -> State:
        """The birds of the side to move, the other's, and whether somebody just passed."""
        if not isinstance(position, VoloPosition):
            raise TypeError("not a position of Volo")
        side = position.to_move
        return position.pieces(side), position.pieces(side.other), position.passes > 0

    def forget(self) -> None:
        """Nothing: what is remembered is bounded, and true of every position."""

    def width(self, seconds: float) -> int:
        """8 for fast moves, 12 for slow ones."""
        return max(8, min(12, round(7 + 2.5 * seconds)))

    def move(self, how: Move) -> Move:
        """The rules' move, which is how a branch keeps it."""
        return how

    def branches(self, state: State, width: int, expired: Expired) -> list[Branch]:
        """The best *width* moves; only the winning one, if there is one."""
        own, opponent, passed = state
        tables = self._sky
        flocks = tables.flocks(own)
        occupied = own | opponent
        moves = tables.moves(own, opponent)
        everyone = (1 << len(flocks)) - 1
        if any(joined == everyone for _, joined in self.ways(flocks, occupied)):
            for move in moves:
                if isinstance(move, Flight) and tables.is_one_flock(own ^ move.birds | move.goal):
                    after = opponent, own ^ move.birds | move.goal, False
                    return [Branch(WIN - 1, after, over=True, how=move)]
        his_flocks = tables.flocks(opponent)
        his_ways = self.ways(his_flocks, occupied)
        his_paths = 0
        for path, _ in his_ways:
            his_paths |= path
        still = self._worth(len(his_flocks), his_ways)
        branches: list[Branch] = []
        threats: list[Branch] = []
        for number, move in enumerate(moves, 1):
            if not number % CHECKED and expired():
                break
            mine, his, his_worth = own, opponent, still
            if isinstance(move, Addition):
                mine = own | move.cell
                mine_flocks: Sequence[int] = (*flocks, move.cell)
                if move.cell & his_paths:
                    his_worth = self._worth(len(his_flocks), [way for way in his_ways if not way[0] & move.cell])
            elif isinstance(move, Flight):
                mine, his = self._flown(move, own, opponent)
                if his != opponent and tables.is_one_flock(his):
                    # "The opponent's birds are one flock (also … by a clearing): the opponent wins."
                    branches.append(Branch(1 - WIN, (his, mine, False), over=True, how=move))
                    continue
                mine_flocks, left = tables.flocks(mine), tables.flocks(his)
                his_worth = self._worth(len(left), self.ways(left, mine | his))
            elif passed:
                branches.append(Branch(DRAW, (opponent, own, True), over=True, how=move))
                continue
            else:
                mine_flocks = flocks
            after = his, mine, isinstance(move, Pass)
            if his_worth[1]:
                branches.append(Branch(2 - WIN, after, over=True, how=move))
                continue
            worth, is_threat = self._worth(len(mine_flocks), self.ways(mine_flocks, mine | his))
            branch = Branch(worth - his_worth[0] - self._weights.turn, after, over=False, how=move)
            branches.append(branch)
            if is_threat:
                threats.append(branch)
        branches.sort(key=_value, reverse=True)
        best = branches[:width]
        # A threat of two flights at once wins, whatever it looks like.
        best.extend([branch for branch in threats if branch not in best][:_THREATS])
        return best

    def _flown(self, flight: Flight, own: int, opponent: int) -> tuple[int, int]:
        """The birds of both sides after the *flight*."""
        mine = own ^ flight.birds | flight.goal
        if not flight.stays:
            return mine, opponent
        return mine, opponent & self._sky.board.flood(flight.stays, self._full & ~mine)

    def ways(self, flocks: Sequence[int], occupied: int) -> list[Way]:
        """All flights of the side with these *flocks*; regions are not looked at."""
        tables = self._sky
        shapes = [tables.shape(flock) for flock in flocks]
        once = twice = 0
        borders = []
        for shape in shapes:
            border = shape.border
            twice |= once & border
            once |= border
            borders.append(border)
        once &= ~occupied
        twice &= ~occupied
        touched: dict[int, int] = {}
        found: list[Way] = []
        for index, flock in enumerate(flocks):
            shape = shapes[index]
            joining = (once & ~borders[index] | twice) & shape.reach
            if not joining:
                continue
            itself = 1 << index
            if not flock & (flock - 1):
                rays = tables.rays[flock]
                while joining:
                    goal = joining & -joining
                    joining ^= goal
                    path = rays[goal].path
                    if not path & occupied:
                        joined = touched.get(goal)
                        if joined is None:
                            joined = touched[goal] = _touched(borders, goal)
                        found.append((path, joined | itself))
                continue
            for new, path, _, _ in shape.candidates:
                if new & joining and not path & occupied:
                    joined = touched.get(new)
                    if joined is None:
                        joined = touched[new] = _touched(borders, new)
                    found.append((path, joined | itself))
        return found

    def _worth(self, flocks: int, ways: Iterable[Way]) -> tuple[float, bool]:
        """What the side with so many *flocks* and these *ways* has, and whether one of them unites it."""
        everyone = (1 << flocks) - 1
        groups: list[int] = []
        count = 0
        masks: dict[int, None] = {}
        for _, joined in ways:
            count += 1
            masks[joined] = None
        for joined in masks:
            merged = joined
            apart = []
            for group in groups:
                if group & merged:
                    merged |= group
                else:
                    apart.append(group)
            apart.append(merged)
            groups = apart
            if merged == everyone:  # all hang together; the rest adds nothing
                break
        linked = flocks + len(groups) - sum(group.bit_count() for group in groups)
        weights = self._weights
        worth = weights.flight * min(count, weights.most) - weights.flock * flocks - weights.group * linked
        return worth, everyone in masks


def _touched(borders: Sequence[int], spaces: int) -> int:
    """The flocks, by number as bits, whose *borders* the *spaces* lie on."""
    joined = 0
    bit = 1
    for border in borders:
        if border & spaces:
            joined |= bit
        bit <<= 1
    return joined


def _value(branch: Branch) -> float:
    return branch[0]
