"""Lists in lists that several names, helpers, objects and other lists share."""

from __future__ import annotations

from dataclasses import dataclass, field

from kinds import Vec


def _put(gs, k, v):
    gs[k].append(v)
    return gs[k]


def by_helper(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n)]
    for i in range(len(x)):
        g = _put(gs, i % n, x[i])
        g.append(0.5 * x[i])
    return sum(sum(g) for g in gs) * gs[0][-1]


def _make(x, n):
    gs = [[] for _ in range(n)]
    for i in range(len(x)):
        gs[i % n].append(x[i])
    return gs


def from_helper(x: Vec, n: int) -> float:
    gs = _make(x, n)
    hs = _make(2 * x, n)
    gs[0].append(hs[0][0])
    hs[0] = gs[0]
    hs[0].append(3.0 * x[1])
    return sum(gs[0]) * sum(hs[0]) + len(gs[0])


def augmented(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    for k in range(n):
        gs[k] += [x[k] * 2, x[0]]
        h = gs[k]
        h += [1.5]
    gs[0] = gs[1]
    gs[0].append(x[2])
    return sum(gs[1]) * len(gs[1]) + sum(gs[2])


def cut(x: Vec, n: int) -> float:
    gs = [[v, v * v, 2.0] for v in x]
    for i, g in enumerate(gs):
        gs[i] = g[1:]
    a, *rest = gs[0]
    first, second = gs[1]
    return a * sum(rest) + first * second


def truth(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n + 1)]
    for i, v in enumerate(x):
        if v > 0.3:
            gs[i % n].append(v)
    s = 0.0
    for g in gs:
        if not g:
            s += 0.1
        if g and g[-1] > 0.5:
            s += g[-1]
        if len(g) == 0:
            continue
        s *= 1.0 + g[0]
    return s


def three_deep(x: Vec, n: int) -> float:
    cube = [[[] for _ in range(2)] for _ in range(n)]
    for i, v in enumerate(x):
        cube[i % n][i % 2].append(v * v)
    cube[0][1] = cube[0][0]
    cube[0][1].append(x[0])
    return sum(sum(sum(c) for c in b) for b in cube)


def outer_grows(x: Vec, n: int) -> float:
    gs = []
    for i in range(n):
        gs.append([])
        for v in x:
            gs[-1].append(v * i)
        if i > 0:
            gs.append(gs[0])
            gs[0].append(x[0])
    gs.pop()
    del gs[0]
    return sum(sum(g) for g in gs) + len(gs)


def tried(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n)]
    s = 0.0
    for i in range(len(x)):
        try:
            gs[i].append(x[i])
            s += gs[i - 1][0]
        except IndexError:
            s += 0.5 * x[i]
    return s + sum(gs[0])


def leaving(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    for g in gs:
        while len(g) < n:
            g.append(g[-1] * 0.7)
            if g[-1] > 0.6:
                break
        else:
            g.append(0.01)
        if sum(g) > 3.0:
            return sum(g) * x[0]
    return sum(gs[0]) + gs[1][-1]


def closure(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n)]

    def add(k, v):
        gs[k].append(v)
        return len(gs[k])

    s = 0.0
    for i, v in enumerate(x):
        s += add(i % n, v) * v
    return s + gs[0][0]


@dataclass
class Track:
    times: list = field(default_factory=list)
    values: list = field(default_factory=list)
    n: int = 0

    def record(self, t, v):
        self.times.append(t)
        self.values.append(v)
        self.n += 1

    def mean(self):
        return sum(self.values) / len(self.values) if self.values else 0.0


def tracks(x: Vec, n: int) -> float:
    ts = [Track() for _ in range(n)]
    for i, v in enumerate(x):
        ts[i % n].record(0.1 * i, v * v)
        if i % 2:
            ts[0].record(v, 1.0)
    shared = ts[0].values
    shared.append(x[0])
    ts[n - 1].values = shared
    ts[n - 1].values.append(x[1])
    return sum(t.mean() * (1 + t.n) + sum(t.times) for t in ts)


def pushed(x: Vec, n: int) -> float:
    stack = [[v] for v in x]
    total = 0.0
    while stack:
        top = stack.pop()
        total += sum(top) * len(top)
        if len(top) < n:
            stack.append([*top, top[-1] * 0.5])
    return total


