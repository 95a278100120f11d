"""Spans as Telegram's HTML: escaped, measured in UTF-16 units, cut between lines; buttons within 64 bytes."""

from __future__ import annotations

import pytest

from bot.adapters.telegram_adapter.markup import (
    CAPTION_LENGTH,
    STEP,
    fitted,
    html,
    keyboard,
    length,
    parts,
    plain,
    read_payload,
    share_link,
    start_link,
)
from bot.messages import Bold, Button, Code, Mention, Moment, Text
from rules.actions import PersonId
from tests.telegram.markup import read_html

ANA = Mention(PersonId("telegram:17"), "Ana <b>&\"'_*`")
EVA = Mention(PersonId("telegram:@eva"), "@eva")


def test_everything_that_is_said_is_escaped() -> None:
    spans = (Text("a<b & c "), Bold("<i>"), Code("</code>"), ANA, Moment(1_800_000_000, "3 < 4"))
    read = read_html(html(spans, "telegram:17"))
    assert read.text == plain(spans)
    assert [one["type"] for one in read.entities] == ["bold", "code", "text_mention", "date_time"]


@pytest.mark.parametrize(
    ("ping", "written"),
    [
        (None, ["Ana &lt;b&gt;", "<code>@eva</code>"]),
        ("telegram:17", ['<a href="tg://user?id=17">', "<code>@eva</code>"]),
        ("telegram:@eva", ["Ana &lt;b&gt;", " @eva"]),
    ],
)
def test_nobody_but_the_pinged_one_is_notified(ping: str | None, written: list[str]) -> None:
    shown = html((ANA, Text(" and "), EVA), ping)
    assert all(part in shown for part in written)
    assert shown.count("<a ") == (ping == "telegram:17")


def test_a_long_caption_loses_its_first_lines_and_keeps_the_match() -> None:
    rows = [f"{number} {'😀' * 40}" for number in range(20)]
    spans = (Text("\n".join(rows) + "\n"), Bold("Ayu"), Text(" · "), Code("#kfwt"))
    short = fitted(spans, CAPTION_LENGTH)
    assert length(plain(short)) <= CAPTION_LENGTH < length(plain(spans))
    assert length(plain(short)) > CAPTION_LENGTH - 90, "no more than needed"
    assert plain(short).startswith("…\n")
    assert short[-3:] == (Bold("Ayu"), Text(" · "), Code("#kfwt"))
    assert plain(fitted(short, CAPTION_LENGTH)) == plain(short)


def test_one_line_that_is_too_long_is_cut_between_characters() -> None:
    (cut,) = fitted((Text("😀" * 600),), CAPTION_LENGTH)
    assert length(plain((cut,))) <= CAPTION_LENGTH
    assert plain((cut,)) == "😀" * 511 + "…"


def test_a_long_text_becomes_several_messages() -> None:
    spans = (Text("\n".join(f"line {number}" for number in range(1000))),)
    found = parts(spans, 4096)
    assert len(found) == 3
    assert all(length(plain(part)) <= 4096 for part in found)
    assert "\n".join(plain(part) for part in found) == plain(spans)


def test_a_step_s_buttons_say_so_where_there_is_room() -> None:
    ((short, long),) = keyboard([[Button("a", "g|kfwt|1"), Button("b", "m" * 64)]], step=True)
    assert (short.callback_data, long.callback_data) == (f"{STEP}g|kfwt|1", "m" * 64)
    assert read_payload(str(short.callback_data)) == ("g|kfwt|1", True)
    assert read_payload(str(long.callback_data)) == ("m" * 64, False)


def test_links() -> None:
    link = start_link("some_bot", "kfwt")
    assert link == "https://t.me/some_bot?start=kfwt"
    assert share_link(link, "¿Jugamos? & más").endswith(
        "url=https%3A%2F%2Ft.me%2Fsome_bot%3Fstart%3Dkfwt&text=%C2%BFJugamos%3F%20%26%20m%C3%A1s"
    )
