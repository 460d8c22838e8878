"""The passes that clean up after every other, together."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.simplify import simplify

from tests.passes.programs import FALSE, FLOAT, TRUE, ZERO, A, Builder, C, X, branch, function, text


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
