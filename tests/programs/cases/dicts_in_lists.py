"""Dicts that lists of run-time length hold, and dicts that a variable holds one after the other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, TypedDict

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]
Pair = Annotated[NDArray[np.float64], "2"]


def simulate(k: float, n: int) -> float:
    history = []
    x = 1.0
    for i in range(n):
        x = x - 0.1 * k * x
        history.append({"t": 0.1 * i, "x": x})
    return sum(row["x"] * row["t"] for row in history) + history[-1]["x"]


class Simulator:
    def __init__(self, k: float):
        self.k = k
        self.x = 1.0
        self.log = []

    def step(self, dt: float) -> None:
        self.x -= self.k * self.x * dt
        self.log.append({"x": self.x, "dt": dt})

    def run(self, n: int) -> float:
        for _ in range(n):
            self.step(0.1)
        return sum(e["x"] for e in self.log)


def simulator(k: float, n: int) -> float:
    s = Simulator(k)
    return s.run(n)


def from_array(xs: Vector) -> float:
    rows = [{"x": x, "sq": x**2} for x in xs]
    best = max(rows, key=lambda r: r["sq"])
    return best["x"] + sum(r["sq"] for r in rows if r["x"] > 0)


def trades(xs: Vector) -> float:
    trades = []
    pos = 0.0
    for i, x in enumerate(xs):
        if x > 1.0:
            trades.append({"day": i, "side": "buy", "price": x})
            pos += 1
        elif x < 0.5:
            trades.append({"day": i, "side": "sell", "price": x})
            pos -= 1
    pnl = 0.0
    for t in trades:
        if t["side"] == "buy":
            pnl -= t["price"]
        else:
            pnl += t["price"]
    return pnl + len(trades)


def late_change(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        row = {"a": x * i, "b": 0.0}
        rows.append(row)
        row["b"] = row["a"] ** 2
    rows[0]["a"] = 7.0 * x
    rows[-1]["b"] += x
    for r in rows:
        r["a"] *= 2.0
    return sum(r["a"] + r["b"] for r in rows)


def views(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append(dict(a=x * i, b=x + i))  # noqa: C408
    s = 0.0
    for r in rows:
        for k, v in r.items():
            s += v if k == "a" else 2.0 * v
        vals = r.values()
        r["a"] = 3.0
        s += sum(vals) * len(r)
        if "b" in r and "c" not in r:
            s += r.get("b", 0.0) + r.get("c", 1.5)
    return s


def filtered(xs: Vector, lo: float) -> float:
    rows = [{"x": x, "y": 2 * x} for x in xs]
    kept = [r for r in rows if r["x"] > lo]
    kept.sort(key=lambda r: -r["y"])
    top = kept[:2]
    for r in top:
        r["y"] = 0.0
    return sum(r["y"] for r in rows) + sum(r["x"] for r in top)


def nested(x: float, n: int) -> float:
    out = []
    for i in range(n):
        out.append({"pos": {"x": x * i, "y": x}, "w": [x, 1.0 * i]})
    return sum(o["pos"]["x"] * o["pos"]["y"] + o["w"][0] * o["w"][1] for o in out)


def record(t: float, state: Pair) -> dict[str, float]:
    return {"t": t, "x": state[0], "v": state[1]}


def logged(y0: Pair, k: float, n: int) -> float:
    y = y0.copy()
    log: list[dict[str, float]] = [record(0.0, y)]
    for i in range(n):
        y = y + 0.1 * np.array([y[1], -k * y[0]])
        log.append(record(0.1 * (i + 1), y))
    return summary(log)


def summary(log: list[dict[str, float]]) -> float:
    return max(r["x"] for r in log) + log[-1]["v"]


def arrays(x: float, n: int) -> float:
    out = []
    for i in range(n):
        out.append({"v": np.array([x, x * i]), "i": i})
    return sum(o["v"].sum() * o["i"] for o in out)


def gaps(xs: Vector) -> float:
    log = []
    for x in xs:
        if x > 0:
            log.append({"x": x, "note": "ok", "extra": None})
        else:
            log.append({"x": -x, "note": "neg", "extra": x * x})
    s = 0.0
    for e in log:
        if e["note"] == "ok":
            s += e["x"]
        if e["extra"] is not None:
            s += e["extra"]
    return s


def copied(x: float, n: int) -> float:
    rows = []
    base = {"a": x, "b": 1.0}
    for i in range(n):
        row = dict(base)
        row["a"] = x * i
        rows.append(row)
        rows.append({**base, "b": 2.0 * x})
    return sum(r["a"] * r["b"] for r in rows)


def as_columns(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"a": x * i, "b": x})
    a = np.array([r["a"] for r in rows])
    b = np.array([r["b"] for r in rows])
    return float(a @ b)


def maybe_none_appended(x: float, n: int) -> float:
    rows = []
    for _ in range(n):
        if x > 100:
            rows.append({"a": x})
    if not rows:
        return x * x
    return rows[0]["a"]


def queue(x: float, n: int) -> float:
    events = [{"t": 0.0, "kind": "start", "size": x}]
    total = 0.0
    k = 0
    while events and k < n:
        ev = events.pop(0)
        k += 1
        if ev["kind"] == "start":
            events.append({"t": ev["t"] + 1.0, "kind": "grow", "size": ev["size"] * 1.5})
        elif ev["kind"] == "grow":
            total += ev["size"] * ev["t"]
            events.append({"t": ev["t"] + 0.5, "kind": "start", "size": ev["size"] * x})
    return total


def best_of(xs: Vector) -> float:
    best = None
    for i, x in enumerate(xs):
        cand = {"i": i, "score": np.sin(x), "x": x}
        if best is None or cand["score"] > best["score"]:
            best = cand
    return best["x"] * best["score"]


def compared(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"a": x, "b": i})
    s = 0.0
    for r in rows:
        if r == {"a": x, "b": 1}:
            s += r["a"]
        if r == rows[0]:
            s += 10 * x
    return s


class Recorder:
    def __init__(self, k):
        self.k = k
        self.history = []

    def record(self, **kw):
        self.history.append(kw)

    def run(self, n: int) -> float:
        x = 1.0
        for i in range(n):
            x *= 1 - self.k
            self.record(t=i * 0.1, x=x)
        return sum(h["x"] * h["t"] for h in self.history)


def by_keywords(k: float, n: int) -> float:
    return Recorder(k).run(n)


def passed_on(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"a": x * i, "b": x})
    return sum(product_of(**r) for r in rows)


def product_of(a: float, b: float) -> float:
    return a * b


def schedule(x: float, n: int) -> float:
    previous = {"a": 0.0, "b": 0.0}
    for i in range(n):
        current = {"a": previous["a"] + x, "b": previous["a"] * previous["b"] + x * i}
        previous = current
    return previous["a"] * previous["b"]


@dataclass
class State:
    x: float
    v: float


def as_dicts(x: float, n: int) -> float:
    state, log = State(x, 0.0), []
    for _ in range(n):
        log.append(asdict(state))
        state.v -= 0.1 * state.x
        state.x += 0.1 * state.v
    return sum(one["x"] * one["v"] for one in log) + state.x


class Sample(TypedDict):
    t: float
    value: float


def typed(x: float, n: int) -> float:
    samples: list[Sample] = []
    for k in range(n):
        samples.append(Sample(t=0.1 * k, value=x * k))
    samples.append({"t": 9.0, "value": x})
    return sum(s["t"] * s["value"] for s in samples)


def one_of_two(x: float, y: float) -> float:
    chosen = {"rate": x, "size": 2.0} if x > y else {"rate": y, "size": x}
    chosen["rate"] *= 3.0
    return chosen["rate"] * chosen["size"]


def is_a_dict(x: float, n: int) -> float:
    rows = []
    for k in range(n):
        rows.append({"a": x * k})
    return sum(row["a"] if isinstance(row, dict) else 0.0 for row in rows)


def joined(x: float, n: int) -> float:
    rows = []
    for k in range(n):
        rows.append({"a": x * k, "b": x})
    more = [{**row, "c": row["a"] * row["b"]} for row in rows]
    both = [row | {"a": 2.0} for row in rows]
    return sum(one["c"] for one in more) + sum(one["a"] * one["b"] for one in both)


def absent_key(x: float, n: int) -> float:
    rows = []
    for k in range(n):
        rows.append({"a": x * k, "b": x})
    total = 0.0
    for row in rows:
        for key in ("a", "b"):
            total += row[key]
        try:
            total += row["c"]
        except KeyError:
            total -= x
    return total


def same_dict_twice(x: float, n: int) -> float:
    row = {"a": x}
    rows = []
    for _ in range(n):
        rows.append(row)
    rows[0]["a"] += 1.0
    return sum(one["a"] for one in rows) * row["a"]


def by_group(xs: Vector) -> float:
    groups: dict[int, list[dict[str, float]]] = {}
    for k, x in enumerate(xs):
        groups.setdefault(k % 2, []).append({"x": x, "w": 1.0 + k})
    return sum(sum(one["x"] * one["w"] for one in group) * key for key, group in groups.items())


def set_default(x: float, n: int) -> float:
    rows = []
    for k in range(n):
        rows.append({"a": x * k, "b": 1.0})
    return sum(row.setdefault("a", 2.0) * row.setdefault("b", x) for row in rows)


class Span:
    def __init__(self, lo: float, hi: float):
        self.lo, self.hi = lo, hi

    def __contains__(self, x: float) -> bool:
        return self.lo <= x < self.hi


def in_spans(xs: Vector) -> float:
    spans = [Span(0.3 * k, 0.3 * k + 0.2) for k in range(len(xs))]
    return sum(x * span.hi for span in spans for x in xs if x in span)


def updated(x: float, n: int) -> float:
    rows = []
    for k in range(n):
        rows.append({"a": x * k, "b": 1.0})
    rows[0] |= {"a": x}
    rows[-1].update(b=x, a=2.0)
    return sum(row["a"] * row["b"] for row in rows)


class Bag:
    def __init__(self) -> None:
        self.held = {1: 0.0, 2: 0.0}

    def __getitem__(self, key: int) -> float:
        return self.held.get(key, 7.0)

    def __delitem__(self, key: int) -> None:
        del self.held[key]


def deleted(x: float) -> float:
    bag = Bag()
    bag.held[1] = x
    del bag[2]
    return bag[1] * bag[2]


def all_keys(x: float, n: int) -> float:
    rows = []
    for k in range(n):
        rows.append(dict(size=x * k, parts=[x, 1.0 * k]))  # noqa: C408
    return sum(len(row) * row["size"] + len(list(row.keys())) for row in rows)


def one_dict_twice(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        r = {"a": x * i, "n": 0}
        rows.append(r)
        rows.append(r)
    rows[0]["a"] += 5.0
    s = 0.0
    for i in range(len(rows) - 1):
        if rows[i] is rows[i + 1]:
            s += rows[i + 1]["a"]
    other = rows[:]
    other[1]["a"] = 7.0 * x
    third = list(rows)
    third.pop()
    return s + rows[0]["a"] + len(third) * x


def widened(x: float, n: int) -> float:
    rows = []
    for _i in range(n):
        rows.append({"count": 0, "tot": 0})
    for r in rows:
        r["count"] += 1
        r["tot"] += x
        r["count"] += 0.5
    return sum(r["count"] * r["tot"] for r in rows)


def in_order(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"b": x, "a": 1.0 + i})
    s = 0.0
    for r in rows:
        for j, k in enumerate(r):
            s += (j + 1) * r[k]
        p, q = r.values()
        s += p * 3 - q
        if r == {"a": 1.0, "b": x}:
            s += 100 * x
        s += r[max(r, key=r.get)]
        s += sum(r.values()) * ("a" in r)
        if r:
            s += x
    return s


def bumped(row: dict[str, float], by: float) -> dict[str, float]:
    row["a"] += by
    return row


def changed_by_a_helper(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"a": x * i, "b": 1.0})
    for r in rows:
        q = bumped(r, x)
        q["b"] *= 2.0
    return sum(r["a"] * r["b"] for r in rows)


def swapped(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"a": x * i, "b": 1.0})
    rows[0], rows[-1] = rows[-1], rows[0]
    rows[0]["b"] = x
    rows[-1] = {"a": 3.0, "b": x}
    return sum(r["a"] * r["b"] * (k + 1) for k, r in enumerate(rows))


def one_of_several(x: float, n: int) -> float:
    a = {"p": x, "q": 1.0}
    b = {"p": 2 * x, "q": 3.0}
    best = a
    for i in range(n):
        cand = {"p": x + i, "q": x * i}
        if cand["q"] > best["q"]:
            best = cand
        elif i == 1:
            best = b
        best["p"] += 0.5
    return best["p"] * best["q"] + a["p"] + b["p"]


def before_and_now(x: float, n: int) -> float:
    prev = {"t": 0.0, "v": x}
    hist = [prev]
    for _i in range(n):
        cur = {"t": prev["t"] + 0.1, "v": prev["v"] * 0.9}
        prev["v"] += 1.0
        hist.append(cur)
        prev = cur
    return sum(h["v"] * h["t"] for h in hist) + hist[0]["v"]


def area(row: dict[str, float]) -> float:
    return row["a"] * row["b"]


def given_to_a_helper(x: float, n: int) -> float:
    rows = []
    for i in range(n):
        rows.append({"a": x * i, "b": 1.0 + x})
    return sum(area(r) for r in rows) + area({"a": x, "b": 2.0}) + area(rows[0])
