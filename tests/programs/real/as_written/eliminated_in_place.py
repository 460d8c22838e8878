from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def solve(a: Vec, b: Vec, c: Vec, d: Vec) -> list[float]:
    n = len(d)
    for i in range(n - 1):
        d[i + 1] -= 1.0 * d[i] * a[i] / b[i]
        b[i + 1] -= 1.0 * c[i] * a[i] / b[i]
    for i in reversed(range(n - 1)):
        d[i] -= d[i + 1] * c[i] / b[i + 1]
    return [d[i] / b[i] for i in range(n)]
