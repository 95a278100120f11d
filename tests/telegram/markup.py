"""Texts: HTML read into a plain text with entities, lengths in UTF-16 units, and the entities of what people type.

https://core.telegram.org/bots/api#html-style names the tags; offsets in errors count bytes of UTF-8, those of entities
UTF-16 code units.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tests.telegram.refusals import wrong

Entity = dict[str, Any]

_TAGS: Final = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "span": "spoiler",
    "tg-spoiler": "spoiler",
    "a": "text_link",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
    "tg-time": "date_time",
}
_TIME_FORMAT: Final = re.compile(r"r|w?[dD]?[tT]?")
_ENTITIES: Final = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE: Final = re.compile(r"&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]+));")
_TAG: Final = re.compile(r"<(/?)([A-Za-z-]*)((?:\s+[A-Za-z-]+(?:=(?:\"[^\"]*\"|'[^']*'|[^\s>\"']+))?)*)\s*>")
_ATTRIBUTE: Final = re.compile(r"([A-Za-z-]+)(?:=(\"[^\"]*\"|'[^']*'|[^\s>\"']+))?")
_USER_LINK: Final = re.compile(r"tg://user\?id=([0-9]+)")
_TYPED: Final = re.compile(
    r"(?P<bot_command>(?<![^\s(])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)"
    r"|(?P<url>https?://[^\s]+)"
    r"|(?P<mention>(?<![A-Za-z0-9_/])@[A-Za-z][A-Za-z0-9_]{3,31})"
)


@dataclass(frozen=True, slots=True)
class Styled:
    """A text as people see it, with its entities as the API writes them."""

    text: str
    entities: tuple[Entity, ...] = ()

    def __len__(self) -> int:
        return units(self.text)


def units(text: str) -> int:
    """How long *text* is for the API: in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut_units(text: str, offset: int, length: int) -> str:
    """The part of *text* that an entity covers."""
    coded = text.encode("utf-16-le", "surrogatepass")
    return coded[2 * offset : 2 * (offset + length)].decode("utf-16-le", "surrogatepass")


def _unescape(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        decimal, hexadecimal, name = match.groups()
        if name:
            return _ENTITIES.get(name, match[0])
        code = int(decimal) if decimal else int(hexadecimal, 16)
        return chr(code) if 0 < code < 0x110000 else match[0]

    return _REFERENCE.sub(one, text)


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): _unescape(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(text)}


def read_html(source: str) -> Styled:
    """The text of an HTML message.

    :raises MistakeError: "can't parse entities: …" as the real server says it.
    """
    plain: list[str] = []
    at = 0  # in UTF-16 units of the plain text
    opened: list[tuple[str, int, Entity]] = []
    entities: list[Entity] = []
    position = 0
    while position < len(source):
        if source[position] != "<":
            end = source.find("<", position)
            end = len(source) if end < 0 else end
            piece = _unescape(source[position:end])
            plain.append(piece)
            at += units(piece)
            position = end
            continue
        offset = len(source[:position].encode())
        match = _TAG.match(source, position)
        if match is None:
            found = re.match(r"</?([A-Za-z-]*)", source[position:])
            raise _unparsed(f'Unsupported start tag "{found[1] if found else ""}" at byte offset {offset}')
        closing, name, rest = match[1], match[2].lower(), match[3]
        if closing:
            if not opened:
                raise _unparsed(f"Unexpected end tag at byte offset {offset}")
            tag, start, entity = opened.pop()
            if tag != name:
                raise _unparsed(f'Unmatched end tag at byte offset {offset}, expected "</{tag}>", found "</{name}>"')
            if at > start and entity:
                entities.append({**entity, "offset": start, "length": at - start})
        else:
            opened.append((name, at, _entity(name, _attributes(rest), offset)))
        position = match.end()
    if opened:
        raise _unparsed(f'Can\'t find end tag corresponding to start tag "{opened[-1][0]}"')
    entities.sort(key=lambda one: (one["offset"], -one["length"]))
    return trimmed(Styled("".join(plain), tuple(entities)))


def _unparsed(reason: str) -> Exception:
    return wrong(f"can't parse entities: {reason}")


def _entity(name: str, attributes: dict[str, str], offset: int) -> Entity:
    if name not in _TAGS:
        raise _unparsed(f'Unsupported start tag "{name}" at byte offset {offset}')
    if name == "span" and attributes.get("class") != "tg-spoiler":
        raise _unparsed(f'Tag "span" must have class "tg-spoiler" at byte offset {offset}')
    kind = _TAGS[name]
    if name == "tg-time":
        unix, shape = attributes.get("unix", ""), attributes.get("format", "")
        if not unix.isdecimal() or not _TIME_FORMAT.fullmatch(shape):
            raise _unparsed(f'Tag "tg-time" has a wrong attribute at byte offset {offset}')
        return {"type": kind, "unix_time": int(unix), **({"date_time_format": shape} if shape else {})}
    if name == "blockquote" and "expandable" in attributes:
        kind = "expandable_blockquote"
    if name != "a":
        return {"type": kind}
    link = attributes.get("href", "")
    if user := _USER_LINK.fullmatch(link):
        return {"type": "text_mention", "user": {"id": int(user[1])}}
    return {"type": kind, "url": link} if link.startswith(("http://", "https://", "tg://")) else {}


def trimmed(styled: Styled) -> Styled:
    """Without the white space at both ends, as the server keeps it."""
    left = len(styled.text) - len(styled.text.lstrip())
    text = styled.text.strip()
    shift, length = units(styled.text[:left]), units(text)
    kept = []
    for entity in styled.entities:
        start = max(entity["offset"] - shift, 0)
        end = min(entity["offset"] - shift + entity["length"], length)
        if end > start:
            kept.append({**entity, "offset": start, "length": end - start})
    return Styled(text, tuple(kept))


def check_entities(styled: Styled) -> Styled:
    """*styled* if its given entities lie inside the text.

    :raises MistakeError: if one does not.
    """
    length = units(styled.text)
    for entity in styled.entities:
        if entity["length"] <= 0 or entity["offset"] < 0 or entity["offset"] + entity["length"] > length:
            raise wrong("ENTITY_BOUNDS_INVALID")
    return trimmed(styled)


def typed(text: str, mentions: Sequence[tuple[str, Entity]] = ()) -> Styled:
    """What a person typed: commands, @names and links are entities; so are *mentions*, names with their users."""
    entities: list[Entity] = []
    for match in _TYPED.finditer(text):
        kind = str(match.lastgroup)
        entities.append({"type": kind, "offset": units(text[: match.start()]), "length": units(match[0])})
    for name, user in mentions:
        start = text.index(name)
        entities.append({"type": "text_mention", "offset": units(text[:start]), "length": units(name), "user": user})
    entities.sort(key=lambda one: int(one["offset"]))
    return Styled(text, tuple(entities))
