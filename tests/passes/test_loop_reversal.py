"""Loops that count down to 0 count up where nothing uses their index, and only there."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.loop_reversal import loop_reversal

from tests.passes.programs import (
    INT,
    ONE,
    VECTOR,
    ZERO,
    Builder,
    function,
    loop,
    real,
    text,
    variable,
)

U, N = variable("u", VECTOR), variable("n", INT)
DOWN = ir.int_const(-1)


def counting(at: ir.Atom | None, hi: ir.Atom = DOWN, step: ir.Atom = DOWN) -> ir.Func:
    """``for i in range(n, hi, step): u[at] += 1.0``, at the index if ``at`` is None."""
    b, i = Builder(), variable("i", INT)
    body = b.child()
    body.accum(U, (i if at is None else at,), real(1.0))
    loop(b, i, hi, body.block(), lo=N, step=step)
    return function((U, N), b)


def test_a_loop_that_does_not_look_at_its_index_counts_up() -> None:
    after = text(loop_reversal(counting(ZERO)))
    assert "for i in 0..t1 step 1:" in after
    assert "t1: int64 = add n, 1" in after


@pytest.mark.parametrize(
    "func",
    [
        counting(None),  # which element comes first shows
        counting(ZERO, hi=ZERO),  # to 1, not to 0
        counting(ZERO, step=ir.int_const(-2)),
        counting(ZERO, hi=N, step=ONE),
    ],
)
def test_others_stay(func: ir.Func) -> None:
    assert loop_reversal(func) is func
