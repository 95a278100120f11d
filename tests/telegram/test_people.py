"""People whom the bot may not write to, who hide behind the chat, who have no user name or a wild one."""

from __future__ import annotations

from unicodedata import normalize

import pytest

from rules.match import Status
from tests.telegram.acting import press, reply, say
from tests.telegram.bot import Bot
from tests.telegram.faults import refuse
from tests.telegram.markup import cut_units
from tests.telegram.model import Chat
from tests.telegram.people import Person
from tests.telegram.play import Match, begin, label, labels, match_of, newest_board
from tests.telegram.server import Telegram
from tests.telegram.world import ANONYMOUS_ADMIN, CHANNEL_BOT

HOSTILE = {
    "a tag": "<b>Ana</b>",
    "the end of tags": "</b></a> <script>",
    "references": "Ana & &amp; &lt; &#60;",
    "markdown": "_Ana_ *x* `y` [z](t.me)",
    "from right to left": "Ana\u202egnp.exe",
    "mentions": "@bo @ana_and_others",
    "placeholders": "{name} {match} %s {0}",
    "flags": "🏴\u200d☠️" * 8,
    "64 letters": "W" * 64,
    "a letter that is not seen": "ㅤ",
    "accents": "a\u0301" * 30,
    "the heading of a match": "Ayu 9×9 · #kfwt",
}


def pair(telegram: Telegram) -> tuple[Person, Person]:
    """Two who play: one has a user name, the other none."""
    return telegram.person("Ana", username="ana"), telegram.person("Бо", language="ru")


async def moves_of(match: Match) -> int:
    """How many moves were made."""
    return len((await match.stored()).match.record.moves)


def tries(bot: Bot, person: Person) -> int:
    """How often the bot wrote, or tried to, in the private chat of *person*."""
    return len([call for call in bot.telegram.calls(chat=person.private) if call.method.startswith("send")])


def start_links(chat: Chat) -> list[str]:
    """The links of the buttons in *chat* that lead to the private chat."""
    buttons = [one for message in chat.messages for row in message.keyboard for one in row]
    return [one["url"] for one in buttons if one.get("url", "").startswith("https://t.me/bandada_test_bot?start=")]


# ---- the bot may not write (T11) -------------------------------------------------------------------------------------


async def test_who_never_started_is_shown_the_way(bot: Bot) -> None:
    people = pair(bot.telegram)
    for person in people:
        person.old_client = True
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group)
    mover = people[await match.mover()]
    (way,) = await say(bot, mover, group, "/moves")
    (link,) = start_links(group)
    assert (mover.name in way.text, way.receiver, tries(bot, mover)) == (True, None, 1)
    await say(bot, mover, group, "/moves")
    # No second try, and the group is not told again.
    assert (tries(bot, mover), start_links(group)) == (1, [link])
    mover.follow(link)
    await bot.settle()
    assert match_of(mover.private.last) == match.id
    before = len(mover.private.messages)
    await say(bot, mover, group, "/moves")
    assert len(mover.private.messages) == before + 1
    assert start_links(group) == [link]


async def test_who_blocked_the_bot_is_left_alone(bot: Bot) -> None:
    ana, bo = people = pair(bot.telegram)
    ana.start()
    await say(bot, ana, ana.private, "/challenge ayu 9")
    match = Match(bot, people, (ana.private, bo.private), match_of(newest_board(ana, ana.private)))
    bo.start(match.id)
    await bot.settle()
    await press(bot, bo, newest_board(bo, bo.private), label(bot, "accept", "ru"))
    if people[await match.mover()] is bo:
        await match.type_one()
    bo.block()
    await bot.settle()
    before = tries(bot, bo)
    await match.type_one()
    await say(bot, ana, ana.private, "/draw")
    made = await moves_of(match)
    assert tries(bot, bo) <= before + 1
    assert (await match.stored()).match.status is Status.PLAYING
    bo.unblock()
    (shown,) = await say(bot, bo, bo.private, "/board")
    assert match_of(shown) == match.id
    await match.type_one()
    assert await moves_of(match) == made + 1
    assert match_of(newest_board(ana, ana.private)) == match.id


