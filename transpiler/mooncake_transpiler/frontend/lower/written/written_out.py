"""Functions of Python's library, written out: calls of them are lowered in line.

``math_dist`` is ``math.dist``. They are ordinary functions, which the tests compare with Python's.
"""

import bisect
import math
from typing import Any

import numpy as np
from mooncake_runtime import stop_gradient


def bisect_bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first, last = lo, len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            first = middle + 1
        else:
            last = middle
    return first


def bisect_bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    if lo < 0:
        raise ValueError("lo must be non-negative")
    first, last = lo, len(a) if hi is None else hi
    while first < last:
        middle = (first + last) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            last = middle
        else:
            first = middle + 1
    return first


def bisect_insort_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect.bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def bisect_insort_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> None:
    a.insert(bisect.bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


def builtins_float_is_integer(self: float, /) -> bool:
    return math.isfinite(self) and self == np.floor(self)


def builtins_int___round__(self: int, ndigits: int, /) -> int:
    if ndigits >= 0:
        return self
    if ndigits < -18:
        if abs(self) >= 5 * 10**18:
            raise OverflowError("int too large to convert")
        return 0
    unit = 1
    for _ in range(-ndigits):
        unit *= 10
    count, rest = divmod(self, unit)
    if 2 * rest > unit or (2 * rest == unit and count % 2 == 1):
        count += 1
    return count * unit


def builtins_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    if mod is None:
        return base**exp
    if mod | 0 == 0:  # floats have no `|`, and no such power
        raise ValueError("pow() 3rd argument cannot be 0")
    square, left = (base | 0) % mod, exp | 0
    if exp < 0:
        square, left = _inverse(square, mod), -exp
    if abs(mod) > 3_037_000_500:
        raise OverflowError("int too large to convert")
    power = 1 % mod
    while left > 0:
        if left % 2 == 1:
            power = power * square % mod
        square = square * square % mod
        left //= 2
    return power


def _inverse(of: int, mod: int) -> int:
    """The number whose product with ``of`` is 1 modulo ``mod``, by Euclid's algorithm."""
    before, now, rest, divisor = 0, 1 % mod, mod, of
    while divisor != 0:
        count = rest // divisor
        before, now = now, before - count * now
        rest, divisor = divisor, rest - count * divisor
    if abs(rest) != 1:
        raise ValueError("base is not invertible for the given modulus")
    return rest * before % mod


def builtins_iter(object: Any, sentinel: Any, /) -> Any:
    while True:
        found = object()
        if found == sentinel:
            return
        yield found


def itertools_groupby(iterable: Any, key: Any = None) -> Any:
    items = list(iterable)
    keys = items if key is None else [key(one) for one in items]
    start = 0
    while start < len(items):
        end = start + 1
        while end < len(items) and keys[end] == keys[start]:
            end += 1
        yield keys[start], iter([items[k] for k in range(start, end)])
        start = end


def mooncake_transpiler_permutation(n: int, r: int, k: int, /) -> Any:
    """The places of the ``r`` items, among ``n``, of the permutation with the number ``k``."""
    places = [0] * r
    for i in range(r - 1, -1, -1):  # the number of the item among those that are left
        places[i] = k % (n - i)
        k //= n - i
    for i in range(r - 1, -1, -1):
        for j in range(i + 1, r):
            if places[j] >= places[i]:
                places[j] += 1
    return places


def mooncake_transpiler_combination(n: int, r: int, k: int, /) -> Any:
    """The places of the ``r`` items, among ``n``, of the combination with the number ``k``."""
    places = [0] * r
    place = 0
    for i in range(r):
        behind = math.comb(n - place - 1, r - i - 1)  # combinations that begin with this item
        while k >= behind:
            k -= behind
            place += 1
            behind = math.comb(n - place - 1, r - i - 1)
        places[i] = place
        place += 1
    return places


def mooncake_transpiler_repeated_combination(n: int, r: int, k: int, /) -> Any:
    """The places of ``r`` items, of ``n``, which may be there again, with the number ``k``."""
    places = [0] * r
    place = 0
    for i in range(r):
        behind = math.comb(n - place + r - i - 2, r - i - 1)
        while k >= behind:
            k -= behind
            place += 1
            behind = math.comb(n - place + r - i - 2, r - i - 1)
        places[i] = place
    return places


def mooncake_transpiler_min_of_set(items: Any, key: Any, /) -> Any:
    kept = list(items)
    if len(kept) == 0:
        raise ValueError("min() iterable argument is empty")
    keys = [key(one) for one in kept]
    at, is_alone = 0, True
    for k in range(1, len(kept)):
        if keys[k] < keys[at]:
            at, is_alone = k, True
        elif not keys[at] < keys[k]:
            is_alone = False
    if not is_alone:
        raise RuntimeError("which item of the set has the least key depends on the set's order")
    return kept[at]


def mooncake_transpiler_max_of_set(items: Any, key: Any, /) -> Any:
    kept = list(items)
    if len(kept) == 0:
        raise ValueError("max() iterable argument is empty")
    keys = [key(one) for one in kept]
    at, is_alone = 0, True
    for k in range(1, len(kept)):
        if keys[k] > keys[at]:
            at, is_alone = k, True
        elif not keys[at] > keys[k]:
            is_alone = False
    if not is_alone:
        raise RuntimeError("which item of the set has the greatest key depends on the set's order")
    return kept[at]


def mooncake_transpiler_each(iterator: Any, /) -> Any:
    while True:
        try:
            item = iterator.__next__()
        except StopIteration:
            return
        yield item


def mooncake_transpiler_next_or(iterator: Any, default: Any, /) -> Any:
    try:
        return iterator.__next__()
    except StopIteration:
        return default


def mooncake_transpiler_in_turn(*iterators: Any) -> Any:
    while True:
        try:
            items = _next_of_each(iterators)
        except StopIteration:
            return
        yield items


def _next_of_each(iterators: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(iterators) == 0:
        return ()
    return iterators[0].__next__(), *_next_of_each(iterators[1:])


def math_dist(p: Any, q: Any, /) -> float:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    if len(p) == 2:
        return math.hypot(p[0] - q[0], p[1] - q[1])
    if len(p) == 3:
        return math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
    largest = 0.0
    for a, b in zip(p, q):  # noqa: B905 - the lengths are equal
        size = abs(a - b)
        if not (size <= largest or largest == math.inf):
            largest = size
    if not 0.0 < largest < math.inf:
        return largest
    scale = 2.0 ** math.floor(math.log2(largest))  # exact, and constant for derivatives
    total = 0.0
    for a, b in zip(p, q):  # noqa: B905 - the lengths are equal
        total += ((a - b) / scale) ** 2
    return scale * math.sqrt(total)


def math_isclose(a: float, b: float, *, rel_tol: float = 1e-09, abs_tol: float = 0.0) -> bool:
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    gap = abs(b - a)
    near = gap <= abs(rel_tol * b) or gap <= abs(rel_tol * a) or gap <= abs_tol
    return a == b or (near and not math.isinf(a) and not math.isinf(b))


def math_fsum(seq: Any, /) -> float:
    """Neumaier (1974): the last digit may be another one."""
    total = 0.0
    lost = 0.0
    for one in seq:
        after = total + one
        if abs(total) >= abs(one):
            lost += total - after + one
        else:
            lost += one - after + total
        total = after
    return total + (stop_gradient(lost) if math.isfinite(total) else 0.0)


def numpy_linalg_matrix_power(a: Any, n: int) -> Any:
    square = np.array(a)
    if square.shape[-1] != square.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    left = abs(n | 0)  # floats have no `|`, and are no exponents
    if np.issubdtype(square.dtype, np.integer):
        if n < 0:  # which would be floats
            raise ValueError("matrices of integers to negative powers: make them floats before")
    elif n < 0:
        square = np.linalg.inv(square)
    power = np.zeros_like(square) + np.eye(square.shape[-1], dtype=square.dtype)
    is_one = True
    while left > 0:
        if left % 2 == 1:
            power = square.copy() if is_one else power @ square  # 0 times infinity would be nan
            is_one = False
        left //= 2
        if left > 0:
            square = square @ square
    return power


def numpy_split(ary: Any, indices_or_sections: int, axis: int = 0) -> Any:
    parts = indices_or_sections | 0  # floats have no `|`, and are no numbers of parts
    along = np.moveaxis(ary, axis, 0)
    if along.shape[0] % parts != 0:
        raise ValueError("array split does not result in an equal division")
    if parts <= 0:
        raise ValueError("number sections must be larger than 0.")
    each = along.shape[0] // parts
    return [np.moveaxis(along[k * each : (k + 1) * each], 0, axis) for k in range(parts)]


def numpy_poly1d(c_or_r: Any, r: bool = False) -> Any:
    coefficients = np.poly(c_or_r) if r else np.atleast_1d(c_or_r)

    def polynomial(val: Any) -> Any:
        return np.polyval(coefficients, val)

    return polynomial


def math_perm(n: int) -> int:
    return math.perm(n, n)


def math_gcd(*integers: int) -> int:
    total = 0
    for one in integers:
        total = math.gcd(total, one)
    return total


def math_lcm(*integers: int) -> int:
    total = 1
    for one in integers:
        total = math.lcm(total, one)
    return total


def math_hypot(*coordinates: float) -> float:
    return math.dist(coordinates, (0.0,) * len(coordinates))


def numpy_asfortranarray(a: Any, dtype: Any = None) -> Any:
    found = np.asarray(a) if dtype is None else np.asarray(a, dtype=dtype)
    return np.ascontiguousarray(found.T).T


def numpy_fromiter(iter: Any, dtype: Any, count: int = -1) -> Any:
    items = list(iter)
    if count < 0:
        return np.array(items, dtype=dtype)
    if len(items) < count:
        raise ValueError(
            f"iterator too short: Expected {count} but iterator had only {len(items)} items."
        )
    return np.array(items[:count], dtype=dtype)


def numpy_ndarray_tolist(self: Any, /) -> Any:
    """Numbers of Python's; of each row a list of its own."""
    if self.ndim == 0:
        return self.item()
    if self.ndim == 1:
        return [number.item() for number in self]
    return [row.tolist() for row in self]


def calendar_isleap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def calendar_leapdays(y1: int, y2: int) -> int:
    first, last = y1 - 1, y2 - 1
    return (last // 4 - first // 4) - (last // 100 - first // 100) + (last // 400 - first // 400)
