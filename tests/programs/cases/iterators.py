"""Functions of Python's library: itertools, orders, math, operator, dicts."""

import itertools
import math
import operator
from dataclasses import dataclass
from functools import partial, reduce
from itertools import (
    accumulate,
    chain,
    combinations,
    combinations_with_replacement,
    count,
    cycle,
    islice,
    pairwise,
    permutations,
    product,
    repeat,
    starmap,
    zip_longest,
)
from operator import attrgetter, itemgetter, mul
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "q"]
Mat = Annotated[NDArray[np.float64], "r c"]
Pairs = Annotated[NDArray[np.float64], "n 2"]


def with_tuple_order(x: Vec) -> float:
    a = (x[0], 1)
    b = (x[1], 0)
    lo = min(a, b)
    hi = max([a, b])
    if a < b and (1, 2) <= (1, 3) and [1, 2] > [1, 1]:
        return lo[0] * 2 + hi[0] ** 2
    return 0.0


class _NtOrderP(NamedTuple):
    c: float
    v: float


def with_nt_order(x: Vec) -> float:
    a = _NtOrderP(x[0], x[1])
    b = _NtOrderP(x[1], x[2])
    s = sorted([b, a])
    return max(a, b).v ** 2 + s[0].c if a < b else 0.0


@dataclass(order=True)
class _DcOrderP:
    c: float
    v: float


def with_dc_order(x: Vec) -> float:
    a = _DcOrderP(x[0], x[1])
    b = _DcOrderP(x[1], x[2])
    return max(a, b).v ** 2 if a < b and b >= a else 0.0


@dataclass(order=True, frozen=True)
class _DcOrderFrozenP:
    c: float
    v: float


def with_dc_order_frozen(x: Vec) -> float:
    ps = [_DcOrderFrozenP(x[1], x[2]), _DcOrderFrozenP(x[0], x[1])]
    ps.sort()
    return sorted(ps, reverse=True)[0].v * ps[0].c ** 2


def with_min_key(x: Vec) -> float:
    a = min([x[0], x[1], x[2]], key=lambda v: (v - 1.2) ** 2)
    b = max(x, key=lambda v: -v)
    c = min(range(3), key=lambda i: x[i])
    d = max(x[0], x[1], key=abs)
    return a**2 + b * c + d + x[c] ** 3


def with_min_gen(x: Vec) -> float:
    return min(v * v for v in x) + max((v * v for v in x if v > 9), default=1.0)


def with_sort_key(x: Vec) -> float:
    xs = [x[0], x[1], x[2]]
    xs.sort(key=lambda v: -v)
    s = sorted(xs, key=lambda v: abs(v - 1.2), reverse=True)
    o = sorted(range(3), key=lambda i: -x[i])
    return xs[0] ** 2 * s[0] + x[o[0]] * s[2]


def with_sort_pairs(x: Vec) -> float:
    xs = [(x[i], i) for i in range(3)]
    xs.sort(key=lambda p: p[0])
    return xs[0][0] ** 2 + xs[2][0] * xs[1][1]


def with_math_prod(x: Vec) -> float:
    a = math.prod([x[0], x[1]]) + math.prod(x)
    return a + math.prod((2, 3), start=x[0]) + math.prod(x.shape)


def with_dist(x: Vec) -> float:
    a = math.dist(x, x * x) + math.dist((x[0], x[1]), (x[2], 0.0))
    return a + math.dist([x[0]], [1.0]) + math.hypot(x[0], x[1], x[2], 2.0)


def with_isclose(x: Vec) -> float:
    if math.isclose(x[0], 0.5, rel_tol=1e-3) and not math.isclose(x[1], 0.1):
        return x[0] * x[1]
    return 0.0


def with_gcd3(x: Vec, n: int) -> float:
    return x[0] ** 2 * math.gcd(12, 18, n) * math.lcm(n, 4, 6)


def with_pairwise(x: Vec) -> float:
    s = 0.0
    for a, b in pairwise(x):
        s += (b - a) ** 2
    for i, (a, b) in enumerate(pairwise([x[0], x[1], x[2]])):
        s += a * b * i
    return s


def with_accumulate(x: Vec) -> float:
    s = 0.0
    for v in accumulate(x):
        s += v * v
    xs = list(accumulate([x[0], x[1], x[2]], operator.mul))
    for v in itertools.accumulate([x[0], x[1]], lambda a, b: a * 0.5 + b, initial=1.0):
        s += v**2
    return s + xs[2]


def _starmap_g(a: float, b: float) -> float:
    return a * b


def with_starmap(x: Vec) -> float:
    a = sum(starmap(_starmap_g, [(x[0], x[1]), (x[1], x[2])]))
    return a + sum(starmap(_starmap_g, zip(x, x, strict=False)))


