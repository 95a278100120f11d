"""Themes as data: the colours that no game owns (page, cards, hints). A game's own colours stand in its art file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

from renderers.scene import CardState

Colour: TypeAlias = tuple[int, int, int]


def rgb(text: str) -> Colour:
    """The colour written as ``#RRGGBB``."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mix(a: Colour, b: Colour, share: float) -> Colour:
    """The colour on the way from *a* (0.0) to *b* (1.0)."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


@dataclass(frozen=True, slots=True)
class CardInks:
    """One card's ground, the name's colour and the second line's."""

    fill: Colour
    name: Colour
    line: Colour


@dataclass(frozen=True, slots=True)
class Theme:
    """One look. *patterned* asks the art for hatches and shapes besides colours."""

    key: str
    page: Colour
    coordinate: Colour
    cards: Mapping[CardState, CardInks]
    hint: Colour
    hint_ink: Colour
    halo: Colour
    regions: tuple[Colour, ...]
    dark: bool = False
    patterned: bool = False


def _cards(waits: CardInks, to_move: CardInks, won: CardInks) -> Mapping[CardState, CardInks]:
    return MappingProxyType({CardState.WAITS: waits, CardState.TO_MOVE: to_move, CardState.WON: won})


WHITE: Final = rgb("#FFFFFF")
BLACK: Final = rgb("#000000")
_GOLD: Final = CardInks(rgb("#F2B01E"), rgb("#2B2100"), rgb("#54410A"))
_REGIONS: Final = (rgb("#12A4A0"), rgb("#8E5BD6"), rgb("#C9881A"), rgb("#C4457F"), rgb("#5F9E2F"), rgb("#5B6BD8"))

LIGHT: Final = Theme(
    key="light",
    page=rgb("#F4F1EA"),
    coordinate=rgb("#5F5646"),
    cards=_cards(
        CardInks(rgb("#E7E1D4"), rgb("#1F2328"), rgb("#645E52")),
        CardInks(rgb("#2B3A55"), WHITE, rgb("#CDD3DE")),
        _GOLD,
    ),
    hint=rgb("#087F5B"),
    hint_ink=WHITE,
    halo=WHITE,
    regions=_REGIONS,
)
DARK: Final = Theme(
    key="dark",
    page=rgb("#1E2127"),
    coordinate=rgb("#B9B2A4"),
    cards=_cards(
        CardInks(rgb("#2C313A"), rgb("#F2F3F5"), rgb("#A6ACB6")),
        CardInks(rgb("#E8EAED"), rgb("#1E2127"), rgb("#4A4F58")),
        _GOLD,
    ),
    hint=rgb("#0B6E4F"),
    hint_ink=WHITE,
    halo=WHITE,
    regions=_REGIONS,
    dark=True,
)
PATTERNS: Final = Theme(
    key="patterns",
    page=WHITE,
    coordinate=rgb("#222222"),
    cards=_cards(
        CardInks(rgb("#EDEDED"), BLACK, rgb("#4A4A4A")),
        CardInks(BLACK, WHITE, rgb("#DDDDDD")),
        CardInks(rgb("#E69F00"), BLACK, rgb("#33260A")),
    ),
    hint=rgb("#005F45"),
    hint_ink=WHITE,
    halo=WHITE,
    regions=_REGIONS,
    patterned=True,
)

THEMES: Final[Mapping[str, Theme]] = MappingProxyType({theme.key: theme for theme in (LIGHT, DARK, PATTERNS)})
