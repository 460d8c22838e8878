"""Nested functions: what they see, what they rebind, and where they go."""

import math
from functools import cache

import numpy as np
from kinds import Vec


def accumulates(x: float, n: int) -> float:
    total = 0.0

    def add(v):
        nonlocal total
        total += v * x

    for i in range(n):
        add(math.sin(i * x))
        if i > 1:
            add(2.0)
    return total * x


def two_counters(x: float, n: int) -> float:
    def counter(step):
        c = 0.0

        def up():
            nonlocal c
            c += step
            return c

        def get():
            return c

        return up, get

    up, get = counter(x)
    other_up, other_get = counter(2.0 * x)
    for i in range(n):
        up()
        if i == 2:
            other_up()
    return get() * other_get() * up()


def shared_state(x: float, n: int) -> float:
    def account(balance):
        def deposit(v):
            nonlocal balance
            balance += v
            return balance

        def interest():
            nonlocal balance
            balance *= 1.1

        return deposit, interest

    deposit, interest = account(x)
    for i in range(n):
        deposit(x * i)
        if i % 2 == 0:
            interest()
    return deposit(0.0) * x


def rebinds_under_conditions(x: float, n: int) -> float:
    total, best = 0.0, -1.0

    def visit(v):
        nonlocal total, best
        if v > best:
            best = v
        elif v < 0.0:
            return 0.0
        total += v * best
        return total

    for i in range(n):
        visit(math.sin(3.0 * i + x))
    while total < 3.0:
        if visit(x + 1.0) > 2.0:
            break
    return total * best


def rebinds_in_branches(x: float, y: float) -> float:
    acc = 1.0

    def mul(v):
        nonlocal acc
        acc *= v

    if x > 0.5:
        mul(x)
        if y > 0.5:
            mul(y)
        else:
            mul(x + y)
    else:
        mul(3.0)
    return acc * acc


def rebinds_two_levels_up(x: float) -> float:
    a = x

    def outer():
        b = a * x

        def inner():
            nonlocal a, b
            a = a + b
            b = a * b
            return b

        inner()
        return inner() + b

    return outer() * a


def rebinds_array(x: Vec) -> float:
    u = x * 1.0

    def step():
        nonlocal u
        v = u * u
        v[1:] += u[:-1]
        u = v

    for _ in range(2):
        step()
    return np.sum(u)


def old_value_first(x: float) -> float:
    total = x

    def shift():
        nonlocal total
        total = total * total
        return total

    total += shift()
    return total * x


def parameter_is_cell(x: float) -> float:
    def scan(state):
        def feed(v):
            nonlocal state
            state = state * 0.5 + v
            return state

        return feed(x) * feed(x * x) + state

    return scan(1.0) + scan(x)


def rebound_after_definition(x: float, n: int) -> float:
    total = 0.0

    def shift(v):
        return v + total

    for _ in range(n):
        total = shift(x) * shift(0.5)
        if total > 3.0:
            break
    return total + shift(x)


def loop_variable_is_late(x: float) -> float:
    fs = []
    for i in range(3):
        fs.append(lambda v: v * i * x)  # noqa: B023 - that is what is tested
    s = 0.0
    for f in fs:
        s += f(x)
    return s


def default_keeps_loop_variable(x: float) -> float:
    fs = [lambda v, k=k: v * k for k in (1.0, x, 2.0)]
    s = 0.0
    for f in fs:
        s += f(x)
    return s


def default_is_bound_once(x: float) -> float:
    a = x

    def f(v, k=a):
        return v * k

    a = 2.0 * x
    return f(a) + f(1.0)


def default_is_shared(x: float) -> float:
    def f(v, buf=np.zeros(1)):  # noqa: B008 - that is what is tested
        buf[0] += v
        return buf[0]

    return f(x) + f(x * x) * f(2.0)


def writes_to_captured(x: Vec) -> float:
    buf = np.zeros(3)

    def put(i, v):
        buf[i] += v

    for i in range(5):
        put(i % 3, x[i] * x[i])
    return buf[0] * buf[1] + buf[2]


def each_argument_once(x: float) -> float:
    n = 0.0

    def tick():
        nonlocal n
        n += x
        return n

    def use(a, b=2.0):
        return a * a + a * b

    return use(tick()) + use(tick(), tick()) * n


