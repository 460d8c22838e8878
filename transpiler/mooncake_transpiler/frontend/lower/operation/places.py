"""Meanings of a subscript: a part of an array, or an item of a list, dict or instance."""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, External
from mooncake_transpiler.frontend.lower.array import arrays, delayed, whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.container import (
    algorithms,
    asked_texts,
    iterables,
    keyed,
    lists,
    pairs,
    selecting,
)
from mooncake_transpiler.frontend.lower.failure import numbers, optional, unset_names
from mooncake_transpiler.frontend.lower.failure.numbers import as_scalar
from mooncake_transpiler.frontend.lower.instance import protocols
from mooncake_transpiler.frontend.lower.memory import reshaping
from mooncake_transpiler.frontend.lower.memory.locations import Location, Picked
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.operation import enum_members, shape_items
from mooncake_transpiler.frontend.lower.operation.subscripts import has_ellipsis, is_starred, spread
from mooncake_transpiler.frontend.lower.row import (
    begun_growing,
    growing,
    lengths,
    pooled,
    replacing,
    rows,
)
from mooncake_transpiler.frontend.lower.scalar import enums, kinds, scalars
from mooncake_transpiler.frontend.lower.state import syntax
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Neighbourhood, Ref, RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe, is_text, way_out
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Cut,
    IntRange,
    Items,
    Operand,
    Static,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held
from mooncake_transpiler.frontend.lower.state.unset import forget
from mooncake_transpiler.frontend.lower.state.whose import Kind

RESULTS = ("OdeResult", "OptimizeResult")  # of SciPy: dicts of their attributes
NO_SLICES = (
    "a stencil's kernel indexes single items",
    "write an index for each item, or a loop over offsets and neighborhood=",
)


def subscript(ctx: Context, node: cst.Subscript, hint: str) -> Operand:
    """``x[i]`` as a value: an element, a view, a gathered part, or an item of a tuple."""
    if isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape":
        found = shape_items.read(ctx, node, node.value, hint)
        if found is not None:
            return found
    located = locate(ctx, node)
    match located:
        case Location():
            found = arrays.read(ctx, located, hint)
            if located.base in ctx.memory.flats and arrays.is_array(found):
                return reshaping.apart(ctx, found)  # a part of ``x.flat`` is no view
            if located.is_element and has_ellipsis(node):
                reshaping.show(ctx, found, located.base)
            return found
        case Picked():
            return arrays.pick(ctx, node, located)
        case Slot():
            return read(ctx, node, located)
        case _:
            return located


def locate(ctx: Context, node: cst.Subscript) -> Location | Picked | Slot | Operand:
    """The place that ``node`` denotes: ``x[i][j]`` is the location ``x[i, j]``."""
    inner = node.value
    base: Location | Picked | Slot | Operand
    if isinstance(inner, cst.Subscript) and not shape_items.is_shape(inner.value):
        base = locate(ctx, inner)
    else:
        base = optional.present(ctx, node, ctx.lower.expression(ctx, inner), optional.SUBSCRIPT)
    if isinstance(base, Picked):
        assert isinstance(inner, cst.Subscript)
        base = arrays.pick(ctx, inner, base)
    if isinstance(base, Location) and (base.is_element or not base.is_plain):
        base = arrays.read(ctx, base)
    if isinstance(base, Slot):
        base = read(ctx, node, base)
    if containers.is_container(base):
        return slot(ctx, node, base)
    if not isinstance(base, Location) and protocols.has_items(ctx, base):
        return Slot(base, protocols.key(ctx, node, spread(ctx, node)))
    base = enums.plain(ctx, node, base) if isinstance(base, Static) else base
    if isinstance(base, RunText):
        return asked_texts.item(ctx, node, base, key_of(ctx, node))
    if isinstance(base, Items | IntRange) or is_text(base):
        return item_of(ctx, node, base)
    if isinstance(base, Static) and isinstance(base.value, ClassDecl) and enums.is_enum(base):
        return enum_members.by_name(ctx, node, base.value, key_of(ctx, node))
    if isinstance(base, Static) and isinstance(base.value, External):
        return _joined(ctx, node, base.value)
    if isinstance(base, Neighbourhood):
        return arrays.located(ctx, node, _from_place(ctx, node, base), base.array)
    if isinstance(base, Location):
        return arrays.located(ctx, node, _indices(ctx, node), base.base, base.index)
    if isinstance(base, Arr) or arrays.is_array(base):
        return arrays.located(ctx, node, _indices(ctx, node), base)
    if scalars.is_scalar(base) and kinds.kind(ctx, base) is Kind.NUMPY:
        found = _without_axes(ctx, node, base)
        if found is not None:
            return found
    raise ctx.refuse(node, "MK214", f"{describe(base)} can't be indexed", way_out(base))


