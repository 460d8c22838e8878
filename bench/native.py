"""Timing from compiled code, for programs of one array that are shorter than a call from Python.

The argument changes between calls, as far as the compiler can tell, and each result is used: so
nothing is hoisted out of the loop or dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit

CALLS = 200
TINY = 1e-300

Loop = Callable[..., float]


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


def tangent_loop(function: Callable[..., Any]) -> Loop:
    """The same for ``function(x, x_dot)`` that returns a value and its tangent, two numbers."""

    @njit
    def loop(x, x_dot):  # type: ignore[no-untyped-def]
        flat = x.ravel()
        first = flat[0]
        total = 0.0
        for _ in range(CALLS):
            value, dot = function(x, x_dot)
            total += value
            flat[0] = first + TINY * (total + dot)
        flat[0] = first
        return total

    return loop  # type: ignore[no-any-return]
