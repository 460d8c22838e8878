"""Calls of NumPy's and SciPy's array functions: those of ``mooncake_rules.library``."""

from __future__ import annotations

import libcst as cst
from mooncake_rules.arrays import Function
from mooncake_rules.library import FUNCTIONS, METHODS
from mooncake_rules.library.memory_orders import laid_out

from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.array.out_arguments import TAKING_OUT, named, whole_result
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.rule.meant import meant_parameter
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand


def find(qualname: str) -> Function | None:
    return FUNCTIONS.get(qualname)


def method(name: str) -> Function | None:
    """The method ``name`` of arrays, as a function that takes the array first."""
    return METHODS.get(name)


def call(
    ctx: Context, node: cst.Call, function: Function, name: str, shown: str, given: Arguments
) -> Operand:
    """The result of ``function``, here called by its ``name``, for ``given``."""

    def callback(callee: Operand, args: list[Operand]) -> Operand:
        return ctx.lower.call(ctx, node, callee, args)

    given = _with_index(ctx, node, shown, given)
    out = None
    if "out" in given.keywords and ("out" in function.signature.parameters or name in TAKING_OUT):
        others = {key: value for key, value in given.keywords.items() if key != "out"}
        out = named(ctx, node, given.keywords["out"])
        given = Arguments(given.args, others)
    args = [whole.to_library(ctx, node, arg, callback) for arg in given.args]
    keywords = {
        key: whole.to_library(ctx, node, arg, callback) for key, arg in given.keywords.items()
    }
    try:
        bound = function.signature.bind(*args, **keywords)
    except TypeError as error:
        hint = meant_parameter(str(error), function.signature.parameters)
        raise ctx.refuse(node, "MK303", f"{shown}: {error}{hint}") from None
    stage = LoweringStage(ctx, node)
    result = function.impl(stage, *bound.args, **bound.kwargs)
    found = whole.from_library(ctx, node, laid_out(stage, name, result, *bound.args))
    return found if out is None else whole_result(ctx, node, out, found)


def _with_index(ctx: Context, node: cst.Call, shown: str, given: Arguments) -> Arguments:
    """``np.add.at(x, index, y)``: a tuple has an index for each axis, but a list is an array."""
    if not shown.endswith(".at") or len(given.args) < 2:
        return given
    target, index, *rest = given.args
    if not isinstance(index, Items) or not index.is_list:
        return given
    return Arguments([target, whole.from_items(ctx, node, index), *rest], given.keywords)
