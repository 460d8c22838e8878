"""Probability distributions of ``scipy.stats``, written out by their densities.

The formulas are those of the Wikipedia articles on the distributions, as far as they can be without
overflow; numbers outside of the support have the density 0, bad parameters the density nan.
"""

from typing import Any

import numpy as np

special: Any = None  # of SciPy, where these are lowered, or tested


def _standard(x: Any, loc: Any, scale: Any) -> Any:
    return (np.asarray(x, dtype=np.float64) - loc) / scale


def _whole(k: Any, loc: Any) -> Any:
    return np.asarray(k, dtype=np.float64) - loc


def _logs(y: Any, inside: Any, valid: Any, density: Any, scale: Any) -> Any:
    """The logarithms of densities that are ``density`` where ``scale`` is 1."""
    found = np.where(inside, density - np.log(scale), -np.inf)
    return np.where(valid & (scale > 0.0) & ~np.isnan(y), found, np.nan)


def _shares(y: Any, low: Any, high: Any, valid: Any, share: Any, scale: Any) -> Any:
    """Distribution functions that are ``share`` between ``low`` and ``high``."""
    found = np.where(y <= low, 0.0, np.where(y >= high, 1.0, share))
    return np.where(valid & (scale > 0.0) & ~np.isnan(y), found, np.nan)


def _logs_of_whole(k: Any, low: Any, high: Any, valid: Any, mass: Any) -> Any:
    """The logarithms of the probabilities of whole numbers."""
    inside = (k >= low) & (k <= high) & (k == np.floor(k))
    return np.where(valid & ~np.isnan(k), np.where(inside, mass, -np.inf), np.nan)


# ---- densities on half of the numbers ------------------------------------------------------------


def scipy_stats_gamma_logpdf(x: Any, a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    density = special.xlogy(a - 1.0, y) - y - special.gammaln(a)
    return _logs(y, y >= 0.0, a > 0.0, density, scale)


def scipy_stats_gamma_pdf(x: Any, a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_gamma_logpdf(x, a, loc, scale))


def scipy_stats_gamma_cdf(x: Any, a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _shares(y, 0.0, np.inf, a > 0.0, special.gammainc(a, np.maximum(y, 0.0)), scale)


def scipy_stats_chi2_logpdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    half = 0.5 * df
    density = special.xlogy(half - 1.0, y) - 0.5 * y - special.gammaln(half) - np.log(2.0) * half
    return _logs(y, y >= 0.0, df > 0.0, density, scale)


def scipy_stats_chi2_pdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_chi2_logpdf(x, df, loc, scale))


def scipy_stats_chi2_cdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    share = special.gammainc(0.5 * df, 0.5 * np.maximum(y, 0.0))
    return _shares(y, 0.0, np.inf, df > 0.0, share, scale)


def scipy_stats_expon_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, y >= 0.0, True, -y, scale)


def scipy_stats_expon_pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_expon_logpdf(x, loc, scale))


def scipy_stats_expon_cdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _shares(y, 0.0, np.inf, True, -np.expm1(-y), scale)


def scipy_stats_lognorm_logpdf(x: Any, s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    logs = np.log(np.where(y > 0.0, y, 1.0))
    density = -0.5 * (logs / s) ** 2 - logs - np.log(s) - 0.5 * np.log(2.0 * np.pi)
    return _logs(y, y > 0.0, s > 0.0, density, scale)


def scipy_stats_lognorm_pdf(x: Any, s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_lognorm_logpdf(x, s, loc, scale))


def scipy_stats_lognorm_cdf(x: Any, s: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    share = special.ndtr(np.log(np.where(y > 0.0, y, 1.0)) / s)
    return _shares(y, 0.0, np.inf, s > 0.0, share, scale)


def scipy_stats_weibull_min_logpdf(x: Any, c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    above = np.where(y >= 0.0, y, 1.0)
    density = np.log(c) + special.xlogy(c - 1.0, above) - above**c
    return _logs(y, y >= 0.0, c > 0.0, density, scale)


def scipy_stats_weibull_min_pdf(x: Any, c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_weibull_min_logpdf(x, c, loc, scale))


def scipy_stats_weibull_min_cdf(x: Any, c: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    share = -np.expm1(-(np.where(y >= 0.0, y, 0.0) ** c))
    return _shares(y, 0.0, np.inf, c > 0.0, share, scale)


def scipy_stats_halfnorm_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, y >= 0.0, True, 0.5 * np.log(2.0 / np.pi) - 0.5 * y * y, scale)


def scipy_stats_halfnorm_pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_halfnorm_logpdf(x, loc, scale))


def scipy_stats_rayleigh_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    density = np.log(np.where(y > 0.0, y, 1.0)) - 0.5 * y * y
    return _logs(y, (y > 0.0) & (y < np.inf), True, density, scale)


def scipy_stats_invgamma_logpdf(x: Any, a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    above = np.where(y > 0.0, y, 1.0)
    density = -(a + 1.0) * np.log(above) - special.gammaln(a) - 1.0 / above
    return _logs(y, y > 0.0, a > 0.0, density, scale)


def scipy_stats_invgamma_pdf(x: Any, a: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_invgamma_logpdf(x, a, loc, scale))


def scipy_stats_pareto_logpdf(x: Any, b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    density = np.log(b) - (b + 1.0) * np.log(np.where(y >= 1.0, y, 1.0))
    return _logs(y, y >= 1.0, b > 0.0, density, scale)


# ---- densities between two numbers ---------------------------------------------------------------


def scipy_stats_beta_logpdf(x: Any, a: Any, b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    inside = (y >= 0.0) & (y <= 1.0)
    between = np.where(inside, y, 0.5)
    density = special.xlog1py(b - 1.0, -between) + special.xlogy(a - 1.0, between)
    return _logs(y, inside, (a > 0.0) & (b > 0.0), density - special.betaln(a, b), scale)


def scipy_stats_beta_pdf(x: Any, a: Any, b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_beta_logpdf(x, a, b, loc, scale))


def scipy_stats_beta_cdf(x: Any, a: Any, b: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    share = special.betainc(a, b, np.clip(y, 0.0, 1.0))
    return _shares(y, 0.0, 1.0, (a > 0.0) & (b > 0.0), share, scale)


def scipy_stats_uniform_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, (y >= 0.0) & (y <= 1.0), True, 0.0 * y, scale)


def scipy_stats_uniform_pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_uniform_logpdf(x, loc, scale))


# ---- densities on all numbers --------------------------------------------------------------------


def scipy_stats_t_logpdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    height = special.gammaln(0.5 * (df + 1.0)) - special.gammaln(0.5 * df)
    density = height - 0.5 * np.log(df * np.pi) - 0.5 * (df + 1.0) * np.log1p(y * y / df)
    return _logs(y, True, df > 0.0, density, scale)


def scipy_stats_t_pdf(x: Any, df: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_t_logpdf(x, df, loc, scale))


def scipy_stats_laplace_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, True, True, -np.log(2.0) - np.abs(y), scale)


def scipy_stats_laplace_pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_laplace_logpdf(x, loc, scale))


def scipy_stats_cauchy_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, True, True, -np.log(np.pi) - np.log1p(y * y), scale)


def scipy_stats_cauchy_pdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return np.exp(scipy_stats_cauchy_logpdf(x, loc, scale))


def scipy_stats_logistic_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, True, True, special.log_expit(y) + special.log_expit(-y), scale)


