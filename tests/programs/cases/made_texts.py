"""Texts that are made of numbers of the run: names of objects, keys, notes in lists."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Unit:
    name: str
    cost: float
    limit: float


def named(x: float, n: int) -> float:
    unit = Unit(f"unit {n}", x, 2.0)
    return unit.cost * unit.limit


def in_objects(xs: list[float]) -> float:
    units = [Unit(f"unit {i}", x, 2.0 * x) for i, x in enumerate(xs)]
    return sum(u.cost * u.limit for u in units if u.name != "unit 1")


def appended(xs: list[float]) -> float:
    units = []
    for i, x in enumerate(xs):
        units.append(Unit(name="u" + str(i), cost=x, limit=x))
    total = 0.0
    for u in units:
        if u.limit < -9.0:
            raise ValueError(f"{u.name} has no limit")
        total += u.cost * u.limit
    return total


def as_keys(xs: list[float]) -> float:
    found = {}
    for i, x in enumerate(xs):
        found[f"x{i}"] = x * x
    total = found["x0"] + 2.0 * found["x2"]
    for key, value in found.items():
        if key == "x1":
            total += math.sin(value)
    return total + ("x7" in found)


def padded(x: float, n: int) -> float:
    total = 0.0
    for i in range(-2, 3 * n):
        for name in (f"t{i:03d}/a", "t%d/a" % i, "t{}/a".format(i), f"t{i}" + "/a"):  # noqa: UP031, UP032
            if name in ("t007/a", "t-02/a", "t-2/a", "t7/a", "t0/a"):
                total += x * (i + 3)
    return total


def of_the_caller(names: list[str], xs: list[float]) -> float:
    total = 0.0
    for i in range(len(xs)):
        for name, x in zip(names, xs, strict=True):
            if name == f"node{i}":
                total += x * (i + 1)
    return total


def looked_up(params: dict[str, float], n: int, x: float) -> float:
    total = 0.0
    for i in range(n):
        total += params[f"k{i}"] * x**i
    return total


def kept_notes(xs: list[float]) -> float:
    notes = []
    total = 0.0
    for i, x in enumerate(xs):
        total += x * x
        notes.append(f"step {i}: {total:.3f}")
        if x < -9.0:
            notes.append(f"{x} is small")
    if len(notes) > 9:
        raise ValueError("; ".join(notes))
    return total * len(notes)


def under_a_name(x: float, n: int) -> float:
    last, total = "", 0.0
    for i in range(2 * n):
        label = f"s{i // 2}"
        if label == last:
            total += x * i
        last = label
    other = f"a{n}" if n > 2 else "b"
    return total * 2.0 if other == "a3" else total


def with_braces(x: float, n: int) -> float:
    table = {"{x3}": 1.0, "x%3": 2.0}
    return x * table[f"{{x{n}}}"] + table["x%%%d" % n]  # noqa: UP031


def in_sets_and_tuples(xs: list[float]) -> float:
    seen = set()
    for i in range(len(xs)):
        seen.add(f"k{i % 2}")
    rows = [(f"r{i}", x) for i, x in enumerate(xs)]
    return sum(x * x for name, x in rows if name != "r1") * len(seen)


def behind_a_name(params: dict[str, float], names: list[str]) -> float:
    return sum(params[f"{name}0"] * params[name + "1"] for name in names)


def with_indices(names: list[str], x: float, n: int) -> float:
    found = {}
    for k, name in enumerate(names):
        for i in range(n):
            found[f"{name}[{i:02d}]"] = x * i + k
    return sum(found[f"{names[0]}[{i:02d}]"] * i for i in range(n))


class Layer:
    def __init__(self, name: str, gain: float):
        self.name, self.gain = name, gain


def by_layer(params: dict[str, float], x: float) -> float:
    layers = [Layer("k", x), Layer("m", x * x)]
    total = 0.0
    for layer in layers:
        key = f"{layer.name}2"
        total += params[key] * layer.gain if key in params else x
    return total


def with_an_end(x: float, kind: str) -> float:
    name = kind + "_rate"
    if name == "text_rate":
        return x * x
    return x


def with_an_end_filled_in(x: float, kind: str) -> float:
    name = f"{kind}.w"
    return x * x if name in ("call.w", "text.w") else x
