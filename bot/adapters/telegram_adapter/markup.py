"""From spans to Telegram's HTML, from buttons to its keyboards. What is said is escaped and measured here.

Telegram counts in UTF-16 units after the entities are parsed: 1,024 for a caption, 4,096 for a text, 200 for an alert.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final
from urllib.parse import quote

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.messages import Bold, Button, ButtonStyle, Code, Mention, Moment, Span, Text

CAPTION_LENGTH: Final = 1024
TEXT_LENGTH: Final = 4096
ALERT_LENGTH: Final = 200
PAYLOAD_BYTES: Final = 64

STEP: Final = "~"
"""Stands before the payload of a button whose message makes way for the answer."""

_STYLES: Final[Mapping[ButtonStyle, str | None]] = MappingProxyType(
    {ButtonStyle.PRIMARY: "primary", ButtonStyle.SECONDARY: None, ButtonStyle.DANGER: "danger"}
)

Spans = tuple[Span, ...]


def length(text: str) -> int:
    """The length of *text* as Telegram counts."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def words(span: Span) -> str:
    """What the span says, without markup."""
    return span.name if isinstance(span, Mention) else span.text


def plain(spans: Sequence[Span]) -> str:
    """What the spans say, without markup."""
    return "".join(map(words, spans))


def html(spans: Sequence[Span], ping: str | None = None) -> str:
    """The spans as Telegram's HTML; of the people named in them only *ping* is notified."""
    return "".join(_html(span, ping) for span in spans)


def _html(span: Span, ping: str | None) -> str:
    match span:
        case Text(text):
            return escape(text, quote=False)
        case Bold(text):
            return f"<b>{escape(text, quote=False)}</b>"
        case Code(text):
            return f"<code>{escape(text, quote=False)}</code>"
        case Mention(person, name):
            return mention(person, name, pinged=person == ping)
        case Moment(seconds, text):
            return f'<tg-time unix="{seconds}" format="wdt">{escape(text, quote=False)}</tg-time>'


def mention(person: str, name: str, *, pinged: bool) -> str:
    """Somebody by name. A user name alone cannot be linked: Telegram notifies wherever it stands plain."""
    number = person.partition(":")[2]
    shown = escape(name, quote=False)
    if number.isdecimal():
        return f'<a href="tg://user?id={number}">{shown}</a>' if pinged else shown
    if pinged or not name.startswith("@"):
        return shown
    return f"<code>{shown}</code>"


def fitted(spans: Spans, limit: int) -> Spans:
    """The spans without their first lines, if all of them are longer than *limit*; the last line says which match."""
    rows = lines(spans)
    dropped = 0
    while len(rows) - dropped > 1 and _length(rows[dropped:]) > limit - 2 * bool(dropped):
        dropped += 1
    kept = rows[dropped:]
    if _length(kept) > limit:
        kept = [(_cut(kept[0], limit),)]
    joined = join_lines(kept)
    return (Text("…\n"), *joined) if dropped else joined


def parts(spans: Spans, limit: int) -> tuple[Spans, ...]:
    """The spans as messages that are not longer than *limit*, cut between lines."""
    found: list[list[Spans]] = [[]]
    for row in lines(spans):
        short = row if _length([row]) <= limit else (_cut(row, limit),)
        if found[-1] and _length([*found[-1], short]) > limit:
            found.append([])
        found[-1].append(short)
    return tuple(join_lines(rows) for rows in found)


def lines(spans: Spans) -> list[Spans]:
    """The lines of the spans, without what ends them."""
    rows: list[list[Span]] = [[]]
    for span in spans:
        if isinstance(span, Text) and "\n" in span.text:
            first, *others = span.text.split("\n")
            if first:
                rows[-1].append(Text(first))
            rows += [[Text(text)] if text else [] for text in others]
        else:
            rows[-1].append(span)
    return [tuple(row) for row in rows]


def join_lines(rows: Sequence[Spans]) -> Spans:
    """The opposite of `lines`."""
    return tuple(span for number, row in enumerate(rows) for span in ((Text("\n"),) if number else ()) + row)


def _length(rows: Sequence[Spans]) -> int:
    return sum(length(plain(row)) for row in rows) + max(0, len(rows) - 1)


def _cut(row: Spans, limit: int) -> Text:
    """A line that is longer than a whole message, without its end."""
    units = plain(row).encode("utf-16-le", "surrogatepass")[: 2 * (limit - 1)]
    return Text(units.decode("utf-16-le", "ignore") + "…")


def keyboard(rows: Sequence[Sequence[Button]], *, step: bool = False) -> list[list[InlineKeyboardButton]]:
    """The buttons as Telegram's; in a *step* of a dialogue each says so, where there is room for it."""
    mark = STEP if step else ""
    return [[_button(button, mark) for button in row] for row in rows]


def _button(button: Button, mark: str) -> InlineKeyboardButton:
    payload = mark + button.payload
    fits = len(payload.encode()) <= PAYLOAD_BYTES
    return InlineKeyboardButton(
        button.label, callback_data=payload if fits else button.payload, style=_STYLES[button.style]
    )


def read_payload(data: str) -> tuple[str, bool]:
    """A button's payload, and whether its message makes way for the answer."""
    return data.removeprefix(STEP), data.startswith(STEP)


def under(rows: list[list[InlineKeyboardButton]]) -> InlineKeyboardMarkup | None:
    """The keyboard under a message; None for none."""
    return InlineKeyboardMarkup(rows) if rows else None


def start_link(username: str, code: str) -> str:
    """The address that opens the private chat with the bot and sends ``/start code`` there."""
    return f"https://t.me/{username}?start={code}"


def share_link(link: str, text: str) -> str:
    """The address that lets somebody choose whom to send *link* to."""
    return f"https://t.me/share/url?url={quote(link, safe='')}&text={quote(text, safe='')}"


Words = Callable[[str], Mapping[str, str]]
"""From a language to its texts, by key."""
