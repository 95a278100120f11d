"""The judge of "nothing lost, nothing twice": compares what the platform saw with the matches as they were saved.

It knows nothing of how the bots work. What people did, what arrived, and the matches in the end must fit together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.messages import Accept, Challenge, Incoming, Move, Pass, Person, Rematch, Resign, Swap
from bot.parse import parse
from rules.actions import PersonId
from rules.core import MoveError, Position, Side
from rules.match import SWAP, Agreement, Match
from storage.base import MatchId, Place, StoredMatch
from tests.faults.loopback import Deed, Message
from tests.faults.tables import letters, playing_ply
from tests.faults.wire import PLATFORM, Board, Sent
from tests.faults.wording import Wording, is_shortened

MARK_SECONDS: Final = 5.0
"""How long after its arrival a message may still be unmarked in a process that is killed."""

SEAT: Final = "a seat"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the platform has seen, which processes were killed when, and the matches in the end."""

    deeds: Sequence[Deed]
    messages: Sequence[Message]
    deaths: Mapping[str, float]
    matches: Mapping[MatchId, StoredMatch]


@dataclass(frozen=True, slots=True)
class Claim:
    """What an update wants to have done: a move, a seat, to resign. *match* and *ply* only where it names both.

    *anywhere* marks a move that was typed with no word of its match.
    """

    person: str
    what: str
    match: str = ""
    ply: int | None = None
    anywhere: bool = False


def judge(evidence: Evidence) -> list[str]:
    """All that is wrong, a line each; empty if every promise was kept."""
    wording = Wording()
    return [
        *_deeds(evidence),
        *_answers(evidence, wording),
        *_matches(evidence, wording),
        *_repeats(evidence),
        *_pings(evidence),
    ]


# ---- what people did -------------------------------------------------------------------------------------------------


def claim_of(deed: Deed) -> Claim | None:
    """What the update wants, or None where it only asks for something."""
    update = deed.update
    person = update.person
    incoming = Incoming(
        update.id, Place(PLATFORM, update.chat), Person(PersonId(person), update.name), update.text, update.payload
    )
    match parse(incoming):
        case Move(text, match, ply) if deed.move or (update.payload and text):
            return Claim(person, deed.move or text, match or "", ply, not (match or update.quoted))
        case Pass(match, ply, confirmed=True):
            return Claim(person, "pass", match or "", ply)
        case Swap(match, ply):
            return Claim(person, SWAP, match or "", ply)
        case Challenge() | Accept() | Rematch():
            return Claim(person, SEAT)
        case Resign(match, confirmed=True):
            return Claim(person, f"to resign {match}")
        case _:
            return None


def _done(matches: Mapping[MatchId, StoredMatch]) -> Counter[tuple[str, str]]:
    """How often who has done what, as the matches tell."""
    done: Counter[tuple[str, str]] = Counter()
    for match in (stored.match for stored in matches.values()):
        done.update((person, token) for _, person, token in _moves(match))
        done[str(match.challenger), SEAT] += 1
        done.update((seat, SEAT) for seat in match.seats if seat is not None and seat != match.challenger)
    for stored in matches.values():
        result = stored.match.result
        if result is not None and result.how is Agreement.RESIGNATION and result.winner is not None:
            done[str(stored.match.person_at(result.winner.other)), f"to resign {stored.id}"] += 1
    return done


def _moves(match: Match) -> Iterator[tuple[int, str, str]]:
    """The ply, who moved, and the token, of every move."""
    return ((ply, str(match.seats[ply % 2]), token) for ply, token in enumerate(match.tokens))


def _position(match: Match, ply: int) -> Position:
    return match.record.positions[ply - (match.swapped and ply > 1)]


def _means(match: Match, ply: int, text: str) -> bool:
    """True if the move that was made there is what *text* means there."""
    position = _position(match, ply)
    try:
        return position.write(position.read(text)) == match.tokens[ply]
    except MoveError:
        return False


