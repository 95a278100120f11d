"""Ayu's forest: how far one side's units are from being one, by length and width of what is still to be joined.

The forest is Prim's: again and again the nearest unit joins. An edge has a length (empty points on a shortest path) and
a width: the narrowest layer of all its shortest paths together. Width 1 can be blocked by one move.

What was worked out is kept with the points it depends on, so that it serves again after moves elsewhere. This is exact.
"""

from __future__ import annotations

from typing import Final

from computer.ayu_weights import AyuWeights
from rules.ayu_units import Grid

Forest = tuple[int, int, int, int, float, bool, bool]
"""(empty, paths, ball, single, cost, open, whole): right while no point of *paths* fills and no point of *ball* opens,
or just one that is not in *single*. *open*: some unit can still reach another. *whole*: all stones are one unit."""

Step = tuple[int, int, int]
"""(own stones after the move, origin, goal), as bits."""

MoveList = tuple[int, int, int, list[Step]]

_KEPT: Final = 6
"""How many results are kept for the same stones."""


class Forests:
    """The forests and the moves of one side's stones on one board, remembered until `forget`."""

    def __init__(self, grid: Grid, weights: AyuWeights) -> None:
        self._grid = grid
        self._weights = weights
        self._forests: dict[int, list[Forest]] = {}
        self._moves: dict[int, list[MoveList]] = {}

    def forget(self) -> None:
        """Forget everything that was remembered."""
        self._forests.clear()
        self._moves.clear()

    def forest(self, own: int, empty: int) -> Forest:
        """The forest of the stones *own* among the *empty* points."""
        known = self._forests.get(own)
        if known is None:
            known = self._forests[own] = []
        for item in known:
            if not item[0] & ~empty & item[1]:
                opened = empty & ~item[0]
                if not opened & item[2] or (not opened & (opened - 1) and not opened & item[3]):
                    return item
        found = self._grow(own, empty)
        known.insert(0, found)
        if len(known) > _KEPT:
            known.pop()
        return found

    def _grow(self, own: int, empty: int) -> Forest:  # noqa: PLR0915 - most time goes here
        weights = self._weights
        costs, single, near = weights.edges, weights.single, self._grid.near
        stride, full = self._grid.board.stride, self._grid.board.full
        rest, cost, zones, longest, paths, edges = own, 0.0, 0, 0, 0, 0
        while rest:  # a zone: units that can still reach one another
            tree = rest & -rest
            if near[tree.bit_length() - 1] & rest:
                while True:
                    wider = (tree | tree << 1 | tree >> 1 | tree << stride | tree >> stride) & rest
                    if wider == tree:
                        break
                    tree = wider
            else:
                cost += single
            rest ^= tree
            zones += 1
            while rest:  # the nearest unit joins the tree
                front = seen = tree
                layers = []
                while True:
                    wider = (front << 1 | front >> 1 | front << stride | front >> stride) & full & ~seen
                    met = wider & rest
                    if met:
                        break
                    front = wider & empty
                    if not front:
                        break
                    layers.append(front)
                    seen |= front
                if not met:
                    break
                unit = met & -met
                if near[unit.bit_length() - 1] & rest:
                    while True:
                        wider = (unit | unit << 1 | unit >> 1 | unit << stride | unit >> stride) & rest
                        if wider == unit:
                            break
                        unit = wider
                else:
                    cost += single
                back, width = unit, 3
                for layer in reversed(layers):
                    back = (back << 1 | back >> 1 | back << stride | back >> stride) & layer
                    paths |= back
                    count = back.bit_count()
                    width = min(width, count)
                length = len(layers)
                longest = max(longest, length)
                edges += 1
                cost += costs[length][width] if length < 7 else costs[6][width] + (length - 6) * weights.longer
                tree |= unit
                rest ^= unit
        cost += weights.zone * (zones - 1)
        ball, one = (full, full) if zones > 1 else self._ball(own, empty, longest)
        return empty, paths, ball, one, cost, edges > 0, zones == 1 and not edges

    def _ball(self, own: int, empty: int, longest: int) -> tuple[int, int]:
        """What may not open if no shorter edge than *longest* is to appear: of many points, and of a single one."""
        stride = self._grid.board.stride
        once, twice, reached = [], [], own
        for _ in range(longest):
            north, south, west, east = reached << 1, reached >> 1, reached << stride, reached >> stride
            column, row = north | south, west | east
            once.append(column | row)
            twice.append(north & south | west & east | column & row)
            reached |= (column | row) & empty
        single = 0
        for index in range((longest + 1) // 2):
            single |= once[index] & twice[longest - 1 - index]
        return (once[(longest - 1) // 2] if longest else 0), single

    def moves(self, own: int, empty: int) -> list[Step]:
        """All legal moves of the side with the stones *own*, none twice."""
        known = self._moves.setdefault(own, [])
        for item in known:
            if not item[0] & ~empty & item[1] and not empty & ~item[0] & item[2]:
                return item[3]
        found = self._list(own, empty)
        known.insert(0, found)
        if len(known) > _KEPT:
            known.pop()
        return found[3]

    def _list(self, own: int, empty: int) -> MoveList:
        board = self._grid.board
        stride, full = board.stride, board.full
        steps: list[Step] = []
        rest, paths, ball = own, 0, 0
        while rest:
            unit = board.flood(rest & -rest, rest)
            rest ^= unit
            others = own ^ unit
            front = seen = unit
            layers = []
            while True:
                wider = (front << 1 | front >> 1 | front << stride | front >> stride) & full & ~seen
                met = wider & others
                if met:
                    break
                front = wider & empty
                if not front:
                    break
                layers.append(front)
                seen |= front
            if not met:
                ball |= board.spread(seen)
                continue
            ball |= board.spread(seen ^ layers[-1])
            for layer in reversed(layers):
                met = (met << 1 | met >> 1 | met << stride | met >> stride) & layer
                paths |= met
            self._add_steps(steps, own, unit, met)
        return empty, paths, ball, steps

    def _add_steps(self, steps: list[Step], own: int, unit: int, goals: int) -> None:
        """Add the moves of the stones of *unit* to *goals* that keep it one."""
        near, board = self._grid.near, self._grid.board
        touched = []
        while goals:
            goal = goals & -goals
            goals ^= goal
            touched.append((goal, near[goal.bit_length() - 1] & unit))
        stones = unit
        while stones:
            stone = stones & -stones
            stones ^= stone
            left = own ^ stone
            if stone == unit:
                steps.extend((left | goal, stone, goal) for goal, _ in touched)
            elif self._grid.holds_without(unit, stone):
                steps.extend((left | goal, stone, goal) for goal, touch in touched if touch != stone)
            else:
                parts = board.components(unit ^ stone)
                for goal, touch in touched:
                    for part in parts:
                        if not part & touch:
                            break
                    else:
                        steps.append((left | goal, stone, goal))
