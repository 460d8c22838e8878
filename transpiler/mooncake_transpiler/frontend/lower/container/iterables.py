"""Iterables: ranges, arrays, and enumerate / zip / reversed of those."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import arrays, delayed
from mooncake_transpiler.frontend.lower.container import dicts, lists, searched, selecting
from mooncake_transpiler.frontend.lower.failure import optional
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growing, pooled, replacing, rows
from mooncake_transpiler.frontend.lower.scalar import enums, run_texts
from mooncake_transpiler.frontend.lower.scalar.scalars import compute
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe, name_of, part, way_out
from mooncake_transpiler.frontend.lower.state.operands import (
    Conflict,
    Elements,
    Generator,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.types import INT, Array

ENDLESS = ir.int_const(2**63 - 1)  # the length of what has no end


def as_sequence(ctx: Context, node: cst.CSTNode, operand: Operand) -> Elements:
    """Length and elements of something to iterate over."""
    operand = optional.present(ctx, node, operand, optional.ITERABLE)
    if isinstance(operand, Items):  # a display is only read
        operand = replace(operand, is_list=False)
    operand = delayed.settle(ctx, protocols.iterable(ctx, node, operand))
    match operand:
        case Elements():
            return operand
        case Generator():
            return as_sequence(ctx, node, delayed.settle(ctx, operand.listed()))
        case Ref() if (pairs := containers.pairs(ctx, operand)) is not None:
            return searched.shown(ctx, node, pairs, "keys")
        case Ref() if containers.is_dict(operand):
            return dicts.shown(ctx, node, partial(dicts.mapping, ctx, node, operand), "keys")
        case Ref() if (of := containers.pooled(ctx, operand)) is not None:
            return pooled.elements(ctx, node, of)
        case Ref() if (grown := containers.grown(ctx, operand)) is not None:
            return growing.elements(ctx, node, operand, grown)
        case Ref() if replacing.is_rows(ctx, node, operand):
            return _of_rows(ctx, node, operand)
        case Ref() if containers.is_list(operand):
            return _of_list(ctx, node, operand)
        case RunText():
            return _letters(ctx, node, operand)
        case Items() | Static() if (items := lists.one_by_one(ctx, node, operand)) is not None:
            return _of_items(ctx, node, items)
        case IntRange(lo=lo, step=step):
            count = range_length(ctx, node, operand)
            return Elements(count, lambda k, _: _affine(ctx, node, lo, step, k))
        case ir.Value() | ir.Undef() if isinstance(operand.type, Array) and operand.type.ndim:
            array = operand
            return Elements(
                storage.dim(ctx, array, 0),
                lambda k, hint: arrays.element(ctx, array, (k,), name_of(hint)),
            )
        case _:
            what = describe(operand)
            raise ctx.refuse(node, "MK306", f"can't iterate over {what}", way_out(operand))


def _letters(ctx: Context, node: cst.CSTNode, text: RunText) -> Elements:
    count = run_texts.asked(ctx, node, "length", [text.number], INT)
    return Elements(count, lambda k, _: run_texts.made(ctx, node, "letter", [text.number, k]))


def static_length(ctx: Context, node: cst.CSTNode, operand: Operand) -> int | None:
    """The number of items, if it is known ahead of time."""
    if isinstance(operand, Conflict | Generator):
        return None
    count = as_sequence(ctx, node, operand).count
    return count.value if isinstance(count, ir.Const) and isinstance(count.value, int) else None


def _of_items(ctx: Context, node: cst.CSTNode, items: tuple[Operand, ...]) -> Elements:
    count = len(items)
    return Elements(ir.int_const(count), lambda k, _: _nth(ctx, node, items, k), count)


def _nth(ctx: Context, node: cst.CSTNode, items: tuple[Operand, ...], k: ir.Atom) -> Operand:
    if isinstance(k, ir.Const) and isinstance(k.value, int):
        return items[k.value]
    return selecting.read(ctx, node, items, k, "sequence")


def _of_list(ctx: Context, node: cst.CSTNode, ref: Ref) -> Elements:
    """The items of a list as they are when their turn comes."""
    count = len(lists.items(ctx, node, ref))

    def unchanged() -> None:
        if len(lists.items(ctx, node, ref)) != count:
            raise growing.changes(ctx, node)

    def nth(k: ir.Atom, hint: Hint) -> Operand:
        unchanged()
        return _nth(ctx, node, lists.items(ctx, node, ref), k)

    return Elements(ir.int_const(count), nth, count, unchanged)


def _of_rows(ctx: Context, node: cst.CSTNode, ref: Ref) -> Elements:
    """The items of a list in arrays as they are when their turn comes."""
    count = containers.length(ctx, node, ref)

    def at(k: ir.Atom, hint: Hint) -> Operand:
        growing.check_length(ctx, node, containers.length(ctx, node, ref), count)
        if (grown := containers.grown(ctx, ref)) is not None:
            return growing.elements(ctx, node, ref, grown).at(k, hint)
        return rows.elements(ctx, containers.content(ctx, node, ref)).at(k, hint)

    return Elements(count, at)


def _affine(ctx: Context, node: cst.CSTNode, lo: ir.Atom, step: ir.Atom, k: ir.Atom) -> ir.Atom:
    """``lo + k * step``."""
    scaled = k if step == ir.ONE else compute(ctx, node, "mul", (k, step))
    return scaled if lo == ir.ZERO else compute(ctx, node, "add", (lo, scaled))


def range_length(ctx: Context, node: cst.CSTNode, of: IntRange) -> ir.Atom:
    """The number of items of a range; may come out negative for an empty one."""
    if of.lo == ir.ZERO and of.step == ir.ONE:
        return of.hi
    if of.step == ir.ONE:
        return compute(ctx, node, "sub", (of.hi, of.lo))
    # ceil((hi - lo) / step), which is -((lo - hi) // step) for either sign of the step
    span = compute(ctx, node, "sub", (of.lo, of.hi))
    return compute(ctx, node, "neg", (compute(ctx, node, "floordiv", (span, of.step)),))


def reverse(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``reversed(operand)``; of a range it is a range again."""
    match operand:
        case Items(items=items):
            return Items(items[::-1])
        case IntRange(lo=lo, hi=hi, step=step) if step in (ir.ONE, ir.int_const(-1)):
            first = compute(ctx, node, "sub", (hi, step))
            return IntRange(first, compute(ctx, node, "sub", (lo, step)), _negated(ctx, node, step))
        case IntRange(lo=lo, step=step):
            count = compute(ctx, node, "sub", (range_length(ctx, node, operand), ir.ONE))
            last = _affine(ctx, node, lo, step, count)
            end = compute(ctx, node, "sub", (lo, step))
            return IntRange(last, end, _negated(ctx, node, step))
        case _:
            of = as_sequence(ctx, node, operand)
            top = compute(ctx, node, "sub", (of.count, ir.ONE))
            return Elements(
                of.count, lambda k, hint: of.at(compute(ctx, node, "sub", (top, k)), hint),
                of.limit, of.done, backwards=True,
            )  # fmt: skip


