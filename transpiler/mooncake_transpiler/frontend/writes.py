"""Module-level names that functions write: rebound by ``global``, or changed in place."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.entities import ModuleRef
from mooncake_transpiler.frontend.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.trees import bound_names, dotted, own_nodes
from mooncake_transpiler.output.outline import MUTATING

Path = tuple[str, ...]


def written_names(resolver: Resolver) -> frozenset[tuple[str, str]]:
    """(module, name) of every global that some function of the program writes."""
    found: set[tuple[str, str]] = set()
    for name, module in resolver.modules.items():
        for path, is_global in _writes(module.tree, frozenset(), at_top=True):
            origin = (name, path[0]) if is_global else _origin(resolver, name, path)
            if origin is not None:
                found.add(origin)
    return frozenset(found)


def _origin(resolver: Resolver, module: str, path: Path) -> tuple[str, str] | None:
    """The module and name where the longest part of ``path`` that is a global is bound."""
    found = resolver.follow(module, path[0])
    for attr in path[1:]:
        if not isinstance(found, ModuleRef):
            break
        owner, found = found.module, resolver.member(found, attr)
        if found is None:
            return owner, attr
    return (found.module, found.name) if isinstance(found, BoundName) else None


def _writes(
    scope: cst.CSTNode, shadowed: frozenset[str], at_top: bool
) -> Iterator[tuple[Path, bool]]:
    """Paths that code in ``scope`` writes, and whether each is declared ``global``.

    What a module's own top level does to its arrays happens before anything is called.
    """
    nodes, inner = own_nodes(scope)
    declared = {
        item.name.value for node in nodes if isinstance(node, cst.Global) for item in node.names
    }
    if not at_top:
        shadowed = (shadowed | bound_names(nodes)) - declared
        yield from (((name,), True) for name in sorted(declared))
    for node in nodes:
        for target in _changed(node):
            path = dotted(target)
            if path is None or path[0] in shadowed:
                continue
            if not at_top or len(path) > 1:
                yield path, False
    for function in inner:
        yield from _writes(function, shadowed, at_top=False)


def _changed(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions that ``node`` changes in place: ``x`` of ``x[i] = v`` and of ``x.sort()``."""
    match node:
        case (
            cst.AssignTarget(target=target)
            | cst.AugAssign(target=target)
            | cst.Del(target=target)
            | cst.For(target=target)
        ):
            yield from _in_place(target)
        case cst.Call(func=cst.Attribute(value=value, attr=attr)) if attr.value in MUTATING:
            yield _base(value)
        case cst.Call(args=args):
            yield from (_base(a.value) for a in args if a.keyword and a.keyword.value == "out")
        case _:
            pass


def _in_place(target: cst.CSTNode) -> Iterator[cst.CSTNode]:
    match target:
        case cst.Subscript() | cst.Attribute():
            yield _base(target)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from _in_place(element.value)
        case _:
            return


def _base(node: cst.CSTNode) -> cst.CSTNode:
    """``x`` of ``x[i][j]``."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return node
