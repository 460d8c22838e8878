"""Powers, exponentials, logarithms, trigonometric and hyperbolic functions: a line each.

A line names the spellings of a function; ``math.cbrt=np.cbrt`` is one that numba knows by another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping

from mooncake_rules.expr import (
    Arg,
    Number,
    Term,
    Y,
    complex_sec2,
    complex_sech2,
    cos,
    cosh,
    eq,
    exp,
    expit,
    from_parts,
    gt,
    hypot,
    imag,
    isfinite,
    log,
    real,
    sech2,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    where,
)  # fmt: skip
from mooncake_rules.op import Interval, Partials, Prec, Result, ScalarOp, Special
from mooncake_rules.op_names import Home, home
from mooncake_rules.operators import (
    POWER_DOMAIN,
    POWER_OVER_COMPLEX,
    POWER_PARTIALS,
    POWER_SPECIAL,
    power_given,
)
from mooncake_rules.over_complex import OverComplex, holomorphic

X, Z = Arg(0), Arg(1)
LN2, LN10 = math.log(2.0), math.log(10.0)
WIDE, UNIT, POSITIVE, ABOVE_ONE = (-3.0, 3.0), (-0.9, 0.9), (0.1, 4.0), (1.1, 4.0)


def function(
    names: str,
    partials: Term | tuple[Term | None, ...],
    *domain: Interval,
    at: tuple[Special, ...] = (),
    result: Result = Result.FLOAT,
    expensive: bool = True,
    over_complex: OverComplex | None = None,
    given: Callable[[Mapping[int, Number]], Partials | None] | None = None,
) -> Iterator[ScalarOp]:
    """The ops of one function, one per spelling in ``names``; an interval per argument.

    ``math`` knows real numbers only: ``over_complex`` is about the other spellings.
    """
    terms = partials if isinstance(partials, tuple) else (partials,)
    slots = ", ".join(f"{{{i}}}" for i in range(len(terms)))
    for spelling in names.split():
        name, _, printed = spelling.partition("=")
        template = f"{printed or name}({slots})"
        of_complex = None if home(name) is Home.MATH else over_complex
        yield ScalarOp(
            name, len(terms), result, template, Prec.CALL, terms, expensive, domain, at,
            of_complex, given,
        )  # fmt: skip


def analytic(
    names: str, partial: Term, domain: Interval, *, over_complex: Term | None = None,
    result: Result = Result.FLOAT, expensive: bool = True,
) -> Iterator[ScalarOp]:  # fmt: skip
    """A function of one number, complex ones too; ``over_complex``: their partial, if another."""
    plane = holomorphic(partial if over_complex is None else over_complex)
    return function(names, partial, domain, result=result, expensive=expensive,
                    over_complex=plane)  # fmt: skip


# 1 - X**2 and 1 + X**2 as products, which don't cancel. Roots of the factors, not of the product,
# and X - 1 rather than 1 - X: the sign of a zero part tells on which side of a cut a number is.
TURNED = from_parts(-imag(X), real(X))  # i times X
ROOT_OF_DIFFERENCE = sqrt(-(X - 1)) * sqrt(X - (-1))
ROOT_OF_SUM = sqrt(-(TURNED - 1)) * sqrt(TURNED - (-1))

# The angle at the origin moves by 0, as the distance from there.
RADIUS = hypot(X, Z)

TRIGONOMETRIC = (
    *analytic("math.sin np.sin", cos(X), WIDE),
    *analytic("math.cos np.cos", -sin(X), WIDE),
    *analytic("math.tan np.tan", 1 + Y * Y, (-1.4, 1.4), over_complex=complex_sec2(X)),
    *analytic("math.asin np.arcsin", 1 / sqrt((1 - X) * (1 + X)), UNIT,
              over_complex=1 / ROOT_OF_DIFFERENCE),
    *analytic("math.acos np.arccos", -1 / sqrt((1 - X) * (1 + X)), UNIT,
              over_complex=-1 / ROOT_OF_DIFFERENCE),
    *analytic("math.atan np.arctan", 1 / (1 + X * X), WIDE,
              over_complex=1 / ((1 + TURNED) * (1 - TURNED))),
    *function(
        "math.atan2 np.arctan2",
        tuple(where(eq(RADIUS, 0), 0, side / RADIUS / RADIUS) for side in (Z, -X)),
        *(WIDE, POSITIVE),
        at=(Special((0.0, 0.0), (0, 0)),),
    ),
    *function("math.degrees np.rad2deg", 180 / math.pi, WIDE, expensive=False),
    *function("math.radians np.deg2rad", math.pi / 180, WIDE, expensive=False),
)  # fmt: skip

# sech2 is 1 - tanh**2 without its cancellation.
HYPERBOLIC = (
    *analytic("math.sinh np.sinh", cosh(X), WIDE),
    *analytic("math.cosh np.cosh", sinh(X), WIDE),
    *analytic("math.tanh np.tanh", sech2(X), (-12.0, 12.0), over_complex=complex_sech2(X)),
    *function("rt.sech2", -2 * Y * tanh(X), WIDE),
    *analytic("math.asinh np.arcsinh", 1 / sqrt(X * X + 1), WIDE,
              over_complex=1 / ROOT_OF_SUM),
    *analytic("math.acosh np.arccosh", 1 / sqrt((X - 1) * (X + 1)), ABOVE_ONE,
              over_complex=1 / sinh(Y)),
    *analytic("math.atanh np.arctanh", 1 / ((1 - X) * (1 + X)), UNIT),
)  # fmt: skip

# 1 - tanh**2 and 1 + tan**2 without their cancellation, also far from the real line.
OF_COMPLEX = (
    ScalarOp("rt.complex_sech2", 1, Result.FLOAT, "rt.complex_sech2({0})", Prec.CALL,
             complex=holomorphic(-2 * Y * tanh(X))),
    ScalarOp("rt.complex_sec2", 1, Result.FLOAT, "rt.complex_sec2({0})", Prec.CALL,
             complex=holomorphic(2 * Y * tan(X))),
)  # fmt: skip


def share(a: Term, b: Term, difference: Term) -> Term:
    """The derivative of ``log(exp(a) + exp(b))`` w.r.t. ``a``; a half if both are infinite."""
    infinite = where(gt(a, b), 1, where(eq(a, b), 0.5, 0))
    return where(isfinite(difference), expit(difference), infinite)


EXPONENTIAL = (
    *analytic("math.exp np.exp", Y, WIDE),
    *analytic("math.exp2 np.exp2", LN2 * Y, WIDE),
    *analytic("math.expm1 np.expm1", exp(X), WIDE),
    *analytic("math.log np.log", 1 / X, POSITIVE),
    *analytic("math.log2 np.log2", 1 / (LN2 * X), POSITIVE),
    *analytic("math.log10 np.log10", 1 / (LN10 * X), POSITIVE),
    *analytic("math.log1p np.log1p", 1 / (1 + X), (-0.5, 3.0)),
    *function(
        "math.log_base=rt.log_base",
        (1 / (X * log(Z)), -Y / (Z * log(Z))),
        *(POSITIVE, ABOVE_ONE),
    ),
    *function(
        "np.logaddexp",
        (share(X, Z, X - Z), share(Z, X, Z - X)),
        *(WIDE, WIDE),
        at=(Special((-math.inf, -math.inf), (0.5, 0.5)), Special((math.inf, 1.0), (1, 0))),
    ),
    *function(
        "np.logaddexp2",
        (share(X, Z, LN2 * (X - Z)), share(Z, X, LN2 * (Z - X))),
        *(WIDE, WIDE),
    ),
)

# The gradient of the distance from the origin is 0 at the origin, as that of |x| is.
POWERS = (
    *analytic("math.sqrt np.sqrt", 0.5 / Y, POSITIVE),
    *function("math.cbrt=np.cbrt np.cbrt", 1 / (3 * Y * Y), POSITIVE),
    *function(
        "math.hypot np.hypot",
        (where(eq(Y, 0), 0, X / Y), where(eq(Y, 0), 0, Z / Y)),
        *(WIDE, POSITIVE),
        at=(Special((0.0, 0.0), (0, 0)),),
    ),
    *function(
        "math.hypot3=rt.hypot3",
        tuple(where(eq(Y, 0), 0, Arg(i) / Y) for i in range(3)),
        *(WIDE, POSITIVE, WIDE),
        at=(Special((0.0, 0.0, 0.0), (0, 0, 0)),),
    ),
    *analytic("np.square", 2 * X, WIDE, result=Result.PROMOTE, expensive=False),
    *analytic("np.reciprocal", -Y * Y, POSITIVE, result=Result.PROMOTE, expensive=False),
    *function(
        "math.pow np.float_power",
        *(POWER_PARTIALS, *POWER_DOMAIN),
        at=POWER_SPECIAL,
        over_complex=POWER_OVER_COMPLEX,
        given=power_given,
    ),
    *function(
        "np.power",
        *(POWER_PARTIALS, *POWER_DOMAIN),
        at=POWER_SPECIAL,
        result=Result.PROMOTE,
        over_complex=POWER_OVER_COMPLEX,
        given=power_given,
    ),
)

ELEMENTARY = TRIGONOMETRIC + HYPERBOLIC + OF_COMPLEX + EXPONENTIAL + POWERS
