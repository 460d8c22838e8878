"""``scipy.linalg.solve_banded``, written out: elimination with rows swapped, within the bands.

What is in column j of row i is in ``bands[upper + lower + i - j, j]``. The first rows are for what
swapping brings above the bands (Golub and Van Loan, 2013, 4.3).
"""

from typing import Any

import numpy as np


def _largest(bands: Any, middle: int, j: int, below: int) -> int:
    """The number of rows from the diagonal to the largest element of column ``j`` below it."""
    found = 0
    for i in range(1, below + 1):
        if abs(bands[middle + i, j]) > abs(bands[middle + found, j]):
            found = i
    if bands[middle + found, j] == 0.0:
        raise np.linalg.LinAlgError("singular matrix")
    return found


def _eliminated(bands: Any, x: Any, lower: int, upper: int) -> None:
    """Let there be zeros below the diagonal; the same for the right side ``x``."""
    middle, count = lower + upper, bands.shape[1]
    end = 0  # of the columns that the rows so far reach
    for j in range(count):
        below = min(lower, count - 1 - j)
        far = _largest(bands, middle, j, below)
        end = max(end, min(j + upper + far + 1, count))
        if far > 0:
            for c in range(j, end):
                at, to = middle + j - c, middle + j + far - c
                held = bands[at, c] * 1.0
                bands[at, c] = bands[to, c]
                bands[to, c] = held
            row = x[j] * 1.0
            x[j] = x[j + far]
            x[j + far] = row
        for i in range(1, below + 1):
            factor = bands[middle + i, j] / bands[middle, j]
            for c in range(j + 1, end):
                bands[middle + i + j - c, c] -= factor * bands[middle + j - c, c]
            x[j + i] -= factor * x[j]


def scipy_linalg_solve_banded(
    l_and_u: Any, ab: Any, b: Any, overwrite_ab: bool = False, overwrite_b: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    lower, upper = l_and_u
    given, right = np.asarray(ab), np.asarray(b)
    if np.ndim(given) != 2 or np.ndim(right) > 2:
        raise ValueError("solve_banded takes the bands of one matrix")
    if lower + upper + 1 != given.shape[0]:
        raise ValueError(
            f"invalid values for the number of lower and upper diagonals: l+u+1 "
            f"({lower + upper + 1}) does not equal ab.shape[0] ({given.shape[0]})"
        )
    count = given.shape[1]
    if count != right.shape[0]:
        raise ValueError("shapes of ab and b are not compatible.")
    middle = lower + upper
    kind = (given[:1, :1] * right.reshape(-1)[:1] * 1.0).dtype
    bands, x = np.zeros((lower + middle + 1, count), kind), np.zeros(right.shape, kind)
    for i in range(middle + 1):  # what is outside of the matrix is not read
        first, last = max(upper - i, 0), count - max(i - upper, 0)
        bands[lower + i, first:last] = given[i, first:last]
    x[:] = right
    _eliminated(bands, x, lower, upper)
    for j in range(count - 1, -1, -1):
        x[j] = x[j] / bands[middle, j]
        for i in range(max(0, j - middle), j):
            x[i] -= bands[middle + i - j, j] * x[j]
    return x
