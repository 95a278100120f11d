"""Both games a second time, slow and obvious, on sets of cell names: what the fast rules are compared with.

Written from the rules' sentences alone. Shares nothing with `rules`: no bits, no geometry, no notation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

Cells = frozenset[str]
DIRECTIONS = ("E", "W", "NE", "NW", "SE", "SW")


def cell_key(name: str) -> tuple[str, int]:
    """The notation's order: lower letter first, then the lower number."""
    return name[0], int(name[1:])


def parts(cells: Iterable[str], near: Callable[[str], Cells]) -> list[Cells]:
    """The maximal connected subsets of *cells*."""
    rest = set(cells)
    found = []
    while rest:
        part = {rest.pop()}
        border = set(part)
        while border:
            border = {cell for inner in border for cell in near(inner)} & rest
            part |= border
            rest -= border
        found.append(frozenset(part))
    return found


def part_with(cell: str, cells: Iterable[str], near: Callable[[str], Cells]) -> Cells:
    """The connected part of *cells* that holds *cell*."""
    return next(part for part in parts(cells, near) if cell in part)


# ---------------------------------------------------------------- Ayu


@cache
def points(size: int) -> Cells:
    return frozenset(f"{chr(96 + column)}{row}" for column in range(1, size + 1) for row in range(1, size + 1))


@cache
def point_neighbours(size: int, name: str) -> Cells:
    letter, number = cell_key(name)
    beside = [
        (ord(letter) + 1, number),
        (ord(letter) - 1, number),
        (ord(letter), number + 1),
        (ord(letter), number - 1),
    ]
    return frozenset(f"{chr(column)}{row}" for column, row in beside) & points(size)


@dataclass(frozen=True)
class Ayu:
    """A position of Ayu: *stones* by side (1, 2)."""

    size: int
    stones: dict[int, Cells]
    to_move: int = 1

    @classmethod
    def opening(cls, size: int) -> Ayu:
        black = {f"{chr(96 + column)}{row}" for column in range(2, size + 1, 2) for row in range(1, size + 1, 2)}
        white = {f"{chr(96 + column)}{row}" for column in range(1, size + 1, 2) for row in range(2, size + 1, 2)}
        return cls(size, {1: frozenset(black), 2: frozenset(white)})

    def near(self, name: str) -> Cells:
        return point_neighbours(self.size, name)

    def border(self, cells: Cells) -> Cells:
        return frozenset(name for cell in cells for name in self.near(cell)) - cells

    @property
    def own(self) -> Cells:
        return self.stones[self.to_move]

    @property
    def empty(self) -> Cells:
        return points(self.size) - self.stones[1] - self.stones[2]

    def unit(self, stone: str) -> Cells:
        return part_with(stone, self.own, self.near)

    def distances(self, unit: Cells) -> dict[Cells, int]:
        """Other friendly units that *unit* can reach -> the length of the shortest path of empty points."""
        others = [other for other in parts(self.own, self.near) if other != unit]
        found: dict[Cells, int] = {}
        layer, seen, length = unit, set(unit), 0
        while layer:
            beside = self.border(layer)
            for other in others:
                if beside & other and other not in found:
                    found[other] = length
            layer = (beside & self.empty) - seen
            seen |= layer
            length += 1
        return found

    def after(self, origin: str, goal: str) -> Ayu:
        """The position with the stone moved, still the mover's turn: for looking at it."""
        moved = self.own - {origin} | {goal}
        return Ayu(self.size, {**self.stones, self.to_move: moved}, self.to_move)

    def is_legal(self, origin: str, goal: str) -> bool:
        if origin not in self.own or goal not in self.empty:
            return False
        unit = self.unit(origin)
        if goal not in self.border(unit):
            return False
        after = self.after(origin, goal)
        moved = after.unit(goal)
        if not unit - {origin} <= moved:
            return False
        before = self.distances(unit)
        if not before:
            return False
        has_joined = bool(moved - unit - {goal})
        return has_joined or min(after.distances(moved).values()) < min(before.values())

    def moves(self) -> dict[str, Ayu]:
        """All legal moves, written -> the position after it."""
        found = {}
        for origin in self.own:
            for goal in self.border(self.unit(origin)) & self.empty:
                if self.is_legal(origin, goal):
                    found[f"{origin}-{goal}"] = Ayu(self.size, self.after(origin, goal).stones, 3 - self.to_move)
        return found

    def ending(self) -> tuple[str, int | None] | None:
        """(why, winner) if the game is over."""
        return None if self.moves() else ("no-moves", self.to_move)

    def diagram(self) -> str:
        signs = {**dict.fromkeys(self.stones[1], "1"), **dict.fromkeys(self.stones[2], "2")}
        letters = [chr(97 + column) for column in range(self.size)]
        return "/".join("".join(signs.get(f"{x}{y}", ".") for x in letters) for y in range(self.size, 0, -1))


