"""The order in which things are evaluated, seen through side effects."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


class Log:
    def __init__(self):
        self.value = 1.0
        self.n = 0

    def at(self, x, result):
        self.value = self.value * (2.0 + x) + 1.0
        self.n += 1
        return result


class Step:
    """Each call gives another number, which tells when it was made."""

    def __init__(self, x):
        self.x = x

    def next(self):
        self.x = self.x * 2.0 + 1.0
        return self.x


class Key:
    def __init__(self, log, a):
        self.log = log
        self.a = a

    def __eq__(self, other):
        self.log.at(self.a, 0.0)
        return self.a == other.a


def dict_display(x: float, y: float) -> float:
    log = Log()
    d = {log.at(x, "a"): log.at(y, x), log.at(x * y, "b"): log.at(x + y, y)}
    return log.value * d["a"] + d["b"]


def dict_comprehension(x: float, y: float) -> float:
    log = Log()
    d = {log.at(x, k): log.at(y, x * i) for i, k in enumerate(("a", "b"))}
    return log.value + d["b"]


def dict_unpacking(x: float, y: float) -> float:
    log = Log()
    first = {"a": x, "b": y}
    d = {**first, log.at(x, "a"): log.at(y, 5.0), **first}
    return d["a"] * log.value


def list_display(x: float, y: float) -> float:
    log = Log()
    xs = [log.at(x, 1.0), log.at(y, 2.0), log.at(x * y, 3.0)]
    return log.value * xs[2]


def tuple_display(x: float, y: float) -> float:
    s = Step(x)
    a, b, c = s.next(), s.next() * y, s.next()
    return a + b * 10 + c * 100


def binary_operands(x: float, y: float) -> float:
    s = Step(x)
    return s.next() - y * s.next() ** 2 / s.next()


def power_operands(x: float, y: float) -> float:
    s = Step(x)
    return s.next() ** (y * s.next()) ** 0.5


def comparison_operands(x: float, y: float) -> float:
    s = Step(x)
    return x * y if s.next() < s.next() < s.next() else s.x


def comparison_stops(x: float, y: float) -> float:
    s = Step(x)
    bad = s.next() > s.next() > s.next()
    return s.x * y if not bad else x


def call_arguments(x: float, y: float) -> float:
    def f(a, b, c=0.0):
        return a + 10 * b + 100 * c

    s = Step(x)
    return f(s.next(), c=s.next(), b=s.next()) * y


def call_stars(x: float, y: float) -> float:
    def f(a, b, c, d):
        return a + 10 * b + 100 * c + 1000 * d

    s = Step(x)
    return f(s.next(), *[s.next(), s.next()], d=s.next()) * y


def function_before_arguments(x: float, y: float) -> float:
    def make(s, v):
        s.next()
        return lambda a: a * v

    s = Step(x)
    return make(s, y)(s.next())


def method_owner_first(x: float, y: float) -> float:
    s = Step(x)
    xs = [s, Step(y)]
    return xs[0].next() + xs[1].next() * s.next()


def subscript_store(x: float, y: float) -> float:
    s = Step(x)
    xs = [0.0, 0.0, 0.0]

    def index(k):
        s.next()
        return k

    xs[index(1)] = s.next() * y
    return xs[1] + s.x


def subscript_store_in_array(v: Vec) -> float:
    s = Step(v[0])
    out = np.zeros(3)

    def index(k):
        s.next()
        return k

    out[index(1)] = s.next()
    return out[1] + s.x


def attribute_store(x: float, y: float) -> float:
    s = Step(x)
    t = Step(y)

    def owner():
        s.next()
        return t

    owner().x = s.next()
    return t.x * s.x


def augmented_subscript(x: float, y: float) -> float:
    s = Step(x)
    xs = [y, 2.0]

    def index(k):
        s.next()
        return k

    xs[index(0)] += s.next()
    return xs[0] * s.x


def augmented_subscript_reads_first(x: float, y: float) -> float:
    xs = [x, y]

    def change():
        xs[0] = 100.0
        return y

    xs[0] += change()
    return xs[0]


def augmented_name_reads_first(x: float, y: float) -> float:
    total = x

    def change():
        nonlocal total
        total = 100.0
        return y

    total += change()
    return total


def augmented_attribute_reads_first(x: float, y: float) -> float:
    s = Step(x)
    s.x += s.next() * y
    return s.x


def binary_reads_first(x: float, y: float) -> float:
    total = x

    def change():
        nonlocal total
        total = 100.0
        return y

    return total + change()


def binary_reads_first_of_array(v: Vec) -> float:
    w = v.copy()

    def change():
        w[0] = 100.0
        return w[1]

    return w[0] + change()


def whole_array_reads_later(v: Vec) -> float:
    w = v.copy()

    def change():
        w[0] = 10.0
        return 2.0

    return float(np.sum(w * change()))


def sum_of_array_reads_first(v: Vec) -> float:
    w = v.copy()

    def change():
        w[0] = 10.0
        return 2.0

    return float(np.sum(w)) * change() + w[0] * v[1]


def chained_assignment(x: float, y: float) -> float:
    s = Step(x)
    xs = [0.0, 0.0]
    ys = [0.0, 0.0]

    def index(k):
        s.next()
        return k

    xs[index(0)] = ys[index(1)] = s.next()
    return xs[0] * ys[1] + s.x * y


def chained_assignment_left_to_right(x: float, y: float) -> float:
    i = 0
    xs = [0.0, 0.0, 0.0]
    i = xs[i] = 2
    return xs[2] * x + xs[0] * y + i


def unpacking_left_to_right(x: float, y: float) -> float:
    i = 0
    xs = [x, y, 0.0]
    i, xs[i] = 2, 5.0
    return xs[2] * x + xs[0] * y + i


def swap(x: float, y: float) -> float:
    xs = [x, y]
    xs[0], xs[1] = xs[1], xs[0] * 2
    return xs[0] - xs[1] * 10


def swap_with_index(x: float, y: float) -> float:
    xs = [x, y, 3.0]
    i = 0
    i, xs[i] = 1, xs[i + 1]
    return xs[0] + 10 * xs[1] + 100 * i


def conditional_expression(x: float, y: float) -> float:
    s = Step(x)
    a = s.next() if s.next() > y else s.next() * 2
    return a * s.x


def and_stops(x: float, y: float) -> float:
    s = Step(x)
    if x < 0 and s.next() > 0:
        return 1.0
    return s.x * y


def or_stops(x: float, y: float) -> float:
    s = Step(x)
    if x > -5 or s.next() > 0:
        return s.x * y
    return 1.0


def any_stops(x: float, y: float) -> float:
    s = Step(x)
    found = any(s.next() > 2.0 for _ in range(5))
    return s.x * y if found else x


def all_stops(x: float, y: float) -> float:
    s = Step(x)
    every = all(s.next() < 6.0 for _ in range(5))
    return s.x * y if not every else x


def in_stops(x: float, y: float) -> float:
    log = Log()
    keys = [Key(log, 1.0), Key(log, 2.0), Key(log, 3.0)]
    return log.value * x if Key(log, 2.0) in keys else y


def default_evaluated_once(x: float, y: float) -> float:
    s = Step(x)

    def f(a, b=s.next()):
        return a * b

    first = f(y)
    s.next()
    return first + f(y) * s.x


def default_seen_at_definition(x: float, y: float) -> float:
    k = x

    def f(a, b=k):
        return a * b + k

    k = y * 3
    return f(2.0)


def map_is_lazy(x: float, y: float) -> float:
    s = Step(x)
    it = map(lambda a: a * s.next(), [1.0, 2.0])
    s.next()
    return sum(it) * y


def map_sees_later_items(x: float, y: float) -> float:
    xs = [x, y]
    it = map(lambda a: a * a, xs)
    xs[0] = 5.0
    return sum(it)


# refused: MK332
def map_sees_appended(x: float, y: float) -> float:
    xs = [x, y]
    it = map(lambda a: a * a, xs)
    xs.append(3.0 * x)
    return sum(it)


def map_of_two(x: float, y: float) -> float:
    xs = [x, y]
    ys = [1.0, 2.0]
    it = map(operator.mul, xs, ys)
    ys[1] = 7.0
    return sum(it)


def map_in_loop(x: float, y: float) -> float:
    s = Step(x)
    total = 0.0
    for v in map(lambda a: a + s.next(), [1.0, 2.0]):
        total += v * s.next()
    return total * y


def zip_is_lazy(x: float, y: float) -> float:
    xs = [x, y]
    it = zip(xs, [1.0, 2.0])
    xs[1] = 4.0
    return sum(a * b for a, b in it)


def zip_of_tuples(x: float, y: float) -> float:
    it = zip((x, y), (1.0, 2.0))
    return sum(a * b for a, b in it)


def enumerate_is_lazy(x: float, y: float) -> float:
    xs = [x, y]
    it = enumerate(xs)
    xs[0] = 4.0
    return sum(k * a + a for k, a in it)


def reversed_is_lazy(x: float, y: float) -> float:
    xs = [x, y]
    it = reversed(xs)
    xs[0] = 4.0
    total = 0.0
    for a in it:
        total = total * 2 + a
    return total


def iter_is_lazy(x: float, y: float) -> float:
    xs = [x, y]
    it = iter(xs)
    xs[0] = 4.0
    return sum(it)


def values_view_is_live(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    values = d.values()
    d["a"] = 5.0
    return sum(values)


# refused: MK332
def keys_view_is_live(x: float, y: float) -> float:
    d = {"a": x}
    keys = d.keys()
    d["b"] = y
    return x * y if "b" in keys else x


def items_view_is_live(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    items = d.items()
    d["a"] = 5.0
    return sum(v for _, v in items)


# refused: MK213
def items_view_length_is_live(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    items = d.items()
    d["c"] = 5.0
    return len(items) * x


def list_copies(x: float, y: float) -> float:
    xs = [x, y]
    ys = list(xs)
    xs[0] = 5.0
    return ys[0] * xs[0] + ys[1]


def sorted_copies(x: float, y: float) -> float:
    xs = [3, 1, 2]
    ys = sorted(xs)
    xs[0] = 10
    return ys[0] * x + ys[2] * y + xs[0]


def generator_runs_where_used(x: float, y: float) -> float:
    s = Step(x)
    return sum(s.next() * k for k in range(3)) + s.x * y


def generator_condition_order(x: float, y: float) -> float:
    s = Step(x)
    total = sum(s.next() for k in range(4) if s.next() > 5.0 * k)
    return total * s.x * y


def nested_comprehension_order(x: float, y: float) -> float:
    s = Step(x)
    xs = [[s.next() * i for _ in range(2)] for i in range(2)]
    return xs[1][0] + 10 * xs[1][1] + s.x


def comprehension_first_iterable_once(x: float, y: float) -> float:
    s = Step(x)
    xs = [a + b for a in [s.next(), s.next()] for b in [s.next()]]
    return xs[0] + 10 * xs[1]


def loop_iterable_once(x: float, y: float) -> float:
    s = Step(x)
    total = 0.0
    for a in [s.next(), s.next()]:
        total = total * 2 + a + s.next()
    return total


def loop_bound_evaluated_once(x: float, y: float) -> float:
    n = 3
    total = 0.0
    for i in range(n):
        n = 10
        total += x * i
    return total + n * y


def while_condition_each_time(x: float, y: float) -> float:
    s = Step(x)
    total = 0.0
    while s.next() < 20.0:
        total += s.x
    return total * y


def list_grown_in_loop(x: float, y: float) -> float:
    xs = [x]
    for a in [1.0, 2.0]:
        xs.append(xs[-1] * a + y)
    return xs[2]


def f_string_order(x: float, y: float) -> float:
    log = Log()
    text = f"{log.at(x, 'a')}{log.at(y, 'b')}"
    return log.value if text == "ab" else x


def reduce_order(x: float, y: float) -> float:
    return reduce(lambda a, b: a * 2 - b, [x, y, 3.0])


def walrus_order(x: float, y: float) -> float:
    return (a := x * 2) + a * y


def walrus_in_condition(x: float, y: float) -> float:
    if (a := x * y) > 0.1 and (b := a * 2) > 0.2:
        return a * b
    return a


def walrus_in_arguments(x: float, y: float) -> float:
    def f(a, b):
        return a - b

    return f(t := x * y, t * 3)


def slice_bounds_order(x: float, y: float) -> float:
    log = Log()
    xs = [x, y, x * y, 3.0]
    part = xs[log.at(x, 1) : log.at(y, 3)]
    return log.value * sum(part)


def decorator_order(x: float, y: float) -> float:
    def twice(f):
        return lambda a: 2 * f(a)

    def plus(f):
        return lambda a: f(a) + y

    @twice
    @plus
    def g(a):
        return a * a

    return g(x)


def property_evaluated_each_time(x: float, y: float) -> float:
    s = Step(x)
    xs = [s.next()] * 3
    return sum(xs) * s.next()


def assert_message_not_evaluated(x: float, y: float) -> float:
    s = Step(x)
    assert x > -10.0, "never"
    return s.next() * y


def del_item_order(x: float, y: float) -> float:
    xs = [x, y, 3.0]
    del xs[0]
    return xs[0] * xs[1]


def print_arguments(x: float, y: float) -> float:
    s = Step(x)
    a = s.next()
    return a * s.next() * y


# refused: MK357
def filter_is_lazy(x: float, y: float) -> float:
    xs = [1, 2, 3, 4]
    it = filter(lambda a: a % 2 == 0, xs)
    xs[0] = 6
    return sum(it) * x


# refused: MK357
def filter_sees_appended(x: float, y: float) -> float:
    xs = [1, 2]
    it = filter(lambda a: a % 2 == 0, xs)
    xs.append(8)
    return sum(it) * x


# refused: MK357
def filter_calls_late(x: float, y: float) -> float:
    log = Log()
    it = filter(lambda a: log.at(x, a > 1), [1, 2, 3])
    before = log.value
    total = sum(it)
    return before * total + log.value * y


# refused: MK357
def filter_in_loop(x: float, y: float) -> float:
    log = Log()
    total = 0.0
    for k in filter(lambda a: log.at(x, a > 1), [1, 2, 3]):
        total = total * 2.0 + log.value * k
    return total * y


def filter_then_list(x: float, y: float) -> float:
    return x * sum(list(filter(lambda a: a > 1, [1, 2, 3]))) * y


def filter_of_objects(x: float, y: float) -> float:
    steps = [Step(x), Step(y)]
    return sum(s.x for s in filter(lambda s: isinstance(s, Step), steps))


# refused: MK357
def filter_of_changed_threshold(x: float, y: float) -> float:
    k = 1
    it = filter(lambda a: a > k, [1, 2, 3])
    k = 2
    return sum(it) * x


# refused: MK357
def filter_with_counter(x: float, y: float) -> float:
    n = 0

    def odd(a):
        nonlocal n
        n += 1
        return n % 2 == 1

    it = filter(odd, [5, 6, 7])
    return sum(it) * x + n


def generator_of_changed_name(x: float, y: float) -> float:
    a = x
    for v in (a * k for k in range(3)):
        a = a + v * y
    return a


def generator_of_changed_object(x: float, y: float) -> float:
    s = Step(x)
    total = 0.0
    for v in (s.next() for _ in range(3)):
        total += v * s.next()
    return total * y


def generator_of_changed_list(x: float, y: float) -> float:
    xs = [x, y, 1.0]
    for v in (a * 2 for a in xs):
        xs[2] += v
    return xs[2]


def generator_of_changed_closure(x: float, y: float) -> float:
    scale = 1.0

    def f(a):
        return a * scale

    total = 0.0
    for v in (f(a) for a in [x, y]):
        total += v
        scale = scale * 2 + total
    return total


def generator_that_changes(x: float, y: float) -> float:
    s = Step(x)
    total = 0.0
    for v in (s.next() for _ in range(3)):
        total += v * s.x
    return total * y


def generator_in_loop(x: float, y: float) -> float:
    total = 0.0
    for v in (a * a for a in [x, y, 2.0]):
        total = total * 2 + v
    return total


def generator_with_own_names(x: float, y: float) -> float:
    total = 0.0
    for a in (a * y for a in [x, y, 2.0]):
        total = total * 2 + a
    return total
