"""The catalogs: complete, alike in the three languages, well formed, and exactly what the code asks for."""

from __future__ import annotations

import gettext
import re
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest
from babel.messages.pofile import read_po

from bot.computers import LEVELS
from bot.examples import EXAMPLES
from bot.parse import COMMANDS
from bot.texts import LANGUAGES as SPOKEN
from bot.texts import Texts
from computer.reasons import Kind
from rules import GAMES
from rules.actions import EventKind, Fault, OfferKind
from rules.core import Ending, Reason, Side, StepKind
from rules.match import Agreement
from tests.texts.catalogs import (
    FORMS,
    LANGUAGES,
    SOURCE,
    TRANSLATIONS,
    Entry,
    all_entries,
    entries,
    files,
    keys_as_written,
    variants,
)
from tests.texts.uses import sources, strings, uses

# The texts that are right in every language as they are.
ALIKE = {
    "alt.board",
    "alt.pieces",
    "alt.side",
    "game.ayu",
    "game.title.ayu",
    "game.title.volo",
    "game.volo",
    "guide.group",
    "guide.region",
    "match.heading",
    "match.label",
    "page.point_taken",
    "page.title",
}
ALIKE_IN = {"es": {"button.no", "page.to_chat"}, "ru": set[str]()}

_CONFIRMED = {"resign", "abort", "pass", "move"}
_WITH_HAND = {key for key, game in GAMES.items() if game.opening(game.default_size).in_hand(Side.FIRST) is not None}
_GUIDED = {
    "ayu": {StepKind.ACTION, StepKind.CELL, StepKind.GOAL, "group"},
    "volo": {*StepKind, "group", "cell-add", "cell-fly"} - {StepKind.CELL},
}

_HINTS = {
    "ayu": {Kind.WINS, Kind.BLOCKS, Kind.SHUTS_OUT, Kind.JOINS, Kind.NEARS},
    "volo": {*Kind} - {Kind.BLOCKS, Kind.SHUTS_OUT, Kind.NEARS},
}

# What the stars stand for in the keys that the code puts together.
EXPANSIONS: dict[str, set[str]] = {
    "button.*.*": {f"{switch}.{way}" for switch, way in product(("ping", "confirm", "file"), ("on", "off"))},
    "button.agree.*": set(OfferKind),
    "button.refuse.*": set(OfferKind),
    "button.theme.*": {"light", "dark", "patterns"},
    "button.yes.*": _CONFIRMED | {"forget"},
    "command.*": set(COMMANDS),
    "computer.*": set(map(str, LEVELS)),
    "confirm.*": _CONFIRMED,
    "count.*.groups": set(GAMES),
    "count.*.pieces": _WITH_HAND,
    "event.*": {*EventKind} - {EventKind.FINISHED} | {"challenged-open", "challenged-computer"},
    "example.*.*": {f"{example.game}.{example.name}" for example in EXAMPLES},
    "fault.*": set(Fault),
    "game.*": set(GAMES),
    "game.title.*": set(GAMES),
    "games.*": {"my-turn", "their-turn", "own-challenge", "challenge"},
    "guide.*.region": {"volo"},
    "guide.*.*": {f"{game}.{kind}" for game, kinds in _GUIDED.items() for kind in kinds},
    "guide.action.*": {"add", "fly", "pass"},
    "hint.*.*": {f"{game}.{kind}" for game, kinds in _HINTS.items() for kind in kinds},
    "hint.own.*": set(GAMES),
    "hint.theirs.*": set(GAMES),
    "notice.*": {use.pattern.removeprefix("notice.") for use in uses() if use.pattern.startswith("notice.")} - {"*"},
    "permission.*": {"view-channel", "send-messages", "send-in-threads", "attach-files"},
    "refusal.*": set(Reason),
    "result.*": {*Ending, *Agreement},
    "rules.*": set(GAMES),
    "rules.*.typing": set(GAMES),
    "settings.*.*": {f"{switch}.{way}" for switch, way in product(("ping", "confirm", "file"), ("on", "off"))},
    "side.*.*": {f"{game}.{side.value}" for game in GAMES for side in Side},
    "status.offer.*": set(OfferKind),
}


