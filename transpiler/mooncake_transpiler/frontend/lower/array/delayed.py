"""Lazy arrays, which fuse: when they are computed, and what would change what they read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Aside, Context
from mooncake_transpiler.frontend.lower.state.flags import hint_of
from mooncake_transpiler.frontend.lower.state.operands import Generator, Items, Operand
from mooncake_transpiler.types import Array


def is_array(operand: Operand | None) -> bool:
    """True if ``operand`` is an array, in memory or delayed."""
    match operand:
        case Arr():
            return True
        case ir.Value() | ir.Undef():
            return isinstance(operand.type, Array)
        case _:
            return False


def rank(operand: Operand | None) -> int | None:
    """The number of axes of ``operand``, if that is an array."""
    match operand:
        case Arr(ndim=ndim):
            return ndim
        case ir.Value(type=Array(ndim=ndim)):
            return ndim
        case _:
            return None


def settle(ctx: Context, operand: Operand, hint: object = "") -> Operand:
    """``operand`` with every delayed array in it computed now."""
    hint = hint_of(hint) if isinstance(hint, str) else hint
    match operand:
        case ir.Value(hint="") if hint and isinstance(hint, str):
            ctx.names.setdefault(operand, hint)
            return operand
        case Arr():
            stage = operand.s
            assert isinstance(stage, LoweringStage)
            return stage.value(operand, hint if isinstance(hint, str) else "")
        case Items(items=items):
            if not operand.is_list and not any(isinstance(i, Arr | Items) for i in items):
                return operand
            hints = hint if isinstance(hint, tuple) and len(hint) == len(items) else None
            found = [settle(ctx, item, hints[k] if hints else "") for k, item in enumerate(items)]
            new = replace(operand, items=tuple(found))
            if not operand.is_list:
                return new
            return containers.owned(ctx, new, hint if isinstance(hint, str) else "")
        case Generator(kept=kept):
            return kept()
        case _:
            return operand


def settled(ctx: Context, given: Arguments) -> Arguments:
    """``given`` with every delayed array in it computed now."""
    named = {name: settle(ctx, value, name) for name, value in given.keywords.items()}
    return Arguments([settle(ctx, value) for value in given.args], named)


def own(ctx: Context, operand: Operand, hint: str = "") -> Operand:
    """``operand`` with an identity, if it is a list; otherwise it stays delayed."""
    return settle(ctx, operand, hint) if isinstance(operand, Items) else operand


def in_order(ctx: Context, parts: Sequence[Callable[[], Operand]]) -> list[Operand]:
    """The operands of ``parts``, evaluated from left to right.

    What is delayed is computed before a later part that calls a function of the program, which may
    write to the memory that it reads.
    """
    found: list[Operand] = []
    delayed: list[int] = []  # which of them
    for k, part in enumerate(parts):
        if delayed:
            aside, new = ctx.aside(part)
            if disturbs(ctx, aside):
                found = [settle(ctx, operand) for operand in found]
                delayed = [k for k in delayed if isinstance(found[k], Arr | Items)]
            ctx.insert(aside)
        else:
            new = part()
        found.append(new)
        if isinstance(new, Arr | Items):
            delayed.append(k)
    return found


def disturbs(ctx: Context, aside: Aside) -> bool:
    """True if what is delayed has to be computed before the statements of ``aside``."""
    written = any(map(_calls, aside.stmts)) or _writes(ctx, aside.stmts)
    return written or bool(aside.guards)


def _writes(ctx: Context, stmts: Sequence[ir.Stmt]) -> bool:
    """True if functions that are lowered in line write to memory that is not their own."""
    every = list(ir.walk(ir.Block(tuple(stmts))))
    own = {out for stmt in every for out in ir.made(stmt)}
    written = (base for stmt in every for base in ir.written(stmt, ir.of_primitives))
    return any(ctx.memory.base(base) not in own for base in written)


def _calls(stmt: ir.Stmt) -> bool:
    if isinstance(stmt, ir.Call):
        return not ir.is_primitive(stmt)
    return any(_calls(inner) for block in ir.blocks(stmt) for inner in block.stmts)
