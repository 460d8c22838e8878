"""The values that a statement binds and uses, and the nesting of statements."""

from __future__ import annotations

from collections.abc import Iterator

from mooncake_rules.primitives import PREFIX

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
    Const,
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
from mooncake_transpiler.types import INT, Scalar


def outs(stmt: Stmt) -> tuple[Value, ...]:
    """The values that ``stmt`` binds in its own block."""
    match stmt:
        case Compute() | Load() | View() | Dim() | Alloc() | Copy() | Sum() | Reshape():
            return (stmt.out,)
        case Store() | Accum() | Assign() | AddTo() | Raise() | Print() | Push() | Reserve():
            return ()
        case Call() | If() | For() | While() | Shadows() | Pop():
            return stmt.outs
        case NewStack() | Global() | Grow():
            return (stmt.out,)


def operands(stmt: Stmt) -> tuple[Atom, ...]:
    """The atoms that ``stmt`` itself uses; those inside its blocks are not among them."""
    match stmt:
        case Compute(args=args) | Call(args=args):  # the most frequent ones come first
            return args
        case Load(base=base, index=load_index):
            return (base, *load_index)
        case Store(base=base, index=at, value=value) | Accum(base=base, index=at, value=value):
            return (base, *at, value)
        case If(cond=cond):
            return (cond,)
        case For(lo=lo, hi=hi, step=step, inits=inits):
            return (lo, hi, step, *inits)
        case Alloc(shape=shape):
            return shape
        case Shadows(arrays=arrays):
            return arrays
        case Dim(array=array) | Sum(array=array):
            return (array,)
        case (
            Grow(array=array, size=size, shape=shape) | Reserve(array=array, size=size, shape=shape)
        ):
            return (array, size, *shape)
        case View(base=base, index=index):
            return (base, *index_atoms(index))
        case Reshape(base=base, shape=shape):
            return (base, *shape)
        case Copy(src=src):
            return (src,)
        case Assign(dst=dst, src=src) | AddTo(dst=dst, src=src):
            return (dst, src)
        case While(inits=inits):
            return inits
        case NewStack() | Global():
            return ()
        case Print(args=printed):
            return tuple(a for a in printed if not isinstance(a, str))
        case Raise(fields=held, numbers=numbers):
            return (*(a for a in held if not isinstance(a, str)), *numbers)
        case Push(stack=stack, values=values):
            return (stack, *values)
        case Pop(stack=stack, shape=shape):
            return (stack, *shape)


def index_atoms(index: tuple[Index, ...]) -> Iterator[Atom]:
    """The atoms inside a view's index."""
    for item in index:
        if isinstance(item, Slice):
            yield from (a for a in (item.lo, item.hi, item.step) if a is not None)
        elif not isinstance(item, NewAxis):
            yield item


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks nested directly in ``stmt``."""
    match stmt:
        case If(then=then, orelse=orelse):
            return (then, orelse)
        case For(body=body):
            return (body,)
        case While(cond=cond, body=body):
            return (cond, body)
        case _:
            return ()


def binders(stmt: Stmt) -> tuple[Value, ...]:
    """The values that ``stmt`` binds inside its blocks (loop index and carried values)."""
    match stmt:
        case For(index=index, params=params):
            return (index, *params)
        case While(params=params):
            return params
        case _:
            return ()


_NESTED = frozenset((If, For, While))


def walk(block: Block) -> Iterator[Stmt]:
    """All statements of ``block``, outer before inner, in order."""
    waiting = list(reversed(block.stmts))
    while waiting:
        stmt = waiting.pop()
        yield stmt
        if type(stmt) in _NESTED:
            for inner in reversed(blocks(stmt)):
                waiting.extend(reversed(inner.stmts))


def used_in(block: Block) -> Iterator[Atom]:
    """The atoms that ``block`` and its blocks use, each as often as they do."""
    yield from block.yields
    for stmt in walk(block):
        yield from operands(stmt)
        for inner in blocks(stmt):
            yield from inner.yields


def bound_in(block: Block) -> set[Value]:
    """The values that ``block`` and its blocks bind."""
    return {value for stmt in walk(block) for value in (*outs(stmt), *binders(stmt))}


def is_adjoint(stmt: Stmt) -> bool:
    """True if ``stmt`` belongs to the reverse sweep."""
    return stmt.origin is not None and stmt.origin.adjoint


def is_zero(atom: Atom) -> bool:
    return isinstance(atom, Const) and atom.value == 0


def mentioned(func: Func) -> list[str]:
    """The functions of the program that ``func`` needs: what it calls, and its pullback."""
    calls = (stmt.func for stmt in walk(func.body) if isinstance(stmt, Call))
    found = [name for name in calls if not name.startswith(PREFIX)]
    return [*found, func.pullback] if func.pullback is not None else found


def zero(type_: Scalar) -> Const:
    """The zero of a scalar type."""
    if type_.dtype.is_complex:
        return Const(0j, type_)
    if type_.dtype.is_float:
        return Const(0.0, type_)
    return Const(False if type_.dtype.value == "bool" else 0, type_)


def int_const(value: int) -> Const:
    return Const(value, INT)
