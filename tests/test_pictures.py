"""The pictures of the front page are what their commands draw today, of games that were really played."""

from __future__ import annotations

import re
import shlex
from itertools import chain
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from bot.oneboard import draw_board
from tests.rules.games import lines, recorded

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
SAYS = "`make pictures` draws it anew"


def commands() -> dict[str, dict[str, str]]:
    """The file's name -> the options of the command that makes it."""
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    found = {}
    for line in block.splitlines():
        name, verb, *words = shlex.split(line)
        assert (name, verb) == ("bandada", "render")
        options = dict(zip(words[::2], words[1::2], strict=True))
        output = Path(options.pop("-o"))
        assert output.parent == Path("docs/pictures")
        found[output.name] = options
    return found


COMMANDS = commands()


def frames(path: Path) -> list[Image.Image]:
    """The pictures of a file, as shown."""
    with Image.open(path) as image:
        count = getattr(image, "n_frames", 1)
        return [_frame(image, number) for number in range(count)]


def _frame(image: Image.Image, number: int) -> Image.Image:
    image.seek(number)
    return image.convert("RGB")


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_what_its_command_draws(name: str, tmp_path: Path) -> None:
    options = COMMANDS[name]
    content = draw_board(
        options["--game"],
        None,
        options["--moves"].split(),
        theme=options.get("--theme", "light"),
        names=options["--names"].split(","),
        language="en",
        suffix=Path(name).suffix,
    )
    drawn = tmp_path / name
    drawn.write_bytes(content)
    kept, now = frames(FOLDER / name), frames(drawn)
    assert len(kept) == len(now), SAYS
    for before, after in zip(kept, now, strict=True):
        assert before.size == after.size, SAYS
        # Another processor may round a smooth edge differently.
        histogram = ImageChops.difference(before, after).convert("L").histogram()
        assert sum(histogram[24:]) <= 25, SAYS


@pytest.mark.parametrize("name", COMMANDS)
def test_its_moves_are_the_beginning_of_a_recorded_game(name: str) -> None:
    options = COMMANDS[name]
    moves = options["--moves"].split()
    assert len(moves) >= 30
    if options["--game"] == "ayu":
        played = (line.split() for line in lines("codecup2015_ayu11.txt.gz"))
    else:
        games = chain(recorded("volo_literal.ndjson.gz"), recorded("volo.ndjson.gz"))
        played = (game["moves"] for game in games if game["size"] == 7)
    assert any(game[: len(moves)] == moves for game in played)


def test_the_front_page_shows_all_of_them() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r'<img src="docs/pictures/([\w.-]+)" width="400" alt="[^"]{20,}">', page)
    kept = sorted(path.name for path in FOLDER.iterdir() if path.suffix != ".md")
    assert sorted(shown) == kept == sorted(COMMANDS)
    assert all((FOLDER / name).stat().st_size < 300_000 for name in kept)
