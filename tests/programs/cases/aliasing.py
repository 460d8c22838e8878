"""Memory with several names: in structs, through views, branches and loops, given twice."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from kinds import Mat, Vec


@dataclass
class Box:
    data: Vec
    scale: float = 1.0


@dataclass
class Pair:
    left: Vec
    right: Vec


@dataclass(frozen=True)
class Fixed:
    data: Vec
    weight: float


def field_is_the_array(x: Vec, a: float) -> float:
    y = x.copy()
    box = Box(y)
    box.data[0] = a * y[1]
    y[1] = a * a
    return np.sum(box.data * box.data)


def field_is_rebound_to_another(x: Vec, a: float) -> float:
    u, v = x.copy(), x * a
    box = Box(u)
    box.data = v
    box.data[0] = 3.0 * a
    return np.sum(u) * np.sum(v) + box.data[1]


def fields_are_swapped(x: Vec, a: float) -> float:
    pair = Pair(x.copy(), a * x)
    pair.left, pair.right = pair.right, pair.left
    pair.left[0] = pair.right[1] * a
    return np.sum(pair.left * pair.left) + 2.0 * np.sum(pair.right)


def fields_are_one_array(x: Vec, a: float) -> float:
    y = x.copy()
    pair = Pair(y, y)
    pair.left[1] = a * pair.right[0]
    pair.right[0] += pair.left[1]
    return np.sum(pair.left * pair.right)


def field_is_a_view(x: Vec, a: float) -> float:
    y = x.copy()
    pair = Pair(y[1:], y[:-1])
    pair.left[0] = a
    pair.right[1] *= y[2]
    return np.sum(pair.left * pair.right) + y[1]


def field_is_a_row(m: Mat, a: float) -> float:
    w = m.copy()
    box = Box(w[1])
    box.data *= a
    w[1, 0] += 1.0
    box.data[1] = w[0, 0] * w[1, 0]
    return np.sum(w * w) * box.scale


def chosen_by_condition(x: Vec, a: float) -> float:
    u, v = x.copy(), 2.0 * x
    w = u if a > 0.0 else v
    w[0] = a * v[1]
    u[1] = w[0] * a
    return np.sum(u * v) + w[2]


def chosen_field(x: Vec, a: float) -> float:
    pair = Pair(x.copy(), a * x)
    if a > 0.1:
        pair.left = pair.right
    pair.left[0] = a * a
    return np.sum(pair.left) * np.sum(pair.right)


def buffers_in_a_struct(x: Vec, a: float, steps: int) -> float:
    pair = Pair(x.copy(), np.zeros(x.shape[0]))
    for _ in range(steps):
        for i in range(1, x.shape[0] - 1):
            pair.right[i] = pair.left[i] + a * (pair.left[i + 1] - pair.left[i - 1])
        pair.left, pair.right = pair.right, pair.left
    return np.sum(pair.left * pair.left) + pair.right[2]


def one_object_two_names(x: Vec, a: float) -> float:
    box = Box(x.copy(), a)
    other = box
    other.scale *= 2.0
    other.data[0] = box.scale
    box.data[1] = other.scale * other.data[0]
    return np.sum(box.data) * other.scale


def object_in_a_tuple(x: Vec, a: float) -> float:
    box = Box(x.copy(), a)
    parts = (box, 2.0 * a)
    parts[0].scale = parts[1] * box.data[0]
    box.data[0] = parts[0].scale
    return parts[0].data[0] * box.scale


def frozen_holds_memory(x: Vec, a: float) -> float:
    y = x.copy()
    fixed = Fixed(y, a)
    y[0] = fixed.weight * y[1]
    fixed.data[1] = y[0] * a
    return np.sum(fixed.data * y)


def helper_writes_field(box: Box, a: float) -> float:
    _double(box.data)
    _rescale(box, a)
    return np.sum(box.data) * box.scale


def _double(x: Vec) -> None:
    x *= 2.0


def _rescale(box: Box, a: float) -> None:
    box.scale += a
    box.data[0] = box.scale * box.data[1]


def helper_gives_part(x: Vec, a: float) -> float:
    y = x.copy()
    part = _tail(y)
    part[0] = a * y[0]
    y[2] = part[0] * part[0]
    return np.sum(y) + part[1]


def _tail(x: Vec) -> Vec:
    return x[1:]


def written_while_viewed(x: Vec, a: float) -> float:
    y = x.copy()
    view = y[::-1]
    view[0] = a * view[1]
    y[0] = view[0] * view[3]
    return np.sum(view * y)


def view_of_a_view(m: Mat, a: float) -> float:
    w = m.copy()
    inner = w[1:, :2].T
    inner[0, 1] = a * w[0, 0]
    w[2, 1] = inner[0, 1] * a
    inner *= 2.0
    return np.sum(w * w)


def array_given_twice(x: Vec, a: float) -> float:
    y = x.copy()
    _mix(y, y, a)
    return np.sum(y * y)


def parts_given_that_overlap(x: Vec, a: float) -> float:
    y = x.copy()
    _mix(y[:-1], y[1:], a)
    return np.sum(y * y)


def _mix(u: Vec, v: Vec, a: float) -> None:
    for i in range(u.shape[0]):
        u[i] += a * v[i]
        v[i] *= u[i]


def constant_storage(x: Vec, a: float) -> float:
    table = np.zeros(x.shape[0])
    alias = table
    for i in range(x.shape[0]):
        alias[i] = a * x[i] if i % 2 == 0 else 1.0
    return np.sum(table * x)


def element_under_condition(x: Vec, m: Mat, a: float) -> float:
    s = np.zeros((3, 3))
    for i in range(3):
        if x[i] > 0.3:
            s[i, i] += x[i] * a
        s[i, i] += m[i, 0]
    return np.sum(s * s)


def three_time_steps(x: Vec, a: float, steps: int) -> float:
    n = x.shape[0]
    old, now, new = x.copy(), a * x, np.zeros(n)
    for _ in range(steps):
        for i in range(1, n - 1):
            new[i] = 2.0 * now[i] - old[i] + a * (now[i + 1] - 2.0 * now[i] + now[i - 1])
        old, now, new = now, new, old
    return np.sum(now * now) + np.sum(old)


def chosen_in_nested_branch(x: Vec, a: float, k: int) -> float:
    y = x
    if a > 0.0:
        z = a * x
        if k > 0:
            y = z
    y[0] = 5.0 * y[1] * a
    return np.sum(x * x) + np.sum(y)


def index_computed_of_the_target(x: Vec) -> float:
    scales = np.array([3.0, 5.0])
    x += scales[(x[::-1] > 0.5).astype(int)]
    return np.sum(x * np.arange(1.0, len(x) + 1))


def places_computed_of_the_target(x: Vec) -> float:
    x[np.array([2, 1, 0])[np.where(x[::-1] > 0.5, 1, -1)]] = x[::-1] * 2.0
    return np.sum(x * np.arange(1.0, len(x) + 1))


def places_computed_of_a_view(m: Mat) -> float:
    row = m[0]
    row[np.array([1, 0])[(m[0, ::-1] > 0.3).astype(int)]] = m[0] * 2.0
    return np.sum(m * m)


def overwritten_in_nested_loops(x: Vec, y: Vec, g: Vec, k: int) -> float:
    z = np.abs(y) * 0.01
    for _ in x:
        for _ in z:
            z **= 2
    g += np.hypot(z, y)
    z[k] = 0.5
    return np.sum(x)


def changed_in_either(x: Vec, a: float) -> float:
    """A list that is one of two of other lengths, and changed in ways written out."""
    p, q = [a, x[0], x[1]], [x[1]]
    r = p if a > 0.5 else q
    r.insert(1, x[0] * a)
    r.reverse()
    del r[0]
    s = q if a > 0.5 else p
    s[:1] = [a * a, a, x[0]]
    s.remove(a)
    return sum(v * k * k for k, v in enumerate(p)) * x[0] + sum(q) * a + sum(r) + len(s)


def changed_by_helper(x: Vec, a: float) -> float:
    p, q = [a, x[0], x[1]], [x[1]]
    _dropped(p if a > 0.5 else q)
    _dropped(q if a < 0.5 else p)
    return sum(p) * x[0] + sum(q) * a


def _dropped(r):
    r.append(r[0] * 2.0)
    del r[0]
