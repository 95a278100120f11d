"""A match as a picture and as words about it: scene, captions, alternative text. From facts and texts alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.computers import computer_level
from bot.messages import Bold, Code, Mention, Picture, Span
from bot.names import shown_name
from bot.texts import Texts, joined, plain
from renderers.scene import Card, CardState, Course, Scene
from rules.actions import Event, EventKind, PersonId
from rules.core import Position, Side
from rules.match import Agreement, Match, Status
from rules.record import Record
from storage.base import StoredMatch, is_forgotten

ALT_LENGTH: Final = 1000
"""The narrowest platform's limit for a picture's alternative text."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What a picture shows beside the position.

    *dots* may be chosen, *barred* may not, *selected* is chosen, *regions* are to choose from. *moved* is a move that
    is still to be made (from, to): its pieces are shown where it would bring them.
    """

    dots: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    selected: tuple[str, ...] = ()
    regions: tuple[tuple[str, ...], ...] = ()
    moved: tuple[tuple[str, str], ...] = ()


class Boards:
    """Says and shows how a match stands."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    # ---- names -------------------------------------------------------------------------------------------------------

    def side(self, language: str, match: Match, side: Side) -> str:
        """What the side is called: "Black"."""
        return self._texts.plain(language, f"side.{match.game.key}.{side.value}")

    def title(self, language: str, match: Match) -> str:
        """What is played, on which board: "Ayu 11×11"."""
        return self._texts.plain(language, f"game.title.{match.game.key}", size=str(match.size))

    def person(self, language: str, stored: StoredMatch, person: PersonId | None) -> Span:
        """The person by name; where nobody sits yet, "somebody"; without a name, if he is forgotten."""
        if person is None:
            return Bold(self._texts.plain(language, "person.anybody"))
        if is_forgotten(person) or computer_level(person):
            return Bold(self.name(language, stored, person))
        return Mention(person, self.name(language, stored, person))

    def name(self, language: str, stored: StoredMatch, person: PersonId | None) -> str:
        """The person's name for a sentence or a card."""
        if level := computer_level(person):
            return self.computer(language, level)
        name = shown_name(stored.name_of(person))
        if name:
            return name
        if is_forgotten(person):
            return self._texts.plain(language, "person.forgotten")
        side = None if person is None else stored.match.side_of(person)
        if side is not None:
            return self.side(language, stored.match, side)
        return self._texts.plain(language, "person.anybody")

    def computer(self, language: str, level: int, *, on_card: bool = False) -> str:
        """What the computer is called that plays at *level*: a bird, and that it is the computer; shorter on a card."""
        bird = self._texts.plain(language, f"computer.{level}")
        if on_card:
            return self._texts.plain(language, "computer.card", bird=bird, level=str(level))
        return self._texts.plain(language, "computer", bird=bird, level=str(level))

    def heading(self, language: str, stored: StoredMatch) -> tuple[Span, ...]:
        """The last line of every message about a match: what is played, and its id (a reply to it finds the match)."""
        return self._texts.say(
            language, "match.heading", title=self.title(language, stored.match), match=Code(f"#{stored.id}")
        )

    def opponents(self, language: str, stored: StoredMatch, me: PersonId) -> str:
        """The other player's name as *me* sees the match, or both names for a spectator."""
        match = stored.match
        if match.status is Status.CHALLENGE and match.challenger != me:
            return self.name(language, stored, match.challenger)
        if match.side_of(me) is None:
            names = [self.name(language, stored, match.person_at(side)) for side in Side]
            return " – ".join(names)
        other = match.opponent_of(me) or match.invited
        return self.name(language, stored, other)

    # ---- words -------------------------------------------------------------------------------------------------------

    def event(self, language: str, stored: StoredMatch, event: Event) -> tuple[Span, ...]:
        """What happened, as one sentence; nothing for the end, which `status` tells."""
        match = stored.match
        if event.kind is EventKind.FINISHED or (match.result is not None and event.kind in _TOLD_BY_RESULT):
            return ()
        key = f"event.{event.kind.value}"
        if event.kind is EventKind.MOVED and event.text == "pass":
            key = "event.passed"
        if event.kind is EventKind.CHALLENGED:
            key = "event.challenged" if match.invited is not None else "event.challenged-open"
            if computer_level(match.invited):
                key = "event.challenged-computer"  # it has accepted already
        return self._texts.say(
            language,
            key,
            match.game.key,
            name=self.person(language, stored, event.by),
            opponent=self.person(language, stored, match.invited),
            title=self.title(language, match),
            move=Code(event.text),
        )

    def status(self, language: str, stored: StoredMatch, *, offer: bool = True) -> tuple[Span, ...]:
        """How the match stands now: whose turn, what is offered (unless *offer* is False), or the result."""
        match = stored.match
        if match.status is Status.PLAYING:
            return joined((self._turn(language, stored), self._offer(language, stored) if offer else ()))
        if match.status is Status.FINISHED:
            return self._result(language, stored)
        if match.status is Status.CHALLENGE and match.deadline is not None:
            pie = self._texts.say(language, "status.pie") if match.pie else ()
            until = self._texts.say(language, "status.challenge", moment=self._texts.moment(language, match.deadline))
            return joined((pie, until), " ")
        return ()

    def counts(self, language: str, position: Position, side: Side) -> str:
        """How many units, or flocks and birds, the side has."""
        groups, pieces = len(position.groups(side)), position.pieces(side).bit_count()
        kind = position.game.key
        parts = [self._texts.plain(language, f"count.{kind}.groups", n=groups)]
        if position.in_hand(side) is not None:
            parts.append(self._texts.plain(language, f"count.{kind}.pieces", n=pieces))
        return " · ".join(parts)

    def alt(self, language: str, stored: StoredMatch) -> str:
        """The picture in words, for those who do not see it: at most `ALT_LENGTH` characters."""
        match = stored.match
        position = match.record.position
        parts = [self._texts.plain(language, "alt.board", title=self.title(language, match))]
        if match.record.moves:
            before = match.record.positions[-2]
            parts.append(
                self._texts.plain(
                    language,
                    "alt.moved",
                    side=self.side(language, match, before.to_move),
                    move=before.write(match.record.moves[-1]),
                )
            )
        parts.extend(
            self._texts.plain(
                language,
                "alt.side",
                side=self.side(language, match, side),
                name=self.name(language, stored, match.person_at(side)),
                counts=self.counts(language, position, side),
            )
            for side in Side
        )
        parts += plain(self.status(language, stored)).split("\n")
        return " ".join(part for part in parts if part)[:ALT_LENGTH]

    def _turn(self, language: str, stored: StoredMatch) -> tuple[Span, ...]:
        match = stored.match
        turn = self._texts.say(
            language,
            "status.to-move",
            name=self.person(language, stored, match.person_to_move),
            side=self.side(language, match, match.to_move),
        )
        swap = self._texts.say(language, "status.may-swap") if match.may_swap else ()
        return joined((turn, swap), " ")

    def _offer(self, language: str, stored: StoredMatch) -> tuple[Span, ...]:
        standing = stored.match.offer
        if standing is None:
            return ()
        by = self.person(language, stored, standing.by)
        game = stored.match.game.key
        return self._texts.say(language, f"status.offer.{standing.kind.value}", game, name=by)

    def _result(self, language: str, stored: StoredMatch) -> tuple[Span, ...]:
        match, result = stored.match, stored.match.result
        if result is None:
            return ()
        winner = None if result.winner is None else match.person_at(result.winner)
        loser = None if result.winner is None else match.person_at(result.winner.other)
        return self._texts.say(
            language,
            f"result.{result.how.value}",
            match.game.key,
            name=self.person(language, stored, winner),
            loser=self.person(language, stored, loser),
            side="" if result.winner is None else self.side(language, match, result.winner),
        )

    # ---- pictures ----------------------------------------------------------------------------------------------------

    def picture(self, language: str, stored: StoredMatch, theme: str, marks: Marks | None = None) -> Picture:
        """The board as it is now, with its words."""
        scene = self.scene(language, stored, theme, stored.match.record)
        if marks is not None:
            scene = marked(scene, marks, stored.match.to_move)
        return Picture(scene, self.alt(language, stored))

    def lookback(self, language: str, stored: StoredMatch, theme: str, course: Course) -> Scene:
        """The picture of the *course* of the match."""
        return replace(self.scene(language, stored, theme, stored.match.record), course=course)

    def replay(self, language: str, stored: StoredMatch, theme: str) -> tuple[Scene, ...]:
        """The boards of the whole game, one after the other."""
        record = stored.match.record
        return tuple(self.scene(language, stored, theme, record.upto(ply)) for ply in range(len(record.moves) + 1))

    def scene(self, language: str, stored: StoredMatch, theme: str, record: Record) -> Scene:
        """The position at the end of *record*, which is the match's or the beginning of it."""
        match, position = stored.match, record.position
        current = record is match.record
        result = match.result if current else None
        winner = None if result is None else result.winner
        change = record.last_change
        names = position.board.names
        return Scene(
            game=match.game.key,
            size=match.size,
            cards=(
                self._card(language, stored, position, Side.FIRST, current=current),
                self._card(language, stored, position, Side.SECOND, current=current),
            ),
            first=names(position.pieces(Side.FIRST)),
            second=names(position.pieces(Side.SECOND)),
            mover=record.positions[-2].to_move.value if record.moves else 0,
            moved=change.moved,
            added=change.added,
            removed=change.removed,
            winners=()
            if winner is None or isinstance(result and result.how, Agreement)
            else names(position.pieces(winner)),
            beaten=0 if winner is None else winner.other.value,
            theme=theme,
        )

    def _card(self, language: str, stored: StoredMatch, position: Position, side: Side, *, current: bool) -> Card:
        match = stored.match
        counts = self.counts(language, position, side)
        line, state = counts, CardState.WAITS
        if current and match.result is not None:
            if match.result.winner is side:
                line, state = self._texts.plain(language, "card.won", counts=counts), CardState.WON
            elif match.result.winner is None:
                line = self._texts.plain(language, "card.drawn", match.game.key, counts=counts)
        elif side is position.to_move and (match.status is Status.PLAYING or not current):
            line, state = self._texts.plain(language, "card.to-move", counts=counts), CardState.TO_MOVE
        person = match.person_at(side)
        if person is None and match.status is Status.CHALLENGE:
            person = match.invited
        level = computer_level(person)
        name = self.computer(language, level, on_card=True) if level else self.name(language, stored, person)
        return Card(name, line, state, fallback=self.side(language, match, side))


def tells_offer(match: Match, events: Sequence[Event]) -> bool:
    """True if the last of the *events* is the offer that waits for an answer: the status need not say it again."""
    return match.offer is not None and bool(events) and events[-1].kind in _OFFERS


def marked(scene: Scene, marks: Marks, mover: Side) -> Scene:
    """The scene with *marks* on it; *mover* is the side whose move `Marks.moved` is."""
    scene = replace(scene, dots=marks.dots, barred=marks.barred, selected=marks.selected, regions=marks.regions)
    if not marks.moved:
        return scene
    ways = dict(marks.moved)
    scene = replace(scene, mover=mover.value, moved=marks.moved, added=(), removed=())
    pieces = scene.first if mover is Side.FIRST else scene.second
    reached = tuple(ways.get(cell, cell) for cell in pieces)
    return replace(scene, first=reached) if mover is Side.FIRST else replace(scene, second=reached)


_TOLD_BY_RESULT: Final = frozenset({EventKind.RESIGNED, EventKind.DRAW_AGREED})
_OFFERS: Final = frozenset({EventKind.DRAW_OFFERED, EventKind.TAKEBACK_ASKED})
