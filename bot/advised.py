"""The computer's advice in words and marks: a hint with its reason, the course of a match with its turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.boards import ALT_LENGTH, Boards
from bot.guided import one_move
from bot.messages import Code, Picture, Span, Text
from bot.replies import Hinted, LookedBack
from bot.texts import Texts, joined, plain
from renderers.scene import Course, CourseTurn, Scene
from rules.core import Position, Side
from rules.match import Match

_FOR_THE_END: Final = "wins"


class Advised:
    """Words and pictures for `bot.replies.Hinted` and `bot.replies.LookedBack`."""

    def __init__(self, texts: Texts, boards: Boards) -> None:
        self._texts = texts
        self._boards = boards

    def hint(self, language: str, hinted: Hinted) -> tuple[Span, ...]:
        """The move, and in one sentence why, with numbers."""
        opinion, game = hinted.opinion, hinted.stored.match.game.key
        move = self._texts.say(language, "hint.move", move=Code(opinion.move))
        why = self._texts.say(
            language, f"hint.{game}.{opinion.kind}", n=max(1, opinion.count), threat=Code(opinion.threat)
        )
        if opinion.kind == _FOR_THE_END:
            return joined((move, why), " ")
        own = self._texts.say(language, f"hint.own.{game}", n=opinion.own)
        theirs = self._texts.say(language, f"hint.theirs.{game}", count=opinion.theirs)
        return joined((move, why, (*own, Text(", "), *theirs, Text("."))), " ")

    def turns(self, language: str, looked: LookedBack) -> tuple[Span, ...]:
        """The turning points, one a line; or that there was none."""
        match = looked.stored.match
        if not looked.turns:
            return self._texts.say(language, "lookback.no-turn")
        lines = [
            self._texts.say(
                language,
                "lookback.turn",
                number=str(number),
                ply=turn.ply + 1,
                side=self._boards.side(language, match, match.record.positions[turn.ply].to_move),
                played=Code(turn.played),
                best=Code(turn.best),
                loss=round(100 * turn.loss),
            )
            for number, turn in enumerate(looked.turns, 1)
        ]
        return joined(tuple(lines))

    def picture(self, language: str, looked: LookedBack, theme: str) -> Picture:
        """The curve, and under it the boards of the turns with the best move drawn."""
        stored = looked.stored
        match = stored.match
        turns = []
        for turn in looked.turns:
            record = match.record.upto(turn.ply)
            scene = self._boards.scene(language, stored, theme, record)
            label = self._texts.plain(language, "lookback.label", ply=turn.ply + 1, played=turn.played, best=turn.best)
            turns.append(CourseTurn(turn.ply, label, self._marked(scene, record.position, turn.best)))
        title = self._texts.plain(language, "lookback.title", title=self._boards.title(language, match))
        course = Course(looked.chances, title, tuple(turns))
        scene = self._boards.lookback(language, stored, theme, course)
        return Picture(scene, self._alt(language, looked, match))

    def _marked(self, scene: Scene, position: Position, move: str) -> Scene:
        """The board with *move* marked as in a hint, and without the move before it."""
        marks = one_move(position, move)
        return replace(scene, moved=(), added=(), removed=(), mover=0, dots=marks.dots, selected=marks.selected)

    def _alt(self, language: str, looked: LookedBack, match: Match) -> str:
        """The curve in words: every tenth move's chance of the first side."""
        step = max(1, len(looked.chances) // 10)
        told = ", ".join(
            f"{ply}: {round(100 * chance)} %"
            for ply, chance in enumerate(looked.chances)
            if ply % step == 0 or ply == len(looked.chances) - 1
        )
        said = self._texts.plain(
            language, "lookback.alt", side=self._boards.side(language, match, Side.FIRST), course=told
        )
        return f"{said} {plain(self.turns(language, looked))}"[:ALT_LENGTH]
