"""Volo's arithmetic: flocks, regions, flights and legal moves on sets of spaces as bits. Knows no position, no text.

What depends on one flock alone (its neighbours, the flights that its own shape allows) is worked out once and
remembered by the flock's bits; a position then only compares these candidates with the other birds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rules.board import Board, each_bit, hexagon
from rules.volo_moves import Addition, Flight, Pass, VoloMove

MOST_SHAPES: Final = 3_000
"""How many flocks' shapes are remembered for one size before all are forgotten: some 25 MB, most for large flocks."""
MOST_SIDES: Final = 20_000
"""The same for the flocks of one side: some 6 MB."""


@dataclass(frozen=True, slots=True)
class Ray:
    """One way of a single bird: *path* are the spaces passed and reached."""

    path: int
    flight: Flight


@dataclass(frozen=True, slots=True)
class Heading:
    """A vector: *count* times in the direction *name* ("NE"), that moves a bit by *step*."""

    name: str
    step: int
    count: int


@dataclass(frozen=True, slots=True)
class Shape:
    """What one flock can do by its own shape: its *border*, its candidates and the union of their new spaces.

    A candidate is (new spaces, new spaces passed and reached, birds, goal); it stays on the board and keeps the flock
    one, if nothing is in the way. A single bird has no candidates but the rays of its space.
    """

    border: int
    candidates: tuple[tuple[int, int, int, int], ...]
    reach: int


