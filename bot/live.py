"""Matches as boards that are tapped: who looks gets what he may play as data, and reasons for what he may not.

Saves nothing: a tap that is a move comes back as the Command of the payload that is given here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot import payload
from bot.boards import Boards, tells_offer
from bot.buttons import Buttons
from bot.finding import Finder
from bot.guided import region_marks
from bot.live_view import (
    LiveAnswer,
    LiveBoard,
    LiveCard,
    LiveChoice,
    LivePiece,
    LiveRegion,
    LiveTurn,
    LiveView,
    LiveWay,
)
from bot.messages import (
    Accept,
    AnswerOffer,
    Button,
    Cancel,
    Command,
    Decline,
    Guide,
    Incoming,
    Move,
    Moves,
    Pass,
    Person,
    Rematch,
    Rules,
    Swap,
)
from bot.play import require_turn, waits_for
from bot.present import Presenter
from bot.texts import Texts, plain, supported
from rules.actions import MatchError, PersonId
from rules.core import AmbiguousMoveError, MoveError, Position, Reason, Side, StepKind
from rules.core import Move as PlayedMove
from rules.match import Match, Status
from rules.record import Record
from storage.base import DamagedRecordError, MatchId, Place, Profile, Store, StoredMatch

ENDED: Final = 6
"""How many matches that are over can still be chosen."""

_SHOWN: Final = frozenset({Status.CHALLENGE, Status.PLAYING, Status.FINISHED})
_NOW: Final = (Accept, Decline, Cancel, Swap, Pass, AnswerOffer, Rematch)
"""Commands that the match waits for, or that lead on when it is over."""

_MARK: Final = "*"
"""Stands for the move in a payload that is cut there; no move has it."""


class LiveBoards:
    """The `bot.ports.Live` port over the store. *language* is spoken to those who have chosen none and say none."""

    def __init__(self, store: Store, texts: Texts, presenter: Presenter, *, language: str) -> None:
        self._store = store
        self._texts = texts
        self._boards = Boards(texts)
        self._buttons = Buttons(texts)
        self._presenter = presenter
        self._finder = Finder(store)
        self._language = language

    async def view(
        self, place: Place, person: PersonId, language: str, match: str = "", shown: int | None = None
    ) -> LiveView:
        """What the page of *person* in *place* shows, in his own language or, without one, in *language*.

        *match* is the one to show, if it is there; else the newest one where it is his turn, else the newest live one
        that concerns him, else the newest. *shown* is the number of moves after which it is shown (None: all).
        """
        profile = await self._store.profile(person)
        spoken = self._spoken(profile, language)
        matches = await self._matches(place)
        chosen = next((stored for stored in matches if stored.id == match), None) or _first(matches, person)
        board = None if chosen is None else self._board(chosen, person, spoken, profile, shown)
        choices = tuple(
            LiveChoice(
                stored.id,
                self._texts.plain(
                    spoken,
                    "match.label",
                    title=self._boards.title(spoken, stored.match),
                    opponent=self._boards.opponents(spoken, stored, person),
                    match=stored.id,
                ),
                waits_for(stored.match, person),
                stored.match.live,
                _concerns(stored.match, person),
                stored.match.challenger == person,
            )
            for stored in matches
        )
        return LiveView(spoken, bool(profile.language), choices, board)

    async def weigh(self, place: Place, person: PersonId, language: str, match: str, ply: int, text: str) -> LiveAnswer:
        """What *text*, tapped by *person* at *ply*, comes to: why it is no move, or the regions to choose from.

        Nothing is said of a legal move.
        """
        profile = await self._store.profile(person)
        spoken = self._spoken(profile, language)
        known = payload.match_id(match)
        stored = None if known is None else await self._visible(known, place, person)
        if stored is None:
            return LiveAnswer(self._texts.plain(spoken, "notice.no-such-match"))
        try:
            require_turn(stored.match, person, ply)
            stored.match.record.read(text)
        except MatchError as error:
            return LiveAnswer(self._texts.plain(spoken, f"fault.{error.fault.value}", stored.match.game.key))
        except AmbiguousMoveError as error:
            if error.refusal.reason is Reason.CHOICE_MISSING:
                return self._choice(spoken, stored, error.refusal.moves)
            return LiveAnswer(plain(self._presenter.reason(spoken, error.refusal, text)))
        except MoveError as error:
            return LiveAnswer(plain(self._presenter.reason(spoken, error.refusal, text)))
        return LiveAnswer("")

    # ---- which matches -----------------------------------------------------------------------------------------------

    async def _matches(self, place: Place) -> list[StoredMatch]:
        """The matches of *place* that can be shown: the live ones, then those that ended last."""
        live = await self._finder.load_all(await self._store.matches_in(place))
        ended = await self._finder.load_all(await self._store.matches_in(place, live=False), ENDED)
        return [stored for stored in (*live, *ended) if stored.match.status in _SHOWN]

    async def _visible(self, match: MatchId, place: Place, person: PersonId) -> StoredMatch | None:
        try:
            return await self._finder.visible(match, Incoming("", place, Person(person, "")))
        except DamagedRecordError:
            return None  # the log has it from whoever lists the matches

    def _spoken(self, profile: Profile, language: str) -> str:
        return profile.language or supported(language) or self._language

    # ---- the board ---------------------------------------------------------------------------------------------------

    def _board(
        self, stored: StoredMatch, person: PersonId, language: str, profile: Profile, shown: int | None
    ) -> LiveBoard:
        match = stored.match
        full = match.record
        record = full if shown is None else full.upto(max(0, shown))
        now = record is full
        position, board = record.position, record.position.board
        scene = self._boards.scene(language, stored, "light", record)
        side = match.side_of(person)
        may_move = now and match.person_to_move == person
        last = [entry.event for entry in stored.log[-1:]]
        buttons, others = self._offered(language, stored, person)
        first, second = (LiveCard(card.name, card.line, card.state.value) for card in scene.cards)
        return LiveBoard(
            match=stored.id,
            version=stored.version,
            game=match.game.key,
            size=match.size,
            shape="square" if len(board.rows) == board.size else "hexagon",
            title=self._boards.title(language, match),
            cells=tuple((name, round(board.xy(name)[0], 4), round(board.xy(name)[1], 4)) for name in board.cells),
            groups=(_groups(position, Side.FIRST), _groups(position, Side.SECOND)),
            cards=(first, second),
            moves=full.texts,
            shown=len(record.moves),
            ply=match.ply,
            said=self._said(language, stored, record),
            status=plain(self._boards.status(language, stored, offer=not (now and tells_offer(match, last)))),
            about=self._boards.alt(language, stored),
            live=match.live,
            side=0 if side is None else side.value,
            mover=scene.mover,
            moved=scene.moved,
            added=scene.added,
            removed=scene.removed,
            winners=scene.winners,
            beaten=scene.beaten,
            turn=_turn(stored, profile) if may_move else None,
            buttons=buttons,
            others=others,
        )

    def _said(self, language: str, stored: StoredMatch, record: Record) -> str:
        """What happened last; of an earlier position the move that led to it."""
        if record is stored.match.record:
            latest = stored.log[-1].event if stored.log else None
            return "" if latest is None else plain(self._boards.event(language, stored, latest))
        if not record.moves:
            return ""
        before = record.positions[-2]
        side = self._boards.side(language, stored.match, before.to_move)
        return self._texts.plain(language, "alt.moved", side=side, move=before.write(record.moves[-1]))

    def _offered(
        self, language: str, stored: StoredMatch, person: PersonId
    ) -> tuple[tuple[Button, ...], tuple[Button, ...]]:
        """The match's buttons that this reader can use: what is to be answered now, and the rest."""
        now: list[Button] = []
        others: list[Button] = []
        for row in self._buttons.match(language, stored):
            for button in row:
                command = payload.decode(button.payload)
                if _is_useful(command, stored.match, person):
                    (now if isinstance(command, _NOW) else others).append(button)
        return tuple(now), tuple(others)

    # ---- regions -----------------------------------------------------------------------------------------------------

    def _choice(self, language: str, stored: StoredMatch, texts: Sequence[str]) -> LiveAnswer:
        """The question which region stays."""
        position = stored.match.record.position
        moves = [position.read(text) for text in texts]
        theirs = position.pieces(position.to_move.other)
        board = position.board
        regions = tuple(
            LiveRegion(
                position.write(move),
                self._texts.plain(
                    language,
                    "guide.region",
                    n=number,
                    cell=_staying(position, move),
                    birds=(board.bits(cells) & theirs).bit_count(),
                ),
                cells,
            )
            for number, (move, cells) in enumerate(
                zip(moves, region_marks(position, moves).regions, strict=True), start=1
            )
        )
        return LiveAnswer(self._texts.plain(language, f"guide.{position.game.key}.region"), regions)


