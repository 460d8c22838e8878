"""Error functions, logistic functions, entropies, robust losses, sinc and the dilogarithm.

A name ``rt.f`` is the kernel ``mooncake_runtime.scalar_kernels.f``; most are also SciPy's ``f``.
"""

from __future__ import annotations

import math

from mooncake_rules.elementary import LN10, POSITIVE, WIDE, function
from mooncake_rules.expr import (
    Arg,
    Y,
    absolute,
    both,
    call,
    dsinc,
    eq,
    exp,
    expit,
    gt,
    hypot,
    log,
    log1p,
    sech2,
    sign,
    sinc,
    where,
)
from mooncake_rules.op import Prec, Result, ScalarOp, Special
from mooncake_rules.over_complex import holomorphic

X, Z = Arg(0), Arg(1)
INSIDE, AROUND_ONE = (0.1, 0.9), (0.1, 1.9)
HALF_SQRT_PI, SQRT_2PI = 0.5 * math.sqrt(math.pi), math.sqrt(2.0 * math.pi)

erf = call("math.erf")
erfcx, erfcx_integral = call("rt.erfcx"), call("rt.erfcx_integral")
inverse_mills, shifted_mills = call("rt.inverse_mills"), call("rt.shifted_mills")
log_ratio, log_quotient = call("rt.log_ratio"), call("rt.log_quotient")
exprel_derivative = call("rt.exprel_derivative")

# The partials of the quantiles are quotients because they can be infinite.
BELL = 1 / HALF_SQRT_PI * exp(-(X * X))
ERRORS = (
    *function("math.erf sp.erf=math.erf", BELL, WIDE),
    *function("math.erfc sp.erfc=math.erfc", -BELL, WIDE),
    *function("rt.erfcx", -2 * erfcx_integral(X), WIDE),
    *function("rt.erfcx_integral", 2 * X * Y - erfcx(X), WIDE),
    *function("rt.erfinv", HALF_SQRT_PI / exp(-(Y * Y)), INSIDE),
    *function("rt.erfcinv", -HALF_SQRT_PI / exp(-(Y * Y)), AROUND_ONE),
    *function("rt.ndtr", 1 / SQRT_2PI * exp(-0.5 * X * X), WIDE),
    *function("rt.ndtri", SQRT_2PI / exp(-0.5 * Y * Y), INSIDE),
    *function("rt.log_ndtr", inverse_mills(X), WIDE),
    *function("rt.inverse_mills", -Y * shifted_mills(X), WIDE),
    *function("rt.shifted_mills", 1 - Y * inverse_mills(X), WIDE),
)

# expit * (1 - expit) without its cancellation. The derivatives of exprel are one function.
LOGISTIC = (
    *function("rt.expit", 0.25 * sech2(0.5 * X), (-30.0, 30.0)),
    *function("rt.logit", 1 / (X * (1 - X)), INSIDE),
    *function("rt.log_expit", expit(-X), WIDE),
    *function("rt.softplus", expit(X), WIDE),
    *function("rt.exprel", exprel_derivative(1, X), WIDE),
    *function("rt.exprel_derivative", (None, exprel_derivative(X + 1, Z)), (0, 3), WIDE),
    *function("rt.exp10", LN10 * Y, (-1.0, 1.0)),
)

# 0 * log(0) is 0, and its slopes there are 0, too.
ORIGIN = both(eq(X, 0), eq(Z, 0))
ENTROPIES = (
    *function("rt.xlogy", (where(ORIGIN, 0, log(Z)), where(ORIGIN, 0, X / Z)), WIDE, POSITIVE,
              at=(Special((0.0, 0.0), (0, 0)), Special((0.0, 1.0), (0, 0)))),
    *function("rt.xlog1py", (where(both(eq(X, 0), eq(Z, -1)), 0, log1p(Z)),
                             where(both(eq(X, 0), eq(Z, -1)), 0, X / (1 + Z))), WIDE, POSITIVE,
              at=(Special((0.0, -1.0), (0, 0)),)),
    *function("rt.entr", -1 - log(X), POSITIVE),
    *function("rt.rel_entr", (where(ORIGIN, 0, 1 + log_ratio(X, Z)), where(ORIGIN, 0, -X / Z)),
              *(POSITIVE, POSITIVE),
              at=(Special((0.0, 0.0), (0, 0)), Special((0.0, 2.0), (None, 0)))),
    *function("rt.kl_div", (where(ORIGIN, 0, log_ratio(X, Z)), where(ORIGIN, 1, 1 - X / Z)),
              *(POSITIVE, POSITIVE),
              at=(Special((0.0, 0.0), (0, 1)), Special((0.0, 2.0), (None, 1)))),
    *function("rt.log_ratio", (1 / X, -1 / Z), POSITIVE, POSITIVE),
)  # fmt: skip

