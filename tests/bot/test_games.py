"""Whole games as two people type them: every move as a chat message, through the pipeline to the last board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from bot.messages import Outgoing
from bot.texts import plain
from rules import GAMES
from rules.core import Side
from rules.match import Status
from rules.record import Record
from tests.bot.harness import World, written
from tests.bot.table import begun, pressing, ready, room, sentence
from tests.rules.games import lines, recorded

CONTEST_GAMES: Final = 30
PER_TEST: Final = 3
DRAINED: Final = 5
"""The courier is let in after so many moves, so it is often behind."""

PEOPLE: Final = ("Ana", "Бо")
_CYRILLIC: Final = str.maketrans("abcdefghijklm", "абсдефгнийклм")
_SPANISH: Final = {"NW": "NO", "SW": "SO"}
_RUSSIAN: Final = {"NE": "СВ", "NW": "СЗ", "SE": "ЮВ", "SW": "ЮЗ"}


@dataclass(frozen=True, slots=True)
class Game:
    """A game as other programs played it: its *board* at the end as in the vectors, *winner* 0 for a draw."""

    game: str
    size: int
    moves: tuple[str, ...]
    reason: str
    winner: int
    board: str


def contest_games() -> Iterator[Game]:
    """Games of the contest, evenly from the whole file."""
    for line in lines("codecup2015_ayu11.txt.gz", 1, 50):
        moves = tuple(line.split())
        # "If you cannot move on your turn, you win."
        yield Game(
            "ayu", 11, moves, "no-moves", 1 + len(moves) % 2, Record.replay(GAMES["ayu"], 11, moves).position.diagram()
        )


def volo_games(name: str) -> list[Game]:
    """Five finished games of each size, of all endings, the short ones first."""
    found: dict[int, dict[str, list[dict[str, Any]]]] = {}
    for game in recorded(name):
        if game["outcome"]["reason"] != "cut":
            found.setdefault(game["size"], {}).setdefault(game["outcome"]["reason"], []).append(game)
    chosen = []
    for endings in found.values():
        ranked = [
            (rank, len(game["moves"]), game)
            for games in endings.values()
            for rank, game in enumerate(sorted(games, key=lambda game: (len(game["moves"]), game["seed"])))
        ]
        chosen += [game for _, _, game in sorted(ranked, key=lambda entry: entry[:2])[:5]]
    return [
        Game(
            "volo",
            game["size"],
            tuple(game["moves"]),
            game["outcome"]["reason"],
            0 if len(game["outcome"]["winner"]) == 2 else game["outcome"]["winner"][0],
            game["outcome"]["board"],
        )
        for game in chosen
    ]


CONTEST: Final = list(contest_games())
VOLO: Final = volo_games("volo.ndjson.gz") + volo_games("volo_literal.ndjson.gz")


def typed(move: str, ply: int) -> str:
    """One of the ways in which people type *move*."""
    if move == "pass":
        return ["pass", "/pass", "пас", "Paso"][ply % 4]
    cells, slash, stays = move.partition("/")
    origin, dash, goal = cells.partition("-")
    flies = goal[:2].isupper()
    match ply % 6:
        case 1 if not flies:
            return f"{origin}{goal}".upper()
        case 2 if not flies:
            return f"{origin} → {goal}".translate(_CYRILLIC) if dash else origin.translate(_CYRILLIC)
        case 3:
            return f"/m {origin}{dash}{goal}{slash}{stays}"
        case 4 if goal[:2] in _SPANISH:
            return f"{origin.upper()}-{_SPANISH[goal[:2]]}{goal[2:]}{slash}{stays}"
        case 4 if not dash or not flies:
            return f"/move {origin.upper()} {goal}"
        case 5 if goal[:2] in _RUSSIAN:
            return f"{origin} {_RUSSIAN[goal[:2]].lower()} {goal[2:]} {slash}{stays}"
        case 5 if not flies:
            return f"  {origin}, {goal}" if dash else f" {origin.upper()} "
        case _:
            return move


async def replayed(world: World, game: Game, place_name: str) -> None:
    """Play *game* in a chat of its own and look at what comes of it."""
    place = room(place_name)
    pie = " nopie" if game.game == "ayu" else ""
    stored = await begun(world, f"{game.game} {game.size}{pie}", *PEOPLE, place=place)
    boards: list[Outgoing] = []
    for ply, move in enumerate(game.moves):
        who = PEOPLE[ply % 2]
        text = typed(move, ply)
        answers = await world.core.handle(world.incoming(who, text, place=place))
        if move == "pass":
            pressed = pressing(answers, "yes.pass")
            answers = await world.core.handle(world.incoming(who, payload=pressed, place=place))
        assert not answers, f"ply {ply}: {text!r}: {[written(answer.text) for answer in answers]}"
        if ply % DRAINED == 0:
            boards += await world.delivered()
    boards += await world.delivered()

    stored = await ready(world, stored.id)
    assert stored.match.tokens == game.moves
    assert stored.match.status is Status.FINISHED
    result = stored.match.result
    assert result is not None
    assert (result.how, result.winner or 0) == (game.reason, game.winner)

    last = boards[-1]
    side = sentence(f"side.{game.game}.{game.winner or 1}")
    result_told = sentence(f"result.{game.reason}", name=PEOPLE[game.winner - 1], side=side)
    assert result_told in plain(last.text).split("\n")
    assert result_told in (last.picture.alt if last.picture else "")
    assert diagram(last, stored.match.record.position.board.rows) == game.board
    assert last.ping is None
    assert [button.label for row in last.buttons for button in row] == [
        sentence(f"button.{key}") for key in ("rematch", "replay", "lookback", "export")
    ]


def diagram(outgoing: Outgoing, rows: tuple[tuple[str | None, ...], ...]) -> str:
    """The board in the picture, as the vectors write it: rows from the top, ``#`` where no space is."""
    assert outgoing.picture is not None
    scene = outgoing.picture.scene
    signs = {**dict.fromkeys(scene.first, "1"), **dict.fromkeys(scene.second, "2")}
    return "/".join("".join("#" if name is None else signs.get(name, ".") for name in row) for row in rows)


