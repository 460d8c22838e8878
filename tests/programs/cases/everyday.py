"""Everyday Python: Python's own library, comparisons, iterators and exceptions."""

from __future__ import annotations

import heapq
import math
import statistics
from bisect import insort
from collections import Counter, OrderedDict
from dataclasses import dataclass
from enum import Enum
from functools import total_ordering
from itertools import groupby
from statistics import stdev

import numpy as np
from numpy.typing import NDArray


def numbered_by_walrus(x: float, n: int) -> float:
    s = 0.0
    last = 1.0
    for j in range(n):
        rows = [[(last := math.sin(last + x * k)) for k in range(j)] for i in range(2)]
        s += sum(sum(r) for r in rows)
    return s * last


def found_by_walrus(x: list[float]) -> float:
    if any((w := v) > 2.0 for v in x):
        return w * w
    return x[0]


def running_total(x: NDArray[np.float64]) -> float:
    total = 0.0
    partial = [(total := (total + v)) for v in x]
    return partial[-1] * partial[0] + total


def modular_powers(x: float, n: int) -> float:
    return x * pow(3, n, 7) + x * x * pow(3, -1, 7) + pow(x, 2) * pow(-5, 3, -7)


def rounded_integers(x: float, n: int) -> float:
    t = 0.0
    for k in (n, 50, 150, 250, 149, -50, -150, -151, 25, 26):
        t += x * round(k * 10 + n, -2) + round(k, -1) + round(k, 2)
    return t


def whole_floats(x: float, n: float) -> float:
    t = 0.0
    for v in (n, 2.0, math.inf, math.nan, -1.5):
        if v.is_integer():
            t += x * v
    return x + t


def digits_of_constants(x: float) -> float:
    s = bin(10)
    return x * len(s) * int(hex(255)[2] == "digits_of_constants")


class TextsOfExceptionsBadStep(ValueError):
    def __init__(self, step: int, size: float) -> None:
        self.step = step
        self.size = size
        super().__init__(f"bad step {step}", size)


class TextsOfExceptionsWorse(TextsOfExceptionsBadStep):
    def __init__(self, size: float) -> None:
        super().__init__(3, size)
        self.much = size * 2


def texts_of_exceptions(x: float, n: int) -> float:
    y = x
    try:
        for _ in range(n):
            y = y * x
            if y > 10.0:
                raise TextsOfExceptionsWorse(y)
    except TextsOfExceptionsBadStep as e:
        return e.size * e.step
    return y


class MembersWithFieldsWave(Enum):
    SINE = ("sine", 1.0)
    SQUARE = ("square", 2.0)

    def __init__(self, label: str, gain: float) -> None:
        self.label = label
        self.gain = gain * math.pi

    def at(self, t: float) -> float:
        if self.label == "sine":
            return self.gain * math.sin(t)
        return self.gain


class MembersWithFieldsLevel(Enum):
    LOW = 1
    HIGH = 3

    def __init__(self, n: int) -> None:
        self.double = 2 * n


def members_with_fields(x: float, n: int) -> float:
    w = MembersWithFieldsWave.SINE
    s = 0.0
    for i in range(n):
        s += w.at(x) * w.gain
        w = MembersWithFieldsWave.SQUARE if i % 2 == 0 else MembersWithFieldsWave.SINE
        s += x * (MembersWithFieldsLevel.LOW if i > 2 else MembersWithFieldsLevel.HIGH).double
    return s


@total_ordering
@dataclass
class OrderedByOneComparisonV:
    x: float
    k: int

    def __le__(self, other: OrderedByOneComparisonV) -> bool:
        return (self.k, self.x) <= (other.k, other.x)


