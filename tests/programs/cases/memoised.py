"""Recursive functions that keep what they give: each value is worked out once, in any mode."""

from __future__ import annotations

from functools import cache, lru_cache

from kinds import Vec


@cache
def _catalan(n: int) -> int:
    if n <= 1:
        return 1
    return sum(_catalan(i) * _catalan(n - 1 - i) for i in range(n))


@cache
def _hermite(x: float, n: int) -> float:
    if n == 0:
        return 1.0
    if n == 1:
        return 2.0 * x
    return 2.0 * x * _hermite(x, n - 1) - 2.0 * (n - 1) * _hermite(x, n=n - 2)


@cache
def _lattice(s: float, n: int) -> float:
    if n == 0:
        return max(s - 1.0, 0.0)
    return 0.5 * (_lattice(s * 1.1, n - 1) + _lattice(s / 1.1, n - 1))


def numbers_as_weights(x: float) -> float:
    return sum(_catalan(k) * x**k for k in range(9))


def argument_that_stays(x: float) -> float:
    return 1e-20 * _hermite(0.1 * x, 40)


def argument_that_changes(x: float) -> float:
    return _lattice(x, 4)


def warped(a: Vec, b: Vec) -> float:
    n, m = len(a), len(b)

    @lru_cache(None)
    def best(i: int, j: int) -> float:
        if i == n or j == m:
            return 0.0
        d = (a[i] - b[j]) ** 2
        return min(best(i + 1, j), best(i, j + 1), best(i + 1, j + 1)) + d

    return best(0, 0)


def far_too_many_calls(x: float) -> float:
    @cache
    def term(k: int) -> float:
        if k < 2:
            return x
        return 0.9 * term(k - 1) - 0.4 * x * term(k - 2)

    return sum(term(k) for k in range(80))


def packed(x: Vec, room: int) -> float:
    sizes = [2, 3, 1, 2]

    @cache
    def take(i, left):
        if i == min(len(x), len(sizes)):
            return 0.0
        best = take(i + 1, left)
        if sizes[i] <= left:
            best = max(best, x[i] + take(i + 1, left - sizes[i]))
        return best

    return take(0, 3 + abs(room) % 4)


def two_results(x: Vec) -> float:
    @cache
    def best(rest: int) -> tuple[float, int]:
        if rest == 0:
            return 0.0, 0
        cost, count = best(rest - 1)
        cost += x[0]
        for k in range(1, len(x)):
            if rest > k:
                c, m = best(rest - k - 1)
                if c + x[k] < cost:
                    cost, count = c + x[k], m
        return cost, count + 1

    total, count = best(7)
    return total * count


def kept_in_a_dict(x: float) -> float:
    memo: dict[int, float] = {}

    def fib(k):
        if k < 2:
            return x
        if k not in memo:
            memo[k] = 0.5 * fib(k - 1) + 0.4 * fib(k - 2) * x
        return memo[k]

    return fib(60)


def kept_by_pairs(w: Vec) -> float:
    memo = {}

    def go(i: int, j: int) -> float:
        if (i, j) in memo:
            return memo[(i, j)]
        if i == 0 and j == 0:
            r = w[0]
        elif i == 0:
            r = go(0, j - 1) + w[j % len(w)]
        elif j == 0:
            r = go(i - 1, 0) + w[i % len(w)] ** 2
        else:
            r = min(go(i - 1, j), go(i, j - 1)) + w[(i * j) % len(w)]
        memo[i, j] = r
        return r

    return go(12, 11)


def kept_by_a_name(a: Vec, gap: float) -> float:
    memo: dict[tuple[int, int], float] = {}

    def distance(i: int, j: int) -> float:
        key = (i, j)
        if key in memo:
            return memo[key]
        if i == 0 or j == 0:
            result = gap * (i + j)
        else:
            other = distance(i - 1, j - 1) + abs(a[i - 1] - a[-j] ** 2)
            result = min(distance(i - 1, j) + gap, distance(i, j - 1) + gap, other)
        memo[key] = result
        return result

    return distance(len(a), len(a))


def begins_with_a_guard(x: float) -> float:
    def root(v: float) -> float:
        if v < 0.0:
            raise ValueError("negative")
        return v**0.5

    take = lambda v: root(v)  # noqa: E731
    total = 0.0
    for k in range(3):
        try:
            total += take(abs(x) + 1.0 - k)
        except ValueError:
            total -= x
    return total
