"""Cached properties are computed once: where loops and branches ask, nothing may change later."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Refusal, gradient_text, refusals, transpiled

HEAD = """
from functools import cached_property
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

V = Annotated[NDArray[np.float64], "n"]


class Curve:
    def __init__(self, rates, extra):
        self.rates = rates
        self.extra = extra

    @cached_property
    def level(self):
        return float(np.sum(self.rates)) + self.extra

    @cached_property
    def twice(self):
        return 2 * self.level


class Desk:
    def __init__(self, curve):
        self.curve = curve

    @cached_property
    def value(self):
        return self.curve.extra * 2


def bump(v):
    v[0] += 1.0


"""
CHANGED = {
    "in place": "c.rates[0] += 1.0",
    "by another name": "y[0] += 1.0",
    "by a helper": "bump(y)",
    "a field": "c.extra = 2.0",
    "by setattr": 'setattr(c, "extra", 2.0)',
}


@pytest.mark.parametrize("asked", ["c.level", "c.twice"])
@pytest.mark.parametrize("change", CHANGED)
def test_what_changes_in_a_loop(change: str, asked: str) -> None:
    source = (
        "def f(x: V) -> float:\n    y = x.copy()\n    c = Curve(y, 1.0)\n    t = 0.0\n"
        f"    for i in range(3):\n        t += {asked}\n        {CHANGED[change]}\n    return t\n"
    )
    with pytest.raises(Refusal, match=r"MK340.*computed here"):
        gradient_text(HEAD + source)


def test_what_changes_behind_a_branch() -> None:
    source = (
        "def f(x: V, flag: bool) -> float:\n    c = Curve(x.copy(), 1.0)\n    t = 0.0\n"
        "    if flag:\n        t += c.level\n    c.rates[0] = 3.0\n    return t + c.level\n"
    )
    with pytest.raises(Refusal, match=r"MK340.*computed here"):
        gradient_text(HEAD + source)


def test_what_an_object_inside_holds() -> None:
    source = (
        "def f(x: V) -> float:\n    c = Curve(x.copy(), 1.0)\n    d = Desk(c)\n    t = 0.0\n"
        "    for i in range(3):\n        t += d.value\n        c.extra += 1.0\n"
        "    return t * x[0]\n"
    )
    with pytest.raises(Refusal, match=r"MK340.*computed here"):
        gradient_text(HEAD + source)


STAYS = """
def in_loops(x: V, n: int) -> float:
    c = Curve(x * 2.0, x[0])
    t = 0.0
    for i in range(n):
        t += c.level * i
        if i > 1:
            t += c.twice
    return t


def of_new_objects(x: V, n: int) -> float:
    t = 0.0
    for i in range(n):
        r = x * i
        r[0] = x[1]
        c = Curve(r, 1.0)
        t += c.level + c.twice
    return t


"""
BEFORE = """
def asked_before(x: V) -> float:
    c = Curve(x.copy(), 1.0)
    t = c.level
    for i in range(3):
        c.rates[0] += 1.0
        t += c.level
    return t
"""


def test_what_stays() -> None:
    primal, made = transpiled(HEAD + STAYS)
    x = np.array([0.7, 1.3, -0.4])
    check_gradients(primal.in_loops, made, (x, 4))
    check_gradients(primal.of_new_objects, made, (x, 3))
    primal, made = transpiled(HEAD + BEFORE)
    check_gradients(primal.asked_before, made, (x,))


CACHED = """
from functools import lru_cache

def grow(xs):
    xs.append(1.0)

def f(x: float) -> float:
    xs = [x, 2.0]

    @lru_cache
    def g(k: int) -> float:
        {inside}
        return sum(xs) * k

    t = g(2)
    {behind}
    return t + g(2)
"""


@pytest.mark.parametrize(
    ("inside", "behind"),
    [
        ("pass", "xs[0], xs[1] = xs[1] * 3, xs[0]"),
        ("pass", "grow(xs)"),
        ("xs.append(x)", "pass"),
        ("pass", "ys = xs; ys.append(x)"),
        ("pass", "xs += [x]"),
    ],
)
def test_caches_of_nested_functions_that_see_what_changes(inside: str, behind: str) -> None:
    found = refusals(CACHED.format(inside=inside, behind=behind))
    assert {one.code for one in found} == {"MK340"}
