"""From facts to messages: the only place where sentences are put together.

`Presenter.reply` words the private answer to whoever asked, in his language; `Presenter.spoken` words what a chat is
told of a match, in the chat's language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, assert_never

from bot import payload
from bot.advised import Advised
from bot.boards import Boards, tells_offer
from bot.buttons import THEMES, Buttons, Rows, labelled, rows
from bot.computers import computer_level
from bot.finding import own_place
from bot.guided import Guided, one_move
from bot.messages import (
    Abort,
    Bold,
    ButtonStyle,
    Code,
    Forget,
    MatchCommand,
    Mention,
    Move,
    Moves,
    Outgoing,
    Pass,
    Resign,
    ShowBoard,
    Span,
    Text,
)
from bot.names import shown_name
from bot.opponent import played
from bot.pages import Pages, Reader
from bot.replies import (
    BadSize,
    Board,
    Broken,
    Confirm,
    DamagedMatch,
    Done,
    Faulty,
    ForgetQuestion,
    GamesList,
    Greeting,
    GuideStep,
    HelpPage,
    Hinted,
    LookedBack,
    MyDataFile,
    Notice,
    PlayableMoves,
    RecordFile,
    Refused,
    ReplayFile,
    Reply,
    RulesPage,
    SettingsPage,
    Welcome,
    WhichGame,
    WhichLevel,
    WhichMatch,
    WhichRules,
)
from bot.texts import LANGUAGES, Texts, joined, plain
from rules import GAMES
from rules.actions import Event, Fault, PersonId
from rules.core import Refusal
from rules.match import Match, Status
from storage.base import MatchId, Place, Profile, Shown, StoredMatch

CAPTION_LENGTH: Final = 900
"""Characters of a board's words that fit every platform."""

FEW_MOVES: Final = 24
"""A refusal names the moves that fit what was typed, if there are no more than this."""


