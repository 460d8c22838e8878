"""Calls between functions and modules, recursion, closures, default and keyword arguments."""

import math

import helpers
import numpy as np
from helpers import scaled_sine as sine
from kinds import Mat, Vec
from package.deep.inner import cube
from package.middle import through

RATE = 0.3
WEIGHTS = (0.5, 0.25, 0.125)
TABLE = np.array((0.2, 0.4, 0.6))


def _square(v):
    return v * v


def _sum_of(x, f):
    s = 0.0
    for v in x:
        s += f(v)
    return s


def _grow(x: Vec, by: float) -> None:
    for i in range(len(x)):
        x[i] += by * x[i]


def _split(v):
    return v * v, math.sin(v)


def calls_helper(x: float) -> float:
    return _square(x) * _square(_square(x) + 1.0)


def calls_other_module(x: float, a: float) -> float:
    return helpers.scaled_sine(x, scale=a) + sine(x)


def calls_package(x: float) -> float:
    return cube(x) + through(x)


def passes_function(x: Vec) -> float:
    return _sum_of(x, _square) + _sum_of(x, math.sin)


def passes_lambda(x: Vec, a: float) -> float:
    return _sum_of(x, lambda v: a * v * v)


def lambda_local(x: float) -> float:
    f = lambda t: t * x  # noqa: E731 - a lambda that has a name
    return f(f(2.0))


def nested_function(x: float, a: float) -> float:
    def inner(t):
        if t > 1.0:
            return a * t
        return a * t * t

    return inner(x) + inner(2.0 * x)


def nested_with_default(x: float) -> float:
    def inner(t, n=3, *, shift=0.5):
        for _ in range(n):
            t = math.sin(t + shift)
        return t

    return inner(x) + inner(x, 1) + inner(n=2, t=x, shift=x)


def closure_sees_later(x: float) -> float:
    a = 1.0

    def inner():
        return a * x

    a = x
    return inner() * a


def returns_pair(x: float) -> float:
    s, t = _split(x)
    u, (v, w) = t, _split(s)
    return s * t + u * v - w


def starred_arguments(x: float, y: float) -> float:
    pair = (x, y)
    return helpers.hypotenuse(*pair)


def keyword_arguments(x: float, y: float) -> float:
    return helpers.hypotenuse(b=x, a=y) * sine(x, scale=2.0)


def constants_of_module(x: float) -> float:
    s = RATE * x
    for w in WEIGHTS:
        s += w * x * x
    return s * math.pi + TABLE[1] * x


def array_constant(x: Vec) -> float:
    s = 0.0
    for i in range(len(TABLE)):
        s += TABLE[i] * x[i] * x[i]
    return s


def mutating_helper(x: Vec, a: float) -> float:
    _grow(x, a)
    _grow(x, 0.5)
    s = 0.0
    for v in x:
        s += v * v
    return s


def recursive_power(x: float, n: int) -> float:
    if n == 0:
        return 1.0
    return x * recursive_power(x, n - 1)


def recursive_halves(x: Vec, lo: int = 0, hi: int = 5) -> float:
    if hi - lo == 1:
        return math.sin(x[lo])
    mid = (lo + hi) // 2
    return recursive_halves(x, lo, mid) * recursive_halves(x, mid, hi) + 0.1


def even_steps(x: float, n: int) -> float:
    if n <= 0:
        return x
    return math.sin(odd_steps(x, n - 1))


def odd_steps(x: float, n: int) -> float:
    if n <= 0:
        return x * x
    return 0.5 * x * even_steps(x, n - 1)


def recursive_mutation(x: Vec, k: int) -> float:
    if k <= 0:
        s = 0.0
        for v in x:
            s += v * v
        return s
    for i in range(1, len(x)):
        x[i] = x[i] * x[i - 1] + 0.5
    return recursive_mutation(x, k - 1)