def with_product(x: Vec) -> float:
    s = 0.0
    for i, j in product(range(3), range(3)):
        s += x[i] * x[j] * (i - j) ** 2
    for a, b in product(x, [1.0, 2.0]):
        s += a * b
    for i, j in product(range(2), repeat=2):
        s += x[i] * x[j]
    return s


def with_chain(x: Vec) -> float:
    s = 0.0
    for v in chain(x, x * x, [x[0]]):
        s += v**2
    for i in chain(range(2), [2]):
        s += x[i]
    for v in chain.from_iterable([[x[0], x[1]], [x[2]]]):
        s += v**3
    return s


def with_combinations(x: Vec) -> float:
    s = 0.0
    for a, b in combinations(x, 2):
        s += (a - b) ** 2
    for i, j in combinations(range(3), 2):
        s += x[i] * x[j]
    for i, j in permutations(range(3), 2):
        s += x[i] * x[j]
    for i, j in combinations_with_replacement(range(3), 2):
        s += x[i] * x[j]
    return s


def with_combinations_n(x: Vec) -> float:
    s = 0.0
    for i, j in combinations(range(len(x)), 2):
        s += x[i] * x[j]
    return s


def with_zip_longest(x: Vec) -> float:
    s = 0.0
    for a, b in zip_longest(x, x[:2], fillvalue=1.0):
        s += a * b
    return s


def with_islice(x: Vec) -> float:
    s = 0.0
    for a in islice(x, 1, None):
        s += a**2
    for a in islice([x[0], x[1]], 1):
        s += a**2
    return s


def with_repeat(x: Vec) -> float:
    s = 0.0
    for a, b in zip(x, repeat(2.0), strict=False):
        s += a * b
    for _ in repeat(None, 3):
        s = s * x[0]
    return s


def with_count(x: Vec) -> float:
    s = 0.0
    for i in count():
        if i > 2:
            break
        s += x[i] ** 2
    for i, v in zip(count(1), x, strict=False):
        s += i * v
    return s


def with_cycle(x: Vec) -> float:
    s = 0.0
    for v, w in zip(x, cycle([1.0, -1.0]), strict=False):
        s += v * v * w
    return s


def with_next(x: Vec) -> float:
    k = next(i for i in range(3) if x[i] > -0.5)
    it = iter(x)
    a = next(it)
    b = next(it)
    v = next((v for v in x if v > 9.0), 2.0)
    return x[k] * a * b * v


def with_fromkeys(x: Vec) -> float:
    d = dict.fromkeys(["a", "b"], 1.0)
    d["a"] = x[0] ** 2
    e = dict.fromkeys(d)
    return d["a"] + d["b"] + len(e)


def with_in_range(x: Vec, n: int) -> float:
    if n in range(2, 9) and n not in range(0, 9, 2):
        return x[0] ** 2
    return 0.0


def with_tuple_keys(x: Vec) -> float:
    d = {(0, 1): x[0], (1, 2): x[1]}
    d[1, 0] = x[2]
    s = 0.0
    for (i, j), v in d.items():
        s += v * v * (i + 2 * j)
    return s * d[0, 1]


def _reduce_g(a: float, b: float, c: float = 1.0) -> float:
    return a * b + c


def with_reduce(x: Vec) -> float:
    h = partial(_reduce_g, x[0], c=2.0)
    k = partial(_reduce_g, c=0.5)
    a = reduce(lambda a, b: a * b, x) + reduce(operator.add, [x[0], x[1]], 1.0)
    return a + h(x[1]) + reduce(k, x)


class _OperatorP(NamedTuple):
    a: float
    b: float


def with_operator(x: Vec) -> float:
    g = itemgetter(1)
    xs = sorted([(x[1], x[0]), (x[0], x[1])], key=itemgetter(0))
    p = _OperatorP(x[0], x[1])
    a = g(x) * xs[0][0] + attrgetter("b")(p) + mul(x[0], x[1])
    return a + operator.truediv(x[0], x[1]) + operator.neg(x[0]) + operator.getitem(x, 1)


def with_sum_map(x: Vec) -> float:
    return sum(map(operator.mul, x, x)) + sum((x[0], x[1]), 2.0)


def with_dict_methods(x: Vec) -> float:
    d = {"a": x[0], "b": x[1]}
    v = d.pop("a") + d.get("z", 1.0) + d.setdefault("q", x[2])
    e = d | {"k": 2.0}
    d.update(b=x[0] ** 2)
    return v * sum(d.values()) + max(e.values()) + (d.popitem()[1])


def with_snapshot(x: Vec) -> float:
    y = x.copy()
    s = 0.0
    for v, w in combinations(y, 2):
        y[2] = 2.0
        s += v * w
    for v, w in product(y, y):
        y[0] = 3.0
        s += v * w
    xs = [x[0], x[1]]
    for v, w in product(xs, x):
        xs[1] = 2.0
        s += v * w
    return s


