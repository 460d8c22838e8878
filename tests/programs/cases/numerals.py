"""Bools and integers, Python's and NumPy's: what their operators give."""

import numpy as np
from kinds import Ints, Mat, Vec


def masks_combined(x: Vec, t: float) -> float:
    m, k = x > t, x > 0.8
    s = np.sum(x[~m]) + np.sum(x[m * k] ** 2) + np.sum(x[m | ~k] ** 3)
    return s + np.sum(x[np.invert(m)] * 2.0) + np.sum(x[m + k]) + np.sum(x[np.maximum(m, k)])


def masked_columns(m: Mat) -> float:
    k = m[0] > 0.5
    return np.sum(m[:, ~k] ** 2) + np.sum(m[:, ~(k & k)])


def written_by_mask(x: Vec) -> Vec:
    y = x * x
    y[~(x > 0.6)] = 0.0
    return y


def sum_of_masks(x: Vec) -> float:
    return np.sum(((x > 0) + (x > 0.7)) * x) + np.sum((x > 0) * (x > 0.7) * x)


def _others(m):  # type: ignore[no-untyped-def]
    return ~m


def mask_of_helper(x: Vec) -> float:
    return np.sum(x[_others(x > 0.5)] ** 2)


def mask_in_loop(x: Vec) -> float:
    m = x > 0.9
    for k in range(3):
        m = m + (x < -0.3 * k)
    return np.sum(x[m] ** 2)


def listed_tests(x: Vec) -> float:
    m = np.array([~(v > 0.5) for v in x])
    k = np.array([(v > 0.5) + (v > 0.8) for v in x])
    return np.sum(x[m] ** 2) + np.sum(x[k] ** 3)


def pythons_bools(a: float, b: float) -> float:
    both = (a > 0) + (b > 0)
    return both * a + (-(a > 0)) * b + (~(b > 0)) * a * b + (True + True) * a


def numpys_bools(x: Vec, a: float) -> float:
    both = (x[0] > 0) + (x[1] > -2)
    finite = np.isfinite(a) + np.isfinite(x[0])
    return both * a + finite * x[0] + (~(x[2] > 9)) * a * a


def loop_of_elements(x: Vec) -> float:
    s = 0.0
    for v in x:
        s += ((v > 0) + (v > 0.5)) * v
    return s


def carried_bool(x: Vec, a: float) -> float:
    odd = a > 5
    s = 0.0
    for i in range(len(x)):
        odd = not odd
        s += (odd + (a > 0)) * x[i]
    return s


def tests_in_helper(a: float, x: Vec) -> float:
    return _count(a > 0, a > 1) * a + _count(x[0] > -9, x[1] > -9) * x[0]


def _count(p, q):  # type: ignore[no-untyped-def]
    return p + q


def negative_powers(a: float, n: int, x: Vec) -> float:
    return a * n**-1 + a * 10**-n + len(x) ** -1 * a * a + 3 * 2 ** (1 - n) * a


def powers_in_loop(x: Vec) -> float:
    s = 0.0
    for i in range(len(x)):
        s += 2 ** (1 - i) * x[i] + (-1) ** i * x[i] ** 2
    return s


def power_as_size(a: float, n: int) -> float:
    s = 0.0
    for i in range(2**n):
        s += a ** (i % 3)
    return s / (2**n - 1) + a * (1 << n) + a * (100 >> n)


def rounded_to_digits(a: float, x: Vec) -> float:
    return round(a * 0 + 2.675, 2) * a + np.round(2.675 + 0 * x[0], 2) * a + round(x[0], 1) * a


def products_of_counts(a: float, k: Ints) -> float:
    t = np.outer(k, k)
    m = t > 1
    s = np.sum((t @ t) * a) + np.sum((m @ m) * a * a) + np.dot(k, k) * a + np.trace(t) * a
    e = np.einsum("ij,jk->ik", t, t) + np.tensordot(t, t, 1) + np.inner(t, t)
    return s + np.sum(e * a) + np.sum(np.kron(k, k) * a) + np.sum(np.cumsum(m) * a)


def paths(a: float, k: Ints) -> float:
    adjacent = np.abs(np.subtract.outer(k, k)) == 1
    return np.sum(np.linalg.matrix_power(adjacent + 0, 3) * a) + np.sum((adjacent @ adjacent) * a)


def remainders(a: float, n: int, x: Vec) -> float:
    s = 7 % n * a + 9 // n * a
    for i in range(len(x)):
        s += x[(i + 1) % len(x)] * x[i]
    return s


def whole_numbers(a: float, x: Vec) -> float:
    return int(a * 10) * a + x[int(abs(a))] + x[np.floor(np.arange(3))[1]]


def scaled_in_place(x: Vec, b: Vec) -> Vec:
    z = x * 2.0
    if np.outer(b > 0.5, b > 0.5).any():
        z *= x
    return z


def quotients_in_place(x: Vec, b: Vec) -> Vec:
    z = x * 2.0
    if np.outer(b > -9.0, b > -9.0).any():
        z /= x
    return z


# ---- whose numbers helpers take and return ------------------------------------------------------


def _first(x: Vec) -> float:
    return x[0]


def _rounded(x: float, digits: int) -> float:
    return round(x, digits)


