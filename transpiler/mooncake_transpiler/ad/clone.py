"""Copies of statements without blocks: operands substituted, results bound to fresh values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mooncake_transpiler import ir

Substitute = Callable[[ir.Atom], ir.Atom]


def fresh(value: ir.Value) -> ir.Value:
    """A new value with the name and type of ``value``."""
    return ir.Value(value.hint, value.type)


def index(items: tuple[ir.Index, ...], use: Substitute) -> tuple[ir.Index, ...]:
    """A view's index with its atoms substituted."""

    def part(atom: ir.Atom | None) -> ir.Atom | None:
        return None if atom is None else use(atom)

    return tuple(
        ir.Slice(part(i.lo), part(i.hi), part(i.step)) if isinstance(i, ir.Slice) else use(i)
        for i in items
    )


def simple(stmt: ir.Stmt, use: Substitute) -> ir.Stmt:
    """A copy of ``stmt`` (which has no blocks), with fresh results."""

    def uses(atoms: tuple[ir.Atom, ...]) -> tuple[ir.Atom, ...]:
        return tuple(map(use, atoms))

    match stmt:
        case ir.Compute(out=out, args=args):
            return replace(stmt, out=fresh(out), args=uses(args))
        case ir.Alloc(out=out, shape=shape):
            return replace(stmt, out=fresh(out), shape=uses(shape))
        case ir.Dim(out=out, array=array) | ir.Sum(out=out, array=array):
            return replace(stmt, out=fresh(out), array=use(array))
        case ir.Global(out=out):
            return replace(stmt, out=fresh(out))
        case ir.View(out=out, base=base, index=items):
            return replace(stmt, out=fresh(out), base=use(base), index=index(items, use))
        case ir.Load(out=out, base=base, index=at):
            return replace(stmt, out=fresh(out), base=use(base), index=uses(at))
        case (
            ir.Store(base=base, index=at, value=value) | ir.Accum(base=base, index=at, value=value)
        ):
            return replace(stmt, base=use(base), index=uses(at), value=use(value))
        case ir.Copy(out=out, src=src):
            return replace(stmt, out=fresh(out), src=use(src))
        case ir.Assign(dst=dst, src=src) | ir.AddTo(dst=dst, src=src):
            return replace(stmt, dst=use(dst), src=use(src))
        case ir.Call(outs=outs, args=args):
            return replace(stmt, outs=tuple(map(fresh, outs)), args=uses(args))
        case ir.Print(args=printed):
            return replace(stmt, args=tuple(a if isinstance(a, str) else use(a) for a in printed))
        case ir.Raise():
            return stmt
        case _:
            raise AssertionError(f"not a simple primal statement: {stmt}")


def block(source: ir.Block, renamed: Mapping[ir.Value, ir.Atom]) -> ir.Block:
    """A copy of ``source``, a block of simple statements and branches, with fresh results."""
    names: dict[ir.Value, ir.Atom] = dict(renamed)

    def use(atom: ir.Atom) -> ir.Atom:
        return names.get(atom, atom) if isinstance(atom, ir.Value) else atom

    stmts: list[ir.Stmt] = []
    for stmt in source.stmts:
        if isinstance(stmt, ir.If):
            copy: ir.Stmt = replace(
                stmt,
                outs=tuple(map(fresh, stmt.outs)),
                cond=use(stmt.cond),
                then=block(stmt.then, names),
                orelse=block(stmt.orelse, names),
            )
        else:
            copy = simple(stmt, use)
        stmts.append(copy)
        names.update(zip(ir.outs(stmt), ir.outs(copy), strict=True))
    return ir.Block(tuple(stmts), tuple(map(use, source.yields)))
