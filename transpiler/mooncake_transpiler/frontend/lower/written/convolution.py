"""``scipy.signal.convolve2d`` and ``correlate2d``, written out as sums over the second matrix."""

from typing import Any

import numpy as np


def _common(a: Any, b: Any) -> Any:
    return (a[0, :1] * b[0, 0]).dtype


def _bordered(a: Any, rows: Any, columns: Any, boundary: str, fillvalue: Any) -> Any:
    """``a`` with so many rows and columns more before and behind it."""
    if boundary in ("fill", "pad"):
        return np.pad(a, (rows, columns), constant_values=fillvalue)
    if boundary in ("wrap", "circular"):
        return np.pad(a, (rows, columns), mode="wrap")
    if boundary in ("symm", "symmetric"):
        return np.pad(a, (rows, columns), mode="symmetric")
    raise ValueError(
        "Acceptable boundary flags are 'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm')."
    )


def _inside(a: Any, b: Any) -> Any:
    """The convolution where all of ``b`` is over ``a``."""
    m, n = b.shape
    total = np.zeros((a.shape[0] - m + 1, a.shape[1] - n + 1), _common(a, b))
    for i in range(total.shape[0]):
        for k in range(m):
            for l in range(n):  # noqa: E741
                for j in range(total.shape[1]):
                    total[i, j] += a[i + m - 1 - k, j + n - 1 - l] * b[k, l]
    return total


def _are_swapped(a: Any, b: Any, mode: str) -> bool:
    """True if ``a`` goes over ``b``."""
    if np.ndim(a) != 2 or np.ndim(b) != 2:
        raise ValueError("convolve2d and correlate2d take arrays with 2 axes")
    if b.shape[0] == 0 or b.shape[1] == 0:
        raise ValueError("there are no weights")
    if mode != "valid" or (b.shape[0] <= a.shape[0] and b.shape[1] <= a.shape[1]):
        return False
    if b.shape[0] < a.shape[0] or b.shape[1] < a.shape[1]:
        raise ValueError(
            "For 'valid' mode, one must be at least as large as the other in every dimension"
        )
    return True


def _over(a: Any, b: Any, mode: str, boundary: str, fillvalue: Any, above: int, left: int) -> Any:
    """The convolution; ``above`` and ``left`` tell where in ``b`` the middle is."""
    m, n = b.shape
    if mode == "valid":
        return _inside(a, b)
    if mode == "full":
        rows, columns = (m - 1, m - 1), (n - 1, n - 1)
    elif mode == "same":
        rows, columns = (above, m - 1 - above), (left, n - 1 - left)
    else:
        raise ValueError("Acceptable mode flags are 'valid', 'same', or 'full'.")
    given = np.asarray(a, dtype=_common(a, b))  # as ``fillvalue`` is
    return _inside(_bordered(given, rows, columns, boundary, fillvalue), b)


def scipy_signal_convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> Any:
    a, b = np.asarray(in1), np.asarray(in2)
    if _are_swapped(a, b, mode):
        return _inside(b, a)
    above, left = b.shape[0] // 2, b.shape[1] // 2
    return _over(a, b, mode, boundary, fillvalue, above, left)


def scipy_signal_correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> Any:
    a, b = np.asarray(in1), np.asarray(in2)
    if _are_swapped(a, b, mode):
        return _inside(b, np.conj(a)[::-1, ::-1])[::-1, ::-1]
    above, left = (b.shape[0] - 1) // 2, (b.shape[1] - 1) // 2
    return _over(a, np.conj(b)[::-1, ::-1], mode, boundary, fillvalue, above, left)
