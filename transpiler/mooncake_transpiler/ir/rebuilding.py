"""Statements with other operands, other results or other blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar

from mooncake_transpiler.ir.atoms import Atom, Const, Index, NewAxis, Slice, Undef, Value
from mooncake_transpiler.ir.fields import BLOCKS, FIELDS, Count, Field, names_of
from mooncake_transpiler.ir.functions import Func
from mooncake_transpiler.ir.nodes import Block, Call, For, Stmt, While
from mooncake_transpiler.ir.roles import BOUND, USED
from mooncake_transpiler.ir.walking import blocks, operands

Use = Callable[[Atom], Atom]
Bind = Callable[[Value], Value]
Change = Callable[[Stmt], Iterable[Stmt] | None]
L = TypeVar("L", bound=For | While)
T = TypeVar("T")


def fresh(value: Value) -> Value:
    """A new value with the name and type of ``value``."""
    return Value(value.hint, value.type)


def cotangent(value: Value) -> Value:
    """A new value for the cotangent of ``value``, named after it."""
    return Value(f"{value.hint}_bar" if value.hint else "", value.type)


def with_item(items: tuple[T, ...], k: int, item: T) -> tuple[T, ...]:
    """``items`` with another one in place ``k``."""
    return (*items[:k], item, *items[k + 1 :])


def with_body(func: Func, body: Block) -> Func:
    """``func`` with another body; the same object if it is the one that it has."""
    return func if body is func.body else replace(func, body=body)


def with_stmts(block: Block, stmts: Sequence[Stmt]) -> Block:
    """``block`` with other statements; the same object if they are those that it has."""
    old = block.stmts
    if len(stmts) == len(old) and all(map(is_, stmts, old)):
        return block
    return Block(tuple(stmts), block.yields)


def mapped(stmt: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """``stmt`` with ``change`` applied to the blocks nested directly in it."""
    return with_blocks(stmt, tuple([change(block) for block in blocks(stmt)]))


def with_blocks(stmt: Stmt, inner: tuple[Block, ...]) -> Stmt:
    """``stmt`` with the nested blocks ``inner`` in place of ``blocks(stmt)``."""
    if all(map(is_, inner, blocks(stmt))):
        return stmt
    return _with(stmt, dict(zip(BLOCKS[type(stmt)], inner, strict=True)))


def rewritten(block: Block, change: Change, use: Use | None = None) -> Block:
    """``block`` with what ``change`` gives in place of each statement, on all levels.

    Where it gives None, the statement stays, and its blocks are rewritten. ``use`` is applied to
    all operands, before ``change`` sees them.
    """
    stmts: list[Stmt] = []
    for old in block.stmts:
        stmt = old if use is None else with_operands(old, use)
        instead = change(stmt)
        if instead is None:
            instead = (mapped(stmt, lambda inner: rewritten(inner, change, use)),)
        stmts += instead
    block = with_stmts(block, stmts)
    return block if use is None else Block(block.stmts, tuple(map(use, block.yields)))


def rebuilt(block: Block, change: Callable[[Stmt], Iterable[Stmt]]) -> Block:
    """``block`` with what ``change`` gives in place of each statement, inner ones first."""

    def inside(inner: Block) -> Block:
        return rebuilt(inner, change)

    return with_stmts(block, [new for s in block.stmts for new in change(mapped(s, inside))])


def calling(block: Block, names: Mapping[str, str]) -> Block:
    """``block`` with calls of the functions that ``names`` gives other ones for."""

    def change(stmt: Stmt) -> list[Stmt] | None:
        if not isinstance(stmt, Call) or names.get(stmt.func, stmt.func) == stmt.func:
            return None
        return [replace(stmt, func=names[stmt.func])]

    return rewritten(block, change)


def substitution(names: Mapping[Value, Atom]) -> Use:
    """A function that gives the atom that stands for a value in ``names``, and all others back."""
    return lambda atom: names.get(atom, atom) if isinstance(atom, Value) else atom


def with_operands(stmt: Stmt, use: Use) -> Stmt:
    """``stmt`` with ``use`` applied to its own operands (not to those inside its blocks)."""
    for atom in operands(stmt):
        if use(atom) is not atom:
            return _with(stmt, _changed(stmt, _USED[type(stmt)], use))
    return stmt


def with_results(stmt: Stmt, bind: Bind) -> Stmt:
    """``stmt`` with ``bind`` applied to all values that it binds itself."""
    bound = _BOUND[type(stmt)]
    return _with(stmt, _changed(stmt, bound, bind)) if bound else stmt


def rebound(block: Block, use: Use, bind: Bind) -> Block:
    """``block`` with ``use`` applied to all that it uses, and ``bind`` to all that it binds."""

    def inside(inner: Block) -> Block:
        return rebound(inner, use, bind)

    stmts = [with_results(with_operands(stmt, use), bind) for stmt in block.stmts]
    stmts = [mapped(stmt, inside) for stmt in stmts]
    return Block(tuple(stmts), tuple(map(use, block.yields)))


def with_carried(
    loop: L, outs: Iterable[Value], params: Iterable[Value], inits: Iterable[Atom], body: Block
) -> L:
    """``loop`` with more carried values behind its own; ``body`` yields them, too."""
    return replace(
        loop,
        outs=(*loop.outs, *outs),
        params=(*loop.params, *params),
        inits=(*loop.inits, *inits),
        body=body,
    )


def only_carried(stmt: L, keep: Iterable[bool]) -> L:
    """The loop with only those carried values for which ``keep`` is true."""
    kept = [k for k, keeps in enumerate(keep) if keeps]
    if len(kept) == len(stmt.params):
        return stmt
    body = Block(stmt.body.stmts, tuple(stmt.body.yields[k] for k in kept))
    return replace(
        stmt,
        outs=tuple(stmt.outs[k] for k in kept),
        params=tuple(stmt.params[k] for k in kept),
        inits=tuple(stmt.inits[k] for k in kept),
        body=body,
    )


def view_index(index: tuple[Index, ...], use: Use) -> tuple[Index, ...]:
    """The index of a view with ``use`` applied to the atoms in it."""
    return tuple([_indexed(item, use) for item in index])


_NAMES = {cls: names_of(cls) for cls in FIELDS}
_USED = {cls: tuple(f for f in found if f.role in USED) for cls, found in FIELDS.items()}
_BOUND = {cls: tuple(f for f in found if f.role in BOUND) for cls, found in FIELDS.items()}


def _with(stmt: Stmt, changed: Mapping[str, object]) -> Stmt:
    """``replace``, but faster."""
    cls: Callable[..., Stmt] = type(stmt)
    return cls(*[changed[n] if n in changed else getattr(stmt, n) for n in _NAMES[type(stmt)]])


def _changed(stmt: Stmt, of: Iterable[Field], change: Callable[[Any], Atom]) -> dict[str, object]:
    """The contents of the fields ``of``, with ``change`` applied to each atom."""
    found: dict[str, object] = {}
    for field in of:
        held = getattr(stmt, field.name)
        match field.count:
            case Count.ONE:
                found[field.name] = change(held)
            case Count.MANY:
                found[field.name] = tuple([change(atom) for atom in held])
            case Count.MIXED:
                found[field.name] = tuple(
                    [item if isinstance(item, str) else _indexed(item, change) for item in held]
                )
    return found


def _indexed(item: Index, use: Use) -> Index:
    match item:
        case Slice(lo=lo, hi=hi, step=step):
            return Slice(*[None if part is None else use(part) for part in (lo, hi, step)])
        case NewAxis():
            return item
        case Value() | Const() | Undef():
            return use(item)
