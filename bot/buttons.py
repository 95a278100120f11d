"""The buttons under messages: labels in the reader's language, payloads from commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot import payload
from bot.computers import LEVELS, computer_level
from bot.finding import own_place
from bot.messages import (
    ANY_LEVEL,
    Abort,
    Accept,
    AnswerOffer,
    Button,
    ButtonStyle,
    Cancel,
    Challenge,
    Command,
    Decline,
    Export,
    Games,
    Guide,
    Help,
    Hint,
    Keep,
    LookBack,
    Moves,
    Offer,
    Pass,
    Rematch,
    Replay,
    Resign,
    Rules,
    Settings,
    ShowBoard,
    Swap,
)
from bot.texts import LANGUAGES, Texts
from rules import GAMES
from rules.actions import OfferKind, PersonId
from rules.match import Match, Status
from storage.base import ChatSettings, MatchId, Place, Profile, StoredMatch, is_forgotten

Rows = tuple[tuple[Button, ...], ...]

LABEL_LENGTH: Final = 80
"""The narrowest platform's limit for a label."""

PER_ROW: Final = 5
"""The narrowest platform's limit for a row."""

THEMES: Final = ("light", "dark", "patterns")


class Buttons:
    """Makes rows of buttons."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def one(
        self,
        language: str,
        key: str,
        command: Command,
        style: ButtonStyle = ButtonStyle.SECONDARY,
        context: str = "",
    ) -> Button:
        """The button labelled with the text ``button.<key>``, in the words of the game *context*."""
        return labelled(self._texts.plain(language, f"button.{key}", context), command, style)

    def match(
        self, language: str, stored: StoredMatch, place: Place | None = None, reader: PersonId | None = None
    ) -> Rows:
        """What people (those in *place*; or *reader*, who asked there) can do with a match now."""
        match stored.match.status:
            case Status.CHALLENGE:
                return self._challenge(language, stored.match, stored.id, _alone(stored.match, place, reader))
            case Status.PLAYING:
                return self._playing(language, stored)
            case Status.FINISHED | Status.ABORTED:
                row = self._over(language, stored)
                return (row,) if row else ()
            case _:
                return ()

    def _challenge(self, language: str, match: Match, challenge: MatchId, alone: PersonId | None) -> Rows:
        """*alone*: the one person who reads it, who is not offered what he may not do."""
        row: list[Button] = []
        if alone != match.challenger:
            row.append(self.one(language, "accept", Accept(challenge), ButtonStyle.PRIMARY))
            if match.invited is not None:
                row.append(self.one(language, "decline", Decline(challenge)))
        if alone in (None, match.challenger):
            row.append(self.one(language, "withdraw", Cancel(challenge)))
        row.append(self.one(language, "rules", Rules(match.game.key)))
        return (tuple(row),)

    def _playing(self, language: str, stored: StoredMatch) -> Rows:
        match, ply, game = stored.match, stored.match.ply, stored.match.game.key
        first = [
            self.one(language, "move", Guide(stored.id, ply), ButtonStyle.PRIMARY),
            self.one(language, "moves", Moves(stored.id)),
        ]
        if any(map(computer_level, match.seats)):
            first.append(self.one(language, "hint", Hint(stored.id)))
        if match.may_swap:
            first.append(self.one(language, "swap", Swap(stored.id, ply)))
        if match.may_pass:
            first.append(self.one(language, "pass", Pass(stored.id, ply)))
        rows = [tuple(first)]
        if match.offer is not None:
            kind = match.offer.kind
            rows.append(
                (
                    self.one(
                        language, f"agree.{kind.value}", AnswerOffer(kind, agree=True, match=stored.id), context=game
                    ),
                    self.one(
                        language, f"refuse.{kind.value}", AnswerOffer(kind, agree=False, match=stored.id), context=game
                    ),
                )
            )
        else:
            second = [self.one(language, "draw", Offer(OfferKind.DRAW, stored.id), context=game)]
            if match.ply:
                second.append(self.one(language, "takeback", Offer(OfferKind.TAKEBACK, stored.id)))
            if match.ply < 2:
                second.append(self.one(language, "abort", Abort(stored.id)))
            second.append(self.one(language, "resign", Resign(stored.id), ButtonStyle.DANGER))
            rows.append(tuple(second))
        return tuple(rows)

    def _over(self, language: str, stored: StoredMatch) -> tuple[Button, ...]:
        """What people can do with a match that is over; a rematch, if there were two and both are still there."""
        again: tuple[Button, ...] = ()
        if not any(seat is None or is_forgotten(seat) for seat in stored.match.seats):
            again = (self.one(language, "rematch", Rematch(stored.id), ButtonStyle.PRIMARY),)
        if stored.match.status is Status.ABORTED or not stored.match.record.moves:
            return again  # nothing was played that could be shown
        return (
            *again,
            self.one(language, "replay", Replay(stored.id)),
            self.one(language, "lookback", LookBack(stored.id)),
            self.one(language, "export", Export(stored.id)),
        )

    def confirm(self, language: str, key: str, command: Command) -> Rows:
        """Yes (``button.yes.<key>``) and no."""
        style = ButtonStyle.PRIMARY if key in ("move", "pass") else ButtonStyle.DANGER
        return ((self.one(language, f"yes.{key}", command, style), self.one(language, "no", Keep())),)

    def games(self, language: str, wanted: Challenge, *, first_time: bool) -> Rows:
        """The games and sizes to choose from: a small Ayu first for somebody new."""
        offers = [(game.key, size) for game in GAMES.values() for size in game.sizes]
        defaults = [(game.key, game.default_size) for game in GAMES.values()]
        small = [("ayu", 9)] if first_time else []
        order = list(dict.fromkeys([*small, *defaults, *offers]))
        buttons = [
            labelled(
                self._texts.plain(language, f"game.title.{game}", size=str(size)),
                replace(wanted, game=game, size=size, pie=wanted.pie if GAMES[game].has_pie else None),
                ButtonStyle.PRIMARY if place == 0 else ButtonStyle.SECONDARY,
            )
            for place, (game, size) in enumerate(order)
        ]
        grid = rows(buttons, 3)
        if wanted.opponent is None and not wanted.username and not wanted.computer:
            grid = (*grid, (self.one(language, "computer", Challenge(computer=ANY_LEVEL)),))
        return grid

    def levels(self, language: str, wanted: Challenge) -> Rows:
        """The computer's levels to choose from, the weakest first."""
        return rows(
            [
                labelled(
                    f"{level} · {self._texts.plain(language, f'computer.{level}')}", replace(wanted, computer=level)
                )
                for level in LEVELS
            ],
            3,
        )

    def rules(self, language: str) -> Rows:
        """One button for each game's rules."""
        return (tuple(labelled(self._texts.plain(language, f"game.{key}"), Rules(key)) for key in GAMES),)

    def start(self, language: str) -> Rows:
        """What a newcomer may want first."""
        return (
            *self.games(language, Challenge(), first_time=True)[:1],
            (
                self.one(language, "computer", Challenge(computer=ANY_LEVEL)),
                self.one(language, "rules", Rules()),
                self.one(language, "games", Games()),
                self.one(language, "help", Help()),
            ),
        )

    def settings(self, language: str, chat: ChatSettings, profile: Profile, *, chat_too: bool) -> Rows:
        """The languages, the themes, and the switches turned the other way."""
        languages = tuple(
            labelled(self._texts.plain(code, "language.name"), Settings("language", code), _chosen(code == language))
            for code in LANGUAGES
        )
        themes = tuple(
            self.one(language, f"theme.{theme}", Settings("theme", theme), _chosen(theme == (chat.theme or "light")))
            for theme in THEMES
        )
        switches = tuple(
            self.one(language, f"{key}.{'off' if on else 'on'}", Settings(key, "off" if on else "on"))
            for key, on in (("ping", profile.ping), ("confirm", profile.confirm), ("file", profile.as_file))
        )
        return (languages, themes, switches) if chat_too else (languages, switches)

    def greeting(self, language: str) -> Rows:
        """What a chat may want first."""
        return ((self.one(language, "start", Challenge(), ButtonStyle.PRIMARY),),)

    def boards(self, labels: Sequence[tuple[str, StoredMatch]]) -> Rows:
        """One button for each match: its board."""
        return rows([labelled(label, ShowBoard(stored.id)) for label, stored in labels], 2)


def labelled(label: str, command: Command, style: ButtonStyle = ButtonStyle.SECONDARY) -> Button:
    """A button that says *label*, shortened where it must be."""
    short = label if len(label) <= LABEL_LENGTH else label[: LABEL_LENGTH - 1] + "…"
    return Button(short, payload.encode(command), style)


def rows(buttons: Sequence[Button], per_row: int = PER_ROW) -> Rows:
    """The buttons in rows of *per_row*."""
    return tuple(tuple(buttons[start : start + per_row]) for start in range(0, len(buttons), per_row))


def _chosen(chosen: bool) -> ButtonStyle:  # noqa: FBT001 - the only argument, and its name says it
    return ButtonStyle.PRIMARY if chosen else ButtonStyle.SECONDARY


def _alone(match: Match, place: Place | None, reader: PersonId | None) -> PersonId | None:
    """Who is alone with the bot in *place*, as far as that can be told."""
    people = (match.challenger, match.invited, reader)
    return next((one for one in people if one is not None and place == own_place(one)), None)
