import numpy as np
from scipy.stats import norm


def price_gap(vol: float) -> float:
    spot = 30
    strike = 32
    years = 0.5
    rate = 0.03
    paid = 0.01
    market = 2.5
    d1 = (np.log(spot / strike) + (rate - paid + 0.5 * vol**2) * years) / (vol * np.sqrt(years))
    d2 = d1 - vol * np.sqrt(years)
    return (
        spot * np.exp(-paid * years) * norm.cdf(d1)
        - strike * np.exp(-rate * years) * norm.cdf(d2)
        - market
    )
