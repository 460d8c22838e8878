"""Calls that do not fit the primal: cotangents and tangents of other shapes, other numbers of
arguments. They are refused, not computed with.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from mooncake_runtime import tangents
from mooncake_runtime.case import Case
from mooncake_runtime.tangents import Tree

KINDS = ("fwd", "pullback", "vjp", "value_and_grad", "grad", "jvp", "hvp")


def check_shapes(case: Case) -> None:
    """A cotangent or tangent that is longer than its primal along any axis is a ValueError."""
    forward, pullback = case.function("fwd"), case.function("pullback")
    vjp, jvp = case.function("vjp"), case.function("jvp")
    for what, y_bar in _longer("cotangent", case.y_bar):
        if forward is not None and pullback is not None:
            _, residuals = forward(*tangents.copy(case.args))
            _expect(case, ValueError, "pullback", what, partial(pullback, residuals, y_bar))
        if vjp is not None:
            given = (*tangents.copy(case.args), y_bar)
            _expect(case, ValueError, "vjp", what, partial(vjp, *given))
    if jvp is None:
        return
    dots = tangents.zero_tangent(case.gradient)
    for k, dot in enumerate(dots):
        for what, longer in _longer("tangent", dot):
            given = (*tangents.copy(case.args), *dots[:k], longer, *dots[k + 1 :])
            _expect(case, ValueError, "jvp", what, partial(jvp, *given))


def _longer(what: str, tree: Tree) -> Iterator[tuple[str, Tree]]:
    """``tree`` with one array of it made longer along one axis, for each of them."""
    for _, leaf in tangents.leaves(tree):
        for axis in range(leaf.ndim if isinstance(leaf, np.ndarray) else 0):
            shape = tuple(n + (k == axis) for k, n in enumerate(leaf.shape))
            longer = np.zeros(shape, leaf.dtype)
            change = partial(_replaced, leaf, longer)
            yield f"a {what} of shape {shape} for {leaf.shape}", tangents.map_leaves(change, tree)


def _replaced(old: Tree, new: Tree, leaf: Tree) -> Tree:
    return new if leaf is old else leaf


def check_arity(case: Case) -> None:
    """Arguments that are missing, or one too many, are a TypeError."""
    for kind in KINDS:
        function = getattr(case.generated, f"{case.primal.__name__}_{kind}", None)
        if function is None:
            continue
        parameters = inspect.signature(function).parameters.values()
        if any(p.default is p.empty for p in parameters):
            _expect(case, TypeError, kind, "no arguments", function)
        more = (None,) * (len(parameters) + 1)
        _expect(case, TypeError, kind, "an argument too many", partial(function, *more))
    vjp, y_bar = case.function("vjp"), tangents.copy(case.y_bar)
    if vjp is not None and tangents.leaves(y_bar):
        given = tangents.copy(case.args)
        _expect(case, TypeError, "vjp", "no cotangent", partial(vjp, *given))


def _expect(
    case: Case, error: type[Exception], kind: str, what: str, call: Callable[[], Tree]
) -> None:
    try:
        call()
    except error:
        return
    except Exception as other:
        case.fail(f"{kind} does not refuse {what}: {type(other).__name__}: {other}")
    case.fail(f"{kind} does not refuse {what}")
