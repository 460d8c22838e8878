"""Iterations that need one another: equal places that are stored to, sums at places within loops,
recurrences, and the largest of all. As those in `programs.py`.
"""

from __future__ import annotations

import numpy as np

from tests.cuda.drawing import Drawn, arrays, definite, floats_and, two_indices, with_numbers

SOURCE = """
def stored(
    x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "m"]
) -> Number:
    z = x.copy()
    z[i] = y * y
    return xp.sum(z * z)

def rows_stored(
    x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "k m"], i: Int64[xp.ndarray, "k"]
) -> Number:
    z = x * x
    z[i] = y
    return xp.sum(z * z)

def pairs_stored(
    x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "k"], i: Int64[xp.ndarray, "k"],
    j: Int64[xp.ndarray, "k"]
) -> Number:
    z = x * x
    z[i, j] = y
    return xp.sum(z * z)

def factors_stored(
    x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "m"]
) -> Number:
    z = x * x
    z[i] *= y
    return xp.sum(z * z)

def parameter_stored(
    x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "m"]
) -> Float64[xp.ndarray, "n"]:
    x[i] = xp.sin(y)
    return x * x

def mixed_in(x: Float64[xp.ndarray, "n"], i: Int64[xp.ndarray, "m"]) -> Float64[xp.ndarray, "n"]:
    y = x * 1.0
    for k in range(i.shape[0]):
        y[i[k]] = 0.9 * y[i[k]] + x[k] ** 2
    return y

def stored_each_step(
    x: Float64[xp.ndarray, "n"], i: Int64[xp.ndarray, "m"], steps: int
) -> Number:
    for _ in range(steps):
        y = xp.sin(x)
        y[i] = x[i] * 0.5
        x = y
    return xp.sum(x * x)

def sparse_product(
    v: Float64[xp.ndarray, "m"], x: Float64[xp.ndarray, "n"], rows: Int64[xp.ndarray, "k"],
    columns: Int64[xp.ndarray, "m"]
) -> Number:
    t = 0.0
    for r in range(rows.shape[0] - 1):
        s = 0.0
        for k in range(rows[r], rows[r + 1]):
            if v[k] > -1.0:
                s += v[k] * x[columns[k]]
        t += s * s
    return t

def corners(
    x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "m"], faces: Int64[xp.ndarray, "m 3"]
) -> Number:
    s = 0.0
    for f in range(faces.shape[0]):
        a = 0.0
        for c in range(3):
            if w[f] > 0:
                a += x[faces[f, c]] * w[f]
            else:
                a -= x[faces[f, c]] ** 2
        s += xp.sin(a)
    return s

def both_arms(
    x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "m"]
) -> Number:
    s = 0.0
    for e in range(w.shape[0]):
        if w[e] > 0:
            s += w[e] * x[i[e]]
        else:
            s += xp.sin(x[i[e]])
    return s

def edges(
    x: Float64[xp.ndarray, "n d"], i: Int64[xp.ndarray, "m"], j: Int64[xp.ndarray, "m"]
) -> Number:
    f = xp.zeros_like(x)
    d = x[i] - x[j]
    xp.add.at(f, i, d)
    xp.add.at(f, j, -d)
    return xp.sum(f * f)

def weighted_counts(w: Float64[xp.ndarray, "m"], i: Int64[xp.ndarray, "m"]) -> Number:
    h = xp.bincount(i, weights=w, minlength=4)
    return xp.sum(h * h)

def degrees(x: Float64[xp.ndarray, "n"], i: Int64[xp.ndarray, "m"]) -> Number:
    count = xp.bincount(i, minlength=x.shape[0])
    return xp.sum(x[:4] / xp.maximum(count, 1)[:4])

def added_to_diagonal(x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "n n"]) -> Number:
    z = y * y
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            z[i, i] += x[i, j] * x[i, j]
    return xp.sum(z * z * y)

def product(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.prod(x)

def products(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.cumprod(x) * x)

def volume(a: Float64[xp.ndarray, "n n"]) -> Number:
    return xp.linalg.det(a)

def sign_times_log(a: Float64[xp.ndarray, "n n"]) -> Number:
    sign, log = xp.linalg.slogdet(a)
    return sign * log

def averaged(x: Float64[xp.ndarray, "n"], a: float) -> Number:
    s = 0.0
    t = 0.0
    for i in range(x.shape[0]):
        s = a * x[i] + (1 - a) * s
        t += (x[i] - s) ** 2
    return t

def discounted(r: Float64[xp.ndarray, "n"], g: float) -> Float64[xp.ndarray, "n"]:
    v = xp.empty_like(r)
    s = 0.0
    for i in range(r.shape[0] - 1, -1, -1):
        s = r[i] + g * s
        v[i] = s * s
    return v

def changed_in_place(x: Float64[xp.ndarray, "n m"]) -> Number:
    x *= 2.0
    x -= x.mean()
    x[x < 0] *= 0.1
    return xp.sum(x ** 2)

def weighted_mixture(x: Float64[xp.ndarray, "n"], a: Float64[xp.ndarray, "k"]) -> Number:
    p = a - special.logsumexp(a)
    return xp.sum(special.logsumexp(p - x[:, None] ** 2 * p, axis=1))

def in_halves(x: Float64[xp.ndarray, "n"]) -> Number:
    a, b = xp.array_split(x, 2)
    return xp.sum(a * b)

def log_softmax(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.sum(special.log_softmax(x, axis=1) ** 2)

def shares_in_order(x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Number:
    order = xp.argsort(x)
    c = xp.cumsum(xp.abs(w[order]))
    return xp.sum(c * x[order]) / c[-1]

def handed_on(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"], a: float) -> Number:
    s = y[0]
    for i in range(1, x.shape[0]):
        s = a * s + x[i]
        y[i] = s
    return xp.sum(y * y * x)

def summed_on(x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]) -> Number:
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i] * y[i]
        y[i] = s
    return xp.sum(y * y * x)

def counted_off(x: Float64[xp.ndarray, "n m k"]) -> Number:
    n, m, k = x.shape
    y = xp.zeros(n * m * k)
    for i in range(n):
        for j in range(m):
            for l in range(k):
                y[(i * m + j) * k + l] = xp.sin(x[i, j, l])
    z = xp.zeros(n * m)
    for i in range(n):
        for j in range(m):
            z[i * (m - 1) + j] += x[i, j, 0] ** 2
    return xp.sum(y * xp.tile(z, k))
"""


