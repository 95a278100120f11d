"""The methods that ask about chats and their people, and those that change a chat."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.telegram.access import reach
from tests.telegram.model import Json, Member, Topic
from tests.telegram.refusals import bad, wrong
from tests.telegram.shapes import Fields
from tests.telegram.wire import account_json, chat_json, member_json
from tests.telegram.world import World

_TOPIC_COLORS = (7322096, 16766590, 13338331, 9367192, 16749490, 16478047)


@dataclass(slots=True)
class Places:
    """The world as the bot asks about it."""

    world: World

    @property
    def methods(self) -> Mapping[str, Callable[[Fields], Any]]:
        """Each by its name."""
        return {
            "getMe": self.get_me,
            "getChat": self.get_chat,
            "getChatMember": self.get_member,
            "getChatAdministrators": self.get_admins,
            "getChatMemberCount": self.count_members,
            "leaveChat": self.leave,
            "createForumTopic": self.create_topic,
            "closeForumTopic": self.close_topic,
            "getFile": self.get_file,
        }

    def get_me(self, _fields: Fields) -> Json:
        """`getMe`."""
        return {
            **account_json(self.world.bot),
            "can_join_groups": True,
            "can_read_all_group_messages": not self.world.privacy,
            "supports_inline_queries": False,
            "can_connect_to_business": False,
            "has_main_web_app": False,
        }

    def get_chat(self, fields: Fields) -> Json:
        """`getChat`: a `ChatFullInfo`."""
        chat = reach(self.world, fields["chat_id"])
        gifts = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
        full = {"accent_color_id": 2, "max_reaction_count": 11, "accepted_gift_types": dict.fromkeys(gifts, False)}
        return {**chat_json(chat), **full}

    def get_member(self, fields: Fields) -> Json:
        """`getChatMember`."""
        chat = reach(self.world, fields["chat_id"])
        account = self.world.accounts.get(fields["user_id"])
        if account is None or (account.id not in self.world.met and account is not self.world.bot):
            raise bad("invalid user_id specified")
        return member_json(account, chat.status(account))

    def get_admins(self, fields: Fields) -> list[Json]:
        """`getChatAdministrators`: without other bots."""
        chat = reach(self.world, fields["chat_id"])
        if chat.kind == "private":
            raise bad("there are no administrators in the private chat")
        people = [(self.world.accounts[one], member) for one, member in chat.members.items() if member.admin]
        return [member_json(account, member) for account, member in people if not account.is_bot]

    def count_members(self, fields: Fields) -> int:
        """`getChatMemberCount`."""
        return sum(member.here for member in reach(self.world, fields["chat_id"]).members.values())

    def leave(self, fields: Fields) -> bool:
        """`leaveChat`."""
        chat = reach(self.world, fields["chat_id"])
        if chat.kind == "private":
            raise bad("chat not found")
        chat.members[self.world.bot.id] = Member("left")
        self.world.bell.ring()
        return True

    def create_topic(self, fields: Fields) -> Json:
        """`createForumTopic`: for an admin."""
        chat = reach(self.world, fields["chat_id"])
        if not chat.is_forum:
            raise bad("the chat is not a forum")
        if not chat.status(self.world.bot).admin:
            raise bad("not enough rights to create a topic")
        if not 1 <= len(fields["name"]) <= 128 or fields.get("icon_color", _TOPIC_COLORS[0]) not in _TOPIC_COLORS:
            raise wrong("TOPIC_TITLE_EMPTY or a colour that no topic has")
        color = fields.get("icon_color", _TOPIC_COLORS[0])
        made = {"name": fields["name"], "icon_color": color}
        message = self.world.write(chat, self.world.bot, service={"forum_topic_created": made})
        message.thread = message.id
        chat.topics[message.id] = Topic(message.id, fields["name"])
        return {"message_thread_id": message.id, **made}

    def close_topic(self, fields: Fields) -> bool:
        """`closeForumTopic`: for an admin."""
        chat = reach(self.world, fields["chat_id"])
        topic = chat.topics.get(fields["message_thread_id"])
        if topic is None:
            raise bad("message thread not found")
        if topic.closed:
            raise bad("TOPIC_NOT_MODIFIED")
        if not chat.status(self.world.bot).admin:
            raise bad("not enough rights to close the topic")
        topic.closed = True
        return True

    def get_file(self, fields: Fields) -> Json:
        """`getFile`."""
        file = self.world.files.get(fields["file_id"])
        if file is None:
            raise wrong("wrong file_id or the file is temporarily unavailable")
        size = {"file_unique_id": f"u{file.id}", "file_size": len(file.data)}
        return {"file_id": file.id, **size, "file_path": f"{file.kind}s/{file.id}"}
