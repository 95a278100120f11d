"""All data as lines of JSON: what a backup holds, and what moves from one server to another.

The first line names the format and its schema, the last one counts the lines before it, so that a file that was cut off
shows. Indexes are not in it: they are made anew. Where the same data is exported, the same bytes come out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Final, TypeAlias

import msgspec

from storage.base import ChatSettings, DamagedRecordError, MatchId, Profile
from storage.codec import MatchCodec, Pointers
from storage.envelope import Envelope
from storage.redis_store import SETTINGS_SCHEMA

SCHEMA: Final = 1
LONGEST_LINE: Final = 64 << 20
"""Bytes; a file without line breaks must not fill the memory."""

_Text = Annotated[str, msgspec.Meta(min_length=1)]
_Count = Annotated[int, msgspec.Meta(ge=0)]
_Id = Annotated[str, msgspec.Meta(pattern=r"^[bcdfghjkmnpqrstvwxz]{4,}\Z")]
_Operation = Annotated[str, msgspec.Meta(pattern=r"^[ -~]*\Z")]


class DumpError(Exception):
    """A file that cannot be imported: the host's to mend. The message is one line and names the line of the file."""


class Shown(msgspec.Struct, array_like=True, frozen=True):
    """What a place was shown of a match (see `storage.base.Shown`); *due* in ms since the epoch if it is behind."""

    platform: _Text
    chat: _Text
    topic: str
    version: _Count
    pinged: _Count
    message: str
    due: int | None


class Head(msgspec.Struct, frozen=True, tag_field="kind", tag="bandada storage"):
    """The first line."""

    schema: int


class MatchLine(msgspec.Struct, frozen=True, tag_field="kind", tag="match"):
    """A match. *order* is its place among the changes; None for one that no list holds any more."""

    id: _Id
    version: Annotated[int, msgspec.Meta(ge=1)]
    order: _Count | None
    places: list[Shown]
    operations: list[_Operation]
    record: msgspec.Raw


class ChatLine(msgspec.Struct, frozen=True, tag_field="kind", tag="chat"):
    """What a chat has chosen."""

    platform: _Text
    chat: _Text
    record: msgspec.Raw


class PersonLine(msgspec.Struct, frozen=True, tag_field="kind", tag="person"):
    """What a person has chosen."""

    id: _Text
    record: msgspec.Raw


class EntryLine(msgspec.Struct, frozen=True, tag_field="kind", tag="entry", omit_defaults=True):
    """An entry of a room of the local page: *text*, or *data* (in Base64) where it is no text."""

    room: _Text
    number: Annotated[int, msgspec.Meta(ge=1)]
    key: str
    text: str = ""
    data: bytes = b""

    @property
    def content(self) -> bytes:
        """The entry's bytes."""
        return self.data or self.text.encode()


class SecretLine(msgspec.Struct, frozen=True, tag_field="kind", tag="secret"):
    """A secret."""

    name: _Text
    value: str


class OperationLine(msgspec.Struct, frozen=True, tag_field="kind", tag="operation"):
    """The match that an operation created, remembered *until* then (ms since the epoch)."""

    id: _Operation
    match: _Id
    until: _Count


class End(msgspec.Struct, frozen=True, tag_field="kind", tag="end"):
    """The last line; *lines* are those before it, *sequence* counts the changes of matches there were."""

    lines: _Count
    sequence: _Count


Line: TypeAlias = MatchLine | ChatLine | PersonLine | EntryLine | SecretLine | OperationLine
"""A line between the first and the last one."""

_DECODER: Final[msgspec.json.Decoder[Head | Line | End]] = msgspec.json.Decoder(Head | Line | End)
_ENCODER: Final = msgspec.json.Encoder()


def written(line: Head | Line | End) -> bytes:
    """The line with its line break."""
    return _ENCODER.encode(line) + b"\n"


