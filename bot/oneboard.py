"""One board from the command line: game, moves and names in, a file out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from bot.boards import Boards
from bot.names import shown_name
from bot.present import Presenter
from bot.texts import Texts, plain
from renderers.png import Renderer
from renderers.replay import replay
from renderers.text import board_text
from renderers.theme import THEMES
from rules import find_game
from rules.actions import Accept, MatchError, PersonId, Play, Swap
from rules.core import BadSizeError, Game, MoveError, UnknownGameError
from rules.match import SWAP, Match, apply, challenge
from storage.base import MatchId, StoredMatch

FORMATS: Final = (".png", ".gif", ".txt")

_FIRST: Final = PersonId("render:1")
_SECOND: Final = PersonId("render:2")


class BoardError(ValueError):
    """What was asked for cannot be drawn: the fault of whoever typed it. The message is one line."""


def draw_board(
    game_name: str,
    size: int | None,
    moves: Sequence[str],
    *,
    theme: str,
    names: Sequence[str],
    language: str,
    suffix: str,
) -> bytes:
    """The file's content: a PNG, a GIF of the whole game, or text in UTF-8, by *suffix*.

    :raises BoardError: for an unknown game, theme or format, a size the game does not have, an illegal move.
    """
    if suffix not in FORMATS:
        raise BoardError(f"I write {', '.join(FORMATS)}, not {suffix or 'files without an ending'}")
    if theme not in THEMES:
        raise BoardError(f'there is no theme "{theme}"; there are {", ".join(THEMES)}')
    try:
        game = find_game(game_name)
    except UnknownGameError as error:
        raise BoardError(f'there is no game "{game_name}"; there are ayu and volo') from error
    texts = Texts.load()
    if suffix == ".txt":  # a card says "Black" where a name is missing; a sentence that says both needs a name
        players = [texts.plain(language, "page.player", n=number) for number in (1, 2)]
        names = [name.strip() or player for name, player in zip_longest(names, players, fillvalue="")][:2]
    match = _match(game, game.default_size if size is None else size, moves, texts, language)
    known = [(person, shown_name(name)) for person, name in zip((_FIRST, _SECOND), names, strict=False)]
    stored = StoredMatch(MatchId("render"), 1, match, (), tuple((person, name) for person, name in known if name))
    boards = Boards(texts)
    if suffix == ".gif":
        return replay(boards.replay(language, stored, theme), Renderer())
    scene = boards.scene(language, stored, theme, stored.match.record)
    if suffix == ".txt":
        return f"{board_text(scene)}\n{boards.alt(language, stored)}\n".encode()
    return Renderer().draw(scene)


def _match(game: Game, size: int, moves: Sequence[str], texts: Texts, language: str) -> Match:
    try:
        match, _ = apply(challenge(game, size, _FIRST, 0), Accept(_SECOND), 0)
    except BadSizeError as error:
        raise BoardError(f"{game.key} is played on {', '.join(map(str, game.all_sizes))}, not on {size}") from error
    for number, text in enumerate(moves, 1):
        person = match.person_to_move or _FIRST
        try:
            match, _ = apply(match, Swap(person) if text == SWAP else Play(person, text), 0)
        except MoveError as error:
            why = plain(Presenter(texts, ()).reason(language, error.refusal, text))
            raise BoardError(f'move {number}, "{text}": {why}') from error
        except MatchError as error:
            why = texts.plain(language, f"fault.{error.fault.value}", game.key)
            raise BoardError(f'move {number}, "{text}": {why}') from error
    return match
