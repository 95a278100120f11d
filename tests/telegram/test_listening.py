"""Who listens, and who may speak to the bot: one poller, a webhook's secret, the token that appears nowhere."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import pytest
from redis.asyncio import Redis

from bot.adapters.telegram_adapter import NO_LIMITS, TelegramAdapter
from bot.config import load
from bot.core import Core, build, build_telegram
from bot.ports import PlatformError
from storage import keys
from storage.base import Place
from storage.redis_store import RedisStore
from storage.transcript import RedisTranscript
from tests.telegram.bot import Bot, SmallPictures, running_bot
from tests.telegram.faults import refuse
from tests.telegram.server import Telegram
from tests.telegram.updates import SECRET_HEADER


def another(bot: Bot, redis_client: Redis, token: str = "") -> tuple[Core, TelegramAdapter]:
    """Another process of the same bot."""
    core = build(RedisStore(redis_client), RedisTranscript(redis_client), SmallPictures(), language="en")
    settings = {"TELEGRAM_TOKEN": token or bot.telegram.token, "TELEGRAM_API_URL": bot.telegram.url}
    return core, build_telegram(load(settings), core, NO_LIMITS)


def only_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The one error in a group of groups."""
    (error,) = group.exceptions
    return only_error(error) if isinstance(error, BaseExceptionGroup) else error


async def logged(caplog: pytest.LogCaptureFixture, text: str) -> None:
    """Wait until the log says so."""
    async with asyncio.timeout(10):
        while text not in caplog.text:  # noqa: ASYNC110 - a log rings no bell
            await asyncio.sleep(0.02)


# ---- polling ---------------------------------------------------------------------------------------------------------


