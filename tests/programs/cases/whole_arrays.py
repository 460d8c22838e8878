"""Programs over whole arrays: indexing, writing to parts of arrays, views, loops over time."""

import numpy as np
from kinds import Cube, Ints, Mat, Other, Square, Vec

# ---- reading ------------------------------------------------------------------------------------


def slices(x: Other) -> float:
    y = x[1:-1] * x[:-2] + x[2:] * x[::-1][2:]
    z = x[::2] - x[-1::-2] * 0.5
    return np.sum(y * y) + np.sum(z[1:] * z[:-1]) + x[5:2:-1][0]


def slices_of_expressions(x: Other, a: float) -> float:
    y = (x * a)[1:] - (x + a)[:-1]
    z = (x * x)[::-1] * (x - a)[2]
    return np.sum(y * z[1:]) + (x / a)[-1]


def slices_by_variables(x: Other, k: int) -> float:
    s = 0.0
    for i in range(1, k):
        s += np.sum(x[i:] * x[:-i]) * np.sum(x[i : i + 2])
    return s


def new_axes(x: Vec, y: Other) -> float:
    z = x[:, None] * y[None, :] + x[:, np.newaxis]
    w = y[None, None]
    return np.sum(z * z) + np.sum(z[..., None] * 0.5) + w[0, 0, 1] * np.sum(w)


def ellipsis(t: Cube) -> float:
    a = t[..., 1] * t[0, ..., 2]
    b = t[1, ...] * t[...]
    return np.sum(a) + np.sum(b[..., 0, :])


def rows(m: Mat) -> float:
    s = 0.0
    for row in m:
        s += np.sum(row * row[::-1])
    for i in range(m.shape[0]):
        s += np.sum(m[i] * m[i - 1])
    return s


def gathered(x: Vec, k: Ints) -> float:
    y = x[k] * x[k[::-1]]
    return np.sum(y * y) + np.sum(x[k + 1]) + np.sum(x[[0, 3, -1]])


def gathered_rows(m: Mat, k: Ints) -> float:
    y = m[k] * m[k, 1][:, None] + m[:, k % 3].T[:1, :3]
    return np.sum(y * y) + np.sum(m[k, k % 3]) + np.sum(m[1, k % 3] * m[k, -1])


def gathered_mixed(t: Cube, k: Ints) -> float:
    y = t[:, k, :]
    z = t[k % 2, :, k]
    w = t[1, 1:, k]
    u = t[k % 2, k, 1:3]
    v = t[..., k[:, None], k]
    return np.sum(y * y) + np.sum(z[:, 0] * z[:, 1]) + np.sum(w * w) + np.sum(u) + np.sum(v * v)


def masked(x: Other, m: Mat) -> float:
    y = x[x > 0.3]
    z = m[m > 0.0]
    w = m[m[:, 0] > 0.0]
    u = m[m[:, 1] > 0.0, 2]
    return np.sum(y * y) + np.sum(z * z) * len(y) + np.sum(w) * np.sum(w) + np.sum(u)


def chosen(x: Vec, a: float) -> float:
    y = np.where(x > a, x * x, a)
    z = np.where(x > 0.0, 1.0, x)
    return np.sum(y * z)


# ---- writing ------------------------------------------------------------------------------------


def stores_slices(x: Other, a: float) -> float:
    y = np.zeros(len(x))
    y[:] = a
    y[1:-1] = x[2:] * x[:-2]
    y[::3] = x[::3] * a
    y[-2:] = [a, x[0]]
    y[:1] *= 3.0
    return np.sum(y * y)


def stores_broadcast(m: Mat, a: float) -> float:
    y = np.empty(m.shape)
    y[...] = m[0]
    y[1:] = m[1:, :1]
    y[2] = a
    y[:, 1] += m[:, 0]
    y[...] += m[None, 1] * y
    return np.sum(y * y * y)


