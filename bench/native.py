"""Timing from compiled code, for programs of one array that are shorter than a call from Python.

The argument changes between calls, as far as the compiler can tell, and each result is used: so
nothing is hoisted out of the loop or dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

CALLS = 200
TINY = 1e-300

Loop = Callable[[NDArray[np.float64]], float]


def value_loop(function: Callable[..., Any]) -> Loop:
    """A compiled function that calls ``function(x)`` ``CALLS`` times."""

    @njit
    def loop(x):  # type: ignore[no-untyped-def]
        flat = x.ravel()
        first = flat[0]
        total = 0.0
        for _ in range(CALLS):
            total += function(x)
            flat[0] = first + TINY * total
        flat[0] = first
        return total

    return loop  # type: ignore[no-any-return]


def gradient_loop(function: Callable[..., Any]) -> Loop:
    """The same for ``function(x)`` that returns a value and an array."""

    @njit
    def loop(x):  # type: ignore[no-untyped-def]
        flat = x.ravel()
        first = flat[0]
        total = 0.0
        for _ in range(CALLS):
            value, gradient = function(x)
            total += value
            flat[0] = first + TINY * (total + gradient.ravel()[0])
        flat[0] = first
        return total

    return loop  # type: ignore[no-any-return]
