"""The fields of objects, which are variables: reading, writing and copying them.

An object never exists at run time. ``Ref`` is its identity while a function is lowered, and each
field is a variable of the frame, so that branches choose between the values of fields and loops
carry them like any other variable. These variables move along into a frame that is lowered in line,
and back (``Frame.take_objects``).

    p.x += 1.0          becomes         %o1.x = %o1.x + 1.0
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.row import growing, pooled
from mooncake_transpiler.frontend.lower.state import tabled
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Items, Maybe, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.name import library_classes
from mooncake_transpiler.frontend.name.mentions import is_asked
from mooncake_transpiler.types import ClassRef, StructKind


def read(ctx: Context, node: cst.CSTNode, ref: Ref, field: str) -> Operand:
    """The value of a field that may be set."""
    name = objects.variable(ref, field)
    value = ctx.frame.values[name]
    if not ctx.frame.is_bound(name):
        help_ = f"set {field} before the branch or loop that sets it"
        raise ctx.refuse(node, "MK211", f"{field!r} is possibly not set here", help_)
    if isinstance(value, Conflict):
        raise ctx.refuse(node, "MK212", f"{field!r} has no single type here: {value.reason}")
    return value


def write(ctx: Context, node: cst.CSTNode, ref: Ref, field: str, value: Operand) -> None:
    ctx.heap.deeds.changed.add(ref.key)
    if ref.key in ctx.heap.ambiguous:
        message = f"this {ref.cls.name} may be another one too: {ctx.heap.ambiguous[ref.key]}"
        help_ = "make a new object, or copy it before it is assigned in a branch or loop"
        raise ctx.refuse(node, "MK320", message, help_)
    name = objects.variable(ref, field)
    hint = hint_of(name)
    if hint in ctx.heap.plan.rebound:
        value = pooled.bound(ctx, node, hint, value)
    ctx.frame.bind(name, delayed.settle(ctx, value, hint))


def snapshot(
    ctx: Context, node: cst.CSTNode, operand: Operand, *, is_declared: bool = False
) -> Operand:
    """``operand`` with the fields of objects, as they are now, in place of the objects.

    ``is_declared``: the lists of objects in it are closed by what is declared.
    """
    inside = partial(snapshot, ctx, node, is_declared=is_declared)
    match operand:
        case Ref() if containers.is_tuple(operand):
            held = inside(replace(operand, cls=containers.LIST))
            return replace(held, is_list=False) if isinstance(held, Items) else held
        case Ref() if (pairs := containers.pairs(ctx, operand)) is not None:
            return Items((inside(pairs),), cls=Held.SEARCHED)
        case Ref() if containers.is_container(operand):
            return inside(pooled.spread(ctx, growing.content(ctx, node, operand)))
        case Ref(cls=cls):
            names = [spec.name for spec in cls.fields]
            missing = [n for n in names if objects.variable(operand, n) not in ctx.frame.values]
            if missing:
                raise ctx.refuse(node, "MK211", f"{missing[0]!r} of {cls.name} is not set")
            parts = tuple(inside(read(ctx, node, operand, n)) for n in names)
            return Items(parts, tuple(names), cls.name, cls.ref)
        case Items(cls=Held.ROWS, items=[Items(names=(tabled.ROW,))]) if is_declared:
            return operand
        case Items() | Maybe() if tabled.holds_rows(operand):
            message = "objects whose number is not known ahead of time can't leave the function"
            raise ctx.refuse(node, "MK372", message, "return their numbers: [a.x for a in atoms]")
        case Items(items=items, names=names_, cls=cls_, of=of_):
            return Items(tuple(map(inside, items)), names_, cls_, of_, operand.is_list)
        case _:
            return operand


def frozen(ctx: Context, node: cst.CSTNode, ref: Ref) -> Operand:
    """``ref`` with its fields as they are from now on; objects in them stay what they are."""
    names = [spec.name for spec in ref.cls.fields]
    shown = snapshot(ctx, node, ref)
    assert isinstance(shown, Items)
    of, cls = shown.of, ref.cls
    if of is None and ctx.source.classes.get((cls.module, cls.name)) is cls:
        of = ClassRef(cls.module, cls.name, StructKind.FROZEN)
    return replace(shown, items=tuple(read(ctx, node, ref, name) for name in names), of=of)


def must_be(ctx: Context, node: cst.CSTNode, operand: Operand) -> Ref:
    if isinstance(operand, Ref):
        return operand
    check_told_apart(ctx, node, operand)
    raise ctx.refuse(node, "MK110", f"attributes of {describe(operand)} can't be assigned to")


def check_told_apart(ctx: Context, node: cst.CSTNode, operand: Operand) -> None:
    """Refuse an object in a list if nobody knows which one it is: it may do in a table."""
    of = operand.of if isinstance(operand, Items) else None
    kinds = (StructKind.MUTABLE, StructKind.RECORD)
    if isinstance(operand, Items) and of is not None and of.kind in kinds:
        ctx.heap.plan.made.add(ctx.source.classes[of.module, of.name])
        message = f"which {operand.cls} of a list this is is known at run time only"
        help_ = "keep what changes in arrays or lists of numbers, and read the objects"
        raise ctx.refuse(node, "MK320", message, help_)


def is_idle(ctx: Context, ref: Ref, name: str) -> bool:
    """True for a field with a list or dict that nobody asks for; not of dicts, which tell all."""
    held = ctx.frame.values.get(objects.variable(ref, name))
    if library_classes.is_record(ref.cls) or not containers.is_container(held):
        return False
    return not is_asked(ctx.source.modules.values(), name)
