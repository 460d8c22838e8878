"""Generator functions and generator expressions: their bodies run between those of the loops."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, chain, dropwhile, filterfalse, islice, pairwise, takewhile
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "q"]


def _multiples(x, n):
    for k in range(n):
        yield x * k


def _growing(x):
    while True:
        yield x
        x = x * 1.5


def _powers(x: float, n: int) -> Iterator[float]:
    """It gets no derivatives, having no single result."""
    found = 1.0
    for _ in range(n):
        yield found
        found *= x


def loop_over_generator(x: float, n: int) -> float:
    total = 0.0
    for y in _powers(x, n + 3):
        total = total * 1.1 + y
    return total * y


def generator_in_sum(x: float, n: int) -> float:
    ys = list(_multiples(x, n + 3))
    zs = [y * 2.0 for y in _multiples(x, n + 3) if y > x]
    a, b = _multiples(x, 2)
    first, *rest = _powers(x, 4)
    total = sum(_multiples(x, n)) + max(_powers(x, 3)) + min(y + 1.0 for y in _powers(x, 3))
    return total + ys[-1] * sum(zs) + a + b + rest[-1] * first + math.prod(_powers(x, 3))


def generator_without_end(x: float) -> float:
    total = 0.0
    for y in _growing(1.0 + x * x):
        total += y * y
        if y > 40.0:
            break
    return total * y


def generator_with_return_inside(x: float, n: int) -> float:
    total = 0.0
    for _ in range(3):
        for y in _multiples(1.0 + x * x, n + 2):
            for z in _multiples(y, 2):
                total += z
                if total > 30.0:
                    return total * y
            else:
                total += 0.1
            if y > 6.0:
                break
            if y > 3.0:
                continue
            total *= 1.1
        else:
            total += x
        while total < 1.0:
            total += 0.3
            for y in _multiples(x, n):
                if y > 0.5:
                    break
    return total


def _until(x, n):
    for k in range(n):
        if x * k > 5.0:
            return
        yield x * k


def generator_with_else(x: float, n: int) -> float:
    total = 0.0
    for y in _until(1.0 + x * x, n + 4):
        total += y * y
        if y > 4.5:
            break
    else:
        total *= 2.0
    return total


def _pairs(x, n):
    for a in _multiples(x, n):
        for b in _multiples(a, 2):
            yield a, b * x
        yield a, a


def generator_in_generator(x: float, n: int) -> float:
    total = 0.0
    for k in range(2):
        for a, b in _pairs(x, n + 2):
            total += a * b + k
    return total


def _behind_one_another(x, n):
    yield from _multiples(x, n)
    yield 1.0
    yield from [x, 2.0 * x]
    k = 0
    while k < n:
        yield x * k
        k += 1
        if k == 2:
            continue
        yield x + k
    else:
        yield x * 10.0


def yield_from(x: float, n: int) -> float:
    total = 1.0
    for y in _behind_one_another(x, n):
        total = total * 1.2 + y
    return total


def local_generator(x: Vec) -> float:
    c = 2.0

    def windows():
        for i in range(1, len(x)):
            yield x[i - 1 : i + 1] * c

    total = 0.0
    for w in windows():
        c = c * 1.1
        total += w[0] * w[1] * c
    return total


def _logged(x, log):
    for i in range(len(x)):
        log.append(x[i])
        yield x[i] * 2.0


def generator_with_effects(x: Vec) -> float:
    log = []
    total = 0.0
    for y in _logged(x, log):
        x = x * 1.5
        total += y * len(log) + x[0]
    return total + sum(log)


class _Path:
    def __init__(self, a, n):
        self.a = a
        self.n = n

    def __iter__(self):
        for _ in range(self.n):
            self.a *= 1.5
            yield self.a

    def steps(self, h):
        for k in range(self.n):
            yield self.a + k * h

    @property
    def halves(self):
        yield self.a * 0.5
        yield self.a * 0.25


def generator_method(x: float, n: int) -> float:
    path = _Path(x, n)
    total = 0.0
    for y in path:
        total += y * path.a
    for k, y in enumerate(path):
        total += y * path.a * k
    for y in path.steps(x):
        total += y * y
    return total + sum(path) + sum(path.halves) + list(path.steps(x))[-1:][0] if n > 0 else x


def _total(items):
    total = 0.0
    for y in items:
        total += y * y
    return total


class _Box:
    def __init__(self, items):
        self.items = list(items)


def generator_that_is_kept(x: Vec, a: float) -> float:
    multiples = _multiples(a, 4)
    scaled = (a * y for y in x)
    a = a * 2.0
    total = sum(scaled) + _total(multiples)
    for z in (y * total for y in x if y > 0.1):
        total += z
    box = _Box(y * y for y in x)
    total += _total(y * a for y in x) + box.items[0]
    rows = ((a * y * z for z in x) for y in x)
    for row in rows:
        total += sum(row) ** 2
    return total


def lazy_functions(x: Vec, a: float) -> float:
    total = 0.0
    a = 1.0 + a * a
    for k, y in enumerate(_growing(a), 1):
        if k > 5:
            break
        total += k * y * y
    for y, z in zip(_growing(a), x, strict=False):
        total += z * y * y
    for z, y in zip(x, _growing(a), strict=False):
        total += z * y * z
    for k, (y, z) in enumerate(zip(_growing(a), (1.0, 2.0), strict=False)):
        total += z * y * k
    total += sum(islice(_growing(a), 4)) + sum(p * q for p, q in zip(x, _growing(a), strict=False))
    for y in islice(_growing(a), 2, 8, 3):
        total += y * y
    return total + sum(takewhile(lambda y: y < 100.0, _growing(a)))


def lazy_functions_of_few(a: float, n: int) -> float:
    total = sum(p * q for p, q in pairwise(_multiples(a, n)))
    for y in accumulate(_multiples(a, n)):
        total += y * 2.0
    for y in chain(_multiples(a, 2), _multiples(2.0 * a, n)):
        total = 1.1 * total + y
    for y in islice(dropwhile(lambda y: y < 3.0, _growing(1.0 + a * a)), 3):
        total += y * y
    for y in map(math.sin, _multiples(a, n)):
        total += y
    for y in filter(lambda z: z > 0.3, _multiples(a, n)):
        total += y * y
    return total


def _fibonacci(x, n):
    a, b = x, x * 1.1
    for _ in range(n):
        yield a
        a, b = b, a + b


def generator_of_arrays(x: Vec, n: int) -> float:
    best = np.zeros(len(x))
    for v in _fibonacci(x, n):
        best = best + v * v
    return float(best.sum()) + float(np.sum(np.array(list(_fibonacci(x, 3))) ** 2))


@dataclass
class _Particle:
    x: float
    v: float


def _moved(p, n):
    for _ in range(n):
        p.x += p.v * 0.1
        p.v -= p.x * 0.2
        yield p


def generator_of_objects(x: float, n: int) -> float:
    p = _Particle(x, 1.0)
    total = 0.0
    for q in _moved(p, n):
        total += q.x * p.v
        q.v *= 0.9
    return total + p.x


@dataclass
class _Node:
    v: float
    left: "_Node | None" = None
    right: "_Node | None" = None

    def walk(self):
        if self.left is not None:
            yield from self.left.walk()
        yield self.v
        if self.right is not None:
            yield from self.right.walk()


def generator_over_tree(x: float) -> float:
    root = _Node(x, _Node(x * x, None, _Node(3.0 * x)), _Node(2.0))
    total = 1.0
    for v in root.walk():
        total = total * 1.2 + v * v
    return total


def _window(xs, k):
    buffer = []
    for v in xs:
        buffer.append(v)
        if len(buffer) > k:
            buffer.pop(0)
        if len(buffer) == k:
            yield buffer


def generator_of_one_list(x: Vec) -> float:
    total = 0.0
    for w in _window(x, 2):
        total += w[0] * w[1]
    return total


def _limited(x, n):
    for k in range(n):
        if k == 4:
            raise ValueError("too many")
        yield x * k


def generator_that_raises(x: float, n: int) -> float:
    total = 0.0
    try:
        for y in _limited(x, n + 3):
            total += y
            try:
                if y > 1.0:
                    raise ValueError("too large")
            except ValueError:
                total += 2.0 * y
                continue
            finally:
                total += 1.0
            total *= 1.1
    except ValueError:
        total *= 2.0
    return total


def _of_types(x):
    yield 0
    yield x
    yield True


def generator_of_several_types(x: float) -> float:
    total = 0
    for y in _of_types(x):
        total = total * x + y
    return total * y


def generator_names_set_inside(x: float, n: int) -> float:
    for y in _multiples(x, n + 2):
        if (z := y * y) > 1.0:
            last = z
    return (last if n > 100 else z) * y


def _parts(x):
    yield "a", x
    yield "b", x * x


def generator_of_pairs(x: float) -> float:
    d = {k: v * 2.0 for k, v in _parts(x)}
    e = dict(_parts(x))
    return d["a"] * d["b"] + e["b"] + next(_powers(x + 2.0, 3))


def parts_of_arrays(x: Vec, a: float) -> float:
    total = 0.0
    for k, y in enumerate(takewhile(lambda v: v < 1.0, x)):
        total += y * y * (k + a)
        x[-1] = total
    total += sum(dropwhile(lambda v: v < a, x * 2.0)) + len(list(filterfalse(None, [0.0, a])))
    return total + sum(v * v for v in takewhile(lambda v: v > -5.0, [a, x[0], -9.0, 3.0]))
