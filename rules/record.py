"""A game as it was played: the moves and the positions they led to. Sees what one position cannot: repetition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.core import (
    Change,
    Ending,
    Game,
    IllegalMoveError,
    Move,
    Outcome,
    Position,
    Reason,
    Refusal,
    Side,
)


@dataclass(frozen=True, slots=True)
class Record:
    """The moves of one game and its positions: ``positions[n]`` stands before ``moves[n]``; the last one is current."""

    moves: tuple[Move, ...]
    positions: tuple[Position, ...]
    outcome: Outcome | None

    @classmethod
    def opening(cls, game: Game, size: int) -> Record:
        """The record without a move.

        :raises BadSizeError: if the game has no board of that size.
        """
        position = game.opening(size)
        return cls((), (position,), position.outcome())

    @classmethod
    def replay(cls, game: Game, size: int, moves: Iterable[str]) -> Record:
        """The record of *moves*, read leniently one after the other.

        :raises BadSizeError: if the game has no board of that size.
        :raises MoveError: for the first text that is no move in its place.
        """
        record = cls.opening(game, size)
        for text in moves:
            record = record.play(record.read(text))
        return record

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def to_move(self) -> Side:
        """The side whose turn it is (or would be, had the game not ended)."""
        return self.position.to_move

    @property
    def texts(self) -> tuple[str, ...]:
        """The moves in canonical writing."""
        return tuple(position.write(move) for position, move in zip(self.positions, self.moves, strict=False))

    @property
    def last_change(self) -> Change:
        """What the last move did to the board; nothing before the first."""
        return self.positions[-2].change(self.moves[-1]) if self.moves else Change()

    def read(self, text: str) -> Move:
        """The legal move that *text* means in the current position.

        :raises MoveError: as `Position.read`; with `Reason.GAME_OVER` after the end.
        """
        if self.outcome is not None:
            raise IllegalMoveError(Refusal(Reason.GAME_OVER))
        return self.position.read(text)

    def play(self, move: Move) -> Record:
        """The record with the legal *move* added.

        :raises IllegalMoveError: if it is not legal, or the game is over.
        """
        if self.outcome is not None:
            raise IllegalMoveError(Refusal(Reason.GAME_OVER))
        position = self.position.play(move)
        outcome = position.outcome()
        # "If a position recurs with the same player to move, the match is a draw. The opening position counts."
        if outcome is None and position.game.repetition_draws and position in self.positions:
            outcome = Outcome(Ending.REPETITION, None)
        return Record((*self.moves, move), (*self.positions, position), outcome)

    def upto(self, ply: int) -> Record:
        """The record of the first *ply* moves (0 to all); going on where a later move ended the game."""
        if ply >= len(self.moves):
            return self
        return Record(self.moves[:ply], self.positions[: ply + 1], None)
