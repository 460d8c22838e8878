"""Lambda lifting for methods that call themselves: functions are given the fields they read.

    class Tree:                             def _depth(left, k):
        def depth(self, k):                     if k < 0:
            if k < 0:                  ->           return 0
                return 0                        return 1 + _depth(left, left[k])
            return 1 + self.depth(self.left[k])

A method that assigns a field, hands ``self`` on or asks for anything else of it is left as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.lower.array.delayed import settle
from mooncake_transpiler.frontend.lower.call import lifted
from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.known import Lifted
from mooncake_transpiler.frontend.lower.state.leaves import type_of
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static
from mooncake_transpiler.frontend.text.trees import bindings, is_name, walk


def call(
    ctx: Context, node: cst.Call, decl: FunctionDecl, bound: Mapping[str, Operand]
) -> Operand | None:
    """The call of ``decl``, a method of an object; None if it must stay what it is."""
    own = decl.params[0].name if decl.params and "." in decl.name else ""
    ref = bound.get(own)
    if not isinstance(ref, Ref) or containers.is_container(ref) or not _is_own(ref, decl):
        return None
    known = ctx.functions.lifted
    if decl.node not in known:
        known[decl.node] = _made(ctx, decl, own, frozenset(objects.fields(ctx.frame, ref)))
    to = known[decl.node]
    names = [] if to is None else [objects.variable(ref, field) for field in to.seen]
    if to is None or not all(map(ctx.frame.is_bound, names)):
        return None
    values = [settle(ctx, ctx.frame.values[name]) for name in names]
    if any(type_of(value) is None for value in values):
        return None
    fields = dict(zip((p.name for p in to.decl.params), values, strict=False))
    others = {name: value for name, value in bound.items() if name != own}
    return ctx.lower.call(ctx, node, Static(to.decl), (), {**fields, **others})


def _is_own(ref: Ref, decl: FunctionDecl) -> bool:
    """True if ``decl`` is what its name means for the object ``ref``, not of a class below."""
    found = ref.cls.methods.get(decl.node.name.value)
    return found is not None and found.function.qualname == decl.qualname


def _made(ctx: Context, decl: FunctionDecl, own: str, fields: frozenset[str]) -> Lifted | None:
    node, params = decl.node, decl.node.params
    if not lifted.are_named(params) or node.decorators:
        return None
    method = node.name.value
    read = _read(node.body, own, method)
    if read is None or not read <= fields:
        return None
    seen = tuple(sorted(read))
    module = ctx.source.modules[decl.module]
    inside = {one.value for one in walk(node) if isinstance(one, cst.Name)}
    names = {field: lifted.unused(f"_{field}", inside) for field in seen}
    other = lifted.unused(f"_{method}", {*inside, *module.scope})
    moving = _Moving(module.positions, own, method, other, names)
    front = tuple(cst.Param(cst.Name(name)) for name in names.values())
    made = node.with_changes(
        name=cst.Name(other),
        body=moving.body_of(node),
        params=params.with_changes(params=(*front, *params.params[1:])),
    )
    decls = (*lifted.declared(front), *decl.params[1:])
    return lifted.entered(ctx, module, node, made, decls, decl.result, moving, seen)


_NESTED = (cst.FunctionDef, cst.Lambda, cst.ClassDef, cst.Nonlocal, cst.Global)


def _read(body: cst.CSTNode, own: str, method: str) -> set[str] | None:
    """The fields that are read of ``own``; None if it is used for anything but these and calls."""
    nodes = list(walk(body))
    if any(isinstance(one, _NESTED) or is_name(one, "super") for one in nodes):
        return None
    parts = [one for one in nodes if isinstance(one, cst.Attribute) and is_name(one.value, own)]
    called = {one.func for one in nodes if isinstance(one, cst.Call)}
    uses = sum(is_name(one, own) for one in nodes)
    of_method = [one for one in parts if one.attr.value == method]
    if uses != len(parts) or any(one not in called for one in of_method):
        return None
    assigned = set(_assigned(nodes))
    if any(one in assigned for one in parts):
        return None
    return {one.attr.value for one in parts} - {method}


def _assigned(nodes: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """The targets that ``nodes`` bind or delete, tuples taken apart."""
    pending = [one.target for one in bindings(nodes)]
    pending += [one.target for one in nodes if isinstance(one, cst.Del)]
    while pending:
        top = pending.pop()
        yield top
        if isinstance(top, cst.Tuple | cst.List):
            pending += [element.value for element in top.elements]


class _Moving(lifted.Moving):
    """Puts names in the place of fields; calls are given them."""

    def __init__(
        self,
        positions: lifted.Positions,
        own: str,
        method: str,
        other: str,
        names: Mapping[str, str],
    ) -> None:
        super().__init__(positions)
        self._own, self._method, self._other, self._names = own, method, other, names

    def moved(self, node: cst.CSTNode) -> cst.CSTNode:
        match node:
            case cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=field)) if (
                own == self._own and field != self._method
            ):
                return cst.Name(self._names[field])
            case cst.Call(
                func=cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=name)), args=args
            ) if own == self._own and name == self._method:
                front = (cst.Arg(cst.Name(one)) for one in self._names.values())
                return node.with_changes(func=cst.Name(self._other), args=(*front, *args))
            case _:
                return node
