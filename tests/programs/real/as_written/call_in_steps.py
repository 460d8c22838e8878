from math import exp, log, pi, sqrt

from scipy.stats import norm


def bounds(vol: float, spot: float, strike: float, rate: float, t: float) -> tuple[float, float]:
    upper = 1 / (vol * sqrt(t)) * (log(spot / strike) + (rate + vol**2 / 2) * t)
    lower = upper - vol * sqrt(t)
    return upper, lower


def call(
    vol: float, spot: float, strike: float, rate: float, t: float, d1: float, d2: float
) -> float:
    value = norm.cdf(d1) * spot - norm.cdf(d2) * strike * exp(-rate * t)
    return value


def implied(spot: float, strike: float, rate: float, t: float, paid: float) -> float:
    vol = 0.5
    epsilon = 1.0
    tolerance = 1e-4
    i = 0
    most = 1e3
    while epsilon > tolerance:
        if i > most:
            print("Program failed to find a root.  Exiting.")
            break
        i = i + 1
        before = vol
        d1, d2 = bounds(vol, spot, strike, rate, t)
        excess = call(vol, spot, strike, rate, t, d1, d2) - paid
        vega = spot * norm.pdf(d1) * sqrt(t)
        vol = -excess / vega + vol
        epsilon = abs(excess)
    return vol
