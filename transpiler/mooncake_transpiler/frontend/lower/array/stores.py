"""Writing into arrays: elements, slices, gathered parts, and updates in place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import libcst as cst
from mooncake_rules.arrays import Arr, Num, Value, broadcast_to
from mooncake_rules.library import indexing
from mooncake_rules.library.support import as_array, astype

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import expressions
from mooncake_transpiler.frontend.lower.array import arrays, memory, reshaping, whole
from mooncake_transpiler.frontend.lower.array.locations import Location, Picked
from mooncake_transpiler.frontend.lower.container import containers, lists
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.frame import hint_of
from mooncake_transpiler.frontend.lower.operands import Items, Operand, atoms, describe
from mooncake_transpiler.frontend.lower.rule.stage import LoweringStage
from mooncake_transpiler.frontend.lower.scalar.kinds import Kind
from mooncake_transpiler.frontend.lower.scalar.promotion import is_same_sort
from mooncake_transpiler.frontend.lower.scalar.scalars import cast, compute, is_scalar, promote
from mooncake_transpiler.types import Array, DType, Scalar

READ_ONLY_HELP = "tuples can't be changed: bind a new one"


def store(ctx: Context, target: cst.Subscript, value: Operand) -> None:
    """``target = value`` for an element or a part of an array."""
    at = _location(ctx, target)
    if isinstance(at, lists.Slot):
        lists.write(ctx, target, at, value)
    elif isinstance(at, Picked):
        _put(ctx, target, at, value)
    elif at.is_element:
        element_type = Scalar(at.type.dtype)
        stored = _narrow(ctx, target, expressions.as_scalar(ctx, target, value), element_type)
        ctx.builder.store(at.base, at.integers, stored)
    else:
        overwrite(ctx, target, arrays.read(ctx, at), value)


def _location(ctx: Context, target: cst.Subscript) -> Location | Picked | lists.Slot:
    at = arrays.locate(ctx, target)
    match at:
        case lists.Slot():
            return at
        case Location(base=ir.Value() as base):
            writable(ctx, target, base)
            return reshaping.item_of_flat(ctx, at) if at.is_element else at
        case Location():
            return at
        case Picked(base=Arr(memory=ir.Value() as base)):
            writable(ctx, target, base)
            return at
        case Picked():
            raise ctx.refuse(target, "MK213", "an expression can't be written to")
        case _:
            message = f"{describe(at)} can't be written to"
            raise ctx.refuse(target, "MK213", message, READ_ONLY_HELP)


def writable(ctx: Context, node: cst.CSTNode, array: ir.Value) -> None:
    """Refuse arrays that can't be written to."""
    if ctx.base(array) in ctx.globals.values():
        raise ctx.refuse(node, "MK217", "a module-level array can't be written to")
    if ctx.base(array) in ctx.permanent:
        message = "what a class or a default value holds can't be written to: it is shared"
        raise ctx.refuse(node, "MK341", message, "write to a copy")
    if ctx.base(array) in ctx.shown and ctx.base(array) in ctx.inputs:
        message = "the arrays in a list that is a parameter can't be written to"
        help_ = "write to a copy, or make each a parameter of its own"
        raise ctx.refuse(node, "MK312", message, help_)
    root = ctx.base(array)
    if root in ctx.shown:
        help_ = "write to the array itself, or to a copy"
        raise ctx.refuse(node, "MK312", "this view is read-only", help_)
    check_viewed(ctx, node, root)


def is_shown(ctx: Context, args: Iterable[Operand]) -> bool:
    """Whether writes to an argument would have to show in a copy, or the other way round."""
    roots = {ctx.base(atom) for arg in args for atom in atoms(arg)}
    if roots & ctx.shown.keys():
        return True
    return any(_viewer(ctx, root) is not None for root in roots)


def check_viewed(ctx: Context, node: cst.CSTNode, root: ir.Atom) -> None:
    """Refuse a write that NumPy would show in a view, of which there is a copy here."""
    name = _viewer(ctx, root)
    if name is not None:
        shown = repr(hint_of(name)) if hint_of(name) else "a list that holds it"
        message = f"the array is written while {shown} is a view of it"
        raise ctx.refuse(node, "MK312", message, "take a copy: np.diagonal(x).copy()")