class Presenter:
    """Words and pictures for everything that the bot says; *commands* are the names that help lists."""

    def __init__(self, texts: Texts, commands: Sequence[str]) -> None:
        self._texts = texts
        self._boards = Boards(texts)
        self._buttons = Buttons(texts)
        self._pages = Pages(texts, self._boards, self._buttons, commands)
        self._guided = Guided(texts, self._boards)
        self._advised = Advised(texts, self._boards)

    # ---- what a chat is told -----------------------------------------------------------------------------------------

    def spoken(
        self, stored: StoredMatch, place: Place, shown: Shown, language: str, theme: str, profile: Profile | None
    ) -> Outgoing:
        """The message that brings *place* from what it was shown to the match as it is.

        *profile* is that of the person who is `asked` for something: he is pinged if he wants it and did not act
        himself just now.
        """
        new = [entry.event for entry in stored.log if entry.version > shown.version]
        match = stored.match
        status = self._boards.status(language, stored, offer=not tells_offer(match, new))
        # A match that ended before the board was used needs no picture: nothing stands on it.
        drawn = match.status in (Status.PLAYING, Status.FINISHED)
        person = asked(match)
        acted = new[-1].by if new else None
        pinged = profile is not None and profile.ping and person != acted
        return Outgoing(
            place=place,
            text=self._told(language, stored, new, status, person if pinged else None),
            picture=self._boards.picture(language, stored, theme) if drawn else None,
            buttons=self._buttons.match(language, stored, place),
            ping=person if pinged else None,
            as_file=profile is not None and profile.as_file,
            match=stored.id,
            version=stored.version,
            board=True,
            door=_door(stored, place),
            language=language,
            key=f"{stored.id}:{stored.version}",
            by=acted,
        )

    def _told(
        self,
        language: str,
        stored: StoredMatch,
        new: Sequence[Event],
        status: tuple[Span, ...],
        pinged: PersonId | None,
    ) -> tuple[Span, ...]:
        """What happened and how the match stands; what happened first is left out where a caption would be too long.

        Whoever is *pinged* is named: some platforms notify only people who stand in the text.
        """
        events = [self._boards.event(language, stored, event) for event in new]
        named = {span.person for span in (*chain(*events), *status) if isinstance(span, Mention)}
        if events and pinged is not None and pinged not in named:
            events[-1] = (self._boards.person(language, stored, pinged), Text(", "), *events[-1])
        heading = self._boards.heading(language, stored)
        text = joined((*events, status, heading))
        while events and len(plain(text)) > CAPTION_LENGTH:
            del events[0]
            text = joined(((Text("…"),), *events, status, heading))
        return text

    # ---- what the asker is answered ----------------------------------------------------------------------------------

    def reply(self, reply: Reply, reader: Reader) -> tuple[Outgoing, ...]:
        """The messages for whoever asked; none where the courier says it all."""
        answers = self._answers(reply, reader)
        if isinstance(reply, _PUBLIC):
            return tuple(replace(answer, public=True) for answer in answers)
        return answers

    def _answers(self, reply: Reply, reader: Reader) -> tuple[Outgoing, ...]:
        match reply:
            case Done():
                return self._done(reply, reader)
            case Board():
                return (self._board(reply.stored, reader),)
            case PlayableMoves():
                return (self._playable(reply, reader),)
            case GuideStep():
                return (self._guide_step(reply, reader),)
            case Confirm():
                return (self._confirm(reply, reader),)
            case WhichMatch():
                return (self._which_match(reply, reader),)
            case WhichGame() | WhichLevel() | WhichRules():
                return (_step(self._which(reply, reader)),)
            case RulesPage():
                return self._pages.rules(reply, reader)
            case GamesList():
                return (self._pages.games(reply, reader),)
            case Refused():
                return (self._refused(reply, reader),)
            case Faulty():
                return (self._fault(reply, reader),)
            case BadSize():
                sizes = self._texts.listing(
                    reader.language, tuple(str(size) for size in GAMES[reply.game].sizes), either=True
                )
                game = self._texts.plain(reader.language, f"game.{reply.game}")
                return (self._pages.plain(reader, "notice.bad-size", game=game, size=reply.size, sizes=sizes),)
            case Notice():
                return (self._notice(reply, reader),)
            case SettingsPage():
                return (_step(self._pages.settings(reply, reader)),)
            case MyDataFile():
                return (self._pages.my_data(reply, reader),)
            case ForgetQuestion():
                return (self._forget(reply, reader),)
            case RecordFile():
                return (self._pages.record(reply.stored, reader),)
            case ReplayFile():
                return (self._pages.replay(reply.stored, reader),)
            case Hinted() | LookedBack():
                return (self._advice(reply, reader),)
            case HelpPage():
                return (self._pages.help(reader),)
            case Welcome():
                return (self._pages.plain(reader, "welcome", self._buttons.start(reader.language)),)
            case Greeting():
                greeting = self._pages.plain(reader, "greeting", self._buttons.greeting(reader.language))
                return (replace(greeting, only_for=None),)
            case Broken():
                return (self._pages.plain(reader, "error.unexpected", incident=Code(reply.incident)),)
            case DamagedMatch():
                return (self._pages.plain(reader, "error.damaged", incident=Code(reply.incident)),)
        assert_never(reply)

    def match_label(self, reader: Reader, stored: StoredMatch) -> str:
        """A match in a few words, to choose it by."""
        return self._pages.match_label(reader, stored)

    def _notice(self, reply: Notice, reader: Reader) -> Outgoing:
        params: dict[str, str | int | Span] = dict(reply.params)
        if "match" in params:
            params["match"] = Code(f"#{params['match']}")
        if "languages" in params:
            params["languages"] = self._texts.listing(
                reader.language, tuple(self._texts.plain(known, "language.name") for known in LANGUAGES)
            )
        if "permissions" in params:
            names = (
                self._texts.plain(reader.language, f"permission.{name}") for name in str(params["permissions"]).split()
            )
            params["permissions"] = Bold(self._texts.listing(reader.language, tuple(names)))
        if "themes" in params:
            named = (f"{theme} ({self._texts.plain(reader.language, f'button.theme.{theme}')})" for theme in THEMES)
            params["themes"] = self._texts.listing(reader.language, tuple(named))
        if "game" in params:
            params["game"] = shown_name(str(params["game"]))
        if "word" in params:
            params["word"] = shown_name(str(params["word"]))
        if "command" in params:
            params["command"] = Code(str(params["command"]))
        if "near" in params:
            params["near"] = Code(str(params["near"]))
        buttons: Rows = ()
        if reply.key in _OFFER_A_GAME:
            buttons = self._buttons.start(reader.language)[:1]
        elif reply.key in _MISSED:
            buttons = self._buttons.greeting(reader.language)
        return self._pages.plain(reader, f"notice.{reply.key}", buttons, **params)

    def _done(self, reply: Done, reader: Reader) -> tuple[Outgoing, ...]:
        if reader.guest:
            return (self._spoken_at_once(reply.stored, reader),)
        if reader.place in reply.stored.places:
            return ()
        return (self._board(reply.stored, reader),)

    def _spoken_at_once(self, stored: StoredMatch, reader: Reader) -> Outgoing:
        """What the chat is told of the newest version, as the answer."""
        shown = Shown(stored.version - 1)
        message = self.spoken(stored, reader.place, shown, reader.language, reader.theme, reader.asked)
        if stored.version > 1:
            return message
        hint = self._texts.say(reader.language, "notice.guest")
        return replace(message, text=joined((message.text, hint), "\n\n"))

    def _board(self, stored: StoredMatch, reader: Reader) -> Outgoing:
        boards, language = self._boards, reader.language
        drawn = stored.match.status in (Status.PLAYING, Status.FINISHED) or bool(stored.match.record.moves)
        latest = stored.log[-1].event if stored.log else None
        happened = boards.event(language, stored, latest) if latest is not None else ()
        message = self._pages.message(
            reader,
            joined((happened, boards.status(language, stored), boards.heading(language, stored))),
            self._buttons.match(language, stored, reader.place, reader.person),
            boards.picture(language, stored, reader.theme) if drawn else None,
            stored,
        )
        return replace(message, door=_door(stored, reader.place))

    def _playable(self, reply: PlayableMoves, reader: Reader) -> Outgoing:
        position = reply.stored.match.record.position
        listed = self._guided.summary(reader.language, position)
        text = joined(
            (
                self._texts.say(reader.language, "moves.count", n=len(reply.moves)),
                listed,
                self._boards.heading(reader.language, reply.stored),
            )
        )
        marks = self._guided.all_moves(position)
        picture = self._boards.picture(reader.language, reply.stored, reader.theme, marks)
        return self._pages.message(reader, text, (), picture, reply.stored)

    def _guide_step(self, reply: GuideStep, reader: Reader) -> Outgoing:
        language, stored = reader.language, reply.stored
        text = joined((self._guided.question(language, reply), self._boards.heading(language, stored)))
        buttons = [
            labelled(self._guided.label(language, reply, option), option.command, ButtonStyle.SECONDARY)
            for option in reply.options
        ]
        grid = rows(buttons, self._guided.per_row(reply))
        if reply.back is not None:
            grid = (*grid, (self._buttons.one(language, "back", reply.back),))
        picture = self._boards.picture(language, stored, reader.theme, self._guided.marks(reply))
        message = _step(self._pages.message(reader, text, grid, picture, stored))
        return replace(message, choices=len(buttons), typing=payload.encode(Move("", stored.id, stored.match.ply)))

    def _confirm(self, reply: Confirm, reader: Reader) -> Outgoing:
        key = _confirm_key(reply.command)
        move = reply.command.text if isinstance(reply.command, Move) else ""
        text = self._texts.say(reader.language, f"confirm.{key}", move=Code(move))
        picture = None
        if move:
            marks = one_move(reply.stored.match.record.position, move)
            picture = self._boards.picture(reader.language, reply.stored, reader.theme, marks)
        heading = self._boards.heading(reader.language, reply.stored)
        buttons = self._buttons.confirm(reader.language, key, reply.command)
        return _step(self._pages.message(reader, joined((text, heading)), buttons, picture, reply.stored))

    def _which(self, reply: WhichGame | WhichLevel | WhichRules, reader: Reader) -> Outgoing:
        language = reader.language
        match reply:
            case WhichGame():
                buttons = self._buttons.games(language, reply.challenge, first_time=reply.first_time)
                return self._pages.plain(reader, "ask.game", buttons)
            case WhichLevel():
                return self._pages.plain(reader, "ask.level", self._buttons.levels(language, reply.challenge))
            case WhichRules():
                return self._pages.plain(reader, "ask.rules", self._buttons.rules(language))

    def _advice(self, reply: Hinted | LookedBack, reader: Reader) -> Outgoing:
        return self._hinted(reply, reader) if isinstance(reply, Hinted) else self._looked_back(reply, reader)

    def _hinted(self, reply: Hinted, reader: Reader) -> Outgoing:
        language, stored = reader.language, reply.stored
        text = joined((self._advised.hint(language, reply), self._boards.heading(language, stored)))
        marks = one_move(stored.match.record.position, reply.opinion.move)
        picture = self._boards.picture(language, stored, reader.theme, marks)
        command = played(stored, reply.opinion)
        buttons = ((self._buttons.one(language, "play-hint", command),),)
        return self._pages.message(reader, text, buttons, picture, stored)

    def _looked_back(self, reply: LookedBack, reader: Reader) -> Outgoing:
        language = reader.language
        text = joined((self._advised.turns(language, reply), self._boards.heading(language, reply.stored)))
        picture = self._advised.picture(language, reply, reader.theme)
        return self._pages.message(reader, text, (), picture, reply.stored)

    def _forget(self, reply: ForgetQuestion, reader: Reader) -> Outgoing:
        language = reader.language
        playing = self._texts.say(language, "forget.playing", n=reply.playing) if reply.playing else ()
        buttons = self._buttons.confirm(language, "forget", Forget(confirmed=True))
        text = joined((self._texts.say(language, "forget.question"), playing))
        return _step(self._pages.message(reader, text, buttons))

    def _which_match(self, reply: WhichMatch, reader: Reader) -> Outgoing:
        buttons = [
            labelled(self._pages.match_label(reader, stored), command, ButtonStyle.SECONDARY)
            for stored, command in reply.choices
        ]
        return replace(_step(self._pages.plain(reader, "ask.match", rows(buttons, 1))), choices=len(buttons))

    def reason(self, language: str, refusal: Refusal, tried: str) -> tuple[Span, ...]:
        """Why *tried* is no move here, as one sentence."""
        return self._texts.say(
            language,
            f"refusal.{refusal.reason.value}",
            tried=Code(shown_name(tried)),
            cells=Code(", ".join(refusal.cells)),
            n=len(refusal.cells),
            before=refusal.before if refusal.before is not None else 0,
            after=refusal.after if refusal.after is not None else 0,
        )

    def _refused(self, reply: Refused, reader: Reader) -> Outgoing:
        language, refusal = reader.language, reply.refusal
        reason = self.reason(language, refusal, reply.tried)
        moves: tuple[Span, ...] = ()
        if 0 < len(refusal.moves) <= FEW_MOVES:
            listed = self._pages.listed_moves(language, refusal.moves)
            moves = (*self._texts.say(language, "refusal.moves"), Text(" "), *listed)
        buttons: Rows = ()
        if reply.stored.match.live:
            buttons = ((self._buttons.one(language, "moves", Moves(reply.stored.id)),),)
        return self._pages.message(
            reader,
            joined((reason, moves, self._boards.heading(language, reply.stored))),
            buttons,
            stored=reply.stored,
        )

    def _fault(self, reply: Faulty, reader: Reader) -> Outgoing:
        game = "" if reply.stored is None else reply.stored.match.game.key
        text = self._texts.say(reader.language, f"fault.{reply.fault.value}", game)
        if reply.stored is None:
            return self._pages.message(reader, text)
        heading = self._boards.heading(reader.language, reply.stored)
        buttons: Rows = ()
        if reply.fault in (Fault.STALE, Fault.OVER, Fault.NOT_YOUR_TURN, Fault.ALREADY_STARTED):
            buttons = ((self._buttons.one(reader.language, "board", ShowBoard(reply.stored.id)),),)
        return self._pages.message(reader, joined((text, heading)), buttons, stored=reply.stored)


