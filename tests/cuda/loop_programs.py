"""Programs with loops and branches of the host around whole arrays. As in `programs.py`."""

from __future__ import annotations

from tests.cuda.drawing import Drawn, arrays, floats_and, with_numbers

SOURCE = """
def heat(
    u: Float64[xp.ndarray, "n"], k: Float64[xp.ndarray, "n"], steps: int
) -> Number:
    u = u.copy()
    for t in range(steps):
        lap = xp.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        u = u + 0.1 * k * lap
    return xp.sum(u * u)

def likelihood(noise: Float64[xp.ndarray, "t n"]) -> Number:
    logw = xp.zeros(noise.shape[1])
    total = 0.0
    for t in range(len(noise)):
        logw = logw - noise[t] ** 2
        m = logw.max()
        total = total + m + xp.log(xp.mean(xp.exp(logw - m)))
        logw = logw - m
    return total

def highest(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.sum(x.max(axis=0) ** 2)

def rolled(u: Float64[xp.ndarray, "n"], a: float, steps: int) -> Number:
    for t in range(steps):
        u = u + a * xp.sin(xp.roll(u, 1) - 2 * u + xp.roll(u, -1))
    return xp.sum(u * u)

def reaction(
    u: Float64[xp.ndarray, "n m"], v: Float64[xp.ndarray, "n m"], fe: float, k: float, steps: int
) -> Number:
    for _ in range(steps):
        lu = xp.roll(u, 1, 0) + xp.roll(u, -1, 0) + xp.roll(u, 1, 1) + xp.roll(u, -1, 1) - 4 * u
        lv = xp.roll(v, 1, 0) + xp.roll(v, -1, 0) + xp.roll(v, 1, 1) + xp.roll(v, -1, 1) - 4 * v
        r = u * v * v
        u, v = u + 0.16 * lu - r + fe * (1 - u), v + 0.08 * lv + r - (fe + k) * v
    return xp.sum(v * v)

def carried_number(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    s = xp.sum(x)
    for t in range(steps):
        s = s + xp.sum(xp.sin(x * s)) / 300
    return s

def in_place(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    u = xp.sin(x)
    for t in range(steps):
        u += 0.1 * xp.cos(u) * t
    return xp.sum(u)

def chosen_by_host(x: Float64[xp.ndarray, "n"], k: int) -> Number:
    if k > 0:
        y = xp.sin(x)
    else:
        y = xp.cos(x) * 2
    return xp.sum(y)

def alternating(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    for t in range(steps):
        if t % 2 == 0:
            x = xp.sin(x)
        else:
            x = x * x
    return xp.sum(x)

def damped(x: Float64[xp.ndarray, "n"], dt: float, steps: int) -> Float64[xp.ndarray, "n"]:
    v = xp.zeros_like(x)
    for t in range(steps):
        v = v - dt * (xp.sin(x) + 0.1 * v)
        x = x + dt * v
    return x

def power(a: Float64[xp.ndarray, "n n"], x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    for t in range(steps):
        x = xp.tanh(a @ x)
    return xp.sum(x * x)

def overwritten(x: Float64[xp.ndarray, "n"], out: Float64[xp.ndarray, "n"]) -> Number:
    out[:] = xp.sin(x) * out
    return xp.sum(out)

def accumulated(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.sin(xp.cumsum(x * x)) * x)

def smoothed(x: Float64[xp.ndarray, "n"], steps: int, a: float) -> Float64[xp.ndarray, "n"]:
    u = x.copy()
    for t in range(steps):
        un = u.copy()
        u[1:-1] = un[1:-1] + a * (un[2:] - 2 * un[1:-1] + un[:-2])
    return u

def diffused(u: Float64[xp.ndarray, "n m"], steps: int, a: float) -> Number:
    for t in range(steps):
        u[1:-1, 1:-1] += a * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
        )
    return xp.sum(u**2)

def memory_cells(
    x: Float64[xp.ndarray, "t b d"], w: Float64[xp.ndarray, "d k"], u: Float64[xp.ndarray, "h k"]
) -> Number:
    size = u.shape[0]
    h = xp.zeros((x.shape[1], size))
    c = xp.zeros((x.shape[1], size))
    for t in range(x.shape[0]):
        z = x[t] @ w + h @ u
        o = special.expit(z[:, 2 * size :])
        c = special.expit(z[:, :size]) * c + xp.tanh(z[:, size : 2 * size])
        h = o * xp.tanh(c)
    return xp.sum(h**2)

def by_rows(x: Float64[xp.ndarray, "n m"], w: Float64[xp.ndarray, "m"]) -> Number:
    out = xp.zeros(x.shape[0])
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[1]):
            s += x[i, j] * w[j]
        r = 0.0
        for j in range(x.shape[1]):
            r += xp.sin(s * x[i, j])
        out[i] = r
    return xp.sum(out * out)

def pair_energy(p: Float64[xp.ndarray, "n 3"], m: Float64[xp.ndarray, "n"]) -> Number:
    e = 0.0
    for i in range(p.shape[0]):
        for j in range(i + 1, p.shape[0]):
            d = p[i] - p[j]
            e -= m[i] * m[j] / xp.sqrt(xp.sum(d * d) + 0.1)
    return e

def pair_forces(p: Float64[xp.ndarray, "n 3"]) -> Float64[xp.ndarray, "n 3"]:
    n = p.shape[0]
    f = xp.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            if i != j:
                r2 = 0.0
                for k in range(3):
                    r2 += (p[j, k] - p[i, k]) ** 2
                for k in range(3):
                    f[i, k] += (p[j, k] - p[i, k]) / r2**1.5
    return f

def picked(
    x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "k"]
) -> Number:
    s = 0.0
    for a in range(w.shape[0]):
        t = 0.0
        for b in range(i.shape[0]):
            t += x[i[b]] * w[a]
        s += xp.sin(t)
    return s

def added_at(
    x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "k"]
) -> Float64[xp.ndarray, "n"]:
    out = xp.zeros_like(x)
    for a in range(w.shape[0]):
        for b in range(i.shape[0]):
            out[i[b]] += w[a] * x[b]
    return out

def counted_and_added(x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Number:
    s = 0.0
    count = 0
    for i in range(x.shape[0]):
        if x[i] > 0:
            s += x[i] * w[i]
            count += 1
    return s / (count + 1)

def upwind(
    u: Float64[xp.ndarray, "n"], v: Float64[xp.ndarray, "n"], steps: int
) -> Float64[xp.ndarray, "n"]:
    for _ in range(steps):
        left = xp.concatenate((u[-1:], u[:-1]))
        right = xp.concatenate((u[1:], u[:1]))
        u = u - 0.1 * xp.where(v > 0, v * (u - left), v * (right - u))
    return u

def wave(u: Float64[xp.ndarray, "n m"], c: Float64[xp.ndarray, "n m"], steps: int) -> Number:
    old = u.copy()
    for _ in range(steps):
        lap = xp.zeros_like(u)
        lap[1:-1, 1:-1] = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] - 3 * u[1:-1, 1:-1]
        new = 2 * u - old + c**2 * lap
        old = u
        u = new
    return xp.sum(u**2)

def root(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    s = xp.sum(x * x) + 1
    y = s
    for _ in range(steps):
        y = y - (y * y - s) / (2 * y)
    return y * xp.sum(x)

def spans(x: Float64[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "n"]:
    return xp.max(x, axis=1) - xp.min(x, axis=1) + xp.mean(x, axis=1)

def filtered(x: Float64[xp.ndarray, "n m"], k: Float64[xp.ndarray, "3 3"]) -> Number:
    s = xp.zeros((x.shape[0] - 2, x.shape[1] - 2))
    for i in range(3):
        for j in range(3):
            s = s + k[i, j] * x[i : x.shape[0] - 2 + i, j : x.shape[1] - 2 + j]
    return xp.sum(s * s)

def from_neighbours(x: Float64[xp.ndarray, "n"]) -> Number:
    y = xp.zeros_like(x)
    for i in range(1, x.shape[0] - 1):
        y[i] = xp.sin(x[i - 1]) - 2 * x[i] + x[i + 1]
    for i in range(x.shape[0] - 2, 0, -1):
        y[i] *= x[i + 1]
    for i in range(1, x.shape[0], 2):
        y[i] += xp.cos(x[i - 1])
    return xp.sum(y * y)

def red_black(u: Float64[xp.ndarray, "n"], f: Float64[xp.ndarray, "n"], steps: int) -> Number:
    u = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1, 2):
            u[i] = 0.5 * (u[i - 1] * u[i + 1] - f[i])
        for i in range(2, u.shape[0] - 1, 2):
            u[i] = 0.5 * (u[i - 1] * u[i + 1] - f[i])
    return xp.sum(u * u)

def from_rest(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    old = x
    for _ in range(steps):
        x, old = 2 * x - old - 0.1 * xp.sin(x), x
    return xp.sum(x * x)

def gated(u: Float64[xp.ndarray, "n n"], b: Float64[xp.ndarray, "k"], steps: int) -> Number:
    n = u.shape[0]
    c = xp.ones(n)
    for _ in range(steps):
        z = xp.sin(b) * c[0]
        c = z[:n] * c + z[n : 2 * n]
    return xp.sum(u @ c)

def repeated(x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "k m"]) -> Number:
    return xp.sum(xp.repeat(x * x, 3, axis=0) * y)

def pulled(x: Float64[xp.ndarray, "n 3"], m: Float64[xp.ndarray, "n"], steps: int) -> Number:
    for _ in range(steps):
        d = x[None, :, :] - x[:, None, :]
        x = x + xp.einsum("ijk,j->ik", xp.sin(d), m)
    return xp.sum(x * x)

def smoothed_from_first(x: Float64[xp.ndarray, "n"], a: float) -> Number:
    y = xp.zeros_like(x)
    s = x[0]
    for i in range(1, x.shape[0]):
        s = a * s + x[i]
        y[i] = s
    return xp.sum(y * y)

def filtered_twice(x: Float64[xp.ndarray, "n"], a: Float64[xp.ndarray, "n"]) -> Number:
    y = xp.zeros_like(x)
    for i in range(1, x.shape[0]):
        y[i] = a[i] * y[i - 1] + xp.sin(x[i])
    z = xp.zeros_like(x)
    for i in range(x.shape[0] - 2, -1, -1):
        z[i] = 0.5 * z[i + 1] + y[i]
    return xp.sum(z * z)

def deepening(x: Float64[xp.ndarray, "n"], depth: int) -> Number:
    return _deeper(x, depth)

def _deeper(x: Float64[xp.ndarray, "n"], depth: int) -> Number:
    if depth == 0:
        return xp.sum(x)
    return _deeper(xp.sin(x), depth - 1)
"""

