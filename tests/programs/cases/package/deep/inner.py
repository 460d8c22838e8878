"""At the bottom."""


def cube(x):
    return x * x * x


def negated(x):
    return -2.0 * x