def _first(matches: Sequence[StoredMatch], person: PersonId) -> StoredMatch | None:
    """The match to show where none was named: the newest in which *person* is to move, or is, else the newest."""
    moving = next((stored for stored in matches if stored.match.person_to_move == person), None)
    mine = next((stored for stored in matches if stored.match.live and _concerns(stored.match, person)), None)
    return moving or mine or next(iter(matches), None)


def _concerns(match: Match, person: PersonId) -> bool:
    """True if *person* plays in the match, has challenged, or could accept."""
    return match.side_of(person) is not None or (match.status is Status.CHALLENGE and waits_for(match, person))


def _is_useful(command: Command, match: Match, person: PersonId) -> bool:
    """True if *person*, who makes his moves by tapping, gets anywhere with *command*."""
    match command:
        case Accept() | Decline():
            return match.challenger != person
        case Cancel():
            return match.challenger == person
        case Guide() | Moves() | Rules():
            return False
        case Swap() | Pass():
            return match.person_to_move == person
        case AnswerOffer():
            return match.side_of(person) is not None and match.offer is not None and match.offer.by != person
        case _:
            return match.side_of(person) is not None


def _groups(position: Position, side: Side) -> tuple[tuple[str, ...], ...]:
    return tuple(position.board.names(group) for group in position.groups(side))


