"""Gradients over CuPy's arrays as people write them by hand, for ``python -m bench --cuda``.

Each is called as the generated ``f_value_and_grad`` is, and returns a value and the derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

Gradient = Callable[..., tuple[Any, tuple[Any, ...]]]

SUM_SIN = """
const double s = sin(x);
v = exp(s * y);
gx = v * y * cos(x);
gy = v * s;
"""
BROADCAST = """
const double q = 1.0 / (1.0 + x * x);
v = exp(sin(x) * b) * q;
gx = v * (b * cos(x) - 2.0 * x * q);
gb = v * sin(x);
"""
HEAT_STEP = """
const long long l = i == 0 ? n_ - 1 : i - 1, r = i == n_ - 1 ? 0 : i + 1;
out = u[i] + 0.1 * k * (u[r] - 2.0 * u[i] + u[l]);
"""
HEAT_BACK = """
const long long l = i == 0 ? n_ - 1 : i - 1, r = i == n_ - 1 ? 0 : i + 1;
gk += 0.1 * g[i] * (u[r] - 2.0 * u[i] + u[l]);
out = g[i] + 0.1 * (k[r] * g[r] - 2.0 * k[i] * g[i] + k[l] * g[l]);
"""
BODIES = """
double e = 0.0, x = 0.0, y = 0.0, z = 0.0;
for (long long j = 0; j < n_; ++j) {
  const double dx = p[3 * i] - p[3 * j], dy = p[3 * i + 1] - p[3 * j + 1];
  const double dz = p[3 * i + 2] - p[3 * j + 2];
  const double s = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + 1e-3), f = m[i] * m[j] * s * s * s;
  e += m[j] * s; x += f * dx; y += f * dy; z += f * dz;
}
v = -0.5 * m[i] * e; gm = -e;
gp[3 * i] = x; gp[3 * i + 1] = y; gp[3 * i + 2] = z;
"""


def gradients() -> dict[str, Gradient]:
    """The functions by name; kernels are made once."""
    cp = import_module("cupy")
    triangular = import_module("cupyx.scipy.linalg").solve_triangular
    made = cp.ElementwiseKernel
    sum_sin_kernel = made(
        "float64 x, float64 y", "float64 gx, float64 gy, float64 v", SUM_SIN, "by_hand_sum_sin"
    )
    broadcast_kernel = made(
        "float64 x, float64 b", "float64 gx, float64 gb, float64 v", BROADCAST, "by_hand_broadcast"
    )
    tanh = made("float64 z", "float64 h", "h = tanh(z);", "by_hand_tanh")
    through = made("float64 h, float64 g", "float64 o", "o = g * (1.0 - h * h);", "by_hand_through")
    error = made(
        "float64 o, float64 y, float64 s", "float64 g, float64 gy, float64 v",
        "const double r = o - y; g = 2.0 * r * s; gy = -g; v = r * r * s;", "by_hand_error",
    )  # fmt: skip
    exps = made("float64 x", "float64 e", "e = exp(x);", "by_hand_exps")
    entropy = made(
        "float64 x, float64 y, float64 e, float64 s, float64 t, float64 c",
        "float64 gx, float64 gy, float64 v",
        "gy = -(x - log(s)) * c; gx = (e / s * t - y) * c; v = y * gy;", "by_hand_entropy",
    )  # fmt: skip
    step = made("raw float64 u, float64 k, int64 n_", "float64 out", HEAT_STEP, "by_hand_step")
    back = made(
        "raw float64 g, raw float64 k, raw float64 u, int64 n_", "float64 gk, float64 out",
        HEAT_BACK, "by_hand_back",
    )  # fmt: skip
    square = made("float64 u", "float64 v, float64 g", "v = u * u; g = 2.0 * u;", "by_hand_square")
    bodies_kernel = made(
        "raw float64 p, raw float64 m, int64 n_", "float64 v, float64 gm, raw float64 gp", BODIES,
        "by_hand_bodies",
    )  # fmt: skip
    near = made(
        "float64 d, float64 a, float64 b, float64 noise, float64 same", "float64 e, float64 k",
        "e = exp(d - 0.5 * (a + b)); k = e + noise * same;", "by_hand_near",
    )  # fmt: skip
    weights = made(
        "float64 e, float64 inverse, float64 a, float64 b", "float64 w, float64 g",
        "g = 0.5 * (inverse - a * b); w = g * e;", "by_hand_weights",
    )  # fmt: skip
    apart = made(
        "float64 total, float64 x, float64 y", "float64 g", "g = 2.0 * (y - total * x);",
        "by_hand_apart",
    )  # fmt: skip
    squares = made("float64 x", "float64 y", "y = x * x;", "by_hand_squares")
    logs = made("float64 x, float64 y, float64 a", "float64 v", "v = log(x) + 0.5 * y * a;",
                "by_hand_logs")  # fmt: skip

    def like(array: Any, count: int) -> list[Any]:
        return [cp.empty_like(array) for _ in range(count)]

    def sum_sin(x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
        gx, gy, v = like(x, 3)
        sum_sin_kernel(x, y, gx, gy, v)
        return cp.sum(v), (gx, gy)

    def broadcast(x: Any, b: Any) -> tuple[Any, tuple[Any, ...]]:
        gx, gb, v = like(x, 3)
        broadcast_kernel(x, b, gx, gb, v)
        return cp.sum(v), (gx, cp.sum(gb, axis=0))

    def mlp(w1: Any, w2: Any, w3: Any, x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
        h1 = cp.matmul(x, w1)
        tanh(h1, h1)
        h2 = cp.matmul(h1, w2)
        tanh(h2, h2)
        g, gy, v = like(y, 3)
        error(cp.matmul(h2, w3), y, 1.0 / y.size, g, gy, v)
        g2 = cp.matmul(g, w3.T)
        through(h2, g2, g2)
        g1 = cp.matmul(g2, w2.T)
        through(h1, g1, g1)
        weights_ = (cp.matmul(a.T, b) for a, b in ((x, g1), (h1, g2), (h2, g)))
        return cp.sum(v), (*weights_, cp.matmul(g1, w1.T), gy)

    def cross_entropy(x: Any, y: Any) -> tuple[Any, tuple[Any, ...]]:
        e, gx, gy, v = like(x, 4)
        exps(x, e)
        sums, totals = (cp.sum(a, axis=1)[:, None] for a in (e, y))
        entropy(x, y, e, sums, totals, 1.0 / x.shape[0], gx, gy, v)
        return cp.sum(v), (gx, gy)

    def gaussian_process(x: Any, y: Any, noise: float) -> tuple[Any, tuple[Any, ...]]:
        n = x.shape[0]
        eye = cp.diag(cp.ones_like(y))
        x2 = cp.empty_like(x)
        squares(x, x2)
        norms = cp.sum(x2, axis=1)
        e, k, w, g = like(eye, 4)
        near(cp.matmul(x, x.T), norms[:, None], norms, noise, eye, e, k)
        root = cp.linalg.cholesky(k)
        half = triangular(root, eye, lower=True)
        inverse = cp.matmul(half.T, half)
        a = cp.matmul(inverse, y)
        weights(e, inverse, a[:, None], a, w, g)
        gx, v = cp.empty_like(x), cp.empty(n)
        apart(cp.sum(w, axis=1)[:, None], x, cp.matmul(w, x), gx)
        logs(cp.diag(root), y, a, v)
        return cp.sum(v), (gx, a, cp.sum(cp.diag(g)))

    def heat(u: Any, k: Any, steps: int) -> tuple[Any, tuple[Any, ...]]:
        n = u.size
        states = [u]
        for _ in range(steps):
            out = cp.empty_like(u)
            step(states[-1], k, n, out)
            states.append(out)
        v, g, out = like(u, 3)
        square(states.pop(), v, g)
        gk = cp.zeros(n)
        while states:
            back(g, k, states.pop(), n, gk, out)
            g, out = out, g
        return cp.sum(v), (g, gk)

    def bodies(p: Any, m: Any) -> tuple[Any, tuple[Any, ...]]:
        v, gm = like(m, 2)
        gp = cp.empty_like(p)
        bodies_kernel(p, m, m.size, v, gm, gp)
        return cp.sum(v), (gp, gm)

    return {
        f.__name__: f
        for f in (sum_sin, broadcast, mlp, cross_entropy, gaussian_process, heat, bodies)
    }
