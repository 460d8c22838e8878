"""Functions that return None: their results are the arrays `out…` that they write to."""

from typing import Annotated

import numpy as np
from kinds import Mat, Vec
from numba import njit
from numpy.typing import NDArray


def scaled(x: Vec, out: Vec) -> None:
    for i in range(len(x)):
        out[i] = out[i] * x[i]


def unannotated_result(x: Vec, y: float, out: np.ndarray):
    out[:] = y
    out += x[0] * x


@njit("void(float64[:], float64[:], float64[:])")
def two(x, out_first, out_second):
    out_first[:] = x**2
    out_second[1:] = x[1:] * out_first[0]


def diffused(u: Mat, out: Mat, steps: int) -> None:
    work = u.copy()
    for _ in range(steps):
        _step(work, out)
        work[:, :] = out
    out[0, 0] = out.sum()


def _step(u, out):
    n, m = u.shape
    for i in range(n):
        for j in range(m):
            left = u[i, j - 1] if j > 0 else 0.0
            out[i, j] = u[i, j] + 0.1 * (left - u[i, j]) * u[i, j]


def calls_another(x: Vec, out: Vec) -> None:
    scaled_and_shifted(x, out, 2.0)
    out[0] = x[0]


# mooncake: modes=reverse,forward
def scaled_and_shifted(x: Vec, out: Vec, by: float) -> None:
    out[:] = by * out + x


def twice_in_place(x: Vec) -> float:
    work = x.copy()
    scaled_and_shifted(x, work, 1.5)
    scaled_and_shifted(work, work, x[0])
    return float(np.sum(work * x))


def through_views(x: Vec, out: Vec, out_rows: Mat) -> None:
    tail = out[1:]
    tail *= x[1:]
    for row, v in zip(out_rows, x, strict=False):
        row += v * v
    first = out_rows[0]
    first[:] = first * x[0]
    s = x[0]
    s += 1.0
    out[0] = s


def by_helpers(x: Vec, out: Vec, out_second: Vec) -> None:
    _step_vector(out, x=x)

    def inner(o, c):
        o[:] = o * c

    inner(out_second, x[0])
    np.copyto(out[:1], x[1:2])


def _step_vector(o, x):
    half = o[::2]
    half += x[::2] ** 2


def turns(out_a: Vec, out_b: Vec, steps: int) -> None:
    old, new = out_a, out_b
    for _ in range(steps):
        for i in range(len(old)):
            new[i] = old[i] * old[i - 1]
        old, new = new, old


def parts(x: Vec, out: Annotated[NDArray[np.complex128], "n"]) -> None:
    out.real[:] = x * x
    out.imag = out.imag * x


class Sink:
    def __init__(self, kept):
        self.kept = kept


def held(x: Vec, out: Vec, out_second: Vec, out_rows: Mat) -> None:
    both = (out, x)
    both[0][:] += both[1] ** 2
    named = {"second": out_second}
    named["second"] *= x[0]
    views = []
    views.append(out_rows[0])
    views[0][:] = views[0] * out[1]
    sink = Sink(out)
    sink.kept[0] = x[1] * out_second[0]
    np.asarray(out_second)[1] = x[0]


def halves(x: Vec, out: Vec) -> None:
    first, second = np.split(out, [1])
    first[:] = x[:1] * second[0]
    second += x[1:]
