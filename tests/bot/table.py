"""What the tests of the bot do over and over: find a button, begin a match, send with trouble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache

from bot.messages import Incoming, Outgoing
from bot.texts import Param, Texts, plain
from rules import GAMES
from rules.actions import Accept
from rules.match import Result, Status, apply, challenge
from rules.record import Record
from storage.base import MatchId, Place, StoredMatch
from tests.bot.harness import PLATFORM, Inbox, World, written


@cache
def texts() -> Texts:
    """The catalogs."""
    return Texts.load()


def sentence(key: str, language: str = "en", /, **params: Param) -> str:
    """The text of *key*, which may be worded anew at any time, without markup."""
    return texts().plain(language, key, **params)


def first_line(messages: Iterable[Outgoing]) -> str:
    """The first line of the first message without markup; empty if there is none."""
    return next((plain(outgoing.text).split("\n")[0] for outgoing in messages), "")


def said(messages: Iterable[Outgoing]) -> str:
    """The words of all *messages*."""
    return "\n".join(written(outgoing.text) for outgoing in messages)


def payload(messages: Iterable[Outgoing], label: str) -> str:
    """What the button called *label* sends back."""
    found = [button.payload for one in messages for row in one.buttons for button in row if button.label == label]
    assert found, f"no button {label!r} under {said(messages)!r}"
    return found[0]


def pressing(messages: Iterable[Outgoing], key: str, language: str = "en") -> str:
    """What the button with the text ``button.<key>`` sends back."""
    return payload(messages, sentence(f"button.{key}", language))


def labels(outgoing: Outgoing) -> list[str]:
    """What the buttons of the message say."""
    return [button.label for row in outgoing.buttons for button in row]


def room(chat: str, topic: str = "") -> Place:
    """A chat of the test platform."""
    return Place(PLATFORM, chat, topic)


async def ready(world: World, match: MatchId) -> StoredMatch:
    """The match as it is saved."""
    stored = await world.store.load(match)
    assert stored is not None
    return stored


async def begun(
    world: World, wanted: str = "ayu 9 nopie", first: str = "Ana", second: str = "Бо", place: Place | None = None
) -> StoredMatch:
    """A match that *first* has begun with *second* in *place*, spoken about; *wanted* as behind `/challenge`."""
    where = world.place if place is None else place
    before = set(await world.store.matches_in(where))
    await world.say(first, f"/challenge {wanted}", place=where)
    (match,) = set(await world.store.matches_in(where)) - before
    await world.say(second, f"/accept {match}", place=where)
    stored = await ready(world, match)
    assert stored.match.status is Status.PLAYING
    return stored


async def placed(world: World, game: str, size: int, moves: Sequence[str]) -> StoredMatch:
    """A match of Ana's and Бо's in which the *moves* have been made already, spoken about."""
    ana, bo = world.person("Ana").id, world.person("Бо").id
    now = world.clock.now_ms() // 1000
    match, _ = apply(challenge(GAMES[game], size, ana, now, pie=False), Accept(bo), now)
    record = Record.replay(GAMES[game], size, moves)
    result = None if record.outcome is None else Result(record.outcome.ending, record.outcome.winner)
    status = match.status if result is None else Status.FINISHED
    match = replace(match, record=record, result=result, status=status)
    draft = StoredMatch(MatchId(""), 0, match, (world.place,), ((ana, "Ana"), (bo, "Бо")))
    stored = await world.store.create(draft, f"{game}{size}{len(moves)}")
    await world.delivered()
    return stored


async def moved(world: World, stored: StoredMatch, *moves: str, place: Place | None = None) -> StoredMatch:
    """The match after the *moves*, each typed by whoever's turn it is."""
    people = {world.person(name).id: name for name in ("Ana", "Бо", "Carla", "Diego")}
    for text in moves:
        name = people[stored.match.person_to_move or world.person("Ana").id]
        await world.say(name, f"/move {text} {stored.id}", place=world.place if place is None else place)
        after = await ready(world, stored.id)
        assert after.version == stored.version + 1, text
        stored = after
    return stored


async def typed(world: World, stored: StoredMatch, *moves: str) -> StoredMatch:
    """The match after the *moves*, typed where it is played; nobody has been told of them."""
    people = {world.person(name).id: name for name in ("Ana", "Бо")}
    for move in moves:
        name = people[stored.match.person_to_move or world.person("Ana").id]
        assert await world.core.handle(world.incoming(name, f"{move} {stored.id}", place=stored.places[0])) == ()
        stored = await ready(world, stored.id)
    return stored


async def is_behind(world: World, place: Place | None = None) -> bool:
    """True if something is still to be said in *place*, now or later."""
    where = world.place if place is None else place
    return where in [behind.place for behind in await world.store.behind([PLATFORM], 10**15)]


def again(incoming: Incoming, **more: object) -> Incoming:
    """The same update, delivered once more."""
    return replace(incoming, **more)  # type: ignore[arg-type]  # a test may set any field


class Troubled(Inbox):
    """A sender whose *trouble* may raise before something is sent, or (*after*) when it has arrived."""

    def __init__(self) -> None:
        super().__init__()
        self.trouble: Callable[[Outgoing], None] = lambda _: None
        self.after: Callable[[Outgoing], None] = lambda _: None
        self.tries = 0

    async def send(self, outgoing: Outgoing) -> str:
        self.tries += 1
        self.trouble(outgoing)
        message = await super().send(outgoing)
        self.after(outgoing)
        return message


def failing(error: Exception | None) -> Callable[[Outgoing], None]:
    """Trouble: *error* for every message, or none any more."""

    def trouble(_: Outgoing) -> None:
        if error is not None:
            raise error

    return trouble


def watched(world: World) -> Troubled:
    """The world's sender from now on; what was sent before is forgotten."""
    sender = Troubled()
    world.inbox = sender
    world.core.senders[PLATFORM] = sender
    world._seen = 0
    return sender
