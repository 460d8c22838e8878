"""Equality, identity and containment by Python's rules, for values of any kind."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import partial

import libcst as cst
import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassKind, EnumMember, External
from mooncake_transpiler.frontend.lower.array import delayed, whole
from mooncake_transpiler.frontend.lower.container import algorithms, dicts, keyed, lists
from mooncake_transpiler.frontend.lower.failure import numbers
from mooncake_transpiler.frontend.lower.instance import heap, instances, protocols, standins
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.operation import shortcut
from mooncake_transpiler.frontend.lower.scalar import enums, kinds, run_texts, scalars
from mooncake_transpiler.frontend.lower.scalar.scalars import (
    compute,
    conjunction,
    constant,
    is_scalar,
)
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import (
    atoms,
    describe,
    is_sequence,
    same,
    type_of,
)
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Choice,
    Closure,
    Conflict,
    IntRange,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.tabled import is_row
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.types import BOOL, Scalar

ORDERS: Mapping[str, cst.BaseCompOp] = {
    "lt": cst.LessThan(), "le": cst.LessThanEqual(),
    "gt": cst.GreaterThan(), "ge": cst.GreaterThanEqual(),
}  # fmt: skip


def ordered(
    ctx: Context, node: cst.CSTNode, op: str, left: Operand, right: Operand, hint: str
) -> ir.Atom:
    if op in ("eq", "ne") and (same_ := _lists_equal(ctx, node, left, right)) is not None:
        return same_ if op == "eq" else compute(ctx, node, "not", (same_,), hint)
    words = run_texts.pair(left, right)
    ctx.heap.asks_texts |= isinstance(left, RunText) or isinstance(right, RunText)
    if words is not None and op in ("eq", "ne"):
        return compute(ctx, node, op, [one.number for one in words], hint)
    if words is not None:
        found = run_texts.before(ctx, *(words if op in ("lt", "ge") else reversed(words)))
        return found if op in ("lt", "gt") else compute(ctx, node, "not", (found,), hint)
    if isinstance(left, RunText) or isinstance(right, RunText):
        return _text_and_other(ctx, node, op, left, right)
    known = [enums.python(ctx, node, side) for side in (left, right)]
    left, right = (ctx.lower.view(ctx, node, enums.plain(ctx, node, x)) for x in (left, right))
    if is_scalar(left) and is_scalar(right):
        sides = [numbers.as_scalar(ctx, node, side) for side in (left, right)]
        return compute(ctx, node, op, sides, hint)
    if any(isinstance(value, np.dtype) for value in known):
        known = [_or_class(one, side) for one, side in zip(known, (left, right), strict=True)]
    if enums.UNKNOWN not in known:
        return _of_known(ctx, node, op, *known)
    if op in ("eq", "ne"):
        found = _equal(ctx, node, left, right)
        return found if op == "eq" else compute(ctx, node, "not", (found,), hint)
    if _have_order(ctx, left, right):
        assert isinstance(left, Items)
        assert isinstance(right, Items)
        return first_different(ctx, node, op, left.items, right.items)
    for side in (left, right):
        numbers.as_scalar(ctx, node, side)
    raise AssertionError("two scalars are compared above")


def _text_and_other(
    ctx: Context, node: cst.CSTNode, op: str, left: Operand, right: Operand
) -> ir.Atom:
    """``op`` of a text that the run tells and something else: not equal, but to another text."""
    for side in (left, right):
        if isinstance(side, Told) and run_texts.is_text(side):
            one, other = (run_texts.key(ctx, x) for x in (left, right))
            return ordered(ctx, node, op, one, other, "")
        if isinstance(side, Passed | Maybe | Choice | Conflict) or op not in ("eq", "ne"):
            sides = f"{describe(left)} and {describe(right)}"
            raise ctx.refuse(node, "MK347", f"{sides} can't be compared here")
    return constant(op == "ne")


def _or_class(known: object, side: Operand) -> object:
    """``known``; a class like ``np.float64``, which dtypes are compared with, by itself."""
    match side:
        case Static(value=External(qualname=qualname)):
            return standins.outside(qualname) or known
        case _:
            return known


def _have_order(ctx: Context, left: Operand, right: Operand) -> bool:
    """True for two tuples, named or not, or two lists."""
    sides = (left, right)
    if not all(isinstance(side, Items) and side.once is None for side in sides):
        return False
    kinds_ = {cls.kind for side in sides if (cls := objects.declared(ctx, side)) is not None}
    return (
        kinds_ <= {ClassKind.NAMED}
        and len({getattr(side, "is_list", False) for side in sides}) == 1
    )


def first_different(
    ctx: Context, node: cst.CSTNode, op: str, left: Sequence[Operand], right: Sequence[Operand]
) -> ir.Atom:
    """``op`` of the first items that are not equal; of the lengths, if there are none."""
    if not left or not right:
        return constant(bool(getattr(operator, op)(len(left), len(right))))

    def here() -> ir.Atom:
        return protocols.truth(
            ctx, node, ctx.lower.compare(ctx, node, ORDERS[op], left[0], right[0])
        )

    def later() -> ir.Atom:
        return first_different(ctx, node, op, left[1:], right[1:])

    same_ = equal(ctx, node, left[0], right[0])
    found = branches.choose(ctx, node, same_, later, here, "")
    return numbers.as_scalar(ctx, node, found)


def _of_known(ctx: Context, node: cst.CSTNode, op: str, left: object, right: object) -> ir.Atom:
    """Python's answer for two values that are known ahead of time."""
    try:
        return constant(bool(getattr(operator, op)(left, right)))
    except TypeError as error:
        raise ctx.refuse(node, "MK213", str(error)) from None


