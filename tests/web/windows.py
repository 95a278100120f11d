"""Windows of a real browser that look at the page."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any, Final

from playwright.async_api import Browser, ConsoleMessage, Locator, Page

OPTIONS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE: Final = {"width": 360, "height": 740}
DESK: Final = {"width": 1280, "height": 800}


class Windows:
    """The browser's windows; each has a memory of its own, and none may complain."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._stack = AsyncExitStack()
        self.complaints: list[str] = []
        self.is_forgiving = False

    async def open(self, url: str, viewport: dict[str, int] | None = None, **options: Any) -> Page:  # noqa: ANN401 - playwright's own
        """A new window with nothing in its memory."""
        context = await self._browser.new_context(
            viewport=viewport or DESK,  # type: ignore[arg-type] # a ViewportSize
            locale=options.pop("locale", "en-US"),
            **options,
        )
        self._stack.push_async_callback(context.close)
        page = await context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        await page.goto(url)
        return page

    def _hear(self, line: ConsoleMessage) -> None:
        # A window that is left while it connects says so; whether pages connect the tests see otherwise.
        if line.type in {"error", "warning"} and not line.text.startswith("WebSocket connection to"):
            self.complaints.append(line.text)

    async def close(self) -> None:
        """Close all; AssertionError if one complained."""
        await self._stack.aclose()
        assert self.is_forgiving or self.complaints == []


async def say(page: Page, text: str) -> None:
    """Type a text and send it."""
    await page.fill("#text", text)
    await page.press("#text", "Escape")
    await page.press("#text", "Enter")


def messages(page: Page) -> Locator:
    """What the bot said."""
    return page.locator(".entry.message")


async def width_and_height(thing: Locator) -> tuple[float, float]:
    """How large it is shown, in CSS pixels."""
    box = await thing.bounding_box()
    assert box is not None
    return box["width"], box["height"]