def _turn(stored: StoredMatch, profile: Profile) -> LiveTurn:
    """All legal moves by what is tapped for them."""
    position = stored.match.record.position
    adds: list[str] = []
    ways: dict[tuple[str, ...], dict[tuple[str, ...], list[PlayedMove]]] = {}
    for move in position.legal_moves():
        change = position.change(move)
        adds += change.added
        if change.moved:
            cells, reached = zip(*change.moved, strict=True)
            ways.setdefault(cells, {}).setdefault(reached, []).append(move)
    pieces = tuple(
        LivePiece(cells, tuple(_way(position, reached, moves) for reached, moves in found.items()))
        for cells, found in ways.items()
    )
    asked = Move(_MARK, stored.id, stored.match.ply)
    before, _, after = payload.encode(asked).partition(_MARK)
    _, _, confirmed = payload.encode(replace(asked, confirmed=True)).partition(_MARK)
    return LiveTurn(tuple(adds), pieces, (before, after, confirmed), profile.confirm)


def _way(position: Position, reached: tuple[str, ...], moves: Sequence[PlayedMove]) -> LiveWay:
    text = position.write(moves[0])
    is_choice = any(step.kind is StepKind.REGION for step in position.steps(moves[0]))
    return LiveWay(reached, text.partition("/")[0] if is_choice else text, is_choice)


def _staying(position: Position, move: PlayedMove) -> str:
    return next(step.text for step in position.steps(move) if step.kind is StepKind.REGION)