INPUTS: dict[str, Drawn] = {
    "heat": with_numbers(arrays((300,), (300,)), 4),
    "rolled": with_numbers(arrays((300,)), 0.1, 3),
    "reaction": with_numbers(arrays((9, 7), (9, 7)), 0.03, 0.06, 3),
    "memory_cells": arrays((4, 3, 5), (5, 6), (2, 6)),
    "carried_number": with_numbers(arrays((300,)), 3),
    "in_place": with_numbers(arrays((300,)), 3), "chosen_by_host": with_numbers(arrays((300,)), 1),
    "alternating": with_numbers(arrays((300,)), 3), "by_rows": arrays((40, 7), (7,)),
    "spans": arrays((40, 7)), "root": with_numbers(arrays((300,)), 5),
    "pair_energy": arrays((6, 3), (6,)), "pair_forces": arrays((6, 3)),
    "picked": floats_and((2, 0, 0, 3, -1), (5,), (40,)),
    "added_at": floats_and((2, 0, 0, 3, -1), (7,), (4,)),
    "counted_and_added": arrays((300,), (300,)),
    "upwind": with_numbers(arrays((40,), (40,)), 3),
    "wave": with_numbers(arrays((7, 6), (7, 6)), 3),
    "damped": with_numbers(arrays((300,)), 0.1, 4),
    "overwritten": arrays((300,), (300,)),
    "accumulated": arrays((300,)),
    "smoothed": with_numbers(arrays((300,)), 3, 0.1),
    "diffused": with_numbers(arrays((9, 7)), 3, 0.1),
    "power": with_numbers(arrays((5, 5), (5,)), 3), "filtered": arrays((9, 7), (3, 3)),
    "from_neighbours": arrays((40,)), "red_black": with_numbers(arrays((11,), (11,)), 2),
    "from_rest": with_numbers(arrays((40,)), 3),
    "gated": with_numbers(arrays((2, 2), (8,)), 3), "repeated": arrays((5, 4), (15, 4)),
    "pulled": with_numbers(arrays((5, 3), (5,)), 2),
    "smoothed_from_first": with_numbers(arrays((40,)), 0.5),
    "filtered_twice": arrays((40,), (40,)),
    "likelihood": arrays((4, 40)), "highest": arrays((40, 30)),
    "deepening": with_numbers(arrays((40,)), 3),
}  # fmt: skip