# ---------------------------------------------------------------- Volo


def row_width(edge: int, row: int) -> int:
    """Places in row number *row* (0 = `a`), corners and centre included."""
    return edge + min(row, 2 * edge - 2 - row)


@cache
def holes(edge: int) -> Cells:
    """The six corners and the centre."""
    last = 2 * edge - 2
    corners = [(row, number) for row in (0, edge - 1, last) for number in (1, row_width(edge, row))]
    return frozenset(f"{chr(97 + row)}{number}" for row, number in [*corners, (edge - 1, edge)])


@cache
def places(edge: int) -> Cells:
    rows = range(2 * edge - 1)
    return frozenset(f"{chr(97 + row)}{number}" for row in rows for number in range(1, row_width(edge, row) + 1))


@cache
def spaces(edge: int) -> Cells:
    return places(edge) - holes(edge)


@cache
def step(edge: int, name: str, direction: str) -> str | None:
    """The place one step on, None beyond the board."""
    letter, number = cell_key(name)
    row = ord(letter) - 97
    middle = edge - 1
    if direction in ("E", "W"):
        number += 1 if direction == "E" else -1
    elif direction in ("NE", "NW"):
        number += (direction == "NE") if row < middle else -(direction == "NW")
        row += 1
    else:
        number += (direction == "SE") if row > middle else -(direction == "SW")
        row -= 1
    reached = f"{chr(97 + row)}{number}"
    return reached if reached in places(edge) else None


@cache
def space_neighbours(edge: int, name: str) -> Cells:
    return frozenset(reached for way in DIRECTIONS if (reached := step(edge, name, way)) is not None) & spaces(edge)


@dataclass(frozen=True)
class Flying:
    """What a flight of *birds*, *count* steps in *direction*, would do, the clearing left out."""

    birds: Cells
    direction: str
    count: int
    goal: Cells
    """Where the birds arrive; fewer than birds if some leave the board."""
    blocked: Cells
    """Places on the way or at the end that are holes or hold other birds."""
    off: bool
    """Some bird leaves the board."""


