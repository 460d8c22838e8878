"""Methods that call themselves as often as the run says."""

import numpy as np
from kinds import Vec


class _Scale:
    def __init__(self, rate):
        self.rate = rate

    def power(self, n):
        if n == 0:
            return 1.0
        return self.rate * self.power(n - 1)


def power_of_field(y: float, n: int) -> float:
    return _Scale(y).power(n + 10) + _Scale(y * y).power(n=3 * n)


class _Halves:
    def __init__(self, x: Vec, scale: float) -> None:
        self.x = x
        self.scale = scale

    def total(self, lo: int, hi: int) -> float:
        if hi - lo == 1:
            return self.x[lo] ** 2 * self.scale
        middle = (lo + hi) // 2
        return self.total(lo, middle) + 0.5 * self.total(middle, hi)

    def of_all(self) -> float:
        return self.total(0, len(self.x))


def halves(x: Vec, y: float) -> float:
    return _Halves(x, y).of_all() * y


class _Memo:
    def __init__(self, x, n):
        self.x = x
        self.memo = np.zeros(n + 1)

    def fib(self, n):
        if n < 2:
            return self.x
        if self.memo[n] == 0.0:
            self.memo[n] = self.fib(n - 1) + self.x * self.fib(n - 2)
        return self.memo[n]


def kept_in_a_field(y: float, n: int) -> float:
    memo = _Memo(y, n + 9)
    return memo.fib(n + 9) + memo.memo[4]


class _Doubled(_Scale):
    def __init__(self, rate):
        super().__init__(2.0 * rate)
        self.count = 0


def inherited(y: float, n: int) -> float:
    found = _Doubled(y)
    found.rate = found.rate + 0.1
    return found.power(n + 9)
