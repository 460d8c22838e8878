"""The one type of a variable that holds different things on different paths."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.container import containers
from mooncake_transpiler.frontend.lower.control import optional
from mooncake_transpiler.frontend.lower.operands import (
    Conflict,
    Items,
    Operand,
    atoms,
    describe,
    type_of,
)
from mooncake_transpiler.frontend.lower.scalar.scalars import join, promote
from mooncake_transpiler.types import Scalar, Tuple, Type


def unify(a: Operand, b: Operand) -> Type | Conflict:
    """The one type of a variable that holds ``a`` on one path and ``b`` on another."""
    for side in (a, b):
        if isinstance(side, Conflict):
            return side
    sides = optional.pair(a, b)
    if sides is not None:
        return optional.unify(*sides)
    left, right = type_of(a), type_of(b)
    if isinstance(left, Scalar) and isinstance(right, Scalar):
        if isinstance(a, ir.Const) != isinstance(b, ir.Const):
            found = promote([x for side in (a, b) for x in atoms(side)])
            return Scalar(found)
        return Scalar(join(left.dtype, right.dtype))
    if left is not None and left == right:
        return left
    if isinstance(a, Items) and isinstance(b, Items):
        return _unify_items(a, b)
    return Conflict(f"{describe(a)} on one path, {describe(b)} on another")


def _unify_items(a: Items, b: Items) -> Type | Conflict:
    """The one type of two tuples or lists, item by item."""
    if not a.is_like(b):
        if a.is_list and b.is_list and a.cls == b.cls:
            sizes = f"{len(a.items)} items on one path, {len(b.items)} on another"
            return Conflict(f"it has {sizes}")
        if containers.is_arrays(a) or containers.is_arrays(b):
            return Conflict("it is one list on one path, another one on another")
        return Conflict(f"{describe(a)} on one path, {describe(b)} on another")
    found: list[Type] = []
    for one, other in zip(a.items, b.items, strict=True):
        type_ = unify(one, other)
        if isinstance(type_, Conflict):
            return type_
        found.append(type_)
    return Tuple(tuple(found), a.names, a.cls, a.of)


def changes(old: Operand, new: Operand) -> Conflict:
    """Why a variable that holds ``old``, then ``new``, can't be carried by a loop."""
    found = unify(old, new)
    if isinstance(found, Conflict):
        return found
    return Conflict("it changes from one iteration to the next")