def _without_axes(ctx: Context, node: cst.Subscript, base: ir.Atom) -> Operand | None:
    """``a[()]`` and ``a[None, ...]`` of a number of NumPy's; None for all else."""
    axes = [key for key in spread(ctx, node) if key is not Ellipsis]
    if not axes and not has_ellipsis(node):
        return kinds.as_kind(ctx, base, Kind.NUMPY)
    if not axes or any(key != NOTHING for key in axes):
        return None
    places = Items(tuple(map(ir.int_const, range(len(axes)))))
    found = whole.library_call(ctx, node, "numpy.expand_dims", base, places)
    return whole.as_view(ctx, base, found)


def _indices(ctx: Context, node: cst.Subscript) -> list[object]:
    """The parts of an index of an array: a range among them is the array of its numbers."""
    arange = Static(External("numpy.arange"))
    return [
        ctx.lower.call(ctx, cst.Call(cst.Name("_")), arange, (part.lo, part.hi, part.step))
        if isinstance(part, IntRange)
        else part
        for part in spread(ctx, node)
    ]


def _from_place(ctx: Context, node: cst.Subscript, around: Neighbourhood) -> list[object]:
    """The indices of a stencil's kernel, counted from the place where it is."""
    offsets = spread(ctx, node)
    if len(offsets) != len(around.place):
        message = f"{len(offsets)} indices for an array of rank {len(around.place)}"
        raise ctx.refuse(node, "MK239", message, "give one for each axis")
    found: list[object] = []
    for start, offset in zip(around.place, offsets, strict=True):
        if not isinstance(offset, ir.Value | ir.Const):
            raise ctx.refuse(node, "MK239", *NO_SLICES)
        step = numbers.as_index(ctx, node, offset, "an index")
        found.append(scalars.compute(ctx, node, "add", (start, step)))
    return found


def _joined(ctx: Context, node: cst.Subscript, function: External) -> Operand:
    """``np.r_[a, b]`` and its kin, which are functions that are written as arrays."""
    if function.qualname not in ("numpy.r_", "numpy.c_", "numpy.mgrid", "numpy.ogrid"):
        raise ctx.refuse(node, "MK214", f"{function.qualname} can't be indexed")
    items = [
        _slice(ctx, node, part) if isinstance(part, Cut)
        else whole.to_library(ctx, node, part)  # type: ignore[arg-type]
        for part in spread(ctx, node)
    ]  # fmt: skip
    stage = LoweringStage(ctx, node)
    return whole.from_library(ctx, node, stage.call(function.qualname, *items))


def _slice(ctx: Context, node: cst.Subscript, cut: Cut) -> slice:
    """A slice of numbers."""
    stage = LoweringStage(ctx, node)
    numbers = [
        None if x == NOTHING else stage.number(as_scalar(ctx, node, x))
        for x in (cut.lo, cut.hi, cut.step)
    ]
    return slice(*numbers)


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """An item of a list or dict, or a slice of a list."""

    owner: Operand
    key: Operand


def slot(ctx: Context, node: cst.Subscript, owner: Ref) -> Slot:
    """``owner[key]`` as a place."""
    if (
        containers.is_dict(owner)
        and isinstance(node.slice[0].slice, cst.Index)
        and not node.slice[1:]
        and not is_starred(node)
    ):
        return Slot(owner, ctx.lower.expression(ctx, node.slice[0].slice.value))
    keys = spread(ctx, node)
    if containers.is_dict(owner) and not any(
        key is Ellipsis or isinstance(key, Cut) for key in keys
    ):
        return Slot(owner, Items(tuple(keys)))  # type: ignore[arg-type]
    if len(node.slice) != 1 or len(keys) != 1 or keys[0] is Ellipsis or is_starred(node):
        if len(node.slice) == 1 and containers.is_dict(owner):
            return Slot(owner, Items(tuple(keys)))  # type: ignore[arg-type]
        raise ctx.refuse(node, "MK218", f"a {owner.cls.name} takes one index")
    return Slot(owner, keys[0])  # type: ignore[arg-type]


