"""Calls of the runtime by generated functions, as the statements that emission made calls of.

All functions of ``mooncake_runtime`` that a generated module can mention stand in ``HANDLERS``, but
for its scalar kernels, which are scalar ops, and for decorators.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations

import libcst as cst
from mooncake_rules.arrays import Num

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import aliasing, delayed
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.builtin import border_statements, growth, kernels
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.types import Array, Scalar

# ---- arrays -------------------------------------------------------------------------------------


def _array(ctx: Context, node: cst.CSTNode, operand: Operand) -> ir.Value:
    if isinstance(operand, ir.Value) and isinstance(operand.type, Array):
        return operand
    message = f"expected an array in memory, got {describe(operand)}"
    raise ctx.refuse(node, "MK213", message)


def _reshaped(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    array, shape = given.all(ctx, node, "reshaped", "array", "shape")
    sizes = shape.items if isinstance(shape, Items) else (shape,)
    to = [size for size in sizes if is_scalar(size)]
    assert len(to) == len(sizes)
    return storage.reshape(ctx, _array(ctx, node, array), tuple(to), hint)


def _extent(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (array,) = given.all(ctx, node, "extent", "array")
    return Items((_array(ctx, node, array),), cls=Held.EXTENT)


def _overlaps(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """Shadows for all arrays whose extents are given; ``shadow`` takes one of them.

    They are apart, so the arrays must be, too: derivatives know no shadows that overlap.
    """
    (extents,) = given.all(ctx, node, "overlaps", "extents")
    assert isinstance(extents, Items)
    arrays = [_array(ctx, node, e.items[0]) for e in extents.items if isinstance(e, Items)]
    outs: list[ir.Value] = []
    for array in arrays:
        assert isinstance(array.type, Array)
        dtype = array.type.dtype
        zero = ir.zero(Scalar(dtype))
        outs.append(storage.alloc(ctx, dtype, storage.shape(ctx, array), zero))
    for (x, x_bar), (y, y_bar) in combinations(zip(arrays, outs, strict=True), 2):
        if aliasing.may_meet(ctx, x, ctx.memory.base(y)):
            args = Arguments((x, y, x_bar, y_bar), {})
            apart = kernels.primitive("same_overlap", ctx, node, args, "")
            assert isinstance(apart, ir.Value)
            message = "arrays overlap whose shadows are differentiated"
            LoweringStage(ctx, node).require(Num(LoweringStage(ctx, node), apart, "bool"), message)
    return Items(tuple(outs), cls=Held.OVERLAP)


def _shadow(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    _, overlap, number = given.all(ctx, node, "shadow", "array", "overlap", "number")
    match overlap, number:
        case Items(cls=Held.OVERLAP, items=items), ir.Const(value=int(k)):
            return delayed.settle(ctx, items[k], hint)
        case _:
            message = "what shadow() is given must come from overlaps()"
            raise ctx.refuse(node, "MK213", message)


def _ruled(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """The result of a function that has a rule of the user's, which is not to be seen here."""
    message = "what this is computed from has a derivative rule in the original module"
    help_ = "ask for modes=hvp there, or call functions without a rule of their own"
    raise ctx.refuse(node, "MK416", message, help_)


def _told(name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``printed("stdout", "{} items", n)``, and the like."""
    texts: list[str] = []
    numbers: list[ir.Atom | str] = []
    for operand in given.positional(ctx, node, name):
        match operand:
            case Static(value=str(text)):
                texts.append(text)
            case ir.Value() | ir.Const() | ir.Undef():
                numbers.append(operand)
            case _:
                raise ctx.refuse(node, "MK213", f"{describe(operand)} can't be printed")
    *where, text = texts
    ctx.builder.add(ir.Print((text, *numbers), ctx.builder.origin, (name, *where)))
    return NOTHING


HANDLERS: Mapping[str, Handler] = {
    "mooncake_runtime.scalar_kernels.ruled": _ruled,
    **kernels.HANDLERS,
    "mooncake_runtime.reshaping.reshaped": _reshaped,
    "mooncake_runtime.shadows.extent": _extent,
    "mooncake_runtime.shadows.overlaps": _overlaps,
    "mooncake_runtime.shadows.shadow": _shadow,
    **{
        f"mooncake_runtime.telling.{name}": partial(_told, name)
        for name in ("logged", "printed", "warned")
    },
    **growth.HANDLERS,
    **border_statements.HANDLERS,
}
