"""What python-telegram-bot sends has the shapes that the server demands, method by method."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from PIL import Image
from telegram import (
    BotCommand,
    BotCommandScopeChatAdministrators,
    BotCommandScopeChatMember,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaAnimation,
    InputMediaDocument,
    InputMediaPhoto,
    LinkPreviewOptions,
    MenuButtonCommands,
    MessageEntity,
    ReplyParameters,
    User,
)
from telegram.ext import ExtBot

from tests.telegram.model import Chat
from tests.telegram.people import Person
from tests.telegram.server import Telegram


@dataclass(frozen=True, slots=True)
class Ask:
    """The client, and what a call may need: a forum with a topic, a text, a photo, a press and a whisper in it."""

    client: ExtBot[None]
    ana: Person
    forum: Chat
    topic: int
    text: int
    photo: int
    query: str
    whisper: int

    async def raw(self, method: str, **values: Any) -> object:  # noqa: ANN401 - JSON
        """A call of a method that the client does not know yet, about the whisper."""
        where = {"chat_id": self.forum.id, "receiver_user_id": self.ana.id, "ephemeral_message_id": self.whisper}
        return await self.client.do_api_request(method, {**where, **values})


def png() -> bytes:
    """A small picture."""
    data = io.BytesIO()
    Image.new("L", (20, 30)).save(data, "PNG")
    return data.getvalue()


def buttons(label: str = "Move") -> InlineKeyboardMarkup:
    """A keyboard with every kind of button that the bot may need, and a colour."""
    style = {"style": "primary"}
    return InlineKeyboardMarkup(
        [
            [InlineKeyboardButton(label, callback_data="m:kfwt", api_kwargs=style)],
            [InlineKeyboardButton("In private", url="https://t.me/bandada_test_bot?start=kfwt")],
        ]
    )


BOLD = [MessageEntity("bold", 0, 3), MessageEntity("text_mention", 0, 3, user=User(5, "Ana", is_bot=False))]

CALLS: dict[str, Callable[[Ask], Awaitable[object]]] = {
    "getMe": lambda ask: ask.client.get_me(),
    "getUpdates": lambda ask: ask.client.get_updates(1, 9, 0, allowed_updates=["message", "callback_query"]),
    "getWebhookInfo": lambda ask: ask.client.get_webhook_info(),
    "setWebhook": lambda ask: ask.client.set_webhook(
        "https://play.example/telegram",
        max_connections=10,
        allowed_updates=["message"],
        drop_pending_updates=True,
        secret_token="abc",  # noqa: S106 - not secret
    ),
    "deleteWebhook": lambda ask: ask.client.delete_webhook(drop_pending_updates=True),
    "setMyCommands": lambda ask: ask.client.set_my_commands(
        [BotCommand("moves", "What can I play?", api_kwargs={"is_ephemeral": True})],
        BotCommandScopeChatMember(ask.forum.id, ask.ana.id),
        language_code="es",
    ),
    "getMyCommands": lambda ask: ask.client.get_my_commands(BotCommandScopeChatAdministrators(ask.forum.id)),
    "deleteMyCommands": lambda ask: ask.client.delete_my_commands(language_code="ru"),
    "setMyName": lambda ask: ask.client.set_my_name("Bandada", "en"),
    "getMyName": lambda ask: ask.client.get_my_name(),
    "setMyDescription": lambda ask: ask.client.set_my_description("Ayu y Volo", "es"),
    "getMyDescription": lambda ask: ask.client.get_my_description("es"),
    "setMyShortDescription": lambda ask: ask.client.set_my_short_description("Ayu", "ru"),
    "getMyShortDescription": lambda ask: ask.client.get_my_short_description(),
    "setChatMenuButton": lambda ask: ask.client.set_chat_menu_button(ask.ana.id, MenuButtonCommands()),
    "getChatMenuButton": lambda ask: ask.client.get_chat_menu_button(ask.ana.id),
    "sendMessage": lambda ask: ask.client.send_message(
        ask.forum.id,
        "Ana, it is your turn",
        entities=BOLD,
        message_thread_id=ask.topic,
        reply_markup=buttons(),
        reply_parameters=ReplyParameters(ask.text, allow_sending_without_reply=True),
        link_preview_options=LinkPreviewOptions(is_disabled=True),
        disable_notification=True,
        protect_content=False,
    ),
    "sendPhoto": lambda ask: ask.client.send_photo(
        ask.forum.id,
        png(),
        "<b>Ana</b>",
        message_thread_id=ask.topic,
        reply_markup=buttons(),
        reply_parameters=ReplyParameters(ask.photo),
        filename="board.png",
        show_caption_above_media=True,
        parse_mode="HTML",
    ),
    "sendDocument": lambda ask: ask.client.send_document(
        ask.forum.id,
        io.BytesIO(png()),
        "<i>x</i>",
        filename="board.png",
        disable_content_type_detection=True,
        parse_mode="HTML",
    ),
    "sendAnimation": lambda ask: ask.client.send_animation(
        ask.forum.id, png(), duration=3, width=20, height=30, caption="x", filename="replay.gif", reply_markup=buttons()
    ),
    "sendChatAction": lambda ask: ask.client.send_chat_action(ask.forum.id, "upload_photo", ask.topic),
    "editMessageText": lambda ask: ask.client.edit_message_text(
        "<b>new</b>", ask.forum.id, ask.text, reply_markup=buttons("Pass"), parse_mode="HTML"
    ),
    "editMessageCaption": lambda ask: ask.client.edit_message_caption(
        ask.forum.id, ask.photo, caption="<u>new</u>", reply_markup=buttons("Pass"), parse_mode="HTML"
    ),
    "editMessageMedia": lambda ask: ask.client.edit_message_media(
        InputMediaPhoto(png(), "<b>x</b>", "HTML", filename="b.png"), ask.forum.id, ask.photo, reply_markup=buttons()
    ),
    "editMessageReplyMarkup": lambda ask: ask.client.edit_message_reply_markup(ask.forum.id, ask.photo),
    "deleteMessage": lambda ask: ask.client.delete_message(ask.forum.id, ask.text),
    "deleteMessages": lambda ask: ask.client.delete_messages(ask.forum.id, [ask.text, ask.photo]),
    "answerCallbackQuery": lambda ask: ask.client.answer_callback_query(
        ask.query, "No", show_alert=True, url="https://t.me/bandada_test_bot?start=kfwt", cache_time=0
    ),
    "editEphemeralMessageText": lambda ask: ask.raw("editEphemeralMessageText", text="<b>y</b>", parse_mode="HTML"),
    "editEphemeralMessageCaption": lambda ask: ask.raw("editEphemeralMessageCaption", caption="x"),
    "editEphemeralMessageMedia": lambda ask: ask.raw(
        "editEphemeralMessageMedia", media=InputMediaPhoto(png()), reply_markup=buttons()
    ),
    "editEphemeralMessageReplyMarkup": lambda ask: ask.raw("editEphemeralMessageReplyMarkup", reply_markup=buttons()),
    "deleteEphemeralMessage": lambda ask: ask.raw("deleteEphemeralMessage"),
    "getChat": lambda ask: ask.client.get_chat(ask.forum.id),
    "getChatMember": lambda ask: ask.client.get_chat_member(ask.forum.id, ask.ana.id),
    "getChatAdministrators": lambda ask: ask.client.get_chat_administrators(ask.forum.id),
    "getChatMemberCount": lambda ask: ask.client.get_chat_member_count(ask.forum.id),
    "leaveChat": lambda ask: ask.client.leave_chat(ask.forum.id),
    "createForumTopic": lambda ask: ask.client.create_forum_topic(ask.forum.id, "Volo", icon_color=7322096),
    "closeForumTopic": lambda ask: ask.client.close_forum_topic(ask.forum.id, ask.topic),
    "getFile": lambda ask: ask.client.get_file(ask.forum.messages[1].file.id if ask.forum.messages[1].file else ""),
}


async def make_ask(telegram: Telegram, client: ExtBot[None]) -> Ask:
    """A forum in which the bot is an admin, with all that calls need."""
    ana = telegram.person("Ana", username="ana")
    forum = telegram.forum("Club", ana, topics=("Ayu",))
    ana.promote_bot(forum)
    (topic,) = forum.topics
    text = await client.send_message(forum.id, "old", message_thread_id=topic)
    photo = await client.send_photo(forum.id, png(), "old", message_thread_id=topic, reply_markup=buttons())
    query = ana.tap(forum.last, "Move")
    for_ana = {"ephemeral_message_parameters": {"receiver_user_id": ana.id, "callback_query_id": query.id}}
    whisper = await client.send_message(forum.id, "x", api_kwargs=for_ana)
    number = whisper.api_kwargs["ephemeral_message_id"]
    return Ask(client, ana, forum, topic, text.message_id, photo.message_id, query.id, number)


@pytest.mark.parametrize("method", CALLS)
async def test_the_client_sends_what_the_server_takes(telegram: Telegram, client: ExtBot[None], method: str) -> None:
    ask = await make_ask(telegram, client)
    if method == "editEphemeralMessageCaption":
        await CALLS["editEphemeralMessageMedia"](ask)
    await CALLS[method](ask)
    if method != "getUpdates":
        last = telegram.calls()[-1]
        assert (last.method, last.done) == (method, True)


@pytest.mark.parametrize("media", [InputMediaAnimation, InputMediaDocument, InputMediaPhoto])
async def test_a_text_becomes_a_file(telegram: Telegram, client: ExtBot[None], media: Callable[..., Any]) -> None:
    ask = await make_ask(telegram, client)
    await client.edit_message_media(media(png(), "new", filename="b.png"), ask.forum.id, ask.text)
    changed = ask.forum.find(ask.text)
    assert changed is not None
    assert changed.file is not None
    assert (changed.file.data, changed.text) == (png(), "new")


def test_every_method_is_asked_for(telegram: Telegram) -> None:
    assert set(CALLS) == telegram.does
