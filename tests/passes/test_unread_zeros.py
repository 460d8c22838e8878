"""Elements that nothing reads any more are not cleared; all others are."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.passes.unread_zeros import unread_zeros

from tests.passes.programs import INT, TWO, VECTOR, Builder, function, loop, real, text, variable

X = variable("x", VECTOR)


def cleared(
    step: int, zero: int, read: int, *, free: bool = True, after: bool = False, shown: bool = False
) -> ir.Func:
    """``for i in range(n)[::step]: t[i + zero] = 0.0; x[i] = t[i + read]``

    ``after``: ``x[0] = t[2]`` follows; ``shown``: ``t`` is the result.
    """
    b = Builder(free=free)
    n = b.dim(X, 0, "n")
    t = b.alloc(VECTOR, (b.compute("add", (n, TWO), INT),), real(1.0), "t")
    i, body = variable("i", INT), b.child()
    at, to = (body.compute("add", (i, ir.int_const(k)), INT) for k in (zero, read))
    body.store(t, (at,), real(0.0))
    body.store(X, (i,), body.load(t, (to,)))
    if step > 0:
        loop(b, i, n, body.block())
    else:
        last = b.compute("sub", (n, ir.int_const(1)), INT)
        loop(b, i, ir.int_const(-1), body.block(), lo=last, step=ir.int_const(-1))
    if after:
        b.store(X, (ir.int_const(0),), b.load(t, (TWO,)))
    return function((X,), b, (t,) if shown else ())


@pytest.mark.parametrize(
    ("step", "zero", "read", "is_dead"),
    [
        (1, 0, 1, True),
        (1, 1, 0, False),  # the next iteration reads it
        (1, 0, 0, False),  # the same one does
        (-1, 1, 0, True),
        (-1, 0, 1, False),
        (-1, 2, 0, True),
        (-1, 0, 2, False),
    ],
)
def test_what_later_iterations_read_is_cleared(
    step: int, zero: int, read: int, is_dead: bool
) -> None:
    func = cleared(step, zero, read)
    assert ("0.0" not in text(unread_zeros(func))) is is_dead


@pytest.mark.parametrize("what", ["free", "after", "shown"])
def test_what_is_seen_later_is_cleared(what: str) -> None:
    given = {what: what != "free"}
    func = cleared(1, 0, 1, **given)
    assert unread_zeros(func) is func