def batches(games: list[Game]) -> list[Any]:
    """*games* in parts, the parts about equally long."""
    ordered = sorted(games, key=lambda game: len(game.moves))
    count = len(games) // PER_TEST
    return [pytest.param(ordered[part::count], id=f"{games[0].game}-{part}") for part in range(count)]


@pytest.mark.parametrize("games", [*batches(CONTEST), *batches(VOLO)])
async def test_recorded_games(games: list[Game], redis_client: Redis) -> None:
    world = World(redis_client)
    for number, game in enumerate(games):
        await replayed(world, game, f"room{number}")


def test_there_are_games_of_all_kinds() -> None:
    assert len(CONTEST) == len(VOLO) == CONTEST_GAMES
    assert {(game.size, game.reason) for game in VOLO} >= {
        (size, reason) for size in (6, 7, 8) for reason in ("one-flock", "one-flock-by-clearing", "double-pass")
    }
    assert {game.winner for game in CONTEST} == {Side.FIRST, Side.SECOND}


async def test_three_games_side_by_side_in_one_chat(redis_client: Redis) -> None:
    """The same two people, the moves of three matches in turn: by its id, by a reply to its board, by its button."""
    world = World(redis_client)
    games = sorted((*CONTEST, *VOLO), key=lambda game: len(game.moves))[:3]
    matches = [
        await begun(world, f"{game.game} {game.size}{' nopie' if game.game == 'ayu' else ''}", *PEOPLE)
        for game in games
    ]
    for ply in range(max(len(game.moves) for game in games)):
        for number, (game, stored) in enumerate(zip(games, matches, strict=True)):
            if ply >= len(game.moves):
                continue
            who, move = PEOPLE[ply % 2], game.moves[ply]
            match (ply + number) % 3:
                case 0:
                    made = world.incoming(who, f"{move} {stored.id.upper()}")
                case 1:
                    made = world.incoming(who, move, quoted=f"Volo 6 · #{stored.id}", private=False, addressed=False)
                case _:
                    made = world.incoming(who, payload=f"m|{stored.id}|{ply}|{move}")
            answers = await world.core.handle(made)
            assert not answers, [written(answer.text) for answer in answers]
    await world.delivered()
    for game, stored in zip(games, matches, strict=True):
        after = await ready(world, stored.id)
        assert (after.match.tokens, after.match.status) == (game.moves, Status.FINISHED)