def read(ctx: Context, node: cst.CSTNode, at: Slot) -> Operand:
    """``owner[key]``; a part of a tuple is one."""
    found = _read(ctx, node, at)
    if isinstance(at.key, Cut) and containers.is_tuple(at.owner):
        return containers.as_tuple(delayed.settle(ctx, found))
    return found


def _read(ctx: Context, node: cst.CSTNode, at: Slot) -> Operand:
    if not containers.is_container(at.owner):
        return protocols.item(ctx, node, at.owner, at.key)
    if containers.is_dict(at.owner):
        return keyed.item(ctx, node, at.owner, at.key)
    if (of := containers.pooled(ctx, at.owner)) is not None:
        return pooled.read(ctx, node, of, at.key)
    if (grown := containers.grown(ctx, at.owner)) is not None:
        return growing.item(ctx, node, grown, at.key)
    if replacing.is_rows(ctx, node, at.owner):
        return rows.item(ctx, node, containers.content(ctx, node, at.owner), at.key)
    held = containers.content(ctx, node, at.owner)
    may_come = ctx.frame.loops and lists.is_beyond(ctx, node, held, at.key)  # in an iteration
    if may_come and lengths.let_grow(ctx, node, at.owner, held):
        return _read(ctx, node, at)
    return lists.item(ctx, node, held, at.key)


def key_of(ctx: Context, node: cst.Subscript) -> Operand:
    """The key between the brackets, which is no tuple."""
    keys = spread(ctx, node)
    if len(node.slice) != 1 or len(keys) != 1 or keys[0] is Ellipsis or is_starred(node):
        raise ctx.refuse(node, "MK218", "this takes one index")
    return keys[0]  # type: ignore[return-value]


def item_of(ctx: Context, node: cst.Subscript, base: Operand) -> Operand:
    """``base[key]`` of a tuple, a range or text."""
    key = key_of(ctx, node)
    if isinstance(base, Items) and base.cls in RESULTS and is_text(key):
        attr = cst.Attribute(node.value, cst.Name(str(key.value)))
        return ctx.lower.attribute(ctx, attr, base)
    if isinstance(base, IntRange) and not isinstance(key, Cut):
        index = numbers.as_place(ctx, node, key)
        of = iterables.as_sequence(ctx, node, base)
        return of.at(selecting.within(ctx, node, index, of.count, "range"), "")
    is_list = isinstance(base, Items) and base.is_list
    found = lists.item(ctx, node, Items(lists.must_be_known(ctx, node, base), is_list=is_list), key)
    if isinstance(base, Static) and isinstance(found, Items):
        return Static("".join(str(one.value) for one in found.items if isinstance(one, Static)))
    return found


def write(ctx: Context, node: cst.CSTNode, at: Slot, value: Operand) -> None:
    """``owner[key] = value``."""
    _check_no_tuple(ctx, node, at.owner)
    if not containers.is_container(at.owner):
        protocols.set_item(ctx, node, at.owner, at.key, value)
        return
    if _replaced_part(ctx, node, at, value):
        return
    if not isinstance(at.key, Cut) and containers.is_list(at.owner):
        rows.learn(ctx, node, at.owner, delayed.settle(ctx, value))
    if (of := containers.pooled(ctx, at.owner)) is not None:
        pooled.write(ctx, node, of, at.key, pooled.item(ctx, node, value))
        return
    if containers.is_list(at.owner) and not isinstance(at.key, Cut):
        value = pooled.item(ctx, node, value)
    if rows.write_in_table(ctx, node, at.owner, at.key, value):
        return
    replacing.check_changeable(ctx, node, at.owner)
    if containers.is_dict(at.owner):
        keyed.write(ctx, node, at.owner, at.key, value)
        return
    if containers.grown(ctx, at.owner) is not None:
        growing.write(ctx, node, at.owner, at.key, value)
        return
    held = containers.content(ctx, node, at.owner)
    grows = growing.holds_arrays(ctx, held) or rows.lacks(ctx, held, value)
    if not isinstance(at.key, Cut) and grows:
        begun_growing.copied_to_grow(ctx, node, at.owner, held)
        growing.write(ctx, node, at.owner, at.key, value)
        return
    if held.cls == Held.ROWS:
        rows.write(ctx, node, held, at.key, value)
        return
    written = _written(ctx, node, held, at.key, value)
    replacing.replaced(ctx, node, at.owner, replace(held, items=tuple(written)))


