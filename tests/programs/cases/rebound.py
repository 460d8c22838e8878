"""Arrays that a loop both writes in place and binds anew; parts that loops and branches keep."""

import numpy as np
from kinds import Cube, Mat, Other, Square, Vec


def transposed_softmax(q: Mat, v: Mat, mask: Mat | None) -> tuple[Mat, Mat]:
    scores = q @ q.T
    if mask is not None:
        scores = scores + mask @ mask.T
    weights = (np.exp(scores).T / np.sum(np.exp(scores), axis=-1)).T
    return weights @ v, weights


def parts_beside_products(m: Mat, a: float) -> tuple[Mat, Mat]:
    if a > 0.0:
        w = m * a
        return w.T @ w, w.T
    w = m * m
    return w[:1], w.T @ w


def parts_beside_factors(m: Square, a: float) -> tuple[Vec, Mat]:
    if a > 0.0:
        spectrum, vectors = np.linalg.eigh(m + m.T)
        sides = np.abs(vectors) * a
        return spectrum, sides[:, ::-1]
    sides = m * m
    return np.linalg.solve(m, sides)[0], sides.T


def rolled(cells: Mat, tau: float) -> float:
    for it in range(2):
        print(it)
        for i in range(cells.shape[1]):
            cells[:, i] = np.roll(cells[:, i], i)
        cells = cells + tau * (np.sin(cells) - cells)
    return np.sum(cells[:, 0] * cells[:, 1])


def sizes_found_inside(x: Vec, a: float) -> float:
    for it in range(3):
        print(it)
        x[0] = x[1] * a
        x = x + np.array([a, a * a, 0.5, x[0], x[2]])
    return np.sum(x * x)


def sizes_tested_inside(m: Mat, a: float) -> float:
    weights = np.linspace(0.5, 1.0, m.shape[0] * m.shape[1]).reshape(m.shape)
    for _ in range(3):
        m[0] = a * m[1]
        print("step")
        new = weights * a
        m = new + m * weights
        m[1] *= 0.5
    return np.sum(m)


def sizes_tested_around(x: Vec, y: Other, a: float) -> float:
    total = 0.0
    for it in range(2):
        print(it)
        u = x * a + y[: len(x)]
        for _ in range(2):
            u[0] = a * u[1]
            u = u + x * y[: len(x)]
        total += np.sum(u * u)
    return total


def smoothed(x: Vec, a: float) -> float:
    v = np.reshape(x[:4], (2, 2))
    for _ in range(3):
        new = np.reshape((1.0 + np.sin(a * v)).ravel(), (2, 2))
        w = np.reshape(np.arange(4.0) * new.ravel(), (2, 2))
        w -= a * v.T
        v = w
    return np.sum(v * v)


def squared_in_place(x: Vec, a: float) -> float:
    v = x[:4].reshape(2, 2)
    for _ in range(2):
        v = v @ v
        v[0, 0] *= a
    return np.sum(v * x[0])


def projected_fields(p: Vec, a: float) -> float:
    u, v = p[:2].reshape(2, 1), p[2:4].reshape(2, 1)
    for _ in range(2):
        s = (u * v).ravel()
        u, v = np.reshape(s * a, (2, 1)), np.reshape(s[::-1] + p[0], (2, 1))
        u -= 0.5 * v
        v += a * u
    return np.sum(u * v)


def scaled_forward(start: Vec, steps: Mat, seen: Mat) -> float:
    alpha = start[: len(steps)] * seen[: len(steps), 0] ** 2
    likelihood = 0.0
    for t in range(seen.shape[1]):
        if t > 0:
            alpha = np.abs(alpha[:3] @ steps[:3]) + seen[:3, t] ** 2
        c = alpha.sum()
        alpha /= c
        likelihood += np.log(c)
    return likelihood


def written_whichever_it_is(x: Vec, a: float) -> float:
    y = x * a
    for i in range(4):
        z = np.append(y, a) if i % 2 else y
        z[0] = a * z[1]
        z[-1] *= 0.5
        y = z
    return np.sum(y * y)