class Checker:
    """Tells which lines are good; what they hold is looked at as far as that costs no replay of a game."""

    def __init__(self) -> None:
        self._codec = MatchCodec()
        self._chats = Envelope(ChatSettings, SETTINGS_SCHEMA)
        self._profiles = Envelope(Profile, SETTINGS_SCHEMA)

    def pointers(self, line: MatchLine) -> Pointers:
        """What the match is found by.

        :raises DamagedRecordError: if the record cannot be read.
        """
        return self._codec.pointers(MatchId(line.id), bytes(line.record))

    def check(self, line: Line) -> None:
        """Return if the line can be imported.

        :raises DamagedRecordError: if not.
        """
        match line:
            case MatchLine():
                places = {(place.platform, place.chat, place.topic) for place in self.pointers(line).places}
                if len(line.places) != len(places) or places != {(s.platform, s.chat, s.topic) for s in line.places}:
                    raise DamagedRecordError("the places are not those of the record")
            case ChatLine():
                self._chats.unpack(bytes(line.record), f"chat {line.chat}")
            case PersonLine():
                self._profiles.unpack(bytes(line.record), f"person {line.id}")
            case _:
                pass


def read(lines: Iterable[bytes], accept: Callable[[Line], None] = lambda _: None) -> Iterator[Line | End]:
    """The lines behind the first one, and the end; *accept* may refuse one.

    :raises DumpError: for the first that is damaged, out of order or refused, and for a file that is cut off.
    """
    number, end, before = 0, False, _Order()
    for number, raw in enumerate(lines, 1):
        if len(raw) > LONGEST_LINE:
            raise DumpError(f"line {number}: is longer than {LONGEST_LINE >> 20} MB")
        if end:
            raise DumpError(f"line {number}: stands behind the end")
        if number == 1:
            _check_head(raw)
            continue
        line = _decoded(raw, number)
        if isinstance(line, End):
            end = True
            if line.lines != number - 1:
                raise DumpError(f"line {number}: {line.lines} lines should stand before it, not {number - 1}")
        elif isinstance(line, Head):
            raise DumpError(f"line {number}: a second beginning")
        else:
            try:
                before.follow(line)
                accept(line)
            except DamagedRecordError as error:
                raise DumpError(f"line {number}: {error}") from error
        yield line
    if number == 0:
        raise DumpError("line 1: the file is empty")
    if not end:
        raise DumpError(f"line {number + 1}: the end is missing: the file is cut off")


def _decoded(raw: bytes, number: int) -> Head | Line | End:
    try:
        return _DECODER.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DumpError(f"line {number}: {error}") from error


def _check_head(raw: bytes) -> None:
    try:
        head = msgspec.json.decode(raw, type=Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DumpError("line 1: this is no file of `bandada storage export`") from error
    if head.schema != SCHEMA:
        raise DumpError(f"line 1: schema {head.schema} is unknown here (schema {SCHEMA} is spoken): update Bandada")


class _Order:
    """Within a kind the lines stand in order, none twice: so that nothing is imported over something else."""

    def __init__(self) -> None:
        self._last: dict[type[Line], tuple[str | int, ...]] = {}

    def follow(self, line: Line) -> None:
        key = _key(line)
        last = self._last.get(type(line))
        if isinstance(line, EntryLine):
            first = last is None or last[0] != line.room
            if line.number != (1 if first or last is None else int(last[1]) + 1):
                raise DamagedRecordError(f"entry {line.number} of room {line.room} follows none before it")
        if last is not None and key <= last:
            raise DamagedRecordError("stands twice, or out of order")
        self._last[type(line)] = key


def _key(line: Line) -> tuple[str | int, ...]:
    match line:
        case ChatLine():
            return (line.platform, line.chat)
        case EntryLine():
            return (line.room, line.number)
        case SecretLine():
            return (line.name,)
        case MatchLine() | PersonLine() | OperationLine():
            return (line.id,)
