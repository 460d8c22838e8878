"""Arrays in memory: making and viewing them, and their sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state import layouts
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.layouts import Layout, Layouts, Stride, Unknown
from mooncake_transpiler.frontend.lower.state.sizes import UNKNOWN, Shape, SizeFacts
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import INT, Array, DType, Scalar

GROWING = "MK415"


def alloc(
    ctx: Context,
    dtype: DType,
    shape: Sequence[ir.Atom],
    fill: ir.Const | None,
    hint: str = "",
    layout: Layout | None = None,
) -> ir.Value:
    """New memory; NumPy has it in the order ``layout``, which may not be known."""
    out = ctx.builder.alloc(Array(dtype, len(shape)), shape, fill, hint)
    ctx.sizes.shapes[out] = tuple(shape)
    ctx.memory.layouts[out] = layouts.fresh(shape) if layout is None else layout
    ctx.memory.local.add(out)
    return out


def stand_in(ctx: Context, like: ir.Atom, hint: str) -> ir.Value | None:
    """Zeros of the shape of ``like``, for what is never read; empty if that is not known here."""
    if not isinstance(like, ir.Value) or not isinstance(like.type, Array):
        return None
    zero, dtype = ir.zero(Scalar(like.type.dtype)), like.type.dtype
    known = {out for stmt in ctx.builder.stmts for out in ir.outs(stmt)}
    known.update(size for size in ctx.sizes.inputs.values() if isinstance(size, ir.Value))
    shape = ctx.sizes.shapes.get(like)
    if shape is None or not all(isinstance(x, ir.Const) or x in known for x in shape):
        return alloc(ctx, dtype, (ir.ZERO,) * like.type.ndim, zero, hint)
    made = alloc(ctx, dtype, shape, zero, hint)
    return made if is_laid_out_as(ctx, made, like) else None


def copy(
    ctx: Context,
    array: ir.Atom,
    hint: str = "",
    layout: Layout | None = None,
    *,
    free: bool = False,
) -> ir.Value:
    """A copy of ``array``; ``free``: it may be ``array`` itself where nobody can tell."""
    out = ir.Value(hint, array.type)
    ctx.builder.add(ir.Copy(out, array, ctx.builder.origin, free=free))
    ctx.memory.local.add(out)
    if isinstance(array, ir.Value):
        ctx.sizes.shapes[out] = shape(ctx, array)
        ctx.memory.layouts[out] = layouts.fresh(shape(ctx, array)) if layout is None else layout
    return out


def layout_of(ctx: Context, array: ir.Atom) -> Layout:
    """The layout that ``array`` has in NumPy's memory."""
    assert isinstance(array.type, Array)
    if not isinstance(array, ir.Value):
        return layouts.unknown(array.type.ndim)
    return ctx.memory.layouts.setdefault(array, layouts.unknown(array.type.ndim))


def is_in_order(ctx: Context, array: ir.Value) -> bool:
    """True if NumPy surely has ``array`` in C order, without gaps."""
    known = Layouts(ctx.sizes.same).contiguous(shape(ctx, array), layout_of(ctx, array))
    return known is True


def join_layouts(ctx: Context, out: ir.Value, a: ir.Atom, b: ir.Atom) -> None:
    """``out`` is either of two arrays of the same shape."""
    same = Layouts(ctx.sizes.same)
    pairs = list(zip(layout_of(ctx, a), layout_of(ctx, b), strict=True))
    if all(same.equal(one, other) for one, other in pairs):
        ctx.memory.layouts[out] = tuple(one for one, _ in pairs)


def lay_out_as(ctx: Context, array: ir.Value, like: ir.Value) -> None:
    """Take ``array`` to be laid out as ``like``, where that is known."""
    layout = ctx.memory.layouts.get(like)
    if layout is not None and layouts.is_known(layout):
        ctx.memory.layouts[array] = layout


def is_laid_out_as(ctx: Context, array: ir.Value, other: ir.Atom) -> bool:
    """True if ``other`` has the layout of ``array``, if that is known."""
    layout = ctx.memory.layouts.get(array)
    if layout is None or not layouts.is_known(layout):
        return True
    same = Layouts(ctx.sizes.same)
    return all(map(same.equal, layout, layout_of(ctx, other)))


def may_be(ctx: Context, pairs: Iterable[tuple[ir.Atom, ir.Atom]]) -> None:
    """Note for the arrays among the first ones that they may be the second ones."""
    for array, source in pairs:
        if isinstance(array, ir.Value) and isinstance(array.type, Array):
            ctx.memory.sources[array] = ctx.memory.sources.get(array, frozenset()) | {source}


def shape(ctx: Context, array: ir.Atom) -> Shape:
    assert isinstance(array.type, Array)
    return tuple(dim(ctx, array, axis) for axis in range(array.type.ndim))