FAR = gt(absolute(Z), X)
H = hypot(X, Z)
LOSSES = (
    *function("rt.huber", (where(FAR, absolute(Z) - X, 0), where(FAR, X * sign(Z), Z)), POSITIVE,
              WIDE, at=(Special((1.0, 1.0), (0, 1)), Special((1.0, -1.0), (0, -1)),
                        Special((1.0, -3.0), (2, -1)))),
    *function("rt.pseudo_huber", ((Z * Z / (H + X)) ** 2 / H, X * Z / H), POSITIVE, WIDE,
              at=(Special((0.0, -2.0), (2, 0)), Special((2.0, 0.0), (0, 0)))),
)  # fmt: skip

# sinc'' = -pi**2 sinc - 2 sinc'/x. The derivatives of log(x) / (1 - x) are one function.
SINC2 = where(eq(X, 0), -(math.pi**2) / 3, -(math.pi**2) * sinc(X) - 2 * Y / X)
OTHERS = (
    *function("np.sinc", dsinc(X), WIDE, at=(Special((0.0,), (0,)),)),
    *function("rt.dsinc", SINC2, WIDE, at=(Special((0.0,), (-(math.pi**2) / 3,)),)),
    *function("rt.spence", log_quotient(0, X), POSITIVE, at=(Special((1.0,), (-1,)),)),
    *function("rt.log_quotient", (None, log_quotient(X + 1, Z)), (0, 3), POSITIVE,
              at=(Special((0, 1.0), (0, 0.5)), Special((1, 1.0), (0, -2 / 3)))),
)  # fmt: skip

# Owen's T: the bell of h times that of a*h.
OWEN = function(
    "rt.owens_t",
    (-0.5 / SQRT_2PI * exp(-0.5 * X * X) * erf(math.sqrt(0.5) * X * Z),
     0.5 / math.pi * exp(-0.5 * X * X * (1 + Z * Z)) / (1 + Z * Z)),
    WIDE, WIDE,
)  # fmt: skip

# A solution of the heat equation in sigma**2 / 2, and analytic in x + i*gamma.
voigt_real, voigt_imag = call("rt.voigt_real"), call("rt.voigt_imag")
U, V = Arg(2), Arg(3)
VOIGT = (
    *function("rt.voigt_profile",
              (voigt_real(1, X, Z, U), Z * voigt_real(2, X, Z, U), -voigt_imag(1, X, Z, U)),
              *(WIDE, POSITIVE, POSITIVE)),
    *function("rt.voigt_real", (None, voigt_real(X + 1, Z, U, V), U * voigt_real(X + 2, Z, U, V),
                                -voigt_imag(X + 1, Z, U, V)), (0, 2), WIDE, POSITIVE, POSITIVE),
    *function("rt.voigt_imag", (None, voigt_imag(X + 1, Z, U, V), U * voigt_imag(X + 2, Z, U, V),
                                voigt_real(X + 1, Z, U, V)), (0, 2), WIDE, POSITIVE, POSITIVE),
)  # fmt: skip

# Of complex numbers only: exp(-w) / (1 + w) is 1 at 0, where 1 / z * w / (1 + w) is not known.
LAMBERT = tuple(
    ScalarOp(name, 1, Result.FLOAT, f"{name}({{0}})", Prec.CALL, expensive=True,
             complex=holomorphic(exp(-Y) / (1 + Y)))
    for name in ("rt.lambertw", "rt.lambertw_below")
)  # fmt: skip

SPECIAL = (*LAMBERT, *VOIGT, *OWEN, *ERRORS, *LOGISTIC, *ENTROPIES, *LOSSES, *OTHERS)
