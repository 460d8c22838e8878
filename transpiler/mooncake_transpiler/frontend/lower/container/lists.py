"""Lists and dicts: what they hold, and their items as places that are read and written."""

from __future__ import annotations

from dataclasses import dataclass, replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.array import arrays, whole
from mooncake_transpiler.frontend.lower.call.arguments import Arguments
from mooncake_transpiler.frontend.lower.container import (
    containers,
    dicts,
    growing,
    ragged,
    rows,
    selecting,
)
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.control import iterables
from mooncake_transpiler.frontend.lower.instance import objects, protocols
from mooncake_transpiler.frontend.lower.operands import (
    Cut,
    Generator,
    Items,
    Operand,
    Range,
    Ref,
    Static,
    describe,
)
from mooncake_transpiler.frontend.lower.operands import Sequence as Elements
from mooncake_transpiler.frontend.lower.scalar import enums, texts
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.types import Kind, check_size

MANY = 1_000  # items of a list of numbers that is rather an array


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """An item of a list or dict, or a slice of a list."""

    owner: Operand
    key: Operand


def replaced(ctx: Context, node: cst.CSTNode, ref: Ref, new: Items) -> None:
    """``ref`` holds ``new`` from here on."""
    check_changeable(ctx, node, ref)
    kept = [whole.settle(ctx, item) for item in new.items]
    containers.store(ctx, ref, replace(new, items=tuple(kept)))


def check_changeable(ctx: Context, node: cst.CSTNode, ref: Ref) -> None:
    ctx.deeds.changed.add(ref.key)
    about = ctx.frame.values.get(containers.variable(ref))
    if isinstance(about, Items) and ragged.holds(about):
        message = "a list of arrays that is a parameter can't be changed"
        raise ctx.refuse(node, "MK371", message, "build a new list")
    if ref.key in ctx.ambiguous:
        message = f"this {ref.cls.name} may be another one too: {ctx.ambiguous[ref.key]}"
        help_ = f"change a copy: {ref.cls.name}(...)"
        raise ctx.unroll(node, "MK320", message, help_)


