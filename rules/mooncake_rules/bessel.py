"""Bessel functions, by the recurrences that have no singularity (DLMF 10.6, 10.29).

Their derivatives of all orders are again Bessel functions; ``e`` is for those scaled exponentially.
Those of whole order are functions of their own. Nothing is known of derivatives in a real order.
"""

from __future__ import annotations

from mooncake_rules.elementary import POSITIVE, WIDE, function
from mooncake_rules.expr import UNKNOWN, Arg, Y, call, sign
from mooncake_rules.op import Special

X, Z, U = Arg(0), Arg(1), Arg(2)
ORDER, AWAY, BETWEEN = (2, 4), (0.2, 3.0), (-2.9, 3.9)

j0, j1, jn = call("rt.j0"), call("rt.j1"), call("rt.jn")
y0, y1, yn = call("rt.y0"), call("rt.y1"), call("rt.yn")
i0, i1, iv = call("rt.i0"), call("rt.i1"), call("rt.iv")
i0e, i1e, ive = call("rt.i0e"), call("rt.i1e"), call("rt.ive")
k0, k1, kn = call("rt.k0"), call("rt.k1"), call("rt.kn")
k0e, k1e, kve = call("rt.k0e"), call("rt.k1e"), call("rt.kve")
bessel_j, bessel_y = call("rt.bessel_j"), call("rt.bessel_y")
bessel_i, bessel_k = call("rt.bessel_i"), call("rt.bessel_k")
slope_ie, slope_ke = call("rt.slope_ie"), call("rt.slope_ke")
spherical_j, spherical_y = call("rt.spherical_j"), call("rt.spherical_y")
spherical_i, spherical_k = call("rt.spherical_i"), call("rt.spherical_k")

BESSEL = (
    *function("rt.j0", -j1(X), (-9.0, 9.0)),
    *function("rt.j1", 0.5 * (j0(X) - jn(2, X)), (-9.0, 9.0), at=(Special((0.0,), (0.5,)),)),
    *function("rt.jn", (None, 0.5 * (jn(X - 1, Z) - jn(X + 1, Z))), ORDER, (-9.0, 9.0)),
    *function("rt.y0", -y1(X), (0.2, 9.0)),
    *function("rt.y1", 0.5 * (y0(X) - yn(2, X)), (0.2, 9.0)),
    *function("rt.yn", (None, 0.5 * (yn(X - 1, Z) - yn(X + 1, Z))), ORDER, (0.2, 9.0)),
)

# exp(-abs(x)) * iv(0, x) has a kink at 0; its slope there is 0, as that of abs(x) is.
MODIFIED = (
    *function("rt.i0", i1(X), WIDE),
    *function("rt.i1", 0.5 * (i0(X) + iv(2, X)), WIDE, at=(Special((0.0,), (0.5,)),)),
    *function("rt.iv", (None, 0.5 * (iv(X - 1, Z) + iv(X + 1, Z))), ORDER, WIDE),
    *function("rt.i0e", i1e(X) - sign(X) * Y, AWAY, at=(Special((0.0,), (0,)),)),
    *function("rt.i1e", 0.5 * (i0e(X) + ive(2, X)) - sign(X) * Y, AWAY),
    *function("rt.ive", (None, 0.5 * (ive(X - 1, Z) + ive(X + 1, Z)) - sign(Z) * Y), ORDER, AWAY),
    *function("rt.k0", -k1(X), POSITIVE),
    *function("rt.k1", -0.5 * (k0(X) + kn(2, X)), AWAY),
    *function("rt.kn", (None, -0.5 * (kn(X - 1, Z) + kn(X + 1, Z))), ORDER, AWAY),
    *function("rt.k0e", Y - k1e(X), AWAY),
    *function("rt.k1e", Y - 0.5 * (k0e(X) + kve(2, X)), AWAY),
    *function("rt.kve", (None, Y - 0.5 * (kve(X - 1, Z) + kve(X + 1, Z))), ORDER, AWAY),
)

REAL_ORDER = (
    *function("rt.bessel_j", (UNKNOWN, 0.5 * (bessel_j(X - 1, Z) - bessel_j(X + 1, Z))), BETWEEN,
              (0.2, 9.0)),
    *function("rt.bessel_y", (UNKNOWN, 0.5 * (bessel_y(X - 1, Z) - bessel_y(X + 1, Z))), BETWEEN,
              (0.2, 9.0)),
    *function("rt.bessel_i", (UNKNOWN, 0.5 * (bessel_i(X - 1, Z) + bessel_i(X + 1, Z))), BETWEEN,
              AWAY),
    *function("rt.bessel_ie", (UNKNOWN, slope_ie(1, X, Z)), BETWEEN, AWAY),
    *function("rt.slope_ie", (None, UNKNOWN, slope_ie(X + 1, Z, U)), (0, 2), BETWEEN, AWAY),
    *function("rt.bessel_k", (UNKNOWN, -0.5 * (bessel_k(X - 1, Z) + bessel_k(X + 1, Z))), BETWEEN,
              AWAY),
    *function("rt.bessel_ke", (UNKNOWN, slope_ke(1, X, Z)), BETWEEN, AWAY),
    *function("rt.slope_ke", (None, UNKNOWN, slope_ke(X + 1, Z, U)), (0, 2), BETWEEN, AWAY),
)  # fmt: skip

# Derivative 0, 1, 2 … of a function of order 0, 1, 2 …
SPHERICAL = (
    *function("rt.spherical_j", (None, None, spherical_j(X + 1, Z, U)), (0, 2), (0, 4), (-9.0, 9.0),
              at=(Special((0, 1, 0.0), (0, 0, 1 / 3)),)),
    *function("rt.spherical_y", (None, None, spherical_y(X + 1, Z, U)), (0, 2), (0, 4), AWAY),
    *function("rt.spherical_i", (None, None, spherical_i(X + 1, Z, U)), (0, 2), (0, 4), WIDE),
    *function("rt.spherical_k", (None, None, spherical_k(X + 1, Z, U)), (0, 2), (0, 4), AWAY),
)  # fmt: skip

BESSEL_FUNCTIONS = BESSEL + MODIFIED + REAL_ORDER + SPHERICAL
