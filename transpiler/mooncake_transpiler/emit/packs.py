"""Tuples that pass through a function as they are: what one call returns and another one takes.

The normal form spreads tuples out into leaves. Where all leaves of a tuple go together from a
parameter or a call to a call or the result, they stay one variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.emit.fold import Folding
from mooncake_transpiler.emit.scope import Scope
from mooncake_transpiler.types import Tuple, Type, leaves

Leaves = tuple[ir.Value, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """A tuple that stays one variable."""

    leaves: Leaves
    hint: str
    is_param: bool


def find_packs(func: ir.Func, folding: Folding, scope: Scope) -> list[Pack]:
    """The largest tuples of ``func`` that are only passed on, whole."""
    made = dict(_made(func, scope))
    found: list[Pack] = []
    packed: set[ir.Value] = set()
    for type_, group, hint in _taken(func, scope):
        source = made.get(group)
        whole = source is not None and source[0] == type_
        if whole and packed.isdisjoint(group) and _only_here(group, folding):
            assert source is not None
            found.append(Pack(group, source[1] or hint, bool(source[1])))
            packed.update(group)
    return found


def _only_here(group: Leaves, folding: Folding) -> bool:
    return all(folding.uses[leaf] == 1 and leaf not in folding.inlined for leaf in group)


def _made(func: ir.Func, scope: Scope) -> Iterator[tuple[Leaves, tuple[Type, str]]]:
    """The tuples that come from parameters (with their names) and calls."""
    for param in func.params:
        if isinstance(param.type, Tuple):
            yield param.leaves, (param.type, param.name)
    for stmt in func.body.stmts:
        if isinstance(stmt, ir.Call):
            for type_, group in _tuples(scope.result(stmt), stmt.outs):
                yield group, (type_, "")


def _taken(func: ir.Func, scope: Scope) -> Iterator[tuple[Type, Leaves, str]]:
    """The tuples that calls take and that the function returns, with names for them."""
    for stmt in func.body.stmts:
        if isinstance(stmt, ir.Call):
            rest = stmt.args
            for param in scope.params(stmt):
                own, rest = rest[: len(param.leaves)], rest[len(param.leaves) :]
                yield from ((type_, group, param.name) for type_, group in _tuples(param.type, own))
    for type_, group in _tuples(func.result, func.body.yields):
        yield type_, group, "grad" if isinstance(type_, Tuple) and type_.cls else ""


def _tuples(type_: Type, atoms: Sequence[ir.Atom]) -> Iterator[tuple[Type, Leaves]]:
    """The tuples in ``type_`` and their leaves, outer ones first; none without leaves."""
    if not isinstance(type_, Tuple) or not atoms:
        return
    group = tuple(a for a in atoms if isinstance(a, ir.Value))
    if len(group) == len(atoms):
        yield type_, group
    rest = atoms
    for item in type_.items:
        count = sum(1 for _ in leaves(item))
        yield from _tuples(item, rest[:count])
        rest = rest[count:]
