"""The pullbacks of the primitives, for derivatives of derivatives.

A rule for a primitive is that of a library function which is nothing but the primitive, so most
are stated there. ``rule(s, *args)`` is given arrays, and flags as plain bools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mooncake_rules import pushforwards
from mooncake_rules.arrays import Arr, Stage
from mooncake_rules.library.contraction import adjoint, conj, matmul_rule
from mooncake_rules.library.linalg import Bars, Results, negated, outer
from mooncake_rules.library.matrices import transposed
from mooncake_rules.library.support import call_like
from mooncake_rules.pushforward_terms import product, twice_hermitian

Rule = Callable[..., tuple[Sequence[object], Callable[..., Sequence[object]]]]


def strong_matmul(s: Stage, a: Arr, b: Arr) -> tuple[Sequence[object], Callable[..., tuple[()]]]:
    """The rule of ``a @ b``, but for a product in which 0 times infinity is 0."""
    return matmul_rule(s, a, b, "strong_matmul")


def added(s: Stage, a: Arr, b: Arr) -> tuple[Sequence[object], Callable[..., Sequence[object]]]:
    """The product that ``matmul_add`` adds: ``a b``; of two vectors ``a b^T``."""
    if a.ndim + b.ndim > 2:
        return strong_matmul(s, a, b)
    c = s.new((*a.shape, *b.shape), a.dtype, 0)
    s.primitive("matmul_add", (a, b, c), ())

    def pullback(c_bar: Arr, a_bar: Arr, b_bar: Arr) -> tuple[()]:
        _add(s, a_bar, c_bar, conj(s, b))
        _add(s, b_bar, transposed(s, c_bar), conj(s, a))
        return ()

    return (c,), pullback


def _add(s: Stage, target: Arr, a: Arr, b: Arr) -> None:
    s.primitive("matmul_add", (a, b, target), ())


def solve(s: Stage, a: Arr, b: Arr) -> Results:
    """``b_bar = A^-H x_bar``, ``a_bar = -b_bar x^H``."""
    x = call_like(s, "solve", (a, b), b)

    def pullback(x_bar: Arr) -> Bars:
        b_bar = call_like(s, "solve", (adjoint(s, a), x_bar), b)
        return negated(outer(s, b_bar, x)), b_bar

    return (x,), pullback


def cholesky_push(s: Stage, factor: Arr, a_dot: Arr) -> Results:
    """``a_dot_bar = B``, ``L_bar = -(B + B^H) X``: B is what ``cholesky_pull`` makes of X_bar."""
    x = call_like(s, "cholesky_push", (factor, a_dot), factor)

    def pullback(x_bar: Arr) -> Bars:
        bar = call_like(s, "cholesky_pull", (factor, x_bar), factor)
        return negated(product(s, twice_hermitian(s, bar), x)), bar

    return (x,), pullback


def cholesky_pull(s: Stage, factor: Arr, x_bar: Arr) -> Results:
    """``x_bar_bar = Y``, ``L_bar = -(B + B^H) Y``: Y is the tangent of the factor for B_bar."""
    bar = call_like(s, "cholesky_pull", (factor, x_bar), factor)

    def pullback(bar_bar: Arr) -> Bars:
        y = call_like(s, "cholesky_push", (factor, bar_bar), factor)
        return negated(product(s, twice_hermitian(s, bar), y)), y

    return (bar,), pullback


def cofactors(s: Stage, a: Arr) -> Results:
    """The pullback of cofactors: partials of the determinant, so their Jacobian is symmetric."""
    made = call_like(s, "cofactors", (a,), a)

    def pullback(bar: Arr) -> Bars:
        (found,) = pushforwards.cofactors(s, (a,), (made,), {0: s.keep(conj(s, bar))})
        return (conj(s, found),)

    return (made,), pullback
