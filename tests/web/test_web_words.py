"""What is read from pages and from catalogs, whatever comes."""

from __future__ import annotations

import json
import re
import unicodedata
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.page.entries import DamagedEntryError, Entry, Message, Retired, Said, decode, encode, is_visible, view
from bot.adapters.page.frames import NAME_LENGTH, Here, MalformedFrameError, Say, clean_name, read_frame
from bot.adapters.page.seats import Seats
from bot.texts import LANGUAGES
from tests.web.site import words

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
FRAMES = st.fixed_dictionaries(
    {},
    optional={key: JSON | st.sampled_from(["say", "here", "a"]) for key in ("type", "id", "text", "payload", "name")},
)
ENTRIES: st.SearchStrategy[Entry] = (
    st.builds(Said, seat=st.integers(1, 2), id=st.text(max_size=5), at=st.integers(0, 2**50))
    | st.builds(Retired, st.integers(1, 2**40))
    | st.builds(
        Message, at=st.integers(0, 2**50), picture=st.none(), text=st.just(()), only_for=st.sampled_from(["", "web:1"])
    )
)


@given(st.text() | FRAMES.map(json.dumps))
def test_any_text_is_a_frame_or_refused(data: str) -> None:
    try:
        frame = read_frame(data)
    except MalformedFrameError:
        return
    assert isinstance(frame, Say | Here)


@given(st.text(max_size=400))
def test_a_name_is_one_short_line(name: str) -> None:
    clean = clean_name(name)
    assert len(clean) <= NAME_LENGTH
    assert clean == clean.strip() == clean_name(clean)
    assert not any(unicodedata.category(char) == "Cc" for char in clean)


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("Ana", "Ana"),
        ("  Бо \n Ли ", "Бо Ли"),
        ("\u202eanA", "anA"),
        ("👩‍👧", "👩‍👧"),
        ("مريم", "مريم"),
        ("x" * 41, "x" * 40),
        ("\x00\x1b[31m", "[31m"),
        (" ", ""),
    ],
)
def test_names_keep_what_shows(name: str, clean: str) -> None:
    assert clean_name(name) == clean


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_looking_for_mentions_never_fails(text: str, first: str, second: str) -> None:
    seats = Seats(lambda seat, _: f"Player {seat}")
    seats.call(1, clean_name(first))
    seats.call(2, clean_name(second))
    written, meant = seats.mentions(text, 1, "en")
    assert len(meant) == len(set(meant)) <= 2
    assert all(f"@{person.username}" in written for person in meant)
    assert seats.mentions(f"to @{second or 'player2'}", 1, "en")[0].startswith("to @")


def test_of_two_with_one_name_the_other_is_meant() -> None:
    seats = Seats(lambda seat, _: f"Player {seat}")
    seats.call(1, "Ana")
    seats.call(2, "Ana")
    for by, username in ((1, "player2"), (2, "player1")):
        written, (person,) = seats.mentions("@Ana", by, "en")
        assert (written, person.username) == (f"@{username}", username)


def test_nobody_can_take_the_others_user_name() -> None:
    seats = Seats(lambda seat, _: f"Player {seat}")
    seats.call(1, "player2")
    _, (person,) = seats.mentions("@player2", 1, "en")
    assert person.id == "web:2"


@given(ENTRIES)
def test_an_entry_comes_back_as_it_was_stored(entry: Entry) -> None:
    assert decode(encode(entry)) == entry


@given(ENTRIES, st.integers(1, 2**40), st.sampled_from(["web:1", "web:2"]))
def test_a_view_says_nothing_that_is_not_for_its_reader(entry: Entry, number: int, person: str) -> None:
    if not is_visible(entry, person):
        assert isinstance(entry, Message)
        assert entry.only_for not in {"", person}
        return
    shown = view(number, entry, person)
    assert shown["number"] == number
    assert "only_for" not in shown
    if isinstance(entry, Said):
        assert ("id" in shown) == (person == f"web:{entry.seat}")


@given(st.binary(max_size=60))
def test_any_bytes_are_an_entry_or_damaged(content: bytes) -> None:
    try:
        decode(content)
    except DamagedEntryError:
        return


def test_the_page_uses_the_texts_that_the_catalogs_have() -> None:
    folder = resources.files("bot.adapters.page")
    sources = [file for file in folder.iterdir() if file.name.endswith((".js", ".html", ".py"))]
    sources += [
        file for file in resources.files("bot.adapters").iterdir() if file.name in {"http.py", "web_adapter.py"}
    ]
    used = {key for file in sources for key in re.findall(r'"(page\.[a-z_]+)"', file.read_text(encoding="utf-8"))}
    used |= {f"page.state_{state}" for state in ("connecting", "connected", "lost", "store", "many")}
    used -= {"page.css", "page.html", "page.js"}
    for language in LANGUAGES:
        assert {key for key in words(language) if key.startswith("page.")} == used


def test_the_catalogs_have_the_same_placeholders() -> None:
    source = words(LANGUAGES[0])
    for language in LANGUAGES[1:]:
        for key, text in words(language).items():
            assert re.findall(r"\{\w+\}", text) == re.findall(r"\{\w+\}", source[key]), (language, key)
