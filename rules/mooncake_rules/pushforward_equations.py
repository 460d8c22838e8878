"""Pushforwards of Sylvester's equation and of what it differentiates."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_rules.arrays import Arr, Stage
from mooncake_rules.library.matrices import transposed
from mooncake_rules.library.support import call_like
from mooncake_rules.pushforward_terms import (
    Args,
    Dots,
    arrays,
    minus,
    plus,
    product,
    twice_hermitian,
)


def sylvester(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """The solution for ``q_dot - a_dot x - x b_dot``."""
    (a, b, _), (x,) = arrays(args), arrays(outs)
    change = None
    if 0 in dots:
        change = product(s, dots[0], x)
    if 1 in dots:
        change = plus(change, product(s, x, dots[1]))
    return (call_like(s, "sylvester", (a, b, s.keep(minus(dots.get(2), change))), x),)


def sqrtm(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``x x_dot + x_dot x = a_dot``."""
    x = arrays(outs)[0]
    return (call_like(s, "sylvester", (x, x, dots[0]), x),)


def polar(s: Stage, args: Args, outs: Args, dots: Dots) -> Sequence[Arr]:
    """``p p_dot + p_dot p = a_dot^T a + a^T a_dot``, ``u_dot = (a_dot - u p_dot) p^-1``."""
    (a,), (u, p), a_dot = arrays(args), arrays(outs)[:2], dots[0]
    both = twice_hermitian(s, product(s, transposed(s, a), a_dot))
    p_dot = call_like(s, "sylvester", (p, p, both), p)
    rest = s.keep(minus(a_dot, product(s, u, p_dot)))
    (turned,) = s.primitive("solve", (p, transposed(s, rest)), ((a.dtype, 2),))
    assert isinstance(turned, Arr)
    return s.shaped(transposed(s, turned), u.shape), p_dot
