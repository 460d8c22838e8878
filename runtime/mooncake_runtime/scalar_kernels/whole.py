"""Functions of whole numbers: an OverflowError where 64 bits do not suffice."""

import math

import numpy as np

from mooncake_runtime.jit import inner


@inner
def isqrt(n: int) -> int:
    """``math.isqrt``."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = int(math.sqrt(n))
    while root * root > n or root > 3037000499:
        root -= 1
    while root < 3037000499 and (root + 1) * (root + 1) <= n:
        root += 1
    return root


@inner
def perm(n: int, k: int) -> int:
    """``math.perm``."""
    if n < 0 or k < 0:
        raise ValueError("perm() arguments must be nonnegative")
    result = 1
    for i in range(k):
        if i >= n:
            return 0
        if result > 9223372036854775807 // (n - i):
            raise OverflowError("perm() does not fit into 64 bits")
        result *= n - i
    return result


@inner
def factorial(n: int) -> int:
    """``math.factorial``."""
    if n < 0:
        raise ValueError("factorial() argument must be nonnegative")
    return perm(n, n)


@inner
def comb(n: int, k: int) -> int:
    """``math.comb``."""
    if n < 0 or k < 0:
        raise ValueError("comb() arguments must be nonnegative")
    result = 1
    for i in range(min(k, n - k) if k <= n else 0):
        factor, below = n - i, i + 1
        common = math.gcd(result, below)  # result * factor is a multiple of below
        result, factor = result // common, factor // (below // common)
        if result > 9223372036854775807 // factor:
            raise OverflowError("comb() does not fit into 64 bits")
        result *= factor
    return result if k <= n else 0


@inner
def fitting(n: int, low: int, high: int) -> int:
    """``n``, which must be one of the integers of a type of NumPy's."""
    if not low <= n <= high:
        raise OverflowError("Python integer out of bounds")
    return n


@inner
def integer_power(base: int, exponent: int) -> int:
    """``base**exponent`` as an integer."""
    if exponent < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    power: int = base**exponent
    return power


@inner
def finite(x: float) -> float:
    """``x``, of which there is an integer part: no NaN, not infinite, and not too large."""
    if not abs(x) < 9223372036854775808.0:
        if x != x:
            raise ValueError("cannot convert float NaN to integer")
        raise OverflowError("cannot convert a float that is infinite or too large to integer")
    return x


@inner
def _lost(a: float, b: float) -> float:
    """The rounding error of the product ``a * b``, exactly (Dekker, 1971)."""
    c = 134217729.0 * a
    high_a = c - (c - a)
    c = 134217729.0 * b
    high_b = c - (c - b)
    low_a, low_b = a - high_a, b - high_b
    return low_a * low_b - (((a * b - high_a * high_b) - low_a * high_b) - high_a * low_b)


@inner
def round_to(x: float, digits: int) -> float:
    """``round(x, digits)``: of the decimal numbers with so many digits the one nearest to ``x``.

    22 digits at most, before or behind the point: powers of ten up to there are floats.
    """
    scale = 10.0 ** abs(digits)
    scaled = x * scale if digits >= 0 else x / scale
    if not abs(scaled) < 9007199254740992.0:
        return x
    n = float(np.rint(scaled))
    if digits >= 0:
        rest, lost, half = scaled - n, -_lost(x, scale), 0.5
    else:
        rest, lost, half = x - n * scale, _lost(n, scale), 0.5 * scale
    is_odd = n % 2.0 != 0.0
    if rest - half > lost or (rest - half == lost and is_odd):
        n += 1.0
    elif rest + half < lost or (rest + half == lost and is_odd):
        n -= 1.0
    return n / scale if digits >= 0 else n * scale


@inner
def integer_fmod(n: int, by: int) -> int:
    """``np.fmod`` of integers, which has the sign of ``n``; numba has another one."""
    if by in (0, -1):  # the least integer can't be divided by -1
        return 0
    rest = n % by
    return rest - by if rest != 0 and (n < 0) != (by < 0) else rest


@inner
def left_shift(n: int, count: int) -> int:
    """``np.left_shift``: 0 where all bits are shifted out, or the count is negative."""
    return n << count if 0 <= count < 64 else 0


@inner
def right_shift(n: int, count: int) -> int:
    """``np.right_shift``: a negative count is a large one."""
    if 0 <= count < 64:
        return n >> count
    return n >> 63 >> 1


@inner
def shift_left(n: int, count: int) -> int:
    """``n << count``; 0 where all bits are shifted out."""
    if count < 0:
        raise ValueError("negative shift count")
    return n << count if count < 64 else 0


@inner
def shift_right(n: int, count: int) -> int:
    """``n >> count``."""
    if count < 0:
        raise ValueError("negative shift count")
    return n >> min(count, 63)