def ordered_by_one_comparison(x: float, n: int) -> float:
    vs = [OrderedByOneComparisonV(x * (i * 5 % 7), i % 3) for i in range(n)]
    t = 0.0
    for i in range(n - 1):
        if vs[i] < vs[i + 1]:
            t += vs[i].x
        if vs[i] > vs[0]:
            t += 2 * vs[i].x
        if vs[i] >= vs[2]:
            t += 3 * vs[i].x
    for k, v in enumerate(sorted(vs)):
        t += v.x * k * k
    return t * max(vs).x


def sorted_tuples(x: float, n: int) -> float:
    ps = [(i % 3, x * (7 - i)) for i in range(n)]
    ps = sorted(ps, reverse=True)
    qs = sorted(ps, key=lambda p: (p[1] > 2.0, p[0]), reverse=True)
    t = 0.0
    for k, (a, b) in enumerate(ps):
        t += k * a * b
    for k, (a, b) in enumerate(qs):
        t += k * a * b * b
    return t


class SortedObjectsV:
    def __init__(self, x: float, k: int) -> None:
        self.x = x
        self.k = k

    def __lt__(self, other: SortedObjectsV) -> bool:
        return self.x < other.x


def sorted_objects(x: float, n: int) -> float:
    vs = [SortedObjectsV(x * (i * 5 % 3), i) for i in range(n)]
    vs.sort(reverse=True)
    return sum((j * v.x * v.k for j, v in enumerate(vs)))


@dataclass
class InsertedBidsBid:
    price: float
    size: float


def inserted_bids(x: float, n: int) -> float:
    xs: list[InsertedBidsBid] = []
    for i in range(n):
        insort(xs, InsertedBidsBid(x * (i * 5 % 7), x + i), key=lambda b: -b.price)
    return sum((k * b.price * b.size for k, b in enumerate(xs)))


def smallest_tuples(x: float, n: int) -> float:
    ys = [(x * (i * 5 % 7), i) for i in range(n)]
    t = 0.0
    for v, i in heapq.nsmallest(3, ys):
        t += v * i
    return t


def counted(x: float, n: int) -> float:
    xs = [i * i % 5 for i in range(3 * n)]
    c = Counter(xs)
    best, m = max(c.items(), key=lambda p: p[1])
    t = x**best * m
    for k, m in c.most_common():
        t = t * 0.9 + x * k * m
    if 3 in c:
        t += x
    if n in c:
        t *= x
    return t + max(c.values()) + len(c)


def counted_pairs(x: float, n: int) -> float:
    c = Counter()
    for i in range(n):
        c[i % 2, i % 3] += i
    t = 0.0
    for (a, b), m in sorted(c.items()):
        t = t * x + a * m + b
    return t


def recent_first(x: float, n: int) -> float:
    t = 0.0
    e: OrderedDict[int, float] = OrderedDict()
    for i in range(n):
        e[i % 3] = x * i
        e.move_to_end(i % 3)
        if len(e) > 2:
            key, v = e.popitem(last=False)
            t += v * key
    for i, v in e.items():
        t += x * v * i
    return t


