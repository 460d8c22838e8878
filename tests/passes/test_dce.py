"""Dead code elimination: values, memory and loops without effect."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.dce import dce

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    ONE,
    VECTOR,
    ZERO,
    A,
    Builder,
    C,
    N,
    X,
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
