"""Control flow: exits, odd ranges, while loops, values saved in branches."""

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "r c"]
Square = Annotated[NDArray[np.float64], "q q"]
Ints = Annotated[NDArray[np.int64], "k"]


def exits_of_nested_loops(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        done = False
        for j in range(m.shape[1]):
            s = math.sin(s + m[i, j])
            if s > 0.8:
                done = True
                break
            s *= 1.1
        if done and i > 0:
            break
        s = s * m[i, 0]
    return s


def return_from_nested_loops(x: Vec, a: float) -> float:
    w = x.copy()
    for i in range(len(x)):
        w[i] = w[i] * a
        if w[i] > 0.4:
            t = math.sin(w[i])
            for j in range(i):
                t += w[j] * t
                if t > 2.0:
                    return t * w[0]
            return t
    return a * w[1]


def last_values_of_a_left_loop(x: Vec) -> float:
    t = 0.0
    s = x[0]
    last = -1
    for i in range(len(x)):
        t = math.exp(x[i] * s)
        last = i
        if t > 1.4:
            break
        s = s * t
    return t * s * x[last]


def steps(x: Vec, k: int) -> float:
    s = 0.3
    for i in range(len(x) - 1, -1, -1 - k * k):
        s = math.sin(s) * x[i] + 0.2
    for i in range(1, len(x), 2 + k * k):
        s = math.cos(s) * x[i]
    return s


def perhaps_no_trips(x: Vec, n: int) -> float:
    s = 0.3 * x[0]
    for i in range(n):
        s = math.sin(s) * x[i]
    for i in range(n, 1):
        s = math.cos(s) * x[i]
    return s


def triangular_loops(q: Square) -> float:
    s = 0.2
    n = q.shape[0]
    for i in range(n):
        for j in range(i, n):
            s = math.sin(s) * q[i, j] + 0.1
        for j in range(i, 0, -1):
            s = math.cos(s) * q[j, i]
    return s


def trip_count_that_changes(x: Vec) -> float:
    s = 0.2
    n = 2
    for _ in range(4):
        for j in range(n):
            s = math.sin(s) * x[j % 5] + 0.1
        n = n * 2 - 1
        if s > 0.3:
            n = 1
    return s


def trip_count_from_memory(x: Vec, p: Ints) -> float:
    s = 0.2
    for i in range(len(p)):
        for j in range(p[i]):
            s = math.sin(s) * x[j] + 0.1
        p[i] = 1
    return s


def nested_while(x: Vec) -> float:
    s = x[0]
    i = 0
    while i < len(x):
        s = math.sin(s) + x[i]
        j = 0
        while j < i:
            s = math.cos(s) * x[j]
            if s > 0.2:
                s = math.exp(-s)
            j += 1
        s = s * math.tanh(s)
        i += 1
    return s


def while_with_branches_and_breaks(x: Vec) -> float:
    s = x[0]
    i = 0
    while True:
        if s > 0.5:
            t = math.sin(s)
            s = t * t + x[i]
        else:
            s = math.exp(s * x[i])
            if i > 3:
                break
        i += 1
        if i >= len(x):
            break
        s = s * 0.7
    return s * s


def stacks_that_grow(a: float) -> float:
    k = 0
    s = a
    while k < 300:
        s = math.sin(s) + 0.5
        j = 0
        while j < k % 4:
            s = math.tanh(s) + a
            if s > 1.3:
                break
            j += 1
        for _ in range(5):
            s = math.sin(s) + 0.1 * a
            if s > 0.9:
                break
        k += 1
    return s


def for_in_while(x: Vec) -> float:
    s = x[0]
    k = 0
    while k < 40:
        for i in range(k):
            s = math.sin(s) * x[i % 5] + 0.3
        k += 1
    return s


def condition_on_what_the_loop_writes(x: Vec) -> float:
    s = 0.1
    i = 0
    while i < len(x) and (x[i] > 0.1 or s > 3.0):
        x[i] = x[i] * s
        s += math.exp(-x[i])
        i += 1 if x[i] < 0.2 else 2
    return s


def saved_in_branches_outside_loops(x: Vec, a: float, k: int) -> float:
    s = x[0]
    if k > 0:
        u = math.sin(s)
        if k > 1:
            w = math.exp(u * s)
            s = w * u
            if k > 2:
                s = math.tanh(s) * w
        else:
            s = math.cos(u) * a
        s = s * u
    x[0] = 1.0
    return s * s * a


def accumulators_in_branches(x: Vec) -> float:
    s = 0.0
    t = 0.0
    for i in range(len(x)):
        if x[i] > 0.6:
            s += x[i] * x[i]
        else:
            s = math.sin(s) + x[i]
            t += s
    return s * t


def overwritten_in_each_iteration(x: Vec) -> float:
    t = x[0]
    s = 0.0
    for e in x:
        s += t * e
        t = e
    return s + t


def swapped_accumulators(x: Vec) -> float:
    s = 0.0
    t = 1.0
    for i in range(len(x)):
        s, t = t, s + x[i] * x[i]
    return s * 2.0 + t * 3.0


def binary_search(x: Vec, a: float) -> float:
    lo = 0
    hi = len(x) - 1
    while hi - lo > 1:
        mid = (lo + hi) // 2
        if x[mid] > a:
            hi = mid
        else:
            lo = mid
    w = (a - x[lo]) / (x[hi] - x[lo])
    return w * w * x[lo]


def largest_element(x: Vec) -> float:
    k = 0
    for i in range(1, len(x)):
        if x[i] > x[k]:
            k = i
    x[k] = x[k] * x[k]
    return x[k] * x[0] + x[1]


def side_not_taken(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        t = x[i] - x[0]
        s += np.where(i > 0, np.sqrt(t * t), x[i]) + np.where(i > 0, np.log(t * t), x[i])
    return s
