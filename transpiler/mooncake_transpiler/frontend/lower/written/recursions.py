"""Linear recursions of SciPy: filters of signals."""

from typing import Any

import numpy as np

from mooncake_transpiler.frontend.lower.written.random_numbers import _unsupported


def _filtered(b: Any, a: Any, x: Any, start: Any) -> Any:
    """``y[k] = sum(b[i] * x[k - i]) - sum(a[j] * y[k - j])``, for ``a[0] == 1``."""
    y = np.zeros(len(x), (b[:1] * a[:1] * x[:1]).dtype)
    for k in range(len(x)):
        for i in range(min(len(b), k + 1)):
            y[k] += b[i] * x[k - i]
        for j in range(1, min(len(a), k + 1)):
            y[k] -= a[j] * y[k - j]
        if k < len(start):
            y[k] += start[k]
    return y


def _delayed(b: Any, a: Any, x: Any, y: Any, start: Any) -> Any:
    """The share in outputs to come of what has come in and gone out, and of the ``start``."""
    left = np.zeros(len(start), y.dtype)
    n = len(x)
    for i in range(len(start)):
        if n + i < len(start):
            left[i] += start[n + i]
        for m in range(min(n, len(b) - i - 1)):
            left[i] += b[i + 1 + m] * x[n - 1 - m]
        for m in range(min(n, len(a) - i - 1)):
            left[i] -= a[i + 1 + m] * y[n - 1 - m]
    return left


def scipy_signal_lfilter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    ahead, back, given = np.atleast_1d(np.asarray(b)), np.atleast_1d(np.asarray(a)), np.asarray(x)
    if np.ndim(given) != 1:
        _unsupported("MK303", "lfilter of arrays with several axes", "filter them row by row")
    if axis not in (0, -1):
        raise ValueError("lfilter: the signal has one axis")
    ahead, back = ahead / back[0], back / back[0]
    if zi is None:
        return _filtered(ahead, back, given, np.zeros(0))
    start = np.asarray(zi)
    if len(start) != max(len(ahead), len(back)) - 1:
        raise ValueError("Unexpected shape for zi")
    y = _filtered(ahead, back, given, start)
    return y, _delayed(ahead, back, given, y, start)
