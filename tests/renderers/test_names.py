"""Names as people write them: drawn in their script and order, never as boxes, never as an error."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from fontTools.ttLib import TTFont
from hypothesis import example, given
from hypothesis import strategies as st

from renderers.cache import ByteCache
from renderers.fontbook import BUNDLED, FontBook
from renderers.labels import Label, Labels
from renderers.names import MAX_CHARACTERS, Run, clean, clusters, drawable_share, runs, visual_order
from renderers.png import Renderer
from renderers.scene import Card
from tests.renderers.fonts import EMOJI_COLOUR, make_cjk, make_emoji, make_vector_emoji
from tests.renderers.pictures import changed_pixels, read
from tests.renderers.scenes import ayu

SIZES: Final = (42, 38, 34)
ROOM: Final = 342
_IGNORED: Final = "\u200c\u200d"  # joiners: used by the shaping engine, never drawn


@pytest.fixture(scope="session")
def book() -> FontBook:
    return FontBook(ByteCache(50_000_000), directories=())


@pytest.fixture(scope="session")
def labels(book: FontBook) -> Labels:
    return Labels(book, ByteCache(50_000_000))


@pytest.fixture(scope="session")
def covered() -> dict[Path, set[int]]:
    """What each bundled font can draw, read anew."""
    found = {}
    for path in BUNDLED.glob("*.ttf"):
        with TTFont(path, lazy=True) as font:
            found[path] = set(font.getBestCmap())
    return found


def texts(found: list[Run]) -> list[str]:
    """The texts of the runs."""
    return [run.text for run in found]


def drawn(text: str, book: FontBook) -> str:
    """What is drawn of *text*, from left to right: of letters that run from the right the last one first."""
    return "".join(run.text[::-1] if run.rtl else run.text for run in visual_order(runs(clean(text), book)))


# Any text, and texts of the kinds that go wrong.
TEXTS: Final = st.one_of(
    st.text(max_size=300),
    st.text(st.characters(categories=["Mn", "Me", "Mc", "Cf", "Lo"]), max_size=60),
    st.text(
        st.sampled_from("aБ\u0301\u0489\u200d\u202e\u2067\ufe0f\u20e3\U0001f1ea😀👩🏽🏴\U000e0067ع5ש \u3164\ud83d"),
        max_size=40,
    ),
)


@given(text=TEXTS)
@example(text="\ud83d\ude00")
@example(text="\u0301")
@example(text="\u200d")
@example(text="\U0001f1ea")
def test_any_text_is_drawn_without_boxes(
    text: str, book: FontBook, labels: Labels, covered: dict[Path, set[int]]
) -> None:
    for run in runs(clean(text), book):
        assert run.text
        assert {ord(c) for c in run.text if c not in _IGNORED} <= covered[run.font.path]
        assert run.font.shaped or not set(run.text) & set(_IGNORED)
    label = labels.name(text, "", SIZES, ROOM)
    assert label.width <= ROOM + 20
    assert label.mask.size == (label.width, label.mask.height)
    assert label.mask.height <= 42 * 1.7


@given(text=TEXTS)
def test_any_name_makes_a_picture(text: str, renderer: Renderer) -> None:
    scene = replace(ayu(), cards=(Card(text, text), Card("Бо", text, fallback=text)))
    assert read(renderer.draw(scene, 202)).width == 202


@given(text=TEXTS)
def test_clean_text_is_short_visible_and_stays_as_it_is(text: str) -> None:
    found = clean(text)
    assert len(found) <= MAX_CHARACTERS
    assert clean(found) == found
    assert not {c for c in found if unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn")}
    assert not set(found) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\ufeff\u00ad")
    assert found == found.strip()


@given(text=TEXTS)
def test_clusters_hold_the_text_in_its_order(text: str) -> None:
    joined = iter(clean(text))
    assert all(c in joined for c in "".join(clusters(clean(text))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e\u0301a", ["é", "a"]),
        ("🇪🇸🇷🇺a", ["🇪🇸", "🇷🇺", "a"]),
        ("👩🏽\u200d🚀x", ["👩🏽\u200d🚀", "x"]),
        ("❤\ufe0f1\ufe0f\u20e3", ["❤\ufe0f", "1\ufe0f\u20e3"]),
        ("🏴\U000e0067\U000e0062\U000e007fx", ["🏴\U000e0067\U000e0062\U000e007f", "x"]),
        ("กี่", ["กี่"]),
        ("\u0301a", ["a"]),
        ("q" + "\u0301" * 50, ["q" + "\u0301" * 4]),
    ],
)
def test_clusters(text: str, expected: list[str]) -> None:
    assert clusters(clean(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana", "Ana"),
        ("  Ana \t\n Бо ", "Ana Бо"),
        ("\u202eevil\u202c", "evil"),
        ("a\x00\x07b\u200bc", "abc"),
        ("\u3164\u2800\u115f", ""),
        ("Cafe\u0301", "Café"),
        ("x" * 10_000, "x" * MAX_CHARACTERS),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana Бо Ζωή", "Ana Бо Ζωή"),
        ("Ali אבג", "Ali גבא"),
        ("אבג Ali", "Ali גבא"),
        ("(אבג)", "(גבא)"),
        ("a (אבג) b", "a (גבא) b"),
        ("אבג, Ana", "Ana ,גבא"),
        ("אבג (Ana) 12", "12 (Ana) גבא"),
        ("אבג דהו", "והד גבא"),
        ("Ali 77 אבג", "Ali 77 גבא"),
        ("אב 77 גד", "דג 77 בא"),
        ("علي, محمد", "دمحم ,يلع"),
        ("𝕱𝖆𝖓𝖈𝖞", "Fancy"),
        ("ａｎａ", "ana"),
        ("1\ufe0f\u20e3st", "1st"),
        ("😀 Ana 😀", "Ana"),
        ("Ana 🇪🇸", "Ana"),
        ("田中 Ana 田", "Ana"),
        ("★彡Pro彡★", "★Pro★"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_what_is_drawn(text: str, expected: str, book: FontBook) -> None:
    assert drawn(text, book) == expected


def test_each_script_has_its_font(book: FontBook) -> None:
    scripts = {
        "Inter": "Александра José Ζωή Łukasz Nguyễn",
        "Arabic": "محمد",
        "Hebrew": "דוד",
        "Devanagari": "आरव",
        "Bengali": "রহিম",
        "Tamil": "தமிழ்",
        "Thai": "สมชาย",
        "Georgian": "თამარი",
        "Armenian": "Արամ",
    }
    for script, name in scripts.items():
        (run,) = runs(clean(name), book)
        assert script in run.font.path.name
        assert run.text == name
        assert run.rtl == (script in ("Arabic", "Hebrew"))


def pixels(label: Label) -> bytes:
    """The mask's pixels."""
    return label.mask.tobytes()


