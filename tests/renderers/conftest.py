"""One renderer for all tests that only draw; it knows no fonts but the bundled ones, so all machines draw the same."""

from __future__ import annotations

import pytest

from renderers.png import Renderer


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    return Renderer(font_directories=())
