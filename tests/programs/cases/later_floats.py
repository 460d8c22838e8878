"""Lists of integers, ``[0] * n``, that hold floats later."""

from kinds import Vec


def elements_later(x: Vec) -> float:
    n = len(x)
    cp = [0] * n
    for i in range(n):
        cp[i] = x[i] / 2 if i < n - 1 else 0
    return sum(cp)


def by_comprehension(x: Vec) -> float:
    n = len(x)
    cp = [0 for _ in range(n)]
    for i in range(n):
        cp[i] = x[i] / 2
    return sum(cp)


def warped(x: Vec, y: Vec) -> float:
    n, m = len(x), len(y)
    d = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            c = abs(x[i - 1] - y[j - 1] * 1.1)
            d[i][j] = c + min(d[i - 1][j], d[i][j - 1], d[i - 1][j - 1])
    return d[n][m]


def longest(x: Vec, y: Vec) -> float:
    n, m = len(x), len(y)
    d = [[0 for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d[i][j] = x[i - 1] * y[j - 1] + max(d[i - 1][j] + 0.3, d[i][j - 1])
    return d[n][m]


def counted_and_summed(x: Vec) -> float:
    n = len(x)
    count = [0] * n
    total = [0] * n
    for i in range(n):
        k = i % 2
        count[k] += 1
        total[k] += x[i]
    return sum(total[k] / count[k] for k in range(n) if count[k])


def places_and_values(x: Vec) -> float:
    n = len(x)
    where = [0] * n
    vals = [0] * n
    for i in range(n):
        where[i] = n - 1 - i
        vals[i] = x[where[i]] * 2
    return vals[where[0]]


def added_up(x: Vec, k: int) -> float:
    h = [0] * k
    for i in range(len(x)):
        h[i % k] += x[i]
    return h[0] * h[1]


def weights(x: Vec) -> float:
    n = len(x)
    w = [1] * n
    for k in range(3):
        for i in range(n):
            w[i] = w[i] * x[i] if k else w[i]
        s = sum(w)
        w = [v / s for v in w]
    return w[0]


class _Sums:
    def __init__(self, n):
        self.sums = [0] * n
        self.n = n

    def add(self, k, v):
        self.sums[k] += v


def in_object(x: Vec) -> float:
    a = _Sums(len(x))
    for i in range(len(x)):
        a.add(i, x[i] ** 2)
    return sum(a.sums)


def best(x: Vec) -> float:
    n = len(x)
    best = [-1] * n
    for i in range(n):
        if x[i] > best[i]:
            best[i] = x[i]
    return sum(best)


def _squares(x):
    n = len(x)
    r = [0] * n
    for i in range(n):
        r[i] = x[i] ** 2
    return r


def by_helper(x: Vec) -> float:
    return sum(_squares(x))
