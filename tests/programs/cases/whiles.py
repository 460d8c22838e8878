"""while, with all ways to leave it, alone and nested."""

import math

import numpy as np
from kinds import Vec


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


def arrays_of_two_ranks(x: Vec) -> float:
    """Each is made anew under one condition and replaced under another."""
    n = len(x)
    v, m = np.zeros(n), np.zeros((n, n))
    total = 0.0
    is_new = True
    while total < 30.0:
        if is_new:
            v, m = np.zeros(n), np.zeros((n, n))
            v[:] = x
            m[:, 0] = x
        after = m @ v + 1.0
        if total > 2.0:
            m = m + np.outer(after, v)
        if total < 3.0:
            v = after
        total += np.sum(v) + 1.0
        is_new = total > 5.0
    return total


def arrays_that_swap(x: Vec) -> float:
    """Two of numbers, which are exchanged, beside one of integers and a matrix."""
    a, b, counts, m = x * 1.0, x + 1.0, np.zeros(len(x), dtype=np.int64), np.outer(x, x)
    for i in range(5):
        if i != 2:
            a, b = b, a * 0.5 + m[0]
            counts = counts + i
        if i > 2:
            m = m.T * 0.5
            b = a - b * counts
    return np.sum(a * counts) + np.sum(b * x) + np.sum(m[1] * a)


def while_that_keeps_the_last(x: float) -> float:
    total = 0.0
    z = 1.0 + x * x
    while True:
        y = z
        total += y * y
        if y > 40.0:
            break
        z = z * 1.5
    return total * y


def never_with_a_short_list(x: Vec) -> float:
    turning, stack, total = [x[0]], [], 0.0
    for i in range(1, len(x)):
        turning.append(x[i] - x[i - 1])
    for p in turning:
        stack.append(p)
        while len(stack) >= 3:
            a, b = abs(stack[-1] - stack[-2]), abs(stack[-2] - stack[-3])
            if a < b:
                break
            total += b**3
            stack.pop(-2)
    return total + len(stack) * x[0]
