"""Dawson's integral and exponential integrals (DLMF chapters 6 to 8)."""

from __future__ import annotations

from mooncake_rules.elementary import POSITIVE, WIDE, function
from mooncake_rules.expr import Arg, call, exp
from mooncake_rules.op import Special

X, Z = Arg(0), Arg(1)
ORDER = (0, 3)

dawsn_derivative, exp_integral = call("rt.dawsn_derivative"), call("rt.exp_integral")

INTEGRALS = (
    *function("rt.dawsn", dawsn_derivative(1, X), WIDE, at=(Special((0.0,), (1,)),)),
    *function("rt.dawsn_derivative", (None, dawsn_derivative(X + 1, Z)), ORDER, WIDE),
    *function("rt.exp1", -exp(-X) / X, POSITIVE, strong=True),
    *function("rt.expi", exp(X) / X, POSITIVE, strong=True),
    *function("rt.expn", (None, -exp_integral(X - 1, Z)), ORDER, POSITIVE,
              at=(Special((3, 0.0), (0, -1)),)),
    *function("rt.exp_integral", (None, -exp_integral(X - 1, Z)), (-3, 3), POSITIVE),
)  # fmt: skip
