"""The transformations of Box and Cox, and their inverses.

With ``t = log(x)`` they are ``(exp(p*t) - 1) / p``, whose derivatives of all orders with respect
to ``p`` are one function of ``t`` and ``p``.
"""

from __future__ import annotations

from mooncake_rules.elementary import POSITIVE, WIDE, function
from mooncake_rules.expr import Arg, Y, call, exp, log, log1p, power
from mooncake_rules.op import Special

X, Z, U = Arg(0), Arg(1), Arg(2)
FLAT, ABOVE, GIVEN = (-0.3, 0.3), (-0.8, 3.0), (-1.5, 3.0)

power_mean, log_quotient = call("rt.power_mean"), call("rt.log_quotient")
inv_boxcox = call("rt.inv_boxcox")

# The derivative of log(1 + p*y) / p with respect to p.
STRETCH = -(X * X) * log_quotient(1, 1 + Z * X)
BOX_COX = (
    *function("rt.boxcox", (power(X, Z - 1), power_mean(1, log(X), Z)), POSITIVE, WIDE,
              at=(Special((1.0, 0.0), (1, 0)), Special((0.0, 2.0), (0, 0.25)),
                  Special((1.0, 0.7), (1, 0)))),
    *function("rt.boxcox1p", (power(1 + X, Z - 1), power_mean(1, log1p(X), Z)), ABOVE, WIDE,
              at=(Special((0.0, 0.0), (1, 0)), Special((-1.0, 2.0), (0, 0.25)))),
    *function("rt.power_mean", (None, Z**X * exp(Z * U), power_mean(X + 1, Z, U)), (1, 3), WIDE,
              WIDE),
    *function("rt.inv_boxcox", (power(Y, 1 - Z), Y * STRETCH), GIVEN, FLAT,
              at=(Special((0.0, 0.0), (1, 0)), Special((-1.0, 1.0), (1, None)))),
    *function("rt.inv_boxcox1p", (power(inv_boxcox(X, Z), 1 - Z), inv_boxcox(X, Z) * STRETCH),
              *(GIVEN, FLAT), at=(Special((0.0, 0.0), (1, 0)),)),
)  # fmt: skip
