"""Functions that call themselves and return arrays."""

import cmath

import numpy as np
from kinds import Vec


def _halved(v, n):
    if n == 0:
        return v.copy()
    return _halved(v * 0.5 + 1.0, n - 1)


def repeated(x: Vec, n: int) -> float:
    return np.sum(_halved(x, n) * x)


def written_later(x: Vec, n: int) -> float:
    """The result is new: neither it nor the argument shows what is written to the other."""
    w = _halved(x, n)
    w[0] = x[1] * x[1]
    x[1] = 2.0
    return np.sum(w * x)


def in_a_loop(x: Vec, a: float, n: int) -> float:
    s = 0.0
    for i in range(n):
        s += np.sum(_halved(x * a, i) * x)
    return s


def _merged(v):
    n = len(v)
    if n < 2:
        return v
    left, right = _merged(v[: n // 2]), _merged(v[n // 2 :])
    out = np.zeros(n)
    i = j = 0
    for k in range(n):
        if i < len(left) and (j >= len(right) or left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def merge_sort(x: Vec) -> float:
    return np.sum(_merged(x) * np.arange(len(x)))


def _quick(v):
    if len(v) <= 1:
        return v
    pivot, rest = v[0], v[1:]
    small, large = _quick(rest[rest < pivot]), _quick(rest[rest >= pivot])
    return np.concatenate((small, np.array([pivot]), large))


def quick_sort(x: Vec, a: float) -> float:
    return np.sum(_quick(x * a) * np.arange(len(x)))


def _spectrum(z):
    n = len(z)
    if n <= 1:
        return z.copy()
    even, odd = _spectrum(z[::2]), _spectrum(z[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate((even + turned, even - turned))


def fourier(x: Vec, a: float) -> float:
    z = np.concatenate((x, x * a, x * x))[:4]
    return np.sum(np.abs(_spectrum(z + 0j)) * np.arange(4.0))


def _details(v):
    if len(v) == 1:
        return v
    sums, differences = v[::2] + v[1::2], v[::2] - v[1::2]
    return np.concatenate((_details(sums / 2), differences / 2))


def wavelets(x: Vec) -> Vec:
    return _details(np.concatenate((x, x[::-1] ** 2, x, x))[:8])


def _powers(v, n):
    if n == 0:
        return np.zeros((1, len(v)))
    return np.vstack((_powers(v, n - 1), v**n))


def stacked(x: Vec, n: int) -> float:
    rows = _powers(x, n)
    return np.sum(rows @ rows.T)


def _shared(v, n):
    """It returns its argument, and its callers only read that."""
    return v if n == 0 else _shared(v[1:], n - 1)


def rest_of_it(x: Vec, a: float) -> float:
    return np.sum(_shared(x, 1) * a) + np.prod(_shared(x * a, 2))


def _changed(v, n):
    v *= 0.5
    if n == 0:
        return v + 1.0
    w = _changed(v, n - 1)
    v += w
    return w * v


def changes_its_argument(x: Vec, n: int) -> float:
    w = _changed(x, n)
    return np.sum(w * w) + np.sum(x)


def _both(v, n):
    if n == 0:
        return v * 2.0, v * v
    first, second = _both(v * 0.5, n - 1)
    return first + second, first


def two_of_them(x: Vec, n: int) -> float:
    first, second = _both(x, n)
    return np.sum(first * x) + np.sum(second)


def scaled(x: Vec, n: int) -> Vec:
    """Public, recursive itself."""
    return x * x if n == 0 else scaled(x * 0.5, n - 1) + x


def _even(v, d):
    if d == 0:
        return v
    return _odd(v * 2.0, d - 1)


def _odd(v, d):
    return _even(v + 1.0, d - 1) * 0.5


def _first(v, d):
    return _second(v * 2.0, d - 1)


def _second(v, d):
    if d <= 0:
        return v
    return _third(v, d) + _first(v, d - 1)


def _third(v, d):
    if d <= 0:
        return v * v
    if d % 2:
        return _first(v, d - 2)
    return _second(v + 1.0, d - 1) + _third(v, d - 3)


def in_turns(x: Vec, a: float) -> float:
    """Functions without annotations that call each other, some on all paths."""
    return np.sum(_even(x, 4)) + _first(a, 5) * np.sum(_second(x, 5))


def _counted(k, n, c):
    if n < 0:
        return 0.0
    k[n] += 1
    return c * k[n] + _counted(k, n - 1, c)


def integers_changed_in_a_loop(x: Vec, c: float) -> float:
    """The next iteration finds the integers as this one has left them."""
    k = np.ones(len(x), dtype=np.int64)
    s = 0.0
    for i in range(2):
        s += _counted(k, len(x) - 1, c * x[i]) * (i + 1)
    return s


def integers_changed_in_a_branch(x: Vec, c: float) -> float:
    k = np.ones(len(x), dtype=np.int64)
    s = 0.0
    if x[0] * x[0] >= 0.0:
        s += _counted(k, len(x) - 1, c)
    return s * k[0] + x[0]


def _first_of_two(v, n, c):
    if n < 0:
        return c * v[0]
    v[n] = v[0] * 0.5
    return _first_of_two(v, n - 2, v[n])


def cotangent_of_a_place_that_the_call_changes(x: Vec, c: float) -> float:
    """The reverse of the inner call adds to the element that its own result is added to."""
    v = np.append(x, c)[:3] * c
    return _first_of_two(v, 2, c)


def _summed(v, n, c):
    if n < 0:
        return c * v[0]
    v[0] *= 1.5
    v[n] += _summed(v, n - 1, c * v[n])
    return v[n] * c


def element_that_a_call_is_added_to(x: Vec, c: float) -> float:
    v = np.append(x, c)[:3] * c
    v[0] += _summed(v, 2, c)
    return np.sum(v * v)


def one_after_the_other(x: Vec, c: float) -> float:
    """Another length of the text than the function before: numba compiles it with other options."""
    v = np.append(x, c)[:3] * c
    v[1], v[0] = _summed(v, 1, c), v[1] + _summed(v, 2, v[0])
    return np.sum(v * v)


def _merged_by_halves(v: Vec) -> Vec:
    if len(v) <= 1:
        return v
    left = _merged_by_halves(v[: len(v) // 2])
    right = _merged_by_halves(v[len(v) // 2 :])
    out = np.empty(len(v))
    i = j = 0
    for k in range(len(v)):
        if j >= len(right) or (i < len(left) and left[i] < right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def called_while_a_result_is_held(x: Vec) -> float:
    """The result of the first call may be the argument of the second."""
    y = _merged_by_halves(x)
    z = _merged_by_halves(y)
    return np.sum(z * np.arange(len(z))) + y[0]


def _transformed(z):
    n = z.shape[0]
    if n == 1:
        return z
    even = _transformed(z[::2])
    odd = _transformed(z[1::2])
    turned = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate((even + turned, even - turned))


def fast_transform(x: Vec, a: float) -> float:
    found = _transformed((x[0] * np.arange(4.0) ** 2 + a).astype(np.complex128))
    return np.sum(np.abs(found) ** 2 * np.arange(4.0))


def _grown(thresholds, values, depth=0, index=0, most=2):
    """A binary tree in arrays, by levels."""
    if depth == most:
        return values[index]
    split = np.tanh(thresholds[2**depth - 1 + index])
    left = _grown(thresholds, values, depth + 1, 2 * index, most)
    right = _grown(thresholds, values, depth + 1, 2 * index + 1, most)
    return split * left + (1.0 - split) * right


def grown_tree(x: Vec) -> float:
    values = np.concatenate((x, 2.0 * x, x * x, x + 1.0))
    return _grown(np.concatenate((x, x, x)), values)


def halved(x: float, n: int) -> float:
    if n < 1:
        return x
    return halved(x * x, n - 1) / 2**n


def _transform(x: list[complex]) -> list[complex]:
    n = len(x)
    if n <= 1:
        return x
    even, odd = _transform(x[0::2]), _transform(x[1::2])
    t = [cmath.exp(-2j * cmath.pi * k / n) * odd[k] for k in range(n // 2)]
    return [even[k] + t[k] for k in range(n // 2)] + [even[k] - t[k] for k in range(n // 2)]


def spectrum(xs: list[float]) -> float:
    """Lists of complex numbers, level by level; the last one gives its argument back."""
    return sum(abs(c) * (k + 1) for k, c in enumerate(_transform([complex(x) for x in [*xs, 0.4]])))


def _in_order(xs: list[float]) -> list[float]:
    if len(xs) <= 1:
        return xs
    mid = len(xs) // 2
    left, right = _in_order(xs[:mid]), _in_order(xs[mid:])
    out, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def _by_pivots(xs: list[float]) -> list[float]:
    if not xs:
        return []
    pivot, *rest = xs
    small, large = [x for x in rest if x < pivot], [x for x in rest if x >= pivot]
    return [*_by_pivots(small), pivot, *_by_pivots(large)]


def l_moment(xs: list[float]) -> float:
    s, q = _in_order(xs), _by_pivots(xs)
    return sum((2 * i - len(s) + 1) * v for i, v in enumerate(s)) / len(s) + 3 * q[0]


def _power_list(n: int, x: float) -> list[float]:
    if n == 0:
        return [1.0]
    out = _power_list(n - 1, x)
    out.append(out[-1] * x)
    return out


def polynomial(n: int, x: float) -> float:
    """A list that each level gets from the one below, and makes longer."""
    return sum(_power_list(n, x)) * len(_power_list(n - 1, x))


def packed(weights: list[float], cap: float) -> float:
    if not weights:
        return 0.1 * cap
    best = packed(weights[1:], cap)
    if weights[0] <= cap + 0.05:
        best = max(best, weights[0] ** 2 + packed(weights[1:], cap - weights[0]))
    return best