def _viewer(ctx: Context, root: ir.Atom) -> str | None:
    """The variable that holds a copy for a view of ``root``."""
    frames = (ctx.frame, *ctx.callers) if ctx.shown else ()
    for name, operand in (item for frame in frames for item in frame.values.items()):
        held = operand
        if isinstance(operand, Items) and containers.is_growing(operand):
            held = ctx.growing[operand.cls or ""]
        bases = [ctx.base(atom) for atom in atoms(held)]
        if any(root in ctx.shown[base] for base in bases if base in ctx.shown):
            return name
    return None


def _narrow(ctx: Context, node: cst.CSTNode, value: ir.Atom, type_: Scalar) -> ir.Atom:
    """``value`` as an array's element: NumPy converts silently, except from complex."""
    assert isinstance(value.type, Scalar)
    if value.type.dtype.is_complex and not type_.dtype.is_complex:
        raise ctx.refuse(node, "MK213", f"a complex number can't be stored in {type_}")
    return cast(ctx, value, type_)


def _put(ctx: Context, node: cst.CSTNode, at: Picked, value: Operand) -> None:
    """``base[items] = value`` by index arrays."""
    stage = LoweringStage(ctx, node)
    source = whole.to_library(ctx, node, value)
    if isinstance(source, tuple):
        source = as_array(stage, source)
    _check_kind(ctx, node, source, at.base.dtype)
    indexing.put(stage, at.base, at.items, source)  # type: ignore[arg-type]


def _check_kind(ctx: Context, node: cst.CSTNode, source: object, dtype: str) -> None:
    found = getattr(source, "dtype", "complex" if isinstance(source, complex) else "")
    if found.startswith("complex") and not dtype.startswith("complex"):
        raise ctx.refuse(node, "MK213", f"complex numbers can't be stored in {dtype}")


def overwrite(ctx: Context, node: cst.CSTNode, dst: ir.Value | ir.Undef, value: Operand) -> None:
    """``dst[...] = value``."""
    assert isinstance(dst.type, Array)
    if is_scalar(value):
        atom = expressions.as_scalar(ctx, node, value)
        source = _narrow(ctx, node, atom, Scalar(dst.type.dtype))
        ctx.builder.add(ir.Assign(dst, source, ctx.builder.origin))
        return
    stage, target = LoweringStage(ctx, node), whole.as_arr(ctx, node, dst)
    value = ctx.lower.view(ctx, node, value)
    if not isinstance(value, Items) and not whole.is_array(value):
        message = f"can't assign {describe(value)} to a part of type {dst.type}"
        raise ctx.refuse(node, "MK213", message)
    found = as_array(stage, whole.to_library(ctx, node, value))
    _check_kind(ctx, node, found, target.dtype)
    source_ = broadcast_to(stage, found, target.shape, "the assigned value")
    same_shape = all(map(stage.same, found.shape, target.shape)) and found.ndim == target.ndim
    if isinstance(found.memory, ir.Value) and found.memory.type == dst.type and same_shape:
        _copy_over(ctx, dst, found.memory)
        return
    stage.fill(target, _apart(ctx, target, astype(stage, source_, target.dtype)))


def _copy_over(ctx: Context, dst: ir.Atom, src: ir.Value) -> None:
    """``dst[...] = src``, an array in memory, copied first where it shows the same memory."""
    if may_meet(ctx, dst, ctx.base(src)):
        src = memory.copy(ctx, src)
    ctx.builder.add(ir.Assign(dst, src, ctx.builder.origin))


def _apart(ctx: Context, target: Arr, source: Arr, same_place: bool = False) -> Arr:
    """``source``, computed first where it reads memory that is about to be written.

    ``same_place``: it reads ``target`` itself at the written index only.
    """
    dst = target.memory
    assert isinstance(dst, ir.Value | ir.Undef)
    others = source.reads - {ctx.base(dst)} if same_place else source.reads
    if any(may_meet(ctx, dst, root) for root in others if isinstance(root, ir.Value)):
        assert isinstance(source.s, LoweringStage)
        return source.s.keep(source)
    return source


