"""Programs that ask whether something is true of any element, or of all; medians, NaN skipped.

As in `programs.py`. A kernel counts where it is true: the order of a count is free.
"""

from __future__ import annotations

from tests.cuda.drawing import Drawn, arrays, with_numbers

SOURCE = """
def any_beyond(x: Float64[xp.ndarray, "n"], a: float) -> Number:
    if xp.any(x > a):
        x = x * 2
    if not (x < -9.0).any():
        x = x * x
    return xp.sum(x)

def all_within(x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "n"]) -> Number:
    if xp.isfinite(x).all() and not xp.isnan(y).any():
        return xp.sum(x * x) * xp.sum(y)
    return xp.sum(y)

def truth_as_number(x: Float64[xp.ndarray, "n m"]) -> Number:
    s = xp.sum(x) * xp.all(x < 10.0)
    return s * s + xp.sum(xp.where(xp.any(x > 1.0), x, x * x))

def truth_of_rows(x: Float64[xp.ndarray, "n m"]) -> Number:
    rows = xp.any(x > 1.0, axis=1)
    columns = xp.all(x > -1.0, axis=0)
    return xp.sum(xp.where(rows[:, None] ^ columns, xp.sin(x), x**3))

def until_near(x: Float64[xp.ndarray, "n"], tol: float) -> Number:
    while not xp.allclose(x, xp.cos(x), atol=tol):
        x = xp.cos(x)
    return xp.sum(x)

def found_in_loop(x: Float64[xp.ndarray, "n"], a: float) -> Number:
    found = False
    every = True
    for i in range(x.shape[0]):
        found = found or x[i] > a
        every = every and x[i] > -9.0
    s = xp.sum(x)
    return s * s if found and every else s

def noted_in_loop(x: Float64[xp.ndarray, "n m"], a: float) -> Number:
    found = False
    every = True
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > a:
                found = True
            if x[i, j] < -9.0:
                every = False
    s = xp.sum(x)
    return s * s if found and every else s

def raising(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    if xp.any(x < -99.0):
        raise ValueError("too low")
    assert xp.all(xp.isfinite(y)), "not finite"
    return xp.sum(xp.sin(x) * y)

def middle(x: Float64[xp.ndarray, "n m"], q: float) -> Number:
    return xp.median(x) * xp.quantile(x, q) + xp.percentile(x, 20.0) ** 2

def middle_of_numbers(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.nanmedian(xp.where(x > -1.0, x, xp.nan)) ** 2

def between_quartiles(x: Float64[xp.ndarray, "n"]) -> Number:
    low, high = xp.percentile(x, [25.0, 75.0])
    return xp.mean(xp.clip(x, low, high)) * (high - low)

def middle_of_three(x: Float64[xp.ndarray, "n"], k: int) -> Number:
    w = xp.stack([x[:-2], x[1:-1], x[2:]])
    return xp.sum(xp.median(w, axis=0) ** 2) + xp.sum(xp.sort(w, axis=0)[k])

def largest_number(x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "k"]) -> Number:
    z = xp.where(x > 1, xp.nan, x)
    return xp.nanmax(z) * xp.nanmin(y) + xp.sum(xp.nanmax(z, axis=1)) + xp.nanmean(z)

def no_number(x: Float64[xp.ndarray, "n m"]) -> Number:
    s = xp.nanmin(xp.where(x > -99, xp.nan, x))
    return xp.sum(x * x) + xp.where(xp.isnan(s), 0.0, s)

def pythons_largest(x: Float64[xp.ndarray, "n"]) -> Number:
    y = xp.where(x > x[0] + 1.0, xp.nan, x)
    z = xp.concatenate([y[:0], xp.full(1, xp.nan), x])
    return max(x) * min(x * x) + max(y) + xp.sum(x[0] * xp.isnan(min(z)))
"""

INPUTS: dict[str, Drawn] = {
    "any_beyond": with_numbers(arrays((300,)), 1.5), "all_within": arrays((90, 7), (90,)),
    "truth_as_number": arrays((90, 7)), "truth_of_rows": arrays((30, 40)),
    "until_near": with_numbers(arrays((300,)), 0.1),
    "found_in_loop": with_numbers(arrays((300,)), 2.0),
    "noted_in_loop": with_numbers(arrays((40, 9)), 2.0), "raising": arrays((300,), (300,)),
    "middle": with_numbers(arrays((30, 9)), 0.3), "middle_of_numbers": arrays((30,)),
    "between_quartiles": arrays((30,)), "largest_number": arrays((9, 40), (70,)),
    "middle_of_three": with_numbers(arrays((300,)), 2),
    "no_number": arrays((9, 7)), "pythons_largest": arrays((300,)),
}  # fmt: skip

# Nothing but branches of the program itself wait.
WAITING = (
    "any_beyond", "all_within", "until_near", "found_in_loop", "noted_in_loop", "raising",
)  # fmt: skip
RAISING = (  # of nothing
    "middle", "between_quartiles", "largest_number", "no_number", "pythons_largest",
)  # fmt: skip
