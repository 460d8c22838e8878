"""Whole-array expressions: between operands and what library functions take and give."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import libcst as cst
from mooncake_rules.arrays import Arr, Num, elementwise
from mooncake_rules.arrays.elementwise import SINGLE
from mooncake_rules.library import FUNCTIONS, METHODS
from mooncake_rules.library.memory_orders import laid_out

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.memory import reshaping
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.scalar import axisless, kinds, scalars
from mooncake_transpiler.frontend.lower.scalar.dtypes import dtype_named
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe, is_sequence, way_out
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Choice,
    Closure,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.taken_apart import check_size
from mooncake_transpiler.types import Array, DType


def as_arr(ctx: Context, node: cst.CSTNode, operand: Operand) -> Arr:
    """An array operand as library functions see it."""
    match operand:
        case Arr():
            return operand
        case ir.Value() | ir.Undef() if isinstance(operand.type, Array):
            return LoweringStage(ctx, node).array(operand)
        case _:
            raise ctx.refuse(node, "MK213", f"expected an array, got {describe(operand)}")


def to_library(
    ctx: Context, node: cst.CSTNode, operand: Operand, call: Callable[..., Operand] | None = None
) -> object:
    """``operand`` as an argument of a library function: plain where it is known ahead of time."""
    match operand:
        case Arr():
            return operand
        case ir.Value() | ir.Const() | ir.Undef():
            stage = LoweringStage(ctx, node)
            is_array_ = isinstance(operand.type, Array)
            return stage.array(operand) if is_array_ else stage.number(operand)
        case Items(items=items, once=None) if is_sequence(operand):
            _check_items(ctx, node, operand)
            return tuple(to_library(ctx, node, item, call) for item in items)
        case Ref() if containers.is_list(operand):
            return to_library(ctx, node, ctx.lower.view(ctx, node, operand), call)
        case Static(value=External(qualname=qualname)):
            return dtype_text(qualname) or qualname
        case Static(value=DType(value=name)):
            return name
        case Static(value=str() | None as value):
            return value
        case Closure() | Static() | Bound() | Choice() if call is not None:
            return lambda *args: to_library(
                ctx, node, call(operand, [from_library(ctx, node, arg) for arg in args]), call
            )
        case IntRange(lo=ir.Const(), hi=ir.Const(), step=ir.Const(), once=None):
            return range_items(ctx, node, operand)
        case IntRange(lo=lo, hi=hi, step=step, once=None):
            counted = library_call(ctx, node, "numpy.arange", lo, hi, step)
            return to_library(ctx, node, counted, call)
        case _:
            message = f"{describe(operand)} can't be an argument here"
            raise ctx.refuse(node, "MK213", message, way_out(operand))


def _check_items(ctx: Context, node: cst.CSTNode, operand: Items) -> None:
    """Refuse a NamedTuple that gives NumPy other items than its fields."""
    cls = objects.declared(ctx, operand)
    if cls is not None and (own := sorted(_OF_ITEMS & cls.methods.keys())):
        message = f"NumPy asks {cls.name}.{own[0]} for the items"
        raise ctx.refuse(node, "MK213", message, "pass a tuple of the items")


_OF_ITEMS = frozenset({"__iter__", "__len__", "__getitem__", "__array__"})


def range_items(ctx: Context, node: cst.CSTNode, of: IntRange) -> tuple[int, ...]:
    match of.lo, of.hi, of.step:
        case ir.Const(value=int(lo)), ir.Const(value=int(hi)), ir.Const(value=int(step)):
            check_size(max(0, -((lo - hi) // step)))
            return tuple(range(lo, hi, step))
        case _:
            raise ctx.refuse(node, "MK213", "the bounds of this range must be constants")


def dtype_text(qualname: str) -> str | None:
    """The name of the element type that ``float`` or ``np.float32`` stands for."""
    found = dtype_named(qualname)
    return None if found is None else found.value


def from_library(ctx: Context, node: cst.CSTNode, value: object) -> Operand:
    """The result of a library function as an operand."""
    match value:
        case Arr(ndim=0, memory=part):
            found = element(ctx, value.at())
            if isinstance(part, ir.Value) and isinstance(found, ir.Value):
                reshaping.show(ctx, found, part)
            return found
        case Arr(memory=ir.Value() | ir.Undef() as memory):
            return memory
        case Arr():
            return value
        case Num() | bool() | int() | float() | complex():
            return element(ctx, value)
        case tuple():
            items = tuple(from_library(ctx, node, item) for item in value)
            names = getattr(value, "_fields", None)
            return Items(items, names, type(value).__name__ if names else None)
        case str() | None:
            return Static(value)
        case _:
            raise AssertionError(value)


def sizes(numbers: Sequence[Num | int]) -> tuple[ir.Atom, ...]:
    """Sizes of arrays, which are Python's numbers."""
    found = []
    for number in numbers:
        atom = scalars.constant(number) if isinstance(number, int) else number.atom
        assert isinstance(atom, ir.Value | ir.Const | ir.Undef)
        found.append(atom)
    return tuple(found)


