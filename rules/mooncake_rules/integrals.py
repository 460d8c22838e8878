"""Dawson's integral, integrals of exponentials, sines and cosines (DLMF chapters 6 to 8)."""

from __future__ import annotations

import math

from mooncake_rules.elementary import POSITIVE, WIDE, function
from mooncake_rules.expr import Arg, call, cos, cosh, exp
from mooncake_rules.op import Special

X, Z = Arg(0), Arg(1)
ORDER = (0, 3)

dawsn_derivative, exp_integral = call("rt.dawsn_derivative"), call("rt.exp_integral")
sine_quotient, sinh_quotient = call("rt.sine_quotient"), call("rt.sinh_quotient")
square_sine = call("rt.square_sine")

EXPONENTIAL = (
    *function("rt.dawsn", dawsn_derivative(1, X), WIDE, at=(Special((0.0,), (1,)),)),
    *function("rt.dawsn_derivative", (None, dawsn_derivative(X + 1, Z)), ORDER, WIDE),
    *function("rt.exp1", -exp(-X) / X, POSITIVE),
    *function("rt.expi", exp(X) / X, POSITIVE),
    *function("rt.expn", (None, -exp_integral(X - 1, Z)), ORDER, POSITIVE,
              at=(Special((3, 0.0), (0, -1)),)),
    *function("rt.exp_integral", (None, -exp_integral(X - 1, Z)), (-3, 3), POSITIVE),
)  # fmt: skip

# The two results of sici, shichi and fresnel. Sine and cosine of pi/2 * x**2 are one function.
TWO_SIDED, FAR = (-6.0, 6.0), (0.2, 6.0)
WAVES = (
    *function("rt.sine_integral", sine_quotient(0, X), TWO_SIDED),
    *function("rt.sine_quotient", (None, sine_quotient(X + 1, Z)), ORDER, TWO_SIDED),
    *function("rt.cosine_integral", cos(X) / X, FAR),
    *function("rt.sinh_integral", sinh_quotient(0, X), TWO_SIDED),
    *function("rt.sinh_quotient", (None, sinh_quotient(X + 1, Z)), ORDER, TWO_SIDED),
    *function("rt.cosh_integral", cosh(X) / X, FAR),
    *function("rt.fresnel_sine", square_sine(0, X), WIDE),
    *function("rt.fresnel_cosine", square_sine(1, X), WIDE),
    *function("rt.square_sine", (None, math.pi * Z * square_sine(X + 1, Z)), ORDER, WIDE),
)  # fmt: skip

INTEGRALS = EXPONENTIAL + WAVES