def stores_one_row(m: Mat, a: float) -> float:
    y = np.empty((3, m.shape[1]))
    y[:] = m[1][None, :]
    z = np.zeros((3, m.shape[1]))
    z[:] += m[2][None, :] * a
    z[1:] = y[:1]
    return np.sum(y * y * z)


def stores_reversed(x: Vec) -> float:
    y = x.copy()
    y[::-1] = y * y
    y[1:] = y[:-1]
    y[:-1] = y[1:] * y[0]
    return np.sum(y * x)


def stencil_in_place(x: Other, steps: int) -> float:
    u = x.copy()
    for _ in range(steps):
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
        u[1:] -= u[:-1] * u[1:]
    return np.sum(u * u)


def stencil_of_plane(m: Square, steps: int) -> float:
    u = m.copy()
    for _ in range(steps):
        u[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] * u[1:-1, :-2])
        u[0] = u[1]
        u[:, -1] = u[:, -2] * u[:, 0]
    return np.sum(u * m)


def scattered(x: Vec, k: Ints) -> float:
    y = np.zeros(len(x))
    y[k] = x[k] * x[:4]
    y[[3, 4]] = x[0] * x[1:3]
    y[k] *= 2.0
    return np.sum(y * y)


def repeated_indices(x: Vec, k: Ints) -> float:
    """Of several writes to one element the last counts; ``np.add.at`` adds them up."""
    y = x.copy()
    y[k] += x[:4]
    z = x.copy()
    np.add.at(z, k, x[:4] * x[1:])
    np.subtract.at(z, [1, 1], 0.5 * x[3])
    w = x.copy()
    np.multiply.at(w, k, x[1:])
    return np.sum(y * y) + np.sum(z * z * w)


def extremes_at(x: Vec, k: Ints) -> float:
    """Other functions than sums, for one index after the other."""
    y = np.zeros(5)
    np.maximum.at(y, k, x[:4] * x[1:])
    np.fmin.at(y, [1, 2], 0.25 * x[0])
    m = np.full((3, 2), 0.5) + x[0]
    np.minimum.at(m, (np.array([0, 0, 2]), np.array([1, 1, 0])), x[:3])
    np.fmax.at(m, 2, x[1] * 3.0)
    np.power.at(m, 1, 2.0)
    np.true_divide.at(m, k[:2], 2.0 + x[1] ** 2)
    return np.sum(y * y) + np.sum(m * m)


def floats_into_integers(x: Vec) -> float:
    """Floats that are added up in integers are cut off as sums, each by itself."""
    m = np.full(4, 2)
    np.add.at(m, np.array([0, 1, 1, 3]), np.array([-0.5, -0.75, -0.75, 1.5]))
    np.subtract.at(m, [2, 2], 0.25)
    return np.sum(m * x[:4])


def scattered_rows(m: Mat, k: Ints) -> float:
    y = np.zeros(m.shape)
    y[k] = m * m
    y[k, 1] += m[:, 0]
    y[1, k % 3] -= m[0, 1]
    rows = [0, 2]
    y[rows] *= m[rows]
    np.add.at(y, rows, m[1:3])
    np.add.at(y, ([0, 1], [2, 2]), m[1, :2])
    np.add.at(y, (k, k % 3), m[:, 2])
    return np.sum(y * y)


def swapped_rows(m: Mat) -> float:
    y = m.copy()
    y[[0, 1]] = y[[1, 0]]
    y[:, [0, 2]] = y[:, [2, 1]] * y[0, 0]
    y[[1, 2], 0] = y[[2, 1], 0]
    return np.sum(y * y * m)


def overlapping_gather(x: Other, k: Ints) -> float:
    """The right side of an assignment is read before anything is written."""
    y = x.copy()
    y[k] = y[1:5]
    y[k + 1] = y[k] * y[:4]
    y[y[::-1] > 0.5] = y[0] * y[1]
    return np.sum(y * y * x)


def masked_stores(x: Other, a: float) -> float:
    y = x.copy()
    y[y < 0.0] = 0.0
    y[x > 0.6] *= a
    y[(x > 0.3) & (x < 0.7)] += x[0]
    y[y > 0.8] = y[y > 0.8] * y[1]
    return np.sum(y * x)


