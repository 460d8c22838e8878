"""Arrays that a branch makes or chooses, of which parts are used behind it."""

import numpy as np
from kinds import Mat, Square, Vec


def made_again(x: Vec, k: int) -> float:
    s = x * 2.0
    if k > 2:
        s = x * 3.0
    return np.sum(s[1:] ** 2)


def made_or_given(x: Vec, k: int) -> float:
    s = x
    if k > 2:
        s = x * 3.0
    return np.sum(s[1:] * s[:-1]) * s[0]


def by_either_arm(x: Vec, k: int) -> float:
    if k > 2:
        s = x * 3.0
    else:
        s = np.sin(x)
    t = s[1:] * s[:-1]
    return np.sum(t**2) + s[0]


def of_two_lengths(x: Vec, k: int) -> float:
    s = x * 3.0 if k > 3 else np.sin(x[1:])
    total = 0.0
    for j in range(3):
        part = s[j:]
        total += np.sum(part**2) * j
    return total


def in_a_loop(x: Vec, k: int, n: int) -> float:
    total = 0.0
    for m in range(n):
        if m >= k - 2:
            s = x * m
        else:
            s = np.sin(x) * (m + 1)
        total += np.sum(s[1:] ** 2) + s[0] * s[-1]
        s[:2] *= 3.0
        total += np.sum(s[:2] ** 3)
    return total


def nested(x: Vec, k: int) -> float:
    s = x * 2.0
    if k > 2:
        if x[0] > 0.0:
            s = x * 3.0
        else:
            s = x * x
        s[1:] += s[:-1]
    elif k == 1:
        s = np.cumsum(x)
    return np.sum(s[1:] ** 2) * np.sum(s[::2])


def views_of_views(x: Square, k: int) -> float:
    s = x * x
    if k > 2:
        s = s.T * 2.0
    t = s[0]
    t[1] = 3.0 * x[0, 0]
    return np.sum(s[:, 1] ** 2) + np.sum(s.T @ x) + np.sum(np.diag(s))


def reshaped(x: Mat, k: int) -> float:
    s = np.exp(x) if k > 2 else x * 2.0
    row = s.reshape(-1)
    return np.sum(row[1:] * row[:-1]) + np.sum(s[0] ** 2)


def _scaled(x, k):
    if k > 2:
        return x * 3.0
    return np.cos(x)


def by_a_helper(x: Vec, k: int) -> float:
    s = _scaled(x, k)
    return s[1:] @ s[:-1]


def written_behind(x: Vec, k: int) -> float:
    s = np.zeros(len(x))
    if k > 2:
        s = x.copy()
    s[1:] += x[:-1] ** 2
    s[0] = s[1] * s[2]
    return np.sum(s[:-1] * s[1:])


def or_an_error(x: Vec, tol: float) -> tuple[Vec, float]:
    y = np.zeros(len(x))
    for _ in range(50):
        new = 0.5 * y + x
        gap = np.sum((new - y) ** 2)
        if gap < tol:
            return new, gap
        y[:] = new
    raise ValueError("no convergence")


def two_names_for_what_one_arm_makes(x: Vec, y: Vec, k: int) -> float:
    q = x[:2] * 1.0
    s = 0.0
    for i in range(k):
        if y[i] > 0.5:
            p = y * q[1]
        else:
            q = np.append(q, q[1])
            p = q
        s += np.sum(p * p * p) + np.sum(q * q)
    return np.sum(q) + s


def two_names_in_an_inner_arm(x: Vec, y: Vec, a: float) -> float:
    if a > 0.0:
        if x[0] > -100.0:
            p = x * y
            q = p
        else:
            p = x[:2] * 1.0
            q = y * a
    else:
        p = x[:2] * 2.0
        q = y * y
    return np.sum(p * p) * np.sum(q)


def two_names_for_what_may_be_made(x: Vec, y: Vec, a: float) -> float:
    if a > 0.0:
        q = x
        if x[0] > -100.0:
            q = x * y
        p = q
    else:
        p = x[:2] * 2.0
        q = y * y
    return np.sum(p * p) * np.sum(q)


def two_names_one_of_which_is_written(x: Vec, y: Vec, a: float) -> float:
    if a > 0.0:
        q = x * a
        if x[0] > -100.0:
            q = x * y
        p = q
    else:
        p = x[:2] * 2.0
        q = y * y
    p[0] *= 2.0
    return np.sum(p * p) * np.sum(q)


def result_by_what_arms_compute(x: Mat, tol: float) -> Mat:
    """Each condition needs a sum that only the arm before it has made."""
    seen = []
    for _ in range(4):
        w = x / np.sum(x)
        seen.append(np.max(x, axis=1))
        x = x * w
        if len(seen) >= 2 and np.linalg.norm(seen[-1] - seen[-2]) < tol:
            break
    return w


def two_results_by_what_arms_compute(x: Vec, tol: float) -> tuple[Vec, Vec]:
    w = x * x
    v = w[1:]
    for _ in range(3):
        w = w / np.sum(w**2)
        v = w * x
        if np.sum(v) < tol:
            break
        w = v + x
    return w, v


def given_or_made_by_what_arms_compute(x: Vec, y: Vec, tol: float) -> Vec:
    if np.sum(x) > 100.0:
        w = y
    else:
        z = np.cumsum(x * y)
        if np.sum(z * z) > tol:
            w = z
        elif np.max(z) > tol:
            w = x * tol
        else:
            w = y * z
    return w
