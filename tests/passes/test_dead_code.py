"""Dead code, carried values that never change, and the passes that clean up in a row."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.dce import dce
from mooncake_transpiler.passes.invariants import invariants
from mooncake_transpiler.passes.simplify import simplify

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    ONE,
    TRUE,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    less,
    loop,
    plus,
    real,
    repeat,
    text,
    variable,
)

X, A, N, C = (
    variable("x", VECTOR), variable("a", FLOAT), variable("n", INT), variable("c", BOOL)
)  # fmt: skip


def test_carried_values_and_results() -> None:
    b = Builder()
    i, s, k = variable("i", INT), variable("s", FLOAT), variable("k", INT)
    body = b.child()
    more = plus(body, k, ONE, "k")
    unused = body.load(X, (k,), "unused")
    total = plus(body, s, body.load(X, (i,)), "s")
    plus(body, unused, unused)
    outs = loop(b, i, N, body.block((total, more)), [(s, real(0.0)), (k, ZERO)])
    then = ir.Block((), (outs[0], N))
    chosen = branch(b, C, then, ir.Block((), (A, ZERO)), ["y", "size"])
    assert (
        text(dce(function((X, A, N, C), b, chosen[:1])))
        == """\
func m:f(x: float64[:], a: float64, n: int64, c: bool) -> float64
  s.2: float64 = for i in 0..n step 1 (s = 0.0):
    t1: float64 = load x[i]
    s.1: float64 = add s, t1
    yield s.1
  y: float64 = if c:
    yield s.2
  else:
    yield a
  return y
"""
    )


def test_loops_without_effect() -> None:
    b = Builder()
    k = variable("k", INT)
    test, body = b.child(), b.child()
    cond = test.block((less(test, k, N),))
    repeat(b, cond, body.block((plus(body, k, ONE),)), [(k, ZERO)])
    inner = b.child()
    inner.load(X, (ZERO,))
    loop(b, variable("i", INT), N, inner.block())
    assert text(dce(function((X, N), b))) == "func m:f(x: float64[:], n: int64) -> None\n  pass\n"


def test_effects_keep_what_decides_about_them() -> None:
    b = Builder()
    i, left, k = variable("i", INT), variable("left", BOOL), variable("k", INT)
    body = b.child()
    arm = body.child()
    arm.add(ir.Raise("ValueError", "no"))
    branch(body, less(body, body.load(X, (i,)), A), arm.block(), ir.Block(()))
    last = (less(body, i, k), plus(body, k, ONE))
    loop(b, i, N, body.block(last), [(left, FALSE), (k, ZERO)], leaves=True)
    assert (
        text(dce(function((X, A, N), b)))
        == """\
func m:f(x: float64[:], a: float64, n: int64) -> None
  left.1: bool, k.1: int64 = for i in 0..n step 1 (left = False, k = 0) exit:
    t1: float64 = load x[i]
    t2: bool = lt t1, a
    if t2:
      raise ValueError('no')
    t3: bool = lt i, k
    t4: int64 = add k, 1
    yield t3, t4
"""
    )


def test_own_memory_that_is_never_read() -> None:
    b = Builder()
    dead, view = b.alloc(VECTOR, (N,), real(0.0), "dead"), variable("view", VECTOR)
    b.add(ir.View(view, dead, (ir.Slice(ONE),)))
    b.store(view, (ZERO,), A)
    b.add(ir.AddTo(dead, A))
    read = b.alloc(VECTOR, (N,), real(0.0), "read")
    b.accum(read, (ZERO,), A)
    returned = b.alloc(VECTOR, (N,), real(0.0), "returned")
    b.add(ir.Assign(returned, A))
    shown = b.alloc(VECTOR, (N,), real(0.0), "shown")
    b.add(ir.Print((shown,)))
    y = b.load(read, (ZERO,), "y")
    assert (
        text(dce(function((A, N), b, (y, returned))))
        == """\
func m:f(a: float64, n: int64) -> (float64, float64[:])
  read: float64[:] = alloc (n) fill 0.0
  read[0] += a
  returned: float64[:] = alloc (n) fill 0.0
  returned[...] = a
  shown: float64[:] = alloc (n) fill 0.0
  print(shown)
  y: float64 = load read[0]
  return y, returned
"""
    )


def test_chosen_memory_counts_as_one() -> None:
    """Writes to own memory are kept where another name may be the same memory."""
    b = Builder()
    u, v = b.alloc(VECTOR, (N,), real(0.0), "u"), b.alloc(VECTOR, (N,), real(0.0), "v")
    (w,) = branch(b, C, ir.Block((), (u,)), ir.Block((), (v,)), ["w"])
    b.store(u, (ZERO,), A)
    func = function((A, N, C), b, (b.load(w, (ZERO,), "y"),))
    assert dce(func) is func


def test_invariants() -> None:
    b = Builder()
    i, y, s, z = variable("i", INT), variable("y", VECTOR), variable("s", FLOAT), variable("z", INT)
    body = b.child()
    total = plus(body, s, body.load(y, (z,)), "s")
    outs = loop(b, i, N, body.block((y, total, N)), [(y, X), (s, real(0.0)), (z, N)], leaves=False)
    assert (
        text(invariants(function((X, N), b, outs)))
        == """\
func m:f(x: float64[:], n: int64) -> (float64[:], float64, int64)
  s.2: float64 = for i in 0..n step 1 (s = 0.0):
    t1: float64 = load x[n]
    s.1: float64 = add s, t1
    yield s.1
  return x, s.2, n
"""
    )


def test_exit_flag_is_no_invariant() -> None:
    b = Builder()
    left, i = variable("left", BOOL), variable("i", INT)
    body = b.child()
    body.store(X, (i,), A)
    loop(b, i, N, body.block((FALSE,)), [(left, FALSE)], leaves=True)
    func = function((X, A, N), b)
    assert invariants(func) is func
    assert (
        text(simplify(func))
        == """\
func m:f(x: float64[:], a: float64, n: int64) -> None
  for i in 0..n step 1:
    x[i] = a
"""
    )


def test_simplify_untangles_a_return_flag() -> None:
    """``if c: return a`` and what follows it, as the frontend may write it."""
    b = Builder()
    returned, value = branch(
        b, C, ir.Block((), (TRUE, A)), ir.Block((), (FALSE, ir.Undef(FLOAT))), ["returned", "value"]
    )
    rest = b.child()
    y = rest.load(X, (ZERO,))
    (result,) = branch(b, returned, ir.Block((), (value,)), rest.block((y,)))
    assert (
        text(simplify(function((X, A, C), b, (result,))))
        == """\
func m:f(x: float64[:], a: float64, c: bool) -> float64
  t2: float64 = if c:
    yield a
  else:
    t1: float64 = load x[0]
    yield t1
  return t2
"""
    )
