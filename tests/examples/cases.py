"""The examples' objectives with small inputs, and what the files of ADBench must give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from adbench_data import random_ba, random_gmm, random_lstm


@dataclass(frozen=True)
class Case:
    module: str
    function: str
    wrt: tuple[int, ...]
    inputs: Callable[[], tuple]
    step: float = 0.04
    label: str = ""

    def __str__(self) -> str:
        return self.label or self.function


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def kalman_inputs(size: int, count: int) -> tuple:
    transition = 0.7 * np.eye(size) + 0.1 * rng().normal(size=(size, size))
    emission = rng().normal(size=size)
    process = 0.4 * np.eye(size) + 0.1
    return transition, emission, process, 0.5, rng().normal(size=count)


def predator_prey_inputs(count: int) -> tuple:
    rates = np.array([1.1, 0.4, 0.1, 0.4])
    return rates, np.array([3.0, 1.5]), rng().uniform(0.5, 4.0, size=(count, 2)), 0.05, 4


def poisson_inputs(tolerance: float) -> tuple:
    u, source, target = rng().normal(size=(3, 5, 6))
    return u, source, target, 0.5, tolerance


def rod_inputs() -> tuple:
    start, seen = rng().normal(size=6), rng().normal(size=(3, 6))
    return rng().uniform(0.1, 0.3, size=6), start, seen, 4


CASES = (
    Case("rosenbrock", "rosenbrock", (0,), lambda: (rng().normal(size=6),)),
    Case("gmm", "gmm_objective", (0, 1, 2, 3), lambda: random_gmm(20, 3, 4)),
    Case("gmm", "gmm_objective", (0, 1, 2, 3), lambda: random_gmm(5, 1, 1), label="gmm, d=1, k=1"),
    Case("lstm", "lstm_objective", (0, 1), lambda: random_lstm(2, 9, 3)),
    Case("ba", "ba_cost", (0, 1, 2), lambda: random_ba(2, 3, 7)),
    Case("ba", "weight_error", (0,), lambda: (0.4,)),
    Case("rk4", "predator_prey_loss", (0, 1), lambda: predator_prey_inputs(8), 0.01),
    Case("kalman", "kalman_log_likelihood", (0, 1, 2, 3), lambda: kalman_inputs(3, 12), 0.01),
    Case("rod", "rod_misfit", (0,), rod_inputs, 0.01),
    # Without a tolerance every sweep is made; with one the number of sweeps is data-dependent,
    # and steps are small enough for it to stay the same.
    Case("gauss_seidel", "poisson_misfit", (0, 1), lambda: poisson_inputs(-1.0)),
    Case("gauss_seidel", "poisson_misfit", (0, 1), lambda: poisson_inputs(1e-3), 1e-3,
         label="poisson_misfit, converged"),
)  # fmt: skip

# The value, the norm of the gradient by each parameter, and how far the norms can be relied on.
# (Some are published with few digits. Of the norms of gmm_d10_K25 the published first one is off
# in the tenth digit: in extended precision it is 298.760208687671.)
GMM_FILES = {
    "gmm_d2_K5.txt": (
        -5396.099838426139,
        (587.5386271064228, 697.3012676193172, 790.9093145165087, 537.4450700269894),
        1e-12,
    ),
    "gmm_d10_K25.txt": (
        -32901.63050364055,
        (298.760208768, 1799.591708060, 1495.760608688, 1471.187830205),
        1e-9,
    ),
    "gmm_d32_K50.txt": (
        -315277.0582200648,
        (212.2145, 9073.594, 5535.144, 6060.827),
        1e-6,
    ),
}
LSTM_FILES = {
    "lstm_l2_c1024.txt": (
        0.6666651795588522,
        (0.029439124890877556, 0.09005146879230805),
        1e-12,
    ),
    "lstm_l4_c4096.txt": (
        0.6872684039818147,
        (0.026135192607949317, 0.09255151583259855),
        1e-12,
    ),
}
BA_FILES = ("ba1_n49_m7776_p31843.txt", "ba4_n372_m47423_p204472.txt")
BA_FIRST = (0.10133584, -0.06896777)
BA_BLOCK_NORM = 2655.6014222974645
