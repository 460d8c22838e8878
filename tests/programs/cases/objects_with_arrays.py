"""Objects whose fields are arrays, in lists of run-time length."""

from dataclasses import dataclass

import numpy as np
from kinds import Mat, Square, Vec


class Particle:
    def __init__(self, pos, mass):
        self.pos = pos
        self.vel = np.zeros(len(pos))
        self.mass = mass

    def kick(self, by):
        self.vel += by / self.mass

    @property
    def energy(self):
        return 0.5 * self.mass * (self.vel @ self.vel)


def attracted(m: Mat) -> float:
    ps = [Particle(m[i].copy(), 1.0 + m[i, 0] ** 2) for i in range(len(m))]
    for _ in range(2):
        for p in ps:
            force = np.zeros(len(p.pos))
            for q in ps:
                if q is not p:
                    d = q.pos - p.pos
                    force = force + q.mass * d / (d @ d + 0.1)
            p.vel = p.vel + 0.1 * force
        for p in ps:
            p.pos = p.pos + 0.1 * p.vel
    return sum(p.energy for p in ps) + ps[0].pos[0]


def kicked_in_place(m: Mat) -> float:
    ps = []
    for i in range(len(m)):
        pos = np.array([m[i, 0], m[i, 1] * 2.0])
        ps.append(Particle(pos, 1.0 + m[i, 0] ** 2))
    for _ in range(3):
        for p in ps:
            p.kick(-p.pos)
            p.pos += 0.1 * p.vel
            p.pos *= 0.9
    return sum(p.pos @ p.pos for p in ps)


@dataclass
class Body:
    mass: float
    position: np.ndarray
    velocity: np.ndarray

    def kinetic(self):
        return 0.5 * self.mass * np.dot(self.velocity, self.velocity)


def _forces(bodies):
    found = []
    for a in bodies:
        force = np.zeros_like(a.position)
        for b in bodies:
            if a is b:
                continue
            r = b.position - a.position
            force += a.mass * b.mass * r / (np.linalg.norm(r) ** 3 + 0.1)
        found.append(force)
    return found


def rows_of_the_argument(m: Mat) -> float:
    bodies = [Body(1.0 + i, m[i], m[i] * 0.5) for i in range(len(m))]
    for _ in range(2):
        for b, force in zip(bodies, _forces(bodies), strict=True):
            b.velocity = b.velocity + 0.1 * force / b.mass
            b.position = b.position + 0.1 * b.velocity
    return sum(b.kinetic() for b in bodies)


class Dense:
    def __init__(self, w, b, kind="tanh"):
        self.w = w
        self.b = b
        self.kind = kind

    def forward(self, x):
        self.x = x
        z = self.w @ x + self.b
        self.y = np.tanh(z) if self.kind == "tanh" else z
        return self.y

    def backward(self, g, rate):
        if self.kind == "tanh":
            g = g * (1.0 - self.y**2)
        out = self.w.T @ g
        self.w = self.w - rate * np.outer(g, self.x)
        self.b = self.b - rate * g
        return out


