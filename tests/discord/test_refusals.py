"""Requests that are right in themselves, and refused: too late, twice, without permission, to what is not there."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import pytest

from tests.discord.raw import Table

JSON = dict[str, Any]

COMMAND: Final[JSON] = {
    "name": "move",
    "description": "Make a move",
    "options": [{"type": 3, "name": "move", "description": "The move", "required": True, "autocomplete": True}],
    "integration_types": [0, 1],
    "contexts": [0, 1, 2],
}
CHOICES: Final = [{"name": f"n{number}", "value": f"v{number}"} for number in range(26)]

# ---- answers ---------------------------------------------------------------------------------------------------------


async def test_an_interaction_is_acknowledged_once(table: Table) -> None:
    interaction = await table.press()
    assert await table.answer(interaction, 4, {"content": "x"}) == 0
    assert await table.answer(interaction, 4, {"content": "y"}) == 40060
    assert [one.content for one in interaction.answers] == ["x"]


async def test_the_wrong_token_or_too_late_is_unknown(table: Table) -> None:
    interaction = await table.press()
    path = f"/interactions/{interaction.id}/wrong/callback"
    assert await table.send("POST", path, {"type": 6}) == 10062
    assert (await table.waiting).failed
    assert await table.answer(interaction, 6) == 10062


@pytest.mark.parametrize(("kind", "data"), [(8, {"choices": []}), (1, None), (11, None)])
async def test_an_answer_that_does_not_suit(table: Table, kind: int, data: JSON | None) -> None:
    interaction = await table.press()
    assert await table.answer(interaction, kind, data) == 50035


async def test_autocompletion_takes_25_choices_of_its_type(table: Table) -> None:
    path = f"/applications/{table.service.world.application_id}/commands"
    await table.send("PUT", path, [COMMAND])
    waiting = asyncio.ensure_future(table.ana.autocomplete(table.channel, "move", "move", "b"))
    await table.service.until(lambda: table.service.world.interactions)
    (interaction,) = table.service.world.interactions.values()
    assert await table.answer(interaction, 8, {"choices": CHOICES}) == 50035
    assert await table.answer(interaction, 8, {"choices": [{"name": "x" * 101, "value": "x"}]}) == 50035
    assert await table.answer(interaction, 8, {"choices": [{"name": "x", "value": "x" * 101}]}) == 50035
    assert await table.answer(interaction, 8, {"choices": [{"name": "x", "value": 1}]}) == 50035
    assert await table.answer(interaction, 4, {"content": "x"}) == 50035
    assert await table.answer(interaction, 8, {"choices": CHOICES[:25]}) == 0
    assert len(await waiting) == 25


async def test_the_webhook_opens_with_the_acknowledgement(table: Table) -> None:
    interaction = await table.press()
    assert await table.send("POST", table.webhook(interaction), {"content": "x"}) == 10015
    assert await table.answer(interaction, 6) == 0
    assert await table.send("POST", table.webhook(interaction), {"content": "x"}) == 0
    assert await table.send("POST", table.webhook(interaction), {"content": ""}) == 50006
    assert await table.send("POST", table.webhook(interaction), {"content": "x" * 2001}) == 50035
    assert await table.send("PATCH", f"{table.webhook(interaction)}/messages/5", {"content": "x"}) == 10008
    table.service.world.token_lives = 0
    assert await table.send("POST", table.webhook(interaction), {"content": "x"}) == 50027


async def test_the_first_followup_fills_the_deferred_answer(table: Table) -> None:
    interaction = await table.press()
    assert await table.answer(interaction, 5, {"content": "x"}) == 50035
    assert await table.answer(interaction, 5, {"flags": 64}) == 0
    assert interaction.first.loading
    assert await table.send("POST", table.webhook(interaction), {"content": "x"}) == 0
    assert [(one.content, one.loading, one.is_private) for one in interaction.answers] == [("x", False, True)]
    private = f"/channels/{table.channel.id}/messages/{interaction.first.id}"
    assert await table.send("PATCH", private, {"content": "y"}) == 10008


async def test_an_app_that_is_no_member_answers_and_does_no_more(table: Table) -> None:
    stranger = table.service.person("Бо", has_app=True)
    channel = table.service.channel(table.service.guild("Elsewhere", stranger, has_bot=False))
    path = f"/applications/{table.service.world.application_id}/commands"
    await table.send("PUT", path, [COMMAND])
    waiting = asyncio.ensure_future(stranger.slash(channel, "move", move="b1b2"))
    await table.service.until(lambda: table.service.world.interactions)
    (interaction,) = table.service.world.interactions.values()
    assert await table.answer(interaction, 4, {"content": "x"}) == 0
    assert not (await waiting).is_private
    assert await table.post({"content": "x"}, channel) == 50001
    assert (
        await table.send("PATCH", f"/channels/{channel.id}/messages/{interaction.first.id}", {"content": "y"}) == 50001
    )
    codes = [await table.send("POST", table.webhook(interaction), {"content": "x"}) for _ in range(6)]
    assert codes == [0] * 5 + [40094]


# ---- messages: what is there, and who may ----------------------------------------------------------------------------


async def test_an_empty_message_is_refused_and_not_made_by_an_edit(table: Table) -> None:
    assert await table.post({"content": " "}) == 50006
    assert await table.post({"content": "x"}) == 0
    path = f"/channels/{table.channel.id}/messages/{table.channel.last.id}"
    assert await table.send("PATCH", path, {"content": ""}) == 50006
    assert table.channel.last.content == "x"


async def test_the_same_nonce_makes_one_message(table: Table) -> None:
    body = {"content": "x", "nonce": "kfwt:12", "enforce_nonce": True}
    for _ in range(2):
        assert await table.post(body) == 0
    assert len(table.channel.messages) == 1
    assert await table.post(body | {"enforce_nonce": False}) == 0
    assert len(table.channel.messages) == 2


async def test_files_stay_unless_the_edit_leaves_them_out(table: Table) -> None:
    path = f"/channels/{table.channel.id}/messages"
    body: JSON = {"attachments": [{"id": "0", "description": "A board"}]}
    assert await table.send("POST", path, body, {"a.png": b"1"}) == 0
    board = table.channel.last
    assert (board.file.filename, board.file.description, board.file.content) == ("a.png", "A board", b"1")
    path += f"/{board.id}"
    assert await table.send("PATCH", path, {}, {"b.png": b"2"}) == 0
    assert [one.content for one in board.attachments] == [b"1", b"2"]
    assert await table.send("PATCH", path, {"attachments": [{"id": "0"}]}, {"c.png": b"3"}) == 0
    assert [one.content for one in board.attachments] == [b"3"]
    assert await table.send("PATCH", path, {"attachments": [{"id": "7"}]}) == 50035
    assert await table.send("POST", path.rpartition("/")[0], {}, {"c.png": b"x" * (10 * 1024 * 1024 + 1)}) == 40005


async def test_messages_of_others_and_messages_that_are_gone(table: Table) -> None:
    said = table.ana.say(table.channel, "hello")
    path = f"/channels/{table.channel.id}/messages/{said.id}"
    assert await table.send("PATCH", path, {"content": "x"}) == 50005
    assert await table.send("DELETE", path, {"content": "x"}) == 50035
    assert await table.send("DELETE", path, None) == 50013
    table.service.delete(said)
    assert await table.send("PATCH", path, {"content": "x"}) == 10008
    table.service.delete_channel(table.channel)
    assert await table.post({"content": "x"}) == 10003


PICTURE: Final = {"board.png": b"1"}


@pytest.mark.parametrize(
    ("permission", "code", "files"),
    [("view_channel", 50001, None), ("send_messages", 50013, None), ("attach_files", 50013, PICTURE)],
)
async def test_a_missing_permission(table: Table, permission: str, code: int, files: dict[str, bytes] | None) -> None:
    path = f"/channels/{table.channel.id}/messages"
    assert await table.send("POST", path, {"content": "x"}, files) == 0
    table.service.permit(table.channel, None, **{permission: False})
    assert await table.send("POST", path, {"content": "x"}, files) == code
    table.service.permit(table.channel, table.service.world.bot, **{permission: True})
    assert await table.send("POST", path, {"content": "x"}, files) == 0


async def test_a_thread_wants_its_own_permission(table: Table) -> None:
    path = f"/channels/{table.channel.id}/threads"
    table.service.permit(table.channel, None, send_messages_in_threads=False, create_public_threads=False)
    assert await table.send("POST", path, {"name": "x", "type": 11}) == 50013
    assert await table.post({"content": "x"}, table.service.thread(table.channel)) == 50013
    table.service.permit(table.channel, None, create_public_threads=True)
    assert await table.send("POST", path, {"name": "x", "type": 11, "auto_archive_duration": 5}) == 50035
    assert await table.send("POST", path, {"type": 11}) == 50035
    assert await table.send("POST", path, {"name": "x"}) == 50013, "without a type it is private"
    assert await table.send("POST", path, {"name": "x", "type": 10}) == 50024, "that is for announcements"
    assert await table.send("POST", path, {"name": "x", "type": 11}) == 0
    assert await table.send("POST", f"/channels/{table.service.dm(table.ana).id}/threads", {"name": "x"}) == 50024


async def test_an_archived_thread_is_closed_and_a_locked_one_stays_so(table: Table) -> None:
    thread = table.service.thread(table.channel)
    assert await table.post({"content": "x"}, thread) == 0
    table.service.archive(thread)
    board = f"/channels/{thread.id}/messages/{thread.last.id}"
    assert await table.post({"content": "x"}, thread) == 50083
    assert await table.send("PATCH", board, {"content": "y"}) == 50083
    assert await table.send("PATCH", f"/channels/{thread.id}", {"name": "y"}) == 50083
    assert await table.send("PATCH", f"/channels/{thread.id}", {"archived": False}) == 0
    assert await table.post({"content": "x"}, thread) == 0
    table.service.archive(thread, archived=False, locked=True)
    assert await table.post({"content": "x"}, thread) == 160005
    table.service.archive(thread, locked=True)
    assert await table.send("PATCH", f"/channels/{thread.id}", {"archived": False}) == 50013


async def test_closed_direct_messages(table: Table) -> None:
    assert await table.send("POST", "/users/@me/channels", {"recipient_id": str(table.ana.id)}) == 0
    dm = table.service.dm(table.ana)
    assert await table.post({"content": "x"}, dm) == 0
    table.ana.user.dms_open = False
    assert await table.post({"content": "x"}, dm) == 50007
    assert await table.send("POST", "/users/@me/channels", {"recipient_id": "5"}) == 50033


# ---- requests as such ------------------------------------------------------------------------------------------------


async def test_a_wrong_token_a_wrong_route_a_wrong_parameter(table: Table) -> None:
    url = f"{table.service.url}/api/v10"
    right = {"Authorization": f"Bot {table.service.token}", "User-Agent": "DiscordBot (https://example.org, 1)"}
    async with table.http.get(f"{url}/users/@me", headers=right) as response:
        assert response.status == 200
        assert response.headers["Content-Type"] == "application/json"
    async with table.http.get(f"{url}/users/@me", headers=right | {"Authorization": "Bot other"}) as response:
        assert response.status == 401
    async with table.http.get(f"{url}/users/@me", headers=right | {"User-Agent": "curl"}) as response:
        assert response.status == 403
    assert await table.send("POST", "/channels/5/message", {}) == 404
    assert await table.send("POST", f"/channels/{table.channel.id}/messages?wait=true", {"content": "x"}) == 50035
    assert await table.send("POST", f"/channels/{table.channel.id}/messages", None) == 50035
    async with table.http.post(f"{url}/channels/{table.channel.id}/messages", headers=right, data=b"{") as response:
        assert response.status == 400
