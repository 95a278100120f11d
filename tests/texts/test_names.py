"""`bot.names`: whatever people call themselves, it disturbs no line."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.names import MAX_LENGTH, MAX_MARKS, shown_name

JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
ACUTE, DIAERESIS, BELOW = "\u0301", "\u0308", "\u0323"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        # As they are.
        ("Ana", "Ana"),
        ("Бо", "Бо"),
        ("Ñandú Ω", "Ñandú Ω"),
        ("李小龙", "李小龙"),
        ("สมชาย", "สมชาย"),
        ("अनन्या", "अनन्या"),
        ("שָׁלוֹם", unicodedata.normalize("NFC", "שָׁלוֹם")),
        ("**Ana** `x` <b>&amp; @all #kfwt", "**Ana** `x` <b>&amp; @all #kfwt"),
        (FAMILY, FAMILY),
        ("1\N{VARIATION SELECTOR-16}\N{COMBINING ENCLOSING KEYCAP}",) * 2,
        (f"می{JOINERS[0]}خواهم",) * 2,
        # Space.
        ("  Ana \t Bo\n", "Ana Bo"),
        ("Ana\r\nBo", "Ana Bo"),
        ("Ana\N{LINE SEPARATOR}Bo\N{PARAGRAPH SEPARATOR}", "Ana Bo"),
        ("Ana\N{NO-BREAK SPACE}\N{IDEOGRAPHIC SPACE}Bo", "Ana Bo"),
        ("Ana\N{HANGUL FILLER}\N{BRAILLE PATTERN BLANK}Bo", "Ana Bo"),
        # What cannot be seen, or turns the line round.
        ("A\x00n\x1b[31ma\x7f", "An[31ma"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}anA", "anA"),
        ("\N{RIGHT-TO-LEFT ISOLATE}Ana\N{RIGHT-TO-LEFT EMBEDDING}", "Ana"),
        ("A\N{ZERO WIDTH SPACE}n\N{SOFT HYPHEN}a\N{ZERO WIDTH NO-BREAK SPACE}", "Ana"),
        ("Ana\ud800\ue000\U000f0000\uffff", "Ana"),
        ("Ana\U000e0041\U000e007f", "Ana"),
        (f"{JOINERS}A{JOINERS}{JOINERS}na{JOINERS} {JOINERS}", f"A{JOINERS[0]}na"),
        # Marks: as many as scripts need, and never on the word before.
        (f"e{ACUTE}", "é"),
        (f"e\N{ZERO WIDTH SPACE}{ACUTE}", "é"),
        (f"e\N{COMBINING GRAPHEME JOINER}{ACUTE}", "é"),
        (f"{ACUTE}Ana {ACUTE}Bo", "Ana Bo"),
        ("Z" + ACUTE * 40 + "a", "Ź" + ACUTE * MAX_MARKS + "a"),
        ("x" + (ACUTE * 3 + JOINERS[1]) * 20, "x" + ACUTE * MAX_MARKS),
        # Nothing to see.
        ("", ""),
        (" \t\n", ""),
        ("\N{HANGUL FILLER}", ""),
        ("\N{HANGUL CHOSEONG FILLER}\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}", ""),
        ("\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{ZERO WIDTH JOINER}", ""),
        (ACUTE * 5, ""),
        ("\N{MUSICAL SYMBOL NULL NOTEHEAD}", ""),
    ],
)
def test_names(name: str, shown: str) -> None:
    assert shown_name(name) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a" * MAX_LENGTH, "a" * MAX_LENGTH),
        ("a" * (MAX_LENGTH + 1), "a" * (MAX_LENGTH - 1) + "…"),
        ("a" * 10_000_000, "a" * (MAX_LENGTH - 1) + "…"),
        ("a" * (MAX_LENGTH - 2) + " bcd", "a" * (MAX_LENGTH - 2) + "…"),
        ("a" * (MAX_LENGTH - 2) + f"{JOINERS[1]}bcd", "a" * (MAX_LENGTH - 2) + "…"),
        ("\N{ZERO WIDTH SPACE}" * 900 + "Ana", "Ana"),
    ],
)
def test_long_names_are_shortened(name: str, shown: str) -> None:
    assert shown_name(name) == shown


_HOSTILE = st.sampled_from(
    [
        *" ab\n\u3164\u200b\u034f\u202e",
        *JOINERS,
        ACUTE,
        DIAERESIS,
        BELOW,
        "\u1100",
        "\u1161",
        "\u11a8",
        "\u0344",
        "\U0001d166",
    ]
)
_NAMES = st.text(st.one_of(_HOSTILE, st.characters(categories=["Mn", "Mc", "Me"]), st.characters()), max_size=100)


@given(_NAMES)
@example("\u1baa" + "a" + "\u0eca\u0302\U000e0131\u05b0\u1baa")
def test_any_name_becomes_one_line(name: str) -> None:
    shown = shown_name(name)
    assert len(shown) <= MAX_LENGTH
    assert shown == " ".join(shown.split())
    assert not {unicodedata.category(character) for character in shown if character not in JOINERS} & {
        "Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp",
    }  # fmt: skip
    assert all(character == " " or not character.isspace() for character in shown)
    assert unicodedata.category(shown[0])[0] != "M" if shown else True
    assert shown.strip(JOINERS) == shown
    marks = "".join("m" if unicodedata.category(character) in ("Mn", "Me") else "." for character in shown)
    assert "m" * (MAX_MARKS + 1) not in marks


@given(_NAMES)
@example(f"e\N{ZERO WIDTH SPACE}{ACUTE}")
@example("x\u0f9d\u0323\U000e0132\u1baa")
def test_a_shown_name_is_shown_as_it_is(name: str) -> None:
    shown = shown_name(name)
    assert shown_name(shown) == shown
    assert unicodedata.is_normalized("NFC", shown)


@given(
    st.text(
        st.characters(categories=["Lu", "Ll", "Lo", "Nd"], exclude_characters="\u115f\u1160\u3164\uffa0"), max_size=64
    )
)
def test_letters_and_digits_stay(name: str) -> None:
    normal = unicodedata.normalize("NFC", name)
    assert shown_name(name) == (normal if len(normal) <= MAX_LENGTH else normal[: MAX_LENGTH - 1] + "…")