def expanded(pattern: str) -> set[str]:
    """The keys that *pattern* stands for."""
    if "*" not in pattern:
        return {pattern}
    start, end = pattern.split("*", 1)[0], pattern.rsplit("*", 1)[1]
    return {f"{start}{part}{end}" for part in EXPANSIONS[pattern]}


def each_key(keys: set[str]) -> list[object]:
    return [pytest.param(key, id=key) for key in sorted(keys)]


PLURAL_KEYS = {key for key, entry in entries(SOURCE).items() if entry.has_plurals}


# ---- the files -------------------------------------------------------------------------------------------------------


def test_the_languages_are_those_that_the_bot_speaks() -> None:
    assert SPOKEN == LANGUAGES
    assert {path.name for path in files(SOURCE)[0].parents[1].iterdir() if path.is_dir()} - {"__pycache__"} == set(
        LANGUAGES
    )


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_has_the_same_files_and_keys_in_the_same_order(language: str) -> None:
    assert keys_as_written(language) == keys_as_written(SOURCE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language: str) -> None:
    counts = Counter(key for _, key in keys_as_written(language))
    assert [key for key, count in counts.items() if count > 1] == []
    assert set(counts) == set(entries(language)), "the two ways of reading differ: a key is written in an unusual way"


def _russian(n: int) -> int:
    return 0 if n % 10 == 1 and n % 100 != 11 else 1 if n % 10 in (2, 3, 4) and n // 10 % 10 != 1 else 2


PLURAL_RULES: dict[str, Callable[[int], int]] = {"en": lambda n: n != 1, "es": lambda n: n != 1, "ru": _russian}


@pytest.mark.parametrize("language", LANGUAGES)
def test_headers_name_the_language_and_the_plural_rule(language: str) -> None:
    for path in files(language):
        with path.open("rb") as stream:
            header = dict(read_po(stream).mime_headers)
        assert header["Language"] == language, path
        ((count, rule),) = re.findall(r"^nplurals=(\d); plural=(.+);$", header["Plural-Forms"])
        assert int(count) == FORMS[language], path
        assert list(map(gettext.c2py(rule), range(1000))) == list(map(PLURAL_RULES[language], range(1000))), path


def test_no_entry_is_empty_fuzzy_or_given_up() -> None:
    assert [(language, entry.key) for language, entry in all_entries() if not all(entry.forms)] == []
    assert [(language, entry.key) for language, entry in all_entries() if entry.is_fuzzy] == []
    assert [path for language in LANGUAGES for path in files(language) if "\n#~" in path.read_text("utf-8")] == []


# ---- alike in every language -----------------------------------------------------------------------------------------


def test_every_form_has_the_source_s_placeholders() -> None:
    wrong = [
        (language, entry.key)
        for language, entry in all_entries()
        if set(entry.placeholders) != {entries(SOURCE)[entry.key].placeholders[-1]}
    ]
    assert wrong == []


def test_a_variant_is_of_a_known_text_for_a_known_game() -> None:
    found = [(language, key) for language in LANGUAGES for key in variants(language)]
    assert ("es", ("volo", "button.draw")) in found, "the glossary has two words for a draw"
    assert [(language, key) for language, key in found if key[0] not in GAMES or key[1] not in entries(SOURCE)] == []


def test_spanish_calls_a_draw_of_volo_by_its_own_name() -> None:
    """Glossary: tablas in Ayu, empate in Volo; every text about a draw that a match of Volo may show has a variant."""
    # The rules of each game and the repetition (of Ayu) are about one game by themselves.
    others = {"command.draw", "discord.command.draw", "result.repetition", "rules.ayu"}
    about = {key for key, entry in entries("es").items() if "tablas" in entry.forms[0].lower()} - others
    assert {key for _, key in variants("es")} == about
    assert [form for entry in variants("es").values() for form in entry.forms if "tablas" in form.lower()] == []


def test_spanish_calls_a_bird_and_its_space_by_one_word() -> None:
    """Glossary: pájaro; a space of the sky is a casilla, as in the rules."""
    others = re.compile(r"\b(aves?|espacios?)\b", re.IGNORECASE)
    assert [key for key, entry in entries("es").items() if any(map(others.search, entry.forms))] == []


