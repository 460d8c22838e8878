"""``f(*xs)``: what ``xs`` gives to ``f``; ``zip(*xs)`` of what is as long as the run makes it."""

from __future__ import annotations

from functools import partial

import libcst as cst
from mooncake_rules import scalar as rules

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.call import spread_arguments
from mooncake_transpiler.frontend.lower.container import algorithms, iterables, lists, stepping
from mooncake_transpiler.frontend.lower.failure import failing, numbers
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar import scalars
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Signature
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Spread
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Elements, Items, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.text.trees import is_name
from mooncake_transpiler.types import Array


def items(ctx: Context, node: cst.CSTNode, value: Operand) -> tuple[Operand, ...]:
    """The arguments that ``*value`` gives."""
    found = lists.one_by_one(ctx, node, value)
    found = arrays.elements(ctx, value) if found is None else found
    if found is not None:
        return found
    message = f"{describe(value)} can't be unpacked: how long it is is not known ahead of time"
    help_ = "give its items by their numbers, xs[0], xs[1], or pass it as one argument"
    refusal = ctx.refuse(node, "MK218", message, help_)
    value = delayed.settle(ctx, value)
    if not (containers.is_list(value) or delayed.is_array(value)):
        raise refusal
    of = iterables.as_sequence(ctx, node, value)
    return (Spread(of, partial(spread_arguments.bound, ctx, node), refusal),)


def closed(ctx: Context, node: cst.CSTNode, given: Arguments, qualname: str = "") -> Arguments:
    """``given`` to a function that is not of the program: how many they are must not be open.

    ``max(*xs)`` is ``max(xs)`` of two items and more.
    """
    spread = [arg for arg in given.args if isinstance(arg, Spread)]
    if not spread:
        return given
    if qualname not in ("builtins.max", "builtins.min"):
        return _of_numbers(ctx, node, given, qualname, spread[0])
    of = spread[0].items if len(given.args) == 1 else spread_arguments.joined(ctx, node, given.args)
    name = qualname.rpartition(".")[2]
    message = f"{name} expected at least 1 argument, got 0"
    for k, text in enumerate((message, "'float' object is not iterable")):
        enough = scalars.compute(ctx, node, "gt", (of.count, ir.int_const(k)))
        failing.require(ctx, node, enough, text, "TypeError")
    return Arguments((of,), given.keywords)


def _of_numbers(
    ctx: Context, node: cst.CSTNode, given: Arguments, qualname: str, spread: Spread
) -> Arguments:
    """``given`` to a function that has a rule for two numbers: the run must show that these are."""
    rule = rules.resolve(qualname, len(PAIR))
    if rule is None or rules.OPS[rule].arity != len(PAIR):
        raise spread.refusal
    of = Signature(qualname.rpartition(".")[2], PAIR, len(PAIR), {})
    found, _ = spread.bound(of, given.args, {})
    return Arguments(tuple(found.values()), given.keywords)


PAIR = ("x1", "x2")


def transposed(ctx: Context, node: cst.Call, value: Operand) -> Operand | None:
    """``zip(*value)`` of a list of tuples or lists, as long as the run makes it, or of a matrix.

    None for anything else.
    """
    value = delayed.settle(ctx, value)
    if isinstance(value, ir.Value) and isinstance(value.type, Array):
        return _columns(ctx, node, value, value.type)
    if not lists.is_run_time(ctx, value):
        return None
    if _holds_lists(ctx, node, value):
        if any(not is_name(arg.value, "False") for arg in node.args[1:]):
            algorithms.run(ctx, "check_widths", value)
        made = algorithms.run(ctx, "transposed", value)
        return stepping.iterator(ctx, node, iterables.as_sequence(ctx, node, made))
    size = numbers.as_scalar(ctx, node, algorithms.run(ctx, "length", value))
    some = scalars.compute(ctx, node, "ge", (size, ir.ONE))
    failing.require(ctx, node, some, "zip(*xs) of an empty list has no items", "ValueError")
    first = algorithms.run(ctx, "item", value, ir.ZERO)
    if not isinstance(first, Items) or first.is_list:
        return None
    columns = [
        algorithms.run(ctx, "column", value, ir.int_const(k)) for k in range(len(first.items))
    ]
    return stepping.iterator(ctx, node, Items(tuple(columns)))


def _holds_lists(ctx: Context, node: cst.CSTNode, value: Operand) -> bool:
    """True if the items of a list are lists."""
    before = ctx.mark()
    first = iterables.as_sequence(ctx, node, value).at(ir.ZERO, "")
    ctx.reset(before)
    return containers.is_list(first) or (isinstance(first, Items) and first.is_list)


def _columns(ctx: Context, node: cst.Call, matrix: ir.Value, type_: Array) -> Operand | None:
    """A list for each column of a matrix whose number of rows the run tells; none without rows."""
    rows, width = storage.shape(ctx, matrix)[:2] if type_.ndim == 2 else (None, None)
    if rows is None or width is None or isinstance(rows, ir.Const):
        return None
    some = scalars.compute(ctx, node, "gt", (rows, ir.ZERO))
    count = scalars.select(ctx, some, width, ir.ZERO)
    make = Static(External("builtins.list"))

    def column(k: ir.Atom, hint: Hint) -> Operand:
        part = storage.view(ctx, matrix, (ir.Slice(None, None, None), k))
        return ctx.lower.call(ctx, node, make, (part,), hint=hint)

    return stepping.iterator(ctx, node, Elements(count, column))
