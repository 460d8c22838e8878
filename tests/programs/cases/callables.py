"""Functions as values: passed on, chosen, given some arguments, decorated; `*args`, `**kwargs`."""

import functools
import math
import operator
import typing
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, cast

import numpy as np
from kinds import Vec
from numba import njit


class Point(NamedTuple):
    x: float
    y: float = 1.0


def _sum(*args, scale=1.0):
    s = 0.0
    for a in args:
        s += a * scale
    return s


def _forward(f, *args, **kwargs):
    return f(*args, **kwargs)


def any_number(x: float, y: float) -> float:
    return _sum(x, y, x * y) + _forward(_sum, x, y, scale=y) + _sum(*(x, y), scale=2.0)


def kinds_of_parameters(x: float, y: float) -> float:
    def f(a, /, b, *, c=2.0):
        return a * b * c

    return _forward(f, x, b=y) + f(x, y, c=x) + f(*[x, 2.0])


def forwarded(x: float, y: float) -> float:
    def inner(a, b, *rest, scale=1.0, **more):
        s = a * b * scale
        for r in rest:
            s += r
        for k in more:
            s += more[k] * x
        return s + len(rest) + len(more)

    def outer(*args, **kwargs):
        return inner(*args, **kwargs) + inner(1.0, *args, **{"scale": 3.0})  # noqa: PIE804 - that is what is tested

    return outer(x, y, x * y, scale=2.0, extra=y)


def keywords_taken_out(x: float, y: float) -> float:
    def inner(**options):
        k = options.pop("k", 2.0)
        m = options.get("m", y)
        return k * m + len(options)

    return inner(k=x, z=y) + inner(m=x) * inner()


def star_in_middle(x: float, y: float) -> float:
    def f(a, b, c, d):
        return a - 2.0 * b + 3.0 * c * d

    pair = (x, y)
    return f(1.0, *pair, 2.0) + f(*pair, *pair)


def chosen_by_condition(x: float, y: float) -> float:
    f = np.sin if x > 0.3 else np.cos
    g = (lambda v: v * x) if y > 0.5 else math.exp
    return f(y) * g(x)


def chosen_among_three(x: float, y: float, c: float) -> float:
    a = x * y
    if c > 0.5:
        f = lambda v: v * a  # noqa: E731 - a lambda that has a name
    elif c > 0.2:

        def f(v):
            return v * v * y
    else:
        f = math.tan
    return f(c) + f(x)


def chosen_in_each_iteration(x: float, n: int) -> float:
    s = x
    for i in range(n):
        f = math.sin if i % 2 == 0 else (lambda v: v * v * x)
        s = f(s) + x
    return s


def chosen_arguments(x: float, y: float) -> float:
    def g(a, b, v):
        return a * b * v

    if x > y:
        f = partial(g, x * y, y)
    else:
        f = partial(g, x, y * y)
    return f(2.0) + f(x)


def chosen_or_none(x: float, c: bool) -> float:
    f = None
    if c:
        f = math.sin
    return x if f is None else f(x)


def chosen_and_passed_on(x: Vec, a: float) -> float:
    f = math.sin if a > 0.5 else math.cos
    return functools.reduce(lambda t, v: t + f(v) * a, x, 0.0) + sum(map(f, x))


def optional_callback(x: float, y: float) -> float:
    def apply(v, f: Callable | None = None):
        if f is None:
            return v
        return f(v)

    return apply(x) * apply(y, math.sin) + apply(y, f=lambda v: v * x)


def default_or(x: float) -> float:
    def apply(v, f=None):
        g = f or math.cos
        return g(v) if callable(g) else 0.0

    return apply(x) * apply(x, math.sin)


def partials(x: float, y: float) -> float:
    f = partial(lambda a, b, *, c: a * b + c, x, c=y)
    g = partial(f, c=x * y)
    return f(2.0) + g(y) + g(y, c=1.0)


def partial_holds_array(x: Vec) -> float:
    y = x * 1.0

    def put(buf, i, v):
        buf[i] = v
        return buf[i]

    p = partial(put, y)
    p(0, x[1] * x[2])
    y[1] *= 2.0
    return np.sum(y * y) + p(2, x[0])


def partial_of_class(x: float, y: float) -> float:
    make = partial(Point, y=y)
    return make(x).x * make(x=2.0).y


def reduces(x: Vec, a: float) -> float:
    s = functools.reduce(operator.mul, (a, 2.0, a))
    s += functools.reduce(lambda t, v: t * 0.5 + v * a, x, 0.0)
    return s + functools.reduce(max, x) * functools.reduce(lambda t, v: t + v * v, x)


def maps(x: Vec, a: float) -> float:
    s = sum(map(math.sin, x)) + sum(map(operator.mul, x, x))
    s += sum(map(lambda v: v * v, (a, 2.0 * a)))  # noqa: C417 - that is what is tested
    for v in map(lambda u: u * a, x):  # noqa: C417 - that is what is tested
        s += v * v
    p, q = map(math.exp, (a, a * a))
    return s + p * q


def map_is_lazy(a: float) -> float:
    t = a
    s = 0.0
    for v in map(lambda u: u * t, (a, 2.0, 3.0)):  # noqa: C417 - that is what is tested
        t = t + v
        s += v * t
    return s