def test_plural_forms_are_as_many_as_the_language_has() -> None:
    wrong = [
        (language, entry.key)
        for language, entry in all_entries()
        if len(entry.forms) != (FORMS[language] if entry.key in PLURAL_KEYS else 1)
    ]
    assert wrong == []


def test_texts_with_a_count_have_plural_forms() -> None:
    # The number of a region and the letters that fit in are names of things, no counts.
    named = {"guide.region", "page.cut", "page.player"}
    counting = {key for key, entry in entries(SOURCE).items() if "n" in entry.placeholders[0]}
    assert counting - named == PLURAL_KEYS


def _marks(entry: Entry) -> set[tuple[int, tuple[str, ...]]]:
    """How much is bold in each form, and its code; ``@somebody`` may have another name in each language."""
    found = set()
    for form in entry.forms:
        code = tuple(re.sub(r"@\w+", "@", text) for text in re.findall(r"`([^`]*)`", form))
        found.add((len(re.findall(r"\*\*.+?\*\*", form)), code))
    return found


def test_the_same_things_are_bold_and_code() -> None:
    wrong = [(lang, e.key) for lang, e in all_entries(*TRANSLATIONS) if _marks(e) != _marks(entries(SOURCE)[e.key])]
    assert wrong == []


def test_sentences_end_alike() -> None:
    def end(text: str) -> str:
        last = text.rstrip("}")[-1]
        return last if last in ".:?!…" else ""

    wrong = [
        (language, entry.key)
        for language, entry in all_entries(*TRANSLATIONS)
        if not entry.key.startswith(("button.", "command."))
        and end(entry.forms[0]) != end(entries(SOURCE)[entry.key].forms[0])
    ]
    assert wrong == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_english_is_left(language: str) -> None:
    same = {key for key, entry in entries(language).items() if entry.forms == entries(SOURCE)[key].forms}
    assert same == ALIKE | ALIKE_IN[language]


def test_russian_texts_hold_no_latin_words_but_names() -> None:
    names = (
        "Ayu|Volo|Bandada|Luis Bolaños Mures|Dieter Stein|JavaScript|English|Discord|Telegram|on|off|[NSEW]{1,2}"
        "|--host|/[a-z]+|([a-z]\\d+)+"
    )
    left = {
        entry.key: words
        for _, entry in all_entries("ru")
        if (
            words := re.findall(r"[a-z]+", re.sub(rf"(?<!\w)({names})(?!\w)", "", " ".join(entry.words)), re.IGNORECASE)
        )
    }
    assert left == {}


# ---- well formed -----------------------------------------------------------------------------------------------------


def test_markup_is_balanced() -> None:
    wrong = []
    for language, entry in all_entries():
        for form in entry.forms:
            bare = re.sub(r"\*\*[^*`]+\*\*|`[^`*]+`|\{\w+\}", "", re.sub(r"\{\w+\}", "x", form))
            if set(bare) & set("*`{}"):
                wrong.append((language, entry.key))
    assert wrong == []


def test_no_form_has_odd_space_or_typewriter_signs() -> None:
    wrong = [
        (language, entry.key)
        for language, entry in all_entries()
        for form in entry.forms
        if form != form.strip() or re.search(r" {2}| \n|\n | [.,;:!?]|\.\.\.|--(?!host)|[\"\t\r]", form)
    ]
    assert wrong == []


def test_no_word_mixes_latin_and_cyrillic_letters() -> None:
    mixed = [
        (language, entry.key, word)
        for language, entry in all_entries()
        for form in entry.forms
        for word in re.findall(r"\w+", form)
        if re.search(r"[a-z]", word, re.IGNORECASE) and re.search(r"[а-яё]", word, re.IGNORECASE)
    ]
    assert mixed == []


