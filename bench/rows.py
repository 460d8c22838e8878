"""The rows of the table: which program, with which arguments, and the ratio that is aimed at."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.primal import EXAMPLES, PROGRAMS, ROOT

sys.path.insert(0, str(ROOT / "examples"))
from adbench_data import random_gmm, random_lstm

Arguments = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    folder: Path
    module: str
    function: str
    wrt: tuple[int, ...]
    limit: float
    arguments: Callable[[], Arguments]
    static: tuple[int, ...] = ()  # the arguments that jax must know when it traces
    short: bool = False  # so short that the call from Python counts: timed from compiled code too


def _vector(n: int, low: float = 0.0, high: float = 1.0) -> Arguments:
    return (np.random.default_rng(0).uniform(low, high, size=n),)


def _grid() -> Arguments:
    return (np.random.default_rng(0).normal(size=(10, 10)),)


def _block() -> Arguments:
    return (np.array([1.5, 1.001]),)


def _branchy() -> Arguments:
    return (*_vector(1000, -1.0, 1.0), 0.9)


def _stencil() -> Arguments:
    # Inner values decay, those at the ends stay: repeated calls do not run into denormals.
    return (np.random.default_rng(0).uniform(0.5, 1.0, size=200), 0.2, 50)


ROWS = (
    Row("_sum, while loop, n=1000", PROGRAMS, "sums", "sum_loop", (0,), 1.4,
        lambda: _vector(1000), short=True),
    Row("_sum_sin, loop, n=1000", PROGRAMS, "sums", "sum_sin_loop", (0,), 1.5,
        lambda: _vector(1000), short=True),
    Row("naive map sin(cos(exp)), 10x10", PROGRAMS, "naive_map", "naive_map", (0,), 1.5,
        _grid, short=True),
    Row("block of 400 multiplications", PROGRAMS, "block", "block", (0,), 2.5,
        _block, short=True),
    Row("branchy loop, n=1000", PROGRAMS, "branchy", "branchy", (0, 1), 1.9, _branchy),
    Row("in-place stencil, n=200, 50 sweeps", PROGRAMS, "stencil", "stencil", (0, 1), 2.5,
        _stencil, static=(2,)),
    Row("while loop, n=100", PROGRAMS, "fixed_point", "fixed_point", (0,), 2.0,
        lambda: _vector(100)),
    Row("GMM, d=10, k=25, n=1000", EXAMPLES, "gmm", "gmm_objective", (0, 1, 2, 3), 4.0,
        lambda: random_gmm(1000, 10, 25), static=(5, 6)),
    Row("LSTM, l=2, c=1024, b=14", EXAMPLES, "lstm", "lstm_objective", (0, 1), 4.0,
        lambda: random_lstm(2, 1024, 14)),
)  # fmt: skip
