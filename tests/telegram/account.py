"""What the bot sets for itself: commands for each scope and language, descriptions, names, the menu button."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from tests.telegram.limits import check_commands, check_language, check_length
from tests.telegram.model import Account, Chat, Json
from tests.telegram.shapes import Fields


def _scope(fields: Fields) -> str:
    return json.dumps(fields.get("scope", {"type": "default"}), sort_keys=True)


@dataclass(slots=True)
class OwnSettings:
    """Kept by scope (its JSON) and language (or nothing)."""

    commands: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    menu: Json = field(default_factory=lambda: {"type": "commands"})

    def set_commands(self, fields: Fields) -> bool:
        """`setMyCommands`."""
        check_commands(fields["commands"])
        self.commands[_scope(fields), check_language(fields)] = fields["commands"]
        return True

    def delete_commands(self, fields: Fields) -> bool:
        """`deleteMyCommands`."""
        self.commands.pop((_scope(fields), check_language(fields)), None)
        return True

    def get_commands(self, fields: Fields) -> list[Json]:
        """`getMyCommands`."""
        return self.commands.get((_scope(fields), check_language(fields)), [])

    def shown(self, person: Account, chat: Chat) -> list[Json]:
        """The commands that *person*'s client offers in *chat*: of the narrowest scope that has any.

        https://core.telegram.org/bots/api#determining-list-of-commands
        """
        one = {"chat_id": chat.id}
        if chat.kind == "private":
            scopes: list[Json] = [{"type": "chat", **one}, {"type": "all_private_chats"}]
        else:
            scopes = [{"type": "chat_member", **one, "user_id": person.id}]
            if chat.status(person).admin:
                scopes += [{"type": "chat_administrators", **one}]
            scopes += [{"type": "chat", **one}]
            if chat.status(person).admin:
                scopes += [{"type": "all_chat_administrators"}]
            scopes += [{"type": "all_group_chats"}]
        for scope in [*scopes, {"type": "default"}]:
            for language in (person.language[:2], ""):
                if found := self.commands.get((json.dumps(scope, sort_keys=True), language)):
                    return found
        return []

    def is_ephemeral(self, bot: Account, person: Account, chat: Chat, text: str) -> bool:
        """Whether *text* is a command that *person*'s client sends for the bot's eyes only."""
        word = text.split(maxsplit=1)[0] if text.strip() else ""
        name, _, at = word.removeprefix("/").partition("@")
        if not word.startswith("/") or (at and at.lower() != bot.username.lower()):
            return False
        return any(one["command"] == name and one.get("is_ephemeral") for one in self.shown(person, chat))

    def set_text(self, kind: str, most: int, fields: Fields) -> bool:
        """`setMyName`, `setMyDescription`, `setMyShortDescription`."""
        self.texts[kind, check_language(fields)] = check_length(fields.get(kind, ""), most, kind)
        return True

    def get_text(self, kind: str, fields: Fields) -> Json:
        """`getMyName` and its like."""
        return {kind: self.texts.get((kind, check_language(fields)), self.texts.get((kind, ""), ""))}

    def set_menu(self, fields: Fields) -> bool:
        """`setChatMenuButton`."""
        self.menu = fields.get("menu_button", {"type": "default"})
        return True

    def get_menu(self, _fields: Fields) -> Json:
        """`getChatMenuButton`."""
        return self.menu
