"""Contributions that stay right where they are differentiated again.

A rule of a partial that may be infinite says that a zero cotangent gives zero:

    x_bar += 0 if y_bar == 0 else y_bar / x

The derivative of that choice with respect to ``y_bar`` would be 0 at 0, but it is ``1 / x``. The
product ``strong(y_bar, 1 / x)`` has the same value, and its derivatives are such products, too.
"""

from __future__ import annotations

from mooncake_rules.expr import SEED, SIMPLIFIERS, Apply, Term, arguments, div, strong, where


def strengthened(term: Term) -> Term:
    """``term``, a contribution, with products in place of choices that ask whether SEED is zero."""
    match term:
        case Apply("select", (Apply("eq", (seed, 0)), 0, inner)) if seed == SEED:
            return _strong(inner)
        case Apply("np.real" as op, (inner,)):
            return SIMPLIFIERS[op](strengthened(inner))
        case _:
            return term


def _strong(term: Term) -> Term:
    """``term``, which is linear in SEED, made of strong products."""
    if term == SEED or SEED.index not in arguments(term):
        return term
    match term:
        case Apply("mul", (a, b)) if SEED.index in arguments(a):
            return strong(_strong(a), b)
        case Apply("mul", (a, b)):
            return strong(_strong(b), a)
        case Apply("div", (a, b)):
            return strong(_strong(a), div(1, b))
        case Apply("strong", (a, b)):
            return strong(_strong(a), b)
        case Apply("select", (cond, then, orelse)):
            return where(cond, _strong(then), _strong(orelse))
        case Apply("neg" | "add" | "sub" | "np.real" | "np.imag" | "np.conj" as op, args):
            return SIMPLIFIERS[op](*map(_strong, args))
        case _:
            raise AssertionError(f"not linear in the cotangent: {term}")
