"""Derivatives of functions of trees, number by number: what others are compared with."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from mooncake_runtime import tangents
from mooncake_runtime.differences import Vector, richardson
from mooncake_runtime.tangents import Tree

Primal = Callable[..., Tree]


def slots_of(
    args: tuple[Tree, ...], chosen: Sequence[bool], share: Callable[[Tree], float]
) -> tuple[Tree, ...]:
    """The cotangents of the ``chosen`` arguments, None for the others.

    ``share`` is the derivative of the result's product with its cotangent along a direction.
    """
    slots = tangents.zero_tangent(args)
    start = 0
    for arg, is_chosen in zip(args, chosen, strict=True):
        size = tangents.flat(arg).size
        for k in range(start, start + size if is_chosen else start):
            unit = tangents.unit(args, k)
            slots = tangents.increment(slots, tangents.scale(share(unit), unit))
        start += size
    return tuple(slot if c else None for slot, c in zip(slots, chosen, strict=True))


def pulled_back(
    primal: Primal, args: tuple[Tree, ...], chosen: Sequence[bool], y_bar: Tree
) -> tuple[Tree, ...]:
    """The cotangents of the ``chosen`` arguments by differences."""

    def share(unit: Tree) -> float:
        def along(t: float) -> Vector:
            return np.array([tangents.dot(y_bar, primal(*tangents.moved(args, unit, t)))])

        return float(richardson(along)[0][0])

    return slots_of(args, chosen, share)


def pushed_forward(primal: Primal, args: tuple[Tree, ...], dots: tuple[Tree, ...]) -> Tree:
    """The tangent of the result by differences; ``dots`` has None for what is not moved."""
    value = tangents.copy(primal(*tangents.copy(args)))

    def along(t: float) -> Vector:
        return tangents.flat(primal(*tangents.moved(args, dots, t)))

    found, _ = richardson(along)
    tangent = tangents.zero_tangent(value)
    for k, number in enumerate(found):
        unit = tangents.unit(value, k)
        tangent = tangents.increment(tangent, tangents.scale(float(number), unit))
    return tangent
