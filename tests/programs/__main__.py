"""Everything that is emitted is compiled and checked: ``python -m tests.programs [THEME ...]``.

All programs of the catalogue, whose derivatives run compiled against differences, then the
examples and the programs of the bench by ``verify``, and the tests of the examples on their own
inputs. One after the other, which takes an hour or two; what fails is printed.
"""

from __future__ import annotations

import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from tests.programs.catalogue import Catalogue, open_catalogue, programs

TOP = Path(__file__).parents[2]
FOLDERS = ("examples/programs", "bench/programs")


def failures(catalogue: Catalogue, names: list[str]) -> Iterator[str]:
    """Names and tracebacks of programs that fail, compiled; prints a line for each theme."""
    start, before = time.perf_counter(), ""
    for k, name in enumerate(names):
        theme = name.partition(".")[0]
        if theme != before:
            took, before = time.perf_counter() - start, theme
            print(f"{took:6.0f} s  {k:4} of {len(names)}  {theme}", flush=True)
        try:
            catalogue.check(name, jit=True)
        except Exception:
            yield f"{name}\n{traceback.format_exc()}"


def main(themes: list[str]) -> int:
    """1 if something does not compile, or is wrong."""
    names = [n for n in programs() if not themes or n.partition(".")[0] in themes]
    count = 0
    with open_catalogue() as catalogue:
        for text in failures(catalogue, names):
            count += 1
            print(f"FAILED {text}", flush=True)
    print(f"{len(names)} programs of the catalogue, {count} failures", flush=True)
    if themes:
        return int(count > 0)
    commands = [["mooncake_transpiler", "verify", folder, folder] for folder in FOLDERS]
    commands.append(["pytest", "-q", "-p", "no:cacheprovider", "tests/examples"])
    codes = [
        subprocess.run([sys.executable, "-m", *words], check=False, cwd=TOP).returncode
        for words in commands
    ]
    print(f"exit codes of verify for {' and '.join(FOLDERS)}, and of tests/examples: {codes}")
    return int(count > 0 or any(codes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
