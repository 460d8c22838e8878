"""The dialect of numba: signatures, `prange`, ufuncs, typed containers, compiled classes."""

import numba as nb
import numpy as np
from kinds import Mat, Vec
from numba import float64, guvectorize, int64, njit, prange, vectorize
from numba.experimental import jitclass
from numba.typed import Dict, List

COMPILED = True
maybe_jit = njit(cache=True) if COMPILED else lambda f: f
fast = njit(fastmath=True)


@njit("float64(float64[:], int64)")
def text_signature(x, k):
    s = 0.0
    for v in x:
        s += v**k
    return s


@nb.njit([nb.float64[:](nb.float64[:, ::1], float64)], cache=True)
def signature_of_objects(a, y):
    return a.sum(axis=1) * y


@njit((float64[:], int64))
def parameters_only(x, k):
    return x[k] * x[0]


@njit(nb.types.float64(nb.types.Array(float64, 2, "C"), float64))
def signature_with_layout(a, y):
    return a[0, 0] * y + a[1, 1]


@njit(parallel=True)
def parallel_loop(a: Mat) -> float:
    total = 0.0
    for i in prange(a.shape[0]):
        for j in nb.prange(1, a.shape[1]):
            total += a[i, j] ** 2
    return total


@vectorize(["float64(float64, float64)"])
def _clipped(a, b):
    if a > b:
        return a * b
    return a - b


@vectorize
def _ramp(a):
    return a if a > 0.0 else 0.0


@np.vectorize
def _cubed(a):
    return a**3


def ufuncs(x: Vec, a: Mat, y: float) -> float:
    rows = _clipped(a, x[: a.shape[1]])
    return float(np.sum(rows)) + _clipped(y, 2) + float(np.sum(_ramp(x) + _cubed(x)))


@guvectorize([(float64[:], float64, float64[:])], "(n),()->(n)")
def _damped(x, rate, out):
    s = 0.0
    for i in range(x.shape[0]):
        s = rate * s + x[i]
        out[i] = s * s


@guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()", nopython=True)
def _dotted(x, y, out):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * y[i]
    out[0] = s


def generalized_ufuncs(x: Vec, y: float) -> float:
    work = np.zeros(len(x))
    _damped(x, 0.3, work)
    return float(np.sum(_damped(x, y) * work)) + y * _dotted(x * x, x)


@guvectorize([(float64[:], float64[:], float64[:], float64[:])], "(n),()->(),(n)")
def _shifted(x, by, total, out):
    total[0] = 0.0
    for i in range(x.shape[0]):
        out[i] = x[x.shape[0] - 1 - i] + by[0]
        total[0] += out[i] * out[i]


def repeated_ufuncs(a: Mat, y: float) -> float:
    work = np.zeros(a.shape)
    totals, shifted = _shifted(a, y)
    _, again = _shifted(a[:, None, :], a[:, 0])
    damped = _damped(a, _dotted(a, a[0]), work[:, ::-1])
    _damped(work, y, work)
    return float(np.sum(totals) + np.sum(shifted * damped) + np.sum(again**2 * y) + work[0, 0])


def typed_containers(x: Vec) -> float:
    items = List()
    for v in x:
        items.append(v * v)
    some = List([x[0], x[1]])
    some.append(2.0)
    sums = Dict.empty(nb.types.unicode_type, float64)
    sums["some"] = some[0] * some[2]
    s = 0.0
    for v in items:
        s += v
    return s * sums["some"]


@jitclass([("scale", float64), ("count", int64)])
class _Spring:
    def __init__(self, scale, count):
        self.scale = scale
        self.count = count

    def energy(self, x):
        return 0.5 * self.scale * x**self.count


def compiled_class(x: float) -> float:
    return _Spring(x, 2).energy(x + 1.0)


@maybe_jit
def _chosen(a):
    return a * a


@fast
def _alias(a):
    return 2.0 * a


def decorators(x: float) -> float:
    s = float64(0)
    for w in nb.literal_unroll((1, 2.5)):
        s += w * _chosen(x)
    return s + _alias(x)