def arguments_in_order(x: Vec) -> float:
    y = x.copy()

    def change(v):
        y[0] += v
        return y[0]

    def three(a, b, c):
        return a * b + np.sum(c * c)

    return three(c=y * 2.0, a=change(x[1]), b=change(2.0))


def writes_after_read(x: Vec) -> float:
    y = x.copy()

    def change():
        y[0] = 3.0 * x[1]
        return 1.0

    z = y * 2.0 + change()
    return np.sum(z) + np.sum(y * z)


def lambda_takes_expression(x: Vec) -> float:
    def grow(v):
        v += 1.0
        return v[0]

    f = lambda v: grow(v) * np.sum(v)  # noqa: E731 - a lambda that has a name
    return f(x * 2.0)


def _make(a):
    b = a * a

    def inner(v):
        return v * b

    return inner


def factory_in_branches(x: float, y: float) -> float:
    if y < 0.5:
        f = _make(x * y)
    else:
        f = _make(y)
    return f(x)


def factories_in_containers(x: float, y: float) -> float:
    fs = {"a": _make(x), "b": _make(y)}
    pair = (_make(x * y), fs["a"])
    return fs["b"](x) * pair[0](y) + pair[1](2.0)


def returned_by_condition(x: float, y: float) -> float:
    def pick(v):
        if v > 0.5:
            k = v * 2.0
            return lambda t: t * k
        return lambda t: t + v

    return pick(x)(y) * pick(y)(x)


def _compose(*fs):
    def run(v):
        for f in reversed(fs):
            v = f(v)
        return v

    return run


def composed(x: float) -> float:
    return _compose(math.sin, lambda v: v * x, _compose(math.exp, math.cos))(x)


def _power(f, n):
    if n == 0:
        return lambda v: v
    return lambda v: f(_power(f, n - 1)(v))


def recursion_of_functions(x: float) -> float:
    return _power(lambda v: math.sin(v) * x, 12)(x)


def nested_recursion(x: float) -> float:
    def horner(k):
        return 1.0 if k == 4 else horner(k + 1) * x + k

    return horner(0)


def masked_update_by_writer(y: Vec, g: Vec) -> float:
    w = np.zeros(y.shape[0])

    def moved(c: float) -> float:
        nonlocal y
        y += c * g
        return np.sum(y)

    w[y > 0.0] += moved(-3.0)
    return np.sum(w * y)


def recursive_power(x: float, n: int) -> float:
    """A nested function that calls itself sees a parameter."""

    def power(k):
        return x if k == 0 else power(k - 1) * x

    return power(n)


def recursive_halves(x: Vec) -> float:
    def weighed(lo: int, hi: int) -> float:
        if hi - lo == 1:
            return x[lo] * x[lo]
        middle = (lo + hi) // 2
        return weighed(lo, middle) + 2.0 * weighed(middle, hi)

    return weighed(0, len(x))


def recursive_with_memory(x: Vec, n: int) -> float:
    """An array around it is filled."""
    known = np.zeros(n + 3)
    known[0] = x[1]
    known[1] = x[0]

    def found(k):
        if known[k] == 0.0:
            known[k] = found(k - 1) * x[0] + found(k - 2)
        return known[k]

    return found(n + 2)


def recursive_arrays(x: Vec, n: int) -> float:
    def grown(k, by=0.5):
        return x if k == 0 else grown(k - 1) * x + by * k

    return float(np.sum(grown(n, 2.0)))


def recursive_of_what_changes(x: float, n: int) -> float:
    """Variables around it are as they are when it is called."""
    c = x

    def power(k):
        return c if k == 0 else power(k - 1) * x

    first = power(n)
    c = 3.0 * x
    return first + power(n) + sum(power(k) * k for k in range(n))


def recursive_in_two(x: float, n: int) -> float:
    """Another function has a nested one of the same name."""
    _power = 3.0

    def power(k):
        return x if k == 0 else power(k - 1) + _power * x

    return power(n) * recursive_power(x, n)


def nested_with_cache(x: float, n: int) -> float:
    @cache
    def step(i, j):
        if i == 0 or j == 0:
            return x
        return step(i - 1, j) * 0.5 + step(i, j - 1) * x

    return step(n, 2)
