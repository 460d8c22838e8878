"""The error functions, the gamma function and its derivatives, sinc."""

from __future__ import annotations

import math

from mooncake_rules.elementary import POSITIVE, WIDE, function
from mooncake_rules.expr import Arg, Y, digamma, dsinc, eq, exp, polygamma, sinc, trigamma, where
from mooncake_rules.op import Special

X, Z = Arg(0), Arg(1)
BELL = 2 / math.sqrt(math.pi) * exp(-(X * X))

# sinc'' = -pi**2 sinc - 2 sinc'/x.
SINC2 = where(eq(X, 0), -(math.pi**2) / 3, -(math.pi**2) * sinc(X) - 2 * Y / X)

SPECIAL = (
    *function("math.erf", BELL, WIDE),
    *function("math.erfc", -BELL, WIDE),
    *function("math.gamma", Y * digamma(X), POSITIVE),
    *function("math.lgamma", digamma(X), POSITIVE),
    *function("rt.digamma", trigamma(X), POSITIVE),
    *function("rt.trigamma", polygamma(2, X), POSITIVE),
    *function("rt.polygamma", (None, polygamma(X + 1, Z)), (1, 3), POSITIVE),
    *function("np.sinc", dsinc(X), WIDE, at=(Special((0.0,), (0,)),)),
    *function("rt.dsinc", SINC2, WIDE, at=(Special((0.0,), (-(math.pi**2) / 3,)),)),
)
