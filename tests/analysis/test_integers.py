"""Proofs about index ranges; what must not be proved has a counterexample beside it."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import Access, Definitions
from mooncake_transpiler.analysis.integers import Integers, LinearSum, Range

from tests.ad.deriving import found, function, loops


def _function(loop: str, body: str = "s += x[i]") -> ir.Func:
    return function(
        "def f(x: Vec, m: Mat, p: Ints, q: int) -> float:\n"
        "    n = len(x)\n    w = np.zeros(q)\n    s = 0.0\n"
        f"    {loop}\n        {body}\n    return s + w[0]\n"
    )


def _first_loop(func: ir.Func) -> ir.For:
    loop = loops(func)[0]
    assert isinstance(loop, ir.For)
    return loop


def _span(loop: str) -> Range | None:
    func = _function(loop)
    return Integers(Definitions(func)).span(_first_loop(func))


def test_span_of_unit_steps() -> None:
    up = _span("for i in range(2, 7):")
    assert up == Range(LinearSum(2), LinearSum(7))
    down = _span("for i in range(6, -1, -1):")
    assert down == Range(LinearSum(), LinearSum(7))
    to_zero = _span("for i in range(n - 1, -1, -1):")
    assert to_zero is not None
    assert to_zero.lo == LinearSum()
    to_one = _span("for i in range(n - 1, 0, -1):")
    assert to_one is not None
    assert to_one.lo == LinearSum(1)
    assert _span("for i in range(q, -1, -1):") is not None


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range(0, n, 2):",  # leaves out 1
        "for i in range(0, n, q):",
    ],
)
def test_no_span(loop: str) -> None:
    assert _span(loop) is None


@pytest.mark.parametrize(("at", "inside"), [(0, True), (1, True), (2, False)])
def test_constant_positions(at: int, inside: bool) -> None:
    func = function(
        f"def f(x: Vec) -> float:\n    w = np.zeros(2)\n    w[{at}] = x[0]\n    return w[1]\n"
    )
    defs = Definitions(func)
    store = next(s for s in ir.walk(func.body) if isinstance(s, ir.Store))
    assert Integers(defs).in_bounds(defs.access(store.base, store.index)) is inside


def _in_bounds(loop: str, body: str) -> bool:
    """True if the load that ``body`` adds is in bounds, executed or not."""
    func = _function(loop, body)
    defs = Definitions(func)
    load = next(s for s in ir.walk(_first_loop(func).body) if isinstance(s, ir.Load))
    return Integers(defs).in_bounds(defs.access(load.base, load.index))


@pytest.mark.parametrize(
    ("loop", "body"),
    [
        ("for i in range(n):", "s += x[i]"),
        ("for i in range(len(x)):", "s += x[i]"),
        ("for i in range(2, n - 1):", "s += x[i]"),
        ("for i in range(n - 1, -1, -1):", "s += x[i]"),
        ("for i in range(n - 3, -1, -1):", "s += x[i]"),
        ("for i in range(q):", "s += w[i]"),
        ("for i in range(1, n):", "s += x[i - 1]"),
        ("for i in range(n - 1, 0, -1):", "s += x[i - 1]"),
        ("for i in range(n):", "s += x[n - 1 - i]"),
    ],
)
def test_in_bounds(loop: str, body: str) -> None:
    assert _in_bounds(loop, body)


@pytest.mark.parametrize(
    ("loop", "body"),
    [
        ("for i in range(n + 1):", "s += x[i]"),
        ("for i in range(q):", "s += x[i]"),  # q = len(x) + 1
        ("for i in range(n):", "s += w[i]"),  # q = 0
        ("for i in range(n - q):", "s += x[i]"),  # q = -1
        ("for i in range(-1, n):", "s += x[i]"),  # x is empty
        ("for i in range(n - 0, -1, -1):", "s += x[i]"),
        ("for i in range(n - 3, -2, -1):", "s += x[i]"),
        ("for i in range(n):", "s += x[0]"),  # x is empty
        ("for i in range(n):", "s += x[i - 1]"),
        ("for i in range(n):", "s += x[p[i]]"),
        ("for i in range(n):", "s += m[i, 0]"),
    ],
)
def test_not_in_bounds(loop: str, body: str) -> None:
    assert not _in_bounds(loop, body)


def _le(a: str, b: str) -> bool:
    """True if ``a <= b`` is proved; both are bounds of loops."""
    func = _function("for i in range(q):", f"s += w[{a}] * w[{b}]")
    first, second = (s for s in found(func, ir.Load)[:2] if isinstance(s, ir.Load))
    return (integers := Integers(Definitions(func))).at_most(
        integers.of(first.index[0]), integers.of(second.index[0])
    )


@pytest.mark.parametrize(
    ("a", "b"),
    [("2", "3"), ("0", "n"), ("n", "n + 1"), ("n - 1", "n"), ("i", "i + n")],
)
def test_at_most(a: str, b: str) -> None:
    assert _le(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("3", "2"),
        ("n + 1", "n"),
        ("0", "q"),  # q = -1
        ("n", "n + q"),
        ("n - q", "n"),
        ("1", "n"),  # n = 0
        ("i", "n"),
        ("0", "n - 1"),  # n = 0
    ],
)
def test_not_at_most(a: str, b: str) -> None:
    assert not _le(a, b)


def _contains(written: str, read: str) -> bool:
    """True if the range of the loop ``written`` contains the index of the loop ``read``."""
    func = function(
        "def f(x: Vec, m: Mat, p: Ints, q: int) -> float:\n"
        "    n = len(x)\n    w = np.zeros(n)\n    s = 0.0\n"
        f"    for i in {written}:\n        w[i] = x[i]\n"
        f"    for i in {read}:\n        s += w[i]\n    return s\n"
    )
    first, second = (loop for loop in loops(func) if isinstance(loop, ir.For))
    defs = Definitions(func)
    ranges = Integers(defs)
    (load,) = (s for s in second.body.stmts if isinstance(s, ir.Load))
    access: Access = defs.access(load.base, load.index)
    span = ranges.span(first)
    return span is not None and ranges.contains(span, access.index[0], access.root, 0)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("range(n)", "range(q)"),  # the whole array
        ("range(n)", "range(-3, q, 2)"),
        ("range(q)", "range(q)"),
        ("range(q)", "range(q - 1, -1, -1)"),
        ("range(1, q)", "range(2, q)"),
        ("range(q, n)", "range(q, n)"),
        ("range(5)", "range(1, 4)"),
    ],
)
def test_contains(written: str, read: str) -> None:
    assert _contains(written, read)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("range(1, n)", "range(n)"),
        ("range(n - 1)", "range(n)"),
        ("range(q)", "range(q + 1)"),
        ("range(q)", "range(-1, q)"),
        ("range(4)", "range(5)"),
        ("range(1, q)", "range(q - 1)"),
        ("range(0, n, 2)", "range(n)"),
        ("range(q, n)", "range(n)"),
    ],
)
def test_does_not_contain(written: str, read: str) -> None:
    assert not _contains(written, read)
