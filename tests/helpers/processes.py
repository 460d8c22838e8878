"""Generated modules imported in a process of their own, as their users do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

# Imports ``primal`` and ``gradient``; prints the gradient of ``call`` beside central differences.
COMPARE = """
import json, sys
from importlib import import_module
import numpy as np

primal, gradient, name, *args = json.loads(sys.argv[1])
f = getattr(import_module(primal), name)
grad = getattr(import_module(gradient), name + "_value_and_grad")
args = [np.array(a) if isinstance(a, list) else a for a in args]
value, found = grad(*args)
found = [found] if len(args) == 1 else list(found)
assert np.isclose(value, f(*args), rtol=1e-13), (value, f(*args))


def step(k, i, h):
    moved = [np.array(a, dtype=float) for a in args]
    moved[k].flat[i] += h
    return f(*(m if m.ndim else float(m) for m in moved))


for k, arg in enumerate(args):
    for i in range(np.size(arg)):
        wide, narrow = ((step(k, i, h) - step(k, i, -h)) / (2 * h) for h in (2e-3, 1e-3))
        expected = (4 * narrow - wide) / 3
        assert np.isclose(np.ravel(found[k])[i], expected, rtol=1e-8, atol=1e-9), (k, i, expected)
"""


def python(program: str, folder: Path, *argv: str, jit: bool = False) -> str:
    """The output of ``program``, run where the modules in ``folder`` can be imported."""
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_DISABLE_JIT": "0" if jit else "1",
    }
    command = [sys.executable, "-W", "error", "-c", program, *argv]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(folder: Path, module: str, gradient: str, function: str, *args: object) -> None:
    """Check a gradient module in ``folder`` against differences of the primal beside it."""
    python(COMPARE, folder, json.dumps([module, gradient, function, *args]))