class Sky:
    """What is the same for all positions of one size: the board, tables of its geometry, and the bounded memory."""

    __slots__ = (
        "_flocks",
        "_open_arcs",
        "_shapes",
        "additions",
        "board",
        "directions",
        "half",
        "headings",
        "rays",
        "reach",
        "ring",
    )

    def __init__(self, board: Board) -> None:
        stride = board.stride
        self.board: Final = board
        self.half: Final = len(board.cells) // 2
        """Birds of each player, on the board or in hand."""
        self.directions: Final = {
            "E": 1,
            "W": -1,
            "NE": stride + 1,
            "NW": stride,
            "SE": -stride,
            "SW": -stride - 1,
        }
        """How far a bit moves with one step."""
        self.additions: Final = {bit: Addition(bit) for bit in each_bit(board.full)}
        self.rays: Final = {bit: self._rays(bit) for bit in each_bit(board.full)}
        """Space -> goal of a single bird -> its way, as if the sky were empty."""
        self.headings: Final = self._headings()
        """(from, to) -> how one flies there, for each space and place on one line, whatever lies between."""
        self.reach: Final = {bit: sum(rays) for bit, rays in self.rays.items()}
        """Space -> all goals of a single bird."""
        around = (1, stride + 1, stride, -1, -stride - 1, -stride)
        self.ring: Final = {
            bit: tuple(shift(bit, step) & board.full for step in around) for bit in each_bit(board.full)
        }
        """Space -> its neighbours one after the other around it, 0 for what is no space."""
        self._shapes: dict[int, Shape] = {}
        self._flocks: dict[int, tuple[int, ...]] = {}
        self._open_arcs: dict[tuple[int, int], bool] = {}

    def _headings(self) -> dict[tuple[int, int], Heading]:
        # The centre is no space, but whoever names a goal beyond it has named a direction all the same.
        places = self.board.full | sum(self.board.holes.values())
        headings = {}
        for bit in each_bit(self.board.full):
            for name, step in self.directions.items():
                goal = shift(bit, step)
                count = 1
                while goal & places:
                    headings[bit, goal] = Heading(name, step, count)
                    goal = shift(goal, step)
                    count += 1
        return headings

    def _rays(self, bit: int) -> dict[int, Ray]:
        rays = {}
        for step in self.directions.values():
            goal = shift(bit, step)
            path = 0
            while goal & self.board.full:
                path |= goal
                rays[goal] = Ray(path, Flight(bit, goal))
                goal = shift(goal, step)
        return rays

    def forget(self) -> None:
        """Empty the memory: the next calls take their full time."""
        self._shapes.clear()
        self._flocks.clear()
        self._open_arcs.clear()

    def flocks(self, birds: int) -> tuple[int, ...]:
        """The flocks of one side, by their first space."""
        # "A flock is a maximal connected set of birds of one colour; a single bird counts."
        known = self._flocks.get(birds)
        if known is None:
            if len(self._flocks) >= MOST_SIDES:
                self._flocks.clear()
            known = self._flocks[birds] = self.board.components(birds)
        return known

    def is_one_flock(self, birds: int) -> bool:
        """True if the side with these *birds* is united."""
        return bool(birds) and self.board.flood(birds & -birds, birds) == birds

    def regions(self, birds: int, opponent: int) -> tuple[int, ...]:
        """The regions of the side with these *birds*, by their first space."""
        # "A player's region is a connected set of spaces that are empty or hold his own birds, with at least one of his
        # birds in it."
        open_spaces = self.board.full & ~opponent
        regions = []
        rest = birds
        while rest:
            region = self.board.flood(rest & -rest, open_spaces)
            regions.append(region)
            rest &= ~region
        return tuple(sorted(regions, key=_first))

    def shape(self, flock: int) -> Shape:
        """What *flock* can do by its own shape."""
        known = self._shapes.get(flock)
        if known is None:
            if len(self._shapes) >= MOST_SHAPES:
                self._shapes.clear()
            known = self._shapes[flock] = self._shape_of(flock)
        return known

    def _shape_of(self, flock: int) -> Shape:
        board = self.board
        border = board.border(flock)
        if not flock & (flock - 1):
            return Shape(border, (), self.reach[flock])
        full = board.full
        spread = board.spread
        candidates = []
        reach = 0
        for birds in self._lines(flock):
            rest = flock ^ birds
            # "After the flight all birds of the flock it left must still be one flock": the goal touches each part that
            # stays behind.
            borders = [spread(part) for part in board.components(rest)]
            if not birds & (birds - 1):
                common = full & ~flock
                for near in borders:
                    common &= near
                if not common:
                    continue
            for step in self.directions.values():
                goal = birds
                path = 0
                while True:
                    goal = goal << step if step > 0 else goal >> -step
                    if goal & ~full or goal & rest:
                        break
                    new = goal & ~birds
                    path |= new
                    for near in borders:
                        if not near & goal:
                            break
                    else:
                        candidates.append((new, path, birds, goal))
                        reach |= new
        return Shape(border, tuple(candidates), reach)

    def _lines(self, flock: int) -> list[int]:
        """Each bird and each straight unbroken line of birds of *flock* ("also a part of a longer line")."""
        stride = self.board.stride
        lines = []
        for bird in each_bit(flock):
            lines.append(bird)
            for step in (1, stride, stride + 1):
                line = bird
                last = bird << step
                while last & flock:
                    line |= last
                    lines.append(line)
                    last <<= step
        return lines

    def spaces_to_add(self, own: int, opponent: int) -> int:
        """The spaces where the side *own* may add a bird, if it has one in hand."""
        # "Add one bird on an empty space that is not adjacent to a friendly bird and not in a region controlled by the
        # opponent." "A space is controlled by the opponent when it is in no region of yours."
        board = self.board
        return board.flood(own, board.full & ~opponent) & ~board.spread(own)

    def flights(self, own: int, opponent: int) -> list[tuple[int, int, Flight | None]]:
        """All flights of the side *own*: (birds, goal, its value if one is at hand); regions are not looked at."""
        flocks = self.flocks(own)
        if len(flocks) < 2:
            return []
        occupied = own | opponent
        shapes = [self.shape(flock) for flock in flocks]
        # "that flock must have joined at least one other flock": the goal touches another one. `once` are the spaces
        # beside one flock or more, `twice` those beside two or more.
        once = twice = 0
        for shape in shapes:
            twice |= once & shape.border
            once |= shape.border
        once &= ~occupied
        twice &= ~occupied
        flights: list[tuple[int, int, Flight | None]] = []
        for flock, shape in zip(flocks, shapes, strict=True):
            joining = (once & ~shape.border | twice) & shape.reach
            if not joining:
                continue
            if not flock & (flock - 1):
                rays = self.rays[flock]
                while joining:
                    goal = joining & -joining
                    joining ^= goal
                    ray = rays[goal]
                    # "Every space passed and reached must be empty"
                    if not ray.path & occupied:
                        flights.append((flock, goal, ray.flight))
                continue
            for new, path, birds, goal in shape.candidates:
                if new & joining and not path & occupied:
                    flights.append((birds, goal, None))
        return flights

    def moves(self, own: int, opponent: int) -> list[VoloMove]:
        """All legal moves of the side *own*, none twice; the game must not be over."""
        board = self.board
        to_add = 0
        moves: list[VoloMove] = []
        # "with an empty hand nothing can be added"
        if own.bit_count() < self.half:
            to_add = self.spaces_to_add(own, opponent)
            rest = to_add
            additions = self.additions
            while rest:
                bit = rest & -rest
                rest ^= bit
                moves.append(additions[bit])
        flights = self.flights(own, opponent)
        if flights:
            in_one_region = not opponent & ~board.flood(opponent & -opponent, board.full & ~own)
            harmless: dict[int, bool] = {}
            for birds, goal, value in flights:
                # If the opponent was in one region, only the new spaces can have cut it. Told as if the birds that flew
                # still stood: that errs on the side of looking closer, and the answer serves every flight of this
                # position to the same spaces.
                new = goal & ~birds
                is_harmless = harmless.get(new)
                if is_harmless is None:
                    is_harmless = in_one_region and self._cuts_nothing(board.full & ~(own | new), new)
                    harmless[new] = is_harmless
                choices = () if is_harmless else self.choices(own ^ birds | goal, opponent)
                if choices:
                    moves.extend(Flight(birds, goal, region & -region) for region in choices)
                else:
                    moves.append(value or Flight(birds, goal))
        if not moves or self.may_pass(to_add, own, opponent):
            moves.append(Pass())
        return moves

    def may_pass(self, to_add: int, own: int, opponent: int) -> bool:
        """True if the side *own*, which has another move, may pass all the same; *to_add* as by `spaces_to_add`."""
        # "Pass, only if … (b) there is at least one addition, and every addition is in your own region alone, that is
        # in no space that the opponent could reach."
        board = self.board
        if not to_add or to_add & board.spread(opponent):
            return False
        return not to_add & board.flood(opponent, board.full & ~own)

    def choices(self, after: int, opponent: int) -> tuple[int, ...]:
        """The opponent's regions to choose from after a flight has led to the birds *after*; empty for no choice."""
        # "if after a flight the opponent's birds lie in two or more of his regions, and the mover's birds are not all
        # one flock, the mover chooses the one region that STAYS"
        if not opponent & ~self.board.flood(opponent & -opponent, self.board.full & ~after):
            return ()
        return () if self.is_one_flock(after) else self.regions(opponent, after)

    def _cuts_nothing(self, open_spaces: int, new: int) -> bool:
        """True if the *open_spaces* beside *new* hang together without *new*."""
        near = self.board.spread(new) & open_spaces
        if not new & (new - 1) and self._is_one_arc(new, near):
            return True
        stride = self.board.stride
        reached = near & -near
        while near & ~reached:
            east = reached | reached << 1
            west = reached | reached >> 1
            wider = (east | west | east << stride | west >> stride) & open_spaces
            if wider == reached:
                return False
            reached = wider
        return True

    def _is_one_arc(self, space: int, near: int) -> bool:
        """True if *near*, neighbours of *space*, follow one another around it."""
        # At most 64 sets of neighbours for each space: needs no bound.
        key = space, near
        known = self._open_arcs.get(key)
        if known is None:
            is_open = [bool(neighbour & near) for neighbour in self.ring[space]]
            starts = sum(is_open[index] and not is_open[index - 1] for index in range(6))
            known = self._open_arcs[key] = starts <= 1
        return known


def shift(bits: int, step: int) -> int:
    """*bits* moved by *step* (see `Sky.directions`); nothing is cut off at the board's edge."""
    return bits << step if step > 0 else bits >> -step


def _first(bits: int) -> int:
    return bits & -bits


@lru_cache(maxsize=8)
def sky(edge: int) -> Sky:
    """The tables of the board with *edge* spaces an edge."""
    return Sky(hexagon(edge))
