"""Functions that ask what something is: ``isinstance``, ``type``, ``getattr``, ``super`` …"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.container import lists
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.instance import (
    assigned_attributes,
    heap,
    inheritance,
    instances,
    membership,
    raised,
    standins,
    tables,
)
from mooncake_transpiler.frontend.lower.scalar import kinds, scalars
from mooncake_transpiler.frontend.lower.scalar.dtypes import dtype_of
from mooncake_transpiler.frontend.lower.scalar.scalars import convert, dtype, is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.inner import is_function
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.whose import KNOWN, Kind
from mooncake_transpiler.types import FLOAT, Array, DType


def _isinstance(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, of = given.all(ctx, node, "isinstance", "obj", "class_or_tuple")
    found = membership.instance_of(ctx, node, value, of)
    if found is None:
        message = f"whether {describe(value)} is an instance of this is not known ahead of time"
        refused = ctx.refuse(node, "MK343", message, "test for a class of yours, or for float")
        raise kinds.where_called(ctx, refused) if is_scalar(value) else refused
    return found


def _issubclass(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    cls, of = given.all(ctx, node, "issubclass", "cls", "class_or_tuple")
    found = membership.subclass_of(ctx, node, cls, of)
    if found is None:
        message = f"what {describe(cls)} is derived from is not known ahead of time"
        raise ctx.refuse(node, "MK343", message)
    return scalars.constant(found)


def _type(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "type", "object")
    found = membership.type_of(ctx, value)
    if found is None:
        message = f"the class of {describe(value)} is not known ahead of time"
        refused = ctx.refuse(node, "MK343", message, "use isinstance")
        raise kinds.where_called(ctx, refused) if scalars.is_scalar(value) else refused
    return found


def _issubdtype(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.issubdtype(x.dtype, np.floating)``."""
    one, other = given.all(ctx, node, "np.issubdtype", "arg1", "arg2")
    match dtype_of(one), other:
        case DType(value=name), Static(value=External(qualname=qualname)):
            of = standins.outside(qualname)
            if isinstance(of, type):
                return scalars.constant(bool(np.issubdtype(name, of)))
        case DType(value=name), Static(value=DType(value=of_name)):
            return scalars.constant(bool(np.issubdtype(name, of_name)))
        case _:
            pass
    message = "these dtypes are not known ahead of time"
    raise ctx.refuse(node, "MK343", message, "write np.issubdtype(x.dtype, np.floating)")