def transposed(x: Vec, n: int) -> float:
    rows = [[v * (j + 1) for j in range(n)] for v in x]
    cols = [[r[j] for r in rows] for j in range(n)]
    cols[0][0] = 7.0 * x[1]
    rows[0].append(1.0)
    return sum(c[0] * c[-1] for c in cols) + len(rows[0]) * rows[0][0]


def swaps(x: Vec, n: int) -> float:
    a = [x[0]]
    b = [x[1], x[2]]
    for i in range(n):
        a, b = b, a
        a.append(x[i % len(x)])
        b[0] *= 1.1
    c = a if x[0] > 0 else b
    c.append(2.0)
    return sum(a) * len(b) + sum(b) + c[-1] * a[0]


def nested_choice(x: Vec, t: float) -> float:
    lists = [[v] for v in x]
    best = lists[0]
    for one in lists:
        if sum(one) > sum(best):
            best = one
        one.append(t)
    best.append(x[0] * 3)
    return sum(sum(one) for one in lists) * best[0]


def member(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n)]
    for i in range(len(x)):
        if i not in gs[i % n]:
            gs[i % n].append(i)
    return sum(x[j] for g in gs for j in g) * (1.0 if 2 in gs[0] else 0.5)


def chosen_or_new(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    gs[0].append(x[1])
    g = gs[n] if n > 1 else [1.0, 2.0]
    h = gs[n] if n > 9 else [1.0, 2.0]
    g.append(3.0)
    return sum(g) * sum(gs[n]) + sum(h)


def got_or_default(x: Vec, n: int) -> float:
    d = {}
    for i, v in enumerate(x):
        d.setdefault(i % n, []).append(v)
    found = [d.get(k, [0.5])[0] for k in range(n + 2)]
    return found[0] * found[1] + found[-1] + len(d.get(0, [])) + len(d.get(77, []))


def _at_or_empty(gs, k):
    if k < len(gs):
        return gs[k]
    return []


def from_helper_or_empty(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    gs[0].append(x[1])
    return sum(_at_or_empty(gs, 0)) * sum(_at_or_empty(gs, n)) + len(_at_or_empty(gs, n + 9))


def own_or_shared(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    gs[0].append(x[1])
    own = [2.0]
    s = 0.0
    for i in range(n):
        g = gs[i] if i % 2 else own
        g.append(x[i])
        s += sum(g)
    return s + sum(own) * sum(gs[1])


def found_or_caught(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    gs[0].append(x[1])
    s = 0.0
    for k in (0, n + 9):
        try:
            g = gs[k]
        except IndexError:
            g = [7.0]
        s += sum(g) * len(g)
    return s


def shared_on_one_path(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    own = [x[0]]
    if n > 2:
        gs.append(own)
    own.append(2.0 * x[1])
    gs[-1].append(x[2])
    return sum(own) * sum(gs[-1]) + len(own)


def longest(x: Vec, n: int) -> float:
    gs = [[v] for v in x]
    gs[n].append(2.0)
    long = max(gs, key=len)
    long.append(x[0])
    low = min(gs, key=lambda g: g[-1])
    low[0] *= 3.0
    return sum(sum(g) * len(g) for g in gs)


def largest_pair(x: Vec, n: int) -> float:
    pairs = [(x[k], k) for k in range(len(x))]
    best = max(pairs)
    rows = [[v, 1.0] for v in x]
    return best[0] * min(pairs)[1] + (best == pairs[best[1]]) * max(rows)[0]


def extended_by_itself(x: Vec, k: int) -> float:
    """A list that is extended by one that may be itself gets what that held before."""
    rows = [[], [], []]
    for i, v in enumerate(x):
        rows[i % 3].append(v)
    for row in rows:
        row.extend(rows[k % 3])
    rows[1] += rows[k % 2]
    return sum(sum(row) * len(row) for row in rows)


def clipped_points(points: list[tuple[float, float]], x: Vec) -> list[tuple[float, float]]:
    output = list(points)
    for bound in x:
        before = output
        output = []
        for p in before:
            if p[0] < bound + 2.0:
                output.append((p[0] * bound, p[1]))
    return output


def area_of_clipped(points: list[tuple[float, float]], x: Vec) -> float:
    poly = clipped_points(points, x)
    around = zip(poly, poly[1:] + poly[:1], strict=True)
    return sum(x0 * y1 - 0.3 * x1 * y0 for (x0, y0), (x1, y1) in around)
