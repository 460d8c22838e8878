"""``scipy.integrate.quad``, written out: its derivative is taken under the integral.

The interval is halved where the error is largest, as QUADPACK does it (Piessens et al., 1983), by
Gauss and Kronrod's rules of 10 and 21 points, without extrapolation. Which parts there are is
detached; the sum over their points is not, so limits and parameters get their derivatives.
"""

import math
from typing import Any

import numpy as np
from mooncake_runtime import stop_gradient


def _point(a: Any, b: Any, t: float) -> Any:
    """The place between ``a`` and ``b`` for ``t`` between 0 and 1, and its derivative by ``t``."""
    if math.isinf(a) and math.isinf(b):
        sign = 1.0 if b > a else -1.0
        both = t - t * t
        return sign * (2.0 * t - 1.0) / both, sign * (1.0 - 2.0 * both) / (both * both)
    if math.isinf(b):
        sign = 1.0 if b > 0.0 else -1.0
        return a + sign * t / (1.0 - t), sign / ((1.0 - t) * (1.0 - t))
    if math.isinf(a):
        sign = 1.0 if a > 0.0 else -1.0
        return b + sign * (1.0 - t) / t, -sign / (t * t)
    return a + (b - a) * t, b - a


def _rules() -> Any:
    """The nodes of Kronrod's rule between -1 and 1, its weights, and those of Gauss's."""
    half = [
        0.9956571630258081, 0.9739065285171717, 0.9301574913557082, 0.8650633666889845,
        0.7808177265864169, 0.6794095682990244, 0.5627571346686047, 0.4333953941292472,
        0.2943928627014602, 0.14887433898163122,
    ]  # fmt: skip
    kronrod_half = [
        0.011694638867371874, 0.032558162307964725, 0.054755896574351995, 0.07503967481091996,
        0.09312545458369761, 0.10938715880229764, 0.12349197626206584, 0.13470921731147334,
        0.14277593857706009, 0.1477391049013385,
    ]  # fmt: skip
    gauss_half = [
        0.0, 0.06667134430868814, 0.0, 0.1494513491505806, 0.0, 0.21908636251598204, 0.0,
        0.26926671930999635, 0.0, 0.29552422471475287,
    ]  # fmt: skip
    nodes, kronrod, gauss = np.zeros(21), np.zeros(21), np.zeros(21)
    for k in range(10):
        nodes[k], nodes[20 - k] = -half[k], half[k]
        kronrod[k] = kronrod[20 - k] = kronrod_half[k]
        gauss[k] = gauss[20 - k] = gauss_half[k]
    kronrod[10] = 0.1494455540029169
    return nodes, kronrod, gauss


def _measure(values: Any, width: float, kronrod: Any, gauss: Any) -> Any:
    """The integral over a part that is twice ``width`` wide, and an estimate of its error."""
    total = np.sum(kronrod * values)
    spread = width * np.sum(kronrod * np.abs(values - total / 2))
    error = width * abs(total - np.sum(gauss * values))
    if spread > 0.0 and error > 0.0:
        error = spread * min(1.0, (200.0 * error / spread) ** 1.5)
    size = width * np.sum(kronrod * np.abs(values))
    return width * total, max(error, 1.1e-14 * size)


def scipy_integrate_quad(
    func: Any, a: Any, b: Any, args: Any = (), *, epsabs: float = 1.49e-8,
    epsrel: float = 1.49e-8, limit: int = 50,
) -> Any:  # fmt: skip
    given = args if isinstance(args, tuple) else (args,)
    nodes, kronrod, gauss = _rules()
    low, high = np.zeros(limit), np.ones(limit)
    sums, errors = np.zeros(limit), np.zeros(limit)
    values = np.zeros(21)
    start, end = stop_gradient(a), stop_gradient(b)
    parts, new, count = 1, 0, 1
    searching = True
    while searching:
        for part in range(2):  # of the two halves, or of the whole
            place = new if part == 0 else count - 1
            if part == 0 or count > 1:
                middle, width = (low[place] + high[place]) / 2, (high[place] - low[place]) / 2
                for k in range(21):
                    x, dx = _point(start, end, middle + width * nodes[k])
                    values[k] = stop_gradient(func(x, *given)) * dx
                sums[place], errors[place] = _measure(values, width, kronrod, gauss)
        parts = count
        whole, missing = np.sum(sums[:parts]), np.sum(errors[:parts])
        searching = bool(missing > max(epsabs, epsrel * abs(whole))) and parts < limit
        if searching:
            new = int(np.argmax(errors[:parts]))
            low[parts], high[parts] = (low[new] + high[new]) / 2, high[new]
            high[new] = low[parts]
            count = parts + 1
    result = 0.0
    for place in range(parts):
        middle, width = (low[place] + high[place]) / 2, (high[place] - low[place]) / 2
        for k in range(21):
            x, dx = _point(a, b, middle + width * nodes[k])
            result += width * kronrod[k] * dx * func(x, *given)
    return result, np.sum(errors[:parts])
