"""Promise 7: the loop never waits for the CPU. A picture that takes long holds nobody up."""

from __future__ import annotations

import asyncio
import threading

from redis.asyncio import Redis

from bot.drawing import ThreadRender
from renderers.geometry import POSTED_WIDTH
from renderers.png import Renderer
from renderers.scene import Scene
from tests.bot.harness import World
from tests.bot.table import begun, first_line, ready, room, said, sentence

TICK = 0.01

RENDER_SECONDS = 3
"""What the slowest picture takes, at most: it is let go as soon as everything else has been seen to go on."""


class SlowRenderer(Renderer):
    """Draws only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.let_go = threading.Event(), threading.Event()

    def draw(self, scene: Scene, width: int = POSTED_WIDTH) -> bytes:
        """See `Renderer.draw`."""
        self.begun.set()
        self.let_go.wait(RENDER_SECONDS)
        return super().draw(scene, width)


async def test_the_loop_goes_on_while_a_picture_is_drawn(redis_client: Redis) -> None:
    renderer = SlowRenderer()
    render = ThreadRender(renderer)
    world = World(redis_client, render)
    renderer.let_go.set()
    stored = await begun(world)
    renderer.let_go.clear()
    renderer.begun.clear()

    async with asyncio.TaskGroup() as group:
        delivery = group.create_task(world.core.courier.run())
        await world.core.handle(world.incoming("Ana", "b1b2"))
        assert await asyncio.to_thread(renderer.begun.wait, RENDER_SECONDS)
        sent = len(world.inbox.sent)

        # The picture is being drawn: moves are saved, questions answered, in this chat and in others.
        assert await world.core.handle(world.incoming("Бо", "a2a3")) == ()
        for text in ("/games", "/moves", "/help", "d1", "/board"):
            assert said(await world.core.handle(world.incoming("Ana", text)))
        assert said(await world.core.handle(world.incoming("Carla", "/rules ayu", place=room("other"))))
        for _ in range(20):
            await asyncio.sleep(TICK)
        assert len(world.inbox.sent) == sent
        assert not renderer.let_go.is_set()

        renderer.let_go.set()
        await world.core.courier.drain()
        world.core.courier.close()
        await delivery
    render.close()
    first, second = world.inbox.sent[-2:]
    assert first.picture is not None
    assert first.picture.png.startswith(b"\x89PNG")
    assert first_line([second]) == sentence("event.moved", name="Бо", move="a2-a3")
    assert (await ready(world, stored.id)).match.tokens == ("b1-b2", "a2-a3")
