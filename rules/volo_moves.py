"""Volo's moves as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Addition:
    """One bird is added on *cell*, a bit of the board."""

    cell: int


@dataclass(frozen=True, slots=True)
class Flight:
    """One bird or a straight line of them flies: *birds* are left, *goal* is reached, both as bits.

    *stays* is the first cell of the opponent's region that the mover lets stay, 0 where there is nothing to choose.
    """

    birds: int
    goal: int
    stays: int = 0


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is moved."""


VoloMove = Addition | Flight | Pass
