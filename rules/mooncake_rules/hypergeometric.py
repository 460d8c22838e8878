"""Complete elliptic integrals and hypergeometric functions (DLMF chapters 13, 15, 16, 19).

Elliptic integrals are singular at ``m = 1``: the functions of their derivatives are of ``1 - m``.
"""

from __future__ import annotations

from mooncake_rules.elementary import WIDE, function
from mooncake_rules.expr import UNKNOWN, Arg, call
from mooncake_rules.op import Special

X, Z, U, V = (Arg(k) for k in range(4))
BELOW_ONE, ABOVE_ZERO, POSITIVE = (-3.0, 0.9), (0.1, 4.0), (0.2, 3.0)

first_elliptic, second_elliptic = call("rt.first_elliptic"), call("rt.second_elliptic")
hyp0f1, kummer, hyp2f1 = call("rt.hyp0f1"), call("rt.kummer"), call("rt.hyp2f1")

ELLIPTIC = (
    *function("rt.ellipk", -first_elliptic(1, 1 - X), BELOW_ONE,
              at=(Special((0.0,), (0.39269908169872414,)),)),
    *function("rt.ellipkm1", first_elliptic(1, X), ABOVE_ZERO),
    *function("rt.ellipe", -second_elliptic(1, 1 - X), BELOW_ONE,
              at=(Special((0.0,), (-0.39269908169872414,)),)),
    *function("rt.first_elliptic", (None, first_elliptic(X + 1, Z)), (0, 3), ABOVE_ZERO),
    *function("rt.second_elliptic", (None, second_elliptic(X + 1, Z)), (0, 3), ABOVE_ZERO),
)  # fmt: skip

# The parameters are constants; a derivative is the function of the next ones.
SERIES = (
    *function("rt.hyp0f1", (UNKNOWN, hyp0f1(X + 1, Z) / X), POSITIVE, (-6.0, 6.0)),
    *function("rt.hyp1f1", (UNKNOWN, UNKNOWN, X / Z * kummer(X + 1, Z + 1, U)), WIDE, POSITIVE,
              (-6.0, 6.0), at=(Special((-1.0, -2.0, 0.7), (None, None, 0.5)),)),
    *function("rt.kummer", (UNKNOWN, UNKNOWN, X / Z * kummer(X + 1, Z + 1, U)), WIDE, POSITIVE,
              (-6.0, 6.0)),
    *function("rt.hyp2f1", (UNKNOWN, UNKNOWN, UNKNOWN,
                            X * Z / U * hyp2f1(X + 1, Z + 1, U + 1, V)),
              *(WIDE, WIDE, POSITIVE, BELOW_ONE)),
)  # fmt: skip

HYPERGEOMETRIC = ELLIPTIC + SERIES
