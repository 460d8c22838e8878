"""Functions that the other programs call."""

import math


def scaled_sine(x, scale=1.5):
    return scale * math.sin(x)


def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


def norm2(x):
    s = 0.0
    for v in x:
        s += v * v
    return s


def first_above(x, limit):
    for v in x:
        if v > limit:
            return v * v
    return limit
