"""Results: arrays that alias arguments, parts that are not differentiated, parameters unused."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def mutated_argument(x: Vec) -> Vec:
    for i in range(len(x)):
        x[i] = x[i] * x[i]
    return x


def views_of_mutated_argument(x: Vec, y: Vec) -> tuple[Vec, Vec, float]:
    x[0] = y[0] * y[1]
    return x[1:], x, y[2] * x[1]


def argument_as_it_is(x: Vec) -> Vec:
    return x


def argument_that_may_overlap(x: Vec, y: Vec) -> Vec:
    x[0] = y[0] * x[0]
    return y


def local_or_argument(x: Vec, k: int) -> Vec:
    y = np.zeros(6)
    for i in range(5):
        y[i + 1] = math.sin(y[i]) * x[i]
    return y if k > 0 else x


def overlapping_views_of_a_local(x: Vec) -> tuple[Vec, Vec]:
    y = np.zeros(6)
    for i in range(5):
        y[i + 1] = math.sin(y[i]) * x[i] + x[0]
    return y[1:3], y[2:]


def one_array_twice(x: Vec) -> tuple[Vec, Vec]:
    y = x.copy()
    y[1] = y[0] * y[1]
    return y, y


def parts_without_derivative(x: Vec) -> tuple[float, int, float, Vec, Vec]:
    y = np.zeros(3)
    z = np.zeros(3)
    for i in range(3):
        y[i] = x[i] * x[i]
        z[i] = i * 2.0
    return x[0] * x[1], 3, 2.0, z, y


def nested(x: Vec, a: float) -> tuple[float, tuple[Vec, float], Square]:
    n = len(x)
    m = np.zeros((n, n))
    y = np.zeros(n)
    s = a
    for i in range(n):
        y[i] = math.sin(x[i] * s)
        for j in range(n):
            m[i, j] = y[i] * x[j]
        s = s * y[i]
    return s, (y, a * s), m


def read_and_overwritten(x: Vec, y: Vec) -> tuple[float, Vec]:
    x[0] = y[1] * x[0]
    y[0] = x[0] * y[0]
    z = x.copy()
    x[0] = 3.0
    for i in range(len(z)):
        z[i] *= y[0]
    return x[0] * y[0], z


def unused_parameters(x: Vec, y: Vec, a: float) -> float:
    return x[0] * x[1]


def constant(x: Vec) -> float:
    return 3.0


# mooncake: wrt=a
def only_a_scalar(x: Vec, a: float) -> float:
    s = 0.0
    for i in range(len(x)):
        x[i] = x[i] * a
        s += math.sin(x[i])
    return s


# mooncake: wrt=a,z
def some_of_the_parameters(x: Vec, a: float, y: Vec, z: Vec) -> float:
    s = x[0] * a * y[0] * z[1]
    for i in range(len(y)):
        y[i] = y[i] * s
    return s * y[0]


# mooncake: wrt=x
def work_array_as_parameter(x: Vec, w: Vec) -> float:
    n = len(x)
    s = 0.1
    for i in range(n):
        for j in range(n):
            w[j] = math.sin(x[j] * s)
        for j in range(n):
            s += w[j] * w[j] * x[i]
    return s


def row_found_by_a_loop(x: Mat) -> Vec:
    k = 0
    for i in range(x.shape[0]):
        if x[i, 0] > x[k, 0]:
            k = i
    return x[k]


def row_of_an_index_that_is_overwritten(x: Mat, idx: Ints) -> Vec:
    k = idx[1]
    idx[1] = 2
    return x[k]


def row_of_a_nested_index(x: Mat, idx: Ints) -> tuple[Vec, Vec]:
    k = idx[2]
    j = idx[1]
    while k > 1:
        k -= 1
    if x[0, 0] > 0.0:
        j = j + idx[1]
        idx[1] = 1
    idx[0] = 0
    return x[k + j], x[k - j, 1:]


def row_of_an_index_in_a_branch(x: Mat, y: Mat, idx: Ints, n: int) -> Vec:
    k = idx[1]
    if n > 0:
        k = idx[2]
        row = x[k]
    else:
        row = y[k]
    return row