async def test_a_link_to_a_challenge_that_others_play_begins_a_game_of_ones_own(bot: Bot) -> None:
    ana, bo = pair(bot.telegram)
    carla = bot.telegram.person("Carla", language="es")
    ana.start()
    await say(bot, ana, ana.private, "/challenge ayu 9")
    code = match_of(newest_board(ana, ana.private))
    bo.start(code)
    await bot.settle()
    await press(bot, bo, newest_board(bo, bo.private), label(bot, "accept", "ru"))
    carla.follow(f"https://t.me/bandada_test_bot?start={code}")
    await bot.settle()
    told = carla.private.last
    assert told.text == bot.core.texts.plain("es", "notice.challenge-taken", match=f"#{code}")
    assert labels(told) == [label(bot, "start", "es")]
    (asked,) = await press(bot, carla, told, label(bot, "start", "es"))
    await press(bot, carla, asked, labels(asked)[0])
    assert match_of(newest_board(carla, carla.private)) != code


async def test_a_bot_that_was_put_out_keeps_the_match(bot: Bot) -> None:
    ana, bo = people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group, "volo 6")
    ana.start()
    bo.start()
    bo.remove_bot(group)
    await bot.settle()
    before = len(bot.telegram.calls(chat=group))
    for count in range(1, 4):
        mover = people[await match.mover()]
        seen = await say(bot, mover, mover.private, f"/m {match.id} {await match.any_move()}")
        assert await moves_of(match) == count
        assert match_of(seen[-1]) == match.id
    assert len(bot.telegram.calls(chat=group)) - before <= 2
    bo.add_bot(group)
    await bot.settle()
    await match.type_one()
    assert (await moves_of(match), match_of(match.board(0))) == (4, match.id)


@pytest.mark.parametrize("how", ["no right to photos", "an error of old"])
async def test_where_no_pictures_may_be_sent_words_go_alone(bot: Bot, how: str) -> None:
    people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    await bot.settle()
    if how == "no right to photos":
        people[0].silence_bot(group, "can_send_photos", "can_send_documents")
    else:
        bot.telegram.plant(refuse(400, "Bad Request: CHAT_SEND_PHOTOS_FORBIDDEN"), "sendPhoto", group, times=99)
    match = await begin(bot, people, group)
    await match.type_one()
    board = match.board(0)
    assert (board.file, match_of(board), label(bot, "move") in board.buttons) == (None, match.id, True)
    assert await moves_of(match) == 1


# ---- who hides behind the chat (T12) ---------------------------------------------------------------------------------


async def test_an_anonymous_admin_is_told_and_never_plays(bot: Bot) -> None:
    ana, bo = people = pair(bot.telegram)
    group, channel = bot.telegram.group("Friends", *people), bot.telegram.channel("News", ana, bot=False)
    bot.telegram.promote(group, ana, anonymous=True)
    await bot.settle()
    why = bot.core.texts.plain("en", "notice.anonymous")
    for text in ("/challenge ayu 9", "/challenge volo @bo", "/challenge", "/m b1b2", "/resign", "/accept kfwt"):
        assert [one.text for one in await say(bot, ana, group, text)] == [why], text
        assert [one.text for one in await say(bot, ana, group, text, as_channel=channel)] == [why], text
    # Whose button she presses is known: it is she who plays.
    match = await begin(bot, (bo, ana), group)
    assert set((await match.stored()).match.seats) == {f"telegram:{ana.id}", f"telegram:{bo.id}"}


async def test_nobody_challenges_a_mask(bot: Bot) -> None:
    ana, bo = people = pair(bot.telegram)
    group, channel = bot.telegram.group("Friends", *people), bot.telegram.channel("News", ana, bot=False)
    bot.telegram.promote(group, ana, anonymous=True)
    await bot.settle()
    masks = {f"telegram:{ANONYMOUS_ADMIN}", f"telegram:{CHANNEL_BOT}"}
    for written in (ana.say(group, "hello"), ana.say(group, "hello", as_channel=channel)):
        seen = await reply(bot, bo, written, "/challenge ayu 9")
        match = (await Match(bot, people, (group, group), match_of(seen[-1])).stored()).match
        assert match.status is Status.CHALLENGE
        assert not masks & {*match.seats, match.invited}
        await say(bot, bo, group, "/cancel")


