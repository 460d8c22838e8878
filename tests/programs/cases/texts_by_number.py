"""Texts of the caller's: in objects and tuples that lists hold, in lists, and on their own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Order:
    side: str
    quantity: float
    price: float
    note: str = ""


@dataclass(frozen=True)
class Fill:
    name: str
    value: float


@dataclass
class Leg:
    kind: str
    notional: float
    next: Leg | None = None


def cash(orders: list[Order]) -> float:
    total = 0.0
    for o in orders:
        if o.side == "buy":
            total -= o.quantity * o.price
        else:
            total += o.quantity * o.price
    return total


def in_tuples(items: list[tuple[str, float]]) -> float:
    total = 0.0
    for name, v in items:
        if name == "one":
            total += v
        else:
            total -= v * v
    return total


def names_given(names: list[str], w: dict[str, float]) -> float:
    return sum(w[k] for k in names)


def name_given(w: dict[str, float], which: str) -> float:
    return w.get(which, 0.5) * len(w)


def totals(fills: list[Fill]) -> float:
    found: dict[str, float] = {}
    for f in fills:
        found[f.name] = found.get(f.name, 0.0) + f.value
    return max(found.values()) * len(found)


def totals_given(fills: list[Fill]) -> dict[str, float]:
    found: dict[str, float] = {}
    for f in fills:
        found[f.name] = found.get(f.name, 0.0) + f.value
    return found


def selected(fills: list[Fill], which: str) -> float:
    return sum(f.value * f.value for f in fills if f.name == which)


def zipped(names: list[str], values: list[float]) -> float:
    return sum(v for n, v in zip(names, values, strict=True) if n != "one")


def tuple_of_names(names: tuple[str, ...], values: list[float]) -> float:
    return sum(v * len(names) for n, v in zip(names, values, strict=True) if n in ("one", "b"))


def changed_in_place(orders: list[Order]) -> float:
    for o in orders:
        if o.side not in ("buy", "two", "text"):
            raise ValueError("an unknown side")
        o.price *= 2.0
    return sum(o.price for o in orders if o.side == "text")


def sides_turned(orders: list[Order]) -> float:
    for o in orders:
        o.side = "sell" if o.side == "text" else "text"
    return sum(o.price * o.quantity for o in orders if o.side == "sell")


def both_alike(a: str, b: str, x: float) -> float:
    return x if a == b else x * x


def seen_once(fills: list[Fill]) -> float:
    seen, total = set(), 0.0
    for f in fills:
        if f.name in seen:
            continue
        seen.add(f.name)
        total += f.value * f.value
    return total


def last_name(fills: list[Fill], w: float) -> float:
    name = "none"
    for f in fills:
        if f.value > 0.3:
            name = f.name
    return w * w if name == "none" else w


def legs(first: Leg | None) -> float:
    total, leg = 0.0, first
    while leg is not None:
        total += leg.notional if leg.kind == "text" else -leg.notional
        leg = leg.next
    return total


def prices_by_name(orders: list[Order], prices: dict[str, float]) -> float:
    value = 0.0
    for o in orders:
        value += o.quantity * prices.get(o.side, o.price)
    return value


@dataclass(frozen=True)
class Reaction:
    orders: dict[str, int]
    rate: float


@dataclass(frozen=True)
class Step:
    reaction: Reaction
    weights: dict[str, float]


PLACES = {"one": 0, "two": 1, "three": 2}


def integers_by_name(reactions: list[Reaction], c: list[float]) -> float:
    total = 0.0
    for r in reactions:
        flow = r.rate
        for name, order in r.orders.items():
            flow *= c[PLACES[name]] ** order
        total += flow
    return total


def beside_floats_by_name(steps: list[Step]) -> float:
    total = 0.0
    for s in steps:
        for name, order in s.reaction.orders.items():
            total += s.weights.get(name, 0.5) ** order * s.reaction.rate
    return total


SCALES = {"m": 1.0, "km": 1e-3, "CM": 100.0}
SECONDS = {"s": 1, "min": 60, "h": 3600}


def by_beginning(names: list[str], xs: list[float]) -> float:
    total = 0.0
    for k, name in enumerate(names):
        if name.startswith(("o", "zz")) and len(name) > 2:
            total += xs[0] ** (k + 1)
        elif name.endswith("o") or "hre" in name:
            total += 3.0 * xs[-1]
        else:
            total += name.count("e") * xs[1] + name.find("r")
    return total


def speed(x: float, text: str) -> float:
    sign = -1.0 if text[:1] == "-" else 1.0
    length, time = text.removeprefix("-").split("/")
    return sign * x * SCALES[length.strip()] / SECONDS[time.strip()] * x


def turned(x: float, unit: str) -> float:
    short = unit.replace(".", "").upper()
    return x * x if short not in SCALES else x * SCALES[short] + len(short)


def words(text: str, x: float) -> float:
    total = 0.0
    for word in text.split():
        total = total * x + len(word) + (x if word.isdigit() else 0.0)
    return total * x ** len(text.split(","))


def by_group(w: dict[str, float]) -> dict[str, float]:
    groups: dict[str, float] = {}
    for name, v in w.items():
        group = name[0].upper()
        groups[group] = groups.get(group, 0.0) + v * v
    return groups


def by_sector(w: dict[str, float], sectors: dict[str, str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, v in w.items():
        sector = sectors.get(name, "other")
        if sector.startswith("o"):
            found[sector] = found.get(sector, 0.0) + v * v
    return found


def after_others(w: dict[str, float], after: dict[str, list[str]]) -> float:
    total = 0.0
    for name, v in w.items():
        for other in after.get(name, []):
            total += v * w[other]
    return total * len(after["one"])
