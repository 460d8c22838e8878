"""Lists of TypedDicts as parameters, and lists of dicts as results."""

from __future__ import annotations

from typing import Annotated, TypedDict

import numpy as np
from numpy.typing import NDArray

Vector = Annotated[NDArray[np.float64], "n"]


class Trade(TypedDict):
    price: float
    qty: float
    side: str


class Bond(TypedDict):
    face: float
    coupon: float
    years: int


class Arrays(TypedDict):
    w: Vector
    b: float


def pnl(trades: list[Trade]) -> float:
    s = 0.0
    for t in trades:
        if t["side"] == "buy":
            s -= t["price"] * t["qty"]
        else:
            s += t["price"] * t["qty"]
    return s


def highest(trades: list[Bond]) -> float:
    b = max(trades, key=lambda t: t["coupon"])
    return b["face"] * b["coupon"]


def discounted(trades: list[Bond], r: float) -> float:
    s = 0.0
    for k, b in enumerate(sorted(trades, key=lambda b: b["years"])):
        s += b["face"] * (1 + r) ** (-b["years"]) * (k + 1)
    return s


def raised(bonds: list[Bond], r: float) -> float:
    for b in bonds:
        b["face"] *= 1 + r
    return sum(b["face"] * b["coupon"] for b in bonds)


def kept_ones(bonds: list[Bond], r: float) -> float:
    long = [b for b in bonds if b["years"] > 2]
    cur = bonds[0]
    for b in bonds:
        if b["coupon"] > cur["coupon"]:
            cur = b
    return sum(b["face"] for b in long) * cur["coupon"] + r


def valued(bonds: list[Bond], r: float) -> float:
    out = []
    for b in bonds:
        out.append({"pv": b["face"] / (1 + r), "w": b["coupon"]})
    return sum(o["pv"] * o["w"] for o in out)


def copies(bonds: list[Bond], r: float) -> float:
    bonds = [dict(one) for one in bonds]
    for b in bonds:
        b["face"] *= 1 + r
    return sum(b["face"] * b["coupon"] for b in bonds)


def joined_with_one(bonds: list[Bond], r: float) -> float:
    more = [*bonds, {"face": r, "coupon": 2.0, "years": 1}]
    return sum(b["face"] * b["coupon"] for b in more)


def made_here(n: int, r: float) -> list[Bond]:
    return [Bond(face=r * k, coupon=2.0, years=k) for k in range(n)]


def of_any_keys(n: int, r: float) -> list[dict[str, float]]:
    out = []
    for k in range(n):
        out.append({"face": r * k, "coupon": 2.0})
    return out


def made_one_by_one(x: float, r: float) -> list[Bond]:
    return [{"face": r, "coupon": x, "years": 1}, Bond(face=x * r, coupon=2.0, years=2)]


def beside_a_number(x: float, n: int) -> tuple[float, list[dict[str, float]]]:
    log = []
    for k in range(n):
        x = x * 0.9
        log.append({"t": 0.1 * k, "x": x})
    return x, log


def run_layers(layers: list[Arrays], x: Vector) -> float:
    for layer in layers:
        x = np.tanh(layer["w"] * x + layer["b"])
    return float(x.sum())


def pv(b: Bond, r: float) -> float:
    return b["face"] * (1 + r) ** (-b["years"]) + b["coupon"]


def present_value(bonds: list[Bond], r: float) -> float:
    return sum(pv(b, r) for b in bonds)


def made(face: float) -> Bond:
    return {"face": face, "coupon": 2.0, "years": 3}


def made_and_given(x: float, n: int) -> float:
    bonds = [made(x * k) for k in range(n)]
    bonds.append(made(1.0))
    return present_value(bonds, 0.1 * x)
