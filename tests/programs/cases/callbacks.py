"""Functions that others call: solvers, visitors, state that is changed in conditions and loops."""

import math
from dataclasses import dataclass

import numpy as np
from kinds import Vec


@dataclass
class Register:
    value: float = 0.0

    def add(self, a):
        self.value += a
        return self.value

    def damp(self, a):
        self.value -= a * self.value
        return self.value


class Holder:
    def __init__(self, x):
        self.x = x
        self.call = lambda k: self.x * k

    def then(self, f):
        old = self.call
        self.call = lambda k: f(old(k))


def chosen_methods(x: float, n: int) -> float:
    register = Register(x)
    f = register.add if x > 0.5 else register.damp
    for i in range(n):
        f(x * i)
        g = register.damp if i % 2 else f
        g(0.3)
    return register.value * f(1.0)


def chain_of_callbacks(x: float) -> float:
    h = Holder(x)
    h.then(math.sin)
    h.x = h.x * 2.0
    h.then(lambda v: v + h.x)
    return h.call(3.0)


def changes_in_while(x: float) -> float:
    n, t = 0, x

    def tick():
        nonlocal n, t
        n += 1
        t = t * 1.5
        return t

    s = 0.0
    while tick() < 5.0:
        s += t * n
    return s + n * t


def changes_in_conditions(x: float, y: float) -> float:
    n = 1.0

    def tick(v):
        nonlocal n
        n *= x + v
        return n > 0.5

    s = 0.0
    if y > 0.0 and tick(1.0):
        s += n
    if y > 10.0 and tick(2.0):
        s += 100.0
    s += n if tick(0.5) or tick(3.0) else 0.0
    z = n if x > 0.1 else tick(7.0)
    return s * n + z


def integer_becomes_float(x: float, n: int) -> float:
    c = 0

    def add(v):
        nonlocal c
        c += v

    for i in range(n):
        if i == 1:
            add(x)
        else:
            add(i)
    return c * x


def changes_in_comprehension(x: Vec) -> float:
    t = 1.0

    def step(v):
        nonlocal t
        t = t * 0.5 + v
        return t

    ys = np.array([step(v) for v in x])
    return np.sum(ys * ys) + t


def visitor(x: Vec) -> float:
    total = 0.0

    def walk(lo, hi):
        nonlocal total
        if hi - lo == 1:
            total = total * 0.5 + x[lo]
            return
        mid = (lo + hi) // 2
        walk(lo, mid)
        walk(mid, hi)

    walk(0, 5)
    return total * total


def same_array_thrice(x: Vec) -> float:
    y = x * 1.0

    def f(*arrays):
        arrays[0][0] = 3.0 * x[1]
        return arrays[1][0] * arrays[2][1]

    return f(y, y, y[1:]) + np.sum(y * y)


def generator_sees_late(x: float) -> float:
    k = 1.0
    fs = [lambda v: v * k, lambda v: v + k]
    k = x
    return sum(f(x) for f in fs) * k


def changed_before_raise(x: float) -> float:
    n = 0.0

    def f(v):
        nonlocal n
        n += v
        if v > 1.0:
            raise ValueError("too large")
        return v

    s = 0.0
    for v in (x, 2.0 * x, x * x):
        try:
            s += f(v)
        except ValueError:
            s -= n
    return s * n


def double_buffer(x: Vec, n: int) -> float:
    u, w = np.zeros(5), x * 1.0

    def swap():
        nonlocal u, w
        u, w = w, u

    def step(i):
        u[i] += w[i + 1] * x[i]

    for i in range(n):
        step(i)
        swap()
    return np.sum(u * x) + np.sum(w)


def defined_in_loop(x: float, n: int) -> float:
    s, w = 0.0, x
    for i in range(n):
        w = x * i

        def f(v, scale=w):
            return v * scale + w  # noqa: B023 - that is what is tested

        s += f(x) * f(2.0)
        w = s
    return s + w


def last_one_defined(x: float) -> float:
    for i in range(3):

        def f(v):
            return v * i  # noqa: B023 - that is what is tested

    return f(x)


def _midpoint(f, y, h):
    return y + h * f(y + 0.5 * h * f(y))


def counts_calls_of_rhs(x: Vec, a: float, n: int) -> float:
    calls = 0

    def rhs(y):
        nonlocal calls
        calls += 1
        return -a * y + np.sin(y)

    y = x * 1.0
    for _ in range(n):
        y = _midpoint(rhs, y, 0.1)
    return np.sum(y) * calls


def _integral(f, n):
    s = 0.0
    for i in range(n):
        s += f(i * 0.1)
    return s


def nested_integrals(x: float, n: int) -> float:
    return _integral(lambda u: _integral(lambda v: math.sin(u * v * x), n) * u, n)


def _newton(f, df, x, n):
    for _ in range(n):
        x = x - f(x) / df(x)
        if abs(f(x)) < 1e-13:
            break
    return x


def root(a: float) -> float:
    return _newton(lambda v: v * v - a, lambda v: 2.0 * v, 1.0, 20)


def own_memo(x: float) -> float:
    table = {}

    def get(k):
        if k not in table:
            table[k] = math.sin(x * k)
        return table[k]

    return get(1) * get(2) + get(1) + len(table)
