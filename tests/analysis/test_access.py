"""Loop iterations that never touch the same element, and those that might."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, accesses, disjoint_iterations
from mooncake_transpiler.analysis.memory import Memories

from tests.ad.deriving import function, loops, named


def _disjoint(body: str, loop: str = "for i in range(n):") -> bool:
    """Whether the first loop's iterations are disjoint in the memory of ``a``."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    func = function(
        "def f(x: Vec, m: Mat, p: Ints, q: int) -> float:\n"
        "    n = len(x)\n    a = np.zeros((n, n))\n    b = np.zeros((n, n))\n    s = 0.0\n"
        f"    {loop}\n{lines}    return s + a[0, 0] + b[0, 0]\n"
    )
    memories, defs = Memories(func), Definitions(func)
    outer = loops(func)[0]
    assert isinstance(outer, ir.For)
    memory = memories.of(named(func, "a"))
    touched = [at for m, _, at in accesses(outer.body, memories, defs) if m is memory]
    assert touched
    return disjoint_iterations(outer, memory, touched, defs)


@pytest.mark.parametrize(
    "body",
    [
        "a[i, 0] = x[i]",
        "a[i, 0] = a[i, 1] * x[i]",
        "a[p[i], i] = x[i]",
        "for j in range(n):\n    a[i, j] += a[i, n - 1 - j]",
        "r = a[i]\nr[0] = r[1]",
        "c = a[:, i]\nc[0] = c[1] * a[2, i]",
        "a[i] = 0.0\ns += a[i, 0]",
    ],
)
def test_one_axis_is_the_loop_index(body: str) -> None:
    assert _disjoint(body)


@pytest.mark.parametrize(
    "body",
    [
        "a[0, 0] = x[i]",
        "a[i, 0] = a[0, i]",  # the index, but on another axis
        "a[i, 0] = a[i - 1, 0]",
        "a[p[i], 0] = x[i]",
        "a[i // 2, 0] = x[i]",
        "for j in range(n):\n    a[j, j] = x[i]",
        "a[i, 0] = x[i]\na[:, 0] = 1.0",
        "r = a[1:]\nr[i, 0] = a[i, 0]",  # r[i] is a[i + 1]
        "r = a[::-1]\nr[i, 0] = a[i, 0]",
        "c = a if x[i] > 0.5 else b\nc[i, 0] = x[i]",
        "c = a[i] if x[i] > 0.5 else a[0]\nc[0] = x[i]",
    ],
)
def test_iterations_that_may_meet(body: str) -> None:
    assert not _disjoint(body)


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(2, n):",
        "for i in range(0, n, 3):",
        "for i in range(n - 1, -1, -1):",
        "for i in range(n - 1, 2, -2):",
        "for i in range(n):",
    ],
)
def test_ranges_that_stay_at_or_above_zero(loop: str) -> None:
    assert _disjoint("a[i, 0] = a[i, 1] * x[0]", loop)


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(-2, n):",  # a[-1] is a[n - 1]
        "for i in range(q, n):",
        "for i in range(n, -3, -1):",
        "for i in range(n, q, -1):",
        "for i in range(n - 9, n):",
        "for i in range(-2, n, 1 + q * q):",  # the sign of the step is not known
        "for i in range(n, -4, -1 - q * q):",
    ],
)
def test_ranges_that_may_be_negative_meet_positive_ones(loop: str) -> None:
    assert not _disjoint("a[i, 0] = a[i, 1] * x[0]", loop)