def _negated(ctx: Context, node: cst.CSTNode, step: ir.Atom) -> ir.Atom:
    return compute(ctx, node, "neg", (step,))


def enumerated(ctx: Context, node: cst.CSTNode, operand: Operand, start: ir.Atom) -> Operand:
    if isinstance(operand, Items):
        numbers = [compute(ctx, node, "add", (start, ir.int_const(k)))
                   for k in range(len(operand.items))]  # fmt: skip
        pairs = zip(numbers, operand.items, strict=True)
        return Items(tuple(Items(pair) for pair in pairs))
    of = as_sequence(ctx, node, operand)

    def pair(k: ir.Atom, hint: Hint) -> Operand:
        return Items((_affine(ctx, node, start, ir.ONE, k), of.at(k, part(hint, 1))))

    return Elements(of.count, pair, of.limit, of.done)


def zipped(ctx: Context, node: cst.CSTNode, operands: list[Operand]) -> Operand:
    """``zip``: as long as the shortest."""
    tuples = [operand for operand in operands if isinstance(operand, Items)]
    if len(tuples) == len(operands):
        columns = zip(*(t.items for t in tuples), strict=False)
        return Items(tuple(Items(column) for column in columns))
    parts = [as_sequence(ctx, node, operand) for operand in operands]
    count = parts[0].count
    for other in parts[1:]:
        count = smaller(ctx, node, count, other.count)

    def row(k: ir.Atom, hint: Hint) -> Operand:
        return Items(tuple(one.at(k, part(hint, i)) for i, one in enumerate(parts)))

    def done() -> None:
        for one in parts:
            if one.done is not None:
                one.done()

    limit = min((one.limit for one in parts if one.limit is not None), default=None)
    return Elements(count, row, limit, done)


def smaller(ctx: Context, node: cst.CSTNode, a: ir.Atom, b: ir.Atom) -> ir.Atom:
    if a is b or a == b or b == ENDLESS:
        return a
    if a == ENDLESS:
        return b
    shorter = compute(ctx, node, "lt", (b, a))
    return ctx.builder.compute("select", (shorter, b, a), INT)


def length_of(ctx: Context, node: cst.CSTNode, value: Operand) -> ir.Atom | None:
    """``len(value)`` of a list, dict, range, text or enum; None for what else there is."""
    value = enums.plain(ctx, node, value)
    if isinstance(value, Generator):
        return None
    if isinstance(value, Ref) and not containers.is_container(value):
        return None
    if isinstance(value, Static) and not isinstance(value.value, str) and not enums.is_enum(value):
        return None
    if containers.grown(ctx, value) is not None:
        return containers.length(ctx, node, value)  # type: ignore[arg-type]
    return rows.at_least_none(ctx, node, as_sequence(ctx, node, value).count)
