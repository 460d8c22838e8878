"""Complete elliptic integrals and hypergeometric functions (DLMF chapters 13, 15, 16, 19).

Elliptic integrals are singular at ``m = 1``: the functions of their derivatives are of ``1 - m``.
"""

from __future__ import annotations

from mooncake_rules.elementary import function
from mooncake_rules.expr import Arg, call
from mooncake_rules.op import Special

X, Z = Arg(0), Arg(1)
BELOW_ONE, ABOVE_ZERO = (-3.0, 0.9), (0.1, 4.0)

first_elliptic, second_elliptic = call("rt.first_elliptic"), call("rt.second_elliptic")

ELLIPTIC = (
    *function("rt.ellipk", -first_elliptic(1, 1 - X), BELOW_ONE, strong=True,
              at=(Special((0.0,), (0.39269908169872414,)),)),
    *function("rt.ellipkm1", first_elliptic(1, X), ABOVE_ZERO, strong=True),
    *function("rt.ellipe", -second_elliptic(1, 1 - X), BELOW_ONE, strong=True,
              at=(Special((0.0,), (-0.39269908169872414,)),)),
    *function("rt.first_elliptic", (None, first_elliptic(X + 1, Z)), (0, 3), ABOVE_ZERO),
    *function("rt.second_elliptic", (None, second_elliptic(X + 1, Z)), (0, 3), ABOVE_ZERO),
)  # fmt: skip

HYPERGEOMETRIC = ELLIPTIC
