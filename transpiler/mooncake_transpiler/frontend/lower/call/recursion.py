"""Functions that lead back to themselves, as far as their text tells."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import lru_cache

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import Annotation, ClassDecl, FunctionDecl, Source
from mooncake_transpiler.frontend.lower.memory import storage
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.inner import mapped
from mooncake_transpiler.frontend.lower.state.leaves import atoms
from mooncake_transpiler.frontend.lower.state.operands import Operand
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.types import FLOAT, INT, Array, DType, List, Type


@lru_cache(maxsize=1024)
def is_recursive(source: Source, decl: FunctionDecl) -> bool:
    """True if ``decl`` mentions itself, perhaps through what it mentions."""
    return any(found.qualname == decl.qualname for found in reached(source, decl))


def leads_back(source: Source, decl: FunctionDecl) -> bool:
    """True if another function that ``decl`` mentions mentions it, perhaps through others."""
    others = (one for one in mentioned(source, decl) if one.qualname != decl.qualname)
    return any(
        found.qualname == decl.qualname for other in others for found in reached(source, other)
    )


def over_arrays(source: Source, decl: FunctionDecl) -> FunctionDecl:
    """``decl`` with arrays for its lists of numbers, if it is recursive and only reads them.

    Items are Python's numbers in lists, and NumPy's in arrays: they differ where both are divided.
    """
    lists = {
        p.name: p.annotation.type.item
        for p in decl.params
        if p.annotation is not None
        and isinstance(p.annotation.type, List)
        and p.annotation.type.item in (FLOAT, INT)
    }
    if not lists or decl.node.returns is None or not is_recursive(source, decl):
        return decl
    nodes = list(walk(decl.node.body))
    ints = {p.name for p in decl.params if p.annotation is not None and p.annotation.type == INT}
    whole = {id(part) for node in nodes if _is_of_ints(node, ints) for part in walk(node)}
    if any(isinstance(node, _DIVIDING) and id(node) not in whole for node in nodes):
        return decl
    if any(map(_writes, nodes)):
        return decl
    uses = [node for node in nodes if isinstance(node, cst.Name) and node.value in lists]
    read = {id(name) for node in nodes for name in _read(decl, node)}
    if any(id(use) not in read for use in uses):
        return decl
    arrays = {name: Annotation(Array(_dtype(item), 1), (None,)) for name, item in lists.items()}
    params = (replace(p, annotation=arrays.get(p.name, p.annotation)) for p in decl.params)
    return replace(decl, params=tuple(params))


_DIVIDING = (cst.FloorDivide, cst.Modulo, cst.FloorDivideAssign, cst.ModuloAssign)


def _is_of_ints(node: cst.CSTNode, ints: Collection[str]) -> bool:
    """True for an operator between parameters ``ints``, lengths and constants."""
    if not isinstance(node, cst.BinaryOperation):
        return False
    inside = list(walk(node))
    calls = [one for one in inside if isinstance(one, cst.Call)]
    of_calls = {id(name) for call in calls for name in walk(call)}
    names = [one for one in inside if isinstance(one, cst.Name) and id(one) not in of_calls]
    is_known = all(name.value in ints for name in names) and all(
        isinstance(call.func, cst.Name) and call.func.value == "len" for call in calls
    )
    return is_known and not any(isinstance(one, cst.Float) for one in inside)


def _dtype(item: Type) -> DType:
    return INT.dtype if item == INT else FLOAT.dtype


def _writes(node: cst.CSTNode) -> bool:
    """True for a statement that puts something where an index says."""
    match node:
        case cst.AssignTarget(target=target) | cst.AugAssign(target=target):
            return any(isinstance(part, cst.Subscript) for part in walk(target))
        case _:
            return isinstance(node, cst.Del)


def _read(decl: FunctionDecl, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions of which ``node`` reads numbers, whether these are lists or arrays."""
    match node:
        case cst.Subscript(value=value, slice=[cst.SubscriptElement(slice=cst.Index())]):
            yield value
        case cst.Call(func=cst.Name(value="len" | "sum"), args=[cst.Arg(value=value)]):
            yield value
        case cst.Call(func=cst.Name(value=name), args=args) if name == decl.name:
            yield from (arg.value for arg in args)
        case cst.For(iter=value):
            yield value
        case _:
            return


def updates_parameters(source: Source, decl: FunctionDecl) -> bool:
    """True if ``decl``, or what it mentions, has ``p += ...`` of a parameter of its own."""
    return any(map(_updates_its_own, (decl, *reached(source, decl))))


def _updates_its_own(decl: FunctionDecl) -> bool:
    own = {param.name for param in decl.params}
    updates = (node.target for node in walk(decl.node) if isinstance(node, cst.AugAssign))
    return any(isinstance(target, cst.Name) and target.value in own for target in updates)


def reached(source: Source, decl: FunctionDecl) -> Iterator[FunctionDecl]:
    """The functions that ``decl`` mentions, perhaps through one of them; some come twice."""
    pending, seen = [decl], set[str]()
    while pending:
        for found in mentioned(source, pending.pop()):
            yield found
            if found.qualname not in seen:
                seen.add(found.qualname)
                pending.append(found)


@lru_cache(maxsize=1024)
def mentioned(source: Source, decl: FunctionDecl) -> tuple[FunctionDecl, ...]:
    """The functions whose names stand in the body of ``decl``, and methods that are called so."""
    found: dict[str, FunctionDecl] = {}
    for node in walk(decl.node.body):
        for function in _meant(source, decl, node):
            found[function.qualname] = function
    return tuple(found.values())


def _meant(source: Source, decl: FunctionDecl, node: cst.CSTNode) -> Iterator[FunctionDecl]:
    if not isinstance(node, cst.Name | cst.Attribute):
        return
    match resolve(source, source.modules[decl.module], node):
        case FunctionDecl() as function:
            yield function
        case ClassDecl(methods=methods):
            yield from (method.function for method in methods.values())
        case _ if isinstance(node, cst.Attribute):
            for cls in source.classes.values():
                if node.attr.value in cls.methods:
                    yield cls.methods[node.attr.value].function
        case _:
            pass


def in_new_memory(ctx: Context, value: Operand) -> tuple[Operand, bool]:
    """The result of a recursive function: arrays of its own, for calls can't be looked into.

    And true if one of them is a copy of what Python would give.
    """
    arrays = [atom for atom in atoms(value) if isinstance(atom.type, Array)]
    own = ctx.memory.local - ctx.memory.shown.keys()

    def kept(atom: ir.Atom) -> ir.Atom:
        if not isinstance(atom.type, Array):
            return atom
        is_new = ctx.memory.roots(atom) <= ctx.memory.local
        is_alone = sum(one is atom for one in arrays) == 1
        return atom if is_new and is_alone else storage.copy(ctx, atom)

    copies = not ctx.memory.roots(*arrays) <= own
    return mapped(value, kept), copies