def with_next_rest(x: Vec) -> float:
    it = iter(x)
    s = next(it) ** 2
    for v in it:
        s = s * v
    return s


class _SortedRunP(NamedTuple):
    c: float
    v: float


def with_sorted_run(x: Vec) -> float:
    s = sorted(x)
    t = sorted(x, key=lambda v: -v)
    r = sorted(range(len(x)), key=lambda i: x[i], reverse=True)
    ps = [_SortedRunP(x[i], x[i] ** 2) for i in range(len(x))]
    q = sorted(ps, key=lambda p: -p.c)
    return s[0] * t[0] ** 2 + x[r[1]] + q[0].v * q[1].c


def _keys_of_tuples_g(x):
    return {(0, "a"): x[0], (1, "b"): x[1]}


def with_keys_of_tuples(x: Vec) -> float:
    d = _keys_of_tuples_g(x)
    if (1, "b") in d and (2, "c") not in d and 7.0 not in x:
        return d[0, "a"] * d[1, "b"]
    return 0.0


def extremes_of_iterators(x: Vec, n: int) -> float:
    largest = max(map(math.exp, x))
    place, value = max(enumerate(x))
    return largest * min(range(2, n + 4)) + place * value + max(reversed(range(3))) * x[0]


def sums_in_full_precision(x: Vec) -> float:
    a = math.fsum(x) * math.fsum([x[0], 2.0, x[1] ** 2])
    return a + math.fsum(v * v for v in x) + math.fsum([1e16, x[0], -1e16]) * x[1]


def transposed_pairs(x: Vec, n: int) -> float:
    a, b = zip(*[(v, v * v) for v in x])  # noqa: B905
    points = []
    for i in range(n + 1):
        points.append((x[0] * i, x[1] + i, i))
    total = 0.0
    for column in zip(*points):  # noqa: B905
        total += sum(column) ** 2
    c, d, _ = zip(*points)  # noqa: B905
    return total + sum(a) * max(b) + sum(c) * d[-1]


def summed_running_sums(x: Vec) -> float:
    return sum(list(accumulate(x)))


def kept_running_sums(x: Vec) -> float:
    c = list(accumulate(x))
    return c[-1] * c[0]


def kept_running_maxima(x: Vec) -> float:
    c = list(accumulate(x, max))
    return c[-1] * c[0]


def reversed_in_loop(x: Vec) -> float:
    xs = list(x)
    s = 0.0
    for i, v in enumerate(xs):
        s += v * (i + 1)
        xs.reverse()
    return s * xs[0]


def sorted_in_loop(x: Vec) -> float:
    xs = list(x)
    s = 0.0
    for i, v in enumerate(xs):
        s += v * (i + 1)
        xs[-1] += v
        if i == 2:
            xs.sort()
    return s


def lengthened_and_left(x: Vec) -> float:
    xs = [1.0 * v for v in x]
    s = 0.0
    for i, v in enumerate(xs):
        s += v
        if v > 0.5:
            xs.append(s * i)
            break
    else:
        s *= 3.0
    return s * sum(xs) + len(xs)


def _replaced(xs, limit):
    for i, v in enumerate(xs):
        if v > limit:
            xs.append(xs.pop(i) * limit)
            return v * i
    return -1.0


def lengthened_and_returned(x: Vec) -> float:
    xs = list(x)
    first = _replaced(xs, 0.3)
    return first * _replaced(xs, 0.9) + sum(v * i for i, v in enumerate(xs))


def first_of_made(x: Vec, c: float) -> float:
    d = {"a": c * 2.0, "b": c * c}
    kept = [v * c for v in x if v > 0.3]
    first = next(iter(kept), c)
    return next(iter(d.values())) * d[next(iter(d))] + first * next(reversed([c, first]))


def stepped_in_loop(x: Vec, c: float) -> float:
    """``next`` in a loop, of iterators over arrays, numbers, and without an end."""
    it, gains, number = iter(x), cycle((c, 0.5)), count(1)
    s = 0.0
    for k in range(3):
        s += next(it) * next(gains) if k % 2 == 0 else s * next(number)
    for v in it:
        s += v * next(gains) * next(number)
    while True:
        try:
            s += next(it)
        except StopIteration:
            return s * next(it, c)


def left_and_gone_on_with(x: Vec) -> float:
    pairs = enumerate(x)
    s = 0.0
    for k, v in pairs:
        s += v * k
        if v > 0.9:
            break
    for k, v in pairs:
        s += v * v * k
    return s + len(list(pairs))


