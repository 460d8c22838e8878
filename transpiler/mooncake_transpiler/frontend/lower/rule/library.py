"""Calls of NumPy's and SciPy's array functions: those of ``mooncake_rules.library``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import libcst as cst
from mooncake_rules.arrays import Arr, Function
from mooncake_rules.library import FUNCTIONS, METHODS
from mooncake_rules.library.memory_orders import laid_out

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.lower.array import aliasing, delayed, whole
from mooncake_transpiler.frontend.lower.array.out_arguments import TAKING_OUT, named, whole_result
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.rule import axis_choice
from mooncake_transpiler.frontend.lower.rule.meant import meant_parameter
from mooncake_transpiler.frontend.lower.scalar import axisless
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of, is_cell, is_cell_of
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.rank.rank_tables import REDUCING
from mooncake_transpiler.types import Scalar


def find(qualname: str) -> Function | None:
    return FUNCTIONS.get(qualname)


def method(name: str) -> Function | None:
    """The method ``name`` of arrays, as a function that takes the array first."""
    return METHODS.get(name)


def call(
    ctx: Context,
    node: cst.Call,
    function: Function,
    name: str,
    shown: str,
    given: Arguments,
    hint: str,
) -> Operand:
    """The result of ``function``, here called by its ``name``, for ``given``."""
    run = partial(_result, ctx, node, function, name, shown)
    return axis_choice.called(ctx, node, given, run, hint)


def _result(
    ctx: Context, node: cst.Call, function: Function, name: str, shown: str, given: Arguments
) -> Operand:
    """The result where an axis among ``given`` is a constant."""

    def callback(callee: Operand, args: list[Operand]) -> Operand:
        return changing_nothing(ctx, node, shown, partial(ctx.lower.call, ctx, node, callee, args))

    given = _with_index(ctx, node, shown, given)
    if (name.rpartition(".")[2] in REDUCING or name == "numpy.linalg.norm") and given.args:
        reduced = ctx.functions.reduced
        reduced[node] = reduced.get(node, True) and is_scalar(given.args[0])
    if name in ("numpy.dot", "numpy.matmul") and len(given.args) == len("ab"):
        ctx.functions.note_sides(node, *map(delayed.rank, given.args))
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
    if name.rpartition(".")[2] in axisless.VIEWS:
        found = _viewing(ctx, found, given)
    return found if out is None else whole_result(ctx, node, out, found)


def _viewing(ctx: Context, found: Operand, given: Arguments) -> Operand:
    """``found``, noted as a view of what array without axes among ``given`` is a view of."""
    args = [*given.args, *given.keywords.values()]
    numbers = [a for a in args if isinstance(a, ir.Value) and isinstance(a.type, Scalar)]
    seen = frozenset[object]().union(*(ctx.memory.shown.get(a, frozenset()) for a in numbers))
    found = _noted_view(ctx, found, seen) if seen else found
    for number in numbers:
        found = whole.as_view(ctx, number, found)
    return found


def _noted_view(ctx: Context, found: Operand, seen: frozenset[object]) -> Operand:
    match found:
        case ir.Value():
            base = ctx.memory.base(found)
            assert isinstance(base, ir.Value)
            ctx.memory.shown[base] = ctx.memory.shown.get(base, frozenset()) | seen
            return found
        case Arr():
            return replace(found, shows=True, reads=found.reads | seen)
        case Items(items=items):
            return replace(found, items=tuple(_noted_view(ctx, one, seen) for one in items))
        case _:
            return found


def changing_nothing(
    ctx: Context, node: cst.Call, function: str, run: Callable[[], Operand]
) -> Operand:
    """The result of ``run``, in which ``function`` calls functions of the program.

    They may change only what they make: how often they are called is another number in Python.
    """
    values, builder = dict(ctx.frame.values), ctx.builder
    start, guards = len(builder.stmts), len(ctx.guards)
    found = run()
    for name, value in values.items():
        if is_cell(name) and ctx.frame.values.get(name, value) != value:
            pooled = any(is_cell_of(name, one.key) for one in ctx.heap.pools.values())
            raise _changes(ctx, node, function, "lists in lists" if pooled else hint_of(name))
    stmts = builder.stmts[start:]
    for guard in ctx.guards[guards:]:
        stmts = [*stmts, *guard.rest.stmts]
    inside = ir.Block(tuple(stmts))
    if not ctx.memory.roots(*aliasing.written_in(ctx, stmts)) <= ir.bound_in(inside):
        raise _changes(ctx, node, function, "an array")
    return found


def _changes(ctx: Context, node: cst.Call, function: str, changed: str) -> Refused:
    name = function.removesuffix(".call")
    message = f"{name} is given a function that changes {changed}"
    help_ = "give it one that only computes its result: how often it is called differs"
    return ctx.refuse(node, "MK193", message, help_)


def _with_index(ctx: Context, node: cst.Call, shown: str, given: Arguments) -> Arguments:
    """``np.add.at(x, index, y)``: a tuple has an index for each axis, but a list is an array."""
    if not shown.endswith(".at") or len(given.args) < 2:
        return given
    target, index, *rest = given.args
    if not isinstance(index, Items) or not index.is_list:
        return given
    return Arguments([target, whole.from_items(ctx, node, index), *rest], given.keywords)
