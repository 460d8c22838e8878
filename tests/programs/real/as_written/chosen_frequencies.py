import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def goertzel(sample, sample_rate, *freqs):
    n = len(sample)
    bins = set()
    for f_range in freqs:
        bins = bins.union(range(f_range[0], f_range[1]))
    n_range = range(0, n)
    results = []
    for k in bins:
        f_normalized = k / sample_rate
        w = 2.0 * math.cos(2.0 * math.pi * f_normalized)
        s, s_prev, s_preprev = 0.0, 0.0, 0.0
        for i in n_range:
            s = sample[i] + w * s_prev - s_preprev
            s_preprev, s_prev = s_prev, s
        power = s_preprev**2 + s_prev**2 - w * s_prev * s_preprev
        results.append((k, power))
    return results


def strongest(sample: Vec, sample_rate: float) -> float:
    results = goertzel(sample, sample_rate, (2, 5), (7, 9))
    return max(power for _, power in results)
