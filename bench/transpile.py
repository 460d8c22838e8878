"""Time the command itself: a first run into an empty folder, and a check of what is committed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench.primal import ROOT

START = "import sys; from mooncake_transpiler.cli import main; sys.exit(main())"


def transpile_seconds(source: Path) -> str:
    """One line of text for the folder ``source``."""
    with tempfile.TemporaryDirectory() as out:
        fresh, failed = _run(str(source), out)
    check, stale = _run(str(source), str(source), "--check")
    failure = " (failed)" if failed else " (not up to date)" if stale else ""
    name = source.relative_to(ROOT)
    return f"transpile {name}: {fresh:.2f} s, --check: {check:.2f} s{failure}"


def _run(*arguments: str) -> tuple[float, bool]:
    command = [sys.executable, "-c", START, *arguments]
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    return perf_counter() - start, done.returncode != 0