def element(ctx: Context, number: Num | complex) -> ir.Atom:
    """A number that a function of NumPy returns, or that is in an array."""
    if not isinstance(number, Num):
        return kinds.marked(ctx, scalars.constant(number), Kind.NUMPY)
    assert isinstance(number.atom, ir.Value | ir.Const | ir.Undef)
    return kinds.as_kind(ctx, number.atom, Kind.NUMPY)


def apply(ctx: Context, node: cst.CSTNode, op: str, args: Sequence[Operand]) -> Operand:
    """A scalar op of operands, some of which are arrays."""
    if op in ("np.real", "np.imag") and delayed.is_array(args[0]):  # of an array in memory: no copy
        return library_call(ctx, node, f"ndarray.{op.removeprefix('np.')}", args[0])
    stage = LoweringStage(ctx, node)
    values = []
    for arg in args:
        arg = ctx.lower.view(ctx, node, arg)
        if isinstance(arg, Items):
            arg = from_items(ctx, node, arg)
        elif isinstance(arg, IntRange) and arg.once is None:
            arg = library_call(ctx, node, "numpy.arange", arg.lo, arg.hi, arg.step)
        found = to_library(ctx, node, arg)
        if not isinstance(found, Arr | Num | bool | int | float | complex):
            raise ctx.refuse(node, "MK213", f"expected an array, got {describe(arg)}")
        values.append(found)
    if any(isinstance(value, Num | Arr) and value.dtype in SINGLE for value in values):
        values = [_strong(stage, arg, value) for arg, value in zip(args, values, strict=True)]
    return from_library(ctx, node, elementwise(stage, op, *values))


def _strong(stage: LoweringStage, arg: Operand, value: Arr | Num | complex) -> Arr | Num | complex:
    """``value``; a constant of NumPy's counts by its precision, which library functions forget."""
    if not isinstance(arg, kinds.NumpyConst) or isinstance(value, Arr):
        return value
    return stage.element(value, scalars.dtype(arg).value)


def from_items(ctx: Context, node: cst.CSTNode, items: Items) -> Operand:
    """A tuple or list where an array is needed: ``np.array`` of it."""
    return library_call(ctx, node, "numpy.array", items)


def as_view(ctx: Context, number: ir.Atom, found: Operand) -> Operand:
    """``found``, a view of ``number`` if that is an array without axes, which shows it then."""
    if not delayed.is_array(found) or not axisless.is_one(ctx, number):
        return found
    made = delayed.settle(ctx, found)
    if isinstance(number, ir.Value) and isinstance(made, ir.Value):
        reshaping.show(ctx, number, made)
    return made


def library_call(
    ctx: Context, node: cst.CSTNode, name: str, *args: Operand, **keywords: object
) -> Operand:
    """A function of the library, called by the compiler for an operator or a method."""
    method = name.removeprefix("ndarray.")
    function = FUNCTIONS[name] if method == name else METHODS[method]
    given = [to_library(ctx, node, arg) for arg in args]
    stage = LoweringStage(ctx, node)
    result = function.impl(stage, *given, **keywords)
    return from_library(ctx, node, laid_out(stage, name, result, *given))