def begins_with_a_choice(x: Vec, a: float) -> float:
    u, v = x * a, x + a
    y = u if a > 0.0 else v
    y[1] = x[0] * y[0]
    total = 0.0
    for _ in range(3):
        total += y[1]
        y = np.concatenate((y[1:], y))
        y[0] = total
    return np.sum(y * y) + np.sum(u * v)


def old_one_is_kept(x: Vec, a: float) -> float:
    y = x * a
    old = y
    for i in range(3):
        z = y
        if i > 0:
            z = y[1:] * a
        z = z + x[0]
        old = y
        y = z
        y[0] = a
    return np.sum(y * y) + np.sum(old)


def last_row_of_work(m: Mat, a: float) -> float:
    out = np.zeros_like(m)
    out[0] = m[0]
    last = out[0]
    for i in range(1, len(m)):
        out[i] = a * last + m[i]
        last = out[i]
    return np.sum(out * out) + np.sum(last)


def last_row_is_written(m: Mat, a: float) -> float:
    last = m[0]
    for i in range(1, len(m)):
        row = m[i]
        row[:] = row * last * a
        last[0] = row[1]
        last = row
    last[2] *= a
    return np.sum(m * m)


def two_last_rows(m: Mat, a: float) -> float:
    before, last = m[0], m[1]
    for i in range(2, len(m)):
        m[i] += a * before * last
        before, last = last, m[i]
        before[0] = a
    return np.sum(m * before) + np.sum(last)


def largest_row(m: Mat, a: float) -> float:
    best = m[0]
    for i in range(1, len(m)):
        row = m[i]
        if np.sum(row) > np.sum(best):
            best = row
        best[1] *= a
    best[0] = a * best[1]
    return np.sum(m * m) + np.sum(best)


def columns_and_planes(c: Cube, a: float) -> float:
    column, plane = c[0, :, 1], c[:, 0]
    for k in range(2, c.shape[2]):
        other = c[k % 2, :, k]
        other += a * column
        plane[0, k] = column[1]
        column, plane = other, c[:, k % 3]
    return np.sum(c * c) + np.sum(plane)


def rows_until(m: Mat, a: float) -> float:
    i = 0
    row = m[-1]
    while i < len(m):
        row[0] += a * m[i, 1]
        row = m[i]
        i += 1
        if np.sum(row) > 100.0:
            break
    return np.sum(m * row)


def rows_of_rows(m: Mat, a: float) -> float:
    row = m[0]
    for i in range(1, len(m)):
        for j in range(i):
            row[j % 3] *= a
            row = m[j]
        row = m[i]
        row[2] = m[0, 0]
    return np.sum(m * m)


def row_of_each_round(m: Mat, a: float) -> float:
    for _ in range(2):
        w = m * a
        last = w[0]
        for i in range(1, len(w)):
            w[i] *= last
            last = w[i]
        m = m + np.outer(np.ones(len(m)), last)
    return np.sum(m * m)


def windows(x: Vec, a: float) -> float:
    old = x[0:2]
    for i in range(len(x) - 1):
        new = x[i : i + 2]
        new[0] += a * old[1]
        old = new
    old[0] *= a
    return np.sum(x * x) + old[1]


def last_window(m: Mat, a: float) -> float:
    total = 0.0
    window = m[0:2, 1]
    for i in range(len(m) - 1):
        window = m[i : i + 2, i % 2]
        window[0] *= a
        total += np.sum(window * window)
    return total + np.sum(window)


def windows_that_grow(x: Vec, a: float) -> float:
    head = x[:1]
    for i in range(1, len(x)):
        x[i] *= a * np.sum(head)
        head = x[:i]
        if x[i] > 100.0:
            head = x[:2]
    head[0] = 1.0
    return np.sum(x * x) + np.sum(head)


def backwards(x: Vec, a: float) -> float:
    y = x * a
    tail = y[-1::-2]
    for i in range(1, len(x)):
        tail[0] *= 0.5
        y[0] += a * np.sum(tail)
        tail = y[-i::-2]
    return np.sum(y * y) + np.sum(tail)


def made_by_the_last_round(x: Vec, a: float) -> float:
    for i in range(3):
        d = np.sin(x * x[i] * a)
    return np.sum(d * d) + d[0]


