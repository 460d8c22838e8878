"""Run the command itself.

To time it: a first run into an empty folder, and a check of what is committed. And for programs
with more modes than those that are committed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from bench.primal import ROOT
from bench.rows import Row

START = "import sys; from mooncake_transpiler.cli import main; sys.exit(main())"


def transpile_seconds(source: Path) -> str:
    """One line of text for the folder ``source``."""
    with tempfile.TemporaryDirectory() as out:
        fresh, failed = _run(str(source), out)
    check, stale = _run(str(source), str(source), "--check")
    failure = " (failed)" if failed else " (not up to date)" if stale else ""
    name = source.relative_to(ROOT)
    return f"transpile {name}: {fresh:.2f} s, --check: {check:.2f} s{failure}"


def with_hvp(rows: Sequence[Row], folder: Path) -> Iterator[Row]:
    """The same rows, of copies of their programs in ``folder`` that have ``f_hvp``."""
    for module, source in {row.module: row.folder for row in rows}.items():
        shutil.copy(source / f"{module}.py", folder)
    (folder / "pyproject.toml").write_text('[tool.mooncake-transpile]\nmodes = ["hvp"]\n')
    _, failed = _run(str(folder), str(folder))
    if failed:
        raise RuntimeError(f"the programs in {folder} can't be transpiled")
    yield from (replace(row, folder=folder) for row in rows)


def _run(*arguments: str) -> tuple[float, bool]:
    command = [sys.executable, "-c", START, *arguments]
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    return perf_counter() - start, done.returncode != 0
