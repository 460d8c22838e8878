"""Arrays that get another shape in place: ``x.shape = ...``."""

import numpy as np
from kinds import Vec


class Filter:
    def __init__(self, x):
        self.state = x
        self.given = x

    def converted(self, x):
        return np.atleast_2d(np.asarray(x, dtype="float64"))

    def set_state(self, x):
        self.state = self.converted(x)
        self.state.shape = len(x), 1


def row(x: Vec, a: float) -> float:
    b = x * a
    b.shape = 1, len(x)
    return np.sum(b @ b.T)


def ranges_and_zeros(x: Vec, a: float) -> float:
    b = np.arange(6.0)
    b.shape = 2, 3
    c = np.zeros((2, 2))
    c.shape = -1
    c[0] = a
    return np.sum(b @ b.T * x[0] * c[0])


def column_of_object(x: Vec) -> float:
    f = Filter(x)
    f.set_state(x)
    return np.sum(f.state @ f.state.T) * np.sum(f.given)


def in_a_loop(x: Vec) -> float:
    total = 0.0
    for v in x:
        y = np.atleast_2d(np.asarray(v))
        y.shape = 1
        r = np.outer(x, x)
        r.shape = (len(x) * len(x),)
        total = total + y[0] * r[1]
    return total


def part_that_is_written(x: Vec, a: float) -> float:
    v = x[:4]
    v.shape = 4, 1
    v[0, 0] = a * v[1, 0]
    return np.sum(x * x)


def strided_part(x: Vec, a: float) -> float:
    y = (x * a)[::2]
    y.shape = -1, 1
    return np.sum(y @ y.T)


def flat_later(x: Vec, n: int) -> float:
    """Two arrays get their shape in one statement, after others were made of them."""
    rows, columns = np.mgrid[0:n, 0:n]
    scaled = x[0] * rows + x[1] * columns
    total = np.sum(scaled, axis=0)
    rows.shape = scaled.shape = n * n
    return float(scaled @ rows + total @ total)
