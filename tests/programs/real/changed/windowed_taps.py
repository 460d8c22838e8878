from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


def cosine_window(n: np.ndarray, N: float, coefs) -> np.ndarray:
    result = np.zeros_like(n, dtype=np.float64)
    sign = 1.0
    for i, c in enumerate(coefs):
        result += sign * c * np.cos(i * 2.0 * np.pi * n / N)
        sign = -sign
    return result


def nuttall(n: np.ndarray, N: float) -> np.ndarray:
    return cosine_window(n, N, (0.355768, 0.487396, 0.144232, 0.012604))


def hamming(n: Vec, N: float) -> Vec:
    return cosine_window(n, N, (0.54, 0.46))


def tap_count(width: float, rate: float) -> int:
    if width <= 0:
        raise ValueError(f"width must be > 0, got {width}")
    return int(round(3.8 * rate / width))


def windowed_sinc(count: int, cutoff: float, rate: float, window=nuttall) -> np.ndarray:
    count = int(count)
    if count < 1:
        raise ValueError("count must be >= 1")
    half = count / 2.0
    omega = 2.0 * np.pi * cutoff / rate
    corr = omega / np.pi

    i = np.arange(count, dtype=np.float64)
    t = i - half + 0.5
    with np.errstate(invalid="ignore", divide="ignore"):
        s = np.sinc(t * omega / np.pi)
    w = window(t - half, count)
    taps = s * w * corr
    return taps.astype(np.float64)


def lowpass(cutoff: float, width: float, rate: float) -> Vec:
    return windowed_sinc(tap_count(width, rate), cutoff, rate)
