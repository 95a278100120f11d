"""The guided move: every legal move can be reached by choosing, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards import Boards
from bot.guide import GROUP, MAX_OPTIONS, Question, ask
from bot.guided import Guided, one_move
from bot.messages import Keep
from bot.replies import GuideStep, Option
from bot.texts import LANGUAGES, Texts
from rules import GAMES
from rules.actions import Accept, PersonId
from rules.core import Move, Position, Side, Step, StepKind
from rules.match import apply, challenge
from rules.record import Record
from storage.base import MatchId, StoredMatch
from tests.bot.guides import FILES, positions_of_all_sizes, questions, recorded_positions
from tests.rules.games import volo

MOST: Final = 26
"""Options of a question, with which every platform can do."""

SOURCES: Final[dict[str, Callable[[], Iterator[Position]]]] = {
    "all sizes": lambda: positions_of_all_sizes(80, 14),
    **{name: lambda name=name: recorded_positions(name, 3, 9) for name in FILES},  # type: ignore[misc]  # as below
}


def legal(position: Position) -> list[str]:
    return sorted(map(position.write, position.legal_moves()))


@pytest.mark.parametrize("source", SOURCES)
def test_choosing_reaches_every_legal_move_once(source: str) -> None:
    checked = 0
    for position in SOURCES[source]():
        first = ask(position, ())
        reached = [] if isinstance(first, Question) or first is None else [first]
        for chosen, question in questions(position):
            _check_question(question)
            if chosen:
                before = ask(position, chosen[:-1])
                assert isinstance(before, Question), "Back leads to the question before"
                assert dict(before.options)[chosen[-1]] == question.left
            reached += [moves[0] for _, moves in question.options if len(moves) == 1]
        assert sorted(map(position.write, reached)) == legal(position)
        checked += 1
    assert checked > 40


def _check_question(question: Question) -> None:
    texts = [text for text, _ in question.options]
    assert 2 <= len(texts) <= MOST
    assert len(set(texts)) == len(texts)
    assert {text.endswith(GROUP) for text in texts} in ({True}, {False}), "letters or whole steps"
    chosen = [move for _, moves in question.options for move in moves]
    assert len(chosen) == len(set(chosen)) == len(question.left)
    assert set(chosen) == set(question.left)


@pytest.mark.parametrize("source", SOURCES)
def test_an_option_with_one_move_leads_to_it(source: str) -> None:
    for position in list(SOURCES[source]())[::7]:
        for chosen, question in questions(position):
            for text, moves in question.options:
                found = ask(position, (*chosen, text))
                assert isinstance(found, Question) == (len(moves) > 1)
                assert found in moves or isinstance(found, Question)


@pytest.mark.parametrize("source", SOURCES)
def test_some_of_the_moves_lead_on_among_all(source: str) -> None:
    """What was typed is ambiguous: the question is about the moves that fit; each answer is then asked about again."""
    for number, position in enumerate(SOURCES[source]()):
        if number % 8 and not _first_step_is_forced(position):
            continue
        by_piece: dict[str, list[Move]] = {}
        for move in position.legal_moves():
            steps = position.steps(move)
            piece = next((step.text for step in steps if step.kind is StepKind.CELL), "")
            by_piece.setdefault(piece, []).append(move)
        for moves in by_piece.values():
            question = ask(position, (), moves)
            if not isinstance(question, Question):
                assert question == moves[0]
                continue
            taken = tuple(step.text for step in question.taken)
            for text, left in question.options:
                found = ask(position, (*taken, text))
                assert found is not None
                assert set(left) <= (set(found.left) if isinstance(found, Question) else {found})


def _first_step_is_forced(position: Position) -> bool:
    return len({position.steps(move)[0] for move in position.legal_moves()}) == 1


# ---- groups ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "size", "chosen", "count", "grouped"),
    [
        ("ayu", 9, (), 20, False),
        ("ayu", 11, (), 5, True),
        ("ayu", 19, (), 9, True),
        ("volo", 6, (), 11, True),
        ("volo", 8, (), 15, True),
    ],
)
def test_many_choices_are_grouped(game: str, size: int, chosen: tuple[str, ...], count: int, grouped: bool) -> None:
    question = ask(GAMES[game].opening(size), chosen)
    assert isinstance(question, Question)
    assert (question.kind, len(question.options)) == (StepKind.CELL, count)
    assert question.options[0][0].endswith(GROUP) == grouped


@pytest.mark.parametrize("size", [11, 13, 15, 17, 19])
def test_the_stones_of_a_large_board_are_asked_for_by_column(size: int) -> None:
    position = GAMES["ayu"].opening(size)
    columns = ask(position, ())
    assert isinstance(columns, Question)
    assert [text for text, _ in columns.options] == [f"{letter}*" for letter in "bdfhjlnpr"[: size // 2]]
    stones = ask(position, ("d*",))
    assert isinstance(stones, Question)
    assert stones.kind is StepKind.CELL
    assert [text for text, _ in stones.options] == [f"d{row}" for row in range(1, size + 1, 2)], "by number"
    goals = ask(position, ("d*", "d5"))
    assert isinstance(goals, Question)
    assert (goals.kind, [step.text for step in goals.taken]) == (StepKind.GOAL, ["d5"])
    assert ask(position, ("d5",)) == goals, "the letter may be left out"


# ---- stale and made-up choices ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "chosen"),
    [
        ("ayu", ("b2",)),
        ("ayu", ("b1", "b2", "b3")),
        ("ayu", ("b1", "a1")),
        ("ayu", ("z*",)),
        ("ayu", ("c*",)),
        ("ayu", ("b*", "d1")),
        ("ayu", ("",)),
        ("volo", ("fly",)),
        ("volo", ("pass",)),
        ("volo", ("add", "a1")),
        ("volo", ("a3", "add")),
    ],
)
def test_choices_that_fit_no_legal_move(game: str, chosen: tuple[str, ...]) -> None:
    assert ask(GAMES[game].opening(GAMES[game].default_size), chosen) is None


TEXTS: Final = st.sampled_from(
    ["add", "fly", "pass", "a3", "b*", "b1", "b2", "g*", "g12", "l2", "l2:l3", "", "*", "f*"]
)


@given(game=st.sampled_from(sorted(GAMES)), chosen=st.lists(TEXTS, max_size=6))
def test_any_choices_lead_to_legal_moves_or_nowhere(game: str, chosen: list[str]) -> None:
    position = GAMES[game].opening(GAMES[game].default_size)
    found = ask(position, chosen)
    moves = () if found is None else found.left if isinstance(found, Question) else (found,)
    assert set(moves) <= set(position.legal_moves())


def test_a_game_that_is_over_asks_nothing() -> None:
    assert ask(volo(6, "a2 a3", "d1"), ()) is None


# ---- any tree of choices ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tree:
    """As much of a position as the guided move looks at; its moves are their own steps."""

    moves: tuple[tuple[str, ...], ...]

    def legal_moves(self) -> tuple[tuple[str, ...], ...]:
        return self.moves

    def steps(self, move: tuple[str, ...]) -> tuple[Step, ...]:
        return tuple(Step(StepKind.CELL, text) for text in move)


def _cells(letters: str, numbers: int) -> st.SearchStrategy[str]:
    return st.builds("{}{}".format, st.sampled_from(letters), st.integers(1, numbers))


@given(
    moves=st.integers(1, 4).flatmap(
        lambda length: st.lists(
            st.tuples(*[st.one_of(_cells("ab", 2), _cells("cdefghijkl", 9))] * length),
            min_size=1,
            max_size=60,
            unique=True,
        )
    )
)
def test_any_tree_of_choices(moves: list[tuple[str, ...]]) -> None:
    """The same text may stand at several steps, and a step may be forced: all ends are reached."""
    position = cast("Position", Tree(tuple(moves)))
    first = ask(position, ())
    reached = [] if isinstance(first, Question) else [first]
    for chosen, question in questions(position):
        _check_question(question)
        assert len(chosen) <= 2 * len(moves[0])
        reached += [left[0] for _, left in question.options if len(left) == 1]
    assert sorted(map(str, reached)) == sorted(map(str, moves))


def test_the_letter_counts_for_its_own_step_alone() -> None:
    """Of thirty pieces one stands alone in its row, and has thirty goals: they too are asked for by letter."""
    pieces = [(f"a{number}", "a1") for number in range(1, 31)]
    goals = [("b1", f"{'cd'[number % 2]}{number}") for number in range(30)]
    position = cast("Position", Tree((*pieces, *goals)))
    question = ask(position, ("b*",))
    assert isinstance(question, Question)
    assert [text for text, _ in question.options] == ["c*", "d*"]


@pytest.mark.parametrize(
    ("count", "letters", "options"),
    [(MAX_OPTIONS, 2, MAX_OPTIONS), (MAX_OPTIONS + 1, 2, 2), (MAX_OPTIONS + 1, 1, MAX_OPTIONS + 1)],
)
def test_when_letters_are_asked_for(count: int, letters: int, options: int) -> None:
    """Where there are too many choices, but never for the only letter."""
    moves = tuple((f"{'ab'[number % letters]}{number}",) for number in range(count))
    question = ask(cast("Position", Tree(moves)), ())
    assert isinstance(question, Question)
    assert len(question.options) == options


# ---- in words and marks ----------------------------------------------------------------------------------------------

ANA, BO = PersonId("telegram:1"), PersonId("telegram:2")


def step_of(position: Position, question: Question) -> GuideStep:
    match, _ = apply(challenge(position.game, position.size, ANA, 0), Accept(BO), 0)
    stored = StoredMatch(MatchId("kfwt"), 1, replace(match, record=Record((), (position,), None)), ())
    options = tuple(Option(text, Keep()) for text, _ in question.options)
    taken = tuple(step.text for step in question.taken)
    return GuideStep(stored, question.kind, options, taken, tuple(map(position.write, question.left)))


@pytest.fixture(scope="module")
def guided() -> Guided:
    texts = Texts.load()
    return Guided(texts, Boards(texts))


@pytest.mark.parametrize("source", SOURCES)
def test_every_question_has_words_and_marks(source: str, guided: Guided) -> None:
    kinds = set()
    for position in list(SOURCES[source]())[::5]:
        cells = {name for row in position.board.rows for name in row if name}
        for _, question in list(questions(position))[::3]:
            step = step_of(position, question)
            kinds.add(step.kind)
            marks = guided.marks(step)
            assert {*marks.dots, *marks.selected} <= cells
            assert marks.dots or marks.regions
            own = set(position.board.names(position.pieces(position.to_move)))
            assert set(marks.selected) <= own
            assert guided.per_row(step) in (2, 3, 5)
            for language in LANGUAGES:
                assert guided.question(language, step)
                labels = [guided.label(language, step, option) for option in step.options]
                assert all(labels)
                assert len(set(labels)) == len(labels)
    assert kinds >= {StepKind.CELL, StepKind.GOAL}


def test_where_a_region_is_to_choose_the_picture_shows_the_flight_as_flown(guided: Guided) -> None:
    boards, seen = Boards(Texts.load()), 0
    for position in recorded_positions("volo_literal.ndjson.gz", 15, 3):
        for _, question in questions(position) if any("/" in text for text in legal(position)) else ():
            if question.kind is StepKind.REGION:
                step = step_of(position, question)
                scene = boards.picture("en", step.stored, "light", guided.marks(step)).scene
                after = position.play(question.left[0])
                mine, theirs = (scene.first, scene.second)[:: 1 if position.to_move is Side.FIRST else -1]
                assert sorted(mine) == sorted(position.board.names(after.pieces(position.to_move)))
                assert theirs == position.board.names(position.pieces(position.to_move.other)), "nothing is taken off"
                assert (scene.mover, scene.moved) == (position.to_move, position.change(question.left[0]).moved)
                assert not {*mine} & {cell for region in scene.regions for cell in region}
                seen += 1
    assert seen > 10


def test_regions_are_numbered_as_the_picture_shows_them(guided: Guided) -> None:
    seen = 0
    for position in recorded_positions("volo_literal.ndjson.gz", 15, 3):
        if not any("/" in text for text in legal(position)):
            continue
        for _, question in questions(position):
            if question.kind is StepKind.REGION:
                step = step_of(position, question)
                step = replace(step, candidates=step.candidates[::-1])
                regions = guided.marks(step).regions
                assert len(regions) == len(step.options)
                foreign = set(position.board.names(position.pieces(position.to_move.other)))
                for number, (option, region) in enumerate(zip(step.options, regions, strict=True), 1):
                    assert region[0] == option.text, "a region is called by its first cell"
                    birds = len(foreign & set(region))
                    assert birds > 0
                    assert guided.label("en", step, option) == f"{number}: {option.text} ({birds})"
                assert len({cell for region in regions for cell in region}) == sum(map(len, regions)), "apart"
                seen += 1
    assert seen > 10


def test_marks_of_a_move_before_it_is_made() -> None:
    opening = GAMES["ayu"].opening(11)
    assert one_move(opening, "b9-c9").selected == ("b9",)
    assert one_move(opening, "b9-c9").dots == ("c9",)
    sky = GAMES["volo"].opening(7)
    assert (one_move(sky, "c7").selected, one_move(sky, "c7").dots) == ((), ("c7",))


def test_marks_of_all_moves(guided: Guided) -> None:
    opening = GAMES["ayu"].opening(5)
    goals = {text.partition("-")[2] for text in legal(opening)}
    assert set(guided.all_moves(opening).dots) == goals
    assert opening.to_move is Side.FIRST
