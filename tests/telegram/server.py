"""A strict Bot API server on the loopback interface, with a world of people and chats behind it.

    async with serve() as telegram:
        ana, bo = telegram.person("Ana", username="ana"), telegram.person("Бо", language="ru")   # Бо has no @name
        group = telegram.group("Friends", ana, bo)          # a supergroup, the bot in it; small=True: a basic group
        bot = Application.builder().token(telegram.token)   # or ExtBot(token, base_url, base_file_url)
        bot.base_url(telegram.base_url).base_file_url(telegram.base_file_url)
        …start the bot…

        ana.say(group, "/challenge ayu 9")                  # people act at once; the bot hears of it if it may
        board = await telegram.wait(group, "your turn")     # a message that is, or becomes, so; also a function
        answer = await bo.press(board, "Accept")            # waits for answerCallbackQuery: answer.text, answer.alert
        bo.reply(board, "b1b2"); ana.edit(sent, "…"); ana.private; ana.start("code"); ana.follow("https://t.me/…")
        ana.sees(group)                                     # group.messages and the ephemeral ones that are for her
        await telegram.idle()                               # everything confirmed, nothing under way, all quiet

        telegram.plant(refuse(429, retry_after=2), "sendPhoto", group, times=3)   # tests/telegram/faults.py
        telegram.plant(cut(after=True), "sendMessage")      # it took effect, but the bot does not learn of it
        telegram.limit()                                    # 20 a minute in a group, 30 a second overall: 429 beyond
        telegram.calls("sendPhoto", group)                  # what the bot asked for, refused or not
        telegram.updates.again(last=3)                      # deliver again though confirmed
        telegram.route("https://play.example", "http://127.0.0.1:8080")           # where the web hook's address leads

`serve` raises AssertionError at the end if the bot made a mistake: a wrong shape, a text that is too long, HTML that
cannot be parsed. `telegram.mistakes` holds them; a test that plants one clears it. Errors of the world (blocked, not
modified, gone) are no mistakes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from aiohttp import web
from aiohttp.test_utils import TestServer

from tests.telegram.account import OwnSettings
from tests.telegram.calls import Call, Calls
from tests.telegram.faults import Fault, Planted, Rates
from tests.telegram.model import Account, Chat, Member, Message, Topic
from tests.telegram.people import Person, Presses, Query
from tests.telegram.places import Places
from tests.telegram.updates import Updates
from tests.telegram.world import World
from tests.telegram.writing import Writing

TOKEN: Final = "7123456789:AAE-loopback-token-of-no-bot-at-all"
BOT_NAME: Final = "bandada_test_bot"
_QUIET: Final = 0.1


class Telegram:
    """The platform as tests use it."""

    def __init__(self, token: str = TOKEN, username: str = BOT_NAME) -> None:
        self.token = token
        self.world = World(Account(int(token.partition(":")[0]), "Bandada", username, is_bot=True))
        self.updates = Updates(self.world.bell)
        self.own = OwnSettings()
        self._presses = Presses()
        self._writing = Writing(self.world, self._presses)
        self._calls = Calls(self.updates, self._writing, Places(self.world), self.own)
        self.world.publish = self.updates.publish
        self.url = ""

    @property
    def bot(self) -> Account:
        """The bot's account."""
        return self.world.bot

    @property
    def base_url(self) -> str:
        """For python-telegram-bot's `base_url`."""
        return f"{self.url}/bot"

    @property
    def base_file_url(self) -> str:
        """For python-telegram-bot's `base_file_url`."""
        return f"{self.url}/file/bot"

    @property
    def mistakes(self) -> list[str]:
        """What the bot asked for and no bot may ask for."""
        return self._calls.mistakes

    @property
    def does(self) -> frozenset[str]:
        """The names of the methods that the server does."""
        return self._calls.known

    # ---- people and places -------------------------------------------------------------------------------------------

    def person(self, name: str, *, username: str = "", language: str = "en", last_name: str = "") -> Person:
        """A new person, whom the bot has not met."""
        person = Person(
            self.world.next_person(),
            name,
            username,
            last_name=last_name,
            language=language,
            world=self.world,
            presses=self._presses,
            sends_ephemeral=lambda person, chat, text: self.own.is_ephemeral(self.bot, person, chat, text),
        )
        self.world.accounts[person.id] = person
        return person

    def other_bot(self, username: str) -> Account:
        """Another bot, to put into a chat and let speak: `telegram.speak(chat, bot, text)`."""
        account = Account(self.world.next_person(), username, username, is_bot=True)
        self.world.accounts[account.id] = account
        return account

    def group(self, title: str, *people: Person, small: bool = False, bot: bool = True, username: str = "") -> Chat:
        """A supergroup of *people* (*small*: a basic group), owned by the first, who brought the *bot*."""
        chat = self.world.make_chat("group" if small else "supergroup", title, people)
        chat.username = username
        if bot:
            people[0].add_bot(chat)
        return chat

    def forum(self, title: str, *people: Person, topics: tuple[str, ...] = (), bot: bool = True) -> Chat:
        """A supergroup with topics; their ids are the keys of `chat.topics`. General is None."""
        chat = self.world.make_chat("supergroup", title, people, forum=True)
        for name in topics:
            self.topic(chat, name)
        if bot:
            people[0].add_bot(chat)
        return chat

    def topic(self, chat: Chat, name: str) -> int:
        """A new topic; its id."""
        owner = self.world.accounts[next(iter(chat.members))]
        made = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        message = self.world.write(chat, owner, service=made)
        message.thread = message.id
        chat.topics[message.id] = Topic(message.id, name)
        self.world.tell(message)
        return message.id

    def channel(self, title: str, owner: Person, *, bot: bool = True) -> Chat:
        """A channel; the bot posts in it as an admin."""
        chat = self.world.make_chat("channel", title, [owner])
        if bot:
            owner.add_bot(chat, "administrator")
        return chat

    def promote(self, chat: Chat, person: Person, *, anonymous: bool = False) -> None:
        """Make *person* an admin; *anonymous*: who writes as the group."""
        status = chat.status(person).status
        chat.members[person.id] = Member("creator" if status == "creator" else "administrator", anonymous=anonymous)

    def speak(self, chat: Chat, account: Account, text: str, *, as_chat: Chat | None = None) -> Message:
        """Let another bot, or a channel, write in *chat*. Bots do not hear bots; a channel's post they may."""
        message = self.world.write(chat, account, text=text, as_chat=as_chat)
        if as_chat is not None:
            self.world.tell(message)
        return message

    def migrate(self, chat: Chat, told: tuple[str, ...] = ("old", "new")) -> Chat:
        """Make a supergroup of a basic group; *told* are the chats whose service message arrives, in that order."""
        people = [self.world.accounts[one] for one in chat.members if one != self.bot.id]
        new = self.world.make_chat("supergroup", chat.title, people)
        new.members = dict(chat.members)
        service = {
            "old": self.world.write(chat, people[0], service={"migrate_to_chat_id": new.id}),
            "new": self.world.write(new, people[0], service={"migrate_from_chat_id": chat.id}),
        }
        for side in told:
            self.world.tell(service[side])
        chat.migrated_to = new
        return new

    # ---- what happened -----------------------------------------------------------------------------------------------

    async def wait(
        self, chat: Chat, fits: str | Callable[[Message], Any] = "", *, seconds: float = 10.0, by: Account | None = None
    ) -> Message:
        """The newest message of the bot (or *by* another) in *chat* that fits: holds the text, or the function is true.

        Ephemeral messages count. *fits* empty: the first message at all.

        :raises AssertionError: if there is none within *seconds*.
        """
        sender = by or self.bot

        def look() -> Message | None:
            written = sorted(
                [*chat.messages, *(one for one in chat.whispers if not one.deleted)], key=lambda one: one.order
            )
            own = [one for one in written if one.sender is sender or (one.as_chat is chat and sender is self.bot)]
            return next(
                (one for one in reversed(own) if (fits in one.text if isinstance(fits, str) else fits(one))), None
            )

        try:
            found = await self.world.bell.until(look, seconds)
        except AssertionError:
            raise AssertionError(f"no {fits!r} in {chat} within {seconds:g} s; there is {chat.messages[-5:]}") from None
        assert found is not None
        return found

    async def idle(self, quiet: float = _QUIET, seconds: float = 20.0) -> None:
        """Wait until the bot has confirmed every update and asked for nothing for *quiet* seconds.

        :raises AssertionError: if that does not come within *seconds*.
        """
        bell = self.world.bell
        deadline = bell.time() + seconds
        while True:
            await bell.until(
                lambda: not self.updates.pending and not self._calls.running, deadline - bell.time(), "peace"
            )
            seen = len(self._calls.log)
            with suppress(AssertionError):
                await bell.until(lambda: self.updates.pending or len(self._calls.log) > seen, quiet)  # noqa: B023 - awaited here
                continue
            return

    def calls(self, method: str = "", chat: Chat | None = None) -> list[Call]:
        """What the bot asked for, oldest first, without `getUpdates`."""
        return [
            call
            for call in self._calls.log
            if method in ("", call.method) and (chat is None or call.chat_id == chat.id)
        ]

    def expire(self, query: Query) -> None:
        """Make a press too old to be answered."""
        query.expired = True

    # ---- trouble -----------------------------------------------------------------------------------------------------

    def plant(self, fault: Fault, method: str = "*", chat: Chat | None = None, *, times: int = 1) -> Planted:
        """Let the next *times* calls of *method* (in *chat*) go wrong; `hits` of what comes back counts them."""
        planted = Planted(fault, method.lower(), chat, times)
        self._calls.planted.append(planted)
        return planted

    def be_old(self) -> None:
        """Be a server of before Bot API 10.2: it ignores that a message is meant for one person alone."""
        self._writing.old = True

    def limit(self, rates: Rates | None = None) -> None:
        """Refuse what is too much: by default 20 a minute in a group and 30 a second overall."""
        self._calls.rates = rates or Rates()

    def route(self, public: str, here: str) -> None:
        """Say where on this machine an address of the web hook leads, as a proxy would."""
        self.updates.routes[public] = here

    # ---- the server --------------------------------------------------------------------------------------------------

    async def _method(self, request: web.Request) -> web.Response:
        if request.match_info["token"] != self.token:
            return web.json_response({"ok": False, "error_code": 401, "description": "Unauthorized"}, status=401)
        return await self._calls.handle(request)

    async def _file(self, request: web.Request) -> web.Response:
        file = self.world.files.get(request.match_info["path"].rpartition("/")[2])
        if file is None or request.match_info["token"] != self.token:
            return web.json_response({"ok": False, "error_code": 404, "description": "Not Found"}, status=404)
        return web.Response(body=file.data)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Telegram]:
        """Serve on a free port of the loopback interface."""
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/bot{token:[^/]+}/{method}", self._method)
        app.router.add_get("/file/bot{token:[^/]+}/{path:.+}", self._file)
        app.cleanup_ctx.append(self._delivering)
        async with TestServer(app, handler_cancellation=True) as server:
            self.url = str(server.make_url("")).rstrip("/")
            yield self

    async def _delivering(self, _app: web.Application) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(self.updates.deliver())
            yield
            task.cancel()


@asynccontextmanager
async def serve(token: str = TOKEN, username: str = BOT_NAME) -> AsyncIterator[Telegram]:
    """A server with an empty world. See the module's docstring.

    :raises AssertionError: at the end, if the bot made a mistake.
    """
    async with Telegram(token, username).serving() as telegram:
        yield telegram
    assert not telegram.mistakes, "the bot asked for what no bot may ask for:\n" + "\n".join(telegram.mistakes)