def test_arabic_is_joined_and_hebrew_runs_from_the_right(labels: Labels) -> None:
    assert labels.book.can_shape, "Pillow finds no FriBiDi (Debian: libfribidi0): Arabic comes out unjoined"
    joined, apart = (labels.line(text, [40], 1000) for text in ("ببب", "ب ب ب"))
    assert joined.width < apart.width
    # Alef is much blacker than yod, and the first letter lies at the right.
    for text, blacker in (("אי", "right"), ("יא", "left")):
        mask = labels.line(text, [40], 1000).mask
        mask = mask.crop(mask.getbbox())
        half = mask.width // 2
        left, right = (sum(mask.crop(box).tobytes()) for box in ((0, 0, half, 66), (half, 0, mask.width, 66)))
        assert (left < right) == (blacker == "right")


def test_without_a_shaping_engine_letters_still_run_from_the_right(monkeypatch: pytest.MonkeyPatch) -> None:
    cache = ByteCache(50_000_000)
    book = FontBook(cache, directories=())
    book.can_shape = False
    plain = Labels(book, cache)
    found = runs("אבג", book)
    assert texts(found) == ["אבג"]
    reversed_by_hand = plain.line("אבג", [40], 1000)
    monkeypatch.setattr("renderers.names.unicodedata.bidirectional", lambda _: "L")
    assert pixels(plain.line("גבא", [40], 1000)) == pixels(reversed_by_hand)


def test_latin_does_not_depend_on_the_shaping_engine(labels: Labels) -> None:
    cache = ByteCache(50_000_000)
    book = FontBook(cache, directories=())
    book.can_shape = False
    for name in ("To move · 14 units", "Александра", "Ζωή", "Nguyễn Thị Hằng"):
        assert pixels(Labels(book, cache).line(name, [30], 1000)) == pixels(labels.line(name, [30], 1000))


def test_a_long_name_shrinks_and_then_ends_in_an_ellipsis(labels: Labels) -> None:
    short, longer = (labels.name(name, "", SIZES, ROOM) for name in ("José Núñez", "José Núñez Íñigo"))
    assert longer.baseline < short.baseline
    cut = labels.name("José Núñez Íñigo de la Fuente", "", SIZES, ROOM)
    assert ROOM - 40 < cut.width <= ROOM + 10
    whole = labels.line("José Núñez Íñigo d…", [34], 1000)
    assert pixels(cut) == pixels(whole) or cut.width > whole.width


def test_kerning_moves_letters_closer(labels: Labels) -> None:
    def width(text: str) -> int:
        return labels.line(text, [100], 10_000).width

    assert width("To") < width("T") + width("o") - 20 - 5
    assert width("Ту") < width("Т") + width("у") - 20 - 5
    assert width("nn") == pytest.approx(width("n") * 2 - 20, abs=2)


@pytest.mark.parametrize(
    ("name", "share"),
    [("Ana", 1.0), ("田中", 0.0), ("A田", 0.5), ("A田中", 1 / 3), ("", 0.0), ("\u3164", 0.0), ("😀", 0.0)],
)
def test_drawable_share(name: str, share: float, book: FontBook) -> None:
    assert drawable_share(clean(name), book) == pytest.approx(share)


