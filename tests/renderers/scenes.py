"""Scenes to draw: one middle game of each game, and variations of it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from renderers.scene import Card, CardState, Course, CourseTurn, Scene
from rules import GAMES
from rules.board import Board

ALL_BOARDS: Final = [(game.key, size) for game in GAMES.values() for size in game.all_sizes]

_AYU: Final = (
    ".........1./222122..222/..21211111./.12111.1.../2111..2...2/21....2...2/....1122212/.........12/2.11.....12/"
    "222222...1./.1..1111..."
)
_VOLO: Final = (
    "#.....#/.121..../1122...../21..11..../.1212.1..../2.....2...../#2....#221..#/22.....1..../1..2......./"
    "..11..2.1./..2..1.2./.11..121/#1..22#"
)
WALL: Final = (*(f"g{n}" for n in range(2, 13) if n != 7), *(f"d{n}" for n in range(1, 11)))
"""Orange birds that cut the sky of edge 7 into three parts."""


def board(game: str, size: int) -> Board:
    """The empty board."""
    return GAMES[game].opening(size).board


def pieces(game: str, size: int, diagram: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cells of the two sides in *diagram*, rows from the top joined by ``/``."""
    rows = zip(board(game, size).rows, diagram.split("/"), strict=True)
    cells = [(name, sign) for names, signs in rows for name, sign in zip(names, signs, strict=True) if name]
    first, second = (tuple(name for name, sign in cells if sign == side) for side in "12")
    return first, second


def ayu(theme: str = "light") -> Scene:
    """A middle game on 11x11; White has just moved."""
    first, second = pieces("ayu", 11, _AYU)
    cards = Card("Александра К.", "To move · 7 units", CardState.TO_MOVE), Card("José Núñez", "7 units")
    return Scene("ayu", 11, cards, first, second, mover=2, moved=(("f6", "h5"),), theme=theme)


def volo(theme: str = "light") -> Scene:
    """A middle game of edge 7; a line of three orange birds has just flown one step in file."""
    first, second = pieces("volo", 7, _VOLO)
    cards = Card("Ana", "12 flocks · 22 birds"), Card("Бо", "To move · 10 flocks · 20 birds", CardState.TO_MOVE)
    moved = ("h2", "i2"), ("i2", "j2"), ("j2", "k2")
    return Scene("volo", 7, cards, first, second, mover=1, moved=moved, theme=theme)


def middle_game(game: str, theme: str = "light") -> Scene:
    """`ayu` or `volo`."""
    return ayu(theme) if game == "ayu" else volo(theme)


def empty_cells(scene: Scene) -> list[str]:
    """The free cells, in the order of the notation."""
    taken = {*scene.first, *scene.second}
    return [cell for cell in board(scene.game, scene.size).cells if cell not in taken]


def opening(game: str, size: int, theme: str = "light") -> Scene:
    """The opening position."""
    names = board(game, size).names
    position = GAMES[game].opening(size)
    first, second = (names(position.pieces(side)) for side in (position.to_move, position.to_move.other))
    cards = Card("Ana", "To move", CardState.TO_MOVE), Card("Бо", "")
    return Scene(game, size, cards, first, second, theme=theme)


def with_course(scene: Scene, turns: int = 3) -> Scene:
    """The course of a game that goes up and down, with so many turning points."""
    chances = tuple(0.5 + 0.4 * math.sin(ply / 7) * (1 if ply < 40 else ply / 60) for ply in range(64))
    places = (11, 33, 55)[:turns]
    found = tuple(CourseTurn(ply, f"{ply + 1}. b3-b4 · best g7-g8", with_hints(scene)) for ply in places)
    return replace(scene, course=Course((*chances, 1.0), "The course of the game", found))


def with_hints(scene: Scene) -> Scene:
    """Free cells and pieces that may be chosen, and chosen pieces."""
    return replace(
        scene, dots=(*empty_cells(scene)[::4], *scene.first[:4]), selected=scene.first[6:8], mover=0, moved=()
    )


def with_numbers(scene: Scene) -> Scene:
    """Free cells and pieces that may be chosen by number, one chosen piece."""
    return replace(
        scene, numbered=(*empty_cells(scene)[:12], *scene.second[:3]), selected=scene.second[5:6], mover=0, moved=()
    )


def with_barred(scene: Scene) -> Scene:
    """A chosen piece, free cells that may be chosen, and cells and pieces that may not."""
    free = empty_cells(scene)
    pieces_barred = (*scene.first[2:6], *scene.second[2:6])
    return replace(
        scene, dots=tuple(free[1::6]), barred=(*free[::4], *pieces_barred), selected=scene.first[8:9], mover=0, moved=()
    )


def won(scene: Scene) -> Scene:
    """The first side has won."""
    cards = replace(scene.cards[0], line="Winner", state=CardState.WON), replace(scene.cards[1], state=CardState.WAITS)
    return replace(scene, cards=cards, winners=scene.first, beaten=2)


def walled(theme: str = "light") -> Scene:
    """Three regions to choose from, in which the blue birds lie."""
    blue = ("l7", "m5", "j3", "e5", "e6", "b5", "a5")
    sky = board("volo", 7)
    free = sky.full & ~sky.bits(WALL)
    regions = tuple(sky.names(part) for part in sky.components(free))
    return replace(volo(theme), first=WALL, second=blue, mover=0, moved=(), regions=regions)


def cleared(theme: str = "light") -> Scene:
    """A wall has just been closed, and three blue birds were taken off."""
    blue = ("l7", "m5", "j3", "b5", "a5")
    return replace(volo(theme), first=WALL, second=blue, mover=1, moved=(("e4", "d4"),), removed=("e6", "f7", "e9"))
