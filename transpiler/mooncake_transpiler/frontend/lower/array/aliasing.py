"""Arrays that share memory: which may be written to, and what a write may change."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.types import Array


def writable(ctx: Context, node: cst.CSTNode, array: ir.Value) -> None:
    """Refuse arrays that can't be written to."""
    if ctx.memory.base(array) in ctx.globals.values():
        raise ctx.refuse(node, "MK217", "a module-level array can't be written to")
    if ctx.memory.base(array) in ctx.memory.permanent:
        message = "what a class or a default value holds can't be written to: it is shared"
        raise ctx.refuse(node, "MK341", message, "write to a copy")
    if ctx.memory.base(array) in ctx.memory.shown and ctx.memory.base(array) in ctx.memory.inputs:
        message = "the arrays in a list that is a parameter can't be written to"
        help_ = "write to a copy, or make each a parameter of its own"
        raise ctx.refuse(node, "MK312", message, help_)
    root = ctx.memory.base(array)
    if root in ctx.memory.shown:
        help_ = "write to the array itself, or to a copy"
        raise ctx.refuse(node, "MK312", "this view is read-only", help_)
    check_viewed(ctx, node, root)


def is_shown(ctx: Context, args: Iterable[Operand]) -> bool:
    """True if writes to an argument would have to show in a copy, or the other way round."""
    roots = {ctx.memory.base(atom) for arg in args for atom in atoms(arg)}
    if roots & ctx.memory.shown.keys():
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
    frames = (ctx.frame, *ctx.callers) if ctx.memory.shown else ()
    for name, operand in (item for frame in frames for item in frame.values.items()):
        held = operand
        if isinstance(operand, Items) and containers.is_growing(operand):
            held = ctx.heap.growing[operand.cls or ""]
        bases = [ctx.memory.base(atom) for atom in atoms(held)]
        if any(root in ctx.memory.shown[base] for base in bases if base in ctx.memory.shown):
            return name
    return None


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
    return _dtype(own) == _dtype(root)


def _dtype(value: ir.Value) -> object:
    assert isinstance(value.type, Array)
    return value.type.dtype