def _read_elsewhere(
    matches: Mapping[MatchId, StoredMatch], claim: Claim, is_free: Callable[[tuple[str, str]], bool]
) -> Iterator[tuple[str, str]]:
    """As what a move typed for no certain match may have been saved: ``g5-e5``, a step of Ayu, is a flight in Volo."""
    for match in (stored.match for stored in matches.values()):
        for ply, person, token in _moves(match):
            key = person, token
            if person == claim.person and token != SWAP and is_free(key) and _means(match, ply, claim.what):
                yield key


def _deeds(evidence: Evidence) -> Iterator[str]:
    """Nothing accepted is lost, nothing is done twice, and nobody is refused what he has got.

    What is accepted is answered by the board alone; whatever else becomes of an update has an answer of its own.
    """
    accepted: Counter[tuple[str, str]] = Counter()
    perhaps: Counter[tuple[str, str]] = Counter()
    at_ply: dict[tuple[str, int], list[tuple[Deed, str]]] = defaultdict(list)
    by_key: dict[tuple[str, str], list[Deed]] = defaultdict(list)
    done = _done(evidence.matches)
    yield from (f"never confirmed: {deed.update}" for deed in evidence.deeds if not deed.confirmed)
    claims = [(deed, claim) for deed in evidence.deeds if (claim := claim_of(deed)) is not None]

    def is_free(key: tuple[str, str]) -> bool:
        return accepted[key] + perhaps[key] < done[key]

    # Of moves that fit several matches, those that name theirs leave less to choose from.
    for deed, claim in sorted(claims, key=lambda one: (one[1].anywhere, not _is_accepted(*one))):
        key = claim.person, claim.what
        if claim.anywhere and not is_free(key):
            key = next(_read_elsewhere(evidence.matches, claim, is_free), key)
        if not deed.confirmed:
            perhaps[key] += 1
        elif _is_accepted(deed, claim):
            accepted[key] += 1
            if claim.ply is not None:
                at_ply[claim.match, claim.ply].append((deed, claim.what))
        elif claim.ply is None:
            # Refused, it may have been delivered once more at a better time. Where a ply was named, it cannot.
            perhaps[key] += 1
        by_key[key].append(deed)
    for key in accepted.keys() | perhaps.keys() | done.keys():
        if accepted[key] > done[key]:
            yield f"lost: {key[0]} was accepted {key[1]} {accepted[key]} times, saved are {done[key]}: {by_key[key]}"
        if done[key] > accepted[key] + perhaps[key]:
            yield (
                f"done twice: {key[0]} has done {key[1]} {done[key]} times; accepted {accepted[key]}, "
                f"refused, perhaps at first, {perhaps[key]}: {by_key[key]}"
            )
    for (match, ply), deeds in at_ply.items():
        tokens = _tokens(evidence, match)
        saved = tokens[ply] if ply < len(tokens) else "nothing"
        for deed, what in deeds:
            if what != saved:
                yield f"lost: {deed.update} was accepted, but move {ply} of {match} is {saved}"


def _is_accepted(deed: Deed, claim: Claim) -> bool:
    """True if there were no answers, or (to a chat where the match is not played) copies of its board."""
    if claim.what == SEAT:
        return not deed.answers
    return all(answer.picture is not None and {"g", "R"} & letters(answer) for answer in deed.answers)


def _answers(evidence: Evidence, wording: Wording) -> Iterator[str]:
    for message in evidence.messages:
        if wording.is_broken(message.sent):
            yield f"not handled: {message.sent}"


def _tokens(evidence: Evidence, match: str) -> tuple[str, ...]:
    stored = evidence.matches.get(MatchId(match))
    return () if stored is None else stored.match.tokens


# ---- what chats were told --------------------------------------------------------------------------------------------


