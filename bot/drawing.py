"""Drawing off the event loop: one thread for all pictures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from bot.messages import Document, Outgoing
from bot.ports import Render
from renderers.png import Renderer
from renderers.replay import replay
from renderers.scene import Scene

log = logging.getLogger(__name__)


class ThreadRender:
    """The Render port over one Renderer in a thread of its own."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="render")

    async def png(self, scene: Scene) -> bytes:
        """The scene as a PNG."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._renderer.draw, scene)

    async def gif(self, scenes: Sequence[Scene]) -> bytes:
        """The scenes one after the other as a GIF."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, replay, scenes, self._renderer)

    async def warm(self, game: str, size: int, theme: str) -> None:
        """Make what every picture of this kind needs, so that the first one comes as fast as the others."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._renderer.warm, game, size, theme)

    def close(self) -> None:
        """End the thread after the picture it draws."""
        self._thread.shutdown(wait=True, cancel_futures=True)


async def drawn(outgoing: Outgoing, render: Render) -> Outgoing:
    """The message with its picture and its replay drawn."""
    picture = outgoing.picture
    if picture is not None and not picture.png:
        outgoing = replace(outgoing, picture=replace(picture, png=await render.png(picture.scene)))
    if outgoing.replay:
        name = f"bandada-{outgoing.match}.gif"
        document = Document(name, await render.gif(outgoing.replay), "image/gif")
        outgoing = replace(outgoing, replay=(), document=document)
    return outgoing


async def drawn_or_plain(outgoing: Outgoing, render: Render) -> Outgoing:
    """The message drawn; its words alone, if that cannot be done."""
    try:
        return await drawn(outgoing, render)
    except Exception:
        log.exception("match %s: its board cannot be drawn, the words go alone", outgoing.match)
        return replace(outgoing, picture=None, replay=())
