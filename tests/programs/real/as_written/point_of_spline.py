from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


@dataclass
class Curve:
    control_points: np.ndarray
    knots: np.ndarray
    degree: int

    @property
    def num_control_points(self):
        return len(self.control_points)


def find_span(n: int, degree: int, u: float, knots: np.ndarray) -> int:
    if u >= knots[n + 1]:
        return n
    if u <= knots[degree]:
        return degree
    low, high = degree, n + 1
    mid = (low + high) // 2
    while u < knots[mid] or u >= knots[mid + 1]:
        if u < knots[mid]:
            high = mid
        else:
            low = mid
        mid = (low + high) // 2
    return mid


def de_boor(curve, u):
    degree = curve.degree
    n = curve.num_control_points - 1
    p = degree
    span = find_span(n, p, u, curve.knots)
    U = curve.knots
    P = curve.control_points
    d = [P[span - p + j] for j in range(p + 1)]
    for k in range(1, p + 1):
        for j in range(p, k - 1, -1):
            upper = span - p + j
            lower = span - p + j - k
            denom = U[upper + 1] - U[lower]
            if denom == 0.0:
                coeff = 0.0
            else:
                coeff = (u - U[lower]) / denom
            d[j] = (1 - coeff) * d[j - 1] + coeff * d[j]
    return d[p]


def point(points: Mat, knots: Vec, degree: int, u: float) -> Vec:
    return de_boor(Curve(points, knots, degree), u)
