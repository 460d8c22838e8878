"""Tangents and cotangents of ops over complex numbers.

The gradient of a real L with respect to a complex z is dL/dRe z + i dL/dIm z. So cotangents and
tangents are paired by Re(conj(z_bar) * z_dot), and ``pull`` is the transpose of ``push``:

    w = f(z), holomorphic      w_dot = f'(z) * z_dot            z_bar += conj(f'(z)) * w_bar
    y = f(z), real             y_dot = Re(conj(g) * z_dot)      z_bar += g * y_bar

where g is the gradient of f. These are the derivatives of Wirtinger (1927), written for one
cotangent per number rather than two.
"""

from __future__ import annotations

from dataclasses import dataclass

from mooncake_rules.expr import SEED, Term, conj, mul, real

Terms = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class OverComplex:
    """The maps of an op on the tangent and on the cotangent ``SEED``, a term per argument.

    ``push[i]`` is what the tangent of argument i adds to that of the result, ``pull[i]`` what the
    cotangent of the result adds to that of argument i (of a real argument: the real part of it).
    None for nothing.
    """

    push: Terms
    pull: Terms


def holomorphic(*partials: Term | None) -> OverComplex:
    """An op with complex derivatives."""
    return OverComplex(
        tuple(None if p is None else mul(SEED, p) for p in partials),
        tuple(None if p is None else mul(SEED, conj(p)) for p in partials),
    )


def real_valued(gradient: Term) -> OverComplex:
    """A real op of one complex number, with the gradient d/dRe + i d/dIm."""
    return OverComplex((real(mul(SEED, conj(gradient))),), (mul(SEED, gradient),))


def locally_constant(arity: int) -> OverComplex:
    """An op with zero derivative."""
    return OverComplex((None,) * arity, (None,) * arity)
