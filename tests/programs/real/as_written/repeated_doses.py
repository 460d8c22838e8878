import math
from itertools import accumulate, pairwise


def auc_trapezoid(times: list[float], conc: list[float]) -> float:
    """Linear up, logarithmic down."""
    total = 0.0
    for (t0, c0), (t1, c1) in pairwise(zip(times, conc)):
        if c1 < c0 and c1 > 0:
            total += (c0 - c1) / math.log(c0 / c1) * (t1 - t0)
        else:
            total += 0.5 * (c0 + c1) * (t1 - t0)
    return total


def one_compartment(dose: float, ka: float, ke: float, v: float, times: list[float]) -> list[float]:
    return [dose * ka / (v * (ka - ke)) * (math.exp(-ke * t) - math.exp(-ka * t)) for t in times]


def multiple_dosing(
    doses: dict[float, float], ka: float, ke: float, v: float, times: list[float]
) -> float:
    conc = [0.0 for _ in times]
    for at, dose in doses.items():
        shifted = [t - at for t in times]
        add = one_compartment(dose, ka, ke, v, [max(t, 0.0) for t in shifted])
        conc = [c + (a if s >= 0 else 0.0) for c, a, s in zip(conc, add, shifted)]
    running = list(accumulate(conc, max))
    return auc_trapezoid(times, conc) / running[-1]