def dim(ctx: Context, array: ir.Atom, axis: int, hint: str = "") -> ir.Atom:
    """The size of one axis: a constant where that is known, else asked for once."""
    if not isinstance(array, ir.Value):
        return ir.ZERO
    if array in ctx.memory.stacks:
        return capacity(ctx, array, axis)
    if (fixed := ctx.sizes.extents.get((array, axis), UNKNOWN).size) is not None:
        return ir.int_const(fixed)
    size = _dim(ctx, array, axis, hint)
    known = ctx.sizes.leader(size)
    return known if isinstance(known, ir.Const) else size


def _dim(ctx: Context, array: ir.Value, axis: int, hint: str) -> ir.Atom:
    sizes = ctx.sizes
    if array in sizes.shapes:
        return sizes.shapes[array][axis]
    asker, known = ctx.builder, sizes.dims
    if array in ctx.memory.inputs:
        asker, known = ctx.prelude, sizes.inputs
        hint = hint or ctx.memory.dim_names.get((array, axis), "")
    if (array, axis) not in known:
        known[array, axis] = _asked(asker, ctx, array, axis, hint)
        if sizes.extents.get((array, axis), UNKNOWN).slim:
            sizes.units.add(known[array, axis])
    return known[array, axis]


def extents(ctx: Context, array: ir.Atom) -> tuple[SizeFacts, ...]:
    """The facts about the axes of ``array``, wherever it goes from here."""
    assert isinstance(array.type, Array)
    return tuple(_extent(ctx, array, axis) for axis in range(array.type.ndim))


def _extent(ctx: Context, array: ir.Atom, axis: int) -> SizeFacts:
    sizes = ctx.sizes
    if not isinstance(array, ir.Value) or array in ctx.memory.stacks:
        return UNKNOWN
    if (array, axis) in sizes.extents:
        return sizes.extents[array, axis]
    if array in sizes.shapes:
        size: ir.Atom | None = sizes.shapes[array][axis]
    else:
        size = (sizes.inputs if array in ctx.memory.inputs else sizes.dims).get((array, axis))
    if size is None:
        return UNKNOWN
    match sizes.leader(size):
        case ir.Const(value=int(number)):
            return SizeFacts(number)
        case leader:
            return SizeFacts(slim=size in sizes.units or leader in sizes.units)


def keep_extents(ctx: Context, array: ir.Value, known: Sequence[SizeFacts]) -> None:
    """State what is ``known`` of the axes of ``array``."""
    for axis, extent in enumerate(known):
        if extent != UNKNOWN:
            ctx.sizes.extents[array, axis] = extent


def _asked(builder: Builder, ctx: Context, array: ir.Value, axis: int, hint: str) -> ir.Value:
    out = ir.Value(hint, INT)
    builder.add(ir.Dim(out, array, axis, ctx.builder.origin))
    ctx.numbers.naturals.add(out)
    kinds.marked(ctx, out, Kind.PYTHON)
    return out


def keep_common(ctx: Context, array: ir.Value, *sources: ir.Atom) -> None:
    """State what is known of the axes of ``array``, which is one of ``sources``."""
    known = [extents(ctx, source) for source in sources if isinstance(source, ir.Value)]
    if known:
        keep_extents(ctx, array, [reduce(or_, axis) for axis in zip(*known, strict=True)])


def view(
    ctx: Context, base: ir.Atom, index: tuple[ir.Index, ...], axes: tuple[int, ...] = (),
    hint: str = "",
) -> ir.Value:  # fmt: skip
    """``base[index]``, then transposed by ``axes``: the same memory."""
    assert isinstance(base.type, Array)
    dropped = sum(not isinstance(item, ir.Slice | ir.NewAxis) for item in index)
    added = sum(isinstance(item, ir.NewAxis) for item in index)
    ndim = base.type.ndim - dropped + added
    out = ir.Value(hint, Array(base.type.dtype, ndim))
    if axes == tuple(range(ndim)):
        axes = ()
    ctx.memory.views[out] = ir.View(out, base, index, ctx.builder.origin, axes)
    ctx.builder.add(ctx.memory.views[out])
    ctx.memory.bases[out] = base
    found = [_view_size(ctx, base, out, index, axes, axis) for axis in range(ndim)]
    ctx.sizes.shapes[out] = tuple(found)
    strides = _view_strides(layout_of(ctx, base), index)
    ctx.memory.layouts[out] = tuple(strides[k] for k in axes or range(ndim))
    return out


def _view_strides(of: Layout, index: tuple[ir.Index, ...]) -> Layout:
    """The strides of ``base[index]``."""
    rest, found = list(of), list[Stride]()
    for item in index:
        match item:
            case ir.NewAxis():
                found.append(layouts.NONE)
            case ir.Slice(step=None):
                found.append(rest.pop(0))
            case ir.Slice(step=ir.Const(value=int(step))):
                found.append(rest.pop(0) * Stride(step))
            case ir.Slice():
                found.append(rest.pop(0) * Stride(1, (Unknown(),)))
            case _:
                rest.pop(0)
    return (*found, *rest)


