"""Dicts of any length as parameters and results: their keys are integers, or tuples of these."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np
from kinds import Vec


def weighted_by_keys(d: dict[int, float]) -> float:
    total = 0.0
    for k, v in d.items():
        total += k * v * v
    return total


def looked_up(d: dict[int, float], i: int) -> float:
    return d.get(i, 1.0) * sum(d.values()) + len(d)


def largest(d: dict[int, float]) -> float:
    return max(d[k] for k in d) * (2.0 if 3 in d else 1.0)


def in_order(d: dict[int, float]) -> float:
    total = 0.0
    for k in sorted(d):
        total = total * 0.5 + d[k]
    return total


def two_of_them(d: dict[int, float], e: dict[int, float]) -> float:
    return sum(v * e[k] for k, v in d.items() if k in e) + len(e)


def missing(d: dict[int, float], x: float) -> float:
    try:
        return d[77] * x
    except KeyError:
        return x * x


def edges(d: dict[tuple[int, int], float], x: Vec) -> float:
    total = 0.0
    for (i, j), w in d.items():
        total += w * (x[i % 5] - x[j % 5]) ** 2
    return total


def lists_in_it(d: dict[int, list[float]]) -> float:
    total = 0.0
    for k, row in d.items():
        for v in row:
            total += k * v * v
    return total


def graph(d: dict[int, list[int]], x: Vec) -> float:
    total = 0.0
    for i, others in d.items():
        for j in others:
            total += x[i % 5] * x[j % 5]
    return total


def arrays_in_it(d: dict[int, Vec], x: Vec) -> float:
    total = 0.0
    for k, row in d.items():
        total += k * (row * x).sum()
    return total


def pairs_in_it(d: dict[int, tuple[float, float]]) -> float:
    return sum(a * b for a, b in d.values())


def may_be_none(d: dict[int, float] | None, x: float) -> float:
    if d is None:
        return x
    return x * sum(d.values())


def copied(d: dict[int, float], x: float) -> float:
    e = dict(d)
    e[77] = x
    return sum(e.values()) * e.pop(77) + len(d)


def written(d: dict[int, float], x: float) -> float:
    d[77] = x
    for k in d:
        d[k] *= x
    return sum(d.values()) * d.pop(77)


# ---- results ------------------------------------------------------------------------------------


def made(x: float, n: int) -> dict[int, float]:
    return {i * i: x * i for i in range(n)}


def counted(x: Vec) -> dict[int, float]:
    found: dict[int, float] = {}
    for i, v in enumerate(x):
        found[i // 2] = found.get(i // 2, 0.0) + v * v
    return found


def known(x: float) -> dict[int, float]:
    return {1: x, 5: x * x}


def rescaled(d: dict[int, float], x: float) -> dict[int, float]:
    return {k: v * x for k, v in d.items()}


def lists_given(x: float, n: int) -> dict[int, list[float]]:
    return {i: [x * j for j in range(i)] for i in range(n)}


def with_a_number(d: dict[tuple[int, int], float]) -> tuple[float, dict[tuple[int, int], float]]:
    return sum(d.values()), {(j, i): np.sin(v) for (i, j), v in d.items()}


# ---- keys that are texts ------------------------------------------------------------------------


def weighted(w: dict[str, float], r: dict[str, float]) -> float:
    return sum(w[k] * r[k] for k in w)


def by_name(w: dict[str, float], r: dict[str, float]) -> float:
    total = 0.0
    for name, v in w.items():
        if name == "cash":
            total += v
        elif name in r:
            total += v * r[name]
    return total


def name_of_the_largest(w: dict[str, float]) -> float:
    best, at = -1.0, ""
    for k, v in w.items():
        if v > best:
            best, at = v, k
    return w[at] * 2.0 + w[max(w, key=lambda k: w[k])]


def mean_and_default(w: dict[str, float]) -> float:
    return sum(w.values()) / len(w) + w.get("cash", 0.5)


def new_name(w: dict[str, float], x: float) -> float:
    w["total"] = x * sum(w.values())
    return w["total"] * x


def arrays_by_name(w: dict[str, Vec]) -> float:
    return sum((v**2).sum() for v in w.values())


def filled_by_name(w: dict[str, float], x: float) -> float:
    out = {}
    for k, v in w.items():
        out[k] = v * x
    return sum(out.values()) * out["cash"] if "cash" in out else x


def short_loop(w: dict[str, float]) -> float:
    total = 0.0
    for k in ("one", "two"):
        total += w[k] * w[k]
    return total


def _all_of(w: dict[str, float]) -> float:
    return sum(w.values())


def through_a_helper(w: dict[str, float]) -> float:
    return _all_of(w) ** 2


def kinds_of_tests(w: dict[str, float]) -> float:
    total = 1.0
    for k in w:
        if k:
            total *= w[k]
        if k != "one" and k not in ("two", "three"):
            total *= 2.0
        if k is None or k == 3 or isinstance(k, float):
            total *= 100.0
        if isinstance(k, str):
            total *= 3.0
    return total


def in_a_known_dict(w: dict[str, float], x: float) -> float:
    d = {"one": x, "b": x * x}
    total = 0.0
    for k, v in w.items():
        if k in d:
            total += d[k] * v
        total += d.get(k, 2.0)
    return total


def names_in_a_list(w: dict[str, float]) -> float:
    names = list(w)
    positive = [k for k in w if w[k] > 0.0]
    return w[names[0]] * sum(w[k] for k in positive) * len(set(names))


def quantities(w: dict[str, tuple[float, int]]) -> float:
    return sum(price * count for price, count in w.values())


def shares(w: dict[str, float]) -> dict[str, float]:
    total = sum(w.values())
    return {k: v / total for k, v in w.items()}


def shares_and_rest(w: dict[str, float], x: float) -> tuple[float, dict[str, float]]:
    found = {"rest": x}
    for k, v in w.items():
        found[k] = v * x
    return sum(found.values()), found


def returns_by_name(prices: dict[str, list[float]]) -> dict[str, list[float]]:
    out: dict[str, list[float]] = {}
    for k, v in prices.items():
        row = []
        for a, b in pairwise(v):
            row.append(b / a - 1.0)
        out[k] = row
    return out


def zipped_names(names: list[str], values: Vec) -> dict[str, float]:
    return {**dict(zip(names, values, strict=False)), "rest": values.sum()}


def table_of_pairs(rates: list[tuple[str, float]], x: float) -> float:
    table = dict(rates)
    return x * table.get("usd", 0.5) + sum(table.values())


def joined_by_sign(a: dict[str, float], b: dict[str, float]) -> float:
    c = a | b
    c.update(a)
    return sum(c.values()) * len(c)


def joined_in_a_display(a: dict[str, float], x: float) -> float:
    c = {"one": x, **a, "cash": 2.0 * x}
    return sum(c.values()) * len(c) + c["one"]


def numbered_pairs(keys: list[int], values: list[float]) -> float:
    d = dict(zip(keys, values, strict=True))
    return sum(k * v for k, v in d.items())


def some_of_several(w: dict[Literal["one", "two", "three"], float]) -> float:
    return w["one"] * sum(w.values())


def best_of(w: dict[str, float]) -> tuple[str, float]:
    best = max(w, key=lambda k: w[k])
    return best, w[best] ** 2


def sorted_pairs(w: dict[str, float]) -> list[tuple[str, float]]:
    return sorted(w.items(), key=lambda kv: kv[1])


def label_of(x: float, name: str) -> tuple[str, str, float]:
    return ("high" if x > 0.5 else "low"), name, x * x


def decayed(w: dict[str, float], a: float, steps: int) -> float:
    levels = dict(w)
    for _ in range(steps):
        levels = {name: max(v - a * v * v, 0.0) for name, v in levels.items()}
    return sum(levels.values()) * levels["one"]


def ranks_by_rounds(links: dict[int, list[int]], a: float, steps: int) -> float:
    ranks = dict.fromkeys(links, 0.25)
    for _ in range(steps):
        new = dict.fromkeys(links, 1.0 - a)
        for page, outs in links.items():
            for out in outs:
                new[out] = new.get(out, 0.0) + a * ranks[page] / len(outs)
        ranks = new
        new[-1] = ranks[1] * a
        if -1 in ranks:
            del ranks[-1]
    return max(ranks.values()) * ranks[1]


_SHARES: dict[str, float] = {"one": 0.4, "two": 0.35}


def given_or_default(w: dict[str, float], shares: dict[str, float] | None = None) -> float:
    known = shares or _SHARES
    total = sum(known.get(name, 0.1) * v * v for name, v in w.items())
    return total / sum(known.values())


def one_of_two_constants(w: dict[str, float], x: float) -> float:
    shares = _SHARES if x > 0.7 else w
    return sum(v * x for name, v in shares.items() if name != "two")


def rounded_shares(w: dict[str, float], n: int, least: float | None = None) -> dict[str, float]:
    shares = {name: round(v * n / 7, 2) + v for name, v in w.items()}
    shares["least"] = 1.5 if least is None else round(least, 1) * w["one"]
    return shares
