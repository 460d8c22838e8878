"""``f(*xs)`` of a list that only the run knows the length of fails as in Python, with its words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import Modules

SOURCE = """
from dataclasses import dataclass
from typing import NamedTuple

@dataclass
class Point:
    x: float
    y: float
    z: float = 1.0

    def inside(self, a, b=2.0):
        return self.x * a + self.y * b * self.z

class Pair(NamedTuple):
    x: float
    y: float

def _scaled(a, b=2.0, c=3.0):
    return a * b + c

def _product(first, *others):
    for other in others:
        first = first * other
    return first

def fields(xs: list[float]) -> float:
    return Point(*xs).inside(0.5)

def method(xs: list[float]) -> float:
    return Point(1.5, xs[0]).inside(*xs)

def named_tuple(xs: list[float]) -> float:
    pair = Pair(*xs)
    return pair.x * pair.y

def defaults(xs: list[float]) -> float:
    return _scaled(*xs) * _scaled(1.5, *xs[1:])

def by_name(xs: list[float]) -> float:
    return _scaled(*xs, c=xs[0])

def any_number(xs: list[float]) -> float:
    return _product(*xs) + _product(2.0, *xs) + _product(2.0, xs[0], *xs, *xs[1:], 3.0)

def nested(xs: list[float]) -> float:
    def both(a, b):
        return a * b

    return both(*xs)

def largest(xs: list[float]) -> float:
    return max(*xs) * min(2.0, *xs)

def caught(xs: list[float]) -> float:
    try:
        return _scaled(*xs)
    except TypeError:
        return xs[0] if xs else 0.0
"""

NAMES = ["fields", "method", "named_tuple", "defaults", "by_name", "any_number", "nested",
         "largest", "caught"]  # fmt: skip


def error_of(function: Callable[[list[float]], object], xs: list[float]) -> Exception | None:
    try:
        function(xs)
    except (TypeError, IndexError) as error:
        return error
    return None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("count", range(5))
def test_numbers_of_arguments(name: str, count: int, modules: Modules) -> None:
    program, generated = modules
    primal, gradient = getattr(program, name), getattr(generated, f"{name}_value_and_grad")
    xs = [0.5, 1.5, -0.7, 2.5][:count]
    expected = error_of(primal, xs)
    if expected is None:
        check_gradients(primal, generated, [xs])
    elif isinstance(expected, TypeError):  # indices are not looked at
        assert str(error_of(gradient, xs)) == str(expected)


def test_raised_while_another_one_is_handled(modules: Modules) -> None:
    program, generated = modules
    xs = [0.5, 1.5, -0.7, 2.5]
    try:
        program.method(xs)
    except TypeError as expected:
        found = error_of(generated.method_value_and_grad, xs)
        assert str(found) == str(expected)  # noqa: PT017
        return
    raise AssertionError
