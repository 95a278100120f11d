"""What a page sends through its socket: JSON, read strictly, whatever comes."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Final

import msgspec

NAME_LENGTH: Final = 40
"""Characters of a player's name."""

# The control characters that turn the direction of what follows them, also outside the name.
_TURNING: Final = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


Match = Annotated[str, msgspec.Meta(pattern=r"^[a-z]{0,12}\Z")]


class MalformedFrameError(Exception):
    """What came is nothing that the page sends: the sender's fault."""


class Say(msgspec.Struct, frozen=True, tag_field="type", tag="say"):
    r"""A text that was typed, or the *payload* of a button that was pressed (then the text does not count).

    *id* is the page's own, the same when it is sent again. *entry* is the number of the message whose button was
    pressed. *name* is how the person calls himself, *language* the one
    the page is shown in. *quiet* texts do not appear in the chat (a setting that was clicked). *about* is the match
    whose board the page shows: a text that names no other is meant for it.
    """

    id: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
    text: str = ""
    payload: Annotated[str, msgspec.Meta(max_length=256)] = ""
    entry: Annotated[int, msgspec.Meta(ge=0, lt=2**53)] = 0
    name: str = ""
    language: str = ""
    quiet: bool = False
    about: Match = ""


class Look(msgspec.Struct, frozen=True, tag_field="type", tag="look"):
    """A page wants to be told what it is to show: the board of *match* after *shown* moves (None: all of them).

    *match* empty: the one that matters most. *number* comes back with the answer.
    """

    number: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    match: Match = ""
    shown: Annotated[int, msgspec.Meta(ge=0, lt=100_000)] | None = None
    language: str = ""


class Weigh(msgspec.Struct, frozen=True, tag_field="type", tag="weigh"):
    """A page asks why *text*, tapped on the board of *match* at *ply*, is no move, or what is still to be chosen."""

    number: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    match: Match
    ply: Annotated[int, msgspec.Meta(ge=0, lt=100_000)]
    text: Annotated[str, msgspec.Meta(max_length=60)]
    language: str = ""


class Here(msgspec.Struct, frozen=True, tag_field="type", tag="here"):
    """A page asks whether the socket still lives."""


class Complete(msgspec.Struct, frozen=True, tag_field="type", tag="complete"):
    """A page asks which moves *text* may become, in *match* or (empty) in the one that waits for a move."""

    number: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    text: Annotated[str, msgspec.Meta(max_length=60)]
    match: Match = ""


Question = Look | Weigh | Complete
Frame = Say | Question | Here

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
