"""Integers of the host that are saved: sizes, places, which way was taken. They stay there.

An array of them is NumPy's, so that nothing waits where the reverse sweep reads it. Its type says
so, as that of the places of the arrays in a list does (``Array.spans``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.whereabouts import is_of_spans, numbers_and_arrays
from mooncake_transpiler.types import Array, DType, Tuple

Kept = dict[str, tuple[bool, ...]]  # for residuals, by what they are called: which are the host's


def with_saved_integers(
    func: ir.Func,
    given: Collection[ir.Value],
    is_kernel: Callable[[ir.For], bool],
    kept: Mapping[str, tuple[bool, ...]],
) -> ir.Func:
    """``func`` with such arrays marked, those among its residuals as ``kept`` says."""
    found = {
        leaf
        for param in func.params
        if isinstance(param.type, Tuple) and param.type.alias is not None
        for leaf, is_kept in zip(param.leaves, kept.get(param.type.alias, ()), strict=False)
        if is_kept
    }
    for stmt in ir.walk(func.body):  # parts of what tells where the arrays of a list are
        if isinstance(stmt, ir.View) and (is_of_spans(stmt.base) or stmt.base in found):
            found.add(stmt.out)
    func = _marked(func, found)
    candidates = _candidates(func)
    if not candidates:
        return func
    return _marked(func, numbers_and_arrays(func, given, is_kernel, candidates)[1])


def kept_by(func: ir.Func) -> Kept:
    """Flags for the residuals that ``func`` returns: those that are on the host."""
    last = func.result.items[-1] if isinstance(func.result, Tuple) and func.result.items else None
    if not (isinstance(last, Tuple) and last.alias is not None):
        return {}
    residuals = func.body.yields[len(func.body.yields) - len(last.items) :]
    return {last.alias: tuple(map(is_of_spans, residuals))}


def _candidates(func: ir.Func) -> set[ir.Value]:
    """Arrays of integers and bools that are made here, of which only elements are used."""
    made = {
        stmt.out
        for stmt in ir.walk(func.body)
        if isinstance(stmt, ir.Alloc) and stmt.shape and not stmt.growable and stmt.fill is None
        and isinstance(stmt.out.type, Array) and stmt.out.type.dtype in (DType.INT64, DType.BOOL)
    }  # fmt: skip
    kept = kept_by(func)
    count = sum(map(len, kept.values()))
    results = func.body.yields[: len(func.body.yields) - count]
    other = [*results, *(a for s in ir.walk(func.body) for b in ir.blocks(s) for a in b.yields)]
    for stmt in ir.walk(func.body):
        match stmt:
            case ir.Dim():
                pass
            case ir.Load(index=index):
                other += index
            case ir.Store(index=index, value=value):
                other += (*index, value)
            case _:
                other += ir.operands(stmt)
    return made.difference(other)


def _marked(func: ir.Func, arrays: Collection[ir.Value]) -> ir.Func:
    """``func`` with the types of ``arrays`` saying that they are on the host."""
    if not arrays:
        return func
    env: dict[ir.Atom, ir.Value] = {}
    for array in arrays:
        assert isinstance(array.type, Array)
        env[array] = ir.Value(array.hint, replace(array.type, spans=True))

    def use(atom: ir.Atom) -> ir.Atom:
        return env.get(atom, atom)

    def statement(stmt: ir.Stmt) -> ir.Stmt:
        if isinstance(stmt, ir.Alloc | ir.View) and stmt.out in env:
            stmt = replace(stmt, out=env[stmt.out])
        return ir.mapped(ir.with_operands(stmt, use), visit)

    def visit(block: ir.Block) -> ir.Block:
        return ir.Block(tuple(map(statement, block.stmts)), tuple(map(use, block.yields)))

    params = tuple(
        replace(p, leaves=tuple(env.get(leaf, leaf) for leaf in p.leaves)) for p in func.params
    )
    return replace(func, params=params, body=visit(func.body))