def test_the_fallback_takes_the_place_of_what_cannot_be_drawn(labels: Labels) -> None:
    def same(name: str, fallback: str, shown: str) -> bool:
        return pixels(labels.name(name, fallback, SIZES, ROOM)) == pixels(labels.name(shown, "", SIZES, ROOM))

    assert same("田中さくら", "@tanaka", "@tanaka")
    assert same("A田中", "@tanaka", "@tanaka")
    assert same("Ana田", "@ana", "Ana")
    assert same("\u3164", "Black", "Black")
    assert same("A田中", "", "A")


def test_chinese_is_drawn_where_the_system_has_a_font(tmp_path: Path) -> None:
    cache = ByteCache(50_000_000)
    book = FontBook(cache, [make_cjk(tmp_path, "田中")])
    assert drawn("田中 Ana", book) == "田中 Ana"
    assert Labels(book, cache).line("田", [40], 1000).mask.getbbox() is not None
    assert drawn("王", book) == ""


def test_emoji_are_drawn_in_colour_where_the_system_has_a_font(tmp_path: Path) -> None:
    cache = ByteCache(50_000_000)
    book = FontBook(cache, [make_emoji(tmp_path, "😀👩🚀❤🏽1\u20e3\u200d\ufe0f")])
    labels = Labels(book, cache)
    label = labels.line("a😀b", [40], 1000)
    assert label.over is not None
    assert label.over.getpixel((label.width // 2, label.baseline - 15)) == (*EMOJI_COLOUR, 255)
    box = label.over.getbbox()
    assert box is not None
    assert 40 < box[2] - box[0] < 60
    assert label.mask.crop(box).getbbox() is None, "letters keep clear of it"
    assert texts(runs("1", book)) == ["1"]
    assert not runs("1", book)[0].font.emoji
    for emoji in ("1\ufe0f\u20e3", "❤\ufe0f", "👩🏽\u200d🚀"):
        (run,) = runs(emoji, book)
        assert run.font.emoji
        assert run.text == emoji
    assert not runs("❤\ufe0e", book)[0].font.emoji
    book.can_shape = False
    assert texts(runs("👩🏽\u200d🚀", book)) == ["👩"]


def test_emoji_without_bitmaps_are_left_out(tmp_path: Path) -> None:
    book = FontBook(ByteCache(50_000_000), [make_vector_emoji(tmp_path, "😀")])
    assert book.emoji is None
    assert drawn("Ana 😀", book) == "Ana"


def test_emoji_reach_the_picture(tmp_path: Path) -> None:
    renderer = Renderer(font_directories=[make_emoji(tmp_path, "😀")])
    scene = replace(ayu(), cards=(Card("A", "1"), Card("B", "2")))
    with_emoji = replace(scene, cards=(Card("A😀", "1"), Card("B", "2")))
    before, after = (read(renderer.draw(one)) for one in (scene, with_emoji))
    assert changed_pixels(before, after, 60) > 800
    assert after.getpixel((180, 55)) == pytest.approx(EMOJI_COLOUR, abs=50)


def test_ten_thousand_characters_do_no_harm(renderer: Renderer) -> None:
    for name in ("я" * 10_000, "a" + "\u0301" * 10_000, "\u202e" * 10_000, "👩\u200d" * 5_000, "(" * 10_000):
        scene = replace(ayu(), cards=(Card(name, name), Card("Бо", "")))
        assert read(renderer.draw(scene, 202)).width == 202


def test_what_hangs_below_a_name_is_not_cut_by_the_line_under_it(renderer: Renderer) -> None:
    """Yeh has two dots below that its dotless twin lacks."""
    dotted, dotless = (
        read(renderer.draw(replace(ayu(), cards=(Card(name, "To move · 14 units"), Card("Бо", ""))))).crop(
            (0, 0, 500, 136)
        )
        for name in ("علي", "على")
    )
    assert changed_pixels(dotted, dotless, 40) > 25


def test_ink_reaches_as_far_as_a_label_says(labels: Labels) -> None:
    for text in ("Ana", "gjpqy", "Ấgy", "علي", "—"):
        label = labels.line(text, [40], 1000)
        box = label.mask.getbbox()
        assert box is not None
        assert (label.baseline - label.above, label.baseline + label.below) == (box[1], box[3])
        assert label.shown.getbbox() == box
    assert (labels.line("", [40], 1000).above, labels.line("", [40], 1000).below) == (0, 0)


def test_a_name_covers_nothing_of_the_line_under_it(renderer: Renderer) -> None:
    lines = [
        read(renderer.draw(replace(ayu(), cards=(Card(name, "To move · 14 units"), Card("Бо", ""))))).crop(
            (130, 66, 490, 128)
        )
        for name in ("AXE", "")
    ]
    assert changed_pixels(lines[0], lines[1]) == 0
