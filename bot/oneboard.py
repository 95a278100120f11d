"""One board from the command line: game, moves and names in, a file out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from bot.boards import Boards
from bot.names import shown_name
from bot.texts import Texts
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
    stored = _match(game, game.default_size if size is None else size, moves, names)
    boards = Boards(texts)
    if suffix == ".gif":
        return replay(boards.replay(language, stored, theme), Renderer())
    scene = boards.scene(language, stored, theme, stored.match.record)
    if suffix == ".txt":
        return f"{board_text(scene)}\n{boards.alt(language, stored)}\n".encode()
    return Renderer().draw(scene)


def _match(game: Game, size: int, moves: Sequence[str], names: Sequence[str]) -> StoredMatch:
    try:
        match, _ = apply(challenge(game, size, _FIRST, 0), Accept(_SECOND), 0)
    except BadSizeError as error:
        raise BoardError(f"{game.key} is played on {', '.join(map(str, game.all_sizes))}, not on {size}") from error
    for ply, text in enumerate(moves):
        match = _played(match, text, ply)
    known = [(person, shown_name(name)) for person, name in zip((_FIRST, _SECOND), names, strict=False)]
    stored = StoredMatch(MatchId("render"), 1, match, (), tuple(known))
    return replace(stored, names=tuple((person, name) for person, name in stored.names if name))


def _played(match: Match, text: str, ply: int) -> Match:
    person = match.person_to_move or _FIRST
    action = Swap(person) if text == SWAP else Play(person, text)
    try:
        after, _ = apply(match, action, 0)
    except (MoveError, MatchError) as error:
        raise BoardError(f'move {ply + 1}, "{text}", cannot be played: {error}') from error
    return after