_OFFER_A_GAME: Final = frozenset({"no-match", "no-challenge", "nothing-waits", "nothing-to-repeat", "opponent-left"})

_MISSED: Final = frozenset({"no-such-match", "challenge-taken", "challenge-over"})
"""What people are told who came by an old link or button: one button leads on."""

_PUBLIC: Final = (Board, RecordFile, ReplayFile, WhichGame, WhichRules, RulesPage, HelpPage, Welcome)
"""Answers that tell nobody's thoughts and nobody's own affairs."""


def _step(outgoing: Outgoing) -> Outgoing:
    return replace(outgoing, step=True)


def _door(stored: StoredMatch, place: Place) -> MatchId | None:
    """The challenge, where the one who made it is alone with the bot."""
    is_own = stored.match.status is Status.CHALLENGE and place == own_place(stored.match.challenger)
    return stored.id if is_own else None


def asked(match: Match) -> PersonId | None:
    """Who is to do something now: answer a challenge or an offer, or move."""
    if match.status is Status.CHALLENGE:
        return match.invited
    person = match.person_to_move if match.offer is None else match.opponent_of(match.offer.by)
    return None if computer_level(person) else person


def _confirm_key(command: MatchCommand) -> str:
    match command:
        case Resign():
            return "resign"
        case Abort():
            return "abort"
        case Pass():
            return "pass"
        case _:
            return "move"