def recursion_in_loop(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += recursive_power(v, 3)
    return s


def call_in_condition(x: float) -> float:
    if _square(x) > 0.1:
        return _square(x) * x
    return x


def helper_with_return_in_loop(x: Vec, a: float) -> float:
    return helpers.first_above(x, a) * 2.0


def helper_on_rows(m: Mat) -> float:
    s = 0.0
    for i in range(m.shape[0]):
        s += helpers.norm2(m[i]) * (i + 1)
    return s


def gives_tuple(x: float, y: float) -> tuple[float, float]:
    return x * y, math.sin(x)


def gives_array(x: Vec, a: float) -> Vec:
    y = np.empty(len(x))
    for i in range(len(x)):
        y[i] = a * x[i] * x[i]
    return y


def gives_nested(x: Vec, a: float) -> tuple[float, tuple[Vec, float]]:
    y = np.zeros_like(x)
    s = 0.0
    for i in range(len(x)):
        y[i] = math.sin(x[i]) * a
        s += y[i]
    return s, (y, s * a)


def takes_tuple(p: tuple[float, float], q: tuple[float, tuple[int, float]]) -> float:
    a, b = p
    c, (n, d) = q
    return a * b + c * d**n


def _up(x: float, n: int) -> float:
    return _down(x, n - 1) * x


def _down(x: float, n: int) -> float:
    return x if n <= 0 else _up(x, n - 1) + _across(x, n - 2)


def _across(x: float, n: int) -> float:
    return _up(x, n - 1) * _down(x, n - 1) if n > 0 else math.sin(x)


def mutual_recursion(x: float) -> float:
    return _down(x, 5) + _across(x, 4)


def calls_with_constants(x: float) -> float:
    return called_elsewhere(x, 2, False)


def called_elsewhere(x: float, n: int, flag: bool) -> float:
    """Stated for any `n` and `flag`, though the first call of it knows both."""
    if flag:
        return x * n
    return math.sin(x) * n


def widens_a_column(x: Vec, b: Mat) -> float:
    return sum_of_products(x[:, None], b) if b.shape[0] == len(x) else x[0]


def sum_of_products(m: Mat, b: Mat) -> float:
    """Nothing is known of `m`, though a call of it gives a column."""
    return float(np.sum(m)) * float(np.sum(b * m)) if m.shape == b.shape else float(np.sum(m))


def _climb(x, n: int) -> float:
    return x * 1.5 if n <= 0 else _climb(x, n - 1) + math.sin(x)


def _climb__1(x: float, n: int) -> float:
    return x * 0.5 if n <= 0 else _climb__1(x, n - 1) * math.cos(x)


def versions_beside_a_number(x: float, n: int) -> float:
    """A function of the user's is called like the second version of another."""
    return _climb(x, 3) + _climb(n, 3) * x + _climb__1(x, 2)


def _falling(x, n):
    if n > 0:
        return x * _falling(x, n - 1)
    return 1


def _both(x, n):
    if n == 0:
        return x, 1.0
    a, b = _both(x, n - 1)
    return a * x + b, a


def _filled(a, i, x):
    if i < len(a):
        a[i] = x * i
        _filled(a, i + 1, x * 1.1)


def _halved(x, n: int):
    y = x * 2.0 if n == 0 else _halved(x * 0.5, n - 1) + 1.0
    total = y * y
    for k in range(n):
        total += _halved(x * 0.5, k)
    return total


def _fibonacci(n):
    if n < 2:
        return n
    return _fibonacci(n - 1) + _fibonacci(n - 2)


def recursion_without_annotations(x: float, n: int) -> float:
    a, b = _both(x, n)
    filled = np.zeros(n)
    _filled(filled, 0, x)
    total = _falling(x, n) + a * b + filled.sum() + _halved(x, 2)
    return total + x * _fibonacci(n + 3)


def _adapted(h, a, b, fa, fb, whole, depth):
    m = 0.5 * (a + b)
    fm = h(m)
    left, right = 0.5 * (m - a) * (fa + fm), 0.5 * (b - m) * (fm + fb)
    if depth > 0 and abs(left + right - whole) > 1e-3:
        first = _adapted(h, a, m, fa, fm, left, depth - 1)
        return first + _adapted(h, m, b, fm, fb, right, depth - 1)
    return left + right


def _bell(x):
    return 1.0 / (1.0 + x * x)


def recursion_with_function(x: float) -> float:
    ends = _bell(0.0), _bell(x)
    return _adapted(_bell, 0.0, x, *ends, 0.5 * x * (ends[0] + ends[1]), 4)
