"""The values that a statement binds and uses, and the nesting of statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mooncake_transpiler.ir.atoms import Atom, Const, Index, NewAxis, Slice, Value
from mooncake_transpiler.ir.fields import BLOCKS, INDEX, atoms, inner_blocks, mixed_atoms, values
from mooncake_transpiler.ir.function_names import is_primitive
from mooncake_transpiler.ir.functions import Func
from mooncake_transpiler.ir.nodes import Block, Call, Freeable, Simple, Stmt
from mooncake_transpiler.ir.roles import BOUND, USED, Role
from mooncake_transpiler.types import INT, Scalar

_OUTS = values(BOUND - {Role.BINDER})
_BINDERS = values((Role.BINDER,))
_OPERANDS = atoms(USED)
_BLOCKS = inner_blocks()


def outs(stmt: Stmt) -> tuple[Value, ...]:
    """The values that ``stmt`` binds in its own block."""
    return _OUTS[type(stmt)](stmt)


def binders(stmt: Stmt) -> tuple[Value, ...]:
    """The values that ``stmt`` binds inside its blocks (loop index and carried values)."""
    return _BINDERS[type(stmt)](stmt)


def operands(stmt: Stmt) -> tuple[Atom, ...]:
    """The atoms that ``stmt`` itself uses; those inside its blocks are not among them."""
    return _OPERANDS[type(stmt)](stmt)


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks nested directly in ``stmt``."""
    return _BLOCKS[type(stmt)](stmt)


def indices(stmt: Stmt) -> Iterator[tuple[int, Atom]]:
    """The integers that ``stmt`` indexes its array with, each behind its axis."""
    name = INDEX[type(stmt)]
    items: tuple[Index, ...] = () if name is None else getattr(stmt, name)
    taken = (item for item in items if not isinstance(item, NewAxis))
    for axis, item in enumerate(taken):
        if not isinstance(item, Slice):
            yield axis, item


def index_atoms(index: tuple[Index, ...]) -> Iterator[Atom]:
    """The atoms inside a view's index."""
    return mixed_atoms(index)


def without_blocks(stmt: Simple) -> None:
    """Do nothing; type checkers tell where a new statement with blocks would not be looked into."""


_NESTED = frozenset(cls for cls, names in BLOCKS.items() if names)


def walk(block: Block) -> Iterator[Stmt]:
    """All statements of ``block``, outer before inner, in order."""
    waiting = list(reversed(block.stmts))
    while waiting:
        stmt = waiting.pop()
        yield stmt
        if type(stmt) in _NESTED:
            for inner in reversed(blocks(stmt)):
                waiting.extend(reversed(inner.stmts))


def nested(stmt: Stmt) -> Iterator[Stmt]:
    """All statements in the blocks of ``stmt``."""
    for block in blocks(stmt):
        yield from walk(block)


def within(stmt: Stmt) -> Iterator[Stmt]:
    """``stmt`` and all statements in its blocks."""
    yield stmt
    yield from nested(stmt)


def binding(stmts: Iterable[Stmt]) -> dict[Atom, Stmt]:
    """The statement that binds each value, of those of ``stmts`` themselves."""
    return {out: stmt for stmt in stmts for out in outs(stmt)}


def used_in(block: Block) -> Iterator[Atom]:
    """The atoms that ``block`` and its blocks use, each as often as they do."""
    yield from block.yields
    for stmt in walk(block):
        yield from operands(stmt)
        for inner in blocks(stmt):
            yield from inner.yields


def uses(atom: Atom, block: Block) -> int:
    """The number of times that ``block`` and its blocks use ``atom``."""
    return sum(used is atom for used in used_in(block))


def used_by(stmt: Stmt) -> Iterator[Atom]:
    """The atoms that ``stmt`` and its blocks use, each as often as they do."""
    yield from operands(stmt)
    for block in blocks(stmt):
        yield from used_in(block)


def bound_in(block: Block) -> set[Value]:
    """The values that ``block`` and its blocks bind."""
    return {value for stmt in walk(block) for value in (*outs(stmt), *binders(stmt))}


def bound_by(stmt: Stmt) -> set[Value]:
    """The values that ``stmt`` binds inside of its blocks."""
    return set(binders(stmt)).union(*map(bound_in, blocks(stmt)))


def is_free(stmt: Stmt) -> bool:
    """True if ``stmt`` is part of a derivative, and need not be done exactly as it stands."""
    return isinstance(stmt, Freeable) and stmt.free


def is_zero(atom: Atom) -> bool:
    return isinstance(atom, Const) and atom.value == 0


def mentioned(func: Func) -> list[str]:
    """The functions of the program that ``func`` needs: what it calls, and its pullback."""
    calls = (stmt.func for stmt in walk(func.body) if isinstance(stmt, Call))
    found = [name for name in calls if not is_primitive(name)]
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


ZERO, ONE = int_const(0), int_const(1)
