"""Differences of results that rounding in the arguments may make by itself say nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.case import Case, Mismatch, Unclear, precision_of
from mooncake_runtime.differences import Vector
from mooncake_runtime.tangents import Tree

GROWTH = 30.0  # how much more than it shows at two points rounding may do
NEIGHBOURS = 7  # points at which results are compared
UNITS = 3.0  # of the last place, by which arguments of about one are moved


def rounding_decides(
    primal: Callable[..., Tree], args: tuple[Tree, ...], case: Case | None, error: float, seed: int
) -> bool:
    """True if a relative ``error`` is one that rounding in the arguments may make by itself.

    ``case`` are the derivatives at ``args``, which move, too, unless they could not be had.
    """
    unit = precision_of((args, case.value if case else ())).unit
    near = [args, *(_moved(args, unit, seed + k) for k in range(NEIGHBOURS))]
    try:
        if _is_noise([primal(*tangents.copy(given)) for given in near], error):
            return True
    except Unclear as unclear:  # the function raises there
        return isinstance(unclear.__cause__, np.linalg.LinAlgError)
    return case is not None and _is_noise([_derivatives(case, given) for given in near], error)


def rounding_raises(primal: Callable[..., Tree], args: tuple[Tree, ...], error: Exception) -> bool:
    """True if ``error`` of ``primal`` is a singular matrix, which is none near ``args``."""
    if not isinstance(error, np.linalg.LinAlgError):
        return False
    try:
        primal(*_moved(args, precision_of(args).unit, seed=0))
    except np.linalg.LinAlgError:
        return False
    return True


def _moved(args: tuple[Tree, ...], unit: float, seed: int) -> tuple[Tree, ...]:
    drawn = tangents.direction(args, np.random.default_rng(seed))
    moved: tuple[Tree, ...] = tangents.increment(
        tangents.copy(args), tangents.scale(UNITS * unit, drawn)
    )
    return moved


def _derivatives(case: Case, args: tuple[Tree, ...]) -> Tree:
    """The cotangents at ``args``; those of ``case`` where there are none."""
    try:
        return Case.of(case.primal, case.generated, args, case.rtol, seed=case.seed,
                       declared=case.declared, precision=case.precision).slots  # fmt: skip
    except (Mismatch, Unclear):
        return case.slots


def _is_noise(results: Sequence[Tree], error: float) -> bool:
    """True if ``results`` are in more places than the two at a jump, apart by about ``error``."""
    vectors = [tangents.flat(one) for one in results]
    scale = max(float(np.max(abs(one), initial=0.0)) for one in vectors)
    places: list[Vector] = []
    for one in vectors:
        if one.shape == vectors[0].shape and all(
            GROWTH * float(np.max(abs(one - other), initial=0.0)) > error * scale
            for other in places
        ):
            places.append(one)
    return len(places) > 2
