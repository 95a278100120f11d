"""Accounts, chats and messages as the Bot API writes them."""

from __future__ import annotations

from typing import Final

from tests.telegram.model import Account, Chat, File, Json, Member, Message

_POWERS: Final = (
    *("can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members"),
    *("can_promote_members", "can_change_info", "can_invite_users"),
    *("can_post_stories", "can_edit_stories", "can_delete_stories", "can_send_welcome_messages"),
)
_RIGHTS: Final = (
    *("can_send_messages", "can_send_audios", "can_send_documents", "can_send_photos", "can_send_videos"),
    *("can_send_video_notes", "can_send_voice_notes", "can_send_polls", "can_send_other_messages"),
    *("can_add_web_page_previews", "can_change_info", "can_invite_users", "can_pin_messages", "can_manage_topics"),
    *("can_edit_tag", "can_react_to_messages"),
)


def account_json(account: Account) -> Json:
    """A `User`."""
    found: Json = {"id": account.id, "is_bot": account.is_bot, "first_name": account.name}
    if account.last_name:
        found["last_name"] = account.last_name
    if account.username:
        found["username"] = account.username
    if account.language and not account.is_bot:
        found["language_code"] = account.language
    return found


def chat_json(chat: Chat) -> Json:
    """A `Chat`."""
    found: Json = {"id": chat.id, "type": chat.kind}
    if chat.person is not None:
        found |= {key: value for key, value in account_json(chat.person).items() if key.endswith("name")}
        return found
    found["title"] = chat.title
    if chat.username:
        found["username"] = chat.username
    if chat.is_forum:
        found["is_forum"] = True
    return found


def file_json(file: File) -> Json:
    """The field of a `Message` that holds its file."""
    one = {"file_id": file.id, "file_unique_id": f"u{file.id}", "file_size": len(file.data)}
    width, height = file.size
    if file.kind == "photo":
        return {"photo": [{**one, "width": width, "height": height}]}
    named = {**one, "file_name": file.name}
    if file.kind == "document":
        return {"document": named}
    moving = {**named, "mime_type": "image/gif", "width": width, "height": height, "duration": 1}
    return {"animation": moving, "document": named}


def message_json(message: Message, *, quoted: bool = False) -> Json:
    """A `Message`; *quoted*: as another message's `reply_to_message`, which has none of its own."""
    found: Json = {"message_id": message.id, "date": message.date, "chat": chat_json(message.chat)}
    if message.sender is not None:
        found["from"] = account_json(message.sender)
    if message.as_chat is not None:
        found["sender_chat"] = chat_json(message.as_chat)
    if message.thread is not None:
        found["message_thread_id"] = message.thread
        if message.chat.is_forum:
            found["is_topic_message"] = True
    if message.ephemeral_id is not None and message.receiver is not None:
        found["ephemeral_message_id"] = message.ephemeral_id
        found["receiver_user"] = account_json(message.receiver)
    if message.edited_at is not None:
        found["edit_date"] = message.edited_at
    if message.file is not None:
        found |= file_json(message.file)
    name = "caption" if message.file is not None else "text"
    if message.text:
        found[name] = message.text
        if message.entities:
            found["entities" if name == "text" else "caption_entities"] = [dict(entity) for entity in message.entities]
    if message.keyboard:
        found["reply_markup"] = {"inline_keyboard": message.keyboard}
    if message.reply_to is not None and not quoted:
        found["reply_to_message"] = message_json(message.reply_to, quoted=True)
    return found | message.service


def member_json(account: Account, member: Member) -> Json:
    """A `ChatMember` of the kind that the status names."""
    found: Json = {"status": member.status, "user": account_json(account)}
    if member.status == "creator":
        found["is_anonymous"] = member.anonymous
    elif member.status == "administrator":
        found |= {"can_be_edited": False, "is_anonymous": member.anonymous, **dict.fromkeys(_POWERS, True)}
    elif member.status == "restricted":
        found |= {"is_member": True, "until_date": 0, **{right: right not in member.silenced for right in _RIGHTS}}
    elif member.status == "kicked":
        found["until_date"] = 0
    return found