def test_spanish_questions_and_calls_open_as_they_close() -> None:
    wrong = [
        entry.key
        for _, entry in all_entries("es")
        for form in entry.forms
        if form.count("¿") != form.count("?") or form.count("¡") != form.count("!")
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("prefix", "limit"),
    [
        # A phone shows three buttons in a row.
        pytest.param("button.", 30, id="buttons"),
        # Discord: "Description for CHAT_INPUT commands, 1-100 characters".
        pytest.param("command.", 100, id="commands"),
        pytest.param("", 3000, id="all"),
    ],
)
def test_texts_are_short_enough(prefix: str, limit: int) -> None:
    found = [entry for _, entry in all_entries() if entry.key.startswith(prefix)]
    assert len(found) > len(LANGUAGES)
    assert [(entry.key, form) for entry in found for form in entry.forms if len(form) > limit] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", list(GAMES))
def test_a_page_of_rules_fits_into_one_message(language: str, game: str) -> None:
    # Discord: "up to 2000 characters".
    texts = Texts.load()
    parts = [texts.plain(language, key) for key in (f"rules.{game}", "rules.pie", f"rules.{game}.typing")]
    assert len("\n\n".join(parts)) <= 2000


def test_commands_in_texts_exist() -> None:
    named = {
        (entry.key, name)
        for _, entry in all_entries()
        if entry.file == "bot.po"
        for form in entry.forms
        for name in re.findall(r"(?<![\w/<])/([a-z]+)", form)
    }
    assert {name for _, name in named} >= {"help", "board", "games"}
    assert {(key, name) for key, name in named if name not in COMMANDS} == set()


# ---- what the code asks for ------------------------------------------------------------------------------------------


def test_keys_that_are_put_together_are_known_here() -> None:
    patterns = {use.pattern for use in uses() if "*" in use.pattern}
    assert patterns == set(EXPANSIONS), "say in EXPANSIONS what the stars stand for"


def test_every_text_that_the_code_asks_for_exists() -> None:
    missing = {(use.where, key) for use in uses() for key in expanded(use.pattern) if key not in entries(SOURCE)}
    assert missing == set()


def test_every_text_is_asked_for() -> None:
    asked = strings().union(*(expanded(use.pattern) for use in uses()))
    own = {key for key, entry in entries(SOURCE).items() if entry.file == "bot.po"}
    assert own - asked == set()


@pytest.mark.parametrize("stem", [path.stem for path in files(SOURCE) if path.stem != "bot"])
def test_a_platform_s_own_texts_are_those_that_it_names(stem: str) -> None:
    """In quotes or, put together, with ``${…}`` or ``{…}`` for the rest."""
    named = set(re.findall(rf"[\"'`]({stem}\.[\w.${{}}-]+)[\"'`]", sources()))
    named = {name for name in named if not re.search(r"\.(css|html|js|po|py)$", name)}
    own = {key for key, entry in entries(SOURCE).items() if entry.file == f"{stem}.po"}
    whole = {name for name in named if "{" not in name}
    beginnings = tuple(re.split(r"\$?\{", name)[0] for name in named - whole)
    assert whole - own == set()
    assert {key for key in own - whole if not beginnings or not key.startswith(beginnings)} == set()


def test_every_placeholder_is_given() -> None:
    wrong = {
        (use.where, key, name)
        for use in uses()
        if use.params is not None
        for key in expanded(use.pattern)
        for name in entries(SOURCE)[key].placeholders[0] - use.params
    }
    assert wrong == set()


# ---- plural forms ----------------------------------------------------------------------------------------------------

COUNTS = (0, 1, 2, 5, 11, 21, 22, 101)
CHOSEN = {
    "en": (1, 0, 1, 1, 1, 1, 1, 1),
    "es": (1, 0, 1, 1, 1, 1, 1, 1),
    "ru": (2, 0, 1, 2, 2, 0, 1, 0),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", each_key(PLURAL_KEYS))
def test_the_right_plural_form_is_chosen(language: str, key: str) -> None:
    catalog, forms = Texts.load().catalog(language), entries(language)[key].forms
    assert [catalog.form(key, {"n": n}) for n in COUNTS] == [forms[index] for index in CHOSEN[language]]


def test_russian_forms_differ_where_the_word_does() -> None:
    counted = [entries("ru")[key].forms for key in PLURAL_KEYS if not key.endswith(".more")]
    assert len(counted) > 5
    assert [forms for forms in counted if len(set(forms)) < len(forms) and "челове" not in forms[0]] == []