def _equal(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> ir.Atom:
    """``left == right`` of values that are not both numbers, nor known ahead of time."""
    match left, right:
        case Items(once=None), Items(once=None):
            return _tuples_equal(ctx, node, left, right)
        case Ref(), Ref() if containers.is_dict(left) and containers.is_dict(right):
            return _dicts_equal(ctx, node, left, right)
        case Static(), Static():  # text is known ahead of time, and was compared
            return constant(_is_same(ctx, node, left, right))
        case (Static(value=str() | None | EnumMember()), other) | (
            other,
            Static(value=str() | None | EnumMember()),
        ) if is_scalar(other) or isinstance(other, Items | IntRange | Closure | Bound):
            return constant(False)
        case (Items(once=None), other) | (other, Items(once=None)) if (
            is_scalar(other) and kinds.kind(ctx, other) is Kind.PYTHON
        ):  # NumPy's numbers are compared with each item
            return constant(False)
        case _:
            message = f"whether {describe(left)} and {describe(right)} are equal is not known here"
            raise ctx.refuse(node, "MK347", message, "compare numbers, text, or tuples of them")


def _tuples_equal(ctx: Context, node: cst.CSTNode, left: Items, right: Items) -> ir.Atom:
    if len(left.items) != len(right.items) or left.is_list != right.is_list:
        return constant(False)
    return all_equal(ctx, node, list(zip(left.items, right.items, strict=True)))


def _lists_equal(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> ir.Atom | None:
    """``left == right`` of lists or tuples, of which the run tells the length of one."""
    sides = (lists.kind(left), lists.kind(right))
    if None in sides or not (lists.is_run_time(ctx, left) or lists.is_run_time(ctx, right)):
        return None
    if sides[0] is not sides[1]:
        return constant(False)
    if _is_itself(ctx, node, left, right):
        return constant(True)
    return algorithms.holds(ctx, node, "equal", left, right)


def _dicts_equal(ctx: Context, node: cst.CSTNode, left: Ref, right: Ref) -> ir.Atom:
    """Two dicts are equal if they have the same keys, and equal values for these."""
    if _is_itself(ctx, node, left, right):
        return constant(True)
    keys = dicts.keys(ctx, node, left)
    others = dicts.keys(ctx, node, right)
    if len(keys) != len(others) or not all(dicts.has(ctx, node, right, key) for key in keys):
        return constant(False)
    pairs = [(dicts.item(ctx, node, left, key), dicts.item(ctx, node, right, key)) for key in keys]
    return all_equal(ctx, node, pairs)


def all_equal(ctx: Context, node: cst.CSTNode, pairs: Sequence[tuple[Operand, Operand]]) -> ir.Atom:
    """A bool: the sides of all pairs are equal; the first that are not end it."""
    found: ir.Atom = constant(True)
    for a, b in pairs:
        both = shortcut.short_circuit(ctx, node, True, found, partial(equal, ctx, node, a, b))
        found = numbers.as_scalar(ctx, node, both)
    return kinds.as_kind(ctx, found, Kind.PYTHON)


def equal(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> ir.Atom:
    """``left is right or left == right``: how items are compared."""
    if _is_itself(ctx, node, left, right):
        return constant(True)
    found = ctx.lower.compare(ctx, node, cst.Equal(), left, right)
    return protocols.truth(ctx, node, found)


def _is_itself(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> bool:
    """True if both are certainly one object: even nan is equal to itself then."""
    match left, right:
        case Ref(key=key), Ref(key=other):
            return key == other and key not in ctx.heap.ambiguous
        case ir.Const(value=value), ir.Const(value=other) if value != value and other != other:
            message = "whether this nan is the same object is not known ahead of time"
            raise ctx.refuse(node, "MK347", message, "ask with np.isnan")
        case ir.Value(), ir.Value():
            return left is right and is_scalar(left)
        case _:
            return False


def contains(ctx: Context, node: cst.CSTNode, item: Operand, container: Operand) -> ir.Atom:
    if (own := instances.special(ctx, node, "__contains__", container, item)) is not None:
        return protocols.truth(ctx, node, own)
    container = enums.plain(ctx, node, protocols.iterable(ctx, node, container))
    match enums.plain(ctx, node, item), container:
        case Static(value=str(inner)), Static(value=str(text)):
            return constant(inner in text)
        case inside, text if (pair := run_texts.pair(inside, text)) is not None:
            each = [one.number for one in reversed(pair)]
            return run_texts.asked(ctx, node, "contains", each, BOOL)
        case _:
            pass
    if containers.is_dict(container):
        return keyed.has(ctx, node, container, item)
    if isinstance(container, IntRange):
        return _in_range(ctx, node, enums.plain(ctx, node, item), container)
    if delayed.is_array(container) and is_scalar(item):
        same_ = ctx.lower.compare(ctx, node, cst.Equal(), container, item)
        return protocols.truth(ctx, node, whole.library_call(ctx, node, "numpy.any", same_))
    if not isinstance(container, Items) or not is_sequence(container):
        raise ctx.refuse(node, "MK110", f"`in` needs a tuple, got {describe(container)}")
    found: ir.Atom = constant(False)
    for other in container.items:
        one = partial(equal, ctx, node, other, item)
        found = numbers.as_scalar(ctx, node, shortcut.short_circuit(ctx, node, False, found, one))
    return kinds.as_kind(ctx, found, Kind.PYTHON)


def _in_range(ctx: Context, node: cst.CSTNode, item: Operand, of: IntRange) -> ir.Atom:
    """``item in range(lo, hi, step)``: between the ends, and a number of whole steps from one."""
    if not is_scalar(item):
        return constant(False)
    item = numbers.as_scalar(ctx, node, item)
    step = of.step.value if isinstance(of.step, ir.Const) else None
    if not isinstance(step, int):
        message = "which way this range goes is not known ahead of time"
        raise ctx.refuse(node, "MK110", message, "compare with its ends")
    lower, upper = ("ge", "lt") if step > 0 else ("le", "gt")
    found = compute(ctx, node, lower, (item, of.lo))
    found = conjunction(ctx, found, compute(ctx, node, upper, (item, of.hi)))
    if abs(step) != 1 or not scalars.dtype(item).is_int:
        steps = compute(ctx, node, "mod", (compute(ctx, node, "sub", (item, of.lo)), of.step))
        whole = compute(ctx, node, "eq", (steps, ir.ZERO))
        found = conjunction(ctx, found, whole)
    return kinds.as_kind(ctx, found, Kind.PYTHON)


def is_one(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> ir.Atom:
    """``left is right``."""
    assert not any(isinstance(side, Maybe | Told) for side in (left, right))
    for side, other in ((left, right), (right, left)):
        is_known = isinstance(side, Static | Closure)
        if is_known and (side == NOTHING or not isinstance(other, Choice)):
            return constant(_is_same(ctx, node, side, other))
    first, second = (containers.numbered(ctx.frame.values, side) for side in (left, right))
    if containers.is_pooled(first) and containers.is_pooled(second):
        if first.cls != second.cls:
            return constant(False)
        return compute(ctx, node, "eq", (*atoms(first), *atoms(second)))
    if isinstance(left, Ref) and isinstance(right, Ref):
        keys = {left.key, right.key}
        if len(keys) == 1 or not keys & ctx.heap.ambiguous.keys():
            return constant(ctx.heap.are_one(left.key, right.key))
    if isinstance(left, Items) and isinstance(right, Items) and is_row(left) and is_row(right):
        if left.of != right.of:
            return constant(False)
        if objects.declared(ctx, left) in ctx.heap.plan.shared:
            message = "whether these are one object is not known here: all calls may share it"
            raise ctx.refuse(node, "MK320", message, "compare what is in them")
        return compute(ctx, node, "eq", (*atoms(left), *atoms(right)))
    if any(isinstance(side, Items) and side.is_list for side in (left, right)):
        return constant(False)  # a display is a new list
    for side, other in ((left, right), (right, left)):
        if isinstance(side, ir.Const) and side.type == BOOL:
            return _is_bool(ctx, node, other, bool(side.value))
    if isinstance(left, Items) and isinstance(right, Items):
        heap.check_told_apart(ctx, node, left)
    help_ = "compare with ==" if type_of(left) else None
    raise ctx.refuse(node, "MK110", "`is` is supported for None only", help_)


def _is_bool(ctx: Context, node: cst.CSTNode, operand: Operand, value: bool) -> ir.Atom:
    """A bool: ``operand`` is Python's own True (or False)."""
    if not is_scalar(operand) or operand.type != BOOL:
        return constant(False)
    match kinds.kind(ctx, operand):
        case Kind.PYTHON:
            return operand if value else ctx.builder.not_(operand)
        case Kind.NUMPY:
            return constant(False)
        case _:
            raise kinds.undecided(ctx, node, "bools")


def _is_same(ctx: Context, node: cst.CSTNode, left: Operand, right: Operand) -> bool:
    """True if two things are the same, of which one is known ahead of time and no number."""
    match left, right:
        case Static(value=External(qualname=one)), Static(value=External(qualname=other)):
            found = standins.outside(one), standins.outside(other)
            if one == other or None not in found:
                return one == other or found[0] is found[1]
        case Static(value=str(one)), Static(value=str(other)) if one == other:
            pass
        case (Static(value=EnumMember()), ir.Value(type=Scalar(dtype=dtype))) | (
            ir.Value(type=Scalar(dtype=dtype)),
            Static(value=EnumMember()),
        ) if dtype.is_int:  # what max(member, n) gives is a number here
            pass
        case _:
            return same(left, right)
    message = f"whether {describe(left)} and {describe(right)} are one object is not known here"
    raise ctx.refuse(node, "MK347", message, "compare text with ==")