def _through(x: float) -> float:
    return _rounded(x, 1) * 2.0


def _larger(x: float, y: float) -> float:
    return max(x, y)


def _power(x: float, n: int) -> float:
    found = 1.0
    for _ in range(n):
        found *= x
    return found


def _positive(x: float) -> bool:
    return x > 0


def _inverse(n: int) -> float:
    return 2**-n


def _sum_and_first(x: float, y: float) -> tuple[float, float]:
    return x + y, x


def rounded_by_helper(a: float, x: Vec) -> float:
    return _rounded(a, 1) * x[0] + _rounded(x[1], 0) * a + _through(a) + _through(x[0]) * a


def rounded_results(a: float, b: float, x: Vec) -> float:
    total, same = _sum_and_first(a, x[1])
    large = round(_larger(a, b), 1) + round(_power(a, 3), 1)
    return (round(_first(x), 1) + large + round(total, 1) + round(same, 1)) * a


def public_helper(x: float) -> float:
    return round(x, 1) * x


def rounded_by_public_helper(a: float, x: Vec) -> float:
    return public_helper(a) * a + public_helper(x[0])


def tests_of_helper(a: float, x: Vec) -> float:
    both = (_positive(a) + _positive(a)) * a
    return both + (_positive(x[0]) + _positive(x[1])) * x[0] + ~_positive(x[2]) * a


def powers_of_helper(a: float, x: Vec) -> float:
    return a * _inverse(3) + x[0] * _inverse(len(x))


# ---- integers where floats are declared ----------------------------------------------------------


def integer_on_one_path(x: float, n: int) -> float:
    if x > 9.0:
        return x
    return n


def integer_result(x: float) -> float:
    return 1


def integers_in_a_tuple(x: float, n: int) -> tuple[float, float]:
    return x * x, n


# ---- constants of narrow types ------------------------------------------------------------------


def constants_wrap_around(x: float) -> float:
    with np.errstate(over="ignore"):
        a = np.uint8(250) + np.uint8(10)
        b = np.int8(-128) - np.int8(1)
        c = np.int8(100) * 3
        d = -np.int8(-128) + abs(np.int8(-128))
        e = np.uint32(1) - np.uint32(2)
        f = np.int32(2147483647) + np.int32(1)
        g = np.int16(300) ** 2
        h = ~np.uint8(3) + (np.uint8(200) << np.uint8(1))
    return x * a + x * x * b + np.sin(x * c) + d * x + e * x + f / x + g * x + h * x


def unsigned_numbers_are_negated_before_they_are_added(x: Vec) -> float:
    k, s = np.arange(3, 3 + len(x)).astype(np.uint8), 0.0
    y = np.zeros(len(x))
    with np.errstate(over="ignore"):
        for i in range(len(x)):
            s += -k[i]
            y[i] += -k[i]
    return s * x[0] + np.sum((x + -k) * y)


def signs_of_unsigned_numbers(x: Vec) -> float:
    k = (np.arange(len(x)) * 60).astype(np.uint8)
    return np.sign(k[-1]) * x[0] + np.sum(np.sign(k) * x)


def remainders_of_the_least_integers(x: Vec) -> float:
    k = np.array([-128, 127, -7, 7]).astype(np.int8)
    m = np.array([-(2**62), 5]) * 2
    return (
        np.sum(np.fmod(k, 3) * x[0]) + np.sum(np.fmod(k, -5) * x[1]) + np.sum(np.fmod(m, 3)) * x[2]
    )


def powers_of_many_digits(x: Vec, n: int) -> float:
    k = np.arange(3, 3 + len(x))
    last = (np.power(k, 19) + np.power(k[1], n * 10)) % 1000
    return np.sum(last * x) + np.power(k[0], 39) % 1000


def constants_of_two_precisions(x: float) -> float:
    s = x * x
    if np.float32(0.1) == np.float64(0.1):
        s *= 2.0
    if np.float32(0.1) == 0.1:
        s *= x
    if np.float32(0.1) == 0.10000000149:
        s *= 5.0
    if np.float32(16777217.0) > 16777216:
        s *= 7.0
    if np.float32(16777217.0) == 16777217:
        s *= 11.0
    return s


def extrema_of_numbers_that_are_known(x: float) -> float:
    """They are one of what is given, of its own type."""
    small = ~max(np.uint8(3), np.int8(-2))
    whole = min(3, 4.5) // 2 + max([2, 1.5]) // 4
    return x * float(small) + whole * min(x, 7) + isinstance(max(3, 2.5), int)


def divmod_of_arrays(x: Vec, a: float) -> float:
    k = np.arange(len(x)) - 2
    q, r = divmod(k, -4)
    p, s = divmod(x, 0.3)
    b, c = divmod(x[0], k[-1] + 2)
    return np.sum((q + r * 2) * x) + np.sum(p * x + s) + b * a + c


def truth_of_ranges(x: Vec, a: float) -> float:
    s = a if range(len(x) - 3) else x[0]
    for k in (1, 3, 9):
        r = range(k, len(x) - 1)
        s = s * (x[r[-1]] if r and range(5, k, -1) else a)
    return s if not range(3, 3) else 0.0