def filters(x: float) -> float:
    s = 0.0
    for k in filter(lambda k: k % 2 == 0, range(5)):
        s += x**k
    for f in filter(None, (math.sin, None, math.cos)):
        s *= f(x)
    return s


def quantifiers(x: Vec) -> float:
    s = 1.0
    if any(v > 0.5 for v in x):
        s *= x[0]
    if all(map(lambda v: v > -5.0, x)):  # noqa: C417 - that is what is tested
        s += x[1]
    if any((x[0] > 10.0, x[1] > 10.0)):
        s = 0.0
    return s * (x[2] if all(v > 0.0 for v in x) else x[3])


def sums_generator(x: Vec, a: float) -> float:
    return sum(v * v * a for v in x) + sum((u * a for u in (a, 3.0)), a)


def sorts_names(x: float) -> float:
    fs = {"sin": math.sin, "square": lambda v: v * v, "exp": math.exp}
    s = 1.0
    for k, name in enumerate(sorted(fs, key=len, reverse=True)):
        s = s * fs[name](x) + k
    return s


def getters(x: float, y: float) -> float:
    second, both = operator.itemgetter(1), operator.itemgetter("a", "b")
    p = Point(x, y)
    a, b = both({"a": x, "b": y * y})
    moved = operator.methodcaller("_replace", y=x)(p)
    return second((x, y)) * operator.attrgetter("x")(p) + a * b + moved.y * moved.x


def operator_functions(x: float, y: float) -> float:
    ops = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow)
    s = operator.neg(x)
    for op in ops:
        s += op(x, y)
    return s if operator.lt(x, y) else s * x


def operator_on_arrays(x: Vec) -> float:
    y = operator.add(x, operator.mul(x, x))
    operator.setitem(y, 0, x[1])
    return operator.matmul(y, x) * operator.getitem(y, 2)


def functions_of_numpy(x: Vec, a: float) -> float:
    s = 0.0
    for f in (np.sum, np.max, np.mean, lambda v: v[0]):
        s += f(x * a)
    return s


def _norm(f, x):
    return np.sqrt(np.sum(f(x) ** 2))


def arrays_through_functions(x: Vec, a: float) -> float:
    return _norm(np.sin, x) + _norm(lambda v: v * a, x) * _norm(partial(np.multiply, a), x)


def _twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs) * 2.0

    return wrapper


def _times(s):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(x, y=1.0):
            return f(x, y) * s

        return wrapper

    return decorate


@_twice
def _doubled(x, y=3.0):
    return x * y


@njit
def _jitted(x):
    return x * x


def decorated_helper(x: float) -> float:
    return _doubled(x) * _jitted(x) + _doubled(y=x, x=2.0)


@_times(3.0)
@_twice
def decorated(x: float, y: float) -> float:
    return x * y * _doubled(x)


def decorated_inside(x: float) -> float:
    calls = 0

    def counted(f):
        def wrapper(v):
            nonlocal calls
            calls += 1
            return f(v)

        return wrapper

    @counted
    @_twice
    def square(v):
        return v * v

    return square(x) * square(2.0) * calls


def cast_for_type_checkers(x: Vec) -> float:
    """They give what they are given, an array or a list itself."""
    y = cast("Vec", x)
    y[0] *= 2.0
    z = typing.cast(list[float], [x[0], x[1]])
    z.append(cast(float, np.sum(y)))
    return cast(float, x @ y) + sum(z)


@functools.lru_cache
def _weekday(day):
    return {5: 0.7, 6: 0.6}.get(day % 7, 1.0)


@functools.cache
def _paths(n: int, k: int) -> float:
    if k in {0, n}:
        return 1.0
    return _paths(n - 1, k - 1) + _paths(n - 1, k)


@functools.lru_cache
def bent(x: float, kind: str = "square") -> float:
    return x * x if kind == "square" else math.sin(x)


def with_caches(x: float, n: int) -> float:
    total = sum(_weekday(d) * x**d for d in range(n))
    return total + bent(x) * bent(2.0 * x, "wave") + _paths(n, 2) * x


def _simpson(f: Callable[[float], float], a: float, b: float) -> float:
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def _adaptive(f: Callable[[float], float], a: float, b: float, whole: float, eps: float) -> float:
    m = (a + b) / 2
    left, right = _simpson(f, a, m), _simpson(f, m, b)
    delta = left + right - whole
    if abs(delta) <= 15 * eps:
        return left + right + delta / 15
    return _adaptive(f, a, m, left, eps / 2) + _adaptive(f, m, b, right, eps / 2)


def quadrature(a: float, b: float, w: float) -> float:
    """A recursive function that is given a function, which sees a parameter."""
    wave = lambda x: math.sin(7 * w * x) / (1 + x * x)  # noqa: E731
    return _adaptive(wave, a, b, _simpson(wave, a, b), 1e-7)


def _iterated(g, x, n, h):
    return x if n <= 0 else _iterated(g, g(x) + h(x), n - 1, h)


def two_functions(a: float, n: int) -> float:
    b = a * a

    def step(x: float, scale: float = 0.1) -> float:
        return scale * b * x

    return _iterated(math.cos, 0.5, n, step) + _iterated(lambda x: a * x, b, n, h=math.sin)
