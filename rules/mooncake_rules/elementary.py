"""Powers, exponentials, logarithms, trigonometric and hyperbolic functions: a line each.

A line names the spellings of a function; ``math.cbrt=np.cbrt`` is one that numba knows by another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from mooncake_rules.expr import (
    Arg,
    Term,
    Y,
    cos,
    cosh,
    eq,
    exp,
    exp2,
    log,
    sech2,
    sin,
    sinh,
    sqrt,
    tanh,
    where,
)  # fmt: skip
from mooncake_rules.op import Interval, Prec, Result, ScalarOp, Special
from mooncake_rules.operators import POWER_DOMAIN, POWER_PARTIALS, POWER_SPECIAL

X, Z = Arg(0), Arg(1)
LN2, LN10 = math.log(2.0), math.log(10.0)
WIDE, UNIT, POSITIVE, ABOVE_ONE = (-3.0, 3.0), (-0.9, 0.9), (0.1, 4.0), (1.1, 4.0)


def function(
    names: str,
    partials: Term | tuple[Term | None, ...],
    *domain: Interval,
    at: tuple[Special, ...] = (),
    strong: bool = False,
    result: Result = Result.FLOAT,
    expensive: bool = True,
) -> Iterator[ScalarOp]:
    """The ops of one function, one per spelling in ``names``; an interval per argument."""
    terms = partials if isinstance(partials, tuple) else (partials,)
    slots = ", ".join(f"{{{i}}}" for i in range(len(terms)))
    for spelling in names.split():
        name, _, printed = spelling.partition("=")
        template = f"{printed or name}({slots})"
        yield ScalarOp(
            name, len(terms), result, template, Prec.CALL, terms, strong, expensive, domain, at
        )


TRIGONOMETRIC = (
    *function("math.sin np.sin", cos(X), WIDE),
    *function("math.cos np.cos", -sin(X), WIDE),
    *function("math.tan np.tan", 1 + Y * Y, (-1.4, 1.4)),
    *function("math.asin np.arcsin", 1 / sqrt((1 - X) * (1 + X)), UNIT, strong=True),
    *function("math.acos np.arccos", -1 / sqrt((1 - X) * (1 + X)), UNIT, strong=True),
    *function("math.atan np.arctan", 1 / (1 + X * X), WIDE),
    *function(
        "math.atan2 np.arctan2",
        (Z / (X * X + Z * Z), -X / (X * X + Z * Z)),
        *(WIDE, POSITIVE),
        strong=True,
    ),
    *function("math.degrees np.rad2deg", 180 / math.pi, WIDE, expensive=False),
    *function("math.radians np.deg2rad", math.pi / 180, WIDE, expensive=False),
)

# sech2 is 1 - tanh**2 without its cancellation.
HYPERBOLIC = (
    *function("math.sinh np.sinh", cosh(X), WIDE),
    *function("math.cosh np.cosh", sinh(X), WIDE),
    *function("math.tanh np.tanh", sech2(X), (-12.0, 12.0)),
    *function("rt.sech2", -2 * Y * tanh(X), WIDE),
    *function("math.asinh np.arcsinh", 1 / sqrt(X * X + 1), WIDE),
    *function("math.acosh np.arccosh", 1 / sqrt((X - 1) * (X + 1)), ABOVE_ONE, strong=True),
    *function("math.atanh np.arctanh", 1 / ((1 - X) * (1 + X)), UNIT, strong=True),
)

EXPONENTIAL = (
    *function("math.exp np.exp", Y, WIDE),
    *function("math.exp2 np.exp2", LN2 * Y, WIDE),
    *function("math.expm1 np.expm1", exp(X), WIDE),
    *function("math.log np.log", 1 / X, POSITIVE, strong=True),
    *function("math.log2 np.log2", 1 / (LN2 * X), POSITIVE, strong=True),
    *function("math.log10 np.log10", 1 / (LN10 * X), POSITIVE, strong=True),
    *function("math.log1p np.log1p", 1 / (1 + X), (-0.5, 3.0), strong=True),
    *function(
        "math.log_base=rt.log_base",
        (1 / (X * log(Z)), -Y / (Z * log(Z))),
        *(POSITIVE, ABOVE_ONE),
        strong=True,
    ),
    *function("np.logaddexp", (exp(X - Y), exp(Z - Y)), WIDE, WIDE),
    *function("np.logaddexp2", (exp2(X - Y), exp2(Z - Y)), WIDE, WIDE),
)

# The gradient of the distance from the origin is 0 at the origin, as that of |x| is.
POWERS = (
    *function("math.sqrt np.sqrt", 0.5 / Y, POSITIVE, strong=True),
    *function("math.cbrt=np.cbrt np.cbrt", 1 / (3 * Y * Y), POSITIVE, strong=True),
    *function(
        "math.hypot np.hypot",
        (where(eq(Y, 0), 0, X / Y), where(eq(Y, 0), 0, Z / Y)),
        *(WIDE, POSITIVE),
        at=(Special((0.0, 0.0), (0, 0)),),
    ),
    *function("np.square", 2 * X, WIDE, result=Result.PROMOTE, expensive=False),
    *function("np.reciprocal", -Y * Y, POSITIVE, result=Result.PROMOTE, expensive=False),
    *function(
        "math.pow np.float_power",
        *(POWER_PARTIALS, *POWER_DOMAIN),
        at=POWER_SPECIAL,
        strong=True,
    ),
    *function(
        "np.power",
        *(POWER_PARTIALS, *POWER_DOMAIN),
        at=POWER_SPECIAL,
        strong=True,
        result=Result.PROMOTE,
    ),
)

ELEMENTARY = TRIGONOMETRIC + HYPERBOLIC + EXPONENTIAL + POWERS