def part(ctx: Context, base: ir.Atom, name: str, hint: str = "") -> ir.Value:
    """``base.real`` or ``base.imag`` of complex numbers: the same memory.

    So is what is ``DETACHED``, under a name without derivative.
    """
    assert isinstance(base.type, Array)
    dtype, layout = base.type.dtype, layout_of(ctx, base)
    if name != ir.DETACHED:
        dtype, layout = dtype.real, tuple(stride * Stride(2) for stride in layout)
    out = ir.Value(hint, Array(dtype, base.type.ndim))
    ctx.memory.views[out] = ir.View(out, base, (), ctx.builder.origin, (), name)
    ctx.builder.add(ctx.memory.views[out])
    ctx.memory.bases[out] = base
    ctx.memory.layouts[out] = layout
    ctx.sizes.shapes[out] = tuple(dim(ctx, base, axis) for axis in range(base.type.ndim))
    return out


def _view_size(
    ctx: Context,
    base: ir.Atom,
    out: ir.Value,
    index: tuple[ir.Index, ...],
    axes: tuple[int, ...],
    axis: int,
) -> ir.Atom:
    """The size of one axis of a view: a size that is there already, if possible."""
    assert isinstance(base.type, Array)
    found = ir.index_axes(index, base.type.ndim)[axes[axis] if axes else axis]
    if found is None:
        return ir.ONE
    base_axis, item = found
    size = dim(ctx, base, base_axis)
    if (count := _count(size, item)) is not None:
        return ir.int_const(count)
    by = item.cut
    if by is None:
        asked = _asked(ctx.builder, ctx, out, axis, "")
        if _at_most_one(item):
            ctx.sizes.units.add(asked)
        return asked
    if by == 0:
        return size
    key = (ctx.sizes.leader(size), by)
    if key not in ctx.sizes.shrunk:
        ctx.sizes.shrunk[key] = _asked(ctx.builder, ctx, out, axis, "")
    return ctx.sizes.shrunk[key]


def _count(size: ir.Atom, item: ir.Slice) -> int | None:
    """The number of items that a slice with constant bounds has of an axis of constant size."""
    given = (size, item.lo, item.hi, item.step)
    if item.step == ir.ZERO or not all(x is None or isinstance(x, ir.Const) for x in given):
        return None
    length, lo, hi, step = (layouts.constant(x) for x in given)
    return len(range(*slice(lo, hi, step).indices(length or 0)))


def _at_most_one(item: ir.Slice) -> bool:
    """True if a slice is ``k:k+1`` or ``-1:``."""
    lo = 0 if item.lo is None else layouts.constant(item.lo)
    hi = layouts.constant(item.hi)
    if lo is None or item.step not in (None, ir.ONE):
        return False
    return lo == -1 if item.hi is None else hi is not None and hi == lo + 1 != 0


def taken(ctx: Context, array: ir.Atom, at: ir.Atom) -> ir.Value:
    """``array[at]``, for numbers in ``array`` and places in ``at``."""
    assert isinstance(array.type, Array)
    found = alloc(ctx, array.type.dtype, (dim(ctx, at, 0),), None)
    ctx.builder.each(found, lambda b, k: b.store(found, k, b.load(array, (b.load(at, k),))))
    return found


def half(ctx: Context, size: ir.Atom) -> ir.Atom:
    """``size // 2 + 1``, computed once for sizes that are the same."""
    sizes = ctx.sizes
    key = sizes.leader(size)
    if key not in sizes.halves:
        quotient = ctx.builder.compute("floordiv", (size, ir.int_const(2)), INT)
        sizes.halves[key] = ctx.builder.compute("add", (quotient, ir.ONE), INT)
    return sizes.halves[key]


def shrunk(ctx: Context, size: ir.Atom, by: int) -> ir.Atom:
    """``max(size - by, 0)``."""
    key = (ctx.sizes.leader(size), by)
    if key not in ctx.sizes.shrunk:
        less = ctx.builder.compute("sub", (size, ir.int_const(by)), INT)
        ctx.sizes.shrunk[key] = ctx.builder.compute("np.maximum", (less, ir.ZERO), INT)
    return ctx.sizes.shrunk[key]


def reshape(ctx: Context, base: ir.Atom, to: Shape, hint: str = "") -> ir.Value:
    """``base`` with another shape, where nobody can tell whether memory is shared."""
    assert isinstance(base.type, Array)
    out = ir.Value(hint, Array(base.type.dtype, len(to)))
    ctx.builder.add(ir.Reshape(out, base, to, ctx.builder.origin))
    ctx.memory.bases[out] = base
    ctx.sizes.shapes[out] = to
    return out


def capacity(ctx: Context, array: ir.Value, axis: int) -> ir.Atom:
    """The size of an axis of an array that grows.

    It has room for what it was last let grow to, or more: what generated functions return does not
    depend on how much more. So the least is as good, where it is known.
    """
    builder, shape = ctx.memory.stacks[array]
    if builder is not ctx.builder and axis == 0:
        message = "the size of an array that grows can be asked for only where it was let grow"
        raise ctx.refuse(ctx.frame.module.tree, GROWING, message)
    return shape[axis]
