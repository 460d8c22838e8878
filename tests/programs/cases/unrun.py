"""Loops that bind an array anew, but perhaps not once: then it is still the array of before."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from kinds import Vec


@dataclass
class Box:
    data: Vec
    other: Vec


def _written_after(x: Vec, a: float, steps: int) -> float:
    y = x
    for _ in range(steps):
        y = a * y
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def written_after(x: Vec, a: float, steps: int = 0) -> float:
    return _written_after(x, a, steps)


def written_after_some(x: Vec, a: float, steps: int = 2) -> float:
    return _written_after(x, a, steps)


def _start_is_written_after(x: Vec, a: float, steps: int) -> float:
    y = x
    for _ in range(1, steps, 2):
        y = a * y
    x[0] = 5.0 * x[1] * a
    return np.sum(x * y)


def start_is_written_after(x: Vec, a: float, steps: int = 1) -> float:
    return _start_is_written_after(x, a, steps)


def start_is_written_after_some(x: Vec, a: float, steps: int = 4) -> float:
    return _start_is_written_after(x, a, steps)


def downwards(x: Vec, a: float, steps: int = -1) -> float:
    y = x
    for _ in range(steps, -1, -1):
        y = a * y
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def view_of_start_is_written(x: Vec, a: float, steps: int = 0) -> float:
    part = x[1:]
    y = x
    for _ in range(steps):
        y = a * y
    part[0] = a * a
    return np.sum(x * y)


def while_without_iterations(x: Vec, a: float) -> float:
    y = x
    while np.sum(y) > 100.0:
        y = a * y
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def while_with_some(x: Vec, a: float) -> float:
    y = x
    while np.sum(y * y) > 0.1:
        y = a * y
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def never_accepted(x: Vec, a: float, steps: int = 3) -> float:
    y = x
    for _ in range(steps):
        z = a * y
        if z[0] > 100.0:
            y = z
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def breaks_at_once(x: Vec, a: float, steps: int = 3) -> float:
    y = x
    for t in range(steps):
        if a * t < 10.0:
            break
        y = a * y
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def in_a_loop(x: Vec, a: float, steps: int = 0) -> float:
    total = 0.0
    y = x.copy()
    for _ in range(2):
        for _ in range(steps):
            y = a * y
        y[0] = 0.5 * y[1] + y[0]
        total += np.sum(x * y)
    return total


def in_a_branch(x: Vec, a: float, steps: int = 0) -> float:
    y = x
    if a > 0.0:
        for _ in range(steps):
            y = a * y
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def field(b: Box, a: float, steps: int = 0) -> float:
    for _ in range(steps):
        b.data = a * b.data
    b.other[:] = a * b.data
    b.data[0] = 3.0 * a
    return np.sum(b.data * b.other)


def fields_are_one(b: Box, a: float, steps: int = 0) -> float:
    b.data = b.other
    for _ in range(steps):
        b.data = a * b.data
    b.data[0] = 3.0 * a * b.data[1]
    return np.sum(b.data * b.other)


def gives_start(x: Vec, a: float, steps: int = 0) -> Vec:
    y = x
    for _ in range(steps):
        y = a * y
    return y


def _doubled(x: Vec, a: float, steps: int) -> Vec:
    for _ in range(steps):
        x = x * a
    return x


def helper_gives_start(x: Vec, a: float, steps: int = 0) -> float:
    y = _doubled(x, a, steps)
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def starts_again(x: Vec, a: float, steps: int = 0) -> float:
    total = 0.0
    z = x.copy()
    for _ in range(2):
        y = z
        for _ in range(steps):
            y = a * y
        y[0] = 0.5 * y[1] + y[0]
        total += np.sum(x * y)
    return total


def starts_again_with_what_is_kept(x: Vec, a: float, steps: int = 0) -> float:
    total = 0.0
    first = x.copy()
    kept = first
    for t in range(3):
        y = kept
        for _ in range(steps):
            y = a * y
        y[0] = 0.5 * y[1] + y[0]
        if t == 1:
            kept = y
        total += np.sum(first * y)
    return total