class Network:
    def __init__(self, a, x, count):
        self.layers = []
        for k in range(count):
            self.layers.append(Dense(a * (0.3 + 0.1 * k), x * 0.1))
        self.layers[-1].kind = "linear"

    def predict(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def train(self, x, target, rate):
        g = 2.0 * (self.predict(x) - target)
        for layer in reversed(self.layers):
            g = layer.backward(g, rate)


def trained(a: Square, n: int) -> float:
    x = a[0] * 0.5
    net = Network(a, x, n)
    net.train(x, 0.5, 0.1)
    return np.sum(net.predict(x) ** 2)


class Changed(Dense):
    def backward(self, g, rate):
        g = g * (1.0 - self.y**2)
        out = self.w.T @ g
        self.w -= rate * np.outer(g, self.x)
        self.b -= rate * g
        return out


def trained_in_place(a: Square, n: int) -> float:
    layers = [Changed(a * (0.3 + 0.1 * k), a[0] * 0.1) for k in range(n)]
    for _ in range(2):
        h = a[1]
        for layer in layers:
            h = layer.forward(h)
        g = 2.0 * h
        for layer in layers[::-1]:
            g = layer.backward(g, 0.1)
    return np.sum(layers[0].w ** 2) + layers[0].b[0]


class Bond:
    def __init__(self, times, payments):
        self.times = np.asarray(times)
        self.payments = np.asarray(payments)

    def price(self, rate):
        return np.sum(self.payments * np.exp(-rate * self.times))

    def duration(self, rate):
        return np.sum(self.times * self.payments * np.exp(-rate * self.times)) / self.price(rate)


def of_different_lengths(x: Vec) -> float:
    bonds = []
    for k, coupon in enumerate(x):
        n = k + 2
        payments = np.full(n, coupon + 3.0)
        payments[-1] += 10.0
        bonds.append(Bond(np.arange(1, n + 1), payments))
    longest = max(bonds, key=lambda b: b.duration(0.05))
    return sum(b.price(0.05 + 0.01 * x[0]) for b in bonds) + longest.price(0.03)


class Spring:
    def __init__(self, a, b, k):
        self.a = a
        self.b = b
        self.k = k

    def pull(self):
        d = self.b.pos - self.a.pos
        force = self.k * (np.sqrt(d @ d) - 1.0) * d
        self.a.force += force
        self.b.force -= force


class Mass:
    def __init__(self, pos, fixed=False):
        self.pos = np.array(pos, dtype=float)
        self.vel = np.zeros(2)
        self.force = np.zeros(2)
        self.fixed = fixed


def springs(x: Vec) -> float:
    masses = [Mass([0.0, 0.0], True)]
    for i, v in enumerate(x):
        masses.append(Mass([i + 1.0 + 0.1 * v, 0.1 * v]))
    joints = [Spring(masses[i], masses[i + 1], 1.0 + x[0] ** 2) for i in range(len(masses) - 1)]
    for _ in range(3):
        for m in masses:
            m.force = np.array([0.0, -0.1])
        for s in joints:
            s.pull()
        for m in masses:
            if not m.fixed:
                m.vel += 0.1 * m.force
                m.pos += 0.1 * m.vel
    return sum(m.pos @ m.pos for m in masses)


class Kalman:
    def __init__(self, start, q):
        self.x = np.array([start, 0.0])
        self.p = np.eye(2)
        self.q = q

    def step(self, z):
        f = np.array([[1.0, 1.0], [0.0, 1.0]])
        h = np.array([1.0, 0.0])
        self.x = f @ self.x
        self.p = f @ self.p @ f.T + self.q * np.eye(2)
        s = h @ self.p @ h + 0.3
        gain = self.p @ h / s
        y = z - h @ self.x
        self.x = self.x + gain * y
        self.p = self.p - np.outer(gain, h @ self.p)
        return -0.5 * (np.log(s) + y * y / s)


def bank_of_filters(m: Mat) -> float:
    filters = [Kalman(m[0, i], 0.1 + m[0, 0] ** 2) for i in range(m.shape[1])]
    total = 0.0
    for t in range(1, len(m)):
        for i, one in enumerate(filters):
            total += one.step(m[t, i])
    return total


class Track:
    def __init__(self, state):
        self.state = state
        self.count = 1


def nearest_track(m: Mat) -> float:
    tracks = []
    for row in m:
        best, least = None, np.inf
        for t in tracks:
            d = np.linalg.norm(t.state - row)
            if d < least:
                best, least = t, d
        if best is not None and least < 1.0:
            best.state = 0.7 * best.state + 0.3 * row
            best.count += 1
        else:
            tracks.append(Track(row * 1.5))
    return sum(t.count * (t.state @ t.state) for t in tracks)


class Param:
    def __init__(self, value):
        self.value = value
        self.grad = np.zeros_like(value)
        self.m = np.zeros_like(value)


class Momentum:
    def __init__(self, params, rate=0.1):
        self.params = params
        self.rate = rate

    def step(self):
        for p in self.params:
            p.m = 0.9 * p.m + p.grad
            p.value = p.value - self.rate * p.m


def optimised(m: Mat) -> float:
    params = [Param(row) for row in m]
    optimiser = Momentum(params)
    for _ in range(3):
        for p in params:
            p.grad = 2.0 * p.value * m[0, 0]
        optimiser.step()
    return sum(np.sum(p.value**2) for p in params)


class Late:
    def __init__(self, pos):
        self.pos = pos

    def go(self):
        self.last = self.pos * 2.0


def attribute_set_late(x: Vec) -> float:
    ps = [Late(np.array([v, 1.0])) for v in x]
    for k, p in enumerate(ps):
        if k > 0:
            p.go()
    try:
        first = ps[0].last[0]
    except AttributeError:
        first = x[0] * 7.0
    return first + ps[1].last[0]


def attribute_asked_for(x: Vec) -> float:
    ps = [Late(np.array([v, 1.0])) for v in x]
    for k, p in enumerate(ps):
        if k > 0:
            p.go()
    return sum(p.last[0] if hasattr(p, "last") else 3.0 * p.pos[0] for p in ps)


def handed_on(x: Vec) -> float:
    ps = [Late(np.array([v, 1.0])) for v in x]
    for i in range(len(ps) - 1):
        ps[i].pos = ps[i + 1].pos
    for k, p in enumerate(ps):
        p.pos = p.pos * (k + 1)
    return sum(p.pos[0] ** 2 for p in ps)


def kept_before_the_change(x: Vec) -> float:
    ps = [Late(np.array([v, 1.0])) for v in x]
    last = ps[0].pos
    for p in ps:
        last = p.pos
        p.pos = p.pos + 1.0
    return last @ last


def chosen_one_changes(x: Vec) -> float:
    ps = [Late(np.zeros(k + 1) + v) for k, v in enumerate(x)]
    chosen = ps[0]
    for p in ps:
        if p.pos[0] > chosen.pos[0]:
            chosen = p
    chosen.pos *= 2.0
    return sum(p.pos.sum() for p in ps) + chosen.pos[0] ** 2


class Cached:
    def __init__(self, pos):
        self.pos = pos
        self.cache = None

    def doubled(self):
        if self.cache is None:
            self.cache = self.pos * 2.0
        return self.cache


def none_at_first(x: Vec) -> float:
    ps = [Cached(np.array([v, 1.0])) for v in x]
    total = 0.0
    for _ in range(2):
        for p in ps:
            total += p.doubled()[0]
            p.pos = p.pos + 1.0
    return total


def taken_out_and_joined(x: Vec) -> float:
    ps = [Late(np.array([v, 1.0])) for v in x]
    while len(ps) > 1:
        a = ps.pop()
        b = ps.pop()
        ps.append(Late(a.pos * b.pos + 1.0))
    return ps[0].pos @ ps[0].pos


class Bee:
    def __init__(self, pos):
        self.pos = pos
        self.best = pos.copy()
        self.least = np.inf


def swarm(m: Mat) -> float:
    bees = [Bee(row) for row in m]
    best = bees[0].pos.copy()
    least = np.inf
    for _ in range(3):
        for b in bees:
            v = np.sum(b.pos**2)
            if v < b.least:
                b.least = v
                b.best = b.pos.copy()
            if v < least:
                least = v
                best = b.pos.copy()
        for b in bees:
            b.pos = b.pos + 0.3 * (b.best - b.pos) + 0.2 * (best - b.pos)
    return least + np.sum(best)


class Stop:
    def __init__(self, pos):
        self.pos = pos
        self.parent = None
        self.cost = 0.0


def exploring_tree(m: Mat) -> float:
    stops = [Stop(m[0])]
    for row in m[1:]:
        nearest = min(stops, key=lambda s: np.linalg.norm(s.pos - row))
        new = Stop(nearest.pos + 0.5 * (row - nearest.pos))
        new.parent = nearest
        new.cost = nearest.cost + np.linalg.norm(new.pos - nearest.pos)
        stops.append(new)
    length = 0.0
    at = stops[-1]
    while at.parent is not None:
        length += np.sum(at.pos)
        at = at.parent
    return length + stops[-1].cost


class Mean:
    def __init__(self, pos):
        self.pos = pos
        self.count = 0

    def add(self, v):
        self.count += 1
        self.pos += (v - self.pos) / self.count


def running_means(m: Mat) -> float:
    means = [Mean(np.zeros(m.shape[1])) for _ in range(2)]
    for i, row in enumerate(m):
        means[i % 2].add(row)
    return sum(np.sum(p.pos**2) * p.count for p in means)


class Damped:
    def __init__(self, v):
        self.v = v

    def step(self, rate):
        self.v -= rate * self.v
        return self.v.sum()


def methods_that_change_and_return(m: Mat) -> float:
    cs = [Damped(row * 1.0) for row in m]
    total = 0.0
    for c in cs:
        total += c.step(0.1)
        c.step(0.2)
    return total + sum(c.step(0.3) for c in cs)
