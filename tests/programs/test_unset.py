"""Variables that a function leaves unset on some of the paths on which it returns, or raises."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.helpers.transpile import transpiled

HEAD = """
class Late:
    t: float

    def __init__(self) -> None:
        pass
"""

CALLED = """
def f(x: float, c: float) -> float:
    o = Late()
    y = _set(o, c)
    return o.t * x
"""

MADE = """
def f(x: float, c: float) -> float:
    o = _made(c)
    return o.t * x
"""

TRIED = """
def f(x: float, c: float) -> float:
    o = Late()
    try:
        _set(o, c)
    except ValueError:
        pass
    return o.t * x
"""

UNSET = {
    "both arms return": """
def _set(o, c):
    if c > 0.0:
        o.t = c
        return 1.0
    return 2.0
"""
    + CALLED,
    "one returns early": """
def _set(o, c):
    if c <= 0.0:
        return
    o.t = c
"""
    + CALLED,
    "in a loop": """
def _set(o, c):
    while True:
        if c > 2.0:
            o.t = c
            return c
        if c < 0.0:
            return c
        c = c * 2.0 + 0.1
"""
    + CALLED,
    "one object": """
def _made(c):
    o = Late()
    if c > 0.0:
        o.t = c
        return o
    return o
"""
    + MADE,
    "two objects": """
def _made(c):
    if c > 0.0:
        o = Late()
        o.t = c
        return o
    p = Late()
    return p
"""
    + MADE,
    "raises": """
def _set(o, c):
    if c <= 0.0:
        raise ValueError("no")
    o.t = c
"""
    + TRIED,
}

SET = {
    "both arms": """
def _set(o, c):
    if c > 0.0:
        o.t = c
        return 1.0
    o.t = 2.0 * c
    return 2.0
"""
    + CALLED,
    "two objects": """
def _made(c):
    if c > 0.0:
        o = Late()
        o.t = c
        return o
    p = Late()
    p.t = 2.0 * c
    return p
"""
    + MADE,
    "finally": """
def _set(o, c):
    try:
        if c > 0.0:
            return 1.0
        return 2.0
    finally:
        o.t = c
"""
    + CALLED,
    "two levels": """
def _in(o, c):
    if c > 0.0:
        o.t = c
        return 1.0
    o.t = -c
    return 2.0


def _set(o, c):
    if c > 0.5:
        return _in(o, c)
    return _in(o, c - 1.0)
"""
    + CALLED,
    "raises": """
def _set(o, c):
    o.t = 2.0
    if c <= 0.0:
        raise ValueError("no")
    o.t = c
"""
    + TRIED,
}


@pytest.mark.parametrize("case", UNSET)
def test_unset(case: str) -> None:
    """An AttributeError where Python raises one, and the value where it doesn't."""
    program, generated = transpiled(HEAD + UNSET[case])
    for c in (0.7, 2.5, 0.3, -0.5):
        wanted, found = (_outcome(f, c) for f in (program.f, generated.f_value_and_grad))
        assert found == wanted


def _outcome(f: Callable[[float, float], object], c: float) -> object:
    """The value of ``f``, or the text of its AttributeError."""
    try:
        found = f(1.5, c)
    except AttributeError as error:
        return str(error)
    return found[0] if isinstance(found, tuple) else found


@pytest.mark.parametrize("case", SET)
def test_set(case: str) -> None:
    program, generated = transpiled(HEAD + SET[case])
    for c in (0.7, 0.3, -0.5):
        assert generated.f_value_and_grad(1.5, c)[0] == program.f(1.5, c)


LATE = """
def f(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    for v in x:
        last = v * v
    return last


def g(c: float, k: int) -> float:
    y = c * c
    if k > 0:
        del y
    return y * c


def h(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> float:
    for k in range(len(x)):
        if k % 2 == 1:
            kept = [x[k]]
        elif k > 0:
            kept.append(x[k])
    return sum(kept)
"""


def test_at_run_time() -> None:
    program, generated = transpiled("import numpy as np\n" + LATE)
    for args in (
        (generated.f_grad, program.f, np.zeros(0)),
        (generated.g_grad, program.g, 0.5, 1),
        (generated.h_grad, program.h, np.ones(1)),
    ):
        gradient, primal, *given = args
        with pytest.raises(UnboundLocalError) as expected:
            primal(*given)
        with pytest.raises(UnboundLocalError) as found:
            gradient(*given)
        assert str(found.value) == str(expected.value)
    assert generated.g_grad(0.5, 0) == pytest.approx(0.75)
    assert generated.h_grad(np.ones(5)).tolist() == [0.0, 0.0, 0.0, 1.0, 1.0]