# ---- names (T14, T15) ------------------------------------------------------------------------------------------------


async def test_whose_turn_it_is_is_mentioned_by_id(bot: Bot) -> None:
    people = pair(bot.telegram)
    group = bot.telegram.group("Friends", *people)
    match = await begin(bot, people, group)
    for _ in range(2):
        board, mover = match.board(0), people[await match.mover()]
        named = [one for one in board.entities if one["type"] == "text_mention"]
        shown = [(one["user"]["id"], cut_units(board.text, one["offset"], one["length"])) for one in named]
        assert shown == [(mover.id, mover.name)]
        assert "@" not in board.text
        await match.type_one()


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
async def test_a_wild_name_is_shown_and_breaks_nothing(bot: Bot, name: str) -> None:
    people = bot.telegram.person(name), bot.telegram.person("Бо", last_name=name)
    group = bot.telegram.group("Friends & <others>", *people)
    match = await begin(bot, people, group)
    await match.press_one()
    await match.type_one(reply=True)
    assert await moves_of(match) == 2
    board = match.board(0)
    assert {one["type"] for one in board.entities} <= {"text_mention", "bold", "code"}
    if "\u202e" in name:
        assert "\u202e" not in board.text
    elif name != "ㅤ":
        assert normalize("NFC", name) in board.text
    (listed,) = await say(bot, people[0], group, "/games")
    assert match.id in " ".join([listed.text, *listed.buttons])


async def test_a_challenge_to_a_user_name_waits_for_its_owner(bot: Bot) -> None:
    ana, _ = pair(bot.telegram)
    bo, eve = bot.telegram.person("Бо", username="Bo_Plays"), bot.telegram.person("Eve", username="eve")
    group = bot.telegram.group("Friends", ana, bo, eve)
    await bot.settle()
    (challenge,) = await say(bot, ana, group, "/challenge ayu 9 @bo_plays")
    match = Match(bot, (ana, bo), (group, group), match_of(challenge))
    for person, status in ((eve, Status.CHALLENGE), (bo, Status.PLAYING)):
        await press(bot, person, challenge, label(bot, "accept"))
        assert (await match.stored()).match.status is status


async def test_a_challenge_by_a_mention_is_for_that_person(bot: Bot) -> None:
    ana, bo = people = pair(bot.telegram)
    eve = bot.telegram.person("Eve")
    group = bot.telegram.group("Friends", ana, bo, eve)
    await bot.settle()
    (challenge,) = await say(bot, ana, group, "/challenge ayu 9 Бо", mentions=[bo])
    match = Match(bot, people, (group, group), match_of(challenge))
    for person, status in ((eve, Status.CHALLENGE), (bo, Status.PLAYING)):
        await press(bot, person, challenge, label(bot, "accept"))
        assert (await match.stored()).match.status is status


async def test_alone_with_the_bot_nobody_is_offered_what_is_not_his(bot: Bot) -> None:
    ana, bo = pair(bot.telegram)
    ana.start()
    await bot.settle()
    (mine,) = await say(bot, ana, ana.private, "/challenge ayu 9")
    bo.start(match_of(mine))
    await bot.settle()
    theirs = newest_board(bo, bo.private)
    asked = [label(bot, key, "ru") in theirs.buttons for key in ("accept", "withdraw")]
    assert ([label(bot, key) in mine.buttons for key in ("accept", "withdraw")], asked) == (
        [False, True],
        [True, False],
    )


@pytest.mark.parametrize("offer", ["draw", "takeback"])
async def test_whoever_is_to_answer_an_offer_is_notified_though_the_other_is_to_move(bot: Bot, offer: str) -> None:
    people = pair(bot.telegram)
    match = await begin(bot, people, bot.telegram.group("Friends", *people))
    await match.type_one()
    await match.type_one()
    number = await match.mover()
    other = people[1 - number]
    await say(bot, people[number], match.chats[number], f"/{offer}")
    notified = [one["user"]["id"] for one in match.board(number).entities if one["type"] == "text_mention"]
    assert notified == [other.id]
