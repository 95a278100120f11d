"""What Telegram's refusals mean. The texts are those of the Bot API; it has no codes for them."""

from __future__ import annotations

import datetime as dt
import re
from typing import Final

from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError

from bot.ports import Place, PlaceGoneError, PlaceMovedError, SendError, SendLaterError

CONNECT_SECONDS: Final = 1.0
"""When a request is tried again that has not left this machine."""

_UNSENT: Final = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol"})
"""The HTTP client's errors before anything was sent."""

_NOT_MODIFIED: Final = "message is not modified"
_NO_MESSAGE: Final = re.compile(
    r"message to (be )?(edit|delete|replied|reply)\w* not found|message can't be (edited|deleted)|message_id_invalid"
    r"|message identifier is not specified|there is no (caption|text|media) in the message to edit",
    re.IGNORECASE,
)
_LATE_QUERY: Final = re.compile(r"query is too old|query id is invalid|query_id_invalid", re.IGNORECASE)
_NO_TOPIC: Final = re.compile(r"message thread not found|topic_(closed|deleted|id_invalid)", re.IGNORECASE)
_NO_MEDIA: Final = re.compile(
    r"not enough rights to send (photos|documents|animations|media)|chat_send_\w+_forbidden", re.IGNORECASE
)
_GONE: Final = re.compile(
    r"chat not found|group chat was (deactivated|deleted)|bot was (kicked|blocked)|bot is not a member"
    r"|have no rights to send|not enough rights|need administrator rights|chat_write_forbidden|chat_restricted"
    r"|peer_id_invalid|user is deactivated|channel_private|chat_admin_required",
    re.IGNORECASE,
)


def is_not_modified(error: TelegramError) -> bool:
    """True if the message looks already as it should: that is what was wanted."""
    return isinstance(error, BadRequest) and _NOT_MODIFIED in error.message.lower()


def is_no_message(error: TelegramError) -> bool:
    """True if the message that was to be changed is gone, or too old for that."""
    return isinstance(error, BadRequest) and bool(_NO_MESSAGE.search(error.message))


def is_late_query(error: TelegramError) -> bool:
    """True if the pressed button waits for no answer any more."""
    return isinstance(error, BadRequest) and bool(_LATE_QUERY.search(error.message))


def is_no_topic(error: TelegramError) -> bool:
    """True if the forum's topic is closed or gone; the chat is still there."""
    return isinstance(error, BadRequest) and bool(_NO_TOPIC.search(error.message))


def is_no_media(error: TelegramError) -> bool:
    """True if only words may be sent there."""
    return isinstance(error, BadRequest | Forbidden) and bool(_NO_MEDIA.search(error.message))


def is_gone(error: TelegramError) -> bool:
    """True if nothing can be sent there: the chat is gone, or the bot is not wanted."""
    return isinstance(error, Forbidden) or (isinstance(error, BadRequest) and bool(_GONE.search(error.message)))


def is_unsent(error: TelegramError) -> bool:
    """True if the request has certainly not reached Telegram, so that it can be sent again."""
    return isinstance(error, NetworkError) and type(error.__cause__).__name__ in _UNSENT


def wait_of(error: RetryAfter) -> float:
    """The seconds for which Telegram asks to leave the chat alone."""
    wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, dt.timedelta) else float(wait)


def meaning(error: TelegramError, place: Place) -> SendError | None:
    """What the courier should know of *error*; None if nobody knows whether the message arrived, or we are to blame."""
    if isinstance(error, RetryAfter):
        return SendLaterError(wait_of(error))
    if isinstance(error, ChatMigrated):
        return PlaceMovedError(Place(place.platform, str(error.new_chat_id), place.topic))
    if is_unsent(error):
        return SendLaterError(CONNECT_SECONDS)
    if is_gone(error):
        return PlaceGoneError(error.message)
    return None
