"""Special methods of the program's classes: ``a + b`` is ``a.__add__(b)``, or ``b.__radd__(a)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, External
from mooncake_transpiler.frontend.lower.instance import beside_numpy, instances, members, standins
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import enums, kinds, run_texts, scalars, told_values
from mooncake_transpiler.frontend.lower.scalar.scalars import constant
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import TRUE
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import (
    Choice,
    Items,
    Maybe,
    Operand,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL

_BINARY: Mapping[type[cst.CSTNode], str] = {
    cst.Add: "add", cst.Subtract: "sub", cst.Multiply: "mul", cst.Divide: "truediv",
    cst.FloorDivide: "floordiv", cst.Modulo: "mod", cst.Power: "pow", cst.BitAnd: "and",
    cst.BitOr: "or", cst.BitXor: "xor", cst.LeftShift: "lshift", cst.RightShift: "rshift",
    cst.MatrixMultiply: "matmul",
}  # fmt: skip
_UNARY: Mapping[type[cst.CSTNode], str] = {
    cst.Minus: "__neg__", cst.Plus: "__pos__", cst.BitInvert: "__invert__",
}  # fmt: skip
_ORDERS = ("__lt__", "__le__", "__gt__", "__ge__")
_NOT_IMPLEMENTED = Static(External("builtins.NotImplemented"))


def binary(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """``left operator right``; None if neither side is an instance that has that operator."""
    if isinstance(operator, cst.BitOr) and _is_type(left) and _is_type(right):
        return Items((left, right))  # of classes: what isinstance takes
    name = _BINARY[type(operator)]
    if _is_sparse(left) or _is_sparse(right):
        return _sparse_product(ctx, node, operator, left, right)
    return either(ctx, node, f"__{name}__", f"__r{name}__", left, right)


def _is_sparse(operand: Operand) -> bool:
    of = operand.of if isinstance(operand, Items) else None
    return of is not None and of.module == "scipy.sparse"


def _sparse_product(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand:
    """``left @ right``, where one side is a sparse matrix of SciPy."""
    match operator, left:
        case cst.MatrixMultiply(), Items(items=(*_, product)) if _is_sparse(left):
            return members.call(ctx, node, product, (right,))
        case _:
            message = "of a sparse matrix only products with an array behind it are known"
            raise ctx.refuse(node, "MK207", message, "write matrix @ x, or matrix.toarray()")


def _is_type(operand: Operand) -> bool:
    match operand:
        case Static(value=ClassDecl() | External() | None):
            return True
        case Items(items=items):
            return bool(items) and all(map(_is_type, items))
        case _:
            return False


def inplace(
    ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, left: Operand, right: Operand
) -> Operand | None:
    """The value that ``left operator= right`` assigns."""
    name = _BINARY[type(operator)]
    found = instances.special(ctx, node, f"__i{name}__", left, right)
    if found is None or found == _NOT_IMPLEMENTED:
        return binary(ctx, node, operator, left, right)
    return found


def either(
    ctx: Context, node: cst.CSTNode, name: str, reflected: str, left: Operand, right: Operand
) -> Operand | None:
    first, second = objects.declared(ctx, left), objects.declared(ctx, right)
    if first is None and second is None:
        return None
    if first is None and second is not None:
        left = beside_numpy.reflected(ctx, node, reflected, left, second)
    tries = [(name, left, right)]
    if first is not second:
        tries.append((reflected, right, left))
        if first is not None and second is not None and _overrides(second, first, reflected):
            tries.reverse()
    elif reflected in _ORDERS:
        tries.append((reflected, right, left))
    answered = False
    for method, base, other in tries:
        found = instances.special(ctx, node, method, base, other)
        if isinstance(found, Choice):
            message = f"whether {method} is implemented is known at run time only"
            raise ctx.refuse(node, "MK343", message, "return NotImplemented on all paths or none")
        if found is not None and found != _NOT_IMPLEMENTED:
            if answered:
                raise built_in(ctx, node, name)
            return found
        answered |= _are_alike(first, second) and inherits(ctx, node, base, method)
    return None


def _are_alike(first: ClassDecl | None, second: ClassDecl | None) -> bool:
    """True if comparisons that are built in may compare instances of these classes."""
    return first is second or (
        first is not None and second is not None and first.kind is second.kind
    )


def inherits(ctx: Context, node: cst.CSTNode, operand: Operand, name: str) -> bool:
    """True if the comparison ``name`` of ``operand`` is that of tuple, int, str or @dataclass."""
    match objects.declared(ctx, operand):
        case ClassDecl(methods=methods) if name in methods:
            return False
        case ClassDecl(kind=ClassKind.NAMED):
            return name in (*_ORDERS, "__eq__", "__ne__")
        case ClassDecl(kind=ClassKind.ENUM):
            is_mixed = isinstance(enums.python(ctx, node, operand), int | str)
            return is_mixed and name in (*_ORDERS, "__eq__", "__ne__")
        case ClassDecl() as cls:
            lines = (cls, *cls.line)
            return name in _ORDERS and any(
                one.options and one.options.get("order") for one in lines
            )
        case None:
            return False


def built_in(ctx: Context, node: cst.CSTNode, name: str) -> Refused:
    """The refusal of a comparison beside which the class defines others."""
    message = f"{name} is here the one that Python gives the class, which has others of its own"
    return ctx.refuse(node, "MK343", message, f"define {name} in the class, too")


def _overrides(cls: ClassDecl, base: ClassDecl, name: str) -> bool:
    """True if ``cls`` is derived from ``base`` and has a ``name`` of its own."""
    return cls.is_a(base) and cls.methods.get(name) is not base.methods.get(name)


def unary(ctx: Context, node: cst.CSTNode, operator: cst.CSTNode, value: Operand) -> Operand | None:
    name = _UNARY.get(type(operator))
    return None if name is None else instances.special(ctx, node, name, value)


def truth(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Atom:
    """The truth value of anything: instances say it by ``__bool__`` or ``__len__``."""
    if isinstance(operand, Maybe):
        return scalars.conjunction(ctx, operand.there, truth(ctx, node, operand.value))
    if isinstance(operand, Told):
        sides = [truth(ctx, node, one) for one in told_values.known(ctx, operand)]
        return told_values.is_any(ctx, operand, (k for k, one in enumerate(sides) if one == TRUE))
    if isinstance(operand, RunText):
        ctx.heap.asks_texts = True
        return scalars.compute(ctx, node, "ne", (operand.number, run_texts.constant("").number))
    if isinstance(operand, Static) and isinstance(operand.value, External):
        there = standins.outside(operand.value.qualname)
        if there is None:
            raise ctx.refuse(node, "MK213", f"{describe(operand)} has no truth value here")
        return constant(bool(there))
    is_int = isinstance(operand, Static) and isinstance(enums.python(ctx, node, operand), int)
    for name in ("__bool__",) if is_int else ("__bool__", "__len__"):
        if (found := instances.special(ctx, node, name, operand)) is not None:
            if name == "__bool__":
                _check_bool(ctx, node, found)
            return scalars.truth(ctx, node, found)
    match objects.declared(ctx, operand):
        case None if containers.is_container(operand):
            count = containers.length(ctx, node, operand)
            return scalars.compute(ctx, node, "gt", (count, ir.ZERO))
        case None | ClassDecl(kind=ClassKind.NAMED):
            return scalars.truth(ctx, node, operand)
        case ClassDecl(kind=ClassKind.ENUM):
            return constant(bool(enums.python(ctx, node, operand)))
        case ClassDecl():
            return constant(True)


def _check_bool(ctx: Context, node: cst.CSTNode, found: Operand) -> None:
    """Refuse what ``__bool__`` gives if Python does: all but its own bools."""
    if not scalars.is_scalar(found):
        return  # text and None have no truth value either
    is_numpy = kinds.kind(ctx, found) is Kind.NUMPY
    if found.type != BOOL or is_numpy:
        given = "one of NumPy's bools" if found.type == BOOL else describe(found)
        message = f"`__bool__` gives {given}, for which Python raises a TypeError"
        raise ctx.refuse(node, "MK250", message, "return bool(...)")


def has_items(ctx: Context, base: object) -> bool:
    """True if ``base`` is an instance with ``__getitem__`` or ``__setitem__``."""
    cls = objects.declared(ctx, base) if isinstance(base, Ref | Items) else None
    return cls is not None and not {"__getitem__", "__setitem__"}.isdisjoint(cls.methods)


def key(ctx: Context, node: cst.CSTNode, parts: Sequence[object]) -> Operand:
    """The one key that the indices ``parts`` are."""
    if Ellipsis in parts:
        raise ctx.refuse(node, "MK214", "`...` has no meaning for this class")
    given = [part for part in parts if not isinstance(part, EllipsisType)]
    return given[0] if len(given) == 1 else Items(tuple(given))  # type: ignore[return-value,arg-type]


def item(ctx: Context, node: cst.CSTNode, owner: Operand, at: Operand) -> Operand:
    """``owner[at]``."""
    found = instances.special(ctx, node, "__getitem__", owner, at)
    if found is None:
        raise ctx.refuse(node, "MK214", f"{describe(owner)} has no __getitem__")
    return found


def set_item(ctx: Context, node: cst.CSTNode, owner: Operand, at: Operand, value: Operand) -> None:
    """``owner[at] = value``."""
    if instances.special(ctx, node, "__setitem__", owner, at, value) is None:
        raise ctx.refuse(node, "MK214", f"{describe(owner)} has no __setitem__")


def delete_item(ctx: Context, node: cst.CSTNode, owner: Operand, at: Operand) -> None:
    """``del owner[at]``."""
    if instances.special(ctx, node, "__delitem__", owner, at) is None:
        raise ctx.refuse(node, "MK214", f"{describe(owner)} has no __delitem__")


def length(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand | None:
    return instances.special(ctx, node, "__len__", operand)


def iterable(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """The operand that iterating over ``operand`` iterates over."""
    found = instances.special(ctx, node, "__iter__", operand)
    cls = None if found is None else objects.declared(ctx, found)
    if found is not None and cls is not None and "__next__" in cls.methods:
        each = Static(External("mooncake_transpiler.each"))
        return ctx.lower.call(ctx, cst.Call(cst.Name("_")), each, (found,))
    return operand if found is None else found