def made_and_written(x: Vec, a: float) -> float:
    for i in range(2):
        d = x[:, None] * x[None, :] * (i + a)
        d[0] *= 2.0
        s = np.sum(d)
    return np.sum(d.min(axis=1)) * s


def made_by_some_rounds(x: Vec, a: float) -> float:
    k = 0
    while k < 3:
        k += 1
        if k % 2 == 0:
            continue
        d = np.cumsum(x * (a + k))
    return d[1] * d[2]


def shrinking(x: Vec, a: float) -> float:
    for i in range(2):
        d = np.tanh(x[i:] * a) * x[i]
        d /= np.sum(d * d)
    return d[0] * np.sum(d)


def reflected(m: Square, a: float) -> float:
    r = m.copy()
    for k in range(2):
        v = r[k:, k].copy()
        v[0] += np.sign(v[0]) * np.linalg.norm(v) * a
        v /= np.linalg.norm(v)
        r[k:, k:] -= 2.0 * np.outer(v, v @ r[k:, k:])
    return r[0, 0] * r[1, 1]


def clustered(m: Mat, a: float) -> float:
    data = np.vstack((m, m * a + 1.0))
    centres = data[:2] * 0.9
    for _ in range(3):
        d = ((data[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        label = d.argmin(axis=1)
        for k in range(2):
            if np.any(label == k):
                centres[k] = data[label == k].mean(axis=0)
    return np.sum(d.min(axis=1))


def eliminated(m: Square, a: float) -> float:
    left, b = m + a * np.eye(len(m)), m[0] * a
    for k in range(len(b) - 1):
        factors = left[k + 1 :, k] / left[k, k]
        left[k + 1 :, k:] -= np.outer(factors, left[k, k:])
        b[k + 1 :] -= factors * b[k]
    return b[-1] / left[-1, -1] * factors[0]


def _gradient(x: Vec, a: float) -> Vec:
    return np.array([a * x[0] - x[1], x[1] ** 3 + x[0] * x[1], x[2] - 0.5])


def returned_from_inside(x: Vec, a: float, tol: float) -> tuple[Vec, float]:
    """The array that the last iteration has made, or the one that all of them have changed."""
    x = x[:3] * a
    for k in range(8):
        g = _gradient(x, a)
        if np.max(np.abs(g)) < tol + k * 0.3:
            return g, -1.0
        x = x - 0.1 * g
    return x, 0.5


def returned_beside_a_matrix(x: Vec, tol: float) -> tuple[Vec, Mat, int]:
    x = x[:3] + 1.0
    inverse = np.eye(3)
    for k in range(6):
        g = x - 1.0 + 0.1 * np.sin(x)
        s = -inverse @ g
        if np.sqrt(g @ g) < tol * k * 0.1:
            return s, inverse, k
        off = s - inverse @ (s + 0.1 * np.sin(x + s) - 0.1 * np.sin(x))
        x = x + s
        inverse = inverse + np.outer(off, off) / (1.0 + off @ off)
    return x, inverse, -1


def powers_until_they_settle(m: Square, v: Vec, tol: float) -> tuple[Vec, float]:
    v = v[0] * np.ones(m.shape[0])
    for _ in range(10):
        w = m @ v
        if np.linalg.norm(w - v) < tol:
            return w, -1.0
        v = w / np.linalg.norm(w)
    return v, 1.0


def one_of_both_in_the_end(x: Vec, tol: float) -> Vec:
    """The loop changes what it began with, and it hands on another array, chosen afterwards."""
    g, x = np.zeros(0), x[:3] * 1.0
    for k in range(5):
        g = x[: 1 + k % 2] * 2.0
        if g[0] > tol:
            break
        x = x - 0.1 * x[0]
    else:
        return x
    return g


def lists_from_inside(x: Vec, tol: float) -> float:
    found = [v * v for v in x if v > -10.0]
    total = 1.0
    while True:
        if len(found) == 0:
            return total
        if found[0] > tol:
            return total + found[0] * len(found)
        first, rest = found[0], found[1:]
        total = total * 0.5 + first + sum(rest)
        found = rest
