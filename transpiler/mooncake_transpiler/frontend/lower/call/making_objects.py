"""Recursive functions that make objects: they are given tables, and give back longer ones.

    def build(k, x):                            def build(k, x, node_value, node_left, ...):
        if k == 0:                                  add a row to copies of these columns
            return Node(x)                 ->       return number, node_value, node_left, ...
        return Node(x, build(k - 1, x * x))

The columns are those that the objects need: what the function learns of them its caller learns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, ClassKind, FunctionDecl, Source
from mooncake_transpiler.frontend.lower.call import recursion
from mooncake_transpiler.frontend.lower.instance import tables
from mooncake_transpiler.frontend.lower.memory import ragged
from mooncake_transpiler.frontend.lower.object import containers
from mooncake_transpiler.frontend.lower.row import growable, growing, pooled
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.known import OverTables
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, PoolOf, TableOf
from mooncake_transpiler.frontend.lower.state.tabled import Again, ColumnsNeeded
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.trees import is_name, walk
from mooncake_transpiler.types import ClassRef, StructKind, Tuple, Type


def classes(source: Source, decl: FunctionDecl) -> list[ClassRef]:
    """The classes whose objects ``decl`` may make, or a function that it mentions."""
    made = _made(source, decl, ClassKind.PLAIN, ClassKind.MUTABLE)
    return [ClassRef(cls.module, cls.name, StructKind.MUTABLE) for cls in made]


def frozen(source: Source, decl: FunctionDecl) -> str:
    """The name of a frozen class whose objects hold others, and that ``decl`` may make; or ""."""
    for cls in _made(source, decl, ClassKind.FROZEN):
        if any(is_name(one, cls.name) for one in walk(cls.node.body)):
            return cls.name
    return ""


def _made(source: Source, decl: FunctionDecl, *kinds: ClassKind) -> Iterator[ClassDecl]:
    """The classes of these ``kinds`` that ``decl``, or a function that it mentions, calls."""
    found = set[ClassDecl]()
    for function in (decl, *recursion.reached(source, decl)):
        module = source.modules[function.module]
        for node in walk(function.node.body):
            made = resolve(source, module, node.func) if isinstance(node, cst.Call) else None
            if isinstance(made, ClassDecl) and made.kind in kinds and made not in found:
                found.add(made)
                yield made


def makes(ctx: Context, decl: FunctionDecl, given: Sequence[ClassRef]) -> bool:
    """True if ``decl`` makes objects in tables; one that is ``given`` objects, if it has to."""
    state, plan = ctx.functions.over_tables, ctx.heap.plan
    made = () if given else classes(ctx.source, decl)
    if made:
        state.makers.add(decl.node)
        plan.is_made_in_recursion = True
        plan.made |= {ctx.source.classes[of.module, of.name] for of in made}
    return decl.node in state.makers and plan.is_wanted


def check_loops(ctx: Context, node: cst.CSTNode) -> None:
    """Refuse a call in a loop: the reverse sweep would need the tables of each iteration."""
    if any(frame.loops for frame in ctx.frames):
        message = "a recursive function that makes objects can't be called in a loop"
        help_ = (
            "make them in loops alone, with a list of what is left to do; "
            "or let a function that calls itself do what the loop does"
        )
        raise ctx.refuse(node, "MK304", message, help_)


def known(ctx: Context, decl: FunctionDecl) -> list[ClassRef]:
    """The classes of the objects that ``decl`` may make which have tables here."""
    columns, source = ctx.heap.plan.columns, ctx.source
    return [of for of in classes(source, decl) if source.classes[of.module, of.name] in columns]


def columns(source: Source, types: Iterable[Type]) -> dict[ClassDecl, dict[str, Type]]:
    """The columns of the tables that a function is given, by its parameters' ``types``."""
    given = [one.cls for one in types if isinstance(one, Tuple)]
    return {
        source.classes[of.of.module, of.of.name]: dict(of.columns)
        for of in given
        if isinstance(of, TableOf)
    }


