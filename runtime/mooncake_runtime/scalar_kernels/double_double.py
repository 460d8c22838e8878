"""Sums of two floats that stand for one number of twice the precision (Dekker, 1971)."""

from mooncake_runtime.jit import inner

Double = tuple[float, float]


@inner
def dd_sum(a: float, b: float) -> Double:
    """``a + b`` without error."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@inner
def dd_product(a: float, b: float) -> Double:
    """``a * b`` without error."""
    total = a * b
    split = 134217729.0 * a
    a_high = split - (split - a)
    a_low = a - a_high
    split = 134217729.0 * b
    b_high = split - (split - b)
    b_low = b - b_high
    return total, ((a_high * b_high - total) + a_high * b_low + a_low * b_high) + a_low * b_low


@inner
def dd_add(a: Double, b: Double) -> Double:
    high, low = dd_sum(a[0], b[0])
    return dd_sum(high, low + a[1] + b[1])


@inner
def dd_mul(a: Double, b: Double) -> Double:
    high, low = dd_product(a[0], b[0])
    return dd_sum(high, low + a[0] * b[1] + a[1] * b[0])


@inner
def dd_div(a: Double, b: Double) -> Double:
    first = a[0] / b[0]
    high, low = dd_product(first, b[0])
    rest = ((a[0] - high) - low) + (a[1] - first * b[1])
    return dd_sum(first, rest / b[0])