def masked_rows(m: Mat, a: float) -> float:
    y = m * a
    y[m[:, 0] > 0.0] = m[0]
    y[m > 0.5] -= a * a
    y[m[:, 1] > 0.0, 1] = a
    return np.sum(y * y * m)


def writes_argument(x: Vec, m: Mat) -> float:
    x[1:] *= x[:-1]
    x -= np.sum(x) * 0.1
    m[:, 0] += m[:, 1] * m[:, 2]
    m[[0, 2]] = m[[2, 0]]
    m[m > 0.9] = 0.0
    x[0] = x[1]
    return np.sum(x * x) + np.sum(m * m)


def in_place_operators(x: Vec, y: Vec, a: float) -> float:
    z = x.copy()
    z += y
    z *= y
    z -= a
    z /= y * y + 1.0
    z **= 2
    z += z
    z *= z
    return np.sum(z)


def in_place_functions(m: Square, x: Vec) -> float:
    y = m.copy()
    np.fill_diagonal(y, x[0] * x[1])
    np.copyto(y[0], m[1], where=m[0] > 0.0)
    np.putmask(y, m < 0.0, m * m)
    np.place(y, m > 0.8, x)
    np.put(y, [1, -2], x[2:4])
    np.put_along_axis(y, np.array([[1], [0], [2], [3]]), x[4], axis=1)
    y[3].fill(x[3])
    return np.sum(y * y * m)


# ---- views --------------------------------------------------------------------------------------


def aliases(m: Mat, a: float) -> float:
    y = m.copy()
    r = y[1]
    r *= a
    y[1, 0] += r[1]
    r[2] = y[0, 0]
    c = y[:, 1]
    c[1:] += r[0]
    return np.sum(y * y) + np.sum(r * c[:3])


def writes_transposed(m: Mat, a: float) -> float:
    y = m.copy()
    t = y.T
    t[0] = a
    y.T[1] *= t[2]
    y.T[:, 2] += m[0]
    np.swapaxes(y, 0, 1)[2, 1:] = y[:-1, 0]
    return np.sum(y * t.T * m)


def writes_reshaped(m: Mat, a: float) -> float:
    y = np.zeros(m.shape)
    f = y.reshape(-1)
    f[::2] = m.ravel()[::2] * a
    y[0, 0] = a
    g = f.reshape(6, 2)
    g[1] += f[:2]
    return np.sum(y * y)


def writes_diagonal(m: Square, x: Vec) -> float:
    y = m @ m
    i = np.arange(4)
    y[i, i] += x[:4]
    y[np.triu_indices(4, 1)] = 0.0
    y[np.diag_indices(4)] *= x[1:]
    return np.sum(y * y)


def writes_flipped(x: Vec) -> float:
    y = x.copy()
    z = y[::-1]
    z[:2] *= z[2:4]
    np.flip(y)[0] = z[1]
    y[1::2][1] = 3.0 * z[4]
    return np.sum(y * z * x)


def writes_parts(x: Other) -> float:
    y = x.copy()
    a, b, c = np.split(y, (2, 5))
    a += b[:2]
    b *= c[0]
    c[1] = a[0]
    return np.sum(y * y * x)


# ---- whole programs -----------------------------------------------------------------------------


def heat(x: Other, a: float, steps: int) -> float:
    u = x
    for _ in range(steps):
        left = np.concatenate((u[:1], u[:-1]))
        right = np.append(u[1:], u[-1])
        u = u + a * (left - 2.0 * u + right)
    return np.sum(u**2)


def periodic_wave(x: Other, c: float, steps: int) -> float:
    u, v = x, np.zeros_like(x)
    for _ in range(steps):
        v = v + c * (np.roll(u, 1) - 2.0 * u + np.roll(u, -1))
        u = u + 0.1 * v
    return np.sum(u * u) + np.sum(v * v)


