import numpy as np
from scipy.optimize import newton
from scipy.stats import norm


def value(spot: float, strike: float, rate: float, t: float, vol: float, kind: str):
    d1 = (np.log(spot / strike) + (rate + vol**2 / 2) * t) / (vol * np.sqrt(t))
    d2 = d1 - vol * np.sqrt(t)
    if kind == "call":
        return spot * norm.cdf(d1) - strike * np.exp(-rate * t) * norm.cdf(d2)
    return strike * np.exp(-rate * t) * norm.cdf(-d2) - spot * norm.cdf(-d1)


def implied(paid: float, spot: float, strike: float, rate: float, t: float, kind: str) -> float:
    def excess(vol):
        price = value(spot, strike, rate, t, vol, kind)
        return price - paid

    try:
        return newton(excess, 0.10)
    except ValueError:
        return np.nan
