"""Requests that no bot may make: each is refused for its own reason, changes nothing, and is held against the bot."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, FormData
from PIL import Image

from tests.telegram.model import Chat, Message
from tests.telegram.people import Person, Query
from tests.telegram.server import Telegram, serve

EMOJI = "🐦"


def png(width: int, height: int) -> bytes:
    """A black picture."""
    data = io.BytesIO()
    Image.new("1", (width, height)).save(data, "PNG")
    return data.getvalue()


@dataclass(frozen=True, slots=True)
class Scene:
    """Ana and a group with a board in it, whose button she pressed; another has no board."""

    telegram: Telegram
    session: ClientSession
    ana: Person
    group: Chat
    board: Message
    query: Query

    async def ask(self, method: str, values: Mapping[str, Any], files: Mapping[str, bytes]) -> tuple[int, str]:
        """The status and the error text of a call; `$ana`, `$group`, `$board` and `$query` stand for their ids."""
        ids = {"$ana": self.ana.id, "$group": self.group.id, "$board": self.board.id, "$query": self.query.id}
        form = FormData()
        for name, value in values.items():
            text = value if isinstance(value, str) else json.dumps(value)
            for word, number in ids.items():
                text = text.replace(f'"{word}"', str(number)).replace(word, str(number))
            form.add_field(name, text)
        for name, data in files.items():
            form.add_field(name, io.BytesIO(data), filename="file.png")
        async with self.session.post(f"{self.telegram.base_url}{self.telegram.token}/{method}", data=form) as answer:
            return answer.status, (await answer.json()).get("description", "")


@pytest_asyncio.fixture
async def scene() -> AsyncIterator[Scene]:
    """A platform on which mistakes are expected."""
    async with serve() as telegram, ClientSession() as session:
        ana = telegram.person("Ana")
        ana.start()
        group = telegram.group("Friends", ana)
        bot, keyboard = telegram.bot, [[{"text": "Move", "callback_data": "m"}]]
        board = telegram.world.write(group, bot, text="board", keyboards=[keyboard])
        scene = Scene(telegram, session, ana, group, board, ana.tap(board, "Move"))
        yield scene
        telegram.mistakes.clear()


@dataclass(frozen=True, slots=True)
class Wrong:
    """A call and why it is refused."""

    name: str
    method: str
    values: Mapping[str, Any]
    reason: str
    files: Mapping[str, bytes] = field(default_factory=dict)


def text(name: str, reason: str, **values: Any) -> Wrong:  # noqa: ANN401 - JSON
    """A wrong `sendMessage`."""
    return Wrong(name, "sendMessage", {"chat_id": "$ana", "text": "hello", **values}, reason)


def html(name: str, source: str, reason: str) -> Wrong:
    """HTML that cannot be parsed."""
    return text(name, f"can't parse entities: {reason}", text=source, parse_mode="HTML")


def buttons(name: str, rows: Sequence[Any], reason: str) -> Wrong:
    """A wrong keyboard."""
    return text(name, reason, reply_markup={"inline_keyboard": rows})


def button(name: str, reason: str, **values: Any) -> Wrong:  # noqa: ANN401 - JSON
    """A wrong button."""
    return buttons(name, [[{"text": "x", **values}]], reason)


def photo(name: str, reason: str, data: bytes, **values: Any) -> Wrong:  # noqa: ANN401 - JSON
    """A wrong `sendPhoto`."""
    return Wrong(name, "sendPhoto", {"chat_id": "$ana", **values}, reason, {"photo": data})


def commands(name: str, reason: str, *pairs: tuple[str, str], **values: Any) -> Wrong:  # noqa: ANN401 - JSON
    """A wrong `setMyCommands`."""
    given = [{"command": command, "description": description} for command, description in pairs]
    return Wrong(name, "setMyCommands", {"commands": given, **values}, reason)


def whisper(name: str, reason: str, chat: str = "$group", **values: Any) -> Wrong:  # noqa: ANN401 - JSON
    """A wrong ephemeral message."""
    asked = {"receiver_user_id": "$ana", **values}
    return Wrong(name, "sendMessage", {"chat_id": chat, "text": "psst", "ephemeral_message_parameters": asked}, reason)


BOLD = {"type": "bold", "offset": 0, "length": 1}
MOVE = {"text": "Move", "callback_data": "m"}
WRONG = [
    # shapes
    text("an unknown field", "sendMessage has no field 'chat'", chat="$ana"),
    text("a deprecated field", "reply_to_message_id of sendMessage is deprecated", reply_to_message_id=5),
    text("a preview of old", "disable_web_page_preview of sendMessage is deprecated", disable_web_page_preview=True),
    text("an ephemeral message of old", "receiver_user_id of sendMessage is deprecated", receiver_user_id=5),
    Wrong("a missing text", "sendMessage", {"chat_id": "$ana"}, "sendMessage without text"),
    Wrong("a missing chat", "sendMessage", {"text": "hello"}, "sendMessage without chat_id"),
    text("a thread that is no number", "message_thread_id: 'ayu' is no int", message_thread_id="ayu"),
    text("a broken number", "message_thread_id: 1.5 is no int", message_thread_id=1.5),
    text("a truth that is a word", "disable_notification: 'yes' is no bool", disable_notification="yes"),
    text("a truth that is a number", "disable_notification: 1 is no bool", disable_notification=1),
    text("a Python truth", "disable_notification: 'True' is no bool", disable_notification="True"),
    text("a chat that is a title", "chat_id 'Friends' is neither a number nor a @name", chat_id="Friends"),
    text("no JSON", "can't parse reply_markup JSON object", reply_markup="{'inline_keyboard': []}"),
    text("a list for an object", "reply_markup is no object", reply_markup=[MOVE]),
    text("an object for a list", "entities is no array", entities={"type": "bold"}),
    text("an entity without length", "entities[0] without length", entities=[{"type": "bold", "offset": 0}]),
    text("options with a wrong name", "has no field 'disabled'", link_preview_options={"disabled": True}),
    text("a reply to a text", "reply_parameters.message_id: '5' is no int", reply_parameters={"message_id": "5"}),
    text("a reply to nothing", "reply_parameters name no message", reply_parameters={"quote": "x"}),
    Wrong("a method of another API", "sendBoard", {"chat_id": "$ana"}, "Not Found: method not found"),
    Wrong(
        "a media without type",
        "editMessageMedia",
        {"chat_id": "$group", "message_id": "$board", "media": {"media": "x"}},
        "without type",
    ),
    Wrong(
        "a media attached to nothing",
        "editMessageMedia",
        {"chat_id": "$group", "message_id": "$board", "media": {"type": "photo", "media": "attach://board"}},
        "media.media names the file 'board', which is not attached",
    ),
    Wrong(
        "a file that nothing names",
        "sendMessage",
        {"chat_id": "$ana", "text": "x"},
        "brings files that nothing names: board",
        {"board": b"x"},
    ),
    Wrong("a file for a text", "sendMessage", {"chat_id": "$ana"}, "text of sendMessage takes no file", {"text": b"x"}),
    Wrong("an edit of nothing", "editMessageText", {"text": "x"}, "message identifier is not specified"),
    # texts
    text("an empty text", "message text is empty", text=""),
    text("white space", "message text is empty", text=" \n "),
    text("empty after parsing", "message text is empty", text="<b></b>", parse_mode="HTML"),
    text("a long text", "message is too long", text="x" * 4097),
    text("a text long in UTF-16", "message is too long", text=EMOJI * 2049),
    photo("a long caption", "message caption is too long", png(9, 9), caption="x" * 1025),
    text("a parse mode of old", "unsupported parse_mode 'Markdown'", parse_mode="Markdown"),
    text("two ways to say bold", "both parse_mode and entities are given", parse_mode="HTML", entities=[BOLD]),
    text("an entity beyond the end", "ENTITY_BOUNDS_INVALID", entities=[{"type": "bold", "offset": 3, "length": 3}]),
    html("a name with <", "a <3 b", 'Unsupported start tag "" at byte offset 2'),
    html("a line break", "a<br>b", 'Unsupported start tag "br" at byte offset 1'),
    html("bytes, not characters", "Ñ<p>", 'Unsupported start tag "p" at byte offset 2'),
    html("an open tag", "<b>Ana", 'Can\'t find end tag corresponding to start tag "b"'),
    html("crossed tags", "<b><i>x</b></i>", 'Unmatched end tag at byte offset 7, expected "</i>", found "</b>"'),
    html("an end without start", "x</b>", "Unexpected end tag at byte offset 1"),
    html("a span of nothing", "<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
    # keyboards
    button("65 bytes of data", "BUTTON_DATA_INVALID", callback_data="x" * 65),
    button("64 characters, 65 bytes", "BUTTON_DATA_INVALID", callback_data="x" * 63 + "ñ"),
    button("no data", "BUTTON_DATA_INVALID", callback_data=""),
    button("no action", "Text buttons are not allowed in the inline keyboard"),
    button("two actions", "it has callback_data and url", callback_data="x", url="https://t.me/x"),
    button("a link to nowhere", "BUTTON_URL_INVALID", url="bandada"),
    button("a colour", "style 'red'", callback_data="x", style="red"),
    buttons("an empty label", [[{"text": " ", "callback_data": "x"}]], "Text must be non-empty"),
    buttons("a missing label", [[{"callback_data": "x"}]], "without text"),
    buttons("an empty row", [[MOVE], []], "inline_keyboard has an empty row"),
    buttons("no rows", [MOVE], "inline_keyboard[0] is no array"),
    buttons("nine in a row", [[MOVE] * 9], "9 buttons in a row"),
    buttons("101 buttons", [[MOVE] * 8] * 12 + [[MOVE] * 5], "REPLY_MARKUP_TOO_LONG"),
    text("a keyboard below the text field", "inline keyboards only", reply_markup={"keyboard": [[{"text": "x"}]]}),
    # files
    photo("no picture", "IMAGE_PROCESS_FAILED", b"GIF89a"),
    photo("a huge photo", "PHOTO_INVALID_DIMENSIONS", png(8000, 2001)),
    photo("a stripe", "PHOTO_INVALID_DIMENSIONS", png(2100, 100)),
    photo("an empty file", "file must be non-empty", b""),
    photo("11 MB", "file is too big for a photo", bytes(11 * 1024 * 1024)),
    Wrong(
        "an unknown file",
        "sendPhoto",
        {"chat_id": "$ana", "photo": "AgACAg"},
        "wrong file identifier/HTTP URL specified",
    ),
    # answers, commands, settings
    Wrong(
        "a long alert", "answerCallbackQuery", {"callback_query_id": "$query", "text": "x" * 201}, "MESSAGE_TOO_LONG"
    ),
    commands("a capital", "BOT_COMMAND_INVALID", ("Move", "Make a move")),
    commands("a slash", "BOT_COMMAND_INVALID", ("/move", "Make a move")),
    commands("33 letters", "BOT_COMMAND_INVALID", ("m" * 33, "Make a move")),
    commands("no description", "BOT_COMMAND_DESCRIPTION_INVALID", ("move", "")),
    commands("a long description", "BOT_COMMAND_DESCRIPTION_INVALID", ("move", "x" * 257)),
    commands("a command twice", "BOT_COMMAND_DUPLICATE", ("move", "one"), ("move", "two")),
    commands("101 commands", "BOT_COMMANDS_TOO_MUCH", *((f"m{number}", "x") for number in range(101))),
    commands("a region", "language_code is invalid", ("move", "Mover"), language_code="es-419"),
    commands("an unknown scope", "scope", ("move", "Move"), scope={"type": "all_groups"}),
    commands("a scope without its chat", "scope without chat_id", ("move", "Move"), scope={"type": "chat"}),
    Wrong("a long description of the bot", "setMyDescription", {"description": "x" * 513}, "description is too long"),
    Wrong("a short description, long", "setMyShortDescription", {"short_description": "x" * 121}, "is too long"),
    Wrong(
        "a secret with a space",
        "setWebhook",
        {"url": "https://a.example/", "secret_token": "a b"},
        "unallowed characters",
    ),
    Wrong("a kind of update in capitals", "getUpdates", {"allowed_updates": ["Message"]}, "allowed_updates: Message"),
    # ephemeral messages
    whisper("a whisper in a private chat", "only to groups and supergroups", chat="$ana"),
    whisper("a whisper for a press of nobody", "QUERY_ID_INVALID", callback_query_id="17"),
    whisper("a whisper in place of nothing", "without callback_query_id", replace_callback_query_message=True),
    Wrong(
        "a public reply to a whisper",
        "sendMessage",
        {"chat_id": "$group", "text": "x", "reply_parameters": {"ephemeral_message_id": 1}},
        "a reply to an ephemeral message must itself be ephemeral",
    ),
    Wrong(
        "an edit of a whisper of nobody",
        "editEphemeralMessageText",
        {"chat_id": "$group", "ephemeral_message_id": 1, "text": "x"},
        "without receiver_user_id",
    ),
]


@pytest.mark.parametrize("wrong", WRONG, ids=[one.name for one in WRONG])
async def test_a_wrong_request_is_refused(scene: Scene, wrong: Wrong) -> None:
    before = [*scene.group.written, *scene.group.whispers, *scene.ana.private.written]
    status, said = await scene.ask(wrong.method, wrong.values, wrong.files)
    assert (status, wrong.reason in said) == (404 if "Not Found" in said else 400, True), said
    assert [*scene.group.written, *scene.group.whispers, *scene.ana.private.written] == before
    assert scene.telegram.own.commands == {}
    assert scene.board.edits == 0
    (kept,) = scene.telegram.mistakes
    assert said in kept


RIGHT: list[tuple[str, dict[str, Any], dict[str, bytes]]] = [
    ("sendMessage", {"chat_id": "$ana", "text": "x" * 4096}, {}),
    ("sendMessage", {"chat_id": "$ana", "text": EMOJI * 2048}, {}),
    ("sendMessage", {"chat_id": "$ana", "text": "<b>" * 99 + "x" * 4096 + "</b>" * 99, "parse_mode": "HTML"}, {}),
    ("sendMessage", {"chat_id": "$ana", "text": "a &lt;3 b &amp; &copy; &#x41;", "parse_mode": "HTML"}, {}),
    ("sendMessage", {"chat_id": "$ana", "text": "x", "reply_markup": {"inline_keyboard": [[MOVE] * 8] * 12}}, {}),
    (
        "sendMessage",
        {"chat_id": "$ana", "text": "x", "reply_markup": {"inline_keyboard": [[{**MOVE, "callback_data": "ñ" * 32}]]}},
        {},
    ),
    ("sendPhoto", {"chat_id": "$ana", "caption": "x" * 1024}, {"photo": png(8000, 2000)}),
    ("sendPhoto", {"chat_id": "$ana"}, {"photo": png(2000, 100)}),
    ("answerCallbackQuery", {"callback_query_id": "$query", "text": "x" * 200, "show_alert": True}, {}),
    ("setMyDescription", {"description": "x" * 512}, {}),
    ("sendmessage", {"chat_id": "$ana", "text": "the case of a method does not count"}, {}),
    (
        "editMessageMedia",
        {"chat_id": "$group", "message_id": "$board", "media": {"type": "photo", "media": "attach://b"}},
        {"b": png(9, 9)},
    ),
]


@pytest.mark.parametrize(("method", "values", "files"), RIGHT)
async def test_what_just_fits_is_done(
    scene: Scene, method: str, values: dict[str, Any], files: dict[str, bytes]
) -> None:
    assert await scene.ask(method, values, files) == (200, "")
    assert scene.telegram.mistakes == []


async def test_a_wrong_token_is_nobody(scene: Scene) -> None:
    async with scene.session.get(f"{scene.telegram.base_url}1:wrong/getMe") as answer:
        assert (answer.status, (await answer.json())["description"]) == (401, "Unauthorized")


async def test_a_test_whose_bot_made_a_mistake_fails() -> None:
    with pytest.raises(AssertionError, match="message text is empty"):
        async with serve() as telegram, ClientSession() as session:
            await session.post(f"{telegram.base_url}{telegram.token}/sendMessage", data={"chat_id": "1", "text": ""})
