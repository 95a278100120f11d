"""The board in plain characters."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers.png import SceneError
from renderers.scene import Card, CardState, Scene
from renderers.text import board_text
from tests.renderers.scenes import ALL_BOARDS, ayu, board, cleared, opening, volo, walled

AYU = """\
> X  Александра К. - To move · 7 units
  O  José Núñez - 7 units

11  . . . . . . . . . X .
10  O O O X O O . . O O O
 9  . . O X O X X X X X .
 8  . X O X X X . X . . .
 7  O X X X . . O . . . O
 6  O X . . . ' O . . . O
 5  . . . . X X O(O)O X O
 4  . . . . . . . . . X O
 3  O . X X . . . . . X O
 2  O O O O O O . . . X .
 1  . X . . X X X X . . .
    a b c d e f g h i j k"""

VOLO = """\
  O  Ana - 12 flocks · 22 birds
> B  Бо - To move · 10 flocks · 20 birds

 m        # . . . . . #
 l       . O B O . . . .
 k      O(O)B B . . . . .
 j     B(O). . O O . . . .
 i    .(O)B O B . O . . . .
 h   B ' . . . . B . . . . .
 g  # B . . . . # B B O . . #
 f   B B . . . . . O . . . .
 e    O . . B . . . . . . .
 d     . . O O . . B . O .
 c      . . B . . O . B .
 b       . O O . . O B O
 a        # O . . B B #"""


def test_ayu() -> None:
    assert board_text(ayu()) == AYU


def test_volo() -> None:
    assert board_text(volo()) == VOLO


def test_turned() -> None:
    lines = board_text(replace(ayu(), flipped=True)).split("\n")
    straight = AYU.split("\n")
    assert lines[-1].split() == list("kjihgfedcba")
    assert lines[3] == " 1  " + straight[13][4:][::-1]


def row(scene: Scene, name: str) -> str:
    """The row called *name*."""
    return next(line for line in board_text(scene).split("\n")[3:] if line.split()[0] == name)


def test_marks() -> None:
    scene = replace(ayu(), moved=(), dots=("a1", "b1"), numbered=("c1", "d1"), selected=("e1", "f1"))
    assert row(scene, "1") == " 1  *{X}1 2[X|X]X X . . ."
    assert row(replace(ayu(), barred=("a1", "b1", "g1", "i1"), dots=("i1",)), "1") == " 1  ->X<. . X X>X<X * . ."
    assert row(cleared(), "e").split() == ["e", ".", ".", ".", "'", ".", "x", ".", ".", "x", ".", "."]
    assert "(O)" in row(cleared(), "d")
    assert "(O)" in row(replace(volo(), moved=(), added=("l2",)), "l")
    assert "3" in "".join(board_text(walled()).split("\n")[3:])


def test_two_digits_take_the_room_of_their_gap() -> None:
    scene = replace(ayu(), first=(), second=(), moved=(), numbered=tuple(f"{c}{n}" for n in (1, 2) for c in "abcdef"))
    assert row(scene, "2") == " 2  7 8 9 101112. . . . ."


def test_cards_say_who_won_and_hold_no_line_break() -> None:
    cards = Card("A\nna\u202e", "Won\r\n", CardState.WON), Card("\u3164", "", fallback="Бо")
    lines = board_text(replace(ayu(), cards=cards)).split("\n")
    assert lines[:3] == ["# X  A na - Won", "  O  Бо", ""]


@pytest.mark.parametrize(("game", "size"), ALL_BOARDS)
def test_every_cell_has_its_place(game: str, size: int) -> None:
    scene, cells = opening(game, size), board(game, size)
    text = board_text(scene).split("\n")[3 : 3 + len(cells.rows)]
    signs = "".join(text)
    free = len(cells.cells) - len(scene.first) - len(scene.second)
    assert signs.count(".") == free
    assert signs.count("#") == len(cells.holes)
    assert all(line == line.rstrip() for line in text)


def test_what_makes_no_sense_is_refused() -> None:
    for scene in (replace(ayu(), game="chess"), replace(ayu(), size=4), replace(ayu(), dots=("a99",))):
        with pytest.raises(SceneError):
            board_text(scene)
