"""What a page sends through its socket: JSON, read strictly, whatever comes."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final

import msgspec

NAME_LENGTH: Final = 40
"""Characters of a player's name."""

# The control characters that turn the direction of what follows them, also outside the name.
_TURNING: Final = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class MalformedFrameError(Exception):
    """What came is nothing that the page sends: the sender's fault."""


class Say(msgspec.Struct, frozen=True, tag_field="type", tag="say"):
    r"""A text that was typed, or the *payload* of a button that was pressed (then the text does not count).

    *id* is the page's own, the same when it is sent again. *entry* is the number of the message whose button was
    pressed. *name* is how the person calls himself, *language* the one
    the page is shown in. *quiet* texts do not appear in the chat (a setting that was clicked).
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
    text: str = ""
    payload: Annotated[str, msgspec.Meta(max_length=256)] = ""
    entry: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 0
    name: str = ""
    language: str = ""
    quiet: bool = False


class Here(msgspec.Struct, frozen=True, tag_field="type", tag="here"):
    """A page asks whether the socket still lives."""


Frame = Say | Here

_DECODER: Final = msgspec.json.Decoder(Frame)


def read_frame(data: str) -> Frame:
    """The frame in *data*.

    :raises MalformedFrameError: if it is none.
    """
    try:
        frame: Frame = _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise MalformedFrameError from error
    if isinstance(frame, Say) and not frame.payload and not frame.text.strip():
        raise MalformedFrameError
    return frame


def clean_name(name: str) -> str:
    """The name as one line of at most `NAME_LENGTH` characters that shows, or the empty string."""
    kept = (
        " " if unicodedata.category(char) == "Cc" else char for char in name[: 4 * NAME_LENGTH] if char not in _TURNING
    )
    return " ".join("".join(kept).split())[:NAME_LENGTH].strip()