def items(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[Operand, ...]:
    """The items of a list, one by one."""
    if isinstance(operand, Items):
        return operand.items
    assert isinstance(operand, Ref)
    held = containers.content(ctx, node, operand)
    if held.cls == containers.ROWS:
        message = "the items of this list are known at run time only"
        help_ = "make an array of it: np.array(xs)"
        raise ctx.refuse(node, "MK331", message, help_)
    return held.items


def is_rows(ctx: Context, node: cst.CSTNode, operand: Operand | None) -> bool:
    """Whether ``operand`` is a list whose items are in arrays."""
    if not containers.is_list(operand) or containers.grown(ctx, operand) is not None:
        return False
    return containers.content(ctx, node, operand).cls == containers.ROWS


def is_in_arrays(ctx: Context, operand: Operand) -> bool:
    """Whether ``operand`` holds a list whose items are in arrays."""
    found = (ctx.frame.values.get(containers.variable(ref)) for ref in objects.refs(operand))
    return any(isinstance(about, Items) and containers.is_arrays(about) for about in found)


def one_by_one(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[Operand, ...] | None:
    """The items of anything whose items are known one by one; None for what else there is."""
    operand = enums.plain(ctx, node, protocols.iterable(ctx, node, operand))
    match operand:
        case Items(of=of) if of is None or of.kind is Kind.NAMED:
            return operand.items
        case Static(value=str(text)):
            return tuple(map(Static, text))
        case Static(value=ClassDecl() as cls) if enums.is_enum(operand):
            return enums.members(ctx, node, cls).items
        case Range(lo=ir.Const(), hi=ir.Const(), step=ir.Const()):
            return tuple(map(ir.int_const, whole.range_items(ctx, node, operand)))
        case Generator():
            return operand.known()
        case Elements(limit=int(limit), count=ir.Const(value=count)) if limit == count:
            found = tuple(operand.at(ir.int_const(k), "") for k in range(limit))
            if operand.done is not None:
                operand.done()
            return found
        case Ref() if containers.is_dict(operand):
            return dicts.keys(ctx, node, operand)
        case Ref() if containers.grown(ctx, operand) is not None:
            return None
        case Ref() if containers.is_list(operand) and not is_rows(ctx, node, operand):
            return items(ctx, node, operand)
        case _:
            return None


def view(ctx: Context, node: cst.CSTNode, operand: Operand) -> Operand:
    """``operand`` for a reader: lists as they are now, inner ones too, without an identity."""
    match operand:
        case Ref() if (grown := containers.grown(ctx, operand)) is not None:
            return rows.as_array(ctx, node, growing.parts(ctx, grown))
        case Ref() if is_rows(ctx, node, operand):
            return rows.as_array(ctx, node, containers.content(ctx, node, operand))
        case Ref() if containers.is_list(operand):
            return view(ctx, node, containers.content(ctx, node, operand))
        case Items(items=held):
            return replace(operand, items=tuple(view(ctx, node, item) for item in held))
        case Generator() | Elements():
            found = one_by_one(ctx, node, operand)
            return operand if found is None else view(ctx, node, Items(found, is_list=True))
        case _:
            return operand


def slot(ctx: Context, node: cst.Subscript, owner: Ref) -> Slot:
    """``owner[key]`` as a place."""
    if (
        containers.is_dict(owner)
        and isinstance(node.slice[0].slice, cst.Index)
        and not node.slice[1:]
    ):
        return Slot(owner, ctx.lower.expression(ctx, node.slice[0].slice.value))
    keys = arrays.spread(ctx, node)
    if len(node.slice) != 1 or len(keys) != 1 or keys[0] is Ellipsis:
        if len(node.slice) == 1 and containers.is_dict(owner):
            return Slot(owner, Items(tuple(keys)))  # type: ignore[arg-type]
        raise ctx.refuse(node, "MK218", f"a {owner.cls.name} takes one index")
    return Slot(owner, keys[0])  # type: ignore[arg-type]


def read(ctx: Context, node: cst.CSTNode, at: Slot) -> Operand:
    if not containers.is_container(at.owner):
        return protocols.item(ctx, node, at.owner, at.key)
    if containers.is_dict(at.owner):
        return dicts.item(ctx, node, at.owner, at.key)
    if (grown := containers.grown(ctx, at.owner)) is not None:
        return growing.item(ctx, node, grown, at.key)
    if is_rows(ctx, node, at.owner):
        return rows.item(ctx, node, containers.content(ctx, node, at.owner), at.key)
    return item(ctx, node, containers.content(ctx, node, at.owner), at.key)


def item(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> Operand:
    """``of[key]`` for a list or tuple whose items are known one by one."""
    what = "list" if of.is_list else "tuple"
    if isinstance(key, Cut):
        return replace(of, items=of.items[bounds(ctx, node, key)], names=None, cls=None, of=None)
    index = expressions.as_index(ctx, node, key, "an index")
    if not isinstance(index, ir.Const):
        return selecting.read(ctx, node, of.items, index, what)
    return of.items[position(ctx, node, of, index)]


def key_of(ctx: Context, node: cst.Subscript) -> Operand:
    """What stands between the brackets, which is no tuple."""
    keys = arrays.spread(ctx, node)
    if len(node.slice) != 1 or len(keys) != 1 or keys[0] is Ellipsis:
        raise ctx.refuse(node, "MK218", "this takes one index")
    return keys[0]  # type: ignore[return-value]


def item_of(ctx: Context, node: cst.Subscript, base: Operand) -> Operand:
    """``base[key]`` of a tuple, a range or text."""
    key = key_of(ctx, node)
    if isinstance(base, Range) and not isinstance(key, Cut):
        index = expressions.as_index(ctx, node, key, "an index")
        of = iterables.as_sequence(ctx, node, base)
        return of.at(selecting.within(ctx, node, index, of.count, "range"), "")
    is_list = isinstance(base, Items) and base.is_list
    found = item(ctx, node, Items(must_be_known(ctx, node, base), is_list=is_list), key)
    if isinstance(base, Static) and isinstance(found, Items):
        return Static("".join(str(one.value) for one in found.items if isinstance(one, Static)))
    return found


def position(ctx: Context, node: cst.CSTNode, of: Items, index: ir.Const) -> int:
    """The place of a constant index, counted from the front."""
    what, count = "list" if of.is_list else "tuple", len(of.items)
    assert isinstance(index.value, int)
    if not -count <= index.value < count:
        raise ctx.refuse(node, "MK218", f"index {index.value} of a {what} of {count} items")
    return index.value % count


def bounds(ctx: Context, node: cst.CSTNode, cut: Cut) -> slice:
    """A slice with constant bounds."""
    found: list[int | None] = []
    for bound in (cut.lo, cut.hi, cut.step):
        match bound:
            case ir.Const(value=int(value)):
                found.append(value)
            case Static(value=None):
                found.append(None)
            case _:
                message = "the bounds of a slice of a list or tuple must be constants"
                raise ctx.unroll(node, "MK218", message)
    if found[2] == 0:
        raise ctx.refuse(node, "MK218", "the step of a slice must not be zero")
    return slice(*found)


def write(ctx: Context, node: cst.CSTNode, at: Slot, value: Operand) -> None:
    """``owner[key] = value``."""
    if not containers.is_container(at.owner):
        protocols.set_item(ctx, node, at.owner, at.key, value)
        return
    check_changeable(ctx, node, at.owner)
    if containers.is_dict(at.owner):
        dicts.write(ctx, node, at.owner, at.key, value)
        return
    if (grown := containers.grown(ctx, at.owner)) is not None:
        growing.write(ctx, node, grown, at.key, value)
        return
    held = containers.content(ctx, node, at.owner)
    if held.cls == containers.ROWS:
        rows.write(ctx, node, held, at.key, value)
        return
    found = list(held.items)
    if isinstance(at.key, Cut):
        try:
            found[bounds(ctx, node, at.key)] = must_be_known(ctx, node, value)
        except ValueError as error:
            raise ctx.refuse(node, "MK218", str(error)) from None
    else:
        index = expressions.as_index(ctx, node, at.key, "an index")
        kept = whole.settle(ctx, value)
        if isinstance(index, ir.Const):
            found[position(ctx, node, held, index)] = kept
        else:
            found = selecting.write(ctx, node, found, index, kept)
    replaced(ctx, node, at.owner, replace(held, items=tuple(found)))


def delete(ctx: Context, target: cst.BaseExpression) -> None:
    """``del target``."""
    if not isinstance(target, cst.Subscript):
        raise ctx.refuse(target, "MK104", "only items of lists and dicts can be deleted")
    owner = ctx.lower.expression(ctx, target.value)
    if not containers.is_container(owner):
        raise ctx.refuse(target, "MK104", f"items of {describe(owner)} can't be deleted")
    at = slot(ctx, target, owner)
    if containers.is_dict(owner):
        dicts.remove(ctx, target, owner, at.key)
        return
    held, found = containers.content(ctx, target, owner), list(items(ctx, target, owner))
    if isinstance(at.key, Cut):
        del found[bounds(ctx, target, at.key)]
    else:
        del found[constant_position(ctx, target, held, at.key)]
    replaced(ctx, target, owner, replace(held, items=tuple(found)))


def constant_position(ctx: Context, node: cst.CSTNode, of: Items, key: Operand) -> int:
    index = expressions.as_index(ctx, node, key, "an index")
    if not isinstance(index, ir.Const):
        raise ctx.unroll(node, "MK331", "the index must be a constant here")
    return position(ctx, node, of, index)


def must_be_known(ctx: Context, node: cst.CSTNode, operand: Operand) -> tuple[Operand, ...]:
    found = one_by_one(ctx, node, operand)
    if found is None:
        message = f"the items of {describe(operand)} are not known one by one"
        raise ctx.refuse(node, "MK331", message, "use an array, and np.concatenate")
    return found


# ---- operators ----------------------------------------------------------------------------------


def _displayed(ctx: Context, node: cst.CSTNode, operand: Operand) -> Items | None:
    """A list or tuple as ``Items``; None for anything else."""
    if containers.is_list(operand):
        return replace(Items(items(ctx, node, operand)), is_list=True)
    return operand if isinstance(operand, Items) and operand.names is None else None


def binary(
    ctx: Context, node: cst.CSTNode, op: str, left: Operand, right: Operand
) -> Operand | None:
    """``+`` and ``*`` of lists and tuples, ``|`` of dicts; None where it is none of those."""
    if containers.is_dict(left) and containers.is_dict(right) and op == "bitor":
        return dicts.joined(ctx, node, left, right)
    if whole.is_array(left) or whole.is_array(right):
        return None
    if isinstance(left, Static) or isinstance(right, Static):
        return texts.combined(op, enums.plain(ctx, node, left), enums.plain(ctx, node, right))
    if op == "mul" and is_scalar(left):
        left, right = right, left
    is_sequence = containers.is_list(left) or isinstance(left, Items)
    if op == "mul" and is_sequence and is_scalar(right):
        return _repeated(ctx, node, left, expressions.as_index(ctx, node, right, "a number"))
    if op != "add" or not is_sequence:
        return None
    first, second = _displayed(ctx, node, left), _displayed(ctx, node, right)
    if first is None or second is None:
        return None
    if first.is_list != second.is_list:
        raise ctx.refuse(node, "MK213", "a list and a tuple can't be added")
    return Items(first.items + second.items, is_list=first.is_list)


def _repeated(ctx: Context, node: cst.CSTNode, of: Operand, count: ir.Atom) -> Operand | None:
    shown = _displayed(ctx, node, of)
    if shown is None:
        return None
    kept = tuple(whole.settle(ctx, item) for item in shown.items)  # each is one object, repeated
    known = count.value if isinstance(count, ir.Const) and isinstance(count.value, int) else None
    is_long = known is not None and known > MANY and shown.is_list
    if known is not None and not (is_long and len(kept) == 1 and is_scalar(kept[0])):
        check_size(len(kept) * known)
        return Items(kept * known, is_list=shown.is_list)
    if not shown.is_list or len(kept) != 1:
        raise ctx.refuse(node, "MK330", "the length of this is not known ahead of time")
    return rows.filled(ctx, node, kept[0], count)


def augmented(
    ctx: Context, node: cst.AugAssign, operator: cst.BaseBinaryOp, ref: Ref, value: Operand
) -> None:
    """``xs += ...``, ``xs *= 2``, ``d |= ...``: in place."""
    op = expressions.BINARY.get(type(operator), "")
    if op == "bitor" and containers.is_dict(ref):
        dicts.update(ctx, node, ref, value)
    elif op == "add" and containers.is_list(ref):
        extend(ctx, node, ref, value)
    else:
        new = binary(ctx, node, op, ref, value)
        if not isinstance(new, Items):
            raise ctx.refuse(node, "MK213", f"{describe(ref)} does not support this operator")
        replaced(ctx, node, ref, new)


def extend(ctx: Context, node: cst.CSTNode, ref: Ref, value: Operand) -> None:
    """``xs.extend(value)``; also ``append``, with one item."""
    more = must_be_known(ctx, node, value)
    growing.let_grow(ctx, node, ref)
    if containers.grown(ctx, ref) is not None:
        growing.extend(ctx, node, ref, more)
        return
    held = items(ctx, node, ref)
    replaced(ctx, node, ref, Items((*held, *more), is_list=True))


def viewed(ctx: Context, node: cst.CSTNode, given: Arguments) -> Arguments:
    """The arguments of a function that only reads."""
    args = [view(ctx, node, arg) for arg in given.args]
    return Arguments(args, {key: view(ctx, node, arg) for key, arg in given.keywords.items()})


def length_of(ctx: Context, node: cst.CSTNode, value: Operand) -> ir.Atom | None:
    """``len(value)`` of a list, dict, range, text or enum; None for what else there is."""
    value = enums.plain(ctx, node, value)
    if isinstance(value, Ref) and not containers.is_container(value):
        return None
    if isinstance(value, Static) and not isinstance(value.value, str) and not enums.is_enum(value):
        return None
    if containers.grown(ctx, value) is not None:
        return containers.length(ctx, node, value)  # type: ignore[arg-type]
    return rows.at_least_none(ctx, node, iterables.as_sequence(ctx, node, value).count)