def _dtype(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.dtype(np.float64)``."""
    (operand,) = given.all(ctx, node, "np.dtype", "dtype")
    found = dtype_of(operand)
    if found is None:
        message = "this dtype is not known ahead of time, or none that is supported"
        raise ctx.refuse(node, "MK343", message, "write np.dtype(np.float64) or the like")
    return Static(found)


def _limits(of: Callable[[str], np.finfo[Any] | np.iinfo[Any]]) -> Handler:
    """``np.finfo(dtype)`` and ``np.iinfo(dtype)``."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        (operand,) = given.all(ctx, node, of.__name__, "dtype")
        found = dtype_of(operand)
        try:
            if found is not None:
                return Static(of(found.value))
        except (TypeError, ValueError):
            pass
        message = f"{of.__name__}() takes a dtype that is known ahead of time here"
        raise ctx.refuse(node, "MK343", message, f"write np.{of.__name__}(np.float64) or the like")

    return handler


def _name(ctx: Context, node: cst.Call, operand: Operand) -> str:
    if isinstance(operand, Static) and isinstance(operand.value, str):
        return operand.value
    message = "which attribute is meant is not known ahead of time"
    raise ctx.refuse(node, "MK343", message, "write the name as a string, or use a dict")


def _getattr(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value, name), (default,) = given.parted(
        ctx, node, "getattr", "object", "name", "default", required=2
    )
    text = _name(ctx, node, name)
    if default is not None and not _has(ctx, node, value, text):
        return default
    return instances.get(ctx, value, text)


def _has(ctx: Context, node: cst.CSTNode, value: Operand, name: str) -> bool:
    """True if ``value`` has an attribute; nothing is evaluated."""
    found = membership.has(ctx, value, name)
    if found is None or tables.flag(ctx, value, name) is not None:
        message = f"whether {describe(value)} has an attribute {name!r} is not known ahead of time"
        raise ctx.refuse(node, "MK343", message, "set it to None before, or use isinstance")
    return found


def _hasattr(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, name = given.all(ctx, node, "hasattr", "object", "name")
    attribute = _name(ctx, node, name)
    there = tables.flag(ctx, value, attribute)
    return scalars.constant(_has(ctx, node, value, attribute)) if there is None else there


def _setattr(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    value, name, new = given.all(ctx, node, "setattr", "object", "name", "value")
    assigned_attributes.put(ctx, node, value, _name(ctx, node, name), new)
    return NOTHING


def _set_of_object(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``object.__setattr__(self, name, value)``, for frozen dataclasses that are being made."""
    value, name, new = given.all(ctx, node, "object.__setattr__", "self", "name", "value")
    if not isinstance(value, Ref):
        message = "this instance is made already, and others may hold it"
        raise ctx.refuse(node, "MK322", message, "make a new one: dataclasses.replace(p, x=...)")
    assigned_attributes.set_field(ctx, node, value, _name(ctx, node, name), new)
    return NOTHING


def _super(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    return inheritance.super_of(ctx, node, tuple(given.positional(ctx, node, "super")))


def _init(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """The __init__ that a dataclass has without writing it."""
    ref, cls, *rest = given.args
    assert isinstance(cls, Static)
    assert isinstance(cls.value, ClassDecl)
    if not isinstance(ref, Ref):
        raise ctx.refuse(node, "MK322", f"{describe(ref)} is made already")
    instances.fill(ctx, node, ref, cls.value, Arguments(rest, given.keywords))
    return NOTHING


def _nothing(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``object.__init__``, or that of an exception, which keeps what it is given."""
    first, *rest = given.args
    if isinstance(first, Ref) and raised.is_exception(ctx, first) and not given.keywords:
        heap.write(ctx, node, first, throwing.ARGS, Items(tuple(rest)))
        return NOTHING
    if rest or given.keywords:
        raise ctx.refuse(node, "MK303", "object.__init__() takes exactly one argument")
    return NOTHING


def _make(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``Point._make(iterable)``."""
    cls, over = given.all(ctx, node, "_make", "cls", "iterable")
    items = lists.must_be_known(ctx, node, over)
    return ctx.lower.call(ctx, node, cls, items, hint=hint)


def _array_module(of: str) -> Handler:
    """``cp.get_array_module(x)``: the module whose arrays the function works with."""

    def handler(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
        for value in given.positional(ctx, node, "get_array_module"):
            if isinstance(value, ir.Value) and isinstance(value.type, Array):
                return Static(External(of))
            if is_scalar(value) and kinds.kind(ctx, value) is Kind.NUMPY:
                return Static(External(of))
        message = "which module get_array_module() returns is not known ahead of time"
        raise ctx.refuse(node, "MK343", message, "give it an array")

    return handler


def _callable(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (value,) = given.all(ctx, node, "callable", "object")
    return scalars.constant(is_function(value) or instances.is_callable(ctx, value))


HANDLERS: Mapping[str, Handler] = {
    "builtins.isinstance": _isinstance, "builtins.issubclass": _issubclass,
    "builtins.type": _type, "builtins.getattr": _getattr, "builtins.hasattr": _hasattr,
    "builtins.setattr": _setattr, "builtins.object.__setattr__": _set_of_object,
    "numpy.issubdtype": _issubdtype, "numpy.dtype": _dtype, "numpy.finfo": _limits(np.finfo),
    "numpy.iinfo": _limits(np.iinfo), "builtins.super": _super, "builtins.callable": _callable,
    "builtins.object.__init__": _nothing, "builtins.object.__init_subclass__": _nothing,
    "dataclasses.__init__": _init, "collections.namedtuple._make": _make,
    "numpy.get_array_module": _array_module("numpy"),
    "scipy.get_array_module": _array_module("scipy"),
}  # fmt: skip


def number_of_type(ctx: Context, func: cst.BaseExpression) -> ir.Atom | None:
    """The number ``x`` of ``type(x)``."""
    match func:
        case cst.Call(
            func=cst.Name(value="type") as maker, args=[cst.Arg(value=arg, keyword=None)]
        ):
            if ctx.lower.expression(ctx, maker) != Static(External("builtins.type")):
                return None
            value = ctx.lower.expression(ctx, arg)
            return value if is_scalar(value) else None
        case _:
            return None


def converted(ctx: Context, node: cst.Call, number: ir.Atom, given: Arguments) -> Operand:
    """``type(number)(x)`` or ``type(number)()``: a float like ``number``, Python's or NumPy's."""
    (value,) = given.take(ctx, node, "type(x)", "x", required=0)
    value = ir.ZERO if value is None else value
    whose = kinds.kind(ctx, number)
    if dtype(number) is DType.FLOAT64:
        if whose in (Kind.PYTHON, Kind.NUMPY):
            name = "builtins.float" if whose is Kind.PYTHON else "numpy.float64"
            return ctx.lower.call(ctx, node, Static(External(name)), (value,))
        if isinstance(value, ir.Const):  # what a literal is makes no difference beside such a one
            return convert(ctx, node, value, FLOAT, "a float")
    message = f"the class of {describe(number)} is not known ahead of time"
    refused = ctx.refuse(node, "MK343", message, "name it: float(x)")
    raise refused if whose in KNOWN else kinds.where_called(ctx, refused)
