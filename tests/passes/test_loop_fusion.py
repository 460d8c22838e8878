"""Loops that follow one another become one, and what one stores for the other is not stored."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.load_forwarding import load_forwarding
from mooncake_transpiler.passes.loop_fusion import loop_fusion

from tests.passes.programs import (
    BOOL,
    FLOAT,
    INT,
    MATRIX,
    ONE,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    loop,
    plus,
    real,
    text,
    variable,
)

X, W, A = variable("x", VECTOR), variable("w", MATRIX), variable("a", FLOAT)
DOWN = ir.int_const(-1)


def made(b: Builder, size: ir.Atom, name: str = "y") -> ir.Value:
    return b.alloc(VECTOR, (size,), None, name)


def stores(b: Builder, y: ir.Value, n: ir.Atom, work: int = 1, down: bool = False) -> None:
    """``for i: y[i] = x[i] * a * ... * a``"""
    i, body = variable("i", INT), b.child()
    value: ir.Atom = body.load(X, (i,))
    for _ in range(work):
        value = body.compute("mul", (value, A), FLOAT)
    body.store(y, (i,), value)
    if down:
        loop(b, i, DOWN, body.block(), lo=b.compute("sub", (n, ONE), INT), step=DOWN)
    else:
        loop(b, i, n, body.block())


def sums(b: Builder, y: ir.Value, n: ir.Atom, lo: ir.Atom = ZERO, by: ir.Atom = ZERO) -> ir.Value:
    """``for j: s += y[j + by]``"""
    j, s, body = variable("j", INT), variable("s", FLOAT), b.child()
    at = j if by is ZERO else plus(body, j, by)
    last = plus(body, s, body.load(y, (at,)))
    (out,) = loop(b, j, n, body.block((last,)), [(s, real(0.0))], lo=lo)
    return out


def test_fuse() -> None:
    b = Builder()
    n = b.dim(X, 0, "n")
    y = made(b, n)
    stores(b, y, n)
    func = function((X, A), b, (sums(b, y, n),))
    assert (
        text(loop_fusion(func))
        == """\
func m:f(x: float64[:], a: float64) -> float64
  n: int64 = dim x, 0
  y: float64[:] = alloc (n)
  s.1: float64 = for i in 0..n step 1 (s = 0.0):
    t1: float64 = load x[i]
    t2: float64 = mul t1, a
    y[i] = t2
    t3: float64 = load y[i]
    t4: float64 = add s, t3
    yield t4
  return s.1
"""
    )
    assert (
        text(load_forwarding(loop_fusion(func)))
        == """\
func m:f(x: float64[:], a: float64) -> float64
  n: int64 = dim x, 0
  s.1: float64 = for i in 0..n step 1 (s = 0.0):
    t1: float64 = load x[i]
    t2: float64 = mul t1, a
    t3: float64 = add s, t2
    yield t3
  return s.1