def meets(ctx: Context, target: Arr, source: Arr) -> bool:
    """Whether ``source`` may read what is changed by writing to ``target``."""
    dst = target.memory
    assert isinstance(dst, ir.Value | ir.Undef)
    return any(may_meet(ctx, dst, root) for root in source.reads if isinstance(root, ir.Value))


def may_meet(ctx: Context, dst: ir.Atom, root: ir.Atom) -> bool:
    """Whether writing ``dst`` may change what is read from the memory of ``root``."""
    own = ctx.base(dst)
    if own is root or not isinstance(own, ir.Value) or not isinstance(root, ir.Value):
        return own is root
    if {own, root} <= ctx.local | ctx.inputs and not {own, root} <= ctx.inputs:
        return False
    return _dtype(own) == _dtype(root)


def _dtype(value: ir.Value) -> object:
    assert isinstance(value.type, Array)
    return value.type.dtype


def update(
    ctx: Context, stmt: cst.AugAssign, target: cst.Subscript, operator: cst.BaseBinaryOp
) -> None:
    """``x[i] op= value``."""
    at = _location(ctx, target)
    if isinstance(at, lists.Slot):
        _update_slot(ctx, stmt, operator, at)
    elif isinstance(at, Picked):
        _update_picked(ctx, stmt, target, operator, at)
    elif at.is_element:
        _update_element(ctx, stmt, target, operator, at)
    else:
        update_array(ctx, stmt, operator, arrays.read(ctx, at))


def _update_picked(
    ctx: Context,
    stmt: cst.AugAssign,
    target: cst.Subscript,
    operator: cst.BaseBinaryOp,
    at: Picked,
) -> None:
    """The part and its elements are looked up before the value is computed."""
    aside, value = ctx.aside(lambda: ctx.lower.expression(ctx, stmt.value))
    if whole.disturbs(ctx, aside):
        stage = LoweringStage(ctx, target)
        items = (stage.keep(item) if isinstance(item, Arr) else item for item in at.items)
        at = replace(at, items=tuple(items))
        old = whole.settle(ctx, arrays.pick(ctx, target, at))
    else:
        old = arrays.pick(ctx, target, at)
    ctx.insert(aside)
    _put(ctx, target, at, ctx.lower.binary(ctx, stmt, operator, old, value))


def _update_slot(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, at: lists.Slot
) -> None:
    """``xs[i] op= value``: in place, if the item is an array or a list."""
    old = lists.read(ctx, stmt, at)
    if whole.is_array(old):
        update_array(ctx, stmt, operator, old)
        return
    value = ctx.lower.expression(ctx, stmt.value)
    if containers.is_container(old):
        lists.augmented(ctx, stmt, operator, old, value)
    else:
        lists.write(ctx, stmt, at, ctx.lower.binary(ctx, stmt, operator, old, value))


def _update_element(
    ctx: Context,
    stmt: cst.AugAssign,
    target: cst.Subscript,
    operator: cst.BaseBinaryOp,
    at: Location,
) -> None:
    aside, value = ctx.aside(lambda: expressions.scalar(ctx, stmt.value))
    only_reads = not any(map(writes, aside.every()))
    if _is_sum(operator, at.type, value) and only_reads:
        ctx.insert(aside)
        ctx.builder.accum(at.base, at.integers, _signed(ctx, stmt, operator, at.type, value))
        return
    old = ctx.builder.load(at.base, at.integers)
    ctx.kinds[old] = Kind.NUMPY
    ctx.insert(aside)
    new = ctx.lower.binary(ctx, stmt, operator, old, value)
    stored = _narrow(ctx, stmt, expressions.as_scalar(ctx, stmt, new), Scalar(at.type.dtype))
    ctx.builder.store(at.base, at.integers, stored)


def _is_sum(operator: cst.BaseBinaryOp, type_: Array, value: ir.Atom) -> bool:
    """Whether ``op=`` adds, in the precision of the array."""
    if not isinstance(operator, cst.Add | cst.Subtract):
        return False
    old = ir.Value("", Scalar(type_.dtype))
    return promote((old, value)) is type_.dtype and not type_.dtype.value.startswith(("b", "u"))