async def test_a_program_with_other_games_ends_one_of_both_with_one_clear_line(
    bot: Bot, redis_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    core, other = another(bot, redis_client)
    # Another database knows nothing of the first one's lease.
    monkeypatch.setattr(core.store, "lease", _always)
    bot.telegram.plant(refuse(409), "getUpdates", times=1_000)
    with pytest.raises(BaseExceptionGroup) as raised:
        await other.run()
    error = only_error(raised.value)
    assert isinstance(error, PlatformError)
    assert "another program takes this bot's updates" in str(error)
    assert bot.telegram.token not in str(error)
    assert "\n" not in str(error)


async def _always(*_: object) -> bool:
    return True


async def test_another_process_of_the_same_games_waits_and_takes_over(
    telegram: Telegram, redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with asyncio.TaskGroup() as group:
        async with running_bot(telegram, redis_client) as first:
            await first.settle()
            _, other = another(first, redis_client)
            running = group.create_task(other.run())
            await logged(caplog, "takes over when that one has ended")
            ana = telegram.person("Ana")
            ana.start()
            await first.settle()
            assert telegram.updates.conflicts == 0
        ana.say(ana.private, "/games")
        await telegram.wait(ana.private, first.core.texts.plain("en", "games.none"))
        running.cancel()


async def test_who_could_not_renew_in_time_stops_polling(
    bot: Bot, redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """R2: as after a pause of the machine, another process has the lease; two would take each other's updates."""
    ana = bot.telegram.person("Ana")
    ana.start()
    await bot.settle()
    lease = keys.lease_key(Place("telegram-poller", str(bot.telegram.bot.id)))
    await redis_client.set(lease, "another process", px=60_000)
    await logged(caplog, "polls Telegram for this bot now")
    ana.say(ana.private, "/games")
    await asyncio.sleep(0.3)
    assert bot.telegram.updates.pending
    await redis_client.delete(lease)
    await bot.settle()
    assert ana.sees(ana.private)[-1].text == bot.core.texts.plain("en", "games.none")


async def test_a_token_that_telegram_does_not_know_ends_with_one_clear_line(bot: Bot, redis_client: Redis) -> None:
    token = "7999999999:AAE-somebody-elses-token-of-no-use-"
    _, other = another(bot, redis_client, token)
    with pytest.raises(BaseExceptionGroup) as raised:
        await other.run()
    error = only_error(raised.value)
    assert isinstance(error, PlatformError)
    assert "TELEGRAM_TOKEN" in str(error)
    assert token.partition(":")[2] not in repr(raised.value) + repr(error.__context__)


async def test_what_was_sent_while_nobody_listened_is_answered(telegram: Telegram, redis_client: Redis) -> None:
    """T19: a restart loses nothing, and a button of before that is out of date is told so."""
    ana, bo = telegram.person("Ana"), telegram.person("Бо")
    async with running_bot(telegram, redis_client) as first:
        ana.start()
        await first.settle()
    ana.say(ana.private, "/challenge ayu 9")
    bo.start()
    async with running_bot(telegram, redis_client) as second:
        await second.settle()
        assert any("https://t.me/" in one.text for one in ana.sees(ana.private))
        assert len(bo.sees(bo.private)) == 2


# ---- the webhook -----------------------------------------------------------------------------------------------------


async def test_a_webhook_wants_the_secret(telegram: Telegram, redis_client: Redis) -> None:
    async with running_bot(telegram, redis_client, webhook=True) as bot:
        assert bot.server is not None
        ana = telegram.person("Ana")
        ana.start()
        await bot.settle()
        hook = telegram.updates.hook
        assert hook is not None
        assert len(hook.secret) >= 32
        update = telegram.updates.history[-1].json
        async with aiohttp.ClientSession() as session:
            url = f"{bot.server.url}/telegram"
            for headers, status in (
                ({}, 401),
                ({SECRET_HEADER: "guessed"}, 403),
                ({SECRET_HEADER: ""}, 403),
                ({SECRET_HEADER: hook.secret}, 200),
            ):
                async with session.post(url, json=update, headers=headers) as answer:
                    assert answer.status == status
            async with session.get(url) as answer:
                assert answer.status == 405
            for body in (b"{", b"[]", b"{}", b'{"update_id": "x"}'):
                async with session.post(url, data=body, headers={SECRET_HEADER: hook.secret}) as answer:
                    assert answer.status == 400
        await bot.settle()
        assert len(ana.sees(ana.private)) == 2, "the same update again is answered once"


async def test_several_workers_share_one_webhook_and_one_secret(telegram: Telegram, redis_client: Redis) -> None:
    async with running_bot(telegram, redis_client, webhook=True):
        hook = telegram.updates.hook
        assert hook is not None
        first = hook.secret
        async with running_bot(telegram, redis_client, webhook=True) as second:
            assert telegram.updates.hook is not None
            assert telegram.updates.hook.secret == first
            ana = telegram.person("Ana")
            ana.start()
            await second.settle()
            assert len(ana.sees(ana.private)) == 2


# ---- the token -------------------------------------------------------------------------------------------------------


async def test_the_token_is_in_no_line_of_the_log_and_in_no_repr(
    telegram: Telegram, redis_client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """Even at debug level, and without the formatter that hides it."""
    caplog.set_level(logging.DEBUG)
    logging.getLogger("aiohttp.access").setLevel(logging.CRITICAL)  # the loopback platform's own
    telegram.plant(refuse(502), "getMe", times=1)
    telegram.plant(refuse(502), "getUpdates", times=1)
    async with running_bot(telegram, redis_client) as bot:
        ana = telegram.person("Ana")
        telegram.plant(refuse(400, "Bad Request: something new"), "sendMessage", times=1)
        ana.start()
        await bot.settle()
        ana.say(ana.private, "/games")
        await bot.settle()
        shown = [repr(bot.adapter), *(repr(value) for value in vars(bot.adapter).values())]
    secret = telegram.token.partition(":")[2]
    assert len(caplog.records) >= 4
    assert [record for record in caplog.records if secret in record.getMessage() + str(record.exc_text)] == []
    assert [one for one in shown if secret in one] == []
