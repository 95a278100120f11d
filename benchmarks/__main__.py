"""Run every `benchmarks/bench_*.py`, or those that are named: `python -m benchmarks [bench_rules ...]`.

Such a file has a function `main()` without arguments that prints its lines. Each runs in a process of its own, so that
none inherits the caches and the memory of another, and one that fails does not stop the rest.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.machine import REFERENCE_SECONDS, loop_seconds

_FOLDER = Path(__file__).parent


def find_benchmarks() -> list[str]:
    """The names of all benchmarks, sorted: `bench_rules` for `benchmarks/bench_rules.py`."""
    return sorted(path.stem for path in _FOLDER.glob("bench_*.py"))


def run(names: list[str]) -> int:
    """Run the named benchmarks in turn and print what they print; 0 if all of them ended well, else 1."""
    failed = []
    for name in names:
        print(f"== {name}", flush=True)
        code = f"from benchmarks.{name} import main; main()"
        ended = subprocess.run([sys.executable, "-c", code], cwd=_FOLDER.parent, check=False)
        if ended.returncode != 0:
            failed.append(name)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def main() -> int:
    """Run what the command line names, else everything; 2 for a name that is no benchmark."""
    known = find_benchmarks()
    names = sys.argv[1:] or known
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are: {', '.join(known) or 'none yet'}", file=sys.stderr)
        return 2
    seconds = loop_seconds()
    times = seconds / REFERENCE_SECONDS
    print(
        f"== this machine: the reference loop takes {seconds:.2f} s, {times:.1f} times the reference machine's",
        flush=True,
    )
    return run(names)


if __name__ == "__main__":
    sys.exit(main())
