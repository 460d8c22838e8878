"""Dicts with keys that are known ahead of time; enums, text, ranges and slices as values."""

from __future__ import annotations

import math
from enum import Enum, IntEnum, auto
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Matrix = Annotated[NDArray[np.float64], "r c"]


class Kind(Enum):
    LINEAR = 1
    SQUARE = auto()
    CUBE = "c"
    POWER2 = 2

    def apply(self, x: float) -> float:
        return x if self is Kind.LINEAR else x * x


class Axis(IntEnum):
    X = 0
    Y = 1


def methods(x: float, y: float) -> float:
    p = {"a": x, "b": y}
    p["c"] = x * y
    p.update({"a": 2.0 * x}, d=y * y)
    q = p.copy()
    q["b"] = 0.0
    d = p.pop("d")
    e = p.pop("none", 3.0) + p.setdefault("c", 9.0) + p.setdefault("f", x)
    del p["a"]
    return p["b"] * p.get("zz", 3.0) + q["a"] * d + e * len(p) + ("a" in p) + ("b" in p)


def iterated(x: float, y: float) -> float:
    p = {"a": x, 2: y, "long name": x * y}
    total = 0.0
    for key, value in p.items():
        if key != 2:
            total += value
    for k in p:
        total *= p[k]
    return total + sum(p.values()) * max(p.values()) + len(list(p.keys()))


def nested(x: float, y: float) -> float:
    model = {"layer": {"w": [x, y], "b": 0.5}, "scale": y}
    model["layer"]["w"][0] *= 3.0
    model["layer"]["b"] += x
    alias = model["layer"]
    alias["w"].append(x * y)
    return sum(model["layer"]["w"]) * alias["b"] * model["scale"]


def of_arrays(x: Vector, a: float) -> float:
    params = {"w": x, "b": np.zeros(2)}
    params["b"][0] = a
    params["w"][1] *= a
    params = {k: 2.0 * v for k, v in params.items()}
    return np.sum(params["w"]) * np.sum(params["b"]) + x[1]


def joined(x: float, y: float) -> float:
    first = dict(a=x, b=y)  # noqa: C408
    second = {**first, "a": y * y}
    third = first | {"c": x}
    first |= {"b": 2.0}
    return first["b"] * second["a"] + third["b"] * third["c"] + second["b"]


def carried(x: float, y: float, k: int) -> float:
    state = {"x": x, "v": 0.0}
    for _ in range(k):
        state["v"] = state["v"] - 0.1 * state["x"] * y
        state = {"x": state["x"] + 0.1 * state["v"], "v": state["v"]}
    return state["x"] * state["v"]


def changed_in_arms(x: float, y: float) -> float:
    d = {"a": x}
    if x > y:
        d["b"] = x * y
    else:
        d["b"] = y
    d["a"] *= y if y > 0.0 else x
    return d["a"] * d["b"]


def _model(scale: float, *, shift: float, power: int = 2) -> float:
    return (scale + shift) ** power


def spread(x: float, y: float) -> float:
    options = {"shift": y, "power": 3}
    return _model(x, **options) + _model(y, shift=x)


def _update(state: dict, x: float) -> None:
    state["n"] += 1
    state["sum"] += x * state["n"]


def helper_changes(x: float, y: float) -> float:
    state = {"n": 0, "sum": 0.0}
    _update(state, x)
    _update(state, y * x)
    return state["sum"] * state["n"]


def _activation(name: str, x: float) -> float:
    match name.lower():
        case "tanh":
            return math.tanh(x)
        case "relu" | "ramp":
            return max(x, 0.0)
        case _:
            return x


def text_selects(x: float, y: float) -> float:
    total = 0.0
    for name in ("TANH", "relu", "none"):
        total += _activation(name, x) * len(name)
        if name.startswith("r") and "e" in name and name in ("relu", "x"):
            total *= y
    key = f"{'w'}{1 + 1}"
    parts = ["ra", "mp"]
    return total * {"w1": x, "w2": y}[key] + _activation("".join(parts), y)


def enum_selects(x: float, y: float) -> float:
    weights = {Kind.LINEAR: x, Kind.SQUARE: y, Kind.CUBE: x * y}
    total = 0.0
    for kind in Kind:
        match kind:
            case Kind.LINEAR:
                total += weights[kind]
            case Kind.SQUARE:
                total += weights[Kind.POWER2] ** 2 * kind.value
            case _:
                total *= weights[kind] if kind.name == "CUBE" else 0.0
    return total * Kind(2).apply(y) * Kind["LINEAR"].apply(x) * len(Kind)


def enum_index(x: Vector) -> float:
    p = [x[0], x[1]]
    p[Axis.X] *= 2.0
    m = np.zeros((2, 3))
    m[Axis.Y, 0] = x[2]
    scaled = x[Axis.Y] * (Axis.Y + 1)
    return p[Axis.X] * p[Axis.Y] + m[1, 0] * scaled if Axis.Y == 1 else 0.0


def values_of_slices(x: Vector, y: Matrix) -> float:
    rest, odd = slice(1, None), slice(1, None, 2)
    inner = (slice(None), slice(0, 2))
    part = x[rest]
    y[inner] *= 2.0
    return np.sum(part[odd] * x[0]) + np.sum(y[inner] * y[:, 1:][:, :2]) + [x[0], x[1]][rest][0]


def values_of_ranges(x: Vector, k: int) -> float:
    r, every = range(1, k + 1), range(0, 4, 2)
    total = 0.0
    for i in r:
        total += x[i] * i
    for i in every:
        total += x[i] ** 2
    return total * x[r[1]] * len(r) + x[every[1]]


def star_and_swap(x: float, y: float) -> float:
    d = {"a": x, "b": y}
    d["a"], d["b"] = d["b"], d["a"]
    (first, *_), last = [[d["a"], 1.0, 2.0], d["b"]]
    pair = (*d.values(), *[first, last])
    return pair[0] * pair[3] + first * last


def mixed_state(x: float, y: float, k: int) -> float:
    state = {"mode": "fast", "t": 0.0, "pos": [x, y]}
    for i in range(k):
        state["t"] += x * i
        if state["mode"] == "fast":
            state["pos"][0] += state["t"]
    return state["t"] * state["pos"][0]


def rebuilt_state(x: float, y: float, k: int) -> float:
    state = {"t": 0.0, "pos": [x, y]}
    for _ in range(k):
        pos = state["pos"]
        state = {"t": state["t"] + 0.1, "pos": [pos[1], pos[0] * x]}
    return state["t"] * state["pos"][0]


def named_values(x: Vector, c: float) -> float:
    """Names and an array: it has as many items as there are names, or more."""
    d = dict(zip("ab", x[:2], strict=False))
    d["c"] = d["a"] * c
    p = {name: v * c for name, v in zip(("mu", "sd"), x, strict=False)}
    return sum(d.values()) * p["mu"] + p["sd"] * len(p)
