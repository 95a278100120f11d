"""The games' art: an explicit table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from renderers.art.ayu import AyuArt
from renderers.art.base import Art
from renderers.art.volo import VoloArt

ARTS: Final[Mapping[str, Art]] = MappingProxyType({art.key: art for art in (AyuArt(), VoloArt())})
