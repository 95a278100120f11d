"""A match as a board that is tapped: what a page needs to draw it and to know what a tap means. Values alone.

All words are finished, in the reader's language. Cells are the notation's names. The page draws and counts nothing out
by itself: what may be played, and what a tap would mean, stands here.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.messages import Button


@dataclass(frozen=True, slots=True)
class LiveCard:
    """One player's card: *state* is ``waits``, ``to-move`` or ``won``."""

    name: str
    line: str
    state: str


@dataclass(frozen=True, slots=True)
class LiveWay:
    """Where a piece may go: *to* are the cells reached, in the order of its cells. *text* is the move.

    *choose* is True where a region has still to be chosen: `Live.weigh` of *text* tells among which.
    """

    to: tuple[str, ...]
    text: str
    choose: bool = False


@dataclass(frozen=True, slots=True)
class LivePiece:
    """What can move as one: a stone, a bird, or a line of birds (*cells* from its first end to its last)."""

    cells: tuple[str, ...]
    ways: tuple[LiveWay, ...]


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """What the reader may play now: *adds* are the free cells on which a piece may be added (the cell is the move).

    *play* makes a move's text a payload: what comes before it, what comes behind it, and what comes behind one that the
    reader has confirmed. *confirm* is True if he wants to be asked before each move.
    """

    adds: tuple[str, ...]
    pieces: tuple[LivePiece, ...]
    play: tuple[str, str, str]
    confirm: bool


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """One match, after *shown* of its *moves*; *version* counts what happened to it.

    *shape* is ``square`` or ``hexagon``; *cells* are all cells with their places: x to the right, y down, 1 = the
    distance of two neighbours, from the board's middle. *groups* are the pieces of the two sides by unit or flock.
    *moved*, *added*, *removed*, *mover*, *winners*, *beaten* are as in `renderers.scene.Scene`. *side* is the reader's
    (0: he does not play). *said* tells what happened last, *status* how the match stands; *about* describes the whole
    board. *turn* is None where the reader has nothing to move; *buttons* are what he may be asked for now besides (to
    accept, to swap sides, to agree), *others* what he can do at any time. *live* is False once the match is over.
    """

    match: str
    version: int
    game: str
    size: int
    shape: str
    title: str
    cells: tuple[tuple[str, float, float], ...]
    groups: tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]
    cards: tuple[LiveCard, LiveCard]
    moves: tuple[str, ...]
    shown: int
    ply: int
    said: str
    status: str
    about: str
    live: bool
    side: int = 0
    mover: int = 0
    moved: tuple[tuple[str, str], ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    beaten: int = 0
    turn: LiveTurn | None = None
    buttons: tuple[Button, ...] = ()
    others: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True)
class LiveChoice:
    """A match that can be shown: *waits* if the reader is to do something in it, *live* while it is not over.

    *mine* if the reader plays in it or is asked to, *begun* if it was he who began it.
    """

    match: str
    label: str
    waits: bool
    live: bool
    mine: bool
    begun: bool


@dataclass(frozen=True, slots=True)
class LiveView:
    """What the reader's page shows: a board (None: there is no match) and the *matches* to choose from.

    *language* is the one in which everything is said; *own* is True if the reader has chosen it.
    """

    language: str
    own: bool
    matches: tuple[LiveChoice, ...] = ()
    board: LiveBoard | None = None


@dataclass(frozen=True, slots=True)
class LiveRegion:
    """A region that may stay: the move that lets it stay, a label, its cells."""

    text: str
    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveAnswer:
    """What a tap comes to: *said* is why it is no move, or the question among the *regions*."""

    said: str
    regions: tuple[LiveRegion, ...] = ()
