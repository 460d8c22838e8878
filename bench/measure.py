"""Measure one row: the generated module, and the other tools where they are installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from importlib.util import find_spec

from bench.clock import Thunk, first_call, minima
from bench.memory import Peaks, peak
from bench.native import gradient_loop, tangent_loop, value_loop
from bench.primal import jitted
from bench.rows import Arguments, Row

TOOLS = ("mooncake", "jax", "autograd")
# What is measured, by mode.
SUFFIXES = {"reverse": "value_and_grad", "forward": "jvp", "hvp": "hvp"}


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds: of the first call of the derivative, per call of it, and of its primal."""

    compile: float
    gradient: float
    primal: float
    native_ratio: float | None = None

    @property
    def ratio(self) -> float:
        return self.gradient / self.primal


def measure(row: Row, rounds: int, compare: bool, mode: str = "reverse") -> dict[str, Result]:
    """One result per tool that has the program; of ours alone but in reverse mode."""
    makers: dict[str, Callable[[Row], tuple[Thunk, Thunk] | None]] = {
        "mooncake": lambda row: _mooncake(row, mode)
    }
    if compare and mode == "reverse":
        makers |= {"jax": _jax, "autograd": _autograd}
    compiles: dict[str, float] = {}
    thunks: dict[str, Thunk] = {}
    for tool, make in makers.items():
        if (pair := make(row)) is not None:
            thunks[f"{tool} primal"], thunks[f"{tool} gradient"] = pair
            first_call(pair[0])
            compiles[tool] = first_call(pair[1])
    seconds = minima(thunks, rounds)
    return {
        tool: Result(
            compiles[tool],
            seconds[f"{tool} gradient"],
            seconds[f"{tool} primal"],
            _native_ratio(row, rounds, mode) if tool == "mooncake" and row.short else None,
        )
        for tool in compiles
    }


def memory(row: Row, mode: str = "reverse") -> Peaks | None:
    """Peak memory of primal and derivative; None if not generated yet."""
    pair = _mooncake(row, mode)
    return None if pair is None else Peaks(peak(pair[0]), peak(pair[1]))


def _functions(row: Row, mode: str) -> tuple[Callable[..., object], Callable[..., object]] | None:
    """The compiled primal and the generated function of ``mode``; None if not generated yet."""
    if not (row.folder / f"{row.module}_grad.py").is_file():
        return None
    if str(row.folder) not in sys.path:
        sys.path.insert(0, str(row.folder))
    generated = importlib.import_module(f"{row.module}_grad")
    primal = getattr(jitted(row.folder, row.module), row.function)
    found = getattr(generated, f"{row.function}_{SUFFIXES[mode]}", None)
    return None if found is None else (primal, found)


def _mooncake(row: Row, mode: str) -> tuple[Thunk, Thunk] | None:
    if (functions := _functions(row, mode)) is None:
        return None
    arguments = (*row.arguments(), *_tangents(row, mode))
    return _bound(functions[0], row.arguments()), _bound(functions[1], arguments)


def _tangents(row: Row, mode: str) -> Arguments:
    """The inputs of the derivative beside the arguments."""
    if mode == "reverse":
        return ()
    return tuple(deepcopy(row.arguments()[k]) for k in row.wrt)


def _native_ratio(row: Row, rounds: int, mode: str) -> float | None:
    if (functions := _functions(row, mode)) is None:
        return None
    looped = gradient_loop if mode == "reverse" else tangent_loop
    value, derivative = value_loop(functions[0]), looped(functions[1])
    thunks = {
        "value": _bound(value, row.arguments()),
        "derivative": _bound(derivative, (*row.arguments(), *_tangents(row, mode))),
    }
    for thunk in thunks.values():
        thunk()
    seconds = minima(thunks, rounds)
    return seconds["derivative"] / seconds["value"]


def _jax(row: Row) -> tuple[Thunk, Thunk] | None:
    if find_spec("jax") is None:
        return None
    from bench import jax_programs

    if row.function not in jax_programs.PROGRAMS:
        return None
    primal, gradient = jax_programs.pair(row.function, row.wrt, row.static)
    arguments = row.arguments()
    return (
        lambda: jax_programs.wait(primal(*arguments)),
        lambda: jax_programs.wait(gradient(*arguments)),
    )


def _autograd(row: Row) -> tuple[Thunk, Thunk] | None:
    if find_spec("autograd") is None:
        return None
    from bench import autograd_programs

    if row.function not in autograd_programs.PROGRAMS:
        return None
    primal, gradient = autograd_programs.pair(row.function, row.wrt)
    return _bound(primal, row.arguments()), _bound(gradient, row.arguments())


def _bound(function: Callable[..., object], arguments: Arguments) -> Thunk:
    return lambda: function(*arguments)
