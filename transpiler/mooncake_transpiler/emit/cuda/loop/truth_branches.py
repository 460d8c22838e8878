"""If-conversion of flags: a branch that sets a carried bool becomes ``or`` or ``and``.

t2 = if c: yield True                      t2 = or t, c
     else: yield t
t2 = if t: yield x                         t2 = and t, x
     else: yield False
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.loop.lifting import needed
from mooncake_transpiler.types import BOOL


@dataclass(frozen=True, slots=True)
class _Noted:
    """A flag: ``op`` of the carried ``param`` and ``other``, or the inverse of that.

    ``block``: where ``other`` is computed, if that is in the branch.
    """

    op: str
    param: ir.Atom
    other: ir.Atom
    is_inverted: bool = False
    block: ir.Block | None = None


def combined(loop: ir.For, carried: frozenset[ir.Value] = frozenset()) -> ir.For:
    """``loop``, and those in it, with such branches over what they carry as operators."""
    own = carried | set(loop.params)
    stmts: list[ir.Stmt] = []
    for stmt in loop.body.stmts:
        match stmt:
            case ir.For():
                stmts.append(combined(stmt, own))
            case ir.If():
                stmts += _without_notes(stmt, own)
            case _:
                stmts.append(stmt)
    return replace(loop, body=ir.with_stmts(loop.body, stmts))


def _without_notes(stmt: ir.If, carried: frozenset[ir.Value]) -> Iterator[ir.Stmt]:
    found = {k: noted for k in range(len(stmt.outs)) if (noted := _noted(stmt, k, carried))}
    left = [k for k in range(len(stmt.outs)) if k not in found]
    if found:
        sides = [
            needed(replace(side, yields=tuple(side.yields[k] for k in left)))
            for side in (stmt.then, stmt.orelse)
        ]
        if left or any(side.stmts for side in sides):
            outs = tuple(stmt.outs[k] for k in left)
            yield replace(stmt, outs=outs, then=sides[0], orelse=sides[1])
    else:
        yield stmt
    for k, noted in found.items():
        yield from _as_operator(stmt, stmt.outs[k], noted)


def _as_operator(stmt: ir.If, out: ir.Value, noted: _Noted) -> Iterator[ir.Stmt]:
    if noted.block is not None:
        yield from noted.block.stmts
    other = noted.other
    if noted.is_inverted:
        other = ir.Value("", BOOL)
        yield ir.Compute(other, "not", (noted.other,), stmt.origin)
    yield ir.Compute(out, noted.op, (noted.param, other), stmt.origin)


def _noted(stmt: ir.If, k: int, carried: frozenset[ir.Value]) -> _Noted | None:
    inner = (s for side in (stmt.then, stmt.orelse) for s in ir.walk(side))
    if stmt.outs[k].type != BOOL or any(isinstance(s, ir.Raise) for s in inner):
        return None
    sides = stmt.then.yields[k], stmt.orelse.yields[k]
    match sides:
        case (ir.Const(value=value), ir.Value() as param) if param in carried:
            return (
                _Noted("or", param, stmt.cond) if value else _Noted("and", param, stmt.cond, True)
            )
        case (ir.Value() as param, ir.Const(value=value)) if param in carried:
            return (
                _Noted("or", param, stmt.cond, True) if value else _Noted("and", param, stmt.cond)
            )
        case (ir.Const(value=True), other):
            return _tested(stmt, "or", other, stmt.orelse, carried)
        case (other, ir.Const(value=False)):
            return _tested(stmt, "and", other, stmt.then, carried)
        case _:
            return None


def _tested(
    stmt: ir.If, op: str, other: ir.Atom, block: ir.Block, carried: frozenset[ir.Value]
) -> _Noted | None:
    """A test of the carried value itself; what it guards may be computed all the same."""
    plain = all(isinstance(inner, ir.Compute | ir.Load) for inner in block.stmts)
    is_it = isinstance(stmt.cond, ir.Value) and stmt.cond in carried and len(stmt.outs) == 1
    return _Noted(op, stmt.cond, other, block=block) if plain and is_it else None
