"""Floats that loops do not change are computed in front of them, where nobody can tell."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.passes.invariant_numbers import invariant_numbers

from tests.passes.programs import (
    BOOL,
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
    plus,
    real,
    repeat,
    text,
    variable,
)

P, A, B, N, C = (
    variable("p", VECTOR), variable("a", FLOAT), variable("b", FLOAT), variable("n", INT),
    variable("some", BOOL),
)  # fmt: skip


def by(b: Builder, a: ir.Atom, c: ir.Atom, name: str) -> ir.Value:
    return b.compute("div", (a, c), FLOAT, name)


def summed(b: Builder, size: ir.Atom, index: str, body: Builder, term: ir.Atom) -> ir.Value:
    """``for index in range(size): s += term``."""
    s = variable("s", FLOAT)
    total = plus(body, s, term, "s")
    (out,) = loop(b, variable(index, INT), size, body.block((total,)), [(s, real(0.0))])
    return out


def test_sums_and_quotients() -> None:
    """A sum can't fail and moves as it is; a quotient only if there is an iteration."""
    b = Builder()
    body = b.child()
    c = by(body, plus(body, A, B, "both"), A, "c")
    out = summed(b, N, "i", body, c)
    assert (
        text(invariant_numbers(function((A, B, N), b, (out,))))
        == """\
func m:f(a: float64, b: float64, n: int64) -> float64
  both: float64 = add a, b
  t1: bool = gt n, 0
  c.1: float64 = if t1:
    c: float64 = div both, a
    yield c
  else:
    yield 0.0
  s.2: float64 = for i in 0..n step 1 (s = 0.0):
    s.1: float64 = add s, c.1
    yield s.1
  return s.2
"""
    )


def test_nests() -> None:
    """Out of both loops, if it is known before how often the inner one runs."""
    b = Builder()
    outer, t = b.child(), variable("t", FLOAT)
    inner = outer.child()
    s = summed(outer, N, "j", inner, by(inner, A, A, "c"))
    total = plus(outer, t, s, "t")
    (out,) = loop(b, variable("i", INT), N, outer.block((total,)), [(t, real(0.0))])
    moved = text(invariant_numbers(function((A, B, N), b, (out,)))).splitlines()
    assert [line.strip() for line in moved[1:5]] == [
        "t1: bool = gt n, 0",
        "t2: bool = gt n, 0",
        "t3: bool = and t1, t2",
        "c.1: float64 = if t3:",
    ]
    assert moved[9].strip() == "t.2: float64 = for i in 0..n step 1 (t = 0.0):"


def test_inner_size_of_the_iteration() -> None:
    """Out of the inner loop only."""
    b = Builder()
    outer, t, i = b.child(), variable("t", FLOAT), variable("i", INT)
    inner = outer.child()
    s = summed(outer, i, "j", inner, by(inner, A, A, "c"))
    total = plus(outer, t, s, "t")
    (out,) = loop(b, i, N, outer.block((total,)), [(t, real(0.0))])
    moved = text(invariant_numbers(function((A, B, N), b, (out,)))).splitlines()
    assert moved[1:3] == [
        "  t.2: float64 = for i in 0..n step 1 (t = 0.0):",
        "    t1: bool = gt i, 0",
    ]


def test_known_to_run() -> None:
    """Nothing is asked where the number of iterations is a constant."""
    b = Builder()
    body = b.child()
    out = summed(b, ir.int_const(3), "i", body, by(body, A, A, "c"))
    moved = text(invariant_numbers(function((A, B), b, (out,)))).splitlines()
    assert moved[1] == "  c: float64 = div a, a"


def test_behind_what_may_raise() -> None:
    """A sum moves, a quotient does not: it might raise in place of that."""
    b = Builder()
    body = b.child()
    wrong = ir.Block((ir.Raise("ValueError", "negative"),))
    body.add(ir.If((), less(body, N, ZERO), wrong, ir.Block(())))
    out = summed(b, N, "i", body, by(body, plus(body, A, B, "both"), A, "c"))
    moved = text(invariant_numbers(function((A, B, N), b, (out,)))).splitlines()
    assert moved[1] == "  both: float64 = add a, b"
    assert moved[2].startswith("  s.2: float64 = for i")


def test_elements() -> None:
    """Constant places of arrays that the loop does not write move, with what is made of them."""
    b = Builder()
    x = b.alloc(VECTOR, (N,), real(0.0), "x")
    body = b.child()
    kept = plus(body, body.load(P, (ZERO,), "first"), A, "kept")
    alone = plus(body, kept, body.load(P, (ONE,), "alone"))
    changed = plus(body, body.load(x, (ZERO,), "changed"), alone)
    body.store(x, (ZERO,), changed)
    out = summed(b, ONE, "i", body, changed)
    moved = text(invariant_numbers(function((P, A, N), b, (out,)))).splitlines()
    assert [line.split(":")[0] for line in moved[2:6]] == ["  first", "  kept", "  alone", "  t1"]
    assert moved[7].startswith("    changed: float64 = load x[0]")


def test_arms() -> None:
    """Sums move out of an arm, quotients stay there."""
    b = Builder()
    body = b.child()
    arm = body.child()
    term = by(arm, plus(arm, A, B, "both"), A, "c")
    (chosen,) = branch(body, C, arm.block((term,)), ir.Block((), (A,)), ["y"])
    func = function((A, B, N, C), b, (summed(b, N, "i", body, chosen),))
    moved = text(invariant_numbers(func)).splitlines()
    assert moved[1] == "  both: float64 = add a, b"
    assert "      c: float64 = div both, a" in moved


def test_while_loops() -> None:
    """Sums move out, quotients stay: nobody knows if there is an iteration."""
    b = Builder()
    r, cond, body = variable("r", FLOAT), b.child(), b.child()
    again = by(body, r, by(body, plus(body, A, B, "both"), A, "c"), "r")
    (out,) = repeat(b, cond.block((less(cond, A, r),)), body.block((again,)), [(r, A)])
    moved = text(invariant_numbers(function((A, B), b, (out,)))).splitlines()
    assert moved[1] == "  both: float64 = add a, b"
    assert "    c: float64 = div both, a" in moved
