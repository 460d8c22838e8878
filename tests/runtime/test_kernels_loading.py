"""Kernels in fresh processes: loaded from the cache, without SciPy, without a cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mooncake_runtime import jit_enabled

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")

# An argument on the command line hides SciPy.
PROGRAM = """
import sys
if sys.argv[1:]:
    sys.modules["scipy"] = None
import numpy as np
from mooncake_runtime import inner, kernels

@inner
def program(a, b):
    c = kernels.matmul(a, b)
    kernels.matmul_add(a, b, c)
    return kernels.solve_triangular(kernels.cholesky(a), c, 1, 0, 0), kernels.lu(a)[0]

a = 20.0 * np.eye(20) + 1.0
x, lu = program(a, a)
assert np.allclose(x, np.linalg.solve(np.linalg.cholesky(a), 2 * a @ a))
assert np.allclose(np.diag(lu).prod(), np.linalg.det(a))
print(sum(program.stats.cache_hits.values()))
"""

UNAVAILABLE = """
import sys
sys.modules["scipy"] = None
import numpy as np
from mooncake_runtime import kernels
try:
    kernels.eigh(np.eye(2))
except ImportError as error:
    print(error)
"""


def run(tmp_path: Path, text: str, *arguments: str) -> str:
    program = tmp_path / "program.py"
    if not program.exists():  # numba before 0.68 compiles again what was written again
        program.write_text(text)
    path = os.pathsep.join(p for p in sys.path if p)
    environment = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, program, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


def cached(tmp_path: Path) -> dict[Path, int]:
    files = (tmp_path / "cache").rglob("*.nb?")
    return {file: file.stat().st_mtime_ns for file in files}


def test_a_second_process_compiles_nothing_with_or_without_scipy(tmp_path: Path) -> None:
    assert run(tmp_path, PROGRAM) == "0"
    before = cached(tmp_path)
    assert before
    assert run(tmp_path, PROGRAM) == "1"
    assert run(tmp_path, PROGRAM, "hide SciPy") == "1"
    assert cached(tmp_path) == before


def test_an_error_names_the_extra(tmp_path: Path) -> None:
    assert "pip install mooncake-transpile[linalg]" in run(tmp_path, UNAVAILABLE)
