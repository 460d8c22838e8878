"""Sizes of carried arrays that keep their shape are those of what the loops begin with."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.carried_sizes import carried_sizes
from mooncake_transpiler.passes.hoist import hoist

from tests.passes.programs import INT, ONE, VECTOR, Builder, function, loop, text, variable

X, N = variable("x", VECTOR), variable("n", INT)
PART = (ir.Slice(ONE),)


@pytest.mark.parametrize("keeps", [True, False])
def test_carried_sizes(keeps: bool) -> None:
    """``for t (u = x): v = u[1:]; m = len(v)``, and the next ``u`` is as long as it, or ``v``."""
    b, u, v = Builder(), variable("u", VECTOR), variable("v", VECTOR)
    body = b.child()
    body.add(ir.View(v, u, PART))
    size = body.dim(v, 0, "m")
    whole = body.dim(u, 0, "n")
    new = body.alloc(VECTOR, (whole if keeps else size,), None, "w")
    (last,) = loop(b, variable("t", INT), N, body.block((new,)), [(u, X)])
    func = function((X, N), b, (b.dim(last, 0),))
    changed = carried_sizes(func)
    assert (changed is not func) == keeps
    if keeps:
        assert (
            text(hoist(changed))
            == """\
func m:f(x: float64[:], n: int64) -> int64
  v: float64[:] = view x[1:]
  m: int64 = dim v, 0
  n.1: int64 = dim x, 0
  u.1: float64[:] = for t in 0..n step 1 (u = x):
    v.1: float64[:] = view u[1:]
    w: float64[:] = alloc (n.1)
    yield w
  t1: int64 = dim x, 0
  return t1
"""
        )
