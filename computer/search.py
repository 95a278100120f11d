"""The search: the same for every game, over what the game's mind says of a position.

Iterative deepening principal variation search over few branches a position. A mind values each branch at first sight,
so the last ply costs nothing: the best branch's value is the position's. Values are the mover's; `WIN` less the plies
to the end is certain.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from rules.core import Move, Position

WIN: Final = 10_000.0
CERTAIN: Final = WIN - 1_000
"""Values beyond it, either way, say who wins and when."""
DRAW: Final = 0.0

CHECKED: Final = 8
"""After how many moves a mind looks at the clock."""

_NARROW: Final = 0.01
"""The width of a window that only asks: better or not?"""
_MOST_NODES: Final = 30_000
"""A bound on memory; no limit in use comes near it."""


class Branch(NamedTuple):
    """One move as a mind sees it: its *value* for the mover, the *state* it leads to, and the move (*how*).

    *over*: the value is certain, there is nothing to search.
    """

    value: float
    state: Hashable
    over: bool
    how: Any


Expired = Callable[[], bool]
"""True when the time for the move is over."""


class Mind(Protocol):
    """What the search asks a game. States are hashable, seen from the side to move."""

    @property
    def step(self) -> float:
        """What one move is worth in the middle of a game."""

    @property
    def scale(self) -> float:
        """The value at which the mover wins about 73 of 100 games (one unit of the logistic function)."""

    def state(self, position: Position) -> Hashable:
        """The state of *position*, which is not over."""

    def branches(self, state: Any, width: int, expired: Expired) -> list[Branch]:  # noqa: ANN401 - each has its own
        """The best *width* moves by their value, best first, and beyond them those that must not be overlooked.

        When the time has *expired*, of those that were looked at until then, one at least.
        """

    def forget(self) -> None:
        """Forget what was remembered for the last search, if it may grow without bound."""

    def width(self, seconds: float) -> int:
        """How many branches are worth looking at in a search of *seconds* on the reference machine."""

    def move(self, how: Any) -> Move:  # noqa: ANN401 - each mind has its own
        """The rules' move of a branch."""


class Node:
    """What is known of one state: its branches and the result of the deepest search."""

    __slots__ = ("best", "bound", "branches", "depth", "hopes", "value")

    def __init__(self, branches: list[Branch]) -> None:
        self.branches = branches
        self.depth = 0
        self.bound = 0
        self.value = 0.0
        self.best: Branch | None = None
        self.hopes = sum(branch.value > -CERTAIN for branch in branches)


class OutOfTimeError(Exception):
    """The time for the move is over: nobody's fault, the search takes what it has."""


@dataclass(frozen=True, slots=True)
class Found:
    """The result: the best *branch*, its *value* by the deepest finished *depth*, and how many *nodes* were opened."""

    branch: Branch
    value: float
    depth: int
    nodes: int


def at_ply(value: float, ply: int) -> float:
    """A node's own *value* as seen from the root, *ply* moves earlier: a certain end lies that much farther."""
    if value > CERTAIN:
        return value - ply
    return value + ply if value < -CERTAIN else value


class Search:
    """One search for one move. *clock* tells seconds, *until* is when it must end, *past* are states that recur."""

    def __init__(
        self, mind: Mind, clock: Callable[[], float], until: float, width: int, past: Sequence[Hashable] = ()
    ) -> None:
        self._mind = mind
        self._clock = clock
        self._until = until
        self._width = width
        self._seen = set(past)
        self._nodes: dict[Hashable, Node] = {}
        self._horizon = 0

    def run(self, branches: list[Branch], depth: int) -> Found:
        """The best of the root's *branches*, which must not be empty, searched to *depth* plies while time lasts."""
        best, value, reached = branches[0], branches[0].value, 1
        todo = list(branches)
        try:
            for plies in range(2, depth + 1 if len(todo) > 1 else 2):
                self._horizon = 2 * plies
                low, top = -2 * WIN, todo[0]
                for index, branch in enumerate(todo):
                    found = self._value(branch, plies, low, 2 * WIN, 0, index)
                    if found > low:
                        low, top = found, branch
                        # The first branch is the best of the round before: whatever beats it is better known now.
                        best, value = branch, found
                todo.remove(top)
                todo.insert(0, top)
                reached = plies
                if abs(low) > CERTAIN:
                    break
        except OutOfTimeError:
            pass
        return Found(best, value, reached, len(self._nodes))

    def _value(self, branch: Branch, depth: int, alpha: float, beta: float, ply: int, index: int) -> float:
        """The value of one branch at *ply*: a full window for the first, for others first a narrow one."""
        if branch.over:
            return at_ply(branch.value, ply)
        if branch.state in self._seen:
            # "If a position recurs with the same player to move, the match is a draw."
            return DRAW
        self._seen.add(branch.state)
        try:
            if not index:
                return -self._search(branch.state, depth - 1, -beta, -alpha, ply + 1)
            less = 1 if index >= 3 and depth >= 3 else 0
            value = -self._search(branch.state, depth - 1 - less, -alpha - _NARROW, -alpha, ply + 1)
            if value > alpha and (less or value < beta):
                value = -self._search(branch.state, depth - 1, -beta, -alpha, ply + 1)
            return value
        finally:
            self._seen.discard(branch.state)

    def _open(self, state: Hashable) -> Node:
        if self._expired() or len(self._nodes) >= _MOST_NODES:
            raise OutOfTimeError
        branches = self._mind.branches(state, self._width, self._expired)
        if self._expired():
            raise OutOfTimeError  # they may not be all
        node = self._nodes[state] = Node(branches)
        return node

    def _expired(self) -> bool:
        return self._clock() > self._until

    def _search(self, state: Hashable, depth: int, alpha: float, beta: float, ply: int) -> float:
        """The value of *state*, at *ply*, for its mover, *depth* plies deep."""
        node = self._nodes.get(state)
        if node is None:
            node = self._open(state)
        elif node.depth >= depth:
            value = at_ply(node.value, ply)
            if not node.bound or (value >= beta if node.bound > 0 else value <= alpha):
                return value
        if node.hopes <= 2 and ply < self._horizon and depth == 1:
            depth = 2  # all moves but two lose: what follows is forced, and costs little to see
        todo = node.branches
        if depth <= 1:
            node.depth, node.value, node.bound, node.best = 1, todo[0].value, 0, todo[0]
            return at_ply(node.value, ply)
        if node.best is not None and node.best is not todo[0]:
            todo = [node.best, *(branch for branch in todo if branch is not node.best)]
        low, value, best = alpha, -2 * WIN, todo[0]
        for index, branch in enumerate(todo):
            found = self._value(branch, depth, alpha, beta, ply, index)
            if found > value:
                value, best = found, branch
            if found > alpha:
                alpha = found
                if alpha >= beta:
                    break
        node.depth, node.best = depth, best
        node.bound = 1 if value >= beta else -1 if value <= low else 0
        node.value = at_ply(value, -ply)
        return value
