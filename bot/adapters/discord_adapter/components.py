"""Buttons, menus and the form for a move. What comes back is in the custom_id: nothing has to be remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import discord
from discord import ui

from bot.messages import Button, ButtonStyle, Outgoing

TYPING: Final = "type:"
"""What the custom_id of the button begins with that opens the form for a move; the payload follows."""

MENU: Final = "menu:"
"""What the custom_id of a menu begins with; the payload is the chosen value."""

FIELD: Final = "move"
"""The custom_id of the form's one field."""

ROWS: Final = 5
PER_ROW: Final = 5
PER_MENU: Final = 25
"""Discord: "Max 5 action rows", "up to 5 buttons", "up to 25 choices in a select menu"."""

FEW: Final = 5
"""So many choices are buttons, not a menu."""

MOVE_LENGTH: Final = 200
_LABEL_LENGTH: Final = 80
_STYLES: Final = {
    ButtonStyle.PRIMARY: discord.ButtonStyle.primary,
    ButtonStyle.SECONDARY: discord.ButtonStyle.secondary,
    ButtonStyle.DANGER: discord.ButtonStyle.danger,
}


def view_of(outgoing: Outgoing, words: Mapping[str, str]) -> ui.View | None:
    """The buttons and menus of the message, or None. The view is stopped: the client keeps none of them."""
    grid = _distinct(outgoing.buttons)
    flat = [button for row in grid for button in row]
    choices, others = flat[: outgoing.choices], flat[outgoing.choices :]
    view = ui.View(timeout=None)
    row = 0
    if len(choices) > FEW:
        room = ROWS - 1
        for menu in range(min(room, -(-len(choices) // PER_MENU))):
            view.add_item(_menu(choices[menu * PER_MENU : (menu + 1) * PER_MENU], menu, words["discord.choose"]))
            row += 1
        rows = _rows([others])
    elif choices:
        rows = _rows([choices, others])
    else:
        rows = _rows(grid)
    if outgoing.typing:
        typing = Button(words["discord.type.button"], TYPING + outgoing.typing)
        rows = [*rows[:-1], [*rows[-1], typing]] if rows and len(rows[-1]) < PER_ROW else [*rows, [typing]]
    for buttons in rows[: ROWS - row]:
        for button in buttons:
            view.add_item(
                ui.Button(
                    label=button.label[:_LABEL_LENGTH],
                    custom_id=button.payload,
                    style=_STYLES[button.style],
                    row=row,
                )
            )
        row += 1
    if not view.children:
        return None
    view.stop()
    return view


def move_form(payload: str, words: Mapping[str, str]) -> ui.Modal:
    """The form in which a move is typed; *payload* comes back beside the text."""
    modal = ui.Modal(title=words["discord.type.title"], custom_id=payload, timeout=None)
    text: ui.TextInput[ui.Modal] = ui.TextInput(custom_id=FIELD, max_length=MOVE_LENGTH)
    modal.add_item(ui.Label(text=words["discord.type.field"], component=text))
    modal.stop()
    return modal


def _menu(choices: Sequence[Button], number: int, placeholder: str) -> ui.Select[ui.View]:
    options = [discord.SelectOption(label=choice.label[:100], value=choice.payload) for choice in choices]
    return ui.Select(custom_id=f"{MENU}{number}", placeholder=placeholder, options=options, row=number)


def _distinct(rows: Sequence[Sequence[Button]]) -> list[list[Button]]:
    """The rows without buttons that would send back what another one does: Discord takes no custom_id twice."""
    first: dict[str, Button] = {}
    for button in (button for row in rows for button in row):
        first.setdefault(button.payload, button)
    return [[button for button in row if first[button.payload] is button] for row in rows]


def _rows(grid: Sequence[Sequence[Button]]) -> list[list[Button]]:
    """The rows as they are, or closed up where they are too many or too long."""
    rows = [list(row) for row in grid if row]
    if len(rows) <= ROWS and all(len(row) <= PER_ROW for row in rows):
        return rows
    flat = [button for row in rows for button in row]
    return [flat[start : start + PER_ROW] for start in range(0, len(flat), PER_ROW)]
