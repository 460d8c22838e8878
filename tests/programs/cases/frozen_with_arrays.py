"""Frozen dataclasses whose fields are arrays of any rank: methods, operators, lists of them."""

from dataclasses import dataclass, replace

import numpy as np
from kinds import Mat, Square, Vec


@dataclass(frozen=True)
class Bond:
    times: np.ndarray
    flows: np.ndarray

    def price(self, rate):
        return float(np.sum(self.flows * np.exp(-rate * self.times)))


def portfolio(coupons: Vec, rate: float) -> float:
    bonds = []
    for k, coupon in enumerate(coupons):
        times = np.arange(1.0, k + 3.0)
        flows = np.full(len(times), coupon)
        flows[-1] += 10.0
        bonds.append(Bond(times, flows))
    return sum(bond.price(rate) for bond in bonds)


@dataclass(frozen=True)
class Gaussian:
    mean: np.ndarray
    precision: np.ndarray

    def __mul__(self, other):
        precision = self.precision + other.precision
        weighted = self.precision @ self.mean + other.precision @ other.mean
        return Gaussian(np.linalg.solve(precision, weighted), precision)

    @property
    def spread(self):
        return np.trace(np.linalg.inv(self.precision))


def product_of_experts(a: Square) -> float:
    eye = np.eye(len(a))
    found = Gaussian(a[0], eye)
    for row in a:
        found = found * Gaussian(row, (1.0 + row @ row) * eye)
    return found.mean @ found.mean + found.spread


@dataclass(frozen=True)
class Walker:
    position: np.ndarray
    steps: int = 0

    def moved(self, by):
        return replace(self, position=self.position + by, steps=self.steps + 1)


def moved_until(m: Mat, n: int) -> float:
    walker = Walker(m[0])
    while walker.steps < n:
        walker = walker.moved(0.1 * walker.position**2)
    return walker.position.sum() * walker.steps


@dataclass(frozen=True)
class Inner:
    x: np.ndarray

    def total(self):
        return self.x.sum()


@dataclass(frozen=True)
class Outer:
    inner: Inner
    y: np.ndarray

    def total(self):
        return self.inner.total() * self.y.sum()


def one_in_another(x: Vec) -> float:
    return sum(one.total() for one in [Outer(Inner(x * v), x + v) for v in x])


def of_two_ranks(x: Vec) -> float:
    return Inner(x).total() * Inner(np.outer(x, x)).total()