def _signed(
    ctx: Context, node: cst.CSTNode, operator: cst.BaseBinaryOp, type_: Array, value: ir.Atom
) -> ir.Atom:
    """What ``+=`` or ``-=`` adds."""
    value = cast(ctx, value, Scalar(type_.dtype))
    return compute(ctx, node, "neg", (value,)) if isinstance(operator, cst.Subtract) else value


def writes(stmt: ir.Stmt) -> bool:
    """Whether ``stmt`` may change memory that its user can see."""
    match stmt:
        case ir.Store() | ir.Accum() | ir.Assign() | ir.AddTo() | ir.Call():
            return True
        case _:
            return any(writes(inner) for block in ir.blocks(stmt) for inner in block.stmts)


def update_array(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, dst: Operand
) -> None:
    """``x op= value`` for a whole array or a view."""
    value = ctx.lower.expression(ctx, stmt.value)
    if not isinstance(dst, ir.Value):
        raise ctx.refuse(stmt, "MK213", "an expression can't be written to")
    writable(ctx, stmt, dst)
    assert isinstance(dst.type, Array)
    if is_scalar(value) and _is_sum(operator, dst.type, expressions.as_scalar(ctx, stmt, value)):
        atom = expressions.as_scalar(ctx, stmt, value)
        change = _signed(ctx, stmt, operator, dst.type, atom)
        ctx.builder.add(ir.AddTo(dst, change, ctx.builder.origin))
        return
    target = whole.as_arr(ctx, stmt, dst)
    stage = LoweringStage(ctx, stmt)
    if isinstance(operator, cst.MatrixMultiply):
        product = ctx.lower.binary(ctx, stmt, operator, dst, value)
        overwrite(ctx, stmt, dst, whole.settle(ctx, product))
        return
    value = ctx.lower.view(ctx, stmt, value)
    if isinstance(value, Items):
        value = whole.from_items(ctx, stmt, value)
    change_ = whole.to_library(ctx, stmt, value)
    if not isinstance(change_, Arr | Num | bool | int | float | complex):
        raise ctx.refuse(stmt, "MK213", f"expected an array, got {describe(value)}")
    _check_update(ctx, stmt, operator, target, change_)
    if isinstance(change_, Arr):
        wide = broadcast_to(stage, change_, target.shape, "the operand")
        change_ = _apart(ctx, target, wide, _reads_only(ctx, change_, dst))
    if isinstance(operator, cst.Add | cst.Subtract) and isinstance(change_, Arr):
        _add(stage, target, change_, isinstance(operator, cst.Subtract))
        return
    new = ctx.lower.binary(ctx, stmt, operator, target, whole.from_library(ctx, stmt, change_))
    if not isinstance(new, Arr):  # of rank 0
        overwrite(ctx, stmt, dst, new)
        return
    stage.fill(target, new)


def _reads_only(ctx: Context, value: Arr, dst: ir.Value) -> bool:
    """Whether ``value`` is ``dst`` itself, in memory."""
    return value.memory is dst


def _check_update(
    ctx: Context, stmt: cst.AugAssign, operator: cst.BaseBinaryOp, target: Arr, value: Value
) -> None:
    """NumPy refuses to put a result of another sort into an array, floats into integers."""
    op = expressions.BINARY[type(operator)]
    dtype = LoweringStage(ctx, stmt).result(op, target, value)
    if not is_same_sort(DType(dtype), DType(target.dtype)):
        message = f"the result is {dtype} and does not fit into {target.dtype} in place"
        raise ctx.refuse(stmt, "MK213", message, "make a new array: x = x + y")


def _add(stage: LoweringStage, target: Arr, change: Arr, negate: bool) -> None:
    """``target += change``, element by element."""
    dtype = target.dtype

    def one(*index: object) -> None:
        item = stage.cast(change.at(*index), dtype)
        stage.add(target, index, stage.op("neg", item) if negate else item)  # type: ignore[arg-type]

    if isinstance(change.memory, ir.Value) and not negate and change.dtype == dtype != "bool":
        assert isinstance(target.memory, ir.Value)
        if change.ndim == target.ndim:
            origin = stage.ctx.builder.origin
            stage.ctx.builder.add(ir.AddTo(target.memory, change.memory, origin))
            return
    stage.nest(target.shape, one)
