"""The arrays that hold the items of a list which grows, and what there is to say about the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.object import containers, unifying
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import atoms, fresh, type_of, undefined
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Items, Operand
from mooncake_transpiler.types import Array, Scalar, Tuple, Type

ZERO = ir.int_const(0)
Shapes = Sequence[tuple[ir.Atom, ...]]  # of the arrays in an item


def new(ctx: Context, item: Type, shapes: Shapes, hint: str) -> str:
    """The class of a list of such items: new arrays, which are empty."""
    ctx.temporaries += 1
    cls = f"{containers.GROWING}{ctx.temporaries}"
    sizes = iter(shapes)

    def memory_for(part: Operand) -> Operand:
        if isinstance(part, Items):
            return replace(part, items=tuple(map(memory_for, part.items)))
        assert isinstance(part, ir.Value)
        assert isinstance(part.type, Scalar | Array)
        ndim = part.type.ndim if isinstance(part.type, Array) else 0
        out = ir.Value(part.hint, Array(part.type.dtype, ndim + 1))
        empty = (ZERO,) * (ndim + 1)
        ctx.builder.add(ir.Alloc(out, empty, None, ctx.builder.origin, growable=True))
        ctx.memory.local.add(out)
        ctx.sizes.shapes[out] = (ZERO, *(next(sizes) if ndim else ()))
        if ndim:
            ctx.memory.shown[out] = frozenset()  # the items are copies
        return out

    ctx.heap.growing[cls] = memory_for(fresh(item, hint))
    return cls


def is_possible(item: Type) -> bool:
    """True if arrays can hold such items."""
    match item:
        case Tuple(cls="%maybe"):
            return False
        case Tuple(items=items):
            return bool(items) and all(map(is_possible, items))
        case _:
            return isinstance(item, Scalar | Array)


def item_type(ctx: Context, held: Items) -> Type | None:
    """The type of the items in arrays."""

    def part(of: Operand) -> Operand:
        if isinstance(of, Items):
            return replace(of, items=tuple(map(part, of.items)))
        assert isinstance(of, ir.Value | ir.Undef)
        assert isinstance(of.type, Array)
        dtype, ndim = of.type.dtype, of.type.ndim
        return ir.Undef(Array(dtype, ndim - 1) if ndim > 1 else Scalar(dtype))

    return type_of(part(held))


def leaves(ctx: Context, cls: str) -> list[ir.Value]:
    return [a for a in atoms(ctx.heap.growing[cls]) if isinstance(a, ir.Value)]


def shapes_of(ctx: Context, cls: str) -> Shapes:
    shapes = (ctx.sizes.shapes[array][1:] for array in leaves(ctx, cls))
    return [shape for shape in shapes if shape]


def reserve(ctx: Context, cls: str, size: ir.Atom) -> None:
    for array in leaves(ctx, cls):
        shape = ctx.sizes.shapes[array][1:]
        ctx.builder.add(ir.Reserve(array, size, shape, ctx.builder.origin))


def part(ctx: Context, array: ir.Value, count: ir.Atom) -> ir.Value:
    """The items that there are."""
    out = ir.Value("", array.type)
    view = ir.View(out, array, (ir.Slice(None, count),), ctx.builder.origin)
    ctx.builder.add(view)
    ctx.memory.views[out], ctx.memory.bases[out] = view, array
    ctx.sizes.shapes[out] = (count, *ctx.sizes.shapes[array][1:])
    return out


def about(cls: str, size: ir.Atom) -> Items:
    return Items((size,), ("count",), cls, is_list=True)


def count(of: Items) -> ir.Atom:
    found = of.items[0]
    assert isinstance(found, ir.Value | ir.Const | ir.Undef)
    return found


def class_of(of: Items) -> str:
    assert of.cls is not None
    return of.cls


def unified(types: Sequence[Type]) -> Type | None:
    """The one type of all items."""
    found, *others = types
    for other in others:
        both = unifying.unify(undefined(found), undefined(other))
        if isinstance(both, Conflict):
            return None
        found = both
    return found
