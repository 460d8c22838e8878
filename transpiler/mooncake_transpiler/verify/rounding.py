"""How far rounding in the arguments alone moves results: what differs by less says nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.case import Case, Mismatch, Unclear, precision_of
from mooncake_runtime.tangents import Tree

GROWTH = 30.0  # how much more than it shows at two points rounding may do
UNITS = 3.0  # of the last place, by which arguments of about one are moved


def rounding_decides(
    primal: Callable[..., Tree], args: tuple[Tree, ...], case: Case | None, error: float, seed: int
) -> bool:
    """True if a relative ``error`` is one that rounding in the arguments may make by itself.

    ``case`` are the derivatives at ``args``, which move, too, unless they could not be had. Of
    three results near a jump two are the same; of three that are noise none are.
    """
    unit = precision_of((args, case.value if case else ())).unit
    near = [args, *(_moved(args, unit, seed + k) for k in range(2))]
    try:
        spread = _spread([primal(*tangents.copy(given)) for given in near])
    except Unclear as unclear:  # the function raises there
        return isinstance(unclear.__cause__, np.linalg.LinAlgError)
    if case is not None:
        derivatives = [case.slots, *(_derivatives(case, given) for given in near[1:])]
        spread = max(spread, _spread(derivatives))
    return GROWTH * spread > error


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


def _spread(results: Sequence[Tree]) -> float:
    """The least distance of two of ``results``."""
    return min(_distance(one, other) for one, other in combinations(results, 2))


def _distance(one: Tree, other: Tree) -> float:
    """The largest difference of numbers in two trees, relative to the largest number."""
    a, b = tangents.flat(one), tangents.flat(other)
    scale = float(np.max(abs(a), initial=0.0))
    if a.shape != b.shape or not scale:
        return 0.0
    return float(np.max(abs(a - b), initial=0.0)) / scale
