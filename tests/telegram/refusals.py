"""What the Bot API answers instead of a result."""

from __future__ import annotations

from collections.abc import Mapping


class RefusedError(Exception):
    """The platform says no: the chat is gone, the message is not modified, too many requests. Nobody's fault.

    :param code: the HTTP status, also `error_code` in the answer.
    :param text: the `description`, as the real server words it where that is known.
    :param parameters: `migrate_to_chat_id` or `retry_after`.
    """

    def __init__(self, code: int, text: str, parameters: Mapping[str, int] | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.parameters = dict(parameters or {})

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


class MistakeError(RefusedError):
    """The bot asked for something that no bot may ask for. The bot's fault: the server keeps it in its `mistakes`."""


def bad(text: str) -> RefusedError:
    """A 400 that the world's state causes."""
    return RefusedError(400, f"Bad Request: {text}")


def wrong(text: str) -> MistakeError:
    """A 400 that the bot's code causes."""
    return MistakeError(400, f"Bad Request: {text}")


def forbidden(text: str) -> RefusedError:
    """A 403."""
    return RefusedError(403, f"Forbidden: {text}")
