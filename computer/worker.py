"""A process that thinks: one JSON line in for each question, one out for each answer.

It knows no secrets and no database. Besides questions it takes ``stop``, which ends the search that is going on; when
its input ends, it ends too, whatever it is doing.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
from collections.abc import Mapping
from queue import SimpleQueue
from random import Random
from time import perf_counter
from typing import Any, Final

from computer.limits import Limit
from computer.player import choose_even, think
from computer.reasons import grounds
from rules import find_game
from rules.record import Record

STOP: Final = "stop"
READY: Final = "ready"


def answer(question: Mapping[str, Any], clock: Any = perf_counter) -> dict[str, Any]:  # noqa: ANN401 - a clock
    """What is thought of the position after ``moves`` of ``game`` on ``size``.

    ``seconds``, ``depth``, ``noise`` and ``blind`` are the limit's; ``seed`` is of the chance in it; ``even`` asks for
    the move that leaves both sides alike.
    """
    record = Record.replay(find_game(question["game"]), question["size"], question["moves"])
    position = record.position
    rng = Random(question["seed"])  # noqa: S311 - play, no secret
    limit = Limit(question["seconds"], question["depth"], question["noise"], question["blind"])
    thought = think(position, limit, rng, record.positions[:-1], clock)
    move = choose_even(position, rng) if question["even"] else thought.move
    why = grounds(position, move, wins=thought.end is not None and thought.end > 0)
    return {
        "move": position.write(move),
        "chance": thought.chance,
        "depth": thought.depth,
        "end": thought.end,
        "grounds": [why.kind.value, why.own, why.theirs, why.count, why.threat],
    }


def main() -> None:
    """Answer until the input ends."""
    if hasattr(os, "nice"):
        os.nice(5)  # whoever waits for a board goes before whoever thinks about one
    questions: SimpleQueue[str] = SimpleQueue()
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(questions, stopped), daemon=True).start()

    def clock() -> float:
        return math.inf if stopped.is_set() else perf_counter()

    _say({READY: True})
    while True:
        line = questions.get()
        stopped.clear()
        try:
            said = answer(json.loads(line), clock)
        except Exception as error:  # noqa: BLE001 - whoever asked logs it
            said = {"error": f"{type(error).__name__}: {error}"}
        _say(said)


def _say(content: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(content) + "\n")
    sys.stdout.flush()


def _listen(questions: SimpleQueue[str], stopped: threading.Event) -> None:
    for line in sys.stdin:
        if line.strip() == STOP:
            stopped.set()
        else:
            questions.put(line)
    os._exit(0)
