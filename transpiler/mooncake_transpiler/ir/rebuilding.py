"""Statements with other operands or other results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from operator import is_

from mooncake_transpiler.ir.functions import Func
from mooncake_transpiler.ir.nodes import (
    Accum,
    AddTo,
    Alloc,
    Assign,
    Atom,
    Block,
    Call,
    Compute,
    Copy,
    Dim,
    For,
    Global,
    Grow,
    If,
    Index,
    Load,
    NewAxis,
    NewStack,
    Pop,
    Print,
    Push,
    Raise,
    Reserve,
    Reshape,
    Shadows,
    Slice,
    Stmt,
    Store,
    Sum,
    Value,
    View,
    While,
)
from mooncake_transpiler.ir.walking import blocks, operands

Use = Callable[[Atom], Atom]
Bind = Callable[[Value], Value]


def fresh(value: Value) -> Value:
    """A new value with the name and type of ``value``."""
    return Value(value.hint, value.type)


def with_body(func: Func, body: Block) -> Func:
    """``func`` with another body; the same object if it is the one that it has."""
    return func if body is func.body else replace(func, body=body)


def with_stmts(block: Block, stmts: Sequence[Stmt]) -> Block:
    """``block`` with other statements; the same object if they are those that it has."""
    old = block.stmts
    if len(stmts) == len(old) and all(map(is_, stmts, old)):
        return block
    return Block(tuple(stmts), block.yields)


def with_blocks(stmt: Stmt, inner: tuple[Block, ...]) -> Stmt:
    """``stmt`` with the nested blocks ``inner`` in place of ``blocks(stmt)``."""
    if all(map(is_, inner, blocks(stmt))):
        return stmt
    match stmt:
        case If():
            return replace(stmt, then=inner[0], orelse=inner[1])
        case For():
            return replace(stmt, body=inner[0])
        case While():
            return replace(stmt, cond=inner[0], body=inner[1])
        case _:
            return stmt


def mapped(stmt: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """``stmt`` with ``change`` applied to the blocks nested directly in it."""
    return with_blocks(stmt, tuple([change(block) for block in blocks(stmt)]))


def with_operands(stmt: Stmt, use: Use) -> Stmt:
    """``stmt`` with ``use`` applied to its own operands (not to those inside its blocks)."""
    for atom in operands(stmt):
        if use(atom) is not atom:
            break
    else:
        return stmt

    def uses(atoms: Iterable[Atom]) -> tuple[Atom, ...]:
        return tuple([use(atom) for atom in atoms])

    match stmt:
        case Compute() | Call():
            return replace(stmt, args=uses(stmt.args))
        case Alloc():
            return replace(stmt, shape=uses(stmt.shape))
        case Shadows():
            return replace(stmt, arrays=uses(stmt.arrays))
        case Dim() | Sum():
            return replace(stmt, array=use(stmt.array))
        case Grow() | Reserve():
            array, size = use(stmt.array), use(stmt.size)
            return replace(stmt, array=array, size=size, shape=uses(stmt.shape))
        case View():
            return replace(stmt, base=use(stmt.base), index=view_index(stmt.index, use))
        case Reshape():
            return replace(stmt, base=use(stmt.base), shape=uses(stmt.shape))
        case Load():
            return replace(stmt, base=use(stmt.base), index=uses(stmt.index))
        case Store() | Accum():
            base, value = use(stmt.base), use(stmt.value)
            return replace(stmt, base=base, index=uses(stmt.index), value=value)
        case Copy():
            return replace(stmt, src=use(stmt.src))
        case Assign() | AddTo():
            return replace(stmt, dst=use(stmt.dst), src=use(stmt.src))
        case If():
            return replace(stmt, cond=use(stmt.cond))
        case For():
            lo, hi, step = use(stmt.lo), use(stmt.hi), use(stmt.step)
            return replace(stmt, lo=lo, hi=hi, step=step, inits=uses(stmt.inits))
        case While():
            return replace(stmt, inits=uses(stmt.inits))
        case Print():
            shown = tuple(a if isinstance(a, str) else use(a) for a in stmt.args)
            return replace(stmt, args=shown)
        case Raise():
            held = tuple(a if isinstance(a, str) else use(a) for a in stmt.fields)
            return replace(stmt, fields=held, numbers=uses(stmt.numbers))
        case Push():
            return replace(stmt, values=uses(stmt.values))
        case Pop():
            return replace(stmt, shape=uses(stmt.shape))
        case Global() | NewStack():
            return stmt


def view_index(index: tuple[Index, ...], use: Use) -> tuple[Index, ...]:
    def part(atom: Atom | None) -> Atom | None:
        return None if atom is None else use(atom)

    def item(i: Index) -> Index:
        match i:
            case Slice(lo=lo, hi=hi, step=step):
                return Slice(part(lo), part(hi), part(step))
            case NewAxis():
                return i
            case _:
                return use(i)

    return tuple(map(item, index))


def with_results(stmt: Stmt, bind: Bind) -> Stmt:
    """``stmt`` with ``bind`` applied to all values that it binds itself."""
    match stmt:
        case Compute() | Alloc() | Dim() | View() | Reshape() | Load() | Copy() | Sum():
            return replace(stmt, out=bind(stmt.out))
        case Global() | Grow():
            return replace(stmt, out=bind(stmt.out))
        case Call() | If() | Shadows():
            return replace(stmt, outs=tuple(map(bind, stmt.outs)))
        case While():
            outs, params = tuple(map(bind, stmt.outs)), tuple(map(bind, stmt.params))
            return replace(stmt, outs=outs, params=params)
        case For():
            outs, params = tuple(map(bind, stmt.outs)), tuple(map(bind, stmt.params))
            return replace(stmt, outs=outs, index=bind(stmt.index), params=params)
        case Store() | Accum() | Assign() | AddTo() | Raise() | Print():
            return stmt
        case NewStack() | Push() | Pop() | Reserve():
            return stmt
