from collections.abc import Sequence

import numpy as np

_T0 = 0.5
_A0 = 10.0
_SABINE = 0.16


def _finite_bands(values: Sequence[float] | np.ndarray, name: str) -> np.ndarray:
    a = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if a.size == 0:
        raise ValueError(f"'{name}' must not be empty.")
    if not np.all(np.isfinite(a)):
        raise ValueError(f"'{name}' must contain only finite values.")
    return a


def _positive(value: float, name: str) -> float:
    v = float(value)
    if not np.isfinite(v) or v <= 0.0:
        raise ValueError(f"'{name}' must be positive.")
    return v


def normalization(volume: float) -> float:
    return float(10.0 * np.log10(_A0 * _T0 / (_SABINE * _positive(volume, "volume"))))


def index(t: Sequence[float] | np.ndarray, *, t0: float = _T0) -> np.ndarray:
    tt = _finite_bands(t, "t")
    if np.any(tt <= 0.0):
        raise ValueError("'t' must contain positive values.")
    return 10.0 * np.log10(tt / _positive(t0, "t0"))


def above_reference(t: Sequence[float] | np.ndarray, t0: float) -> float:
    return float(np.mean(index(t, t0=t0)))
