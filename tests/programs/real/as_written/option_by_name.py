import numpy as np
from scipy.stats import norm


def option(
    spot: float, strike: float, rate: float, t: float, vol: float, paid: float, kind: str
) -> float | None:
    d1 = (np.log(spot / strike) + (rate - paid + (vol**2 / 2)) * t) / (vol * np.sqrt(t))
    d2 = (np.log(spot / strike) + (rate - paid - (vol**2 / 2)) * t) / (vol * np.sqrt(t))
    if kind == "Call":
        value = (spot * np.exp(-paid * t) * norm.cdf(d1)) - (
            strike * np.exp(-rate * t) * norm.cdf(d2)
        )
        return value
    if kind == "Put":
        value = (strike * np.exp(-rate * t) * norm.cdf(-d2)) - (
            spot * np.exp(-paid * t) * norm.cdf(-d1)
        )
        return value
    else:
        print('Unknown kind: "Call" or "Put"')
