"""Programs whose loops of the host are left when a number of the device says so.

As in `programs.py`. What such loops save is pushed to stacks.
"""

from __future__ import annotations

from tests.cuda.drawing import Drawn, arrays, definite, with_numbers

SOURCE = """
def until(x: Float64[xp.ndarray, "n m"], tol: float) -> Number:
    r = xp.sum(x * x)
    while r > tol:
        x = 0.5 * xp.sin(x) * xp.cos(x)
        r = xp.sum(x * x)
    return xp.sum(x) + r

def conjugate_gradients(
    a: Float64[xp.ndarray, "n n"], b: Float64[xp.ndarray, "n"], tol: float
) -> Number:
    x = xp.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = xp.dot(r, r)
    k = 0
    while k < 3 and rs > tol:
        q = a @ p
        alpha = rs / xp.dot(p, q)
        x = x + alpha * p
        r = r - alpha * q
        new = xp.dot(r, r)
        p = r + (new / rs) * p
        rs = new
        k += 1
    return xp.sum(x * x)

def newton(c: Float64[xp.ndarray, "n"], tol: float) -> Float64[xp.ndarray, "n"]:
    x = xp.ones_like(c)
    while True:
        f = x**3 + x - c
        if xp.sum(f * f) < tol:
            break
        x = x - f / (3 * x**2 + 1)
    return x

def adaptive(x: Float64[xp.ndarray, "n"], end: float, tol: float) -> Number:
    t = 0.0
    dt = 0.1
    while t < end:
        k = xp.sin(x)
        y = x + dt * k
        z = x + 0.5 * dt * (k + xp.sin(y))
        if xp.sum((z - y) ** 2) > tol:
            dt = dt * 0.5
        else:
            x = z
            t += dt
            dt = dt * 1.2
    return xp.sum(x)

def line_search(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    for _ in range(steps):
        g = 2 * x + xp.cos(x)
        f = xp.sum(x * x + xp.sin(x))
        a = 1.0
        while a > 1e-3 and xp.sum((x - a * g) ** 2 + xp.sin(x - a * g)) > f - a * xp.sum(g * g) / 2:
            a = a * 0.5
        x = x - a * g
    return xp.sum(x * x)

def nested(x: Float64[xp.ndarray, "n"], k: int) -> Number:
    while k > 0:
        while xp.sum(x * x) > 5.0 * k:
            x = 0.7 * xp.sin(x)
        k -= 1
    return xp.sum(xp.exp(x))

def counted_there(x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Number:
    for _ in range(int(xp.sum(w * w)) % 5):
        x = xp.sin(x)
    return xp.sum(x)

def sized(x: Float64[xp.ndarray, "n"]) -> Number:
    k = 0
    for i in range(x.shape[0]):
        k += int(x[i] > 0)
    return xp.sum(x[:k]) * xp.sum(xp.ones(k))

def limited(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    for _ in range(steps):
        y = xp.sin(x)
        if xp.sum(y) > 0.1:
            x = y * y
        else:
            x = y + x
    return xp.sum(x)

def history(x: Float64[xp.ndarray, "n"], steps: int) -> Number:
    states = []
    for _ in range(steps):
        x = xp.sin(x) + 0.1 * x
        states.append(x)
    s = xp.zeros_like(x)
    for y in states:
        s = s + y * y
    return xp.sum(s)

def centres(x: Float64[xp.ndarray, "n d"], c: Float64[xp.ndarray, "k d"]) -> Number:
    near = xp.argmin(xp.sum((x[:, None, :] - c) ** 2, axis=2), axis=1)
    new = xp.empty_like(c)
    for j in range(c.shape[0]):
        own = near == j
        if own.any():
            new[j] = x[own].mean(axis=0)
        else:
            new[j] = c[j]
    return xp.sum(new**2)

def groups(x: Float64[xp.ndarray, "n"], at: Int64[xp.ndarray, "n"], count: int) -> Number:
    s = 0.0
    for j in range(count):
        part = x[at == j]
        s = s + xp.sum(xp.sin(part)) ** 2 / (1 + len(part))
    return s

def fitted(
    x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "n"], z: Float64[xp.ndarray, "n m"]
) -> Number:
    return xp.sum(xp.linalg.lstsq(x, y, rcond=None)[0] ** 2 + xp.linalg.pinv(z) @ y)
"""

INPUTS: dict[str, Drawn] = {
    "until": with_numbers(arrays((30, 7)), 1.0),
    "conjugate_gradients": with_numbers(definite(arrays((6, 6), (6,))), 1e-9),
    "newton": with_numbers(arrays((300,)), 1e-9),
    "adaptive": with_numbers(arrays((300,)), 0.5, 1e-3),
    "line_search": with_numbers(arrays((30,)), 2), "nested": with_numbers(arrays((300,)), 3),
    "counted_there": arrays((30,), (30,)), "sized": arrays((30,)),
    "limited": with_numbers(arrays((30,)), 4),
    "centres": arrays((30, 2), (4, 2)),
    "groups": lambda draw: (draw.normal(size=30), draw.integers(0, 4, 30), 4),
    "history": with_numbers(arrays((300,)), 4), "fitted": arrays((9, 4), (9,), (9, 4)),
}  # fmt: skip

WAITING = tuple(name for name in INPUTS if name != "history")
