"""Neighbouring checks that raise the same become one, tests of all sizes one of the shape.

    if x.shape[0] != n:                        if x.shape != (n, 3):
        raise ValueError("x must ...")             raise ValueError("x must ...")
    if x.shape[1] != 3:
        raise ValueError("x must ...")

Analyses have them one by one, which is how they are made; this is the last step before emission.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.folding import Folding
from mooncake_transpiler.types import BOOL, Array


def merge_checks(func: ir.Func) -> ir.Func:
    """Merge the checks at the top level of ``func`` that differ in their condition alone."""
    done: list[ir.Stmt] = []
    last: int | None = None  # the place of a check with nothing but sizes and numbers behind it
    for stmt in func.body.stmts:
        if isinstance(stmt, ir.If) and (raised := _raised(stmt)) is not None:
            before = done[last] if last is not None else None
            if last is not None and isinstance(before, ir.If) and _raised(before) == raised:
                del done[last]
                either = ir.Value("", BOOL)
                done.append(ir.Compute(either, "or", (before.cond, stmt.cond), stmt.origin))
                stmt = replace(stmt, cond=either)
            last = len(done)
        elif not isinstance(stmt, ir.Dim | ir.Compute):
            last = None
        done.append(stmt)
    return ir.with_body(func, ir.with_stmts(func.body, tuple(done)))


def _raised(check: ir.If) -> tuple[str | ir.ProgramClass, str | None] | None:
    """The exception and message of ``check``, if it does nothing else and has no values."""
    match check:
        case ir.If(outs=(), then=ir.Block(stmts=(ir.Raise() as one,)), orelse=ir.Block(stmts=())):
            return None if one.fields or one.numbers else (one.exc, one.message)
        case _:
            return None


def shape_test(
    either: ir.Compute, folding: Folding
) -> tuple[ir.Atom, tuple[ir.Atom, ...] | ir.Atom] | None:
    """An array and the sizes it is tested for in order, or the array with which it is compared."""
    tests = list(_tests(either, folding))
    for k in (0, 1):
        sides = [_dim(test, k, folding) for test in tests]
        others = [_dim(test, 1 - k, folding) for test in tests]
        if (array := _shape_of(sides)) is not None:
            if (other := _shape_of(others)) is not None:
                return array, other
            return array, tuple(test.args[1 - k] for test in tests if test is not None)
    return None


def _tests(either: ir.Compute, folding: Folding) -> Iterator[ir.Compute | None]:
    """The inequalities that ``either`` consists of; None for anything else."""
    for atom in either.args:
        made = folding.inlined.get(atom)
        match made:
            case ir.Compute(op="or"):
                yield from _tests(made, folding)
            case ir.Compute(op="ne"):
                yield made
            case _:
                yield None


def _dim(test: ir.Compute | None, k: int, folding: Folding) -> ir.Dim | None:
    made = None if test is None else folding.inlined.get(test.args[k])
    return made if isinstance(made, ir.Dim) else None


def _shape_of(dims: Sequence[ir.Dim | None]) -> ir.Value | None:
    """The array of which ``dims`` are all sizes in order."""
    first = dims[0].array if dims[0] is not None else None
    if not isinstance(first, ir.Value) or not isinstance(first.type, Array):
        return None
    places = [d and (d.array, d.axis) for d in dims]
    return first if places == [(first, axis) for axis in range(first.type.ndim)] else None
