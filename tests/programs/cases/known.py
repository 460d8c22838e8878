"""Facts about values behind calls, branches and loops: their contents, axes of size 1."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, NamedTuple

import numpy as np
from kinds import Mat, Other, Vec
from numpy.typing import NDArray

Column = Annotated[NDArray[np.float64], "r 1"]
Row = Annotated[NDArray[np.float64], "1 c"]


class Kind(Enum):
    LINEAR = 1
    SQUARE = 2


@dataclass
class Layer:
    w: Column
    b: float

    def scaled(self):
        return {"w": self.w * self.b, 0: self.b}

    @property
    def parts(self):
        return [self.w, self.w * self.b]


@dataclass(frozen=True)
class Fixed:
    w: Column
    b: float

    def column(self) -> Column:
        return self.w * self.b


class Pair(NamedTuple):
    first: Row
    second: float


@dataclass
class Point:
    x: float
    y: float


# ---- what a helper returns ----------------------------------------------------------------------


def _powers(t):
    return {1: t * 2, 0: t * t, -1: t}


def _through(t):
    return _powers(t)


def _chosen(t):
    if t > 0.1:
        return {"a": t * 2, "b": t * t}
    return {"a": t, "b": 3 * t}


def _list(t):
    return [t, t * t]


def _mixed(t):
    return Kind.SQUARE, t * t, "square", None, math.sin, {"k": t}


def _point(t):
    return Point(t, t * t)


def _nested(t):
    return {"inner": {2: t}, "list": [t, t * t]}, 2


def _recursive(t: float, n: int) -> tuple[float, float]:
    if n == 0:
        return t, 1.0
    a, b = _recursive(t, n - 1)
    return b * t, a


def dict_item(t: float) -> float:
    return _powers(t)[0] + 10 * _powers(t)[-1] + 100 * _through(t)[1]


def dict_content(t: float) -> float:
    d = _powers(t)
    s = 100.0 if 2 in d else t
    for k in d:
        s += (k + 3) * d[k]
    for k, v in d.items():
        s += k * k * v
    return s * len(d) + d.get(7, t)


def dict_changed(t: float) -> float:
    d = _powers(t)
    d["new"] = 3 * t
    del d[1]
    return sum(d.values()) * len(d)


def dict_chosen(t: float) -> float:
    d = _chosen(t)
    return d["a"] * d["b"]


def dict_of_dicts(t: float) -> float:
    d, k = _nested(t)
    return d["inner"][k] * d["list"][-1]


def list_changed(t: float) -> float:
    d = _list(t)
    d.append(3 * t)
    return d[-1] * len(d) + (_list(t) + _list(2 * t))[2]


def list_is_no_tuple(t: float) -> float:
    return t * t if _list(t) == [t, t * t] and isinstance(_list(t), list) else 2 * t


def list_as_index(m: Mat) -> float:
    def rows():
        return [0, 2]

    return np.sum(m[_indices()] * m[rows()])


def _indices():
    return [1, 2]


def all_kinds(t: float) -> float:
    k, s, name, nothing, f, d = _mixed(t)
    return s * d["k"] if k is Kind.SQUARE and name == "square" and nothing is None else f(t)


def object_changed(t: float) -> float:
    p = _point(t)
    p.x += 1.0
    return p.x * p.y


def dict_of_method(layer: Layer, m: Mat) -> float:
    return np.sum(layer.scaled()["w"] * m) * layer.scaled()[0] + np.sum(layer.parts[-1] * m)


def recursive(t: float) -> float:
    a, b = _recursive(t, 3)
    return a * b


# ---- axes of size 1 -----------------------------------------------------------------------------


def _largest(x):
    return np.max(x, axis=-1, keepdims=True)


def _column(x):
    return x.reshape(-1, 1)


def _row(x: Vec) -> NDArray[np.float64]:
    return x[None, :]


def _grid(x, y):
    return x[:, None], y[None, :]


def _product(a, b):
    return np.sum(a * b)


def _declared(a: Column, b: Mat) -> float:
    return np.sum(a * b)


def _zeros(n, k):
    return np.zeros((n, k))


def _part(x, k):
    return x[k : k + 1]


def _summed(x, axis):
    return np.sum(x, axis=axis)


def _energy(x, y):
    return np.sum(x * y, keepdims=True)


def _norm(m):
    return np.sqrt(np.sum(m**2, axis=1, keepdims=True))


def _layer(x):
    return Fixed(x[:, None], 2.0)


def _apply(f: Callable[[Vec], Mat], x: Vec) -> float:
    return np.sum(f(x) * x)


def kept_axis(m: Mat) -> float:
    return np.sum(np.exp(m - _largest(m)) * m) + np.sum((m / _norm(m)) ** 3)


def column_of_helper(x: Vec, y: Other) -> float:
    a, b = _grid(x, y)
    return np.sum((_column(x) - _row(x)) ** 3) + np.sum(a * b**2) + _apply(_column, x)


def column_to_helper(x: Vec, y: Other) -> float:
    return _product(x[:, None], y[None, :]) + _product(_column(x), y)


def column_as_parameter(a: Column, m: Mat, b: Row) -> float:
    return _product(a, m) + _declared(a * 2, m) + np.sum(a * b * m)


def column_declared_only(m: Mat) -> float:
    k = len(m[0]) - 2
    return _declared(m[:, :k], m)


def columns_in_structs(layer: Layer, fixed: Fixed, pair: Pair, m: Mat) -> float:
    s = np.sum(layer.w * m) + np.sum(fixed.column() * m) + _product(pair.first, m) * pair.second
    return s + np.sum(_layer(layer.w[:, 0]).w * m)


def columns_in_tuple(t: tuple[Column, float], m: Mat) -> float:
    return np.sum(t[0] * m) * t[1]


def column_behind_list(t: tuple[list[Vec], Column], m: Mat) -> float:
    return np.sum(t[1] * m) + np.sum(t[0][1] ** 2)


def columns_of_list(x: Vec, y: Other, k: int) -> float:
    found = []
    for i in range(k):
        found.append(_grid(x, y)[0] * i)
    s = np.sum(found[0] * y)
    for c in [_column(v) for v in (x, x**2)]:
        s += np.sum(c * y)
    return s


def column_chosen(x: Vec, y: Other, k: int) -> float:
    if k > 1:
        a = np.exp(x)[:, None]
    else:
        a = np.sin(y[:2])[:, None]
    b = np.sum(a, axis=0, keepdims=True) if k > 2 else a * 2
    return np.sum(a * y) + np.sum(b * y)


def column_carried(m: Mat, k: int) -> float:
    a = _norm(m)
    i = 0
    while i < k:
        a = np.sum(m * a, axis=1, keepdims=True)
        i += 1
    return np.sum(a * m)


def rows_of_other_length(m: Mat, k: int) -> float:
    w = np.full((2, 1), 0.5)
    for i in range(k):
        w = np.full((i + 2, 1), 3.0)
    return np.sum(w * m)


def sizes_as_arguments(m: Mat) -> float:
    b = _zeros(4, 1)
    b += _norm(m)
    return np.sum(b * m) + np.sum(_summed(m, 0) * _summed(m.T, 1))


def part_of_helper(x: Vec, y: Other) -> float:
    return np.sum(_part(x, 1) * y)


def stored(x: Vec) -> float:
    e = np.zeros((2, 3))
    e[0] = _energy(x, x)
    e[1:] = _energy(x, x) * 2
    e[:, 1] *= _energy(x, 3)
    return np.sum(e**2)


def squeezed(x: Vec) -> float:
    return np.sum(np.squeeze(_column(x)) ** 2)


# ---- arrays whose length the annotation says ----------------------------------------------------

Three = Annotated[NDArray[np.float64], "3"]


class Params(NamedTuple):
    a: float
    b: float
    c: float = 0.5


def _of_three(a, b, c):
    return a * b + math.sin(c)


def length_unpacked(theta: Three) -> float:
    a, b, c = theta
    return a * b * c


def length_of_params(theta: Three, y: Other) -> float:
    p = Params(*theta)
    q = Params(y[0], *theta[1:])
    point = Point(*theta[:2])
    return p.a * q.b + q.a * p.c + point.x * point.y


def length_of_arguments(theta: Three) -> float:
    scaled = np.exp(theta)
    return _of_three(*scaled) * _of_three(*theta[:2], 2.0) + max(*theta, 0.1)


def length_with_rest(theta: Three) -> float:
    first, *rest = theta
    theta[0] = 2.0
    *start, last = np.append(theta, first)
    return first * rest[0] + rest[1] * last + start[0]


def length_of_rows(m: Annotated[NDArray[np.float64], "3 c"]) -> float:
    rows = [*m, m[0] * m[1]]
    x, *others = m
    m[1, 0] = 0.25
    return x @ others[0] + rows[1] @ rows[3] + sum([r @ r for r in others])


def text_of_loops(x: Vec, a: float) -> float:
    weights = {f"w{i}": x[i] * (i + 1) for i in range(3)}
    for i, name in enumerate(["u", "v"]):
        for j in range(2):
            weights[f"{name}{j}"] = a * x[i] + j
    total = 0.0
    for term in ["w0*2", "w2*-3", "x1*1.5"]:
        name, factor = term.split("*")
        which = x[int(name[1:])] if name.startswith("x") else weights[name]
        total += float(factor) * which**2
    return total * weights["v1"] + len(",".join(weights)) * int("2a", 16)
