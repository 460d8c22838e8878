"""Cached properties that some iterations or branches ask for, of objects that were there before.

c = Curve(rates)                  Python keeps the first value; here each iteration has its own,
for t in times:                   which is the same as long as nothing changes that it is made of
    total += c.level * t
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import Refused
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.array.aliasing import written_in
from mooncake_transpiler.frontend.lower.instance import fixed_properties
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.properties import Kept
from mooncake_transpiler.types import Array


def expect(ctx: Context, node: cst.CSTNode, prop: FunctionDecl, of: Ref, value: Operand) -> None:
    """Note that nothing may change later of what ``prop``, with this ``value``, is made of."""
    if not _is_older(ctx, of):
        return
    if fixed_properties.read_by(ctx.source, of.cls, prop) is None:
        raise _refused(ctx, node)
    roots = ctx.memory.roots(*_arrays(ctx, node, of, frozenset()))
    ctx.heap.kept.append(Kept(node, frozenset(roots), frozenset(atoms(value))))


def check(ctx: Context) -> None:
    """Refuse the function if it changes an array after such a property was made of it.

    Loops are lowered more than once; only what was made last is in the function.
    """
    if not ctx.heap.kept:
        return
    stmts = ctx.builder.stmts
    places: dict[ir.Atom, int] = {out: k for k, stmt in enumerate(stmts) for out in _made_in(stmt)}
    found = [(kept, _place(kept.values, places)) for kept in ctx.heap.kept]
    there = {kept.node for kept, at in found if at is not None}
    for kept, at in found:
        if at is None and kept.node in there:
            continue
        if not kept.roots.isdisjoint(ctx.memory.roots(*written_in(ctx, stmts[at or 0 :]))):
            raise _refused(ctx, kept.node)


def _place(values: Set[ir.Atom], places: Mapping[ir.Atom, int]) -> int | None:
    return min((places[one] for one in values if one in places), default=None)


def _made_in(stmt: ir.Stmt) -> Iterator[ir.Value]:
    """The values that a statement, or one inside of it, makes."""
    for one in ir.walk(ir.Block((stmt,))):
        yield from ir.outs(one)


def _is_older(ctx: Context, of: Ref) -> bool:
    """True if the object was there before the branch, or the loop, that is being lowered."""
    loops = (loop for frame in ctx.frames for loop in frame.loops)
    return of.arms != ctx.arms or any(of.number <= loop.began for loop in loops)


def _arrays(ctx: Context, node: cst.CSTNode, of: Operand, seen: frozenset[str]) -> list[ir.Atom]:
    """The arrays in an object and in those that it holds; lists and dicts may change unseen."""
    if isinstance(of, Items) and not of.is_list:
        return [one for item in of.items for one in _arrays(ctx, node, item, seen)]
    if containers.is_container(of) or isinstance(of, Items):
        raise _refused(ctx, node)
    if isinstance(of, Ref):
        if of.key in seen:
            return []
        names = objects.fields(ctx.frame, of)
        values = [ctx.frame.values[objects.variable(of, name)] for name in names]
        return [a for v in values for a in _arrays(ctx, node, v, seen | {of.key})]
    return [atom for atom in atoms(of) if isinstance(atom.type, Array)]


def _refused(ctx: Context, node: cst.CSTNode) -> Refused:
    message = "a cached property is computed here, and what it is made of may change later"
    return ctx.refuse(node, "MK340", message, "ask for it before, and keep it in a variable")
