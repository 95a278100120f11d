"""The guided move in words and marks: the question, the labels of its options, what the picture shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.boards import Boards, Marks
from bot.guide import GROUP
from bot.messages import Bold, Code, Span, Text
from bot.replies import GuideStep, Option
from bot.texts import Texts, joined
from rules.core import Move, Position, Step, StepKind

SUMMARY_LENGTH: Final = 700
"""Characters of moves in one message: with the rest of it they fit under a picture everywhere."""

_ACTIONS: Final = frozenset({"add", "fly", "pass"})


class Guided:
    """Words and marks for `bot.replies.GuideStep`."""

    def __init__(self, texts: Texts, boards: Boards) -> None:
        self._texts = texts
        self._boards = boards

    def question(self, language: str, step: GuideStep) -> tuple[Span, ...]:
        """What to choose now, after what was chosen so far."""
        game = step.stored.match.game.key
        kind = _kind(step)
        asked = self._texts.say(language, f"guide.{game}.{kind}")
        chosen = [text for text in step.chosen if not text.endswith(GROUP)]
        # A bird that flies alone is chosen twice: as the bird, and as what flies.
        told = [text for place, text in enumerate(chosen) if text not in chosen[:place]]
        words = " ".join(self._word(language, text) for text in told)
        return joined(((Bold(words),) if words else (), asked))

    def label(self, language: str, step: GuideStep, option: Option) -> str:
        """What the option's button says."""
        if option.text.endswith(GROUP):
            return self._texts.plain(language, "guide.group", letter=option.text[: -len(GROUP)])
        if step.kind is StepKind.REGION:
            position = step.stored.match.record.position
            staying = _staying(position, step)
            birds = position.board.bits(staying[option.text]) & position.pieces(position.to_move.other)
            number = list(staying).index(option.text) + 1
            return self._texts.plain(language, "guide.region", n=number, cell=option.text, birds=birds.bit_count())
        return self._word(language, option.text)

    def per_row(self, step: GuideStep) -> int:
        """How many options stand side by side."""
        if step.kind is StepKind.REGION:
            return 3
        longest = max((len(option.text) for option in step.options), default=1)
        return 5 if longest <= 3 else 3 if longest <= 8 else 2

    def marks(self, step: GuideStep) -> Marks:
        """What the picture marks: the options, and what was chosen."""
        position = step.stored.match.record.position
        moves = [position.read(text) for text in step.candidates]
        if step.kind is StepKind.REGION:
            return replace(region_marks(position, moves), regions=tuple(_staying(position, step).values()))
        if step.kind is StepKind.GOAL:
            return Marks(dots=_texts(position, moves, StepKind.GOAL), selected=_origins(position, moves[:1]))
        if step.kind is StepKind.PIECE:
            return Marks(dots=_origins(position, moves))
        return self.all_moves(position, moves)

    def all_moves(self, position: Position, moves: list[Move] | None = None) -> Marks:
        """What can be played: the goals of stones; the free spaces and the birds that can fly."""
        known = list(position.legal_moves()) if moves is None else moves
        goals: dict[str, None] = {}
        for move in known:
            steps = position.steps(move)
            wanted = StepKind.CELL if steps[0].kind is StepKind.ACTION else StepKind.GOAL
            goals.update((step.text, None) for step in steps if step.kind is wanted)
        return Marks(dots=tuple(goals))

    def summary(self, language: str, position: Position) -> tuple[Span, ...]:
        """All legal moves, those of one piece together, as many as fit under a picture."""
        by_piece: dict[tuple[str, ...], list[str]] = {}
        for steps in sorted((position.steps(move) for move in position.legal_moves()), key=_step_order):
            piece = tuple(step.text for step in steps[:-1])
            if any(step.kind is StepKind.PIECE for step in steps):
                piece = piece[2:]  # the piece names its first cell, and that it flies
            by_piece.setdefault(piece, []).append(steps[-1].text)
        lines: list[tuple[Span, ...]] = []
        length = left = 0
        for piece, goals in by_piece.items():
            words = " ".join(self._word(language, text) for text in piece)
            name = Bold(words) if piece and piece[0] in _ACTIONS else Code(words)
            line = ((name, Text(" ")) if words else ()) + (Text(" ".join(self._word(language, g) for g in goals)),)
            length += len(words) + sum(len(goal) + 1 for goal in goals)
            if length > SUMMARY_LENGTH:
                left += len(goals)
            else:
                lines.append(line)
        if left:
            lines.append(self._texts.say(language, "moves.more", n=left))
        return joined(tuple(lines), " · ")

    def _word(self, language: str, text: str) -> str:
        return self._texts.plain(language, f"guide.action.{text}") if text in _ACTIONS else text


def one_move(position: Position, text: str) -> Marks:
    """One move before it is made: what would move, and where to."""
    change = position.change(position.read(text))
    return Marks(
        dots=(*change.added, *(goal for _, goal in change.moved)),
        selected=tuple(origin for origin, _ in change.moved),
    )


def _step_order(steps: tuple[Step, ...]) -> list[tuple[str, int, str]]:
    """By step, cells in cell order."""
    return [(step.text[:1], len(step.text), step.text) for step in steps]


def _kind(step: GuideStep) -> str:
    grouped = all(option.text.endswith(GROUP) for option in step.options)
    if grouped and step.options:
        return "group"
    if step.kind is StepKind.CELL:
        # Where a bird is added or which one flies is chosen by a cell either way; the question differs.
        return "-".join(["cell", *(text for text in step.chosen if text in _ACTIONS)])
    return step.kind.value


def _texts(position: Position, moves: list[Move], kind: StepKind) -> tuple[str, ...]:
    found = {step.text: None for move in moves for step in position.steps(move) if step.kind is kind}
    return tuple(found)


def _origins(position: Position, moves: list[Move]) -> tuple[str, ...]:
    """The pieces that the *moves* take along."""
    return tuple({origin: None for move in moves for origin, _ in position.change(move).moved})


def region_marks(position: Position, moves: list[Move]) -> Marks:
    """One flight, shown as flown, with the region that each of *moves* lets stay: its choices."""
    return Marks(regions=tuple(_region(position, move) for move in moves), moved=position.change(moves[0]).moved)


def _staying(position: Position, step: GuideStep) -> dict[str, tuple[str, ...]]:
    """The region that each option lets stay, in the order of the options: buttons and picture number them alike."""
    moves = [position.read(text) for text in step.candidates]
    regions = {_kept(position, move): _region(position, move) for move in moves}
    return {option.text: regions[option.text] for option in step.options}


def _region(position: Position, move: Move) -> tuple[str, ...]:
    """The cells of the region that stays after *move*."""
    after, board = position.play(move), position.board
    kept = board.bit(_kept(position, move))
    return board.names(board.flood(kept, board.full & ~after.pieces(position.to_move)))


def _kept(position: Position, move: Move) -> str:
    """The choice of *move*: the first cell of the region that stays."""
    return next(step.text for step in position.steps(move) if step.kind is StepKind.REGION)
