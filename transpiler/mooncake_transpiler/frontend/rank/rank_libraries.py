"""Axes that calls of library functions need their arguments to have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.rank.rank_syntax import factors, integer, terms
from mooncake_transpiler.frontend.rank.rank_tables import (
    MATRICES,
    NAMED,
    NEW_AXIS,
    REDUCING,
    VECTORS,
)

_MATRIX_NORMS = ("fro", "nuc")


@dataclass(frozen=True, slots=True)
class Need:
    """An array that has so many axes at least, or exactly."""

    array: cst.BaseExpression
    axes: int
    is_exact: bool = False
    is_batch: bool = False  # it works along axis 0 or keeps an axis, which nobody says of a vector


def needs(name: str, args: Sequence[cst.Arg]) -> Iterator[Need]:
    """The axes that the library function ``name`` needs ``args`` to have."""
    first = argument(args, 0)
    if first is not None and (name in MATRICES or _is_matrix_norm(name, args)):
        for term in terms(first):
            yield from (Need(factor, 2) for factor in factors(term))
    for k in VECTORS.get(name, ()):
        yield from _need(argument(args, k), 1)
    for k, keyword, axes in NAMED.get(name, ()):
        yield from _need(argument(args, k, keyword), axes)
    if name == "numpy.einsum" and isinstance(first, cst.SimpleString):
        yield from _contracted(str(first.evaluated_value), [arg.value for arg in args[1:]])
    if first is not None and name.startswith(("numpy.", "scipy.")) and name not in NEW_AXIS:
        at = 1 if name.removeprefix("numpy.") in REDUCING else None
        yield from along(first, args, at)


def along(array: cst.BaseExpression, args: Sequence[cst.Arg], at: int | None) -> Iterator[Need]:
    """``np.sum(x, axis=1)``: there is such an axis; ``at``: its position among ``args``."""
    axis = argument(args, at, "axis")
    k = None if axis is None else integer(axis)
    if k is not None:
        keeps = argument(args, None, "keepdims") is not None
        yield Need(array, k + 1 if k >= 0 else -k, is_batch=keeps or k == 0)


def argument(
    args: Sequence[cst.Arg], k: int | None, keyword: str | None = None
) -> cst.BaseExpression | None:
    """The argument at position ``k``, or behind ``keyword``."""
    for at, arg in enumerate(args):
        is_named = arg.keyword is not None and arg.keyword.value == keyword
        if is_named or (at == k and arg.keyword is None and not arg.star):
            return arg.value
    return None


def _need(array: cst.BaseExpression | None, axes: int) -> Iterator[Need]:
    if array is not None:
        yield Need(array, axes)


def _is_matrix_norm(name: str, args: Sequence[cst.Arg]) -> bool:
    order = argument(args, 1, "ord") if name.endswith(".linalg.norm") else None
    return isinstance(order, cst.SimpleString) and order.evaluated_value in _MATRIX_NORMS


def _contracted(subscripts: str, arrays: Sequence[cst.BaseExpression]) -> Iterator[Need]:
    """The operands of ``einsum``: an axis for each letter."""
    inputs = subscripts.replace(" ", "").split("->")[0].split(",")
    for letters, array in zip(inputs, arrays, strict=False):
        if letters.isalpha():
            yield Need(array, len(letters), is_exact=True)
