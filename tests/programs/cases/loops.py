"""for over ranges and arrays, while, break, continue, else on loops, early returns."""

import math

import numpy as np
from kinds import Ints, Mat, Vec


def total(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


def from_one(x: Vec) -> float:
    s = x[0]
    for i in range(1, x.shape[0]):
        s = s * 0.5 + math.sin(x[i])
    return s


def step_two(x: Vec) -> float:
    s = 0.0
    for i in range(0, len(x), 2):
        s += x[i] ** 3
    return s


def downwards(x: Vec) -> float:
    s = 1.0
    for i in range(len(x) - 1, -1, -1):
        s = s * x[i] + 0.3
    return s


def step_minus_two(x: Vec, a: float) -> float:
    s = a
    for i in range(4, 0, -2):
        s = math.sin(s) * x[i]
    return s


def step_from_argument(x: Vec, k: int) -> float:
    s = 0.0
    for i in range(0, len(x), k):
        s = 0.7 * s + x[i] * x[i]
    return s


def in_reverse(x: Vec) -> float:
    s = 0.0
    for i in reversed(range(1, len(x))):
        s = math.cos(s) * x[i]
    return s


def over_array(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += v * v
    return s


def over_reversed_array(x: Vec) -> float:
    s = 0.3
    for v in reversed(x):
        s = s * v + 1.0
    return s


def over_rows(m: Mat) -> float:
    s = 0.0
    for row in m:
        for v in row:
            s += v * v * s + v
        s *= 0.1
    return s


def enumerated(x: Vec) -> float:
    s = 0.0
    for i, v in enumerate(x):
        s += (i + 1) * v * v
    return s


def enumerated_from(x: Vec) -> float:
    s = 0.0
    for i, v in enumerate(x, 3):
        s += v**i
    return s


def zipped(x: Vec, y: Vec) -> float:
    s = 0.0
    for a, b in zip(x, y, strict=True):
        s += a * math.sin(b)
    return s


def zip_enumerate(x: Vec, y: Vec) -> float:
    s = 0.0
    for i, (a, b) in enumerate(zip(x, y)):  # noqa: B905 - the shorter one ends it
        s += i * a * b
    return s


def over_tuple(x: float) -> float:
    s = 0.0
    for c, k in ((1.0, 2), (0.5, 3), (x, 1)):
        s += c * x**k
    return s


def over_ints(x: Vec, at: Ints) -> float:
    s = 0.0
    for i in at:
        s += x[i] * x[i]
    return s


def last_value(x: Vec) -> float:
    t = x[0]
    for v in x:
        t = v
    return t


def last_two(x: Vec, a: float) -> float:
    t, u = a, a
    for v in x:
        t, u = v, t
    return t * u


def index_after_loop(x: Vec) -> float:
    i = 0
    for i in range(3):  # noqa: B007 - it is used after the loop
        pass
    return x[i] * i


def no_iterations(x: Vec, a: float) -> float:
    s = a
    for i in range(3, 3):
        s *= x[i]
    return s


def empty_if_negative(x: Vec, k: int) -> float:
    s = x[0]
    for _ in range(k - 10):
        s *= s
    return s


def nested(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s += m[i, j] * (i - j) + m[i, j] ** 2
    return s


def triangular(m: Mat) -> float:
    s = 0.5
    for i in range(m.shape[0]):
        for j in range(i):
            s = s * 0.9 + m[i, j % 3] * m[j, j % 3]
    return s


def triangular_above(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            s += (x[i] - x[j]) ** 2 / (1 + j - i)
    return s


def breaking(x: Vec) -> float:
    s = 0.0
    for v in x:
        if v > 0.8:
            break
        s = s * v + v * v
    return s


def break_after(x: Vec) -> float:
    s = 1.0
    for v in x:
        s *= 1.0 + v
        if s > 1.5:
            s = s * s
            break
    return s


def continuing(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        if i % 2 == 0:
            continue
        s += x[i] * x[i - 1]
    return s


def continue_float(x: Vec) -> float:
    s = 0.3
    for v in x:
        if v < 0.4:
            s += v
            continue
        s *= v
    return s


def break_and_continue(x: Vec, k: int) -> float:
    s = 0.2
    for i in range(len(x)):
        if i == 0:
            continue
        if i > k:
            break
        s = math.sin(s + x[i])
    return s


def loop_else(x: Vec) -> float:
    s = 0.0
    for v in x:
        if v > 100.0:
            break
        s += v
    else:
        s *= s
    return s


def loop_else_broken(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += v * v
        if v > 0.1:
            break
    else:
        s = 0.0
    return s


def nested_break(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if j > i:
                break
            s = s * 0.5 + m[i, j]
        else:
            s *= m[i, 0]
    return s


def return_from_loop(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
        if i == 2:
            return s * x[0]
    return s


def return_from_nested(m: Mat, k: int) -> float:
    s = 1.0
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            s = s * 0.8 + math.sin(m[i, j])
            if i + j > k:
                return s * m[i, j]
        s *= 0.5
    return s + m[0, 0]


def return_from_while(x: float) -> float:
    while True:
        x = x * x + 0.1
        if x > 0.5:
            return math.sin(x)


def while_count(x: Vec) -> float:
    s = 0.0
    i = 0
    while i < len(x):
        s += math.sin(x[i])
        i += 1
    return s


def while_float(x: float) -> float:
    s = 0.0
    while x < 5.0:
        x = 1.7 * x
        s += math.sin(x)
    return s * x


def while_else(x: float) -> float:
    n = 0
    while n < 4:
        n += 1
        x = math.sin(x)
    else:
        x = x * x
    return x


def while_break(x: float, a: float) -> float:
    n = 0
    while True:
        n += 1
        x = math.sin(x) + a
        if n > 5:
            break
        if x > 100.0:
            continue
        x *= a
    return x


def while_two_conditions(x: float) -> float:
    n = 0
    while n < 10 and x < 2.0:
        x += 0.3 * math.cos(x)
        n += 1
    return x * n


def newton(a: float) -> float:
    x = 1.0
    while abs(x * x - a) > 1e-13:
        x = 0.5 * (x + a / x)
    return x


def while_in_for(x: Vec) -> float:
    s = 0.0
    for v in x:
        r = v
        while r < 1.5:
            r = 1.3 * r + 0.2
        s += r * r
    return s


def for_in_while(x: Vec, k: int) -> float:
    s = 0.5
    n = 0
    while n < k:
        for v in x:
            s = math.sin(s * v)
        n += 1
    return s


def int_accumulator(x: Vec) -> float:
    n = 0
    s = 0.0
    for i in range(len(x)):
        n += i
        if i % 2:
            n *= 2
        s += n * x[i] * x[i]
    return s / n


def float_from_int(x: Vec) -> float:
    s = 0
    for v in x:
        s += v * v
    return s


def float_from_int_zero_trip(x: Vec, k: int) -> float:
    s = 1
    for i in range(k - 100):
        s *= x[i]
    return s * x[0]


def product(x: Vec) -> float:
    p = 1.0
    for v in x:
        p *= v
    return p


def largest(x: Vec) -> float:
    best = x[0]
    for v in x:
        if v > best:
            best = v
    return best * best


def argmax(x: Vec, y: Vec) -> float:
    at = 0
    for i in range(1, len(x)):
        if x[i] > x[at]:
            at = i
    return y[at] * x[at]


def running_max(x: Vec) -> float:
    best = -np.inf
    for v in x:
        best = max(best, v)
    return best * best


def fibonacci(x: float, k: int) -> float:
    a, b = 0.0, x
    for _ in range(k + 5):
        a, b = b, a + math.sin(b)
    return a * b


def recurrence_three(x: float, y: float, z: float) -> float:
    for i in range(4):
        x, y, z = y * 0.9, z + 0.1 * x, x * y * (i + 1)
    return x + y * z


def horner(x: float, c: Vec) -> float:
    r = 0.0
    for i in range(len(c) - 1, -1, -1):
        r = r * x + c[i]
    return r


def carry_through_branches(x: Vec) -> float:
    s = 0.2
    t = 1.0
    for i in range(len(x)):
        if i % 3 == 0:
            s = s + t * x[i]
        elif i % 3 == 1:
            t = s * x[i]
        else:
            s, t = t, s
    return s * t


def unused_carry(x: Vec) -> float:
    s = 0.0
    t = 0.0
    for v in x:
        s += v * v
        t = s * v  # noqa: F841 - nobody reads it
    return s


def bisection(a: float, lo: float, hi: float) -> float:
    for _ in range(8):
        mid = 0.5 * (lo + hi)
        if mid * mid > a:
            hi = mid
        else:
            lo = mid
    return lo * hi
