"""Likelihoods by the distributions of ``scipy.stats``."""

import numpy as np
from kinds import Mat, Vec
from scipy import stats
from scipy.stats import beta, binom, multivariate_normal, norm, poisson


def gamma_likelihood(x: Vec, a: float, scale: float) -> float:
    return np.sum(stats.gamma.logpdf(np.abs(x), a, scale=scale))


def densities(x: Vec, a: float) -> float:
    y = np.abs(x) + 0.1
    return np.sum(stats.gamma.pdf(y, a) + stats.expon.pdf(y, scale=a) + stats.t.pdf(x, a + 3.0))


def of_shares(x: Vec, a: float, b: float) -> float:
    y = 0.5 + 0.4 * np.tanh(x)
    return np.sum(beta.logpdf(y, a + 0.5, b + 2.0)) + np.sum(beta.cdf(y, 2.0, 3.0))


def student(x: Vec, df: float, loc: float) -> float:
    return np.sum(stats.t.logpdf(x, df=df + 3.0, loc=loc, scale=2.0))


def counts(rate: float, p: float) -> float:
    found = np.array([1, 0, 3, 2])
    return np.sum(poisson.logpmf(found, rate)) + binom.logpmf(3, 10, p) + poisson.pmf(2, rate)


def lives(x: Vec, k: float, scale: float) -> float:
    y = np.abs(x) + 0.05
    return np.sum(stats.weibull_min.logpdf(y, k + 1.0, scale=scale)) + np.sum(
        stats.lognorm.logpdf(y, k, scale=np.exp(scale))
    )


def outside(x: Vec, scale: float) -> float:
    y = stats.expon.logpdf(x, scale=scale)
    return np.sum(np.where(np.isfinite(y), y, 0.0)) + stats.uniform.pdf(x[0], -3.0, 7.0 * scale)


def on_both_sides(x: Vec, m: float, s: float) -> float:
    return np.sum(stats.laplace.logpdf(x, m, s)) + np.sum(
        stats.cauchy.logpdf(x, m, s) + stats.logistic.logpdf(x, m, s)
    )


def shares_below(x: Vec, m: float) -> float:
    y = np.abs(x) + 0.1
    below = stats.chi2.cdf(y, 3.0) + stats.gamma.cdf(y, 2.0, scale=m) + stats.expon.cdf(y, scale=m)
    return np.sum(below) + norm.ppf(0.3, loc=m) + stats.logistic.cdf(m)


def gaussian(x: Mat, m: float) -> float:
    d = x.shape[1]
    cov = (1.2 + m * m) * np.eye(d) + 0.3
    return np.sum(multivariate_normal.logpdf(x, np.full(d, m), cov))


def gaussian_of_a_vector(x: Vec, s: float) -> float:
    cov = np.exp(-((np.arange(len(x))[:, None] - np.arange(len(x))) ** 2)) + s * np.eye(len(x))
    return multivariate_normal.logpdf(x, np.zeros(len(x)), cov)
