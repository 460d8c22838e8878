"""The kinds of numbers, Python's or NumPy's, in lists whose items are held in arrays.

What is put into a list may be Python's and NumPy's numbers, and what is taken out of it is not told
apart. So what is known is of all lists of a function together, by the dtype of their arrays: it is
in the plan, as a loop may take an item out that is put in further down.
"""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.scalar import axisless, kinds, scalars
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.tabled import Anew
from mooncake_transpiler.frontend.lower.state.whose import Kind, Whose
from mooncake_transpiler.types import BOOL, Array, DType, Scalar


def made(ctx: Context, array: ir.Value) -> ir.Value:
    """``array``, a new one for items of a list, which it does not hold yet."""
    ctx.numbers.origins[array] = None
    return array


def copied(ctx: Context, copy: ir.Value, array: ir.Value) -> ir.Value:
    """``copy``, a new array with items of ``array``."""
    ctx.numbers.origins[copy] = _origin(ctx, array)
    if not _holds_ints(ctx, array):
        ctx.numbers.as_annotated.add(copy)
    return copy


def put(ctx: Context, value: ir.Atom, dtype: DType) -> None:
    """Note that a list whose numbers have this ``dtype`` gets ``value``."""
    plan = ctx.heap.plan
    is_axisless = axisless.is_one(ctx, value)
    _note(ctx, plan.item_kinds, dtype, kinds.as_one(ctx, value, Scalar(dtype)), is_axisless)
    is_bool = value.type == BOOL and dtype is not DType.BOOL and not isinstance(value, ir.Undef)
    of = kinds.whose(ctx, value) if is_bool else ctx.numbers.blended.get(value)
    _note(ctx, plan.item_bools, dtype, of, False)
    if not isinstance(value, ir.Undef) and (
        scalars.dtype(value).is_int or kinds.may_be_int(ctx, value)
    ):
        _note_int(ctx, dtype)


def moved(ctx: Context, array: ir.Atom, dtype: DType) -> None:
    """Note that a list whose numbers have this ``dtype`` gets what is in ``array``."""
    if isinstance(array.type, Array):
        _note(ctx, ctx.heap.plan.item_kinds, dtype, _kind(ctx, array), False)
        if array.type.dtype.is_int or _holds_ints(ctx, array):
            _note_int(ctx, dtype)


def _note_int(ctx: Context, dtype: DType) -> None:
    """Note that a list whose numbers have this ``dtype`` gets an int: it is a float there."""
    known = ctx.heap.plan.item_ints
    if not dtype.is_int and dtype not in known:
        known.add(dtype)
        if dtype in ctx.numbers.asked:
            raise Anew


def _holds_ints(ctx: Context, array: ir.Atom) -> bool:
    """True if floats in ``array`` may be ints in Python: some were put in, or nobody knows."""
    own = (root for root in ctx.memory.roots(array) if isinstance(root, ir.Value))
    known, sure = ctx.numbers.origins, ctx.numbers.as_annotated
    return ir.dtype_of(array) in ctx.heap.plan.item_ints or any(
        root not in sure and known.get(root, Kind.NUMPY) is not None for root in own
    )


def _note(
    ctx: Context, known: dict[DType, Whose], dtype: DType, of: Whose | None, is_axisless: bool
) -> None:
    both = kinds.join([known.get(dtype), of])
    if of is None or both == known.get(dtype):
        return
    known[dtype] = both
    if dtype in ctx.numbers.asked or is_axisless:
        raise Anew


def taken(ctx: Context, array: ir.Value | ir.Undef, item: ir.Value) -> ir.Value:
    """``item``, a number out of ``array``."""
    found = _kind(ctx, array)
    kinds.marked(ctx, item, found or Kind.PYTHON)  # of none, until one is put in
    if kinds.is_float(item) and _holds_ints(ctx, array):
        ctx.numbers.maybe_ints.add(item)
    if (bools := ctx.heap.plan.item_bools.get(scalars.dtype(item))) is not None:
        ctx.numbers.blended[item] = bools
    return item


def of_array(ctx: Context, array: ir.Value) -> Whose | None:
    """Whose numbers are in ``array``, which is given to a function."""
    return _kind(ctx, array)


def _kind(ctx: Context, array: ir.Atom) -> Whose | None:
    assert isinstance(array.type, Array)
    ctx.numbers.asked.add(array.type.dtype)
    found = [ctx.heap.plan.item_kinds.get(array.type.dtype), _origin(ctx, array)]
    return None if found == [None, None] else kinds.join(found)


def _origin(ctx: Context, array: ir.Atom) -> Whose | None:
    """Whose numbers were in the memory of ``array`` before items were put in."""
    known = ctx.numbers.origins
    roots = (root for root in ctx.memory.roots(array) if isinstance(root, ir.Value))
    found = {known.get(root, Kind.NUMPY) for root in roots}
    return kinds.join(found) if found - {None} else None