"""
    )


@pytest.mark.parametrize("added", [True, False], ids=["+=", "="])
def test_fuse_with_an_update(added: bool) -> None:
    """A whole array that is updated by what a loop stores is updated in that loop."""
    b = Builder()
    n = b.dim(X, 0, "n")
    v = b.alloc(VECTOR, (n,), real(0.0), "v")
    y = made(b, n)
    stores(b, y, n)
    (b.add_to if added else b.assign)(v, y)
    fused = load_forwarding(loop_fusion(function((X, A), b, (b.load(v, (ZERO,)),))))
    (only,) = (s for s in ir.walk(fused.body) if isinstance(s, ir.For))
    assert isinstance(only.body.stmts[-1], ir.Accum if added else ir.Store)
    assert sum(isinstance(s, ir.Alloc) for s in ir.walk(fused.body)) == 1


@pytest.mark.parametrize("is_read", ["behind", "elsewhere"])
def test_updates_that_stay(is_read: str) -> None:
    """Updates of an array that is read behind them, or was read at another place before."""
    b = Builder()
    n = b.dim(X, 0, "n")
    v = b.alloc(VECTOR, (n,), real(0.0), "v")
    y, i, body = made(b, n), variable("i", INT), b.child()
    at = b.compute("sub", (n, ONE), INT) if is_read == "elsewhere" else i
    body.store(y, (i,), body.load(v, (at,)))
    loop(b, i, n, body.block())
    b.add_to(v, y)
    func = function((X, A), b, (b.load(y if is_read == "behind" else v, (ZERO,)),))
    assert loop_fusion(func) is func


@pytest.mark.parametrize(
    ("written", "is_fused"),
    [("new", True), ("other", True), ("same", False), ("old", False), ("returned", False)],
)
def test_arrays_of_an_iteration(written: str, is_fused: bool) -> None:
    """``for t (u, v): for i: y[i] = u[i + 1]; for i: w[i] = y[i]``; which array is ``w``?"""
    b = Builder()
    n = b.dim(X, 0, "n")
    first = b.alloc(VECTOR, (n,), real(0.0))
    second = first if written == "same" else b.alloc(VECTOR, (n,), real(1.0))
    u, v, out = (variable(name, VECTOR) for name in ("u", "v", "w"))
    body = b.child()
    y, w = made(body, n), u if written == "old" else v
    if written == "new":
        w = made(body, n, "w")
    if written == "returned":
        body.add(ir.Call((out,), "m:g", (u,)))
        w = out
    for source, target in ((u, y), (y, w)):
        i, inner = variable("i", INT), body.child()
        at = plus(inner, i, ONE) if source is u else i
        inner.store(target, (i,), inner.load(source, (at,)))
        loop(body, i, n, inner.block())
    yields = (v, u) if written in ("other", "same") else (w, v)
    (last, _) = loop(b, variable("t", INT), n, body.block(yields), [(u, first), (v, second)])
    func = loop_fusion(function((X,), b, (b.load(last, (ZERO,)),)))
    loops = sum(isinstance(s, ir.For) for s in ir.walk(func.body))
    assert loops == (2 if is_fused else 3)


Draw = Callable[[Builder, ir.Value, ir.Value], ir.Atom]  # y, n -> the result


def turned(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """The order of the first loop does not matter; it counts up like the second."""
    stores(b, y, n, down=True)
    return sums(b, y, n)


def apart(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """Between them stand work that may come first, and a loop over other arrays."""
    stores(b, y, n)
    other = made(b, n, "other")
    stores(b, other, n)
    k = b.compute("sub", (n, ONE), INT)
    return plus(b, sums(b, y, n), b.load(other, (k,)))


def checked(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """Nobody sees that a check comes earlier."""
    stores(b, y, n)
    fails = b.child()
    fails.add(ir.Raise("ValueError", None))
    branch(b, b.compute("gt", (n, ONE), BOOL), fails.block(), ir.Block(()))
    return sums(b, y, n)


def with_a_call(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """Neither loop runs on vectors."""
    i, body = variable("i", INT), b.child()
    value: ir.Atom = body.compute("math.sin", (body.load(X, (i,)),), FLOAT)
    for _ in range(20):
        value = body.compute("mul", (value, A), FLOAT)
    body.store(y, (i,), value)
    loop(b, i, n, body.block())
    return sums(b, y, n)


@pytest.mark.parametrize("draw", [turned, apart, checked, with_a_call])
def test_fused(draw: Draw) -> None:
    b = Builder()
    n = b.dim(X, 0, "n")
    y = made(b, n)
    func = function((X, A), b, (draw(b, y, n),))
    assert " y: " in text(func)
    assert " y: " not in text(load_forwarding(loop_fusion(func)))


def neighbours(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    stores(b, y, n)
    return sums(b, y, b.compute("sub", (n, ONE), INT), by=ONE)


def shifted(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """The same range, another element."""
    stores(b, y, n)
    return sums(b, y, n, by=b.compute("floordiv", (n, ir.int_const(2)), INT))


def other_range(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    stores(b, y, n)
    return sums(b, y, n, lo=ONE)


def feeds_a_start(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """The second loop starts from a result of the first."""
    i, s, body = variable("i", INT), variable("s", FLOAT), b.child()
    value = body.load(X, (i,))
    body.store(y, (i,), value)
    (total,) = loop(b, i, n, body.block((plus(body, s, value),)), [(s, real(0.0))])
    j, r, body = variable("j", INT), variable("r", FLOAT), b.child()
    last = plus(body, r, body.load(y, (j,)))
    (out,) = loop(b, j, n, body.block((last,)), [(r, total)])
    return out


def overwritten(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """Between them an element changes."""
    stores(b, y, n)
    b.store(y, (ZERO,), A)
    return sums(b, y, n)


def argument_changes(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """The second loop writes what later iterations of the first read."""
    i, body = variable("i", INT), b.child()
    body.store(y, (i,), body.load(X, (ZERO,)))
    loop(b, i, n, body.block())
    j, body = variable("j", INT), b.child()
    body.store(X, (j,), body.load(y, (j,)))
    loop(b, j, n, body.block())
    return A


def printed(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    stores(b, y, n)
    j, body = variable("j", INT), b.child()
    body.add(ir.Print((body.load(y, (j,)),)))
    loop(b, j, n, body.block())
    return A


def on_vectors(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    """The first loop is much faster on its own: the order of the sum keeps both from vectors."""
    stores(b, y, n, work=20)
    return sums(b, y, n)


def still_needed(b: Builder, y: ir.Value, n: ir.Value) -> ir.Atom:
    stores(b, y, n)
    return plus(b, sums(b, y, n), b.load(y, (ZERO,)))


@pytest.mark.parametrize(
    "draw",
    [
        neighbours, shifted, other_range, feeds_a_start, overwritten, argument_changes, printed,
        on_vectors, still_needed,
    ],
)  # fmt: skip
def test_not_fused(draw: Draw) -> None:
    b = Builder()
    n = b.dim(X, 0, "n")
    y = made(b, n)
    func = function((X, A), b, (draw(b, y, n),))
    assert loop_fusion(func) is func


@pytest.mark.parametrize("swapped", [False, True])
def test_nests_are_fused_as_a_whole_or_not_at_all(swapped: bool) -> None:
    b = Builder()
    n, m = b.dim(W, 0, "n"), b.dim(W, 1, "m")
    y = b.alloc(MATRIX, (n, m), None, "y")
    i, j, body, inner = variable("i", INT), variable("j", INT), b.child(), b.child()
    inner.store(y, (i, j), inner.load(W, (i, j)))
    loop(body, j, m, inner.block())
    loop(b, i, n, body.block())
    i, j, body, inner = variable("k", INT), variable("l", INT), b.child(), b.child()
    s, t = variable("s", FLOAT), variable("t", FLOAT)
    last = plus(inner, t, inner.load(y, (i, j)))
    outer, within = ((j, m), (i, n)) if swapped else ((i, n), (j, m))
    (row,) = loop(body, *within, inner.block((last,)), [(t, s)])
    (total,) = loop(b, *outer, body.block((row,)), [(s, real(0.0))])
    func = function((W,), b, (total,))
    assert (loop_fusion(func) is func) is swapped
    assert text(loop_fusion(func)).count(" for ") == (4 if swapped else 2)
