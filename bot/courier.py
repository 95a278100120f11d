"""Delivery: what was saved is spoken.

The outbox is state, not a log: every place of a match remembers the version it was shown, and the store knows which
places are behind. The courier takes a place by lease, says what lies between, then marks it as shown: after the send,
so that a crash in between repeats one message at most and loses none. A ping is marked before the send: it comes once
at most. The lease is short, so that the places of a killed process do not wait for long, and renewed as long as the
sending takes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.drawing import drawn_or_plain
from bot.ports import (
    Clock,
    NotAllowedError,
    PlaceGoneError,
    PlaceMovedError,
    Render,
    Sender,
    SendLaterError,
)
from bot.present import Presenter, asked
from bot.rush import Rush
from bot.texts import LANGUAGES
from storage.base import Behind, DamagedRecordError, MatchId, Place, Shown, Store, StoredMatch, StoreUnavailableError

log = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 0.25
"""How long a place that another process left behind waits at most."""

LEASE_MS: Final = 9_000
"""How long the places that a killed process was serving wait at most."""

RUSH_SECONDS: Final = 0.25
"""How long boards wait at most while updates are being handled."""

RENEW_SECONDS: Final = LEASE_MS / 3_000
RETRY_MS: Final = 30_000
"""When a send whose outcome is unknown is tried once more."""

DAMAGED_MS: Final = 3_600_000
AT_ONCE: Final = 32
"""Places that are served at the same time."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A message that a platform has taken."""

    version: int
    message: str