def _check_no_tuple(ctx: Context, node: cst.CSTNode, owner: Operand) -> None:
    if containers.is_tuple(owner):
        message = "'tuple' object does not support item assignment"
        raise ctx.refuse(node, "MK213", message, "make it a list: list(...)")


def _replaced_part(ctx: Context, node: cst.CSTNode, at: Slot, value: Operand) -> bool:
    """True if ``xs[lo:hi] = value`` is done, for a list of run-time length."""
    key, owner = at.key, at.owner
    if not isinstance(key, Cut) or key.step != NOTHING or not containers.is_list(owner):
        return False
    if not algorithms.let_grow(ctx, node, owner):
        return False
    algorithms.run(ctx, "put_between", owner, key.lo, key.hi, value)
    return True


def _written(
    ctx: Context, node: cst.CSTNode, held: Items, key: Operand | Cut, value: Operand
) -> list[Operand]:
    """The items of a list whose length is known, after ``held[key] = value``."""
    found = list(held.items)
    if isinstance(key, Cut):
        try:
            found[lists.bounds(ctx, node, key)] = lists.must_be_known(ctx, node, value)
        except ValueError as error:
            raise ctx.refuse(node, "MK218", str(error)) from None
        return found
    index = numbers.as_place(ctx, node, key)
    kept = delayed.settle(ctx, value)
    if not isinstance(index, ir.Const):
        return selecting.write(ctx, node, found, index, kept)
    found[lists.position(ctx, node, held, index)] = kept
    return found


def delete(ctx: Context, target: cst.BaseExpression) -> None:
    """``del target``."""
    if isinstance(target, cst.Name):
        _unset(ctx, target)
        return
    if not isinstance(target, cst.Subscript):
        raise ctx.refuse(target, "MK104", "only items of lists and dicts can be deleted")
    owner = ctx.lower.expression(ctx, target.value)
    if protocols.has_items(ctx, owner):
        protocols.delete_item(ctx, target, owner, protocols.key(ctx, target, spread(ctx, target)))
        return
    if not containers.is_container(owner):
        raise ctx.refuse(target, "MK104", f"items of {describe(owner)} can't be deleted")
    _check_no_tuple(ctx, target, owner)
    at = slot(ctx, target, owner)
    if containers.is_dict(owner):
        keyed.remove(ctx, target, owner, at.key)
        return
    if not isinstance(at.key, Cut) and algorithms.let_grow(ctx, target, owner):
        text = "list assignment index out of range"
        place = growing.place(ctx, target, owner, at.key, text)
        algorithms.run(ctx, "pop", owner, place)
        return
    if _replaced_part(ctx, target, at, Items(())):
        return
    held, found = containers.content(ctx, target, owner), list(lists.items(ctx, target, owner))
    if isinstance(at.key, Cut):
        del found[lists.bounds(ctx, target, at.key)]
    else:
        if not found:
            unset_names.never_there(ctx, target, "list assignment index out of range")
        del found[lists.constant_position(ctx, target, held, at.key)]
    replacing.replaced(ctx, target, owner, replace(held, items=tuple(found)))


def _unset(ctx: Context, target: cst.Name) -> None:
    """``del name``."""
    name, frame = target.value, ctx.frame
    variable = frame.variable(name)
    if not frame.is_bound(variable):
        unset_names.check(ctx, target, frame, name, variable)
    forget(frame, name)


def augmented(
    ctx: Context, node: cst.AugAssign, operator: cst.BaseBinaryOp, ref: Ref, value: Operand
) -> None:
    """``xs += ...``, ``xs *= 2``, ``d |= ...``: in place."""
    op = syntax.BINARY.get(type(operator), "")
    if op == "bitor" and containers.is_dict(ref):
        pairs.update(ctx, node, ref, value)
    elif op == "add" and containers.is_list(ref):
        lists.extend(ctx, node, ref, value)
    else:
        new = lists.binary(ctx, node, op, ref, value)
        if not isinstance(new, Items):
            raise ctx.refuse(node, "MK213", f"{describe(ref)} does not support this operator")
        replacing.replaced(ctx, node, ref, new)
