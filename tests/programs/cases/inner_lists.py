"""Lists in lists, dicts and objects that get longer and shorter."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict, namedtuple
from dataclasses import dataclass, field

from kinds import Vec


def grouped(x: Vec, n: int) -> float:
    groups = [[] for _ in range(n)]
    for i, v in enumerate(x):
        groups[i % n].append(v)
    out = 1.0
    for g in groups:
        out *= sum(g)
    return out


def appended_rows(x: Vec, n: int) -> float:
    rows = []
    for i in range(n):
        row = []
        for v in x:
            row.append(v * i)
        rows.append(row)
    return rows[1][0] * rows[n - 1][1]


def longer_rows(x: Vec, n: int) -> float:
    rows = [[v * i for v in x] for i in range(n)]
    rows[0].append(x[0])
    return rows[1][0] * rows[0][-1]


def three_lists(x: Vec) -> float:
    groups = [[], [], []]
    for v in x:
        k = int(v) % 3
        groups[k].append(v)
    return sum(sum(g) ** 2 for g in groups)


def graph(w: Vec, n: int) -> float:
    adj = [[] for _ in range(n)]
    for i in range(n - 1):
        adj[i].append(i + 1)
        adj[i + 1].append(i)
    dist = [0.0] * n
    seen = [False] * n
    stack = [0]
    while stack:
        u = stack.pop()
        seen[u] = True
        for v in adj[u]:
            if not seen[v]:
                dist[v] = dist[u] + w[u % len(w)] * w[v % len(w)]
                stack.append(v)
    return dist[n - 1] + len(adj[0])


def alias(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n)]
    g = gs[n - 1]
    g.append(x[0])
    h = g
    h.append(x[1])
    gs[0], gs[n - 1] = gs[n - 1], gs[0]
    gs[0].append(2.0 * x[2])
    return sum(g) * len(gs[n - 1]) + gs[0][2] * g[-1] + len(h)


def popped(x: Vec, n: int) -> float:
    gs = [[] for _ in range(n)]
    total = 0.0
    for t in range(3):
        for i, v in enumerate(x):
            gs[i % n].append(v * (t + 1))
            if len(gs[i % n]) > 2:
                total += gs[i % n].pop() * v
        gs[0].clear()
    return total + sum(g[-1] for g in gs if g)


def history(x: Vec, n: int) -> float:
    hist = [[v] for v in x]
    for _t in range(n):
        for i in range(len(x)):
            last = hist[i][-1]
            hist[i].append(0.5 * last + math.sin(last) * hist[i - 1][0])
    return hist[0][-1] * hist[-1][1] + sum(max(h) for h in hist)


def buckets(x: Vec) -> float:
    b = {}
    for v in x:
        b.setdefault(math.floor(v * 2), []).append(v)
    return sum(max(q) * len(q) for q in b.values())


def default_buckets(x: Vec) -> float:
    b = defaultdict(list)
    for v in x:
        b[math.floor(v * 2)].append(v * v)
    return sum(k * sum(q) for k, q in b.items())


def checked_buckets(x: Vec) -> float:
    b = {}
    for v in x:
        k = math.floor(v * 2)
        if k not in b:
            b[k] = []
        b[k].append(v)
    return sum(max(q) * len(q) for q in b.values())


@dataclass
class Neuron:
    v: float
    spikes: list = field(default_factory=list)

    def step(self, i, t):
        self.v += 0.3 * i
        if self.v > 1.0:
            self.spikes.append(t * self.v)
            self.v = 0.0


def spiking(i: Vec, n: int) -> float:
    ns = [Neuron(0.1 * k) for k in range(n)]
    for t in range(6):
        for k, one in enumerate(ns):
            one.step(abs(i[k % len(i)]) + 0.5, 0.5 * t)
    return sum(sum(q.spikes) + q.v for q in ns)


def sort_rows(x: Vec, n: int) -> float:
    g = [[] for _ in range(n)]
    for i, v in enumerate(x):
        g[i % n].append(v)
    for r in g:
        r.sort()
        r.reverse()
        r.insert(0, 1.5)
    return sum(r[0] * r[-1] for r in g)


def triangle(n: int, a: float) -> float:
    rows = [[1.0]]
    for _i in range(n):
        prev = rows[-1]
        row = [1.0]
        for j in range(len(prev) - 1):
            row.append(prev[j] + a * prev[j + 1])
        row.append(1.0)
        rows.append(row)
    return sum(rows[-1])


def flags(x: Vec, n: int) -> float:
    g = [[] for _ in range(n)]
    for i, v in enumerate(x):
        g[i % n].append(v > 0)
    return sum(1.0 for r in g if any(r)) * x[0]


def late_float(x: Vec, n: int) -> float:
    g = [[] for _ in range(n)]
    for k in range(n):
        g[k].append(0)
        g[k].append(x[0] * k)
    return sum(sum(r) for r in g)


@dataclass
class P:
    x: float
    v: float
    alive: bool = True

    def move(self, dt):
        self.x += self.v * dt
        if self.x > 2.0:
            self.alive = False


@dataclass
class Node:
    value: float
    children: list = field(default_factory=list)


def tree(x: Vec) -> float:
    root = Node(x[0])
    nodes = [root]
    for i in range(1, len(x)):
        one = Node(x[i])
        nodes[(i - 1) // 2].children.append(one)
        nodes.append(one)
    total = 0.0
    stack = [root]
    while stack:
        n = stack.pop()
        total = total * 0.5 + n.value
        for c in n.children:
            stack.append(c)
    return total


class Cell:
    def __init__(self):
        self.members = []
        self.mass = 0.0

    def add(self, p):
        self.members.append(p)
        self.mass += p.v


def grid(x: Vec, v: Vec, n: int) -> float:
    cells = [Cell() for _ in range(n)]
    for a, b in zip(x, v, strict=False):
        cells[int(abs(a) * 3) % n].add(P(a, b))
    e = 0.0
    for c in cells:
        for i, p in enumerate(c.members):
            for q in c.members[i + 1 :]:
                e += (p.x - q.x) ** 2 * c.mass
    return e


def events(x: Vec) -> float:
    log = {}
    for i, v in enumerate(x):
        log.setdefault(i % 2, []).append(P(v, 1.0))
    return sum(p.x**2 for ps in log.values() for p in ps)


Edge = namedtuple("Edge", "to cost")


def weighted(w: Vec, n: int) -> float:
    adj = [[] for _ in range(n)]
    for i in range(n - 1):
        adj[i].append((i + 1, w[i % len(w)] ** 2))
        adj[i + 1].append((i, 2.0 * w[0]))
    d = [0.0] * n
    for u in range(n):
        for v, c in adj[u]:
            d[v] = d[u] + c
    return d[-1] + adj[0][0][1] * len(adj[n // 2])


def dijkstra(w: Vec, n: int) -> float:
    graph = {}
    for i in range(n):
        graph[i] = []
    for i in range(n):
        graph[i].append(((i + 1) % n, w[i % len(w)] ** 2 + 0.1))
        graph[i].append(((i + 2) % n, 1.5 * w[(i + 1) % len(w)] ** 2))
    dist = dict.fromkeys(graph, math.inf)
    dist[0] = 0.0
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, c in graph[u]:
            if d + c < dist[v]:
                dist[v] = d + c
                heapq.heappush(heap, (d + c, v))
    return sum(dist.values())


def default_edges(w: Vec, n: int) -> float:
    graph = defaultdict(list)
    for i in range(n):
        graph[i % 3].append((w[i % len(w)], i))
    return sum(a * (b + 1) for k in graph for a, b in graph[k])


def named(w: Vec, n: int) -> float:
    adj = [[] for _ in range(n)]
    for i in range(n):
        adj[i].append(Edge(i, w[i % len(w)]))
        adj[i].append(Edge(0, 2.0))
    return sum(e.cost * (e.to + 1) for es in adj for e in es)


def mixed(w: Vec, n: int) -> float:
    adj = [[] for _ in range(n)]
    for i in range(n):
        adj[i].append((i, 0))
        adj[i].append((i, w[0]))
        adj[i].append((i, w[1]))
        if len(adj[i]) > 2:
            _a, _b = adj[i].pop()
    return sum(b * a for es in adj for a, b in es)


class Link:
    def __init__(self, value: float):
        self.values = [value]
        self.next = None


def circle(x: float, n: int) -> float:
    first = Link(x)
    second = Link(2.0 * x)
    first.next = second
    second.next = first
    total = 0.0
    node = first
    for _ in range(n):
        total += node.values[0]
        node.values.append(total)
        node = node.next
    return total * len(first.values)


def mirrored_in_place(x: Vec, n: int) -> float:
    rows = [[float(v)] * n for v in x]
    whole = [float(v) for v in x]
    for i in range(len(rows)):
        rows[i].append(x[i] * i)
        rows[i].extend(reversed(rows[i]))
        rows[i] += reversed(rows[0])
        whole.extend(reversed(whole))
    items = [row[k] * (k + 1) for row in rows for k in range(len(row))]
    return sum(items) + sum(k * v * v for k, v in enumerate(whole))


def transposed(n: int, a: float) -> float:
    grid = [[0.0 for _ in range(n)] for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(n):
            grid[i][j] = a * i if i == j else a**2 * (i + 2 * j)
    return sum(sum(column) * k for k, column in enumerate(zip(*grid, strict=False)))


def transposed_rows(rows: list[list[float]]) -> float:
    return sum(max(column) * len(column) for column in zip(*rows, strict=False))


def groups_that_may_be_empty(names: list[str], xs: Vec, wanted: list[str]) -> float:
    groups: dict[str, list[float]] = defaultdict(list)
    for name, x in zip(names, xs, strict=False):
        groups[name].append(x)
    total = 0.0
    for name in wanted:
        for x in sorted(groups[name]):
            total = 0.8 * total + x
    return total * len(groups)
