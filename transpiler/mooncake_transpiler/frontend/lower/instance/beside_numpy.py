"""NumPy's numbers and arrays in front of an instance: ``x[0] * v`` is first an operator of NumPy's.

It takes sequences apart, and calls ``v.__rmul__`` with Python's number for any other instance. With
``__array_ufunc__ = None`` or an ``__array_priority__`` a class asks for the number or array itself.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.frontend.text.trees import is_name


def reflected(ctx: Context, node: cst.CSTNode, name: str, left: Operand, cls: ClassDecl) -> Operand:
    """The operand that the method ``name`` of ``cls`` is given for ``left``."""
    if name not in cls.methods or _asks_for_all(cls):
        return left
    if delayed.is_array(left):
        raise _refused(ctx, node, name, cls, "each item of the array", "put the array behind it")
    if not is_scalar(left):
        return left
    match kinds.kind(ctx, left):
        case Kind.PYTHON | None:
            return left
        case Kind.NUMPY if _is_sequence(cls):
            message = "the number and each item"
            raise _refused(ctx, node, name, cls, message, "write float(...) around the number")
        case Kind.NUMPY:
            return kinds.as_kind(ctx, left, Kind.PYTHON)
        case _ if _is_sequence(cls):
            raise kinds.undecided(ctx, node, "numbers")
        case _:
            return left


def _asks_for_all(cls: ClassDecl) -> bool:
    """True if NumPy leaves operators to instances of ``cls``."""
    _, leaves = cls.constants.get("__array_ufunc__", ("", None))
    if leaves is not None:
        return is_name(leaves, "None")
    _, priority = cls.constants.get("__array_priority__", ("", None))
    return isinstance(priority, cst.Integer | cst.Float) and float(priority.value) > 0


def _is_sequence(cls: ClassDecl) -> bool:
    return cls.kind is ClassKind.NAMED or {"__getitem__", "__len__"} <= cls.methods.keys()


def _refused(
    ctx: Context, node: cst.CSTNode, name: str, cls: ClassDecl, of: str, help_: str
) -> Exception:
    message = f"this operator is NumPy's, for {of} of the {cls.name}: not {cls.name}.{name}"
    return ctx.refuse(node, "MK254", message, f"{help_}, or __array_ufunc__ = None into the class")
