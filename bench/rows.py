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
    forward: float = 3.0  # what is aimed at in forward mode
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


def _normal(*shapes: tuple[int, ...]) -> Arguments:
    rng = np.random.default_rng(0)
    return tuple(rng.normal(size=shape) for shape in shapes)


def _mlp() -> Arguments:
    return _normal((128, 256), (256, 128), (128, 70), (128, 70))


def _gp() -> Arguments:
    return (0.2 * np.arange(128), *_normal((128,)), 1.0)


def _turing() -> Arguments:
    return (np.zeros(2), np.random.default_rng(0).lognormal(1.5, 0.5, size=100_000))


def _heat() -> Arguments:
    return (*_normal((100, 100)), 0.2, 50)


def _jacobi() -> Arguments:
    return (*_normal((100, 100), (100, 100)), 0.1, 50)


def _fdtd() -> Arguments:
    return (*_normal((60, 80), (60, 80), (60, 80), (40,)), 0.5)


def _cavity() -> Arguments:
    u, v, p = np.zeros((3, 41, 41))
    return (u, v, p, 1.0, 0.1, 1.0, 0.001, 10, 50)


def _nbody() -> Arguments:
    mass = np.random.default_rng(1).uniform(0.5, 1.5, size=(100, 1)) / 100.0
    return (*_normal((100, 3), (100, 3)), mass, 0.1, 0.01, 10)


ROWS = (
    Row("_sum, while loop, n=1000", PROGRAMS, "sums", "sum_loop", (0,), 1.4,
        lambda: _vector(1000), short=True, forward=1.01),
    Row("_sum_sin, loop, n=1000", PROGRAMS, "sums", "sum_sin_loop", (0,), 1.5,
        lambda: _vector(1000), short=True, forward=1.5),
    Row("naive map sin(cos(exp)), 10x10", PROGRAMS, "naive_map", "naive_map", (0,), 1.5,
        _grid, short=True, forward=1.4),
    Row("block of 400 multiplications", PROGRAMS, "block", "block", (0,), 2.5,
        _block, short=True, forward=2.03),
    Row("sum, n=1000", PROGRAMS, "whole_arrays", "sum_all", (0,), 1.4,
        lambda: _vector(1000), short=True, forward=1.5),
    Row("sum_sin, n=1000", PROGRAMS, "whole_arrays", "sum_sin", (0,), 1.4,
        lambda: _vector(1000), short=True, forward=1.38),
    Row("kron_sum, 20x20, 40x40", PROGRAMS, "whole_arrays", "kron_sum", (0, 1), 1.6,
        lambda: _normal((20, 20), (40, 40)), forward=2.96),
    Row("kron_view_sum, 40x30, 40x40", PROGRAMS, "whole_arrays", "kron_view_sum", (0, 1), 1.6,
        lambda: _normal((40, 30), (40, 40)), forward=3.38),
    Row("map sin(cos(exp)), 10x10", PROGRAMS, "whole_arrays", "map_sin_cos_exp", (0,), 1.5,
        _grid, short=True, forward=1.45),
    Row("simple_mlp", PROGRAMS, "whole_arrays", "simple_mlp", (0, 1, 2, 3), 3.4, _mlp, forward=3.1),
    Row("gp_lml, n=128", PROGRAMS, "whole_arrays", "gp_lml", (0, 1, 2), 3.3, _gp, forward=2.08),
    Row("turing_broadcast, n=100000", PROGRAMS, "whole_arrays", "turing_broadcast", (0, 1), 1.8,
        _turing, forward=3.48),
    Row("heat, 100x100, 50 steps", PROGRAMS, "slices", "heat", (0, 1), 3.0, _heat, static=(2,)),
    Row("jacobi, 100x100, 50 sweeps", PROGRAMS, "slices", "jacobi", (0, 1, 2), 3.0, _jacobi,
        static=(3,)),
    Row("fdtd, 60x80, 40 steps", PROGRAMS, "slices", "fdtd", (0, 1, 2, 3, 4), 3.0, _fdtd),
    Row("cavity flow, 41x41, 10 steps", PROGRAMS, "slices", "cavity", (0, 1, 2, 3, 4, 5, 6), 3.0,
        _cavity, static=(7, 8)),
    Row("nbody, n=100, 10 steps", PROGRAMS, "slices", "nbody", (0, 1, 2, 3, 4), 3.0, _nbody,
        static=(5,)),
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
