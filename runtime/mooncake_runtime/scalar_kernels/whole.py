"""Functions of whole numbers: an OverflowError where 64 bits do not suffice."""

import math

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
