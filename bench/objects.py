"""The cost of taking objects apart, per call from Python: objects against their parts."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from bench.clock import first_call, minima
from bench.primal import PROGRAMS

NOTE = "us per call: of a function of dataclasses, and of the same one of their parts."
DERIVATIVES = ("value_and_grad", "vjp", "jvp")


def show_objects(rounds: int) -> None:
    table = Table(box=box.SIMPLE_HEAD if sys.stdout.isatty() else None, pad_edge=False)
    table.add_column("function", no_wrap=True)
    for name in ("objects us", "parts us", "more us"):
        table.add_column(name, justify="right")
    for function, *seconds in _measured(rounds):
        objects, parts = (1e6 * each for each in seconds)
        table.add_row(function, f"{objects:.2f}", f"{parts:.2f}", f"{objects - parts:.2f}")
    console = Console()
    console.print(table)
    console.print(NOTE, style="dim")


def _measured(rounds: int) -> Iterator[tuple[str, float, float]]:
    sys.path.insert(0, str(PROGRAMS))
    primal, grad = (importlib.import_module(name) for name in ("objects", "objects_grad"))
    x, v = np.ones(8), np.full(8, 0.5)
    cases = {
        "parabola": ((primal.Parabola(0.1, 0.2, 0.3), 0.5), (0.1, 0.2, 0.3, 0.5)),
        "power": ((primal.State(x, v, 0.7), 0.5), (x, v, 0.7, 0.5)),
    }
    for name, (objects, parts) in cases.items():
        for derivative in DERIVATIVES:
            thunks = {
                "objects": _call(grad, f"{name}_{derivative}", objects),
                "parts": _call(grad, f"{name}_flat_{derivative}", parts),
            }
            for thunk in thunks.values():
                first_call(thunk)
            found = minima(thunks, rounds)
            yield f"{name}_{derivative}", found["objects"], found["parts"]


def _call(module: object, name: str, args: tuple[object, ...]) -> Callable[[], object]:
    """A call at ``args``, with a cotangent or with the arguments as their tangents."""
    function: Callable[..., object] = getattr(module, name)
    if name.endswith("vjp"):
        args = (*args, 1.0)
    elif name.endswith("jvp"):
        args = (*args, *args)
    return lambda: function(*args)