class Courier:
    """Brings every place up to date, on the platforms of *senders*.

    On the platforms *own_windows* each reader has a window of his own: they are told everything in all languages.
    """

    def __init__(
        self,
        store: Store,
        presenter: Presenter,
        render: Render,
        senders: Mapping[str, Sender],
        clock: Clock,
        *,
        language: str,
        rush: Rush,
        own_windows: frozenset[str] = frozenset(),
    ) -> None:
        self._store = store
        self._rush = rush
        self._presenter = presenter
        self._render = render
        self._senders = senders
        self._clock = clock
        self._language = language
        self._own_windows = own_windows
        self._holder = secrets.token_hex(8)
        self._woken = asyncio.Event()
        self._busy: set[Place] = set()
        self._leased: set[Place] = set()
        self._waiting: dict[Place, int] = {}
        self._barred: set[Place] = set()
        self._unmarked: dict[tuple[MatchId, Place], _Said] = {}
        self._closing = False
        self._places = asyncio.Semaphore(AT_ONCE)

    def wake(self, place: Place | None = None) -> None:
        """Look at once; also at *place*, where somebody acted just now, if the bot was not allowed to post there."""
        if place in self._barred:
            del self._waiting[place]
            self._barred.remove(place)
        self._woken.set()

    def close(self) -> None:
        """Take no new place; `run` returns after the sends in flight."""
        self._closing = True
        self._woken.set()

    async def run(self) -> None:
        """Deliver until `close`, and then finish the sends in flight."""
        async with asyncio.TaskGroup() as group:
            keeper = group.create_task(self._keep_leases())
            async with asyncio.TaskGroup() as sends:
                while not self._closing:
                    self._woken.clear()
                    try:
                        for place, matches in (await self._due()).items():
                            self._busy.add(place)
                            sends.create_task(self._serve(place, matches))
                    except StoreUnavailableError as error:
                        log.warning("cannot look for what is to be sent, trying again: %s", error)
                    await self._rest()
                    await self._rush.over(RUSH_SECONDS)
            keeper.cancel()

    async def drain(self) -> None:
        """Return when nothing is due any more, or after `close`."""
        while not self._closing:
            due = await self._due()
            if not due and not self._busy:
                return
            self._busy.update(due)
            await asyncio.gather(*(self._serve(place, matches) for place, matches in due.items()))
            if not due:
                await asyncio.sleep(0.01)

    async def _rest(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SWEEP_SECONDS):
                await self._woken.wait()

    async def _keep_leases(self) -> None:
        """Renew the leases of the places that are being served, for ever: drawing and sending may take long."""
        while True:
            await asyncio.sleep(RENEW_SECONDS)
            try:
                for place in tuple(self._leased):
                    await self._renew(place)
            except StoreUnavailableError as error:
                log.warning("cannot renew the leases of chats, trying again: %s", error)
            except Exception:
                log.exception("cannot renew the leases of chats, trying again")

    async def _renew(self, place: Place) -> None:
        if place not in self._leased:
            return
        if not await self._store.lease(place, self._holder, LEASE_MS):
            log.warning("another process has taken a chat on %s while this one was sending there", place.platform)
        elif place not in self._leased:
            await self._store.release(place, self._holder)  # it was served in the meantime, and given back too early

    async def _due(self) -> dict[Place, list[Behind]]:
        """What is due, by place, without the places that are being served or whose platform asked to wait."""
        found: dict[Place, list[Behind]] = {}
        now = self._clock.now_ms()
        # A new move makes a place due at once; that its platform wants to be left alone is remembered here.
        self._waiting = {place: until for place, until in self._waiting.items() if until > now}
        self._barred &= self._waiting.keys()
        for behind in await self._store.behind(tuple(self._senders), now):
            if behind.place not in self._busy and behind.place not in self._waiting:
                found.setdefault(behind.place, []).append(behind)
        return found

    async def _serve(self, place: Place, matches: Sequence[Behind]) -> None:
        """Bring *place* up to date, one message after the other; never raises."""
        try:
            async with self._places:
                await self._in_turn(place, matches)
        except StoreUnavailableError as error:
            log.warning("cannot send on %s, trying again: %s", place.platform, error)
        except Exception:
            log.exception("a chat on %s cannot be served, trying again", place.platform)
        finally:
            self._busy.discard(place)

    async def _in_turn(self, place: Place, matches: Sequence[Behind]) -> None:
        """Deliver the *matches* as long as *place* is ours and its platform lets us."""
        try:
            for done, behind in enumerate(matches):
                # Asked for each message: the lease may be lost by now, and whoever stops the process waits.
                if self._closing or not await self._store.lease(place, self._holder, LEASE_MS):
                    return
                self._leased.add(place)
                try:
                    await self._deliver(behind)
                except SendLaterError as error:
                    until = self._clock.now_ms() + round(1000 * error.seconds)
                    self._waiting[place] = until
                    if isinstance(error, NotAllowedError):
                        self._barred.add(place)
                    for waiting in matches[done:]:
                        await self._store.postpone(waiting.match, place, until)
                    return
                except PlaceMovedError as error:
                    # What is to be said there is found under the new place at once.
                    await self._store.move_chat(place, error.place)
                    self._woken.set()
                    return
        finally:
            self._leased.discard(place)
            await self._store.release(place, self._holder)

    async def _deliver(self, behind: Behind) -> None:
        """Say what is new of one match in one place, and mark it as shown.

        :raises SendLaterError: if the platform asks to wait.
        :raises PlaceMovedError: if the chat goes on as another one.
        """
        match, place = behind.match, behind.place
        try:
            stored = await self._store.load(match)
            shown = await self._store.shown(match, place)
        except DamagedRecordError as error:
            log.error("match %s cannot be shown: %s", match, error)  # noqa: TRY400 - the record is at fault, not the code
            await self._store.postpone(match, place, self._clock.now_ms() + DAMAGED_MS)
            return
        if stored is None or shown.version >= stored.version:
            await self._store.mark_shown(match, place, shown.version, shown.message)
            return
        said = self._unmarked.pop((match, place), None)
        if said is None or said.version <= shown.version:
            said = await self._say(stored, place, shown)
        if said is None:
            return
        # Remembered until it is marked: if the store cannot be reached now, this process need not say it again.
        self._unmarked[match, place] = said
        await self._store.mark_shown(match, place, said.version, said.message)
        del self._unmarked[match, place]
        await self._retire(place, shown.message, said.message)

    async def _say(self, stored: StoredMatch, place: Place, shown: Shown) -> _Said | None:
        """What was said; None if it must be tried later.

        :raises SendLaterError: if the platform asks to wait.
        :raises PlaceMovedError: if the chat goes on as another one.
        """
        try:
            return _Said(stored.version, await self._send(stored, place, shown))
        except (SendLaterError, PlaceMovedError, StoreUnavailableError):
            raise
        except PlaceGoneError as error:
            log.warning("match %s: a chat on %s is gone: %s", stored.id, place.platform, error)
            return _Said(stored.version, shown.message)
        except Exception:
            log.exception("match %s: sending on %s failed", stored.id, place.platform)
            await self._store.postpone(stored.id, place, self._clock.now_ms() + RETRY_MS)
            return None

    async def _send(self, stored: StoredMatch, place: Place, shown: Shown) -> str:
        person = asked(stored.match)
        profile = None
        if person is None:
            chat = await self._store.chat(place)
        else:
            chat, profile = await self._store.settings(place, person)
        languages = [chat.language or self._language]
        if place.platform in self._own_windows:
            languages += [other for other in LANGUAGES if other not in languages]
        outgoing, *others = (
            self._presenter.spoken(stored, place, shown, language, chat.theme or "light", profile)
            for language in languages
        )
        outgoing = replace(outgoing, others=tuple(others))
        outgoing = await drawn_or_plain(outgoing, self._render)
        if outgoing.ping is not None and not await self._store.mark_pinged(stored.id, place, stored.version):
            outgoing = replace(outgoing, ping=None)
        try:
            return await self._senders[place.platform].send(outgoing)
        except (SendLaterError, PlaceMovedError):
            if outgoing.ping is not None:
                await self._let_ping(stored, place)
            raise

    async def _let_ping(self, stored: StoredMatch, place: Place) -> None:
        """Let whoever tries again ping. If that fails, as after a crash, the ping is lost rather than sent twice."""
        try:
            await self._store.unmark_pinged(stored.id, place, stored.version)
        except StoreUnavailableError as error:
            log.warning("match %s: somebody is not notified: %s", stored.id, error)

    async def _retire(self, place: Place, before: str, message: str) -> None:
        """Take the buttons off the board before; an old board that keeps them is a blemish, no loss."""
        if not before or before == message:
            return
        try:
            await self._senders[place.platform].retire(place, before)
        except Exception:
            log.exception("the buttons of an old board on %s stay", place.platform)
