"""Passes look through views: transposed views, new axes, reshaped arrays."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.cse import cse
from mooncake_transpiler.passes.dce import dce
from mooncake_transpiler.passes.fold import fold
from mooncake_transpiler.passes.hoist import hoist
from mooncake_transpiler.types import Array, DType

from tests.passes.programs import (
    FLOAT,
    INT,
    MATRIX,
    ONE,
    TWO,
    VECTOR,
    ZERO,
    Builder,
    function,
    loop,
    real,
    text,
    variable,
)

CUBE = Array(DType.FLOAT64, 3)
A, N, X, M = (
    variable("a", FLOAT), variable("n", INT), variable("x", VECTOR), variable("m", MATRIX)
)  # fmt: skip
WHOLE, NEW = ir.Slice(), ir.NewAxis()


def lines(func: ir.Func) -> list[str]:
    return text(func).splitlines()[1:]


def test_extents() -> None:
    u, turned, rolled = variable("u", MATRIX), variable("t", MATRIX), variable("r", CUBE)
    shaped, part = variable("s", CUBE), variable("part", MATRIX)
    b = Builder()
    b.add(ir.Alloc(u, (N, TWO)))
    b.add(ir.View(turned, u, (), None, (1, 0)))
    b.add(ir.View(rolled, M, (WHOLE, NEW), None, (2, 1, 0)))
    b.add(ir.Reshape(shaped, turned, (TWO, N, ONE)))
    b.add(ir.View(part, M, (WHOLE, ir.Slice(ONE)), None, (1, 0)))
    sizes = [b.dim(a, axis, "d") for a in (turned, rolled, shaped, part)
             for axis in range(a.type.ndim if isinstance(a.type, Array) else 0)]  # fmt: skip
    assert lines(fold(function((M, N), b, sizes)))[5:] == [
        "  d: int64 = dim m, 1",
        "  d.1: int64 = dim m, 0",
        "  d.2: int64 = dim part, 0",
        "  d.3: int64 = dim m, 0",
        "  return 2, n, d, 1, d.1, 2, n, 1, d.2, d.3",
    ]


def test_hoist() -> None:
    """A view without integers moves; what is reshaped stays, and so does what outlives it."""
    i, seen = variable("i", INT), variable("seen", MATRIX)
    turned, shaped = variable("t", MATRIX), variable("s", MATRIX)
    b = Builder()
    size = b.dim(X, 0)
    body = b.child()
    body.add(ir.View(turned, X, (NEW,), None, (1, 0)))
    work, kept = (body.alloc(VECTOR, (size,), None, name) for name in ("work", "kept"))
    body.add(ir.Assign(work, real(1.0)))
    body.accum(X, (ZERO,), body.load(turned, (i, ZERO)))
    body.accum(X, (ZERO,), body.load(work, (i,)))
    body.add(ir.Reshape(shaped, kept, (size, ONE)))
    loop(b, i, N, body.block((shaped,)), [(seen, M)])
    found = lines(hoist(function((X, M, N), b)))
    assert [line.strip().split(":")[0] for line in found[:7]] == [
        "t1", "t", "work", "seen.1", "kept", "work[...] = 1.0", "t2"
    ]  # fmt: skip


def test_own_memory_seen_through_views() -> None:
    b = Builder()
    work, shown, dead = (b.alloc(MATRIX, (N, TWO), real(0.0), h) for h in ("w", "v", "dead"))
    turned, shaped, unread = variable("t", MATRIX), variable("s", VECTOR), variable("u", VECTOR)
    b.add(ir.View(turned, work, (), None, (1, 0)))
    b.store(turned, (ONE, ZERO), A)
    b.add(ir.Reshape(shaped, shown, (N,)))
    b.store(shown, (ZERO, ZERO), A)
    b.add(ir.Reshape(unread, dead, (N,)))
    b.store(unread, (ZERO,), A)
    results = (b.load(work, (ZERO, ONE), "y"), b.load(shaped, (ZERO,), "z"))
    after = lines(dce(function((A, N), b, results)))
    assert not any("dead" in line for line in after)
    assert "  t[1, 0] = a" in after
    assert "  v[0, 0] = a" in after


def test_loads_are_known_until_another_name_is_written() -> None:
    b = Builder()
    work = b.alloc(MATRIX, (N, TWO), real(0.0), "w")
    shaped = variable("s", VECTOR)
    b.add(ir.Reshape(shaped, work, (N,)))
    one, two = b.load(shaped, (ZERO,)), b.load(shaped, (ZERO,))
    b.store(work, (ZERO, ZERO), A)
    three = b.load(shaped, (ZERO,))
    after = lines(cse(function((A, N), b, (one, two, three))))
    assert after[-1] == "  return t1, t1, t2"
