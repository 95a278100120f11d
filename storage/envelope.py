"""Bytes that tell when they are damaged or from another time: JSON with a checksum and a schema number.

``{"crc":"1a2b3c4d","schema":1, ...}``: the checksum (CRC-32, eight hexadecimal digits) covers everything behind it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

import msgspec

from storage.base import DamagedRecordError

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
"""Makes the fields of one schema from those of the schema before."""

NO_UPGRADES: Final[Mapping[int, Upgrade]] = MappingProxyType({})

_HEAD: Final = b'{"crc":"'
_BODY_AT: Final = len(_HEAD) + 8 + len(b'",')

_Fields = TypeVar("_Fields")


class _Schema(msgspec.Struct):
    schema: int


class Envelope(Generic[_Fields]):
    """Packs one kind of record, a msgspec struct or a dataclass, and unpacks it again.

    *schema* is the number of the present schema; ``upgrades[n]`` makes the fields of schema ``n + 1`` from those of n.
    """

    def __init__(self, fields: type[_Fields], schema: int, upgrades: Mapping[int, Upgrade] = NO_UPGRADES) -> None:
        self._fields = fields
        self._schema = schema
        self._upgrades = upgrades
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(fields)
        self._schema_decoder = msgspec.json.Decoder(_Schema)

    def pack(self, fields: _Fields) -> bytes:
        """The record's bytes."""
        body = b'"schema":%d,' % self._schema + self._encoder.encode(fields)[1:]
        if body.endswith(b",}"):  # all fields have their defaults
            body = body[:-2] + b"}"
        return b'%s%08x",%s' % (_HEAD, zlib.crc32(body), body)

    def unpack(self, packed: bytes, key: str) -> _Fields:
        """The record's fields, upgraded if they are old. *key* is where the record lies.

        :raises DamagedRecordError: if the bytes are damaged, or of a schema that is unknown here.
        """
        body = packed[_BODY_AT:]
        if packed[:_BODY_AT] != b'%s%08x",' % (_HEAD, zlib.crc32(body)):
            raise DamagedRecordError(f"{key}: the checksum does not fit the record; restore it from a backup")
        whole = b"{" + body
        try:
            schema = self._schema_decoder.decode(whole).schema
            if schema == self._schema:
                return self._decoder.decode(whole)
            return self._upgraded(msgspec.json.decode(whole, type=dict[str, Any]), schema, key)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise DamagedRecordError(f"{key}: {error}") from error

    def _upgraded(self, fields: dict[str, Any], schema: int, key: str) -> _Fields:
        while schema != self._schema:
            upgrade = self._upgrades.get(schema)
            if upgrade is None:
                raise DamagedRecordError(f"{key}: schema {schema} is unknown here (schema {self._schema} is spoken)")
            fields = upgrade(fields)
            schema += 1
        return msgspec.convert({**fields, "schema": schema}, self._fields)
