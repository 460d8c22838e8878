"""Dicts, lists and objects that decorators at the top of the module fill."""

from collections.abc import Callable

import numpy as np
from kinds import Vec

PRICES: dict[str, Callable[[float, int], float]] = {}
RULES = {}
STEPS = []
CURVES: dict[str, type] = {}


def _priced(name: str):
    def wrap(function):
        if name in PRICES:
            raise ValueError(f"{name} is registered already")
        PRICES[name] = function
        return function

    return wrap


def _rule(function):
    RULES[function.__name__] = function
    return function


def _step(function):
    STEPS.append(function)
    return function


def _curve(cls):
    CURVES[cls.label] = cls
    return cls


@_priced("flat")
def flat(base: float, n: int) -> float:
    return base * n


@_priced("bulk")
def bulk(base: float, n: int) -> float:
    return 0.9 * base * n if n > 2 else flat(base, n)


def _doubled(function):
    def inner(base: float, n: int) -> float:
        return 2.0 * function(base, n)

    return inner


@_priced("double")
@_doubled
def _double(base: float, n: int) -> float:
    return base * n * n


@_rule
@_step
def squared(x: float) -> float:
    return x * x


@_step
def shifted(x: float) -> float:
    return x + 3.0


@_rule
def cubed(x: float) -> float:
    return x**3


@_curve
class Line:
    label = "line"

    def __init__(self, slope: float):
        self.slope = slope

    def at(self, x: float) -> float:
        return self.slope * x


@_curve
class Bow(Line):
    label = "bow"

    def at(self, x: float) -> float:
        return self.slope * x * x


class Registry:
    def __init__(self, kind: str):
        self.kind = kind
        self._entries = {}

    def register(self, name: str):
        def decorator(made):
            self._entries[name] = made
            return made

        return decorator

    def __getitem__(self, name: str):
        if name not in self._entries:
            raise KeyError(f"no {self.kind} called {name}")
        return self._entries[name]


KERNELS = Registry("kernel")
MODELS = Registry("model")


@KERNELS.register("linear")
def linear(x: Vec, y: Vec) -> float:
    return x @ y


@KERNELS.register("peaked")
def peaked(x: Vec, y: Vec, width: float = 0.5) -> float:
    return np.exp(-width * np.sum((x - y) ** 2))


@MODELS.register("weighted")
class Weighted:
    def __init__(self, kernel: str):
        self.kernel = KERNELS[kernel]

    def at(self, x: Vec, y: Vec) -> float:
        return self.kernel(x, y) * x[0]


AREAS = {"square": 1.0}
AREAS["disc"] = np.pi
AREAS.update(triangle=np.sqrt(3.0) / 4.0)
SCALES = [1.0]
SCALES.append(2.5)
SCALES.extend([3.0, np.pi])


class Menu:
    def __init__(self):
        self.dishes = []

    def offer(self, name: str, price: float):
        self.dishes.append((name, price))
        return self


MENU = Menu()
MENU.offer("soup", 4.5)
MENU.offer("bread", 1.25)


def of_areas(name: str, side: float) -> float:
    return AREAS.get(name, 0.5) * side * side


def of_scales(x: Vec) -> float:
    return sum(a * b for a, b in zip(SCALES, x, strict=False)) + len(SCALES) * x[0]


def of_menu(tip: float) -> float:
    return sum(price * tip for _, price in MENU.dishes)


def by_name(name: str, base: float) -> float:
    try:
        return PRICES[name](base, 3)
    except KeyError:
        return -base


def cheapest(base: float) -> float:
    return min(price(base, 4) for price in PRICES.values())


def of_rules(x: float) -> float:
    return sum(function(x) for function in RULES.values()) + x * len(RULES)


def in_steps(x: float) -> float:
    for one in STEPS:
        x = one(x)
    return x


def of_classes(name: str, slope: float, x: float) -> float:
    return CURVES[name](slope).at(x) if name in CURVES else x


def by_object(name: str, x: Vec, y: Vec) -> float:
    return KERNELS[name](x, y) if name in ("linear", "peaked") else x[0]


def of_model(x: Vec, y: Vec) -> float:
    return MODELS["weighted"]("peaked").at(x, y) + linear(x, y)
