"""Arrays that share memory: which may be written to, and what a write may change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from functools import partial

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array import in_place
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.scalar.scalars import is_scalar
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.types import Array, Scalar, Type


def writable(ctx: Context, node: cst.CSTNode, array: ir.Value) -> None:
    """Refuse arrays that can't be written to."""
    roots = ctx.memory.roots(array)
    if not roots.isdisjoint(ctx.globals.values()):
        raise ctx.refuse(node, "MK217", "a module-level array can't be written to")
    if not roots.isdisjoint(ctx.memory.permanent):
        message = "what a class or a default value holds can't be written to: it is shared"
        raise ctx.refuse(node, "MK341", message, "write to a copy")
    if in_place.allow(ctx, node, array):
        check_viewed(ctx, node, array)
        return
    if not roots.isdisjoint(ctx.memory.shown.keys() & ctx.memory.inputs):
        message = "the arrays in a list that is a parameter can't be written to"
        help_ = "write to a copy, or make each a parameter of its own"
        raise ctx.refuse(node, "MK312", message, help_)
    if _is_in_list(ctx, roots):
        message = "an array in a list, whose length is known at run time only, can't be written to"
        help_ = "put a new one in its place: ws[k] = ws[k] - g, or ws = [w - g for w in ws]"
        raise ctx.refuse(node, "MK312", message, help_)
    if not roots.isdisjoint(ctx.memory.shown):
        help_ = "write to the array itself, or to a copy"
        raise ctx.refuse(node, "MK312", "this view is read-only", help_)
    check_viewed(ctx, node, array)


def is_item(ctx: Context, array: ir.Value) -> bool:
    """True for an array in a list that grows: a copy of what others may hold."""
    base = ctx.memory.base(array)
    return array is not base and base in ctx.memory.shown and base in ctx.memory.local


def _is_in_list(ctx: Context, roots: Set[ir.Atom]) -> bool:
    """True if one of ``roots`` holds what is in a list, as copies of what others may hold."""
    lists = (value for frame in ctx.frames for value in frame.values.values())
    kept = (
        containers.arrays_in(ctx, one)
        for one in lists
        if isinstance(one, Items) and containers.is_arrays(one)
    )
    found = (root for one in kept for root in ctx.memory.roots(*atoms(one)))
    return any(root in roots and root in ctx.memory.shown for root in found)


def written_in(ctx: Context, stmts: Iterable[ir.Stmt]) -> Iterator[ir.Atom]:
    """The arrays that ``stmts`` may write to, and the functions of the program that they call."""
    for stmt in ir.walk(ir.Block(tuple(stmts))):
        yield from ir.written(stmt, partial(written_by, ctx))


def written_by(ctx: Context, call: ir.Call) -> tuple[ir.Atom, ...]:
    if call.func not in ctx.memory.writers:
        return ir.of_primitives(call)  # functions with a rule write to no argument
    writes = ctx.memory.writers[call.func]
    return call.args if writes is None else tuple([call.args[k] for k in sorted(writes)])


def writes_of(ctx: Context, name: str, inputs: Sequence[ir.Value]) -> frozenset[int]:
    """The ``inputs`` that the function ``name`` writes; its own calls write what follows."""
    known = ctx.memory.writers
    if known.get(name, frozenset()) is None:
        known[name] = frozenset()
    while True:
        roots = ctx.memory.roots(*written_in(ctx, ctx.builder.stmts))
        found = frozenset(k for k, leaf in enumerate(inputs) if leaf in roots)
        if known.get(name, found) == found:
            return found
        known[name] = found


def is_shown(ctx: Context, args: Iterable[Operand]) -> bool:
    """True if writes to an argument would have to show in a copy, or the other way round."""
    if not ctx.memory.shown:
        return False
    roots = ctx.memory.roots(*(atom for arg in args for atom in atoms(arg)))
    return not roots.isdisjoint(ctx.memory.shown) or _viewer(ctx, roots) is not None


def check_viewed(ctx: Context, node: cst.CSTNode, array: ir.Atom) -> None:
    """Refuse a write that NumPy would show in a view, of which there is a copy here."""
    name = _viewer(ctx, ctx.memory.roots(array)) if ctx.memory.shown else None
    if name is not None:
        shown = repr(hint_of(name)) if hint_of(name) else "a list that holds it"
        message = f"the array is written while {shown} is a view of it"
        help_ = "write to a copy, or let the view be one: np.diagonal(x).copy()"
        raise ctx.refuse(node, "MK312", message, help_)


def _viewer(ctx: Context, roots: Set[ir.Atom]) -> str | None:
    """The variable that holds a copy for a view of one of ``roots``; numbers if they are read."""
    later = {name for name, _ in in_place.live(ctx)}
    for name, operand in (item for frame in ctx.frames for item in frame.values.items()):
        if is_scalar(operand) and name not in later:
            continue
        arrays = ctx.memory.roots(*atoms(containers.arrays_in(ctx, operand)))
        copies = [root for root in arrays if root in ctx.memory.shown]
        if ctx.memory.meet(roots, ctx.memory.seen_in(copies)):
            return name
    return None


def refuse_parts_of_one(ctx: Context, node: cst.Call, leaves: Sequence[ir.Atom]) -> None:
    """Complex numbers and their parts: a callee takes arrays of different dtypes to be apart."""
    seen: dict[ir.Atom, Type] = {}
    for leaf in leaves:
        if isinstance(leaf, ir.Value) and isinstance(leaf.type, Array):
            dtype = Scalar(leaf.type.dtype)
            if seen.setdefault(ctx.memory.base(leaf), dtype) != dtype:
                message = "an array and its real or imaginary part can't both be arguments"
                raise ctx.refuse(node, "MK303", message, "pass a copy of the part")


def meets(ctx: Context, target: Arr, source: Arr) -> bool:
    """True if ``source`` may read what is changed by writing to ``target``."""
    dst = target.memory
    assert isinstance(dst, ir.Value | ir.Undef)
    return any(may_meet(ctx, dst, root) for root in source.reads if isinstance(root, ir.Value))


def may_meet(ctx: Context, dst: ir.Atom, root: ir.Atom) -> bool:
    """True if writing ``dst`` may change what is read from the memory of ``root``."""
    own = ctx.memory.base(dst)
    if own is root or not isinstance(own, ir.Value) or not isinstance(root, ir.Value):
        return own is root
    if {own, root} <= ctx.memory.local | ctx.memory.inputs and not {own, root} <= ctx.memory.inputs:
        return False
    return ir.dtype_of(own) == ir.dtype_of(root)