def shared_by_functions(x: Vec, c: float) -> float:
    it = iter(x)
    left = zip(x, x[::-1], strict=False)

    def total() -> float:
        return sum(it) + sum(p * q for p, q in left) * c

    return next(it) * total() + 2.0 * total()


class _Tape:
    def __init__(self, xs):
        self.it = iter(xs)

    def read(self):
        return next(self.it)

    def rest(self):
        s = 0.0
        for v in self.it:
            s += v * v
        return s


def kept_in_places(x: Vec, c: float) -> float:
    tape, table, pair = _Tape(x), {"it": iter(x)}, (iter(x * c),)
    s = tape.read() * tape.read() + tape.rest() + 3.0 * tape.rest()
    for v in table["it"]:
        s += v
    both = [iter(x), iter(x * c)]
    for k in range(4):
        s += next(both[k % 2]) * (k + 1)
    return s + sum(table["it"]) + sum(pair[0]) * c + sum(pair[0])


def folded(x: Vec, c: float) -> float:
    """``accumulate`` with functions, from the first item or from elsewhere, over an array."""

    def step(state: tuple[float, float], u: float) -> tuple[float, float]:
        return (state[0] + u * c, state[1] * 0.9 + state[0])

    s = sum(p * q for p, q in accumulate(x, step, initial=(0.0, 1.0)))
    for v in accumulate(x, lambda p, q: p * c + q):
        s += v * v
    found = list(accumulate([v * c for v in x if v > 0.0], func=lambda p, q: p * q + 1.0))
    return s + found[-1] * len(found) + sum(accumulate(x, max, initial=c))


def zip_of_one_iterator(x: Vec) -> float:
    it = iter(x)
    s = 0.0
    for a, b in zip(it, it, strict=False):
        s += a * b
    taken = [iter(x * x)] * 3
    for a, b, c in zip(*taken, strict=False):
        s += a * b - c
    return s + len(list(taken[0]))


def columns_of_matrix(m: Mat, p: Pairs) -> list[float]:
    xs, ys = zip(*p, strict=False)
    s = sum(a * b for a, b in zip(xs, ys, strict=False)) * xs[0]
    return [max(column) * sum(column) / len(column) + s for column in zip(*m, strict=False)]


def starmap_of_rows(p: Pairs) -> float:
    return sum(starmap(lambda a, b: a * b, p)) + sum(starmap(math.hypot, p * p))


def running_of_list(xs: list[float]) -> float:
    s = sum(v * k for k, v in enumerate(accumulate(xs, max)))
    for v in accumulate(xs, lambda a, b: 0.5 * a + b):
        s += v * v
    return s + sum(accumulate(xs)) * sum(accumulate(xs, min))


def left_by_filter(x: Vec, a: float) -> float:
    s = 0.0
    for v in filter(lambda v: v > a - 0.5, x):
        s += v * v
        a += 0.1
    some = list(filter(lambda v: v > 0.3, x))
    known = sum(filter(lambda v: v > 0.0, [a, -a, x[0]]))
    return s + sum(some) * len(list(filter(None, x))) + known


def filter_asks_while_the_loop_writes(x: Vec, a: float) -> float:
    s = 0.0
    for i in filter(lambda i: x[i] > a - 0.6, range(len(x))):
        x[2] = 0.0
        s += x[i] * i
    pairs = filter(lambda p: p[0] > p[1], itertools.pairwise(x))
    return s + sum(v * w for v, w in pairs) + max(filter(lambda v: v < 5.0, x))


def until_a_mark(x: Vec, a: float) -> float:
    left = iter(x)
    s = 0.0
    for v in iter(lambda: next(left, -1.0), -1.0):
        s = s * a + v * v
    return s + sum(iter(partial(next, iter([a, x[0], 0.0, a])), 0.0))


def extremes_beside_nan(x: Vec) -> float:
    y = x * x
    y[1] = math.nan
    least = min(v - 3.0 for v in y)
    return max(y) * min([v * 2 for v in x]) + least + sum(accumulate(y, max)) * max(y, default=9.0)


def root_by_count(a: float) -> float:
    x = a
    for _ in itertools.count():
        step = (x * x - a * a - 0.5) / (2 * x)
        x -= step
        if abs(step) < 1e-12:
            return x


def until_small_by_cycle(a: float) -> float:
    x = a
    for k in itertools.cycle([1.0, 2.0]):
        x = math.sin(x) * 0.7 - k * 0.01
        if x < 0.1:
            return x * k + a


def left_by_break(a: float) -> float:
    x = a
    y = 0.0
    for k, c in zip(itertools.count(2, 3), itertools.cycle((0.5, 0.7))):
        y += math.cos(x * k)
        if x > 0.3:
            x = x * c
            continue
        if k > 9:
            break
        x = x * 0.9
    return y * x