def grouped(x: float, n: int) -> float:
    ps = [(i // 3, x * i) for i in range(n)]
    t = 0.0
    for k, g in groupby(ps, key=lambda p: p[0]):
        t = t * x + k + sum((v for _, v in g))
    runs = [(k, len(list(g))) for k, g in groupby([i % 5 > 2 for i in range(n)])]
    for k, m in runs:
        t += x**m if k else x * m
    return t


def grouped_lists(xs: list[float]) -> float:
    t = 0.0
    for above, items in groupby(xs, key=lambda v: v > 0.5):
        squares = [v * v for v in items]
        t = t * 0.5 + max(squares) + len(squares) * (2.0 if above else min(squares))
    return t


class HalvedHalves:
    def __init__(self, x: float) -> None:
        self.x = x

    def __iter__(self) -> HalvedHalves:
        return self

    def __next__(self) -> float:
        if self.x < 0.1:
            raise StopIteration
        self.x = self.x / 2
        return self.x


class HalvedPairs:
    def __init__(self, x: float, n: int) -> None:
        self.x = x
        self.n = n

    def __iter__(self) -> HalvedHalves:
        return HalvedHalves(self.x * self.n)


def halved(x: float, n: int) -> float:
    h = HalvedHalves(x)
    a = next(h)
    t = a
    for v in h:
        t += v * v
        if v < 0.2:
            break
    b = next(h, 3.0)
    c = next(h, 3.0)
    p = HalvedPairs(x, n)
    s = sum(v * a for v in p)
    q = [v for v in p if v > 1.0]
    k = 0
    for i, v in enumerate(p):
        k += i * v
    return t + b * c + s + sum(q) * len(q) + k


class OneOfTwoClassesA(Exception):
    def __init__(self, v: float) -> None:
        self.v = v


class OneOfTwoClassesB(Exception):
    def __init__(self, v: float) -> None:
        self.v = v


def one_of_two_classes(x: float) -> float:
    try:
        if x > 2.0:
            raise OneOfTwoClassesA(x)
        if x > 1.0:
            raise OneOfTwoClassesB(x * x)
    except OneOfTwoClassesA as e:
        return e.v * 2
    except OneOfTwoClassesB as e:
        return e.v * 3
    return x


class TwoClassesInLoopA(Exception):
    def __init__(self, v: float) -> None:
        self.v = v


class TwoClassesInLoopB(Exception):
    def __init__(self, v: float, w: float) -> None:
        self.v = v
        self.w = w


def two_classes_in_loop(x: float, n: int) -> float:
    t = 0.0
    for i in range(n):
        try:
            if x * i > 5.0:
                raise TwoClassesInLoopA(x * i)
            if x * i > 2.0:
                raise TwoClassesInLoopB(x * i, x)
        except (TwoClassesInLoopA, TwoClassesInLoopB) as e:
            t += e.v**2
    return t


def parts_replaced(x: float, n: int) -> float:
    xs = [x * i for i in range(n + 4)]
    xs[1:3] = [x, x, 2 * x]
    del xs[:1]
    t = sum((k * v for k, v in enumerate(xs)))
    xs[n:] = []
    t += sum((k * v for k, v in enumerate(xs))) * x
    del xs[-2:]
    xs[:0] = [x * x]
    xs[2:1] = xs[:2]
    t += sum((k * v for k, v in enumerate(xs))) * x
    del xs[1 : n - 2]
    return t + len(xs) * xs[-1] + sum(xs)


class UnpackedVectorVec:
    __slots__ = ("x", "y")

    def __init__(self, x: float, y: float):
        self.x, self.y = (x, y)

    def __add__(self, o):
        return UnpackedVectorVec(self.x + o.x, self.y + o.y)

    def __mul__(self, k):
        return UnpackedVectorVec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __iter__(self):
        yield self.x
        yield self.y

    def __repr__(self):
        return f"Vec({self.x}, {self.y})"


def unpacked_vector(x: float, y: float) -> float:
    v = sum([UnpackedVectorVec(x, y), 2 * UnpackedVectorVec(y, x)], UnpackedVectorVec(0.0, 0.0))
    a, b = v
    return abs(v) * a + b


def described(xs: list[float], x: float, n: int) -> float:
    ys = [x * i + x * x for i in range(n)]
    t = statistics.mean(xs) + statistics.pstdev(xs) + 3 * statistics.median(xs) * x
    t += (
        stdev(ys)
        + statistics.variance(v * v for v in ys)
        + statistics.fmean(ys)
        + statistics.median(ys)
    )
    return t + statistics.pvariance(xs, 0.3) + statistics.fmean([1, 2, n])


def inserted_anywhere(x: float, n: int) -> float:
    xs = [x, 2 * x, x * x]
    for i in range(4):
        xs.insert((i * 3 + n) % 5 - 2, x + i)
    xs.insert(-n, 3 * x)
    return sum((k * v for k, v in enumerate(xs)))
