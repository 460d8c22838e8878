"""Code for numbers and arrays alike: it asks what it was given, and converts."""

import numpy as np
from kinds import Vec


def _total(x):
    if np.ndim(x) == 0:
        return 2.0 * x
    return np.sum(x)


def dimensions(x: Vec, y: float) -> float:
    return _total(x) * _total(y) + np.size(y) + len(np.shape(y)) * y


def _as_array(x):
    x = np.asarray(x, dtype=float)
    if x.ndim == 0 or x.shape == ():
        return x * x.size
    return np.sum(x * x)


def as_arrays(x: Vec, y: float) -> float:
    return float(_as_array(x) * _as_array(y)) + np.asarray(y).item() * x[0].item()


def _geometric(x, n):
    s = type(x)()
    for k in range(n):
        s = s + x**k
    return s + type(x)(1) / x


def class_of_number(x: Vec, y: float) -> float:
    return _geometric(y, 4) + _geometric(x[0], 3)


def _sigmoid(x, derivative=False, kind="plain"):
    s = 1.0 / (1.0 + np.exp(-x))
    if kind == "both":
        return s, s * (1.0 - s)
    return s * (1.0 - s) if derivative is True else s


def flags(x: Vec) -> float:
    s, d = _sigmoid(x, kind="both")
    return float(np.sum(s * d + _sigmoid(x, True) - _sigmoid(x)))


def _floats_only(x):
    if np.issubdtype(x.dtype, np.floating):
        return x * x
    return x


def dtypes(x: Vec) -> float:
    return float(np.sum(_floats_only(x) + _floats_only(x[0])))


def dtypes_compared(x: Vec) -> float:
    y = x.astype(np.float32)
    s = 2.0 * (x.dtype == np.float64) + 3.0 * (x.dtype != y.dtype) + 5.0 * (y.dtype == "f4")
    s += 7.0 * (x.dtype == float) + 11.0 * ((x > 0.0).dtype == bool) + 13.0 * (y.dtype == float)
    s += 17.0 * (x.dtype in (np.float32, np.float64)) + 19.0 * (x.dtype is np.dtype("f8"))
    s += 23.0 * (x.dtype.kind == "f") + 29.0 * (x[0].dtype == x.dtype) + x.dtype.type(0.5)
    match (x * 2.0).dtype:
        case np.float32:
            s *= 2.0
        case np.float64:
            s *= 3.0
    if x.dtype != np.float64 or x.dtype == np.int64:
        return 0.0
    return float(np.sum(x.astype("f8") * s) + np.finfo(x.dtype).eps)


def text_of_dtypes(x: Vec) -> float:
    weights = {"float32": 2.0, "float64": 3.0}
    return float(np.sum(x)) * weights[x.dtype.name] * weights[f"{x.astype(np.float32).dtype}"]


def methods_of_numbers(x: Vec, y: float) -> float:
    sign = np.sign(y).astype(int)
    total = x.sum()
    steps = np.floor(5.0 * x[1]).astype("int64")
    return (
        sign * total.max() * x[0].clip(0.1, 0.9)
        + (total > 0.0).astype(float) * y
        + total.astype("float64").sum() * x[1].mean()
        + x[2].copy() * steps
    )


def numbers_are_no_arrays(x: Vec) -> float:
    first = x[0].copy()
    first += 2.0
    total = x.sum().squeeze()
    total *= first
    return np.sum(total.reshape(-1) * x) + x[1].ravel()[0] * x[2].flatten()[0] + x[0].var()


def numbers_beside_ranges(x: Vec) -> float:
    powers = np.exp(x[0]) ** np.arange(3) * (range(3) + x[1])
    return np.sum(powers) + (range(1, 4) / np.exp(x[2])).sum() + np.sum(x[0] * range(len(x)))


def ranges_as_arrays(x: Vec, y: float) -> float:
    n = len(x)
    waves = np.cos((x - 0.5) / np.sqrt(range(1, n + 1)))
    steps = range(n)
    return np.prod(waves) + np.sum(x * steps - range(n)) * y + np.sum((x > steps) * np.exp(steps))


def _doubled_number(v):
    if isinstance(v, (int, float)):
        return v * 2.0
    return np.sum(v)


def _times_int(n, x):
    return n * x if isinstance(n, int) else x


def asked_in_a_helper(n: int, x: float, v: Vec) -> float:
    s = _doubled_number(n) + _doubled_number(x) + _doubled_number(v) + _doubled_number(v[0])
    for i in range(len(v)):
        s += _times_int(i, v[i]) + _times_int(n + 1, v[i]) + _times_int(2.0, x)
    return s * _doubled_number(len(v))