def leapfrog(x: Vec, p: Vec, h: float, steps: int) -> float:
    q = x.copy()
    for _ in range(steps):
        p = p - 0.5 * h * np.sin(q)
        q = q + h * p
        p = p - 0.5 * h * np.sin(q)
    return 0.5 * np.sum(p * p) - np.sum(np.cos(q))


def history(x: Vec, steps: int) -> float:
    h = np.zeros((steps + 1, len(x)))
    h[0] = x
    for t in range(steps):
        h[t + 1] = np.tanh(h[t] * h[t][::-1]) + h[max(t - 1, 0)]
    return np.sum(h[-1] * h[1])


def power_iteration(m: Square, steps: int) -> float:
    v = np.ones(m.shape[0])
    for _ in range(steps):
        v = m @ v
        v = v / np.sqrt(np.sum(v * v))
    return np.sum(v * (m @ v))


def newton_of_array(x: Vec) -> float:
    y = np.ones(len(x))
    for _ in range(4):
        y -= (y * y * y - np.abs(x) - 1.0) / (3.0 * y * y)
    return np.sum(y * x)


def until_small(x: Vec) -> float:
    r = x.copy()
    while np.sum(r * r) > 0.1:
        r *= 0.6
        r[0] -= 0.1 * r[1]
    return np.sum(r * x)


def in_branches(x: Vec, k: int) -> float:
    if k > 2:
        y = x * x
    else:
        y = x[::-1]
    if k > 5:
        y[0] = 1.0
    else:
        y = y + y[0]
    return np.sum(y * x)


def softmax_loss(m: Mat, k: Ints) -> float:
    shifted = m - np.max(m, axis=1)[:, None]
    e = np.exp(shifted)
    p = e / np.sum(e, axis=1, keepdims=True)
    return -np.sum(np.log(p[np.arange(4), k]))


def moments(m: Mat) -> float:
    centred = m - np.sum(m, axis=0) / m.shape[0]
    c = centred.T @ centred
    d = np.diag(c)
    return np.sum(c / np.sqrt(d[:, None] * d[None, :]) * np.tri(3, k=-1))


def carried_pair(x: Vec, y: Vec, steps: int) -> float:
    for i in range(steps):
        x, y = y * x[i], x + y
    return np.sum(x * y)


def gives_array(x: Vec, k: Ints) -> Vec:
    y = np.zeros(len(x))
    np.add.at(y, k, x[k] ** 2)
    return np.stack((y, x[::-1]))[1] * y


def calls_with_parts(m: Mat) -> float:
    s = 0.0
    y = m * m
    for i in range(m.shape[0]):
        s += _norm(y[i]) * _norm(m[:, 0] + 1.0)
    return s + _norm(y.T[1])


def _norm(x):
    return np.sqrt(np.sum(x * x))


def mixed_kinds(x: Vec, k: Ints) -> float:
    i = np.arange(4) * k + 1
    y = x[:4] * i + (k > 1) * x[1:]
    y += k
    y[k > 1] *= 2
    return np.sum(y * y) / i[1] + np.sum(y // 1.0)


def made_like_expressions(x: Vec, a: float) -> float:
    y = np.zeros_like(x * a)
    y += np.full((2, len(x)), x * a)[1]
    z = np.full_like(x + a, a)
    w = np.full((2, 2), [a, x[0]]) * np.ones_like(x[:2] * a)
    return np.sum(y * z * x) + np.sum(w * w)


def put_together(x: Vec, m: Mat, a: float) -> float:
    y = np.r_[x, a, 0:2]
    z = np.c_[m, m[:, 0] * a]
    return np.sum(y[1:] * y[:-1]) + np.sum(z * z)


# mooncake: modes=reverse,forward,hvp
def least_squares_of_orthogonal_columns(x: Vec) -> float:
    """All singular values are the same: their vectors have no derivatives."""
    c, s = np.cos(x[0]), np.sin(x[0])
    turn = np.array([[c, -s], [s, c], [0.0, 0.0]]) * x[1]
    return np.linalg.lstsq(turn, x[:3] ** 2, rcond=None)[0] @ x[1:3]
