"""while, with all ways to leave it, alone and nested."""

import math

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
