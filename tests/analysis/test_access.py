"""Loop iterations that never touch the same element, and those that might."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Definitions, Position, WholeAxis
from mooncake_transpiler.analysis.dataflow import Dataflow, Touched
from mooncake_transpiler.analysis.integers import Integers
from mooncake_transpiler.analysis.memory import Memories
from mooncake_transpiler.analysis.shapes import Extent, Shapes
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import FLOAT, INT, NONE, Array, DType

from tests.ad.deriving import function, loops, named


def _disjoint(body: str, loop: str = "for i in range(n):") -> bool:
    """True if the first loop's iterations are disjoint in the memory of ``a``."""
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
    dataflow = Dataflow(memories, Integers(defs))
    return dataflow.is_split(memory, dataflow.inside(outer.body)[memory], (outer,))


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


# ---- through views ------------------------------------------------------------------------------

CUBE = Array(DType.FLOAT64, 3)
X, P, Q, R = ir.Value("x", CUBE), ir.Value("p", INT), ir.Value("q", INT), ir.Value("r", INT)
WHOLE, NEW, PART = ir.Slice(), ir.NewAxis(), ir.Slice(ir.int_const(1))
UNKNOWN = WholeAxis.UNKNOWN


def through(*views: tuple[tuple[ir.Index, ...], tuple[int, ...]]) -> tuple[Definitions, ir.Value]:
    """The last of ``views`` of ``x``, each with its index and its axes."""
    b, out = Builder(), X
    for index, axes in views:
        assert isinstance(out.type, Array)
        change = sum(1 if i is NEW else 0 if isinstance(i, ir.Slice) else -1 for i in index)
        base, out = out, ir.Value("", Array(DType.FLOAT64, out.type.ndim + change))
        b.add(ir.View(out, base, index, None, axes))
    params = tuple(ir.Param(v.hint, v.type, (v,)) for v in (X, P, Q, R))
    return Definitions(ir.Func("m:f", params, NONE, b.block())), out


@pytest.mark.parametrize(
    ("views", "at", "expected"),
    [
        ([((), (2, 1, 0))], (P, Q, R), (R, Q, P)),
        ([((), (1, 2, 0))], (P, Q, R), (R, P, Q)),
        ([((), (1, 2, 0)), ((), (1, 2, 0))], (P, Q, R), (Q, R, P)),
        ([((R,), (1, 0))], (P, Q), (R, Q, P)),
        ([((WHOLE, R), (1, 0))], (P, Q), (Q, R, P)),
        ([((WHOLE, PART), (2, 1, 0))], (P, Q, R), (R, UNKNOWN, P)),
        ([((WHOLE, NEW), ())], (P, Q, R, P), (P, R, P)),
        ([((NEW, WHOLE, R), (2, 0, 1))], (P, Q, R), (R, R, P)),
        ([((P, NEW, Q), (1, 0)), ((R,), ())], (Q,), (P, Q, R)),
        ([((P, NEW, Q), (1, 0)), ((WHOLE, R), ())], (Q,), (P, Q, Q)),
        ([((), (2, 1, 0)), ((PART,), ())], (P, Q, R), (R, Q, UNKNOWN)),
    ],
)
def test_accesses_through_views(
    views: list[tuple[tuple[ir.Index, ...], tuple[int, ...]]],
    at: tuple[ir.Atom, ...],
    expected: tuple[Position, ...],
) -> None:
    defs, out = through(*views)
    found = defs.access(out, at)
    assert found.root is X
    assert found.index == expected


def test_whole_arrays_and_axes_of_views() -> None:
    defs, out = through(((P, NEW), (1, 2, 0)), ((WHOLE, PART), ()))
    assert defs.whole(out).index == (P, UNKNOWN, UNKNOWN)
    first, second, third = (Shapes(defs.stmt).origin(out, axis) for axis in range(3))
    assert first == Extent(X, 1)
    assert second == Extent(out, 1)  # a part
    assert third == Extent(ir.int_const(1), None)  # the view in between has made the axis


def test_reshaped_arrays_are_roots_of_their_own() -> None:
    """In the memory of their base, of which the positions are not known."""
    b = Builder()
    shaped, turned = ir.Value("", Array(DType.FLOAT64, 2)), ir.Value("", Array(DType.FLOAT64, 2))
    b.add(ir.Reshape(shaped, X, (P, Q)))
    b.add(ir.View(turned, shaped, (), None, (1, 0)))
    i, n = ir.Value("i", INT), ir.int_const(0)
    body = b.child()
    body.store(turned, (n, i), ir.Const(1.0, FLOAT))
    loop = ir.For((), i, n, P, ir.int_const(1), (), (), body.block())
    b.add(loop)
    params = tuple(ir.Param(v.hint, v.type, (v,)) for v in (X, P, Q))
    func = ir.Func("m:f", params, NONE, b.block())
    memories, defs = Memories(func), Definitions(func)
    access = defs.access(turned, (n, i))
    assert (access.root, access.index) == (shaped, (i, n))
    assert memories.of(turned) is memories.of(X)
    assert memories.written_params == {X}
    dataflow = Dataflow(memories, Integers(defs))
    assert not dataflow.is_split(memories.of(X), Touched({access}), (loop,))
    assert Integers(defs).covers(loop, shaped, 0)
    assert not Integers(defs).covers(loop, shaped, 1)