def _rows(draw: np.random.Generator) -> tuple[object, ...]:
    places = np.asarray([0, 2, 2, 6]), np.asarray([0, 1, 3, 3, 2, 0])
    return (*arrays((6,), (4,))(draw), *places)


def _faces(draw: np.random.Generator) -> tuple[object, ...]:
    return (*arrays((6,), (7,))(draw), draw.integers(-6, 6, size=(7, 3)))


def _many(draw: np.random.Generator) -> tuple[object, ...]:
    return (*arrays((5,), (300,))(draw), draw.integers(-5, 5, size=300))


_stored = floats_and((2, 0, -1, 0, 4, 2), (5,), (6,))
INPUTS: dict[str, Drawn] = {
    "counted_off": arrays((5, 4, 3)),
    "stored": _stored, "rows_stored": floats_and((2, 0, -1, 0, 4, 2), (5, 3), (6, 3)),
    "pairs_stored": two_indices((0, 1, 0, -1, 3), (1, 2, 1, 0, 0), (4, 3), (5,)),
    "factors_stored": _stored, "parameter_stored": _stored,
    "mixed_in": floats_and((2, 0, -1, 0, 4, 2), (8,)),
    "stored_each_step": with_numbers(floats_and((2, 0, -1, 0, 4, 2), (8,)), 3),
    "sparse_product": _rows, "corners": _faces, "both_arms": _many,
    "edges": two_indices((0, 1, 0, 4), (1, 2, 3, 3), (5, 3)),
    "degrees": floats_and((0, 2, 2, 5, 0, 1), (6,)),
    "weighted_counts": floats_and((0, 2, 2, 5, 0, 1), (6,)),
    "added_to_diagonal": arrays((4, 5), (4, 4)),
    "product": arrays((40,)), "products": arrays((40,)),
    "volume": definite(arrays((4, 4))), "sign_times_log": definite(arrays((4, 4))),
    "averaged": with_numbers(arrays((1300,)), 0.1), "discounted": with_numbers(arrays((40,)), 0.9),
    "changed_in_place": arrays((5, 6)), "weighted_mixture": arrays((9,), (4,)),
    "handed_on": with_numbers(arrays((40,), (40,)), 0.7), "summed_on": arrays((7,), (7,)),
    "shares_in_order": arrays((40,), (40,)), "in_halves": arrays((8,)),
    "log_softmax": arrays((4, 40)),
}  # fmt: skip

# For LU factors, the lengths of rows, and the largest place.
WAITING = ("volume", "sign_times_log", "sparse_product", "weighted_counts", "degrees")
# Of shapes that tell which elements there are.
SHAPED = tuple(
    name for name in INPUTS
    if name not in ("product", "products", "averaged", "discounted", "log_softmax",
                    "added_to_diagonal")
)  # fmt: skip
RAISING = ("log_softmax",)  # the maximum of nothing