def scipy_stats_logistic_cdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return np.where((scale > 0.0) & ~np.isnan(y), special.expit(y), np.nan)


def scipy_stats_gumbel_r_logpdf(x: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    y = _standard(x, loc, scale)
    return _logs(y, True, True, -y - np.exp(-y), scale)


def scipy_stats_norm_ppf(q: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    share = np.asarray(q, dtype=np.float64)
    return np.where(scale > 0.0, special.ndtri(share) * scale + loc, np.nan)


# ---- whole numbers -------------------------------------------------------------------------------


def scipy_stats_poisson_logpmf(k: Any, mu: Any, loc: Any = 0.0) -> Any:
    k = _whole(k, loc)
    mass = special.xlogy(k, mu) - special.gammaln(np.maximum(k, 0.0) + 1.0) - mu
    return _logs_of_whole(k, 0.0, np.inf, mu >= 0.0, mass)


def scipy_stats_poisson_pmf(k: Any, mu: Any, loc: Any = 0.0) -> Any:
    return np.exp(scipy_stats_poisson_logpmf(k, mu, loc))


def scipy_stats_binom_logpmf(k: Any, n: Any, p: Any, loc: Any = 0.0) -> Any:
    k = _whole(k, loc)
    hits = np.clip(k, 0.0, n)
    ways = special.gammaln(n + 1.0) - special.gammaln(hits + 1.0) - special.gammaln(n - hits + 1.0)
    mass = ways + special.xlogy(hits, p) + special.xlog1py(n - hits, -p)
    valid = (n >= 0) & (n == np.floor(n)) & (p >= 0.0) & (p <= 1.0)
    return _logs_of_whole(k, 0.0, n, valid, mass)


def scipy_stats_binom_pmf(k: Any, n: Any, p: Any, loc: Any = 0.0) -> Any:
    return np.exp(scipy_stats_binom_logpmf(k, n, p, loc))


def scipy_stats_bernoulli_logpmf(k: Any, p: Any, loc: Any = 0.0) -> Any:
    return scipy_stats_binom_logpmf(k, 1.0, p, loc)


def scipy_stats_bernoulli_pmf(k: Any, p: Any, loc: Any = 0.0) -> Any:
    return np.exp(scipy_stats_bernoulli_logpmf(k, p, loc))


def scipy_stats_nbinom_logpmf(k: Any, n: Any, p: Any, loc: Any = 0.0) -> Any:
    k = _whole(k, loc)
    misses = np.maximum(k, 0.0)
    ways = special.gammaln(n + misses) - special.gammaln(misses + 1.0) - special.gammaln(n)
    mass = ways + n * np.log(p) + special.xlog1py(misses, -p)
    return _logs_of_whole(k, 0.0, np.inf, (n > 0.0) & (p > 0.0) & (p <= 1.0), mass)


def scipy_stats_nbinom_pmf(k: Any, n: Any, p: Any, loc: Any = 0.0) -> Any:
    return np.exp(scipy_stats_nbinom_logpmf(k, n, p, loc))


# ---- several numbers together --------------------------------------------------------------------


def scipy_stats_multivariate_normal_logpdf(x: Any, mean: Any, cov: Any) -> Any:
    """The logarithm of the normal density of a vector, or of the rows of a matrix."""
    spread = np.asarray(cov, dtype=np.float64)
    if np.ndim(spread) != 2:
        raise ValueError("the covariance must be a matrix")
    apart = np.asarray(x, dtype=np.float64) - mean
    root = np.linalg.cholesky(spread)
    steps = np.linalg.solve(root, apart.T)
    logs = 2.0 * np.sum(np.log(np.diagonal(root)))
    size = spread.shape[0] * np.log(2.0 * np.pi)
    return -0.5 * (size + logs + np.sum(steps * steps, axis=0))


def scipy_stats_multivariate_normal_pdf(x: Any, mean: Any, cov: Any) -> Any:
    return np.exp(scipy_stats_multivariate_normal_logpdf(x, mean, cov))
