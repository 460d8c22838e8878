"""Lists and dicts of lists, dicts and tuples as parameters and results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Point:
    a: float
    b: float


@dataclass
class Item:
    name: str
    x: float


def turnover(rows: list[dict[str, float]]) -> float:
    return sum(r["price"] * r["quantity"] for r in rows)


def looked_through(rows: list[dict[str, float]]) -> float:
    total = 0.0
    for r in rows:
        total += r["price"] * r.get("quantity", 1.0) * (2.0 if "fee" in r else 1.0)
        for k, v in r.items():
            total += v * len(r) * (3.0 if k == "fee" else 1.0)
    return total + rows[0]["price"]


def column_of(rows: list[dict[str, float]]) -> float:
    xs = np.array([r["price"] for r in rows])
    return xs.mean() * xs.std()


def adjacency(g: list[list[tuple[int, float]]]) -> float:
    total = 0.0
    for i, row in enumerate(g):
        for j, w in row:
            total += i * w * w * j
    return total + len(g[0]) + g[0][0][1]


def dicts_by_name(w: dict[str, dict[str, float]]) -> float:
    return sum(sum(v.values()) for v in w.values()) + w["one"]["two"]


def written_out(params: dict[str, dict[str, float]]) -> float:
    return params["one"]["two"] * params["three"]["one"]


def edges_by_number(w: dict[int, list[tuple[int, float]]]) -> float:
    total = 0.0
    for k, row in w.items():
        for j, v in row:
            total += k * v * v + j
    return total


def dicts_by_number(w: dict[int, dict[int, float]]) -> float:
    return sum(v * v * k for d in w.values() for k, v in d.items())


def objects_by_name(w: dict[str, Point]) -> float:
    return sum(p.a * p.b for p in w.values()) * w["one"].a


def objects_with_text(w: dict[str, Item]) -> float:
    return sum(p.x for p in w.values() if p.name != "other")


def rows_of_pairs(w: list[tuple[tuple[int, float], ...]]) -> float:
    return sum(v * k for row in w for k, v in row)


def pairs_given(rows: list[list[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    return [[(a * b, a) for a, b in row] for row in rows]
