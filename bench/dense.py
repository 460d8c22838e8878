"""Dense derivatives: a Hessian next to that of jax, a Jacobian next to single tangents."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from bench.clock import Thunk, first_call, minima
from bench.primal import PROGRAMS

NOTE = "us per call, and how many times as long the other way takes."


def show_dense(rounds: int) -> None:
    table = Table(box=box.SIMPLE_HEAD if sys.stdout.isatty() else None, pad_edge=False)
    table.add_column("dense derivative", no_wrap=True)
    for name in ("us", "other us", "ratio"):
        table.add_column(name, justify="right")
    for name, seconds, other in _measured(rounds):
        table.add_row(name, f"{1e6 * seconds:.2f}", f"{1e6 * other:.2f}", f"{other / seconds:.1f}")
    console = Console()
    console.print(table)
    console.print(NOTE, style="dim")


def _measured(rounds: int) -> Iterator[tuple[str, float, float]]:
    sys.path.insert(0, str(PROGRAMS))
    grad = importlib.import_module("dense_grad")
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=20), rng.normal(size=(100, 20))
    units = list(np.eye(20))
    pairs: dict[str, tuple[Thunk, Thunk | None]] = {
        "Jacobian, 100x20; 20 tangents": (
            lambda: grad.features_jacobian(x, w),
            lambda: [grad.features_jvp(x, w, unit) for unit in units],
        ),
        "Hessian of Rosenbrock, n=20; jax.jit": (lambda: grad.valley_hessian(x), _jax_hessian(x)),
    }
    for name, (mine, other) in pairs.items():
        if other is None:
            continue
        thunks = {"mine": mine, "other": other}
        for thunk in thunks.values():
            first_call(thunk)
        found = minima(thunks, rounds)
        yield name, found["mine"], found["other"]


def _jax_hessian(x: np.ndarray) -> Thunk | None:
    if find_spec("jax") is None:
        return None
    from bench import jax_programs

    hessian = jax_programs.hessian_of_rosenbrock()
    return lambda: jax_programs.wait(hessian(x))
