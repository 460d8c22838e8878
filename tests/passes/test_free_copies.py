"""Copies that nobody asked for stay where something is written that would show."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.free_copies import free_copies

from tests.passes.programs import (
    INT,
    MATRIX,
    ONE,
    TWO,
    VECTOR,
    ZERO,
    Builder,
    function,
    loop,
    variable,
)

X, M, K = variable("x", VECTOR), variable("m", MATRIX), variable("k", INT)
LAST, BEFORE = ir.int_const(-1), ir.int_const(-2)


def copies(func: ir.Func) -> int:
    """The copies that are left."""
    return sum(isinstance(s, ir.Copy) for s in ir.walk(free_copies(func).body))


@pytest.mark.parametrize("what", ["read", "asked for", "copy", "source", "returned", "carried"])
def test_a_copy_is_its_source_where_neither_is_written(what: str) -> None:
    """``for i in range(1): b = copy x; x[0] = b[0]``"""
    b, i = Builder(), variable("i", INT)
    body, out = b.child(), variable("b", VECTOR)
    body.add(ir.Copy(out, X, free=what != "asked for"))
    value = body.load(out, (ZERO,))
    if what in ("copy", "source"):
        body.store(out if what == "copy" else X, (ZERO,), value)
    body.load(out, (ZERO,))
    carried = [(variable("c", VECTOR), X)] if what == "carried" else []
    loop(b, i, ONE, body.block((out,) if carried else ()), carried)
    results: tuple[ir.Value, ...] = (b.load(X, (ZERO,)),)
    if what == "returned":
        copy = variable("", VECTOR)
        b.add(ir.Copy(copy, X, free=True))
        results = (copy,)
    assert copies(function([X], b, results)) == (what != "read")


@pytest.mark.parametrize(
    ("to", "of", "is_apart"),
    [
        (ZERO, ONE, True),
        (TWO, ONE, True),
        (LAST, BEFORE, True),
        (ZERO, LAST, False),  # one row is both
        (ONE, ONE, False),
        (K, ZERO, False),
    ],
)
def test_a_row_onto_another(to: ir.Atom, of: ir.Atom, is_apart: bool) -> None:
    """``t = copy m[of]; m[to] = t``"""
    b = Builder()
    row, place, out = (variable("", VECTOR) for _ in range(3))
    b.add(ir.View(row, M, (of,)))
    b.add(ir.Copy(out, row, free=True))
    b.add(ir.View(place, M, (to,)))
    b.add(ir.Assign(place, out))
    assert copies(function([M, K], b)) == (not is_apart)
