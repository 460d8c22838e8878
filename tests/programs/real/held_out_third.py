"""Arguments for each public function of the programs of the third held-out sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.programs.real.drawing import Arguments, numbers

TABLE = np.array(
    [
        [2.3, 0.4, -0.2, 0.1, -0.05, -1.0, 3.0],
        [3.1, 0.3, 0.1, -0.1, 0.04, 0.2, 5.0],
        [2.7, 0.2, 0.3, 0.2, -0.02, -1.5, 4.2],
    ]
)
EXPONENTS = np.array([[1.0, 0.5], [0.7, 1.0], [1.0, 0.2]])
TIMES = [0.5, 1.0, 2.5, 4.0]

POINTS: Mapping[str, Callable[[], dict[str, Arguments]]] = {
    "reverse_rates": lambda: {
        "progress_rate": (
            EXPONENTS, EXPONENTS[::-1].copy(), TABLE, numbers(3), numbers(2), numbers(2), 1.3,
        )
    },
    "crossing_averages": lambda: {
        "backtest": ([3.0, 3.2, 3.5, 3.1, 2.8, 2.9, 3.4, 3.6], 100.0, 0.01, 0.5, 2, 4)
    },
    "snow_and_soil": lambda: {
        "hydrologic_model": (
            [3.0, 1.0, 4.0, 2.0], [-2.0, 1.0, 3.0, 0.5], ((0.1, 1.1, 0.05), (4.0, 0.1, 2.0)),
            (0.2, 0.0, 0.5, 1.0),
        )
    },
    "mixture_by_steps": lambda: {"held_out_score": (numbers(7, 2), numbers(4, 2), 2)},
    "repeated_doses": lambda: {
        "auc_trapezoid": ([0.0, 1.0, 2.0, 4.0], [0.5, 2.0, 1.5, 0.6]),
        "one_compartment": (10.0, 1.2, 0.3, 4.0, TIMES),
        "multiple_dosing": ([(0.0, 10.0), (2.0, 5.0)], 1.2, 0.3, 4.0, TIMES),
    },
    "tracked_by_landmarks": lambda: {
        "tracked": (
            numbers(5, 2), numbers(6, 2), 0.1 * numbers(5, 6, 2), 0.4, 0.3, numbers(2, 2),
        )
    },
}  # fmt: skip
