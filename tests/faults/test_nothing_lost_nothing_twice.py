"""Promises 1 to 4 at once: people play on several bot processes, processes are killed, and nothing is lost or doubled.

How long is up to BANDADA_FAULTS_SECONDS; BANDADA_FAULTS_SEED chooses other moves, victims and trouble.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.loopback import Trouble
from tests.faults.planted import PLANTED
from tests.faults.players import Size
from tests.faults.soak import Run, run

pytestmark = pytest.mark.faults

KILLS_A_MINUTE = 15
ATTEMPTS = 4
"""A planted fault shows by chance: nearly always in the first run."""


@pytest.fixture
def seed(record_property: Callable[[str, object], None]) -> int:
    """The run's seed, which a failure tells."""
    chosen = int(os.environ.get("BANDADA_FAULTS_SEED", random.randrange(10**6)))
    record_property("seed", chosen)
    return chosen


async def test_nothing_is_lost_and_nothing_comes_twice(
    tmp_path: Path, seconds: float, seed: int, record_property: Callable[[str, object], None]
) -> None:
    wanted = Run(seconds, seed)
    verdict = await run(wanted, tmp_path / "data")
    record_property("figures", f"{verdict} (seed {seed}, {wanted.crowd})")
    assert not verdict.wrong, f"seed {seed}\n" + "\n".join(verdict.wrong)
    figures = verdict.figures
    # A run in which nothing happened says nothing.
    assert figures["kills of bots"] + figures["kills of the server"] >= int(seconds / 60 * KILLS_A_MINUTE)
    for what in ("moves", "boards", "redeliveries", "sends that failed"):
        assert figures[what] > seconds / 2, what


@pytest.mark.parametrize("planted", PLANTED)
async def test_the_judge_sees_a_planted_fault(
    tmp_path: Path, seed: int, planted: str, record_property: Callable[[str, object], None]
) -> None:
    for attempt in range(ATTEMPTS):
        wanted = Run(
            seconds=2,
            seed=seed + attempt,
            kills=2,
            boards=180,
            rest_seconds=15,
            bots=2,
            crowd=Size(people=8, chats=3, live=3),
            pause=0.1,
            trouble=Trouble(duplicate=0.3, refuse_after=0.08),
            kill_seconds=(1, 2),
            planted=planted,
        )
        verdict = await run(wanted, tmp_path / f"data{attempt}")
        kinds = {line.partition(":")[0] for line in verdict.wrong}
        if EXPECTED[planted] in kinds:
            record_property("figures", f"{len(verdict.wrong)} complaints in run {attempt + 1}; {verdict}")
            return
    pytest.fail(f"seed {seed}: the judge was content")


EXPECTED = {
    "confirmed before it is saved": "lost",
    "saved without looking at the version": "lost",
    "redelivered as another update": "done twice",
    "sent by everybody at once": "sent twice",
    "notified with every try": "notified twice",
    "marked as shown before it is sent": "undelivered",
}
"""The complaint that each fault must lead to."""
