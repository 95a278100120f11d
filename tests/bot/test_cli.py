"""The command line as the host types it: what it answers, draws and inspects, and the one line where it cannot."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from rules import GAMES
from tests.bot.commands import SECONDS, bandada, clean_folder, refused, start
from tests.bot.table import sentence
from tests.rules.matches import SHORT_AYU, SHORT_VOLO


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Iterator[Path]:
    with clean_folder(tmp_path):
        yield tmp_path


# ---- the command itself ----------------------------------------------------------------------------------------------


def test_the_version() -> None:
    with start("--version") as process:
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, out, err) == (0, f"bandada, version {version('bandada')}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_lists_the_commands(arguments: list[str]) -> None:
    result = bandada(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    assert {"play", "run", "inspect", "render"} <= set(re.findall(r"^  (\w+)  ", result.stdout, re.MULTILINE))


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("play", ["--host", "--port", "--data-dir", "--no-open"]),
        ("run", ["--require-redis"]),
        ("inspect", []),
        ("render", ["--game", "--size", "--moves", "--theme", "--names", "--language", "-o, --output"]),
    ],
)
def test_help_of_a_command(command: str, options: list[str]) -> None:
    result = bandada(command, "-h")
    assert result.exit_code == 0
    for option in options:
        assert re.search(rf"^  {option}\b", result.stdout, re.MULTILINE), option


@pytest.mark.parametrize(
    "line",
    [
        "fly", "--fly", "run irc", "run --fly", "play --port 65536", "play --port x", "play x", "inspect x", "render",
        "render -o .", "render -o x.png --language fr", "render -o x.png --size x",
    ],
)  # fmt: skip
def test_what_the_command_line_does_not_know(line: str) -> None:
    result = bandada(*line.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Usage: ")
    assert "Error: " in result.stderr


def test_the_games_of_render_are_all_games() -> None:
    assert f"One of {', '.join(GAMES)}" in bandada("render", "-h").stdout


# ---- render ----------------------------------------------------------------------------------------------------------


def rendered(name: str, *arguments: str) -> bytes:
    result = bandada("render", "-o", name, *arguments)
    assert (result.exit_code, result.output) == (0, "")
    return Path(name).read_bytes()


def test_a_picture() -> None:
    plain = rendered("board.png", "--size", "9")
    with Image.open(io.BytesIO(plain)) as picture:
        assert picture.format == "PNG"
        assert min(picture.size) > 300
    assert rendered("Бо и Ана.PNG", "--size", "9") == plain, "the same every time, under any name"
    for option in (["--theme", "dark"], ["--names", "Ana,Бо"], ["--moves", "b1-b2"]):
        assert rendered("other.png", "--size", "9", *option) != plain, option


def test_the_usual_game_and_size() -> None:
    assert "Ayu 11×11" in rendered("board.txt").decode()
    assert "Volo" in rendered("board.txt", "--game", "VOLO").decode()


def test_the_whole_game() -> None:
    moves = SHORT_AYU.split()[:3]
    with Image.open(io.BytesIO(rendered("game.gif", "--size", "5", "--moves", " ".join(moves)))) as picture:
        assert (picture.format, getattr(picture, "n_frames", 1)) == ("GIF", len(moves) + 1)
    with Image.open(io.BytesIO(rendered("opening.gif", "--size", "5"))) as picture:
        assert (picture.format, getattr(picture, "n_frames", 1)) == ("GIF", 1)


def test_a_board_as_text() -> None:
    arguments = ["--size", "5", "--moves", "b1-b2 swap", "--names", "Ana,Бо"]
    text = rendered("board.txt", *arguments).decode()
    assert "Ayu 5×5" in text
    assert "Black, Бо" in text, "they have swapped seats"
    assert "White, Ana" in text
    assert "b1-b2" in text
    spanish, russian = (rendered("board.txt", *arguments, "--language", code).decode() for code in ("es", "ru"))
    assert "Negras" in spanish
    assert "Чёрные" in russian


@pytest.mark.parametrize(
    ("game", "size", "moves"), [("ayu", "5", SHORT_AYU), ("volo", "6", SHORT_VOLO), ("воло", "6", "c6")]
)
def test_games_to_their_end(game: str, size: str, moves: str) -> None:
    text = rendered("board.txt", "--game", game, "--size", size, "--moves", moves, "--names", "Ana,Бо,Eva").decode()
    assert "Ana" in text
    assert "Eva" not in text


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["-o", "x.jpg"], "I write .png, .gif, .txt, not .jpg"),
        (["-o", "x"], "I write .png, .gif, .txt, not files without an ending"),
        (["-o", "-"], "I write .png, .gif, .txt, not files without an ending"),
        (["-o", "x.png", "--theme", "pink"], 'there is no theme "pink"; there are light, dark, patterns'),
        (["-o", "x.png", "--game", "chess"], 'there is no game "chess"; there are ayu and volo'),
        (["-o", "x.png", "--game", "a\nb"], 'there is no game "a b"; there are ayu and volo'),
        (["-o", "x.png", "--size", "10"], "ayu is played on 5, 7, 9, 11, 13, 15, 17, 19, not on 10"),
        (["-o", "x.png", "--game", "volo", "--size", "-7"], "volo is played on 6, 7, 8, not on -7"),
        (["-o", "x.png", "--moves", "b1-b2 hi"], 'move 2, "hi": ' + sentence("refusal.not-notation", tried="hi")),
        (["-o", "x.png", "--moves", "b1"], 'move 1, "b1": ' + sentence("refusal.goal-missing")),
        (["-o", "x.gif", "--moves", "a1-a2"], 'move 1, "a1-a2": ' + sentence("refusal.empty", cells="a1")),
        (["-o", "x.txt", "--moves", "swap"], 'move 1, "swap": ' + sentence("fault.no-swap")),
        (["-o", "x.txt", "--game", "volo", "--moves", "c7 swap"], 'move 2, "swap": ' + sentence("fault.no-swap")),
        (["-o", "x.txt", "--size", "5", "--moves", f"{SHORT_AYU} b1-b2"], 'move 9, "b1-b2": ' + sentence("fault.over")),
        (["-o", "missing/x.txt"], "missing/x.txt cannot be written: No such file or directory"),
        (["-o", "x" * 300 + ".txt"], f"{'x' * 300}.txt cannot be written: File name too long"),
    ],
)  # fmt: skip
def test_what_cannot_be_drawn(folder: Path, arguments: list[str], line: str) -> None:
    assert refused(bandada("render", *arguments)) == line
    assert list(folder.iterdir()) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(game=st.sampled_from(["ayu", "volo", ""]), size=st.integers(-1, 20), moves=st.text("ab123-swpNE/ ñ\x00\ud800"))
def test_anything_is_drawn_or_refused_in_one_line(game: str, size: int, moves: str) -> None:
    result = bandada("render", "-o", "x.txt", "--game", game, "--size", str(size), "--moves", moves)
    if result.exit_code != 0:
        refused(result)


# ---- inspect ---------------------------------------------------------------------------------------------------------


def test_inspect_answers_line_by_line() -> None:
    """Each answer comes before the next question is put."""
    with start("inspect") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for line in (
            '{"game":"ayu","size":5,"moves":["b1-b2"]}',
            "{",
            '{"game":"go"}',
            '{"game":"volo","moves":["zz"]}',
        ):
            process.stdin.write(line + "\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(SECONDS) == 0
    assert (answers[0]["to_move"], answers[0]["board"]) == (2, ".1.1./2.2.2/.1.1./212.2/...1.")
    assert [answer["error"]["code"] for answer in answers[1:]] == ["bad-json", "unknown-game", "invalid"]


def test_inspect_of_nothing() -> None:
    result = bandada("inspect")
    assert (result.exit_code, result.output) == (0, "")


def test_whoever_reads_inspect_may_stop_reading() -> None:
    with start("inspect") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write('{"game":"ayu"}\n' * 2)
        process.stdin.flush()
        assert process.stdout.readline()
        process.stdout.close()
        try:
            process.stdin.write('{"game":"ayu"}\n' * 200)
            process.stdin.close()
        except BrokenPipeError:
            pass
        assert process.stderr.read() == ""
