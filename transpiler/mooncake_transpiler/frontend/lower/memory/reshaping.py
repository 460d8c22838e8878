"""Arrays with another shape, or in C order: a view or a copy, as NumPy has it."""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.memory.locations import Location
from mooncake_transpiler.frontend.lower.state import layouts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.layouts import Layout, Layouts
from mooncake_transpiler.frontend.lower.state.sizes import Shape
from mooncake_transpiler.types import INT, Array

ANSWERS = {True: ir.Sharing.VIEW, False: ir.Sharing.COPY, None: ir.Sharing.UNKNOWN}


def reshape(ctx: Context, base: ir.Atom, to: Shape) -> ir.Atom:
    """``base.reshape(to)``, of as many items."""
    of, shape = Layouts(ctx.sizes.same), storage.shape(ctx, base)
    if len(shape) == len(to) and all(map(of.same, shape, to)):
        return base
    groups = of.groups(shape, to)
    if all(len(old) < 2 and len(new) < 2 for old, new in groups):
        return _relabelled(ctx, base, to, {new[0]: old[0] for old, new in groups if old and new})
    answer, layout = of.reshaped(shape, storage.layout_of(ctx, base), to)
    return _made(ctx, base, to, ANSWERS[answer], layout)


def _relabelled(ctx: Context, base: ir.Atom, to: Shape, shown: Mapping[int, int]) -> ir.Value:
    """A view with other axes of size 1; ``shown`` tells which axes of ``base`` those of ``to`` are.

    They stay in their order.
    """
    assert isinstance(base.type, Array)
    index: list[ir.Index] = []
    done = 0
    for axis in range(len(to)):
        if axis not in shown:
            index.append(ir.NewAxis())
            continue
        index += [ir.ZERO] * (shown[axis] - done)
        index.append(ir.Slice())
        done = shown[axis] + 1
    index += [ir.ZERO] * (base.type.ndim - done)
    out = storage.view(ctx, base, tuple(index))
    ctx.sizes.shapes[out] = tuple(to)
    return out


def flat(ctx: Context, base: ir.Atom, total: ir.Atom) -> ir.Value:
    """``base.flat``: always the items of ``base`` themselves."""
    if len(storage.shape(ctx, base)) == 1:
        out = storage.view(ctx, base, (ir.Slice(),))
    else:
        out = _made(ctx, base, (total,), ir.Sharing.VIEW, layouts.unknown(1))
    ctx.memory.flats[out] = base
    return out


def item_of_flat(ctx: Context, at: Location) -> Location:
    """An element of ``x.flat`` as one of ``x``, where another shape of ``x`` may be a copy."""
    base = ctx.memory.flats.get(at.base) if isinstance(at.base, ir.Value) else None
    if base is None:
        return at
    shape = storage.shape(ctx, base)
    if len(shape) == 1 or Layouts(ctx.sizes.same).contiguous(shape, storage.layout_of(ctx, base)):
        return at
    (rest,), index = at.integers, list[ir.Atom]()
    for size in reversed(shape[1:]):
        index.insert(0, ctx.builder.compute("mod", (rest, size), INT))
        rest = ctx.builder.compute("floordiv", (rest, size), INT)
    return Location(base, (rest, *index))


def ravel(ctx: Context, base: ir.Atom, total: ir.Atom) -> ir.Atom:
    """``base.ravel()``: a view of what is in C order, of everything else a copy."""
    shape = storage.shape(ctx, base)
    if len(shape) == 1:
        return contiguous(ctx, base)
    answer = Layouts(ctx.sizes.same).contiguous(shape, storage.layout_of(ctx, base))
    return _made(ctx, base, (total,), ANSWERS[answer], layouts.c_order((total,)))


def contiguous(ctx: Context, base: ir.Atom) -> ir.Atom:
    """``np.ascontiguousarray(base)``."""
    shape = storage.shape(ctx, base)
    answer = Layouts(ctx.sizes.same).contiguous(shape, storage.layout_of(ctx, base))
    if answer:
        return base
    return apart(ctx, base, ir.Sharing.ANY if answer is False else ir.Sharing.UNKNOWN)


def apart(ctx: Context, array: ir.Atom, sharing: ir.Sharing = ir.Sharing.ANY) -> ir.Value:
    """An array of the same content in C order: a copy, unless nobody can tell."""
    out = ir.Value("", array.type)
    ctx.builder.add(ir.Copy(out, array, ctx.builder.origin, sharing))
    shape = storage.shape(ctx, array)
    _note(ctx, out, array, shape, sharing, layouts.c_order(shape))
    return out


def show(ctx: Context, number: ir.Value, of: ir.Atom) -> None:
    """``number`` is an array without axes in NumPy: a view of an element of ``of``."""
    ctx.memory.shown[number] = frozenset((ctx.memory.base(of),))


def _made(ctx: Context, base: ir.Atom, to: Shape, sharing: ir.Sharing, layout: Layout) -> ir.Value:
    assert isinstance(base.type, Array)
    out = ir.Value("", Array(base.type.dtype, len(to)))
    ctx.builder.add(ir.Reshape(out, base, tuple(to), ctx.builder.origin, sharing))
    _note(ctx, out, base, to, sharing, layout)
    return out


def _note(
    ctx: Context, out: ir.Value, base: ir.Atom, shape: Shape, sharing: ir.Sharing, layout: Layout
) -> None:
    """A copy is memory of its own, or the same if nobody can tell."""
    ctx.sizes.shapes[out] = tuple(shape)
    ctx.memory.layouts[out] = layout
    if sharing in (ir.Sharing.VIEW, ir.Sharing.UNKNOWN):
        ctx.memory.bases[out] = base
    else:
        ctx.memory.local.add(out)
