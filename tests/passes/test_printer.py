"""The text of the normal form."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.ir.printer import format_block, format_func, format_program
from mooncake_transpiler.types import COMPLEX, FLOAT32, DType, Stack, Tuple

from tests.passes.programs import (
    BOOL,
    FALSE,
    FLOAT,
    INT,
    MATRIX,
    NONE,
    ONE,
    TRUE,
    TWO,
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


def test_loop() -> None:
    x, a = variable("x", VECTOR), variable("a", FLOAT)
    b = Builder()
    n = b.dim(x, 0, "n")
    i, s = variable("i", INT), variable("s", FLOAT)
    body = b.child()
    last = plus(body, s, body.load(x, (i,)), "s")
    outs = loop(b, i, n, body.block((last,)), [(s, real(0.0))])
    assert (
        text(function((x, a), b, outs))
        == """\
func m:f(x: float64[:], a: float64) -> float64
  n: int64 = dim x, 0
  s.2: float64 = for i in 0..n step 1 (s = 0.0):
    t1: float64 = load x[i]
    s.1: float64 = add s, t1
    yield s.1
  return s.2
"""
    )


def test_branch_and_while() -> None:
    a = variable("a", FLOAT)
    b = Builder()
    leave, x = variable("", BOOL), variable("x", FLOAT)
    cond, body = b.child(), b.child()
    test = less(cond, x, real(1e300))
    body.add(ir.Print(("x is", x)))
    failed = body.child()
    failed.add(ir.Raise("ValueError", "no"))
    undefined = failed.block((ir.Undef(FLOAT),))
    (y,) = branch(body, less(body, x, a), undefined, ir.Block((), (x,)), ["y"])
    carried = [(leave, FALSE), (x, a)]
    outs = repeat(b, cond.block((test,)), body.block((TRUE, y)), carried, True)
    assert (
        text(function((a,), b, outs[1:]))
        == """\
func m:f(a: float64) -> float64
  t4: bool, x.1: float64 = while (t1 = False, x = a) exit:
    t2: bool = lt x, 1e+300
    yield t2
  do:
    print('x is', x)
    t3: bool = lt x, a
    y: float64 = if t3:
      raise ValueError('no')
      yield undef
    else:
      yield x
    yield True, y
  return x.1
"""
    )


def test_memory() -> None:
    m, x = variable("m", MATRIX), variable("x", VECTOR)
    b = Builder()
    row, u, c = variable("row", VECTOR), variable("u", VECTOR), variable("c", VECTOR)
    b.add(ir.View(row, m, (ONE, ir.Slice(ZERO, None, ir.int_const(2)))))
    b.add(ir.View(variable("part", VECTOR), x, (ir.Slice(None, ONE),)))
    b.add(ir.Alloc(u, (ONE,), real(0.0)))
    b.add(ir.Alloc(variable("e", MATRIX), (ONE, ONE)))
    b.add(ir.Copy(c, x))
    b.store(u, (ZERO,), real(1.0))
    b.accum(u, (ZERO,), real(2.5))
    b.add(ir.Assign(u, c))
    b.add(ir.AddTo(u, real(1.0)))
    b.add(ir.Sum(variable("s", FLOAT), row))
    b.add(ir.Global(variable("TABLE", VECTOR), "m", "TABLE"))
    b.add(ir.Shadows((variable("x_bar", VECTOR),), (x,)))
    assert (
        text(function((m, x), b))
        == """\
func m:f(m: float64[:, :], x: float64[:]) -> None
  row: float64[:] = view m[1, 0::2]
  part: float64[:] = view x[:1]
  u: float64[:] = alloc (1) fill 0.0
  e: float64[:, :] = alloc (1, 1)
  c: float64[:] = copy x
  u[0] = 1.0
  u[0] += 2.5
  u[...] = c
  u[...] += 1.0
  s: float64 = sum row
  TABLE: float64[:] = global m:TABLE
  x_bar: float64[:] = shadows x
"""
    )


def test_views() -> None:
    m, x = variable("m", MATRIX), variable("x", VECTOR)
    b = Builder()
    b.add(ir.View(variable("t", MATRIX), m, (), None, (1, 0)))
    b.add(ir.View(variable("c", MATRIX), x, (ir.Slice(ONE), ir.NewAxis()), None, (1, 0)))
    b.add(ir.View(variable("r", MATRIX), m, (ONE, ir.NewAxis())))
    b.add(ir.Reshape(variable("q", MATRIX), x, (ONE, TWO)))
    assert (
        text(function((m, x), b))
        == """\
func m:f(m: float64[:, :], x: float64[:]) -> None
  t: float64[:, :] = view m[] axes 1, 0
  c: float64[:, :] = view x[1:, new] axes 1, 0
  r: float64[:, :] = view m[1, new]
  q: float64[:, :] = reshape x (1, 2)
"""
    )


def test_stacks_and_calls() -> None:
    a = variable("a", FLOAT)
    kind = Stack(DType.FLOAT64)
    b = Builder()
    stack, x, y = variable("", kind), variable("x", FLOAT), variable("y", FLOAT)
    b.add(ir.NewStack(stack))
    b.add(ir.Push(stack, (a, real(1.0))))
    b.add(ir.Pop((x, y), stack))
    start, grown = variable("", VECTOR), variable("", VECTOR)
    b.add(ir.Alloc(start, (ONE,)))
    b.add(ir.Grow(grown, start, TWO))
    b.add(ir.Call((variable("z", FLOAT),), "m:g", (y, ONE)))
    assert (
        format_func(ir.Func("m:f", (ir.Param("a", FLOAT, (a,)),), NONE, b.block()))
        == """\
func m:f(a: float64) -> None
  t1: stack[float64] = newstack
  push t1, a, 1.0
  x: float64, y: float64 = pop t1
  t2: float64[:] = alloc (1)
  t3: float64[:] = grow t2, 2
  z: float64 = call m:g(y, 1)
"""
    )


def test_names_and_constants() -> None:
    """A temporary avoids the user's names; constants show their type if it is not the usual."""
    b = Builder()
    taken = variable("t1", FLOAT32)
    b.add(ir.Compute(variable("", FLOAT32), "add", (taken, ir.Const(1.0, FLOAT32))))
    b.add(ir.Compute(variable("t1", COMPLEX), "mul", (ir.Const(1j, COMPLEX), ir.Const(1.0, FLOAT))))
    assert (
        text(function((taken,), b))
        == """\
func m:f(t1: float32) -> None
  t2: float32 = add t1, 1.0:float32
  t1.1: complex128 = mul 1j, 1.0
"""
    )


def test_signature() -> None:
    leaves = (variable("p_0", FLOAT), variable("p_1", INT))
    pair = ir.Param("p", Tuple((FLOAT, INT)), leaves)
    keyword = ir.Param("k", INT, (variable("k", INT),), default="3", kwonly=True)
    func = ir.Func("m:f", (pair, keyword), FLOAT, ir.Block((), leaves[:1]))
    expected = "func m:f(p(p_0, p_1): (float64, int64), *, k: int64 = 3) -> float64\n  return p_0\n"
    assert format_func(func) == expected
    assert format_program(ir.Program({"m:f": func})) == expected


def test_block() -> None:
    x = variable("x", FLOAT)
    b = Builder()
    y = plus(b, x, real(1.0))
    assert format_block(b.block((y,))) == "t1: float64 = add x, 1.0\nyield t1\n"
    assert format_block(ir.Block(())) == "pass\n"
