"""Checks of derivatives: of generated modules (``check_gradients``) and of rules (``check_rule``).

    check_gradients(loss, loss_module_grad, (x, 0.5))

raises an AssertionError that says what differs from what, and by how much.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from types import ModuleType

import numpy as np

from mooncake_runtime.case import Case
from mooncake_runtime.checks import CHECKS, check_layouts, check_plain
from mooncake_runtime.differences import Vector, richardson
from mooncake_runtime.plain import plain_module
from mooncake_runtime.tangents import Tree


def check_gradients(
    primal: Callable[..., Tree],
    generated: ModuleType,
    args: Sequence[Tree],
    *,
    wrt: Sequence[str] | None = None,
    rtol: float = 1e-7,
    coordinates: int = 32,
    analytic: bool = False,
    layouts: bool = False,
    plain: bool = False,
    seed: int = 0,
) -> None:
    """Check all derivatives of ``primal`` that ``generated`` has, at ``args``.

    Value and mutations equal the primal's; the gradient agrees with differences along random
    directions, and along each coordinate of parameters with at most ``coordinates`` numbers; the
    generated functions agree with each other; arguments are restored; a pullback of a function
    that does not mutate its arguments can be repeated. ``wrt``: the parameters that must have a
    gradient. ``analytic``: the primal takes complex numbers, so take complex steps rather than
    differences (except where numbers are complex anyway: their parts are moved one by one).
    ``layouts``: strided and read-only arrays, too (numba compiles again for each). ``plain``: once
    more without numba. Arrays among ``args`` may overlap: where only read, their gradients add up.
    """
    declared = None if wrt is None else tuple(wrt)
    case = Case.of(primal, generated, tuple(args), rtol, analytic, seed, declared, coordinates)
    for check in CHECKS:
        check(case)
    if layouts:
        check_layouts(case)
    if plain:
        check_plain(case, plain_module(generated))


def returning(function: Callable[..., Tree], *names: str) -> Callable[..., Tree]:
    """``function`` as one that returns what it writes, its arguments ``names``, behind its result.

    None as the result is left out.

    check_gradients(returning(step, "out"), model_grad, (x, out))
    """
    parameters = inspect.signature(function).parameters  # of which some may be keyword-only

    @wraps(function)
    def shown(*args: Tree) -> Tree:
        own = function(*args)
        given = dict(zip(parameters, args, strict=False))
        found = (*(() if own is None else (own,)), *(given[name] for name in names))
        return found[0] if len(found) == 1 else found

    return shown


def check_rule(
    function: Callable[..., float],
    partials: Sequence[Callable[..., float] | None],
    *points: tuple[float, ...],
    rtol: float = 1e-7,
) -> None:
    """Check the partials of a function of scalars against differences at ``points``.

    ``partials[i]`` takes the arguments of ``function``; None is a zero derivative.
    """
    name = getattr(function, "__name__", "function")
    for point in points:
        for i, partial in enumerate(partials):

            def along(t: float, i: int = i, point: tuple[float, ...] = point) -> Vector:
                return np.array([function(*(a + t * (k == i) for k, a in enumerate(point)))])

            expected, error = (float(r[0]) for r in richardson(along))
            got = 0.0 if partial is None else float(partial(*point))
            if not abs(got - expected) <= rtol * max(1.0, abs(expected)) + 4 * error:
                raise AssertionError(
                    f"{name}{point}: the partial with respect to argument {i} is {got!r}, "
                    f"by differences it is {expected!r} (± {error:.1e})"
                )
