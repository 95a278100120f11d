"""`bot.texts`: keys and parameters become spans, numbers, dates and enumerations as each language writes them."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from bot.messages import Bold, Code, Mention, Moment, Span, Text
from bot.texts import LANGUAGES, Catalog, MissingTextError, Texts, joined, plain, supported
from rules.actions import PersonId

ANA = Mention(PersonId("test:1"), "Ana")
BO = Mention(PersonId("test:2"), "Бо")


@pytest.fixture(scope="module")
def texts() -> Texts:
    return Texts.load()


def made(**templates: str | tuple[str, ...]) -> Texts:
    """Texts of one language, English, with these templates."""
    forms = {key: (form,) if isinstance(form, str) else form for key, form in templates.items()}
    return Texts({"en": Catalog("en", Locale("en"), forms, {})})


# ---- spans -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "spans"),
    [
        ("words", (Text("words"),)),
        ("{name}", (ANA,)),
        ("{name} plays {move}.", (ANA, Text(" plays "), Code("b1-b2"), Text("."))),
        ("{name} {name}", (ANA, Text(" "), ANA)),
        ("{word} and {word}", (Text("one and one"),)),
        ("**bold** and `code`", (Bold("bold"), Text(" and "), Code("code"))),
        ("**{word}:** {word}", (Bold("one:"), Text(" one"))),
        ("`/do {word} {n}`", (Code("/do one 1,234"),)),
        ("**{name}**", (Bold("Ana"),)),
        ("**two\nlines**", (Bold("two\nlines"),)),
        ("{n} of {n}", (Text("1,234 of 1,234"),)),
        ("{many}!", (ANA, Text(" – "), BO, Text("!"))),
        ("2 * 3 * 4", (Text("2 * 3 * 4"),)),
        ("a{empty}b", (Text("ab"),)),
        ("**{empty}**a`{empty}`", (Text("a"),)),
    ],
)
def test_a_template_becomes_spans(template: str, spans: tuple[Span, ...]) -> None:
    said = made(key=template).say(
        "en", "key", name=ANA, word="one", move=Code("b1-b2"), n=1234, many=(ANA, Text(" – "), BO), empty=""
    )
    assert said == spans


@pytest.mark.parametrize("value", ["**bold**", "`code`", "{name}", "{", "**", "\\", "{{n}}"])
def test_what_people_write_is_never_markup(value: str) -> None:
    texts = made(plain="[{word}]", bold="**[{word}]**", code="`[{word}]`")
    assert texts.say("en", "plain", word=value) == (Text(f"[{value}]"),)
    assert texts.say("en", "bold", word=value) == (Bold(f"[{value}]"),)
    assert texts.say("en", "code", word=value) == (Code(f"[{value}]"),)


@given(
    st.lists(st.sampled_from(["{a}", "**b{a}**", "`c`", "d", " ", "\n"]), min_size=1, max_size=8), st.text(max_size=20)
)
def test_nothing_is_lost_and_texts_never_touch(parts: list[str], value: str) -> None:
    said = made(key="".join(parts)).say("en", "key", a=value)
    written = {"{a}": value, "**b{a}**": f"b{value}", "`c`": "c"}
    assert plain(said) == "".join(written.get(part, part) for part in parts)
    assert not any(isinstance(one, Text) and isinstance(other, Text) for one, other in pairwise(said))
    assert all(plain((span,)) for span in said)


def test_the_real_texts_become_spans(texts: Texts) -> None:
    assert texts.say("en", "event.moved", name=ANA, move=Code("b1-b2")) == (
        ANA,
        Text(" plays "),
        Code("b1-b2"),
        Text("."),
    )
    assert texts.say("ru", "result.resignation", name=ANA, loser=BO, side="Чёрные") == (
        BO,
        Text(" сдаётся: "),
        ANA,
        Text(" (Чёрные) "),
        Bold("побеждает"),
        Text("."),
    )


def test_plain_leaves_the_words(texts: Texts) -> None:
    assert texts.plain("en", "help.title") == "Bandada plays Ayu and Volo with you and your friends."
    assert plain((Bold("a"), Text(" "), ANA, Code("b"), Moment(0, "then"))) == "a Anabthen"


def test_joined_puts_what_lies_between_only_between() -> None:
    assert joined(((Text("a"),), (), (Bold("b"),), (Text("c"),))) == (Text("a\n"), Bold("b"), Text("\nc"))
    assert joined(((), (Text("a"),), ()), " ") == (Text("a"),)
    assert joined(()) == ()


# ---- what is missing -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_key_that_is_not_there_is_an_error_of_its_own(texts: Texts, language: str) -> None:
    with pytest.raises(MissingTextError, match=f"{language}: no.such.key"):
        texts.say(language, "no.such.key")


@pytest.mark.parametrize("template", ["{name}", "**{name}**", "`{name}`"])
def test_a_parameter_that_is_not_given_is_an_error(template: str) -> None:
    with pytest.raises(KeyError, match="name"):
        made(key=template).say("en", "key", other="x")


@pytest.mark.parametrize("params", [{}, {"n": "3"}, {"n": ANA}])
def test_plural_forms_want_a_number(params: dict[str, str | Span]) -> None:
    with pytest.raises(KeyError, match="n"):
        made(key=("one", "many")).say("en", "key", **params)


def test_words_are_the_raw_templates_of_a_prefix(texts: Texts) -> None:
    words = texts.words("es", "command.")
    assert words["command.help"] == "Lo que sé hacer"
    assert {key.partition(".")[0] for key in words} == {"command"}
    assert not texts.words("es", "moves.")


# ---- numbers, dates, enumerations ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "number", "written"),
    [
        ("en", 0, "0"),
        ("en", 1234567, "1,234,567"),
        ("en", -12, "-12"),
        ("es", 1234567, "1.234.567"),
        ("ru", 1234567, "1\N{NO-BREAK SPACE}234\N{NO-BREAK SPACE}567"),
    ],
)
def test_numbers_are_written_as_the_language_writes_them(
    texts: Texts, language: str, number: int, written: str
) -> None:
    assert texts.number(language, number) == written


@pytest.mark.parametrize(
    ("language", "count", "said"),
    [
        ("en", 0, "You can play 0 moves:"),
        ("en", 1, "You can play 1 move:"),
        ("en", 21, "You can play 21 moves:"),
        ("en", 1234, "You can play 1,234 moves:"),
        ("es", 0, "Tienes 0 jugadas posibles:"),
        ("es", 1, "Tienes 1 jugada posible:"),
        ("es", 101, "Tienes 101 jugadas posibles:"),
        ("es", 1_000_000, "Tienes 1.000.000 jugadas posibles:"),
        ("ru", 0, "Возможно 0 ходов:"),
        ("ru", 1, "Возможен 1 ход:"),
        ("ru", 2, "Возможны 2 хода:"),
        ("ru", 5, "Возможно 5 ходов:"),
        ("ru", 11, "Возможно 11 ходов:"),
        ("ru", 21, "Возможен 21 ход:"),
        ("ru", 22, "Возможны 22 хода:"),
        ("ru", 101, "Возможен 101 ход:"),
        ("ru", 112, "Возможно 112 ходов:"),
    ],
)
def test_counts_agree_with_their_words(texts: Texts, language: str, count: int, said: str) -> None:
    assert texts.plain(language, "moves.count", n=count) == said


@pytest.mark.parametrize(
    ("language", "written"), [("en", "5 Jan, 09:30 UTC"), ("es", "5 ene, 09:30 UTC"), ("ru", "5 янв., 09:30 UTC")]
)
def test_moments_are_written_in_utc(texts: Texts, language: str, written: str) -> None:
    assert texts.moment(language, 1_767_605_400) == Moment(1_767_605_400, written)


def test_moments_do_not_follow_the_machine_s_zone(texts: Texts, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "UTC+5")
        time.tzset()
        assert time.localtime(0).tm_hour == 19
        written = texts.moment("en", 0).text
    time.tzset()
    assert written == "1 Jan, 00:00 UTC"


@pytest.mark.parametrize(
    ("language", "items", "both", "either"),
    [
        ("en", (), "", ""),
        ("en", ("a",), "a", "a"),
        ("en", ("a", "b"), "a and b", "a or b"),
        ("en", ("6", "7", "8"), "6, 7, and 8", "6, 7, or 8"),
        ("es", ("6", "7"), "6 y 7", "6 o 7"),
        ("es", ("6", "7", "8"), "6, 7 y 8", "6, 7 u 8"),
        ("es", ("9", "11"), "9 y 11", "9 u 11"),
        ("es", ("17", "19"), "17 y 19", "17 o 19"),
        ("es", ("8",), "8", "8"),
        ("es", ("109", "110"), "109 y 110", "109 o 110"),
        ("es", ("Ana", "Inés"), "Ana e Inés", "Ana o Inés"),
        ("es", ("Ana", "Ian"), "Ana y Ian", "Ana o Ian"),
        ("es", ("Ana", "Olga"), "Ana y Olga", "Ana u Olga"),
        ("ru", ("6", "7", "8"), "6, 7 и 8", "6, 7 или 8"),
    ],
)
def test_enumerations(texts: Texts, language: str, items: tuple[str, ...], both: str, either: str) -> None:
    assert texts.listing(language, items) == both
    assert texts.listing(language, items, either=True) == either


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("en", "en"),
        ("en-GB", "en"),
        ("en_US", "en"),
        ("es", "es"),
        ("es-419", "es"),
        ("es-ES", "es"),
        ("ES", "es"),
        (" ru ", "ru"),
        ("ru_RU", "ru"),
        ("ru-Cyrl-RU", "ru"),
        ("", ""),
        ("-", ""),
        ("de", ""),
        ("rus", ""),
        ("est", ""),
        ("pt-br", ""),
        ("uk", ""),
        ("*", ""),
    ],
)
def test_platforms_language_codes(code: str, language: str) -> None:
    assert supported(code) == language


@given(st.text(max_size=12))
def test_any_code_gives_a_language_or_none(code: str) -> None:
    assert supported(code) in {"", *LANGUAGES}