@dataclass(frozen=True)
class Volo:
    """A position of Volo: *birds* by side (1, 2), and how many passes led here."""

    size: int
    birds: dict[int, Cells]
    to_move: int = 1
    passes: int = 0

    @classmethod
    def opening(cls, size: int) -> Volo:
        orange, blue = {
            6: ("j2 f10 b2", "j6 b6 f2"),
            7: ("l2 g12 b2", "l7 b7 g2"),
            8: ("n2 h14 b2", "n8 b8 h2"),
        }[size]
        return cls(size, {1: frozenset(orange.split()), 2: frozenset(blue.split())})

    def near(self, name: str) -> Cells:
        return space_neighbours(self.size, name)

    @property
    def own(self) -> Cells:
        return self.birds[self.to_move]

    @property
    def foreign(self) -> Cells:
        return self.birds[3 - self.to_move]

    @property
    def empty(self) -> Cells:
        return spaces(self.size) - self.birds[1] - self.birds[2]

    def flock(self, bird: str) -> Cells:
        return part_with(bird, self.own, self.near)

    def regions(self, side: int) -> list[Cells]:
        """The regions of *side*, by their first space."""
        found = [part for part in parts(self.empty | self.birds[side], self.near) if part & self.birds[side]]
        return sorted(found, key=lambda region: min(map(cell_key, region)))

    def additions(self) -> Cells:
        if len(self.own) >= len(spaces(self.size)) // 2:
            return frozenset()
        mine = frozenset[str]().union(*self.regions(self.to_move))
        return frozenset(name for name in self.empty & mine if not self.near(name) & self.own)

    def lines(self) -> set[Cells]:
        """Each own bird and each straight unbroken line of own birds."""
        found = set()
        for bird in self.own:
            for way in DIRECTIONS:
                line, last = {bird}, step(self.size, bird, way)
                found.add(frozenset(line))
                while last in self.own:
                    line.add(last)
                    found.add(frozenset(line))
                    last = step(self.size, last, way)
        return found

    def flying(self, birds: Cells, direction: str, count: int) -> Flying:
        goal, blocked, off = set(), set(), False
        others = (self.own | self.foreign) - birds
        for bird in birds:
            place: str | None = bird
            for _ in range(count):
                place = None if place is None else step(self.size, place, direction)
                if place is not None and place in others | holes(self.size):
                    blocked.add(place)
            if place is None:
                off = True
            else:
                goal.add(place)
        return Flying(birds, direction, count, frozenset(goal), frozenset(blocked), off)

    def flown(self, flying: Flying) -> Volo:
        """The position with the birds moved, still the mover's turn: for looking at it."""
        own = self.own - flying.birds | flying.goal
        return Volo(self.size, {self.to_move: own, 3 - self.to_move: self.foreign}, self.to_move)

    def left_behind(self, flying: Flying) -> Cells:
        """Birds of the flock that would no longer be one flock with those that flew."""
        flock = self.flock(next(iter(flying.birds)))
        return flock - flying.birds - self.flown(flying).flock(next(iter(flying.goal)))

    def joins(self, flying: Flying) -> bool:
        flock = self.flock(next(iter(flying.birds)))
        return bool(self.flown(flying).flock(next(iter(flying.goal))) & self.own - flock)

    def is_flight(self, flying: Flying) -> bool:
        if flying.blocked or flying.off:
            return False
        return not self.left_behind(flying) and self.joins(flying)

    def choices(self, flying: Flying) -> list[Cells]:
        """The opponent's regions to choose from; empty if there is no choice."""
        flown = self.flown(flying)
        regions = flown.regions(3 - self.to_move)
        is_united = len(parts(flown.own, self.near)) == 1
        return [] if len(regions) < 2 or is_united else regions

    def flights(self) -> list[Flying]:
        found = []
        for birds in self.lines():
            for way in DIRECTIONS:
                for count in range(1, 2 * self.size):
                    flying = self.flying(birds, way, count)
                    if flying.blocked or flying.off:
                        break
                    if self.is_flight(flying):
                        found.append(flying)
        return found

    def moves(self) -> dict[str, Volo]:
        """All legal moves, written -> the position after it."""
        if self.ending():
            return {}
        found = {}
        other = 3 - self.to_move
        additions = self.additions()
        for name in additions:
            found[name] = Volo(self.size, {self.to_move: self.own | {name}, other: self.foreign}, other)
        for flying in self.flights():
            ends = sorted(flying.birds, key=cell_key)
            piece = ends[0] if len(ends) == 1 else f"{ends[0]}:{ends[-1]}"
            text = f"{piece}-{flying.direction}{flying.count}"
            own = self.flown(flying).own
            choices = self.choices(flying)
            for region in choices:
                kept = {self.to_move: own, other: self.foreign & region}
                found[f"{text}/{min(region, key=cell_key)}"] = Volo(self.size, kept, other)
            if not choices:
                found[text] = Volo(self.size, {self.to_move: own, other: self.foreign}, other)
        theirs = frozenset[str]().union(*self.regions(other))
        if not found or (additions and not additions & theirs):
            found["pass"] = Volo(self.size, self.birds, other, self.passes + 1)
        return found

    def ending(self) -> tuple[str, int | None] | None:
        """(why, winner) if the game is over; winner None for a draw."""
        mover = 3 - self.to_move
        if len(parts(self.birds[mover], self.near)) == 1:
            return "one-flock", mover
        if len(parts(self.birds[self.to_move], self.near)) == 1:
            return "one-flock-by-clearing", self.to_move
        return ("double-pass", None) if self.passes == 2 else None

    def diagram(self) -> str:
        signs = {**dict.fromkeys(self.birds[1], "1"), **dict.fromkeys(self.birds[2], "2")}
        signs |= dict.fromkeys(holes(self.size), "#")
        rows = []
        for row in reversed(range(2 * self.size - 1)):
            names = [f"{chr(97 + row)}{number}" for number in range(1, row_width(self.size, row) + 1)]
            rows.append("".join(signs.get(name, ".") for name in names))
        return "/".join(rows)


Reference = Ayu | Volo


def opening(game: str, size: int) -> Reference:
    """The opening of *game*."""
    return Ayu.opening(size) if game == "ayu" else Volo.opening(size)


def replay(game: str, size: int, moves: Iterable[str]) -> Reference:
    """The position after *moves* in canonical writing, each of which must be legal."""
    position = opening(game, size)
    for text in moves:
        position = position.moves()[text]
    return position
