"""Loops of a region that are fused with their reverse, seen in the loops that are emitted."""

from __future__ import annotations

import numpy as np
import pytest
from mooncake_transpiler import ir

from tests.ad.deriving import derivatives, loops
from tests.helpers.transpile import transpiled

SUM = "    for i in range(n):\n        s += math.sin(y[i])\n"


def _loops(body: str, result: str = "s") -> int:
    """The number of loops of ``vjp``, where each of ``body`` stands once if fused."""
    func = derivatives(
        "def f(x: Vec, q: int) -> float:\n    n = len(x)\n    y = x.copy()\n    s = 0.0\n"
        f"    t = 0.0\n{body}    return {result}\n"
    )["vjp"]
    return len(loops(func))


def test_independent_sums_are_both_fused() -> None:
    other = "    for i in range(n):\n        t += x[i] * x[i]\n"
    assert _loops(SUM + other, "s + 2.0 * t") == 2


def test_a_sum_whose_cotangent_a_later_loop_completes_is_not_fused() -> None:
    """``t``'s loop adds to the cotangent of ``s`` in every iteration."""
    other = "    for i in range(n):\n        t += s * y[i]\n"
    assert _loops(SUM + other, "t") == 3


def test_a_producer_is_not_fused_if_its_consumer_is_not_linear_in_known_cotangents() -> None:
    """``y_bar`` is known only when the sum over ``y`` has been reversed: fuse the second alone."""
    fill = "    for i in range(n):\n        y[i] = math.sin(x[i])\n"
    consume = "    for i in range(n):\n        s += y[i] * y[n - 1 - i]\n"
    assert _loops(fill + consume) == 3


def test_a_sum_over_what_is_overwritten_later_keeps_its_place() -> None:
    """The reverse of the second loop clears cotangents to which the first one adds."""
    clear = "    for i in range(n):\n        y[i] = x[i] * s\n"
    again = "    for i in range(n):\n        t += y[i] * y[i]\n"
    assert _loops(SUM + clear + again, "t") >= 5


def test_branches_are_fused_as_a_whole() -> None:
    body = "    if q > 0:\n        for i in range(n):\n            s += y[i] * y[i]\n"
    func = derivatives(
        f"def f(y: Vec, q: int) -> float:\n    n = len(y)\n    s = 0.0\n{body}    return s\n"
    )["vjp"]
    assert len(loops(func)) == 1
    assert sum(isinstance(s, ir.If) for s in ir.walk(func.body)) == 1


def test_split_functions_fuse_nothing() -> None:
    made = derivatives(
        "def f(x: Vec) -> float:\n    s = 0.0\n    for e in x:\n        s += math.sin(e)\n"
        "    return s\n"
    )
    assert len(loops(made["fwd"])) == len(loops(made["pullback"])) == 1


def test_a_while_loop_of_sums_is_fused() -> None:
    body = "    i = 0\n    while i < n:\n        s += x[i] * x[i]\n        i += 2\n"
    assert _loops(body) == 1


def test_iterations_with_recurrences_inside_are_fused_outside() -> None:
    """The tape has the size of one iteration: the inner loop is taped, the outer one fused."""
    func = derivatives(
        """
def f(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        t = 1.0
        for j in range(m.shape[1]):
            t = math.sin(t) * m[i, j]
        s += t
    return s
"""
    )["vjp"]
    outer, *inner = loops(func)
    assert len(inner) == 2
    assert all(loop in set(ir.walk(outer.body)) for loop in inner)
    arrays = [s for s in ir.walk(func.body) if isinstance(s, ir.Alloc)]
    tapes = [s for s in arrays if s.out not in func.body.yields]
    assert tapes
    assert all(len(tape.shape) == 1 for tape in tapes)


GUARDED = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Ints = Annotated[NDArray[np.int64], "k"]


# mooncake: modes=reverse,forward
def one(x: Vec, i: int) -> float:
    s = 0.0
    for v in x:
        s += v * v
    if i >= len(x):
        raise ValueError("too far")
    return s + x[i]


# mooncake: modes=reverse,forward
def many(x: Vec, k: Ints, c: float) -> float:
    s = 0.0
    for v in x:
        s += v * v * c
    for i in k:
        if i >= len(x):
            raise ValueError("too far")
    for i in k:
        s += 2.0 * x[i]
    return s


# mooncake: modes=reverse,forward
def row(m: Annotated[NDArray[np.float64], "n m"], i: int) -> float:
    s = 0.0
    for v in m[0]:
        s += v * v
    if i >= m.shape[0]:
        raise ValueError("too far")
    return s * np.sum(m[i])
"""


def test_what_a_check_guards_stands_behind_it() -> None:
    """Memory is not read, nor shadows written, before the function has looked at the index."""
    _, made = transpiled(GUARDED)
    x, k = np.ones(3), np.array([0, 9])
    calls = {
        "one": ((x, 9), (x,)), "many": ((x, k, 2.0), (x, 1.0)),
        "row": ((np.ones((2, 3)), 9), (np.ones((2, 3)),)),
    }  # fmt: skip
    for name, (args, tangents) in calls.items():
        for suffix, more in (
            ("value_and_grad", ()),
            ("fwd", ()),
            ("vjp", (1.0,)),
            ("jvp", tangents),
        ):
            with pytest.raises(ValueError, match="too far"):
                getattr(made, f"{name}_{suffix}")(*args, *more)
    assert made.one_value_and_grad(x, 1)[1].tolist() == [2.0, 3.0, 2.0]
