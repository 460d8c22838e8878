"""Dicts as parameters: keys that annotations declare, and keys that are written out."""

from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "3"]


class Rates(TypedDict):
    k1: float
    k2: float


class Options(TypedDict, total=False):
    gain: float
    offset: float


class Setup(TypedDict):
    rates: Rates
    x: float
    shift: NotRequired[float]


class Weights(TypedDict):
    w: Annotated[NDArray[np.float64], "n"]
    b: float
    steps: int


@dataclass
class Model:
    rates: Rates
    scale: float

    def at(self, t: float) -> float:
        return self.scale * self.rates["k1"] * np.exp(-self.rates["k2"] * t)


def decayed(t: Vec, params: dict[str, float]) -> float:
    k1 = params["k1"]
    return np.sum(k1 * np.exp(-params["k2"] * t))


def _rate(t: float, p: dict[str, float]) -> float:
    return p["k1"] * t - p["k2"] * t * t


def by_helper(t: float, params: dict[str, float]) -> float:
    return _rate(t, params) + _rate(2.0 * t, p=params)


def in_function(t: float, params: dict[str, float]) -> float:
    def inner(u: float) -> float:
        return params["k1"] * u**2

    return inner(t) + inner(t + params["k2"])


def left_out(t: float, params: dict[str, float]) -> float:
    return params.get("k1", 5.0) * t + params.get("k3", 1.0 + t) * params["k2"]


def asked_for(t: float, params: dict[str, float]) -> float:
    total = 0.0
    if "k1" in params:
        total += params["k1"] * t
    if "k9" not in params:
        total += t * t
    else:
        total -= params["k9"]
    return total * params["k2"]


def tried(t: float, params: dict[str, float]) -> float:
    try:
        k = params["k5"]
    except KeyError:
        k = params["k2"] * 3.0
    return k * t - params["k1"]


def by_branch(t: float, params: dict[str, float]) -> float:
    found = params.get("k7")
    if found is None:
        found = params["k1"] ** 2
    return found * t * params["k2"]


def in_steps(t: float, params: dict[str, float]) -> float:
    y = t
    for _ in range(4):
        y = y + 0.1 * (params["k1"] * y - params["k2"] * y * y)
    return y


class _Decay:
    def __init__(self, params: dict[str, float]) -> None:
        self.params = params

    def at(self, t: float) -> float:
        return self.params["k1"] * np.exp(-self.params["k2"] * t)


def in_method(t: float, params: dict[str, float]) -> float:
    a, b = params["k1"], params["k2"]
    return _Decay(params).at(t) + a * b


def beside(t: float, params: dict[str, float], more: Rates) -> float:
    return params["k1"] * more["k1"] + t * more["k2"] / params["k2"]


def of_arrays(x: Vec, weights: dict[str, Vec]) -> float:
    return float(np.dot(weights["w"], np.tanh(weights["v"] * x)))


def declared(t: float, rates: Rates) -> float:
    return rates["k1"] * t + rates["k2"] ** 2


def partial(t: float, options: Options) -> float:
    return t * options.get("gain", 1.0) + options.get("offset", 0.5)


def partial_some(t: float, options: Options) -> float:
    return t * options.get("gain", 1.0) + options.get("offset", t)


def nested(setup: Setup) -> float:
    inner = setup["rates"]
    return inner["k1"] * setup["x"] + inner["k2"] * setup.get("shift", 2.0)


def nested_some(setup: Setup) -> float:
    return setup["rates"]["k1"] * setup["x"] + setup.get("shift", 2.0)


def with_arrays(x: Annotated[NDArray[np.float64], "n"], p: Weights) -> float:
    y = x.copy()
    for _ in range(p["steps"]):
        y = np.tanh(p["w"] * y + p["b"])
    return np.sum(y)


def in_object(model: Model, t: float) -> float:
    return model.at(t) + model.rates["k2"]


def or_none(t: float, rates: Rates | None) -> float:
    if rates is None:
        return t
    return rates["k1"] * t


def made(t: float) -> float:
    rates = Rates(k1=t, k2=t * t)
    return sum(rates.values()) + rates["k2"]


def renamed(t: float, params: dict[str, float]) -> float:
    p = params
    return p["k1"] * t - p["k2"]


def chosen(t: float, rates: Rates) -> float:
    total = 0.0
    for key in ("k1", "k2"):
        total += rates[key] * t
    return total
