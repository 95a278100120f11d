"""The limits that the shapes do not tell: lengths, keyboards, callback data, commands, pictures, files, web hooks.

From https://core.telegram.org/bots/api and, where it names no number, https://limits.tginfo.me/en.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from PIL import Image, UnidentifiedImageError

from tests.telegram.markup import Styled, check_entities, read_html, trimmed, units
from tests.telegram.refusals import bad, wrong
from tests.telegram.shapes import Fields, Upload

TEXT_UNITS: Final = 4096
CAPTION_UNITS: Final = 1024
CALLBACK_BYTES: Final = 64
ALERT_UNITS: Final = 200
BUTTONS_IN_ROW: Final = 8
BUTTONS: Final = 100
PHOTO_BYTES: Final = 10 * 1024 * 1024
FILE_BYTES: Final = 50 * 1024 * 1024
PHOTO_SIDES: Final = 10_000
PHOTO_RATIO: Final = 20
START_CODE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")

_COMMAND: Final = re.compile(r"[a-z0-9_]{1,32}")
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{1,256}")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_STYLES: Final = ("danger", "success", "primary")
_ACTIONS: Final = frozenset(
    {
        *("url", "callback_data", "web_app", "login_url", "copy_text", "callback_game", "pay", "disabled"),
        *("switch_inline_query", "switch_inline_query_current_chat", "switch_inline_query_chosen_chat"),
    }
)
_PORTS: Final = (443, 80, 88, 8443)

Keyboard = list[list[dict[str, Any]]]


def styled(fields: Fields, name: str, entities: str) -> Styled:
    """The text in the field *name* after its entities are parsed.

    :raises MistakeError: if they cannot be, or both ways of giving them are used.
    """
    text = fields.get(name, "")
    mode = fields.get("parse_mode")
    if mode and fields.get(entities):
        raise wrong(f"both parse_mode and {entities} are given")
    if not mode:
        return check_entities(Styled(text, tuple(fields.get(entities, ()))))
    if mode.lower() != "html":
        raise wrong(f"unsupported parse_mode {mode!r}: this server reads HTML only")
    return read_html(text)


def message_text(fields: Fields) -> Styled:
    """The text of a message: 1-4096 units.

    :raises MistakeError: if it is empty, too long or cannot be parsed.
    """
    text = styled(fields, "text", "entities")
    if not text.text:
        raise wrong("message text is empty")
    if len(text) > TEXT_UNITS:
        raise wrong("message is too long")
    return text


def caption(fields: Fields) -> Styled:
    """The caption of a file: 0-1024 units.

    :raises MistakeError: if it is too long or cannot be parsed.
    """
    text = styled(fields, "caption", "caption_entities")
    if len(text) > CAPTION_UNITS:
        raise wrong("message caption is too long")
    return text


def keyboard(fields: Fields) -> Keyboard | None:
    """The rows of the inline keyboard; empty: no keyboard; None: nothing was said of one.

    :raises MistakeError: if a button has no text or not exactly one action, or the keyboard or its data is too big.
    """
    markup = fields.get("reply_markup")
    if markup is None:
        return None
    if "inline_keyboard" not in markup:
        raise wrong("reply_markup: this server's people have inline keyboards only")
    rows: Keyboard = markup["inline_keyboard"]
    for row in rows:
        if not row:
            raise wrong("inline_keyboard has an empty row")
        if len(row) > BUTTONS_IN_ROW:
            raise wrong(f"inline_keyboard has {len(row)} buttons in a row")
        for button in row:
            _check_button(button)
    if sum(map(len, rows)) > BUTTONS:
        raise wrong("REPLY_MARKUP_TOO_LONG")
    return [[dict(button) for button in row] for row in rows]


def _check_button(button: Fields) -> None:
    if not button["text"].strip():
        raise wrong("can't parse inline keyboard button: Text must be non-empty")
    actions = _ACTIONS & set(button)
    if not actions:
        raise wrong("can't parse inline keyboard button: Text buttons are not allowed in the inline keyboard")
    if len(actions) > 1:
        raise wrong(f"can't parse inline keyboard button: it has {' and '.join(sorted(actions))}")
    data = button.get("callback_data")
    if data is not None and not 1 <= len(data.encode()) <= CALLBACK_BYTES:
        raise wrong("BUTTON_DATA_INVALID")
    if "url" in button and not _is_link(button["url"]):
        raise wrong("BUTTON_URL_INVALID")
    if button.get("style", _STYLES[0]) not in _STYLES:
        raise wrong(f"can't parse inline keyboard button: style {button['style']!r}")


def _is_link(url: str) -> bool:
    parts = urlsplit(url)
    if parts.scheme == "tg":
        return bool(parts.netloc)
    return parts.scheme in ("http", "https") and "." in parts.netloc and not re.search(r"\s", url)


def photo_size(photo: Upload) -> tuple[int, int]:
    """Width and height of a photo to upload.

    :raises MistakeError: if it is too big, too narrow, or no picture.
    """
    if len(photo.data) > PHOTO_BYTES:
        raise wrong("file is too big for a photo")
    try:
        with Image.open(io.BytesIO(photo.data)) as image:
            width, height = image.size
            image.verify()
    except (UnidentifiedImageError, OSError, SyntaxError):  # the last: a broken PNG
        raise wrong("IMAGE_PROCESS_FAILED") from None
    if width + height > PHOTO_SIDES or max(width, height) > PHOTO_RATIO * min(width, height):
        raise wrong("PHOTO_INVALID_DIMENSIONS")
    return width, height


def check_file(file: Upload) -> None:
    """:raises MistakeError: if a file to upload is empty, too big or has no name."""
    if not file.data:
        raise wrong("file must be non-empty")
    if len(file.data) > FILE_BYTES:
        raise wrong("file is too big")
    if not file.name:
        raise wrong("the file has no name")


def check_answer(fields: Fields) -> None:
    """:raises MistakeError: if the text of an answer to a button is too long."""
    if units(fields.get("text", "")) > ALERT_UNITS:
        raise wrong("MESSAGE_TOO_LONG")


def check_commands(commands: Sequence[Fields]) -> None:
    """:raises MistakeError: if there are too many, or one's name or description breaks the rules."""
    if len(commands) > 100:
        raise wrong("BOT_COMMANDS_TOO_MUCH")
    for command in commands:
        if not _COMMAND.fullmatch(command["command"]):
            raise wrong("BOT_COMMAND_INVALID")
        if not 1 <= units(trimmed(Styled(command["description"])).text) <= 256:
            raise wrong("BOT_COMMAND_DESCRIPTION_INVALID")
    names = [command["command"] for command in commands]
    if len(set(names)) < len(names):
        raise wrong("BOT_COMMAND_DUPLICATE")


def check_language(fields: Fields) -> str:
    """The two letters of a language, or nothing.

    :raises MistakeError: if they are no ISO 639-1 code.
    """
    language: str = fields.get("language_code", "")
    if language and not _LANGUAGE.fullmatch(language):
        raise wrong("language_code is invalid")
    return language


def check_length(text: str, most: int, name: str) -> str:
    """*text* if it is not longer than *most* units.

    :raises MistakeError: if it is.
    """
    if units(text) > most:
        raise wrong(f"{name} is too long")
    return text


def check_webhook(fields: Fields) -> None:
    """:raises RefusedError: if the address or the secret breaks the rules."""
    url = urlsplit(fields["url"])
    if url.scheme != "https" or not url.hostname:
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    if (url.port or 443) not in _PORTS:
        raise bad("bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
    if "secret_token" in fields and not _SECRET.fullmatch(fields["secret_token"]):
        raise wrong("secret token contains unallowed characters")
    if not 1 <= fields.get("max_connections", 40) <= 100:
        raise wrong("max_connections must be between 1 and 100")
