"""What a correct client never sends is refused, and said; each next to the right request that differs in one thing.

A loopback server that lets everything pass proves nothing about the bot that talks to it.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.discord.raw import Table, button, menu, row, text_input
from tests.discord.world import Answer

JSON = dict[str, Any]

RIGHT_MESSAGE: Final[JSON] = {
    "content": "Ana <@1> is to move",
    "flags": 0,
    "allowed_mentions": {"parse": [], "users": ["1"]},
    "components": [row(button(), button("Pass")), row(menu())],
    "nonce": "kfwt:12",
    "enforce_nonce": True,
}
WRONG_MESSAGES: Final[dict[str, JSON]] = {
    "2,001 characters": {"content": "x" * 2001},
    "content that is a list": {"content": ["x"]},
    "an unknown key": {"text": "x"},
    "an unknown key of a button": {"components": [row(button(payload="x"))]},
    "six rows": {"components": [row(button(str(n))) for n in range(6)]},
    "six buttons in a row": {"components": [row(*(button(str(n)) for n in range(6)))]},
    "an empty row": {"components": [row()]},
    "a button outside a row": {"components": [button()]},
    "a menu beside a button": {"components": [row(button(), menu())]},
    "the same custom_id twice": {"components": [row(button(), button())]},
    "the same custom_id in two rows": {"components": [row(button()), row(menu(custom_id="move"))]},
    "a button without custom_id": {"components": [row({"type": 2, "style": 1, "label": "x"})]},
    "a custom_id of 101 characters": {"components": [row(button(custom_id="x" * 101))]},
    "a button that says nothing": {"components": [row(button(label=""))]},
    "a label of 81 characters": {"components": [row(button("x" * 81, custom_id="x"))]},
    "a style that is none": {"components": [row(button(style=7))]},
    "a link with a custom_id": {"components": [row(button(style=5, url="https://example.org"))]},
    "a link to nowhere": {"components": [row({"type": 2, "style": 5, "label": "x", "url": "example"})]},
    "a component that is none": {"components": [row({"type": 99})]},
    "26 options": {"components": [row(menu(26))]},
    "no options": {"components": [row(menu(0))]},
    "two options with one value": {"components": [row(menu(options=[{"label": "a", "value": "a"}] * 2))]},
    "more to choose than there is": {"components": [row(menu(3, max_values=4))]},
    "min_values above max_values": {"components": [row(menu(3, min_values=3, max_values=2))]},
    "a placeholder of 151 characters": {"components": [row(menu(placeholder="x" * 151))]},
    "an option without a value": {"components": [row(menu(options=[{"label": "a"}]))]},
    "a text input in a message": {"components": [row(text_input())]},
    "components V2 without the flag": {"components": [{"type": 10, "content": "x"}]},
    "components V2 beside content": {"flags": 1 << 15, "components": [{"type": 10, "content": "x"}]},
    "a private message without an interaction": {"flags": 1 << 6},
    "a picture that is not there": {"embeds": [{"image": {"url": "attachment://board.png"}}]},
    "the description of a file that is not there": {"attachments": [{"id": "0", "description": "x"}]},
    "an empty field of an embed": {"embeds": [{"fields": [{"name": "", "value": "x"}]}]},
    "6,001 characters in embeds": {"embeds": [{"description": "x" * 3001}, {"description": "x" * 3000}]},
    "everybody and somebody pinged": {"allowed_mentions": {"parse": ["users"], "users": ["1"]}},
    "a kind of mention that is none": {"allowed_mentions": {"parse": ["all"]}},
    "a nonce of 26 characters": {"nonce": "x" * 26},
    "a reply to nothing": {"message_reference": {"message_id": "5"}},
    "a user id that is none": {"allowed_mentions": {"users": ["ana"]}},
}

RIGHT_COMMAND: Final[JSON] = {
    "name": "move",
    "description": "Make a move",
    "type": 1,
    "name_localizations": {"es-ES": "jugar", "ru": "ход"},
    "description_localizations": {"ru": "Сделать ход"},
    "options": [
        {"type": 3, "name": "move", "description": "The move", "required": True, "autocomplete": True},
        {"type": 4, "name": "size", "description": "The size", "choices": [{"name": "nine", "value": 9}]},
    ],
}


def option(name: str = "move", **changes: object) -> JSON:
    return {"type": 3, "name": name, "description": "x"} | changes


LONG: Final = [option(f"o{number}", description="x" * 100) for number in range(25)]
CHOICES: Final = [{"name": f"n{number}", "value": f"v{number}"} for number in range(26)]
WRONG_COMMANDS: Final[dict[str, JSON]] = {
    "a name in upper case": {"name": "Move"},
    "a name with a space": {"name": "my move"},
    "a name with an exclamation mark": {"name": "move!"},
    "a name of 33 characters": {"name": "m" * 33},
    "a localised name in upper case": {"name_localizations": {"ru": "Ход"}},
    "a locale that is none": {"name_localizations": {"es": "jugar"}},
    "a localised description of 101 characters": {"description_localizations": {"ru": "х" * 101}},
    "no description": {"description": ""},
    "26 options of a command": {"options": [option(f"o{number}") for number in range(26)]},
    "an optional option first": {"options": [option("a"), option("b", required=True)]},
    "two options of one name": {"options": [option(), option()]},
    "two options of one localised name": {
        "options": [option(name, name_localizations={"ru": "ход"}) for name in ("a", "b")]
    },
    "26 choices": {"options": [option(choices=CHOICES)]},
    "two choices of one name": {"options": [option(choices=[{"name": "n", "value": one} for one in "ab"])]},
    "choices and autocompletion": {"options": [option(choices=CHOICES[:2], autocomplete=True)]},
    "a number as a text's choice": {"options": [option(choices=[{"name": "n", "value": 1}])]},
    "an option without description": {"options": [{"type": 3, "name": "move"}]},
    "a min above the max": {"options": [option(type=4, min_value=3, max_value=2)]},
    "more than 8,000 characters": {
        "options": [
            {**one, "choices": [{"name": f"{n}" + "x" * 90, "value": f"{n}"} for n in range(3)]} for one in LONG
        ]
    },
    "a subcommand beside an option": {"options": [option(), {"type": 1, "name": "sub", "description": "x"}]},
    "an unknown key of a command": {"colour": 1},
}

RIGHT_MODAL: Final[JSON] = {"custom_id": "form", "title": "Your move", "components": [row(text_input())]}
WRONG_MODALS: Final[dict[str, JSON]] = {
    "a title of 46 characters": {"title": "x" * 46},
    "six inputs": {"components": [row(text_input(custom_id=f"c{n}")) for n in range(6)]},
    "two inputs in a row": {"components": [row(text_input(), text_input(custom_id="b"))]},
    "two inputs of one custom_id": {"components": [row(text_input()), row(text_input())]},
    "an input without a label": {"components": [row({"type": 4, "custom_id": "x", "style": 1})]},
    "a button in a modal": {"components": [row(button())]},
    "more filled in than fits": {"components": [row(text_input(max_length=3, value="b1b2"))]},
}


@pytest.mark.parametrize("wrong", WRONG_MESSAGES)
async def test_wrong_messages(table: Table, wrong: str) -> None:
    assert await table.post(RIGHT_MESSAGE) == 0
    assert table.service.wrong == []
    assert await table.post(RIGHT_MESSAGE | {"nonce": "other"} | WRONG_MESSAGES[wrong]) == 50035
    assert len(table.channel.messages) == 1
    assert len(table.service.wrong) == 1


@pytest.mark.parametrize("wrong", WRONG_COMMANDS)
async def test_wrong_commands(table: Table, wrong: str) -> None:
    path = f"/applications/{table.service.world.application_id}/commands"
    assert await table.send("PUT", path, [RIGHT_COMMAND]) == 0
    assert await table.send("PUT", path, [RIGHT_COMMAND | WRONG_COMMANDS[wrong]]) == 50035
    assert await table.send("PUT", path, [RIGHT_COMMAND, RIGHT_COMMAND]) == 50035
    assert len(table.service.world.commands) == 1


@pytest.mark.parametrize("wrong", WRONG_MODALS)
async def test_wrong_modals(table: Table, wrong: str) -> None:
    interaction = await table.press()
    assert await table.answer(interaction, 9, RIGHT_MODAL | WRONG_MODALS[wrong]) == 50035
    assert await table.answer(interaction, 9, RIGHT_MODAL) == 0
    assert (await table.waiting).answer is Answer.MODAL


def test_the_table_is_long_enough() -> None:
    assert len(WRONG_MESSAGES) + len(WRONG_COMMANDS) + len(WRONG_MODALS) >= 60
