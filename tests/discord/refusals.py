"""How Discord's API says no: https://discord.com/developers/docs/topics/opcodes-and-status-codes."""

from __future__ import annotations

from typing import Final


class Refused(Exception):  # noqa: N818 - what the API does, not what went wrong here
    """The API refuses a request: the client's fault (4xx), as Discord words it."""

    def __init__(self, status: int, code: int, message: str, *problems: str) -> None:
        super().__init__(f"{status} {code} {message}: {'; '.join(problems)}")
        self.status = status
        self.code = code
        self.message = message
        self.problems = problems


UNKNOWN_CHANNEL: Final = (404, 10003, "Unknown Channel")
UNKNOWN_GUILD: Final = (404, 10004, "Unknown Guild")
UNKNOWN_MEMBER: Final = (404, 10007, "Unknown Member")
UNKNOWN_MESSAGE: Final = (404, 10008, "Unknown Message")
UNKNOWN_USER: Final = (404, 10013, "Unknown User")
UNKNOWN_WEBHOOK: Final = (404, 10015, "Unknown Webhook")
UNKNOWN_INTERACTION: Final = (404, 10062, "Unknown interaction")
ALREADY_ACKNOWLEDGED: Final = (400, 40060, "Interaction has already been acknowledged.")
NO_MORE_FOLLOWUPS: Final = (400, 40094, "Maximum number of follow up messages reached")
MISSING_ACCESS: Final = (403, 50001, "Missing Access")
NOT_THE_AUTHOR: Final = (403, 50005, "Cannot edit a message authored by another user")
EMPTY_MESSAGE: Final = (400, 50006, "Cannot send an empty message")
CLOSED_DM: Final = (403, 50007, "Cannot send messages to this user")
MISSING_PERMISSIONS: Final = (403, 50013, "Missing Permissions")
WRONG_CHANNEL_TYPE: Final = (400, 50024, "Cannot execute action on this channel type")
INVALID_BODY: Final = (400, 50035, "Invalid Form Body")
ARCHIVED: Final = (400, 50083, "Thread is archived")
NO_HISTORY: Final = (403, 160002, "Cannot reply without permission to read message history")
LOCKED: Final = (403, 160005, "This thread is locked")
HAS_A_THREAD: Final = (400, 160004, "A thread has already been created for this message")
