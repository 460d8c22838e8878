"""The gamma and beta functions, their logarithms, their incomplete integrals (DLMF 5, 8, 25.11)."""

from __future__ import annotations

from mooncake_rules.elementary import POSITIVE, function
from mooncake_rules.expr import UNKNOWN, Arg, Y, call, log, log1p
from mooncake_rules.op import Result, Special
from mooncake_rules.piecewise import flat

X, Z, U = Arg(0), Arg(1), Arg(2)
BOTH_SIDES, INSIDE = (-1.9, -1.1), (0.1, 0.9)
EULER = 0.5772156649015329

digamma, digamma_increment = call("rt.digamma"), call("rt.digamma_increment")
trigamma, polygamma, hurwitz = call("rt.trigamma"), call("rt.polygamma"), call("rt.hurwitz")
rgamma, rgamma_slope = call("rt.rgamma"), call("rt.rgamma_slope")
rgamma_curvature = call("rt.rgamma_curvature")
multigamma_sum, beta_density = call("rt.multigamma_sum"), call("rt.beta_density")
gammainc_slope, gamma_density = call("rt.gammainc_slope"), call("rt.gamma_density")

GAMMA = (
    *function("math.gamma sp.gamma=math.gamma", Y * digamma(X), POSITIVE),
    *function("math.lgamma sp.gammaln=math.lgamma rt.loggamma", digamma(X), POSITIVE),
    *flat("rt.gammasgn", 1, Result.FLOAT),
    *function("rt.rgamma", rgamma_slope(X), BOTH_SIDES,
              at=(Special((0.0,), (1,)), Special((-1.0,), (-1,)), Special((-3.0,), (-6,)))),
    *function("rt.rgamma_slope", rgamma_curvature(X), BOTH_SIDES,
              at=(Special((0.0,), (2 * EULER,)), Special((-1.0,), (2 - 2 * EULER,)))),
    *function("rt.rgamma_curvature",
              -Y * digamma(X) - 2 * rgamma_slope(X) * trigamma(X) - rgamma(X) * polygamma(2, X),
              BOTH_SIDES),
    *function("rt.digamma", trigamma(X), POSITIVE),
    *function("rt.trigamma", polygamma(2, X), POSITIVE),
    *function("rt.polygamma", (None, polygamma(X + 1, Z)), (1, 3), POSITIVE),
    *function("rt.digamma_increment", (trigamma(X + Z) - trigamma(X), trigamma(X + Z)), POSITIVE,
              POSITIVE),
    *function("rt.multigammaln", (multigamma_sum(0, X, Z), None), (2.5, 5.0), (1, 3)),
    *function("rt.multigamma_sum", (None, multigamma_sum(X + 1, Z, U), None), (0, 2), (2.5, 5.0),
              (1, 3)),
    *function("rt.hurwitz", (UNKNOWN, -X * hurwitz(X + 1, Z)), (1.5, 4.0), POSITIVE),
)  # fmt: skip

# Derivatives of the rising factorial: in its first argument any, in its second one or two.
poch_slope, poch_mixed = call("rt.poch_slope"), call("rt.poch_mixed")
POCHHAMMER = (
    *function("rt.poch", (poch_slope(1, X, Z), Y * digamma(X + Z)), POSITIVE, POSITIVE,
              at=(Special((-2.0, 2.0), (-3, None)), Special((-2.0, 3.0), (2, None)))),
    *function("rt.poch_slope", (None, poch_slope(X + 1, Z, U), poch_mixed(X, Z, U)), (1, 3),
              POSITIVE, POSITIVE),
    *function("rt.poch_mixed", (None, poch_mixed(X + 1, Z, U), UNKNOWN), (1, 3), POSITIVE,
              POSITIVE),
)  # fmt: skip

BETA = (
    *function("rt.beta", (-Y * digamma_increment(X, Z), -Y * digamma_increment(Z, X)), POSITIVE,
              POSITIVE),
    *function("rt.betaln", (-digamma_increment(X, Z), -digamma_increment(Z, X)), POSITIVE,
              POSITIVE),
)  # fmt: skip

# The densities are the slopes of the integrals in their last argument.
INCOMPLETE = (
    *function("rt.gammainc", (gammainc_slope(X, Z), gamma_density(X, Z)), POSITIVE, POSITIVE),
    *function("rt.gammaincc", (-gammainc_slope(X, Z), -gamma_density(X, Z)), POSITIVE, POSITIVE),
    *function("rt.gammainc_slope", (UNKNOWN, gamma_density(X, Z) * (log(Z) - digamma(X))),
              *(POSITIVE, POSITIVE)),
    *function("rt.gamma_density", (Y * (log(Z) - digamma(X)), Y * ((X - 1) / Z - 1)), POSITIVE,
              POSITIVE),
    *function("rt.betainc", (UNKNOWN, UNKNOWN, beta_density(X, Z, U)), POSITIVE, POSITIVE, INSIDE),
    *function("rt.betaincc", (UNKNOWN, UNKNOWN, -beta_density(X, Z, U)), POSITIVE, POSITIVE,
              INSIDE),
    *function("rt.beta_density", (Y * (log(U) + digamma_increment(X, Z)),
                                  Y * (log1p(-U) + digamma_increment(Z, X)),
                                  Y * ((X - 1) / U - (Z - 1) / (1 - U))),
              *(POSITIVE, POSITIVE, INSIDE)),
)  # fmt: skip

GAMMA_AND_BETA = GAMMA + POCHHAMMER + BETA + INCOMPLETE
