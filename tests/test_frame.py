"""The frame around the code: make targets, the choice of the interpreter, what tests may reach, what is installed."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("bot", "computer", "locales", "renderers", "rules", "storage")
TARGETS = {"setup", "play", "test", "check", "bench", "golden", "faults"}


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run *command* in the project's root with *environment* on top of PATH alone."""
    return subprocess.run(
        command,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def put_python(folder: Path, name: str, *, version: str = "3.11", has_ensurepip: bool = True) -> Path:
    """Put a stand-in for an interpreter into *folder*, which answers the questions of .ci/find-python; its path."""
    path = folder / name
    old = tuple(map(int, version.split("."))) < (3, 11)
    path.write_text(
        f"""#!/bin/sh
case "$2" in
    *ensurepip*) exit {0 if has_ensurepip else 1} ;;
    *sys.executable*) echo "{path}"; exit {1 if old else 0} ;;
    *) echo {version} ;;
esac
"""
    )
    path.chmod(0o755)
    return path


def find_python(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    shell = shutil.which("sh")
    assert shell is not None
    return run(shell, ".ci/find-python", PATH=str(folder), **environment)


def test_help_lists_every_target() -> None:
    listed = set(re.findall(r"^make (\w+)", run("make", "help").stdout, re.MULTILINE))
    assert listed >= TARGETS


def test_native_windows_is_told_what_to_do() -> None:
    answer = run("make", "play", OS="Windows_NT")
    assert answer.returncode != 0
    assert "WSL2" in answer.stderr
    assert "REDIS_URL" in answer.stderr


def test_the_real_interpreter_is_found() -> None:
    found = run("sh", ".ci/find-python", PYTHON=sys.executable)
    assert found.stdout.strip(), found.stderr


def test_an_old_python3_is_passed_over(tmp_path: Path) -> None:
    put_python(tmp_path, "python3", version="3.10")
    newer = put_python(tmp_path, "python3.12", version="3.12")
    assert find_python(tmp_path).stdout == f"{newer}\n"


def test_a_shim_that_refuses_is_passed_over(tmp_path: Path) -> None:
    shim = tmp_path / "python3"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    newer = put_python(tmp_path, "python3.13", version="3.13")
    assert find_python(tmp_path).stdout == f"{newer}\n"


def test_a_missing_venv_package_is_named(tmp_path: Path) -> None:
    put_python(tmp_path, "python3", has_ensurepip=False)
    answer = find_python(tmp_path)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "apt install python3.11-venv" in answer.stderr


def test_a_whole_python_goes_before_one_without_venv(tmp_path: Path) -> None:
    put_python(tmp_path, "python3", has_ensurepip=False)
    whole = put_python(tmp_path, "python3.11")
    assert find_python(tmp_path).stdout == f"{whole}\n"


def test_no_python_is_said_in_words(tmp_path: Path) -> None:
    answer = find_python(tmp_path)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "Python 3.11 or newer" in answer.stderr


def test_a_named_python_is_the_only_one_tried(tmp_path: Path) -> None:
    old = put_python(tmp_path, "mine", version="3.9")
    put_python(tmp_path, "python3")
    answer = find_python(tmp_path, PYTHON=str(old))
    assert (answer.returncode, answer.stdout) == (1, "")
    assert str(old) in answer.stderr


def test_the_network_is_out_of_reach() -> None:
    with pytest.raises(RuntimeError, match="wants the network"):
        socket.getaddrinfo("example.org", 443)
    with socket.socket() as plug, pytest.raises(RuntimeError, match="wants the network"):
        plug.connect(("192.0.2.1", 443))


def test_this_machine_is_in_reach() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        host, port = server.getsockname()
        with socket.create_connection((host, port)) as plug:
            assert plug.getpeername() == (host, port)


@pytest.fixture
def page_tests(tmp_path: Path) -> Path:
    """A folder with this project's conftest, a test that drives a browser and one that does not."""
    shutil.copy(ROOT / "tests/conftest.py", tmp_path)
    (tmp_path / "test_page.py").write_text("def test_page(chromium_path): pass\ndef test_words(): pass\n")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nmarkers = browser\naddopts = --strict-markers -p no:cacheprovider\n"
    )
    return tmp_path


def run_page_tests(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "pytest", "-q", "--rootdir", folder, folder, PATH="/nowhere", **environment)


def test_without_a_browser_its_tests_are_left_out_and_one_line_says_so(page_tests: Path) -> None:
    answer = run_page_tests(page_tests)
    assert "1 passed, 1 deselected" in answer.stdout
    assert answer.stdout.count("no Chromium") == 1


def test_a_required_browser_stops_the_run_in_one_line(page_tests: Path) -> None:
    answer = run_page_tests(page_tests, BANDADA_REQUIRE_BROWSER="1")
    assert answer.returncode == pytest.ExitCode.USAGE_ERROR
    assert len(answer.stderr.strip().splitlines()) == 1
    assert "no Chromium" in answer.stderr


def test_a_named_browser_is_used(page_tests: Path) -> None:
    answer = run_page_tests(page_tests, BANDADA_CHROMIUM=sys.executable, BANDADA_REQUIRE_BROWSER="1")
    assert "2 passed" in answer.stdout


def test_a_wrongly_named_browser_stops_the_run(page_tests: Path) -> None:
    answer = run_page_tests(page_tests, BANDADA_CHROMIUM="/nowhere/chromium")
    assert answer.returncode == pytest.ExitCode.USAGE_ERROR
    assert "BANDADA_CHROMIUM=/nowhere/chromium" in answer.stderr


def test_the_wheel_holds_every_file_of_the_packages(tmp_path: Path) -> None:
    built = run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    files = {path for name in PACKAGES for path in (ROOT / name).rglob("*") if path.is_file()}
    wanted = {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}
    assert len(wanted) > len(PACKAGES)
    assert wanted - set(zipfile.ZipFile(wheel).namelist()) == set()