def _matches(evidence: Evidence, wording: Wording) -> Iterator[str]:
    """Every chat was told every move of its matches in order, and has the last board."""
    told: dict[tuple[str, str], list[Message]] = defaultdict(list)
    for message in _boards(evidence):
        told[message.sent.match, message.sent.chat].append(message)
    for match, chat in told:
        stored = evidence.matches.get(MatchId(match))
        if stored is None or Place(PLATFORM, chat) not in stored.places:
            yield f"lost: match {match}, of which {chat} was told, is not saved as played there"
    for stored in evidence.matches.values():
        for place in stored.places:
            yield from _told(stored, place.chat, told[stored.id, place.chat], wording)


def _told(stored: StoredMatch, chat: str, messages: Sequence[Message], wording: Wording) -> Iterator[str]:
    where = f"match {stored.id} in {chat}"
    tokens = stored.match.tokens
    plies: set[int] = set()
    newest = 0
    for message in messages:
        sent = message.sent
        ply = _ply(stored, sent)
        moves = wording.told(sent)
        if moves != tokens[max(0, ply - len(moves)) : ply]:
            yield f"lost: {where} was told {moves} before ply {ply}, saved is {tokens[:ply]}"
        plies.update(range(len(tokens) if is_shortened(sent) else ply)[-len(moves) or ply :])
        if is_shortened(sent):
            plies.update(range(ply))
        if sent.picture is not None and sent.picture != _board(stored, ply):
            yield f"wrong board: {where}: version {_version(sent)} is not as at ply {ply}"
        if _version(sent) < newest:
            yield f"out of order: {where}: version {_version(sent)} after {newest}"
        newest = max(newest, _version(sent))
    if newest != stored.version:
        yield f"undelivered: {where} was told of version {newest}, saved is {stored.version}"
    if untold := set(range(len(tokens))) - plies:
        yield f"undelivered: {where} was never told of the moves {sorted(untold)}"


def _ply(stored: StoredMatch, sent: Sent) -> int:
    """The ply that the board shows; a match without buttons for moves is as it ended."""
    ply = playing_ply(sent)
    if ply is not None:
        return ply
    return 0 if "a" in letters(sent) else len(stored.match.tokens)


def _board(stored: StoredMatch, ply: int) -> Board:
    match = stored.match
    position = _position(match, ply)
    first, second = (frozenset(position.board.names(position.pieces(side))) for side in Side)
    return Board(match.game.key, match.size, first, second)


def _version(sent: Sent) -> int:
    return int(sent.key.rpartition(":")[2])


def _boards(evidence: Evidence) -> Iterator[Message]:
    return (message for message in evidence.messages if message.sent.board)


# ---- what came more than once ----------------------------------------------------------------------------------------


def repeats(evidence: Evidence) -> Iterator[tuple[Message, Message]]:
    """Each board that came once more, with its copy before."""
    last: dict[tuple[str, str], Message] = {}
    for message in _boards(evidence):
        key = (message.sent.chat, message.sent.key)
        if key in last:
            yield last[key], message
        last[key] = message


def _repeats(evidence: Evidence) -> Iterator[str]:
    """A message comes again only if nobody knew that it had come, or whoever knew was killed before it said so."""
    for first, again in repeats(evidence):
        death = evidence.deaths.get(first.sent.bot)
        killed = death is not None and first.at - 1 <= death <= min(again.at, first.at + MARK_SECONDS)
        if first.known and not killed:
            yield (
                f"sent twice: {first.sent.key} in {first.sent.chat} by {first.sent.bot}, "
                f"{again.at - first.at:.1f} s later by {again.sent.bot}"
            )


def _pings(evidence: Evidence) -> Iterator[str]:
    """Nobody is pinged twice for one version of a match in a chat."""
    pings = Counter((message.sent.chat, message.sent.key) for message in evidence.messages if message.sent.ping)
    for (chat, key), times in pings.items():
        if times > 1:
            yield f"notified twice: for {key} in {chat} {times} times"
