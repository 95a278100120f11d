"""The real python-telegram-bot and the loopback platform understand each other."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest
from aiogram.types import Update as UpdateShape
from telegram import (
    BotCommand,
    BotCommandScopeAllGroupChats,
    InputMediaPhoto,
    Message,
    ReplyParameters,
    Update,
)
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden
from telegram.ext import ExtBot

from tests.telegram.asking import BUTTONS, Client, hear, png
from tests.telegram.server import Telegram
from tests.telegram.shapes import check_object

# ---- updates ---------------------------------------------------------------------------------------------------------


async def test_updates_are_kept_until_they_are_confirmed(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana", username="ana")
    ana.start()
    first = await hear(client)
    assert [update.message and update.message.text for update in first] == [None, "/start"]
    assert await hear(client) == first
    ana.say(ana.private, "b1b2")
    (second,) = await hear(client, first[-1].update_id + 1)
    assert second.message is not None
    assert (second.message.text, second.message.from_user) == ("b1b2", first[1].message and first[1].message.from_user)
    assert await hear(client, second.update_id + 1) == []


async def test_a_poll_waits_for_news(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    poll = asyncio.ensure_future(client.get_updates(timeout=20))
    await asyncio.sleep(0.05)
    assert not poll.done()
    ana.start()
    joined, start = await poll
    assert joined.my_chat_member is not None
    assert start.message is not None


async def test_a_second_poller_ends_the_first(telegram: Telegram, client: Client) -> None:
    first = asyncio.ensure_future(client.get_updates(timeout=20))
    await asyncio.sleep(0.05)
    async with ExtBot[None](telegram.token, telegram.base_url) as second:
        assert await hear(second) == []
    with pytest.raises(Conflict, match="terminated by other getUpdates request"):
        await first
    assert telegram.updates.conflicts == 1


async def test_only_wanted_kinds_arrive(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    assert await hear(client, kinds=["message"]) == []
    sent = ana.start()
    ana.edit(sent, "/start again")
    (update,) = await hear(client)
    assert update.message is not None


async def test_every_update_has_the_shape_of_the_api(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana", username="ana", last_name="Ñ"), telegram.person("Бо", language="ru")
    forum = telegram.forum("Club", ana, bo, topics=("Ayu",))
    channel = telegram.channel("News", ana)
    small = telegram.group("Friends", ana, bo, small=True)
    (topic,) = forum.topics
    telegram.promote(forum, bo, anonymous=True)
    ana.start("kfwt")
    sent = await client.send_photo(small.id, png(), "<b>Ana</b>", parse_mode="HTML", reply_markup=BUTTONS)
    bo.reply(telegram.world.chats[small.id].last, "b1b2", mentions=())
    ana.tap(small.last.reply_to or small.last, "Move")
    ana.edit(ana.say(forum, "/moves@bandada_test_bot @ana https://a.example", topic=topic), "/m")
    bo.say(forum, "/challenge Ana", mentions=[ana])
    ana.say(channel, "hello")
    await client.send_animation(small.id, b"GIF89a", filename="a.gif")
    bo.reply(small.last, "nice")
    ana.silence_bot(small)
    telegram.promote(small, bo)
    ana.promote_bot(small)
    telegram.migrate(small)
    ana.block()
    ana.remove_bot(forum)
    assert sent.message_id
    updates = telegram.updates.history
    for update in updates:
        check_object(UpdateShape, update.json)
        assert Update.de_json(update.json, client) is not None
    assert {update.kind for update in updates} == {
        *("message", "edited_message", "channel_post", "callback_query", "my_chat_member")
    }
    assert len(updates) > 15


# ---- writing ---------------------------------------------------------------------------------------------------------


async def test_texts_photos_and_edits(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana", username="ana")
    ana.start()
    sent = await client.send_message(ana.id, "Hello <b>Ana &amp; Бо</b> 🐦 <i>x</i>", parse_mode="HTML")
    assert (sent.text, [(one.type, one.offset, one.length) for one in sent.entities]) == (
        "Hello Ana & Бо 🐦 x",
        [("bold", 6, 8), ("italic", 18, 1)],
    )
    photo = await client.send_photo(ana.id, png(), "<i>Your turn</i>", parse_mode="HTML", reply_markup=BUTTONS)
    board = ana.private.last
    assert (board.text, board.buttons, board.photo) == ("Your turn", ["Move", "Pass"], png())
    assert (photo.photo[-1].width, photo.photo[-1].height) == (64, 48)
    media = InputMediaPhoto(png(shade=200), "Moved", filename="board.png")
    edited = await client.edit_message_media(media, ana.id, photo.message_id, reply_markup=BUTTONS)
    assert isinstance(edited, Message)
    assert (edited.caption, board.photo, board.edits) == ("Moved", png(shade=200), 1)
    await client.edit_message_caption(ana.id, photo.message_id, caption="Over")
    assert (board.text, board.buttons, len(board.keyboards)) == ("Over", [], 2)
    await client.send_document(ana.id, io.BytesIO(png()), filename="board.png", caption="as file")
    assert ana.private.last.file is not None
    assert (ana.private.last.file.kind, ana.private.last.file.name) == ("document", "board.png")
    file = await client.get_file(ana.private.last.file.id)
    assert bytes(await file.download_as_bytearray()) == png()
    again = await client.send_photo(ana.id, photo.photo[-1].file_id)
    assert again.photo[-1].file_id == photo.photo[-1].file_id
    assert await client.delete_message(ana.id, photo.message_id)
    assert [one.text for one in ana.sees(ana.private)] == ["/start", "Hello Ana & Бо 🐦 x", "as file", ""]


async def test_what_the_world_refuses(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    group = telegram.group("Friends", ana, bo)
    small = telegram.group("Few", ana, small=True)
    await client.send_message(group.id, "one", reply_markup=BUTTONS)
    edit = client.edit_message_text
    with pytest.raises(BadRequest, match="Message is not modified: specified new message content"):
        await edit("one", group.id, group.last.id, reply_markup=BUTTONS)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await edit("two", group.id, 777)
    with pytest.raises(BadRequest, match="Message can't be edited"):
        await edit("two", group.id, ana.say(group, "/m").id)
    with pytest.raises(BadRequest, match="There is no caption in the message to edit"):
        await client.edit_message_caption(group.id, group.messages[0].id, caption="x")
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await client.delete_message(group.id, 777)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await client.send_message(group.id, "x", message_thread_id=1)
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await client.send_message(group.id, "x", reply_parameters=ReplyParameters(777))
    with pytest.raises(BadRequest, match="Chat not found"):
        await client.send_message(12345, "x")
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await client.send_message(ana.id, "x")
    bo.start()
    bo.block()
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await client.send_message(bo.id, "x")
    ana.silence_bot(group, "can_send_photos")
    with pytest.raises(BadRequest, match="Not enough rights to send photos to the chat"):
        await client.send_photo(group.id, png())
    ana.remove_bot(group)
    with pytest.raises(Forbidden, match="bot was kicked from the supergroup chat"):
        await client.send_message(group.id, "x")
    new = telegram.migrate(small)
    with pytest.raises(ChatMigrated) as migrated:
        await client.send_message(small.id, "x")
    assert migrated.value.new_chat_id == new.id
    await client.send_message(new.id, "x")


async def test_topics_and_their_traps(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    forum = telegram.forum("Club", ana, topics=("Ayu",))
    (topic,) = forum.topics
    ana.say(forum, "/m")
    ana.say(forum, "/m", topic=topic)
    general, there = [update.message for update in await hear(client) if update.message and update.message.text]
    assert general is not None
    assert there is not None
    assert (general.message_thread_id, general.is_topic_message, general.reply_to_message) == (None, None, None)
    assert (there.message_thread_id, there.is_topic_message) == (topic, True)
    assert there.reply_to_message is not None
    assert there.reply_to_message.forum_topic_created is not None
    await client.send_message(forum.id, "here", message_thread_id=topic)
    assert forum.last.thread == topic
    with pytest.raises(BadRequest, match="Message thread not found"):
        await client.send_message(forum.id, "x", message_thread_id=1)
    forum.topics[topic].closed = True
    with pytest.raises(BadRequest, match="Topic_closed"):
        await client.send_message(forum.id, "x", message_thread_id=topic)
    group = telegram.group("Friends", ana)
    await client.send_message(group.id, "one")
    ana.reply(group.last, "two")
    reply = (await hear(client))[-1].message
    assert reply is not None
    # No topic: only the thread of replies, to which nothing can be sent.
    assert (reply.message_thread_id, reply.is_topic_message) == (group.messages[0].id, None)


async def test_privacy_mode(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana", username="ana")
    group = telegram.group("Friends", ana)
    other = telegram.other_bot("weather_bot")
    await client.send_message(group.id, "mine")
    mine = group.last
    for text in ("hello", "@bandada_test_bot hello", "/m", "/m@bandada_test_bot", "/m@weather_bot", "x /m"):
        ana.say(group, text)
    theirs = telegram.speak(group, other, "theirs")
    ana.say(group, "/moves")
    ana.say(group, "/moves@Bandada_Test_Bot")
    ana.reply(theirs, "a reply to another")
    ana.reply(mine, "b1b2")
    heard = [update.message.text for update in await hear(client) if update.message and update.message.text]
    assert heard == ["/m", "/m@bandada_test_bot", "/moves@Bandada_Test_Bot", "b1b2"]
    ana.promote_bot(group)
    ana.say(group, "an admin hears all")
    assert telegram.updates.history[-1].body["text"] == "an admin hears all"


async def test_who_is_named_without_a_user_name(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    group = telegram.group("Friends", ana, bo)
    text = f'<a href="tg://user?id={ana.id}">Ana</a> <a href="tg://user?id={bo.id}">Бо</a>'
    sent = await client.send_message(group.id, text, parse_mode="HTML")
    # Nobody told the bot of Бо.
    assert [(one.type, one.user and one.user.first_name) for one in sent.entities] == [("text_mention", "Ana")]


async def test_who_writes_as_the_group_or_as_a_channel(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    group, channel = telegram.group("Friends", ana), telegram.channel("News", ana, bot=False)
    telegram.promote(group, ana, anonymous=True)
    ana.say(group, "/m")
    ana.say(group, "/m", as_channel=channel)
    found = [update.message for update in await hear(client) if update.message and update.message.text]
    ids = [(one.from_user and one.from_user.id, one.sender_chat and one.sender_chat.id) for one in found]
    assert ids == [(1087968824, group.id), (136817688, channel.id)]
    await client.send_message(group.id, "board", reply_markup=BUTTONS)
    ana.tap(group.last, "Move")
    query = (await hear(client))[-1].callback_query
    assert query is not None
    assert query.from_user.id == ana.id


# ---- buttons ---------------------------------------------------------------------------------------------------------


async def test_a_press_waits_for_its_answer(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    group = telegram.group("Friends", ana, bo)
    await client.send_message(group.id, "board", reply_markup=BUTTONS)
    press = asyncio.ensure_future(bo.press(group.last, "Mov"))
    await asyncio.sleep(0)
    query = (await hear(client))[-1].callback_query
    assert query is not None
    assert (query.data, query.from_user.id, query.message and query.message.message_id) == (
        "g:kfwt:1",
        bo.id,
        group.last.id,
    )
    assert not press.done()
    await client.answer_callback_query(query.id, "It is Ana's turn", show_alert=True)
    answer = await press
    assert (answer.text, answer.alert) == ("It is Ana's turn", True)
    with pytest.raises(BadRequest, match="Query is too old and response timeout expired"):
        await client.answer_callback_query(query.id)
    await client.edit_message_reply_markup(group.id, group.last.id)
    with pytest.raises(AssertionError, match="no button 'Move'"):
        ana.tap(group.last, "Move")
    late = ana.tap(group.last, "Move", stale=True)
    telegram.expire(late)
    with pytest.raises(BadRequest, match="Query is too old"):
        await client.answer_callback_query(late.id)


async def test_commands_for_scopes_and_languages(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana", language="es-MX"), telegram.person("Бо", language="ru")
    group = telegram.group("Friends", ana, bo)
    await client.set_my_commands([BotCommand("help", "Help")])
    await client.set_my_commands([BotCommand("help", "Ayuda")], language_code="es")
    await client.set_my_commands([BotCommand("abort", "Отмена")], BotCommandScopeAllGroupChats(), language_code="ru")
    shown = [telegram.own.shown(*one)[0]["description"] for one in ((ana, group), (bo, group), (bo, bo.private))]
    assert shown == ["Ayuda", "Отмена", "Help"]
    assert [one.description for one in await client.get_my_commands(language_code="es")] == ["Ayuda"]


# ---- ephemeral messages ----------------------------------------------------------------------------------------------


async def test_an_ephemeral_message_is_for_one(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    group = telegram.group("Friends", ana, bo)
    await client.send_message(group.id, "board", reply_markup=BUTTONS)
    query = ana.tap(group.last, "Move")
    for_ana: dict[str, Any] = {"receiver_user_id": ana.id, "callback_query_id": query.id}
    sent = await client.send_photo(
        group.id, png(), "secret", reply_markup=BUTTONS, api_kwargs={"ephemeral_message_parameters": for_ana}
    )
    assert (sent.message_id, sent.api_kwargs["receiver_user"]["id"]) == (0, ana.id)
    assert [one.text for one in ana.sees(group)] == ["board", "secret"]
    assert [one.text for one in bo.sees(group)] == [one.text for one in group.messages] == ["board"]
    whisper = ana.sees(group)[-1]
    where = {"chat_id": group.id, "receiver_user_id": ana.id, "ephemeral_message_id": whisper.ephemeral_id}
    media = InputMediaPhoto(png(shade=9), "changed")
    assert await client.do_api_request("editEphemeralMessageMedia", {**where, "media": media}) is True
    assert (whisper.text, whisper.photo, whisper.buttons) == ("changed", png(shade=9), [])
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await client.do_api_request("editEphemeralMessageCaption", {**where, "receiver_user_id": bo.id, "caption": "x"})
    assert await client.do_api_request("deleteEphemeralMessage", where) is True
    assert [one.text for one in ana.sees(group)] == ["board"]
    telegram.expire(query)
    with pytest.raises(BadRequest, match="Query is too old"):
        await client.send_message(group.id, "late", api_kwargs={"ephemeral_message_parameters": for_ana})
    with pytest.raises(BadRequest, match="Not enough rights to send ephemeral messages"):
        await client.send_message(
            group.id, "x", api_kwargs={"ephemeral_message_parameters": {"receiver_user_id": ana.id}}
        )


async def test_an_ephemeral_command(telegram: Telegram, client: Client) -> None:
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    group = telegram.group("Friends", ana, bo)
    command = BotCommand("moves", "What can I play?", api_kwargs={"is_ephemeral": True})
    await client.set_my_commands([command], BotCommandScopeAllGroupChats())
    typed = ana.say(group, "/moves")
    assert (typed in ana.sees(group), typed in bo.sees(group), group.messages) == (True, False, [])
    message = (await hear(client))[-1].message
    assert message is not None
    number = message.api_kwargs["ephemeral_message_id"]
    await client.send_message(
        group.id,
        "b1b2",
        api_kwargs={
            "ephemeral_message_parameters": {"receiver_user_id": ana.id},
            "reply_parameters": {"ephemeral_message_id": number},
        },
    )
    assert [one.text for one in ana.sees(group)] == ["/moves", "b1b2"]
    ana.offline = True
    await client.send_message(
        group.id,
        "lost",
        api_kwargs={
            "ephemeral_message_parameters": {"receiver_user_id": ana.id},
            "reply_parameters": {"ephemeral_message_id": number},
        },
    )
    assert [one.text for one in ana.sees(group)] == ["/moves", "b1b2"]


async def test_an_old_server_shows_a_whisper_to_all(telegram: Telegram, client: Client) -> None:
    ana = telegram.person("Ana")
    group = telegram.group("Friends", ana)
    telegram.be_old()
    for_ana = {"ephemeral_message_parameters": {"receiver_user_id": ana.id}}
    sent = await client.send_message(group.id, "psst", api_kwargs=for_ana)
    assert (sent.message_id, dict(sent.api_kwargs), group.last.text) == (group.last.id, {}, "psst")
