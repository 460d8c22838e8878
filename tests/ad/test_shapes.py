"""Tangents and cotangents of other shapes than what they belong to, as callers may give them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from tests.helpers.transpile import Modules, transpiled

SOURCE = """
from dataclasses import dataclass
from typing import Annotated as A, NamedTuple
import numpy as np
from numpy.typing import NDArray

V = A[NDArray[np.float64], "n"]
M = A[NDArray[np.float64], "k m"]


class Pair(NamedTuple):
    a: V
    b: float


@dataclass
class Box:
    v: V
    t: float


def squares(x: V) -> V:
    return x * x


def part(x: V) -> V:
    return x[1:] * 2.0


def same(x: V) -> V:
    return x


def matrix(x: M) -> M:
    return x * 2.0


def made(x: V, n: int) -> V:
    out = np.zeros(n)
    for i in range(n):
        out[i] = x[0] * i
    return out


def two(x: V, y: float) -> tuple[V, float]:
    return np.exp(x), y


def pair(x: V, y: float) -> Pair:
    return Pair(x * y, y)


def box(p: Box) -> Box:
    return Box(p.v * p.t, p.t)


def written(x: V) -> V:
    x *= 2.0
    return x


def constant(x: V) -> tuple[V, float]:
    return np.ones(3), x[0]


def chosen(x: V, c: bool) -> V:
    if c:
        y = x[1:]
    else:
        y = np.zeros(2)
        y[0] = x[0]
    return y


def growing(x: V) -> list[float]:
    out = []
    for v in x:
        if v > 0:
            out.append(v * v)
    return out


def arrays(x: V) -> list[V]:
    out = []
    for v in x:
        out.append(x * v)
    return out


# mooncake: modes=reverse,forward,hvp
def loss(x: V, m: M) -> float:
    return np.sum(x * x) + np.sum(m * m)


# mooncake: modes=reverse,forward,hvp
def energy(p: Box) -> float:
    return np.sum(p.v * p.v) * p.t


def total(xs: list[V]) -> float:
    s = 0.0
    for x in xs:
        s += np.sum(x * x)
    return s
"""
X, MATRIX = np.array([1.0, 2.0, 3.0]), np.ones((2, 3))
ones = np.ones


@cache
def modules(jit: bool) -> Modules:
    return transpiled(SOURCE, jit=jit)


def box(v: np.ndarray) -> object:
    return modules(False)[0].Box(v, 2.0)


# Function, arguments, what is right, what is wrong, how that is called.
COTANGENTS = [
    ("squares", (X,), ones(3), ones(5), "y_bar"),
    ("squares", (X,), ones(3), ones(2), "y_bar"),
    ("part", (X,), ones(2), ones(3), "y_bar"),
    ("same", (X,), ones(3), ones(2), "y_bar"),
    ("matrix", (MATRIX,), ones((2, 3)), ones((3, 2)), "y_bar"),
    ("matrix", (MATRIX,), ones((2, 3)), ones((2, 4)), "y_bar"),
    ("made", (X, 4), ones(4), ones(3), "y_bar"),
    ("two", (X, 2.0), (ones(3), 1.0), (ones(2), 1.0), "y_bar[0]"),
    ("pair", (X, 2.0), (ones(3), 1.0), (ones(4), 1.0), "y_bar.a"),
    ("box", (box(X),), box(X), box(ones(2)), "y_bar.v"),
    ("written", (X * 1.0,), ones(3), ones(2), "y_bar"),
    ("constant", (X,), (ones(3), 1.0), (ones(2), 1.0), "y_bar[0]"),
    ("chosen", (X, True), ones(2), ones(1), "y_bar"),
    ("chosen", (X, False), ones(2), ones(3), "y_bar"),
    ("growing", (X,), [1.0, 1.0, 1.0], [1.0], "y_bar"),
    ("arrays", (X,), [ones(3)] * 3, [ones(3)] * 2, "y_bar"),
    ("arrays", (X,), [ones(3)] * 3, [ones(2), ones(4), ones(3)], "y_bar"),
]
TANGENTS = [
    ("squares_jvp", (X,), (ones(2),), "x_dot must have the shape of x"),
    ("matrix_jvp", (MATRIX,), (ones((3, 2)),), "x_dot must have the shape of x"),
    ("box_jvp", (box(X),), (box(ones(2)),), "p_dot.v must have the shape of p.v"),
    ("total_jvp", ([X, X],), ([ones(2), ones(3)],), "xs_dot must have the shape of xs"),
    ("total_jvp", ([X, X],), ([ones(3)],), "xs_dot must have the shape of xs"),
    ("loss_hvp", (X, MATRIX), (ones(2), MATRIX), "x_dot must have the shape of x"),
    ("loss_hvp", (X, MATRIX), (X, ones((2, 2))), "m_dot must have the shape of m"),
    ("energy_hvp", (box(X),), (box(ones(4)),), "p_dot.v must have the shape of p.v"),
]


def message(call: Callable[..., object], *args: object) -> str:
    with pytest.raises(ValueError, match=": ") as caught:
        call(*args)
    return str(caught.value)


@pytest.mark.parametrize("jit", [False, True])
def test_cotangents(jit: bool) -> None:
    made = modules(jit)[1]
    for name, args, right, wrong, path in COTANGENTS[:: 3 if jit else 1]:
        vjp, fwd, pullback = (getattr(made, f"{name}_{s}") for s in ("vjp", "fwd", "pullback"))
        expected = f"{name}: {path} must have the shape of the result"
        assert message(vjp, *args, wrong) == expected
        assert message(pullback, fwd(*args)[1], wrong) == expected
        assert len(vjp(*args, right)) == 2


@pytest.mark.parametrize("jit", [False, True])
def test_tangents(jit: bool) -> None:
    made = modules(jit)[1]
    for name, args, wrong, text in TANGENTS[:: 3 if jit else 1]:
        expected = f"{name.rpartition('_')[0]}: {text}"
        assert message(getattr(made, name), *args, *wrong) == expected
        assert len(getattr(made, name)(*args, *args)) == 2


@pytest.mark.parametrize("jit", [False, True])
def test_other_structures(jit: bool) -> None:
    made = modules(jit)[1]
    with pytest.raises(TypeError, match="two_vjp: parameter 'y_bar' must be a tuple of length 2"):
        made.two_vjp(X, 2.0, (ones(3),))
    with pytest.raises(TypeError, match="two_pullback: parameter 'y_bar' must be a tuple"):
        made.two_pullback(made.two_fwd(X, 2.0)[1], ones(3))
    with pytest.raises(TypeError, match="squares_vjp: parameter 'y_bar' must be a float64 array"):
        made.squares_vjp(X, ones((3, 1)))
    with pytest.raises(TypeError, match="matrix_jvp: parameter 'x_dot' must be a float64 array"):
        made.matrix_jvp(MATRIX, 1.0)
