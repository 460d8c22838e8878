"""Tuples that pass through a function as they are: what one call returns and another one takes.

The normal form spreads tuples out into leaves. Where all leaves of a tuple go together from a
parameter or a call to a call or the result, they stay one variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.emit.folding import Folding
from mooncake_transpiler.emit.module_scope import ModuleScope
from mooncake_transpiler.types import Direction, Tuple, Type, leaves

Leaves = tuple[ir.Value, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """A tuple that stays one variable."""

    type: Type
    leaves: Leaves
    hint: str
    is_param: bool


def find_packs(func: ir.Func, folding: Folding, scope: ModuleScope) -> list[Pack]:
    """The largest tuples of ``func`` that are only passed on, whole."""
    made = dict(_made(func, scope))
    found: list[Pack] = []
    packed: set[ir.Value] = set()
    for type_, group, hint in _taken(func, scope):
        source = made.get((type_, group))
        if source is not None and packed.isdisjoint(group) and _only_here(group, folding):
            found.append(Pack(type_, group, source or hint, bool(source)))
            packed.update(group)
    return found


def _only_here(group: Leaves, folding: Folding) -> bool:
    return all(folding.uses[leaf] == 1 and leaf not in folding.inlined for leaf in group)


def _made(func: ir.Func, scope: ModuleScope) -> Iterator[tuple[tuple[Type, Leaves], str]]:
    """The tuples that come from parameters (with their names) and calls."""
    for param in func.params:
        if isinstance(param.type, Tuple):
            yield (param.type, param.leaves), param.name
    for stmt in func.body.stmts:
        if isinstance(stmt, ir.Call):
            for type_, group, _ in _tuples(scope.callee(stmt).result(stmt), stmt.outs):
                yield (type_, group), ""


def _taken(func: ir.Func, scope: ModuleScope) -> Iterator[tuple[Type, Leaves, str]]:
    """The tuples that calls take and that the function returns, with names for them."""
    for stmt in func.body.stmts:
        if isinstance(stmt, ir.Call):
            rest = stmt.args
            for param in scope.callee(stmt).params:
                own, rest = rest[: len(param.leaves)], rest[len(param.leaves) :]
                yield from ((t, group, param.name) for t, group, _ in _tuples(param.type, own))
    yield from _tuples(func.result, func.body.yields)


def _tuples(
    type_: Type, atoms: Sequence[ir.Atom], hint: str = "grad"
) -> Iterator[tuple[Type, Leaves, str]]:
    """The tuples in ``type_``, their leaves, and names for derivatives; outer ones first."""
    if not isinstance(type_, Tuple) or not atoms:
        return
    group = tuple(a for a in atoms if isinstance(a, ir.Value))
    if len(group) == len(atoms):
        is_tangent = type_.direction is Direction.TANGENT
        yield type_, group, "y_dot" if is_tangent else hint if type_.cls else ""
    rest = atoms
    for k, item in enumerate(type_.items):
        count = sum(1 for _ in leaves(item))
        yield from _tuples(item, rest[:count], f"{type_.names[k]}_bar" if type_.names else hint)
        rest = rest[count:]