def must_make(
    source: Source, known: OverTables, decl: FunctionDecl, types: tuple[Type, ...]
) -> bool:
    """True for a function that is given tables, and may make objects, but can't so far."""
    is_over = decl.node not in known.makers and bool(columns(source, types))
    return is_over and bool(classes(source, decl))


def learn(ctx: Context, node: cst.CSTNode, needed: ColumnsNeeded) -> Exception:
    """Let the tables here have the columns that a function needs, if that is new."""
    plan = ctx.heap.plan
    if needed.columns.items() <= plan.columns.items():
        message = "what the objects hold that a recursive function makes can't be told"
        return ctx.refuse(node, "MK304", message, "write a loop, with a list of what is next")
    plan.columns |= needed.columns
    return Again()


def place(ctx: Context, of: TableOf | PoolOf) -> tuple[dict[Any, Ref], object]:
    """The tables or pools, and under which key this one is among them."""
    if isinstance(of, PoolOf):
        return ctx.heap.pools, of.items
    return ctx.heap.tables, ctx.source.classes[of.of.module, of.of.name]


def item_of(ctx: Context, of: TableOf | PoolOf) -> Type:
    """The type of what a table or pool holds."""
    if isinstance(of, PoolOf):
        return pooled.array_of(of.items)
    return tables.item(ctx.source.classes[of.of.module, of.of.name], dict(of.columns))


# ---- on the side of the function ----------------------------------------------------------------


def begin(ctx: Context, of: TableOf | PoolOf, arrays: Sequence[ir.Value], hint: str) -> Ref:
    """A table, or a pool, that begins with what is in ``arrays``, and can get longer."""
    spare = isinstance(of, PoolOf) and of.items in ctx.heap.plan.resized
    item = item_of(ctx, of)
    held = growable.filled(item, iter(arrays))
    count = sum(isinstance(leaf, Items) for leaf in growable.leaves(held))
    made = growable.new(ctx, item, [None] * count, hint, spare=spare)
    about = growing.fill(ctx, cst.Pass(), made, Items((held,), cls=Held.ROWS, is_list=True))
    return containers.owned(ctx, about, hint)


def given_back(ctx: Context, value: Operand | None) -> Operand:
    """The result of a function that makes objects: ``value``, and all of its tables."""
    arrays = [array for table in ctx.heap.own_tables for array in _arrays(ctx, table)]
    return Items((*(() if value is None else (value,)), *arrays))


def _arrays(ctx: Context, table: Ref) -> Iterator[ir.Value]:
    about = containers.growing(ctx, table)
    for leaf in growable.leaves(growing.parts(ctx, about).items[0]):
        yield from ragged.memory_of(leaf) if isinstance(leaf, Items) else (leaf,)


# ---- on the side of the caller ------------------------------------------------------------------


def taken_back(
    ctx: Context, node: cst.CSTNode, held: Mapping[str, Operand], found: Operand
) -> Operand:
    """The result of the function, without the tables ``held``, which are as it gives them now."""
    assert isinstance(found, Items)
    kinds = [one.cls for one in held.values() if isinstance(one, Items)]
    widths = [len(one.items) for one in held.values() if isinstance(one, Items)]
    first = len(found.items) - sum(widths)
    rest = iter(found.items[first:])
    for of, width in zip(kinds, widths, strict=True):
        arrays = [next(rest) for _ in range(width)]
        assert isinstance(of, TableOf | PoolOf)
        _replace(ctx, node, of, [one for one in arrays if isinstance(one, ir.Value)])
    return found.items[0] if first else NOTHING


def _replace(
    ctx: Context, node: cst.CSTNode, of: TableOf | PoolOf, arrays: Sequence[ir.Value]
) -> None:
    known, key = place(ctx, of)
    growable.check_growing(ctx, node, known[key])
    held = Items((growable.filled(item_of(ctx, of), iter(arrays)),), cls=Held.ROWS, is_list=True)
    growing.refill(ctx, node, known[key], held)
