"""Stored elements are not loaded where their array is not needed then, and goes."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.load_forwarding import load_forwarding

from tests.passes.programs import (
    FLOAT,
    INT,
    ONE,
    VECTOR,
    ZERO,
    Builder,
    branch,
    function,
    less,
    loop,
    text,
    variable,
)

A = variable("a", FLOAT)


def test_sums_into_a_stored_element_are_forwarded() -> None:
    b = Builder()
    y = b.alloc(VECTOR, (ONE,), None, "y")
    b.store(y, (ZERO,), A)
    b.accum(y, (ZERO,), A)
    func = function((A,), b, (b.load(y, (ZERO,)),))
    assert (
        text(load_forwarding(func))
        == """\
func m:f(a: float64) -> float64
  t1: float64 = add a, a
  return t1
"""
    )


def test_an_array_that_is_read_elsewhere_stays() -> None:
    """Its element is loaded at another index, behind a branch, or in a later iteration."""
    i, n = variable("i", INT), variable("n", INT)
    for where in ("index", "branch", "loop"):
        b = Builder()
        y = b.alloc(VECTOR, (n,), None, "y")
        b.store(y, (ZERO,), A)
        found: ir.Atom = A
        if where == "index":
            found = b.load(y, (ONE,))
        elif where == "branch":
            arms = b.child(), b.child()
            arms[0].store(y, (ZERO,), arms[0].load(y, (ONE,)))
            branch(b, less(b, A, A), arms[0].block(), arms[1].block())
            found = b.load(y, (ZERO,))
        else:
            body = b.child()
            body.accum(y, (ZERO,), body.load(y, (ZERO,)))
            loop(b, i, n, body.block())
            found = b.load(y, (ZERO,))
        func = function((A, n), b, (found,))
        assert load_forwarding(func) is func
