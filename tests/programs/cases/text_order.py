"""Texts in order, and loops over sets of texts."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple


@dataclass
class Asset:
    name: str
    weight: float


def over_sorted(weights: dict[str, float], x: float) -> float:
    total = 0.0
    for k, name in enumerate(sorted(weights)):
        total = total * x + (k + 1.0) * weights[name]
    return total


def over_items(weights: dict[str, float], x: float) -> float:
    total = 0.0
    for name, w in sorted(weights.items()):
        total = total * x + w * w
        if name == "cash":
            total += x
    return total


def first_and_last(weights: dict[str, float]) -> float:
    return weights[min(weights)] * 3.0 + weights[max(weights)] ** 2


def compared(a: str, b: str, x: float) -> float:
    if a < b:
        return x * x
    if a >= "m":
        return math.sin(x)
    return 3.0 * x


def of_objects(assets: list[Asset], x: float) -> float:
    total = 0.0
    for a in sorted(assets, key=lambda a: a.name):
        total = total * x + a.weight
    return total


def by_weight_then_name(assets: list[Asset], x: float) -> float:
    total = 0.0
    for a in sorted(assets, key=lambda a: (-a.weight, a.name)):
        total = total * x + a.weight
    return total


def most_common(words: list[str], xs: list[float]) -> float:
    counts: dict[str, int] = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    best = max(counts, key=counts.get)
    total = 0.0
    for w, x in zip(words, xs, strict=False):
        if w == best:
            total += x * x
    return total


def most_common_tied(words: list[str], xs: list[float]) -> float:
    counts: dict[str, int] = {}
    for w in words:
        counts[w] = counts.get(w, 0) + 1
    best = max(sorted(counts), key=lambda w: counts[w])
    total = 0.0
    for w, x in zip(words, xs, strict=False):
        if w == best:
            total += x * x
    return total


def of_a_set(names: list[str], xs: list[float]) -> float:
    total = 0.0
    for k, name in enumerate(sorted(set(names))):
        for other, x in zip(names, xs, strict=False):
            if other == name:
                total += (k + 1) * x * x
    return total


def over_a_set(names: list[str], xs: list[float]) -> float:
    total = 0.0
    for name in set(names):
        part = 0.0
        for other, x in zip(names, xs, strict=False):
            if other == name:
                part += x
        total += part * part
    return total


def sum_of_set(weights: dict[str, float], names: list[str]) -> float:
    wanted = set(names)
    return sum(weights[n] ** 2 for n in wanted)


def grouped(words: list[str], xs: list[float]) -> float:
    groups: dict[str, list[float]] = {}
    for w, x in zip(words, xs, strict=False):
        groups.setdefault(w, []).append(x)
    total = 0.0
    for key in sorted(groups.keys()):
        total = 0.5 * total + sum(groups[key]) ** 2
    return total


def chosen(x: float, up: bool) -> float:
    a = "left" if up else "right"
    b = "mid" if x > 1.0 else "low"
    if a < b:
        return x * x
    return 2.0 * x


def of_known(x: float) -> float:
    w = {"b": x, "a": 2.0 * x, "c": x * x}
    names = []
    for name in w:
        if w[name] > 1.0:
            names.append(name)
    names.sort()
    total = 0.0
    for n in names:
        total = total * x + w[n]
    return total


def edges(graph: dict[tuple[str, str], float], x: float) -> float:
    total = 0.0
    for (_a, _b), w in sorted(graph.items()):
        total = total * x + w * w
    return total


def tuples(pairs: list[tuple[str, float]], x: float) -> float:
    total = 0.0
    for _name, w in sorted(pairs):
        total = total * x + w
    return total


def _less(a: str, b: str) -> bool:
    return a < b


def by_helper(a: str, b: str, x: float) -> float:
    return x * x if _less(a, b) else x


def best_of(scores: dict[str, float]) -> float:
    best, value = max(scores.items(), key=lambda kv: (kv[1], kv[0]))
    return value * (2.0 if best == "ann" else 1.0)


def union(a: dict[str, float], b: dict[str, float]) -> float:
    total = 0.0
    for name in sorted(set(a) | set(b)):
        total = 0.5 * total + a.get(name, 0.0) * b.get(name, 1.0)
    return total


def common(a: dict[str, float], b: dict[str, float]) -> float:
    return sum(a[k] * b[k] for k in set(a) & set(b))


def keys_and(a: dict[str, float], b: dict[str, float]) -> float:
    total = 0.0
    for k in a.keys() & b.keys():
        total += a[k] * b[k]
    return total


def all_wanted(params: dict[str, float], wanted: list[str]) -> float:
    if set(wanted) - set(params):
        raise ValueError("some are missing")
    return sum(params[k] ** 2 for k in wanted)


def nearest_first(far: dict[str, float], seen: list[str]) -> float:
    left = set(far) - set(seen)
    total = 0.0
    while left:
        u = min(left, key=lambda n: far[n])
        left.remove(u)
        total = 0.5 * total + far[u]
    return total


def nearest_of_known(x: float) -> float:
    far = {"a": x, "b": 2.0, "c": x * x}
    left = set(far)
    total = 0.0
    while left:
        u = min(left, key=lambda n: far[n])
        left.remove(u)
        total = 0.5 * total + far[u]
    return total


def ranked(scores: dict[str, float]) -> float:
    total = 0.0
    for k, (_name, v) in enumerate(sorted(scores.items(), key=lambda kv: (-kv[1], kv[0]))):
        total += v / math.log2(k + 2.0)
    return total


def between_either_way(a: list[str], b: list[str], w: list[float]) -> float:
    table: dict[tuple[str, str], float] = {}
    for u, v, x in zip(a, b, w, strict=False):
        key = (u, v) if u < v else (v, u)
        table[key] = table.get(key, 0.0) + x
    return sum(v * v for v in table.values())


def between_sorted(a: list[str], b: list[str], w: list[float]) -> float:
    table: dict[tuple[str, ...], float] = defaultdict(float)
    for u, v, x in zip(a, b, w, strict=False):
        table[tuple(sorted((u, v)))] += x
    return sum(v * v for v in table.values())


def by_text_and_number(a: list[str], w: list[float]) -> float:
    table: dict[tuple[str, int], float] = {}
    for i, x in enumerate(w):
        table[a[0], i % 2] = x
    table["x", 3] = 2.0 * w[0]
    there = 2.0 if ("x", 3) in table else 1.0
    return sum(v * v * k[1] * there for k, v in table.items() if k[0] != "q")


def paired(a: list[str], w: list[float]) -> dict[tuple[str, str], float]:
    table: dict[tuple[str, str], float] = {}
    for u, x in zip(a, w, strict=False):
        table[u, "second"] = x * x
    return table


class Place(NamedTuple):
    name: str
    year: int


def by_place(a: list[str], w: list[float]) -> float:
    table: dict[Place, float] = {}
    for i, (name, x) in enumerate(zip(a, w, strict=False)):
        key = Place(name, i % 2)
        table[key] = table.get(key, 0.0) + x
    total = 0.0
    for key in sorted(table, key=lambda k: (k.year, k.name)):
        total = total * 0.5 + table[key] * (2.0 if key.year else 1.0)
    return total


def by_sector(assets: list[Asset]) -> float:
    groups: dict[str, list[Asset]] = defaultdict(list)
    for a in assets:
        groups[a.name].append(a)
    total = 0.0
    for name in sorted(groups):
        part = 0.0
        for a in sorted(groups[name], key=lambda a: (a.name, -a.weight)):
            part = 0.5 * part + a.weight
        total = 0.8 * total + part
    return total * len(groups)


def sorted_groups(assets: list[Asset]) -> float:
    groups: dict[str, list[Asset]] = {}
    for a in assets:
        groups.setdefault(a.name, []).append(a)
    total = 0.0
    for _name, members in sorted(groups.items()):
        total = 0.8 * total + sum(a.weight for a in members)
    return total
