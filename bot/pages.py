"""Messages that are pages of their own: rules, lists, settings, files, help; and what all messages are made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.boards import Boards
from bot.buttons import Buttons, Rows
from bot.examples import Examples
from bot.messages import Code, Document, Outgoing, Picture, Rules, Span, Text
from bot.records import data_file, record_file
from bot.replies import GamesList, MyDataFile, RulesPage, SettingsPage
from bot.texts import Texts, joined, plain
from rules import GAMES
from rules.actions import PersonId
from rules.core import Side
from rules.match import Status
from storage.base import Place, Profile, StoredMatch

LISTED_MOVES: Final = 60
"""Moves that a text names before it says that there are more."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads an answer, where, in which language and theme, and whether he wants pictures as files.

    *guest* where the bot is one: what was saved is spoken as the answer, since nothing can be spoken later; *asked* is
    then the profile of the person who is to do something now.
    """

    person: PersonId
    place: Place
    language: str
    theme: str
    as_file: bool = False
    guest: bool = False
    asked: Profile | None = None


class Pages:
    """Makes private messages, and those that are pages; *commands* are the names that help lists, in their order."""

    def __init__(self, texts: Texts, boards: Boards, buttons: Buttons, commands: Sequence[str]) -> None:
        self._commands = tuple(commands)
        self._texts = texts
        self._boards = boards
        self._buttons = buttons
        self._examples = Examples(texts, boards)

    def message(
        self,
        reader: Reader,
        text: tuple[Span, ...],
        buttons: Rows = (),
        picture: Picture | None = None,
        stored: StoredMatch | None = None,
    ) -> Outgoing:
        """A message for the reader alone."""
        return Outgoing(
            place=reader.place,
            text=text,
            picture=picture,
            buttons=buttons,
            as_file=reader.as_file,
            only_for=reader.person,
            match=None if stored is None else stored.id,
            version=0 if stored is None else stored.version,
            language=reader.language,
        )

    def plain(self, reader: Reader, key: str, buttons: Rows = (), /, **params: str | int | Span) -> Outgoing:
        """A private message of one text."""
        return self.message(reader, self._texts.say(reader.language, key, **params), buttons)

    def listed_moves(self, language: str, moves: Sequence[str]) -> tuple[Span, ...]:
        """The moves one after the other, as many as a message should hold."""
        shown = moves[:LISTED_MOVES]
        more = len(moves) - len(shown)
        text = joined(tuple((Code(move),) for move in shown), " ")
        return joined((text, self._texts.say(language, "moves.more", n=more) if more else ()), " ")

    def match_label(self, reader: Reader, stored: StoredMatch) -> str:
        """A match in a few words, for a button."""
        return self._texts.plain(
            reader.language,
            "match.label",
            title=self._boards.title(reader.language, stored.match),
            opponent=self._boards.opponents(reader.language, stored, reader.person),
            match=stored.id,
        )

    def rules(self, reply: RulesPage, reader: Reader) -> tuple[Outgoing, ...]:
        """A game's rules, and how its moves are typed; then one message for each example, with its picture."""
        game = GAMES[reply.game]
        parts = [self._texts.say(reader.language, f"rules.{game.key}")]
        if game.has_pie:
            parts.append(self._texts.say(reader.language, "rules.pie"))
        parts.append(self._texts.say(reader.language, f"rules.{game.key}.typing"))
        text = self.message(reader, joined(tuple(parts), "\n\n"))
        shown = self._examples.shown(game.key, reader.language, reader.theme)
        pictures = [self.message(reader, caption, picture=picture) for caption, picture in shown]
        *before, last = text, *pictures
        return *before, replace(last, buttons=self._buttons.start(reader.language)[:1])

    def games(self, reply: GamesList, reader: Reader) -> Outgoing:
        """The reader's matches."""
        language = reader.language
        if not reply.matches:
            return self.plain(reader, "games.none", self._buttons.start(language)[:1])
        lines = [self._texts.say(language, "games.title")]
        lines.extend(
            self._texts.say(
                language,
                f"games.{_standing(stored, reader.person)}",
                title=self._boards.title(language, stored.match),
                opponent=self._boards.opponents(language, stored, reader.person),
                match=Code(f"#{stored.id}"),
            )
            for stored in reply.matches
        )
        if reply.more:
            lines.append(self._texts.say(language, "games.more", n=reply.more))
        mine = [stored for stored in reply.matches if stored.match.person_to_move == reader.person]
        labels = [(self.match_label(reader, stored), stored) for stored in (mine or list(reply.matches))[:10]]
        return self.message(reader, joined(tuple(lines)), self._buttons.boards(labels))

    def settings(self, reply: SettingsPage, reader: Reader) -> Outgoing:
        """What is chosen, with buttons to change it."""
        language = reply.profile.language if reply.changed and reply.profile.language else reader.language
        lines = [self._texts.say(language, "settings.saved" if reply.changed else "settings.title")]
        own = self._texts.plain(language, "language.name")
        lines.append(self._texts.say(language, "settings.mine", spoken=own))
        theme = reply.chat.theme or "light"
        lines.append(
            self._texts.say(
                language,
                "settings.chat",
                spoken=self._texts.plain(reply.chat.language or language, "language.name"),
                theme=self._texts.plain(language, f"button.theme.{theme}"),
            )
        )
        switches = (("ping", reply.profile.ping), ("confirm", reply.profile.confirm), ("file", reply.profile.as_file))
        lines.extend(self._texts.say(language, f"settings.{key}.{'on' if on else 'off'}") for key, on in switches)
        if blocked := _people(reply.profile.blocked):
            lines.append(self._texts.say(language, "settings.blocked", n=blocked))
        buttons = self._buttons.settings(language, reply.chat, reply.profile, chat_too=reply.chat_too)
        return self.message(reader, joined(tuple(lines)), buttons)

    def record(self, stored: StoredMatch, reader: Reader) -> Outgoing:
        """The record of a match as a file."""
        names = [self._boards.name(reader.language, stored, stored.match.person_at(side)) for side in Side]
        document = Document(f"bandada-{stored.id}.json", record_file(stored, names), "application/json")
        text = self._texts.say(
            reader.language, "record.file", title=self._boards.title(reader.language, stored.match), n=stored.match.ply
        )
        heading = self._boards.heading(reader.language, stored)
        moves = self.listed_moves(reader.language, stored.match.tokens)
        return Outgoing(
            place=reader.place,
            text=joined((text, moves, heading)),
            document=document,
            only_for=reader.person,
            match=stored.id,
            language=reader.language,
        )

    def my_data(self, reply: MyDataFile, reader: Reader) -> Outgoing:
        """Everything that is kept about the reader, as a file."""
        text = self._texts.say(reader.language, "mydata.file", n=len(reply.matches))
        document = Document("bandada-mydata.json", data_file(reply), "application/json")
        return replace(self.message(reader, text), document=document)

    def replay(self, stored: StoredMatch, reader: Reader) -> Outgoing:
        """The whole game as a moving picture; a sentence, where there is nothing to move."""
        if not stored.match.record.moves:
            nothing = self._texts.say(reader.language, "notice.no-moves")
            return self.message(reader, joined((nothing, self._boards.heading(reader.language, stored))), stored=stored)
        text = self._texts.say(reader.language, "replay.file", n=len(stored.match.record.moves))
        return Outgoing(
            place=reader.place,
            text=joined((text, self._boards.heading(reader.language, stored))),
            replay=self._boards.replay(reader.language, stored, reader.theme),
            only_for=reader.person,
            match=stored.id,
            language=reader.language,
        )

    def help(self, reader: Reader) -> Outgoing:
        """What the bot can do."""
        lines = [self._texts.say(reader.language, "help.title"), self._texts.say(reader.language, "help.moves")]
        for name in self._commands:
            said = self._texts.say(reader.language, f"command.{name}")
            lines.append((Code(f"/{name}"), Text(f" {plain(said)}")))
        buttons = (
            (
                self._buttons.one(reader.language, "rules", Rules()),
                *self._buttons.start(reader.language)[0][:2],
            ),
        )
        return self.message(reader, joined(tuple(lines)), buttons)


def _people(ids: Sequence[PersonId]) -> int:
    """How many people the *ids* stand for: one who is known by number and by name stands there twice."""
    by_name = sum(":@" in known for known in ids)
    return max(by_name, len(ids) - by_name)


def _standing(stored: StoredMatch, person: PersonId) -> str:
    match = stored.match
    if match.status is Status.CHALLENGE:
        return "own-challenge" if match.challenger == person else "challenge"
    return "my-turn" if match.person_to_move == person else "their-turn"
