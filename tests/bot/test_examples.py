"""The pictures under the rules: each mark is true, as the slow and obvious second rules see it."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from bot.boards import ALT_LENGTH, Boards
from bot.examples import EXAMPLES, Example, Examples, found
from bot.messages import Outgoing
from bot.texts import LANGUAGES, Texts, plain
from renderers.png import Renderer
from renderers.theme import THEMES
from rules import GAMES
from rules.core import MoveError, Position, Reason
from tests.bot.harness import World
from tests.bot.table import labels, sentence
from tests.rules import reference

BY_NAME = {f"{example.game}-{example.name}": example for example in EXAMPLES}
MARKED = [name for name, example in BY_NAME.items() if example.name != "clearing"]


@pytest.fixture(scope="module")
def examples() -> Examples:
    texts = Texts.load()
    return Examples(texts, Boards(texts))


def legal(example: Example) -> set[str]:
    """The legal moves in the example's position, found without `rules`."""
    return set(reference.replay(example.game, example.size, example.moves.split()).moves())


def allowed(example: Example) -> set[str]:
    """Everything that may rightly carry a dot, from the same second rules."""
    before = reference.replay(example.game, example.size, example.moves.split())
    match example.name:
        case "stones":
            return {text.partition("-")[0] for text in before.moves()}
        case "goals":
            return {text.partition("-")[2] for text in before.moves() if text.startswith(f"{example.piece}-")}
        case "addition":
            return {text for text in before.moves() if text.isalnum() and text != "pass"}
        case _:
            after = [after for text, after in before.moves().items() if text.startswith(f"{example.piece}-")]
            return {cell for one in after if isinstance(one, reference.Volo) for cell in one.foreign - before.own}


def test_every_game_has_two_or_three() -> None:
    for game in GAMES:
        assert 2 <= sum(example.game == game for example in EXAMPLES) <= 3


@pytest.mark.parametrize("name", BY_NAME)
def test_its_moves_are_a_short_game_that_goes_on(name: str) -> None:
    example = BY_NAME[name]
    record, _ = found(example)
    assert list(record.texts) == example.moves.split()
    assert len(record.moves) <= 15
    assert record.outcome is None
    assert legal(example) == {record.position.write(move) for move in record.position.legal_moves()}


@pytest.mark.parametrize("name", MARKED)
def test_every_dot_is_legal_and_every_cross_is_not(name: str) -> None:
    example = BY_NAME[name]
    _, marks = found(example)
    assert len(marks.dots) > 1
    assert len(marks.barred) > 1
    assert not {*marks.dots} & {*marks.barred}
    assert {*marks.dots} <= allowed(example)
    assert not {*marks.barred} & allowed(example)


def reasons(position: Position, *texts: str) -> set[Reason | None]:
    """Why the *texts* are refused; None for one that is not."""
    return {reason(position, text) for text in texts}


def reason(position: Position, text: str) -> Reason | None:
    try:
        position.read(text)
    except MoveError as error:
        return error.refusal.reason
    return None


def test_the_crosses_are_what_the_captions_say() -> None:
    stones, goals, flight, addition = (BY_NAME[name] for name in MARKED)

    record, marks = found(stones)
    board, position = record.position.board, record.position
    (unit,) = (group for group in position.groups(position.to_move) if group & board.bit(stones.piece))
    assert {*marks.dots, *marks.barred} == set(board.names(unit))
    around = board.names(board.border(unit) & ~position.pieces(position.to_move.other))
    apart = reasons(position, *(f"{stone}-{goal}" for stone in marks.barred for goal in around))
    assert apart == {Reason.SPLITS_GROUP, Reason.LOSES_UNIT}, "whatever the goal, the unit falls apart"

    record, marks = found(goals)
    assert marks.selected == (goals.piece,)
    assert reasons(record.position, *(f"{goals.piece}-{goal}" for goal in marks.barred)) == {Reason.NOT_NEARER}

    record, marks = found(flight)
    assert marks.selected == (flight.piece,)
    refused = [
        (reason(record.position, text), text)
        for direction in reference.DIRECTIONS
        for text in (f"{flight.piece}-{direction}{count}" for count in range(1, 11))
    ]
    assert sum(why is Reason.JOINS_NO_FLOCK for why, _ in refused) == len(marks.barred)
    assert not any(why is Reason.LEAVES_BIRDS_BEHIND for why, _ in refused)

    record, marks = found(addition)
    assert reasons(record.position, *marks.barred) == {Reason.NEXT_TO_FRIEND, Reason.OPPONENT_REGION}
    assert reasons(record.position, *marks.dots) == {None}


def test_the_flight_that_clears_leaves_birds_in_two_regions() -> None:
    example = BY_NAME["volo-clearing"]
    record, marks = found(example)
    blue = set(record.position.board.names(record.position.pieces(record.to_move.other)))
    assert {text.partition("/")[2] for text in legal(example) if text.startswith(f"{example.piece}/")} == {
        region[0] for region in marks.regions
    }
    assert len(marks.regions) == 2
    assert all(blue & {*region} for region in marks.regions)
    assert marks.moved == (("j2", "h2"),)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_picture_can_be_drawn_and_has_its_words(language: str, theme: str, examples: Examples) -> None:
    renderer = Renderer(font_directories=())
    for game in GAMES:
        for caption, picture in examples.shown(game, language, theme):
            assert renderer.draw(picture.scene, 400).startswith(b"\x89PNG")
            assert picture.scene.theme == theme
            assert 40 < len(plain(caption)) < 200
            assert len(picture.alt) < ALT_LENGTH, "cut"
            marks = picture.scene
            for cell in (*marks.dots, *marks.barred, *marks.selected, *(cell for one in marks.regions for cell in one)):
                assert cell in picture.alt.replace(".", "").split()


def texts_of(answers: list[Outgoing]) -> list[str]:
    return [plain(outgoing.text) for outgoing in answers]


@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_come_first_then_each_picture_in_a_message_of_its_own(game: str, redis_client: Redis) -> None:
    world = World(redis_client)
    first, *pictures = answers = await world.say("Ana", f"/rules {game}")
    assert first.picture is None
    assert texts_of(pictures) == [sentence(f"example.{one.game}.{one.name}") for one in EXAMPLES if one.game == game]
    assert all(outgoing.picture and outgoing.picture.alt for outgoing in pictures)
    assert len({outgoing.key for outgoing in answers}) == len(answers)
    assert {outgoing.only_for for outgoing in answers} == {world.person("Ana").id}
    assert [bool(labels(outgoing)) for outgoing in answers] == [False] * len(pictures) + [True]
