"""Functions with kinks and jumps: extrema, remainders, signs, rounding, predicates, integers.

Conventions at kinks: an elementwise extremum splits a tie evenly, a clip at a bound belongs to the
bound (so a constant one gives 0), the sign function has the derivative of |x| (so 0 at 0).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from mooncake_rules.elementary import WIDE, function
from mooncake_rules.expr import (
    Arg,
    Number,
    Term,
    Y,
    both,
    call,
    copysign,
    either,
    eq,
    exp2,
    ge,
    gt,
    isfinite,
    le,
    lt,
    rint,
    sign,
    trunc,
    where,
)  # fmt: skip
from mooncake_rules.op import Interval, Partials, Prec, Result, ScalarOp, Special
from mooncake_rules.operators import ABS_OVER_COMPLEX
from mooncake_rules.over_complex import OverComplex, locally_constant

X, Z = Arg(0), Arg(1)
AWAY, ABOVE = (0.2, 3.0), (0.7, 0.9)
W = Arg(2)
CLIP = (
    where(both(gt(X, Z), lt(X, W)), 1, 0),
    where(both(le(X, Z), lt(Z, W)), 1, 0),
    where(either(ge(X, W), ge(Z, W)), 1, 0),
)
NAN = float("nan")
isnan, frexp_scale = call("np.isnan"), call("rt.frexp_scale")


def tie(chosen: Term) -> Term:
    """1 where this argument is chosen, a half at a tie."""
    return where(chosen, 1, where(eq(X, Z), 0.5, 0))


def number(chosen: Term, other: Term) -> Term:
    """1 where this argument is chosen, a half at a tie; the one that is not NaN is chosen."""
    return where(isnan(other), 1, tie(chosen))


def clip_given(literals: Mapping[int, Number]) -> Partials | None:
    """The partials of a clip with one bound."""
    if literals.get(1) == -math.inf:
        return (where(lt(X, W), 1, 0), None, where(ge(X, W), 1, 0))
    if literals.get(2) == math.inf:
        return (where(gt(X, Z), 1, 0), where(le(X, Z), 1, 0), None)
    return None


def kinked(
    names: str, partials: Term | tuple[Term | None, ...], *domain: Interval,
    at: tuple[Special, ...] = (), result: Result = Result.PROMOTE,
    over_complex: OverComplex | None = None,
) -> Iterator[ScalarOp]:  # fmt: skip
    return function(names, partials, *domain, at=at, result=result, expensive=False,
                    over_complex=over_complex)  # fmt: skip


def flat(
    names: str, arity: int, result: Result, *domain: Interval, over_complex: bool = False
) -> Iterator[ScalarOp]:
    """Functions with zero derivative, ``over_complex``: of complex numbers, too."""
    of_complex = locally_constant(arity) if over_complex else None
    for spelling in names.split():
        name, _, printed = spelling.partition("=")
        slots = ", ".join(f"{{{i}}}" for i in range(arity))
        template = f"{printed or name}({slots})"
        yield ScalarOp(name, arity, result, template, Prec.CALL, domain=domain, complex=of_complex)


SELECTING = (
    *kinked("np.maximum", (tie(gt(X, Z)), tie(lt(X, Z))), (0.0, 1.0), (2.0, 3.0),
            at=(Special((1.0, 1.0), (0.5, 0.5)), Special((2.0, 1.0), (1, 0)))),
    *kinked("np.minimum", (tie(lt(X, Z)), tie(gt(X, Z))), (0.0, 1.0), (2.0, 3.0),
            at=(Special((1.0, 1.0), (0.5, 0.5)), Special((2.0, 1.0), (0, 1)))),
    *kinked("np.fmax", (number(gt(X, Z), Z), number(lt(X, Z), X)), (0.0, 1.0), (2.0, 3.0),
            at=(Special((1.0, 1.0), (0.5, 0.5)), Special((NAN, 1.0), (0, 1)),
                Special((1.0, NAN), (1, 0)))),
    *kinked("np.fmin", (number(lt(X, Z), Z), number(gt(X, Z), X)), (0.0, 1.0), (2.0, 3.0),
            at=(Special((1.0, 1.0), (0.5, 0.5)), Special((NAN, 1.0), (0, 1)),
                Special((1.0, NAN), (1, 0)))),
    *function("np.clip=rt.clip", CLIP, (0.0, 4.0), (0.9, 1.1), (2.9, 3.1), given=clip_given,
              at=(Special((1.0, 1.0, 2.0), (0, 1, 0)), Special((2.0, 1.0, 2.0), (0, 0, 1)),
                  Special((0.0, 1.0, 2.0), (0, 1, 0)), Special((1.5, 1.0, 2.0), (1, 0, 0)),
                  Special((3.0, 1.0, 2.0), (0, 0, 1)), Special((1.0, 1.0, 1.0), (0, 0, 1)),
                  Special((0.0, 2.0, 1.0), (0, 0, 1))),
              result=Result.PROMOTE, expensive=False),
    *kinked("np.nan_to_num", where(isfinite(X), 1, 0), WIDE, result=Result.SAME,
            at=(Special((float("nan"),), (0,)), Special((float("inf"),), (0,)))),
    *kinked("np.heaviside=rt.heaviside", (None, where(eq(X, 0), 1, 0)), AWAY, WIDE,
            at=(Special((0.0, 0.5), (0, 1)),), result=Result.FLOAT),
)  # fmt: skip

SIGNS = (
    *kinked("math.fabs np.fabs", sign(X), AWAY, result=Result.FLOAT,
            at=(Special((0.0,), (0,)), Special((-2.0,), (-1,)))),
    *kinked("np.abs", sign(X), AWAY, result=Result.REAL, over_complex=ABS_OVER_COMPLEX,
            at=(Special((0.0,), (0,)), Special((-2.0,), (-1,)))),
    *kinked("math.copysign np.copysign", (sign(X) * copysign(1, Z), None), AWAY, AWAY,
            at=(Special((2.0, -0.0), (-1, 0)), Special((0.0, 1.0), (0, 0))),
            result=Result.FLOAT),
)  # fmt: skip

REMAINDERS = (
    *kinked("math.fmod=np.fmod", (1, -trunc(X / Z)), WIDE, ABOVE, result=Result.FLOAT),
    *kinked("np.fmod", (1, -trunc(X / Z)), WIDE, ABOVE),
    *kinked("math.remainder=rt.remainder", (1, -rint((X - Y) / Z)), WIDE, ABOVE,
            result=Result.FLOAT),
    *kinked("math.ldexp np.ldexp", (exp2(Z), None), WIDE, (-3, 3), result=Result.FLOAT),
    *kinked("rt.modf_fraction", 1, (0.1, 0.9), result=Result.FLOAT),
    *kinked("rt.frexp_mantissa", frexp_scale(X), (0.6, 0.9), result=Result.FLOAT),
    *flat("rt.frexp_scale", 1, Result.FLOAT),
    *flat("rt.frexp_exponent", 1, Result.INT),
)  # fmt: skip

ROUNDING = (
    *flat("math.floor math.ceil math.trunc", 1, Result.INT),
    *flat("np.floor np.ceil np.trunc np.sign", 1, Result.SAME),
    *flat("np.rint math.ulp=rt.ulp np.spacing", 1, Result.FLOAT),
    *flat("np.round", 1, Result.SAME),
    *flat("np.round_to=np.round round_to=round rt.round_to", 2, Result.SAME, WIDE, (-2, 2)),
    *kinked("math.nextafter np.nextafter", (1, None), WIDE, WIDE, result=Result.FLOAT),
)

PREDICATES = (
    *flat("math.isnan math.isinf math.isfinite", 1, Result.BOOL),
    *flat("np.isnan np.isinf np.isfinite", 1, Result.BOOL, over_complex=True),
    *flat("np.signbit np.isneginf np.isposinf np.logical_not", 1, Result.BOOL),
    *flat("np.logical_and np.logical_or np.logical_xor", 2, Result.BOOL),
    *flat("math.isclose=rt.isclose", 2, Result.BOOL),
)

INTEGERS = (
    *flat("math.isqrt=rt.isqrt math.factorial=rt.factorial", 1, Result.INT),
    *flat("math.comb=rt.comb math.perm=rt.perm math.gcd math.lcm=np.lcm", 2, Result.INT),
    *flat("np.gcd np.lcm", 2, Result.PROMOTE),
    *flat("rt.finite", 1, Result.SAME, WIDE),
    *flat("rt.fitting", 3, Result.SAME, (0, 9), (-9, 0), (9, 99)),
    # Operators of integers, where the second one may be negative, or too large for the machine.
    # Numbers of texts: their order, and those that are made of integers.
    *flat("rt.text_before", 2, Result.BOOL, (0, 0), (0, 0)),
    *flat("rt.text_isdigit", 1, Result.BOOL, (0, 0)),
    *flat("rt.text_startswith rt.text_endswith rt.text_contains", 2, Result.BOOL, (0, 0), (0, 0)),
    *flat("rt.text_length rt.text_lower rt.text_upper", 1, Result.INT, (0, 0)),
    *flat(
        "rt.text_count rt.text_find rt.text_strip rt.text_removeprefix rt.text_removesuffix"
        " rt.text_parts",
        2,
        Result.INT,
        (0, 0),
        (0, 0),
    ),
    *flat("rt.text_letter", 2, Result.INT, (66, 66), (0, 0)),
    *flat("rt.text_replace rt.text_slice", 3, Result.INT, (66, 66), (0, 0), (0, 0)),
    *flat("rt.text_part", 3, Result.INT, (66, 66), (0, 0), (0, 0)),
    *flat("rt.text_with", 3, Result.INT, (0, 99), (0, 99), (1, 99)),
    *flat("rt.text_with_integer", 3, Result.INT, (0, 99), (-99, 99), (0, 4)),
    *flat("rt.integer_power", 2, Result.PROMOTE, (-9, 9), (0, 9)),
    *flat("rt.integer_fmod", 2, Result.PROMOTE, (-9, 9), (1, 9)),
    *flat(
        "rt.shift_left rt.shift_right rt.left_shift rt.right_shift",
        2,
        Result.PROMOTE,
        (-9, 9),
        (0, 9),
    ),
)

PIECEWISE = SELECTING + SIGNS + REMAINDERS + ROUNDING + PREDICATES + INTEGERS
