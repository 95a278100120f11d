"""What Discord refuses in messages and modals although its description of the API lets it pass.

Sources: the pages resources/message, components/reference and interactions/receiving-and-responding of
https://discord.com/developers/docs.
Every function returns the complaints, each as ``path: complaint``; commands are in `command_limits`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from tests.discord.world import walk_components

JSON = dict[str, Any]

CONTENT: Final = 2000
FILE_BYTES: Final = 10 * 1024 * 1024
COMPONENTS_V2: Final = 1 << 15
_EPHEMERAL: Final = 1 << 6
_SETTABLE: Final = 1 << 2 | 1 << 12 | COMPONENTS_V2
_ROW, _BUTTON, _TEXT_INPUT, _LABEL, _TEXT = 1, 2, 4, 18, 10
_SELECTS: Final = frozenset({3, 5, 6, 7, 8})
_V2_ONLY: Final = frozenset({9, 10, 11, 12, 13, 14, 17})
_LINK, _PREMIUM = 5, 6


def problems_of_message(body: JSON, files: Sequence[str], *, kept: Collection[str] = (), private: bool) -> list[str]:
    """What is wrong with a message. *files* are the names of the uploaded ones, *kept* of those that stay.

    *private* is True where the message may be for one person alone (answers to interactions).
    """
    flags = body.get("flags") or 0
    found = [*_problems_of_flags(flags, private=private)]
    if len(body.get("content") or "") > CONTENT:
        found.append(f"content: {len(body['content'])} characters, at most {CONTENT}")
    components = body.get("components") or []
    if flags & COMPONENTS_V2:
        found += [f"{key}: not with components V2" for key in ("content", "embeds", "poll") if body.get(key)]
        found += _problems_of_v2(components)
    else:
        found += _problems_of_rows(components)
    found += _problems_of_components(components)
    found += _problems_of_embeds(body.get("embeds") or [])
    found += _problems_of_files(body, files, kept)
    found += _problems_of_mentions(body.get("allowed_mentions") or {})
    return found


def is_empty(content: str, components: Sequence[object], embeds: Sequence[object], files: int) -> bool:
    """True if nothing of the message would be seen."""
    return not (content.strip() or components or embeds or files)


def _problems_of_flags(flags: int, *, private: bool) -> Iterator[str]:
    allowed = _SETTABLE | (_EPHEMERAL if private else 0)
    if flags & ~allowed:
        yield f"flags: {flags & ~allowed} cannot be set here"


def _problems_of_rows(components: Sequence[JSON]) -> Iterator[str]:
    if len(components) > 5:
        yield f"components: {len(components)} rows, at most 5"
    for index, row in enumerate(components):
        if row["type"] != _ROW:
            yield f"components[{index}]: type {row['type']} only with components V2"
        else:
            yield from _problems_of_row(row, f"components[{index}]")


def _problems_of_row(row: JSON, path: str) -> Iterator[str]:
    kinds = [one["type"] for one in row["components"]]
    if any(kind in _SELECTS for kind in kinds) and len(kinds) > 1:
        yield f"{path}: a menu fills a row"


def _problems_of_v2(components: Sequence[JSON]) -> Iterator[str]:
    everything = list(walk_components(components))
    if len(everything) > 40:
        yield f"components: {len(everything)}, at most 40"
    written = sum(len(one["content"]) for one in everything if one["type"] == _TEXT)
    if written > 4000:
        yield f"components: {written} characters of text, at most 4000"
    for row in everything:
        if row["type"] == _ROW:
            yield from _problems_of_row(row, "components")


def _problems_of_components(components: Sequence[JSON]) -> Iterator[str]:
    everything = list(walk_components(components))
    custom_ids = Counter(one["custom_id"] for one in everything if one.get("custom_id") is not None)
    yield from (f"components: the custom_id {one!r} stands there twice" for one, n in custom_ids.items() if n > 1)
    for one in everything:
        if one["type"] == _BUTTON:
            yield from _problems_of_button(one)
        elif one["type"] in _SELECTS:
            yield from _problems_of_select(one)


def _problems_of_button(button: JSON) -> Iterator[str]:
    path = f"button {button.get('label') or button.get('custom_id')!r}"
    custom_id, url = button.get("custom_id"), button.get("url")
    match button["style"]:
        case int() as style if style == _LINK:
            if not url or custom_id is not None:
                yield f"{path}: a link has a url and no custom_id"
        case int() as style if style == _PREMIUM:
            if "sku_id" not in button:
                yield f"{path}: no sku_id"
            return
        case _:
            if not custom_id:
                yield f"{path}: no custom_id"
            if url:
                yield f"{path}: a url and a custom_id"
    if not button.get("label") and not button.get("emoji"):
        yield f"{path}: neither label nor emoji"


def _problems_of_select(select: JSON) -> Iterator[str]:
    path = f"menu {select['custom_id']!r}"
    options = select.get("options", [])
    least = 1 if select.get("min_values") is None else select["min_values"]
    most = 1 if select.get("max_values") is None else select["max_values"]
    values = Counter(option["value"] for option in options)
    yield from (f"{path}: the value {value!r} stands there twice" for value, n in values.items() if n > 1)
    if least > most:
        yield f"{path}: min_values {least} above max_values {most}"
    if select["type"] == 3 and max(least, most) > len(options):
        yield f"{path}: {max(least, most)} of {len(options)} options"
    if sum(bool(option.get("default")) for option in options) > most:
        yield f"{path}: more defaults than max_values"


def _problems_of_embeds(embeds: Sequence[JSON]) -> Iterator[str]:
    total = 0
    for index, embed in enumerate(embeds):
        fields = embed.get("fields") or []
        texts = [embed.get("title"), embed.get("description")]
        texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
        texts += [field[key] for field in fields for key in ("name", "value")]
        total += sum(len(text or "") for text in texts)
        if any(not field[key].strip() for field in fields for key in ("name", "value")):
            yield f"embeds[{index}]: an empty field"
    if total > 6000:
        yield f"embeds: {total} characters, at most 6000"


def _addresses(value: object) -> Iterator[str]:
    match value:
        case str() if value.startswith("attachment://"):
            yield value.removeprefix("attachment://")
        case dict():
            for one in value.values():
                yield from _addresses(one)
        case list():
            for one in value:
                yield from _addresses(one)


def _problems_of_files(body: JSON, files: Sequence[str], kept: Collection[str]) -> Iterator[str]:
    if len(files) + len(kept) > 10:
        yield "attachments: more than 10"
    there = {*files, *kept}
    for name in _addresses([body.get("embeds") or [], body.get("components") or []]):
        if name not in there:
            yield f"attachment://{name}: no such file"
    if any(not name for name in files):
        yield "files: a file without a name"
    described = Counter(str(one["id"]) for one in body.get("attachments") or [])
    yield from (f"attachments: id {one} stands there twice" for one, n in described.items() if n > 1)


def _problems_of_mentions(allowed: JSON) -> Iterator[str]:
    parse = allowed.get("parse") or []
    for kind in ("users", "roles"):
        if kind in parse and allowed.get(kind):
            yield f"allowed_mentions: parse {kind} and a list of {kind} exclude each other"


def problems_of_modal(modal: JSON) -> list[str]:
    """What is wrong with a modal."""
    return [*_modal_problems(modal)]


def _modal_problems(modal: JSON) -> Iterator[str]:
    components = modal["components"]
    if not 1 <= len(components) <= 5:
        yield f"components: {len(components)}, not 1 to 5"
    if not modal["title"].strip():
        yield "title: empty"
    everything = list(walk_components(components))
    custom_ids = Counter(one["custom_id"] for one in everything if one.get("custom_id") is not None)
    yield from (f"components: the custom_id {one!r} stands there twice" for one, n in custom_ids.items() if n > 1)
    for one in components:
        if one["type"] == _ROW and [inner["type"] for inner in one["components"]] != [_TEXT_INPUT]:
            yield "components: a row of a modal holds one text input"
    labelled = {id(one["component"]) for one in components if one["type"] == _LABEL}
    for one in everything:
        if one["type"] == _TEXT_INPUT:
            if id(one) not in labelled and not one.get("label"):
                yield f"text input {one['custom_id']!r}: no label"
            if id(one) in labelled and one.get("label"):
                yield f"text input {one['custom_id']!r}: a label within a label"
            least, most = one.get("min_length") or 0, one.get("max_length") or 4000
            if least > most or len(one.get("value") or "") > most:
                yield f"text input {one['custom_id']!r}: its lengths contradict each other"
        elif one["type"] in _SELECTS:
            yield from _problems_of_select(one)
