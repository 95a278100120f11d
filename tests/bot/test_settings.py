"""What people and chats choose, and what it does."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from bot.texts import LANGUAGES, plain
from storage.base import ChatSettings, Place, Profile
from tests.bot.harness import World
from tests.bot.table import begun, first_line, labels, moved, payload, pressing, ready, room, said, sentence


async def chosen(world: World, name: str = "Ana") -> tuple[ChatSettings, Profile]:
    """What the chat and the person have chosen."""
    return await world.store.chat(world.place), await world.store.profile(world.person(name).id)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_language_is_answered_in_itself(redis_client: Redis, language: str) -> None:
    world = World(redis_client)
    (page,) = await world.say("Ana", f"/settings language {sentence('language.name', language)}")
    assert first_line([page]) == sentence("settings.saved", language)
    spoken, theme = sentence("language.name", language), sentence("button.theme.light", language)
    assert sentence("settings.chat", language, spoken=spoken, theme=theme) in plain(page.text)
    # From now on, whatever the platform says that he speaks.
    (answer,) = await world.say("Ana", "/help", language="en")
    assert first_line([answer]) == sentence("help.title", language)


async def test_in_a_group_admins_choose_for_all(redis_client: Redis) -> None:
    world = World(redis_client)
    group = {"private": False, "admin": False}
    await world.say("Ana", "/settings language es", **group)
    chat, profile = await chosen(world)
    assert (chat, profile.language) == (ChatSettings(), "es")
    (answer,) = await world.say("Ana", "/settings theme dark", **group)
    assert first_line([answer]) == sentence("notice.only-admins", "es")
    (page,) = await world.say("Ana", "/settings", **group)
    assert sentence("button.theme.dark", "es") not in labels(page)
    assert (await chosen(world))[0] == ChatSettings()

    (page,) = await world.say("Бо", "/settings language ru", private=False, admin=True)
    assert sentence("button.theme.dark", "ru") in labels(page)
    await world.press("Бо", pressing([page], "theme.dark", "ru"), private=False, admin=True)
    assert (await chosen(world))[0] == ChatSettings("ru", "dark")
    # Boards speak the chat's language, private answers each person's own.
    stored = await begun(world)
    told = await world.say("Ana", f"b1b2 {stored.id}", **group)
    assert first_line(told) == sentence("event.moved", "ru", name="Ana", move="b1-b2")
    assert told[0].picture is not None
    assert told[0].picture.scene.theme == "dark"
    (answer,) = await world.say("Ana", f"d1d2 {stored.id}", **group)
    assert first_line([answer]) == sentence("fault.not-your-turn", "es")
    (answer,) = await world.say("Carla", f"d1d2 {stored.id}", language="en", **group)
    assert first_line([answer]) == sentence("fault.not-a-player", "en")


async def test_one_s_own_language_and_the_chat_s_are_both_named(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Бо", "/settings language ru", private=False, admin=True)
    theme = sentence("button.theme.light", "es")
    # Chosen, or what the platform says that she speaks.
    for text, own in (("/settings my-language es", ""), ("/settings", ""), ("/settings", "en")):
        (page,) = await world.say("Ana", text, private=False, language=own)
        mine, chat = plain(page.text).split("\n")[1:3]
        assert mine == sentence("settings.mine", "es", spoken=sentence("language.name", "es"))
        assert chat == sentence("settings.chat", "es", spoken=sentence("language.name", "ru"), theme=theme)
    (page,) = await world.say("Carla", "/settings", private=False, language="en")
    assert plain(page.text).split("\n")[1] == sentence("settings.mine", spoken=sentence("language.name"))


async def test_a_chat_takes_the_language_of_who_comes_first(redis_client: Redis) -> None:
    world = World(redis_client)
    await world.say("Ana", "/help", language="ru", private=False)
    assert (await chosen(world))[0].language == ""
    await world.say("Ana", "/challenge ayu 9", language="es-419", private=False)
    assert (await chosen(world))[0].language == "es"
    told = await world.say("Бо", "/accept", language="ru", private=False)
    assert first_line(told) == sentence("event.accepted", "es", name="Бо")
    # Somebody whose language nobody has said is answered in the chat's.
    (answer,) = await world.say("Carla", "/help", private=False)
    assert first_line([answer]) == sentence("help.title", "es")
    # A language that is not spoken here changes nothing.
    await world.say("Carla", "/challenge volo", language="pt-BR", private=False, place=room("other"))
    assert (await world.store.chat(room("other"))).language == ""


async def test_where_each_reader_has_his_own_window_a_board_comes_in_all_languages(redis_client: Redis) -> None:
    world = World(redis_client)
    world.core.senders["web"] = world.inbox
    here = {"place": Place("web", "main"), "language": "es"}
    await world.say("Ana", "/challenge ayu 9 nopie", **here)
    (told,) = await world.say("Бо", "/accept", **here)
    languages = [one.language for one in (told, *told.others)]
    assert languages == ["es", *(language for language in LANGUAGES if language != "es")]
    for one in (told, *told.others):
        assert first_line([one]) == sentence("event.accepted", one.language, name="Бо")
        assert labels(one)[0] == sentence("button.move", one.language)
        assert one.picture is not None
        assert sentence("side.ayu.1", one.language) in one.picture.alt
        assert [button.payload for row in one.buttons for button in row] == [
            button.payload for row in told.buttons for button in row
        ]
    # In a chat of many there is one language.
    stored = await begun(world)
    (told,) = await world.say("Ana", f"b1b2 {stored.id}")
    assert told.others == ()


async def test_no_ping_for_who_wants_none(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    page = await world.say("Бо", "/settings ping off")
    assert sentence("settings.ping.off") in said(page)
    (told,) = await world.say("Ana", f"b1b2 {stored.id}")
    assert told.ping is None
    (told,) = await world.say("Бо", f"a2a3 {stored.id}")
    assert told.ping == world.person("Ana").id
    await world.press("Бо", pressing(await world.say("Бо", "/settings"), "ping.on"))
    (told,) = await world.say("Ana", f"d1d2 {stored.id}")
    assert told.ping == world.person("Бо").id
    # Nobody is told what he has done himself.
    await world.say("Ana", f"/draw {stored.id}")
    (told,) = await world.press("Бо", f"n|{stored.id}|draw")
    assert (told.ping, (await ready(world, stored.id)).match.person_to_move) == (None, world.person("Бо").id)
    # His wish counts when he is challenged by his user name, too.
    await world.say("Бо", "/settings ping off")
    (told,) = await world.say("Carla", "/challenge ayu @bo")
    assert told.ping is None


async def test_each_move_is_asked_about_for_who_wants_it(redis_client: Redis) -> None:
    world = World(redis_client)
    stored = await begun(world)
    await world.say("Ana", "/settings confirm on")
    (asked,) = await world.say("Ana", "b1 b2")
    assert first_line([asked]) == sentence("confirm.move", move="b1-b2")
    assert asked.picture is not None
    assert (asked.picture.scene.selected, asked.picture.scene.dots) == (("b1",), ("b2",))
    assert (await ready(world, stored.id)).match.tokens == ()
    (kept,) = await world.press("Ana", pressing([asked], "no"))
    assert first_line([kept]) == sentence("notice.kept")
    (refused,) = await world.say("Ana", "b1b9")
    assert first_line([refused]) != sentence("confirm.move", move="b1-b9")

    # Guided, it is asked about once: with the last step.
    guided = await world.say("Ana", "b1")
    (asked,) = await world.press("Ana", payload(guided, "c1"))
    assert first_line([asked]) == sentence("confirm.move", move="b1-c1")
    await world.press("Ana", pressing([asked], "yes.move"))
    assert (await ready(world, stored.id)).match.tokens == ("b1-c1",)
    # The other one plays at once, and the question is stale when the board has changed.
    await world.say("Бо", "a2a3")
    (answer,) = await world.press("Ana", pressing([asked], "yes.move"))
    assert first_line([answer]) == sentence("fault.stale")


async def test_the_block_list(redis_client: Redis) -> None:
    world = World(redis_client)
    (answer,) = await world.say("Ana", "/settings block")
    assert first_line([answer]) == sentence("notice.block-whom")
    (answer,) = await world.say("Ana", "/settings block @ana", mentions=(world.person("Ana"),))
    assert first_line([answer]) == sentence("notice.block-whom")
    for _ in range(2):
        (page,) = await world.say("Ana", "/settings block @carla")
        assert sentence("settings.blocked", n=1) in said([page])
    (page,) = await world.say("Ana", "/settings unblock carla")
    # That nobody is blocked goes without saying.
    assert said([page]).split("\n")[-1] == sentence("settings.file.off")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("language xx", sentence("notice.bad-language", languages="English, Español, and Русский")),
        ("theme pink", sentence("notice.bad-theme", themes="light (Light), dark (Dark), and patterns (Patterns)")),
        ("ping", sentence("notice.bad-switch", key="ping")),
        ("confirm maybe", sentence("notice.bad-switch", key="confirm")),
        ("colour red", sentence("notice.unknown-word", command="/settings", word="colour")),
    ],
)
async def test_settings_that_do_not_exist(redis_client: Redis, text: str, expected: str) -> None:
    world = World(redis_client)
    (answer,) = await world.say("Ana", f"/settings {text}")
    assert first_line([answer]) == expected
    assert await chosen(world) == (ChatSettings(), Profile())


async def test_every_button_of_the_page_does_what_it_says(redis_client: Redis) -> None:
    world = World(redis_client)
    (page,) = await world.say("Ana", "/settings")
    for key, field, value in [
        ("theme.patterns", "theme", "patterns"),
        ("ping.off", "ping", False),
        ("confirm.on", "confirm", True),
        ("file.on", "as_file", True),
        ("ping.on", "ping", True),
        ("confirm.off", "confirm", False),
        ("file.off", "as_file", False),
        ("theme.light", "theme", "light"),
    ]:
        (page,) = await world.press("Ana", pressing([page], key))
        chat, profile = await chosen(world)
        assert getattr(chat, field, getattr(profile, field, None)) == value, key
    (page,) = await world.press("Ana", payload([page], sentence("language.name", "ru")))
    chat, profile = await chosen(world)
    assert (chat.language, profile.language) == ("ru", "ru")
    assert labels(page)[:3] == [sentence("language.name", language) for language in LANGUAGES]


async def test_settings_are_kept_over_a_match(redis_client: Redis) -> None:
    """Beginning a match writes into the profile, and changes no choice."""
    world = World(redis_client)
    await world.say("Ana", "/settings confirm on")
    await world.say("Ana", "/settings language es")
    stored = await begun(world)
    await moved(world, stored)
    _, profile = await chosen(world)
    assert (profile.confirm, profile.language, profile.played, profile.name) == (True, "es", 1, "Ana")
