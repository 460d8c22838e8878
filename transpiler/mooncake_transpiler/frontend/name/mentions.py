"""References of functions of the program to one another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import FunctionDecl, Module
from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import (
    bound_names,
    dotted,
    own_nodes,
    parameters,
    statements,
    walk,
)


def is_called(resolver: Resolver, decl: FunctionDecl) -> bool:
    """True if another function, or a class, of the program names ``decl``."""
    node = decl.node
    return any(
        node in _functions(resolver, name, part)
        for name, other in resolver.modules.items()
        if node.name.value in other.text and not other.is_generated
        for part in statements(other.tree)
        if isinstance(part, cst.FunctionDef | cst.ClassDef) and part is not node
    )


Scope = cst.FunctionDef | cst.ClassDef | cst.Lambda


def _functions(
    resolver: Resolver, module: str, part: cst.FunctionDef | cst.ClassDef
) -> frozenset[cst.CSTNode]:
    """The functions of the program that ``part``, of ``module``, names."""
    if part not in resolver.named:
        found = (resolver.lookup(module, name) for name in _names(part, frozenset()))
        resolver.named[part] = frozenset(
            one.binding.node
            for one in found
            if isinstance(one, BoundName) and isinstance(one.binding, FunctionBinding)
        )
    return resolver.named[part]


def _names(scope: Scope, hidden: frozenset[str]) -> Iterator[cst.CSTNode]:
    """The names in ``scope`` that may be global: no variables of it, nor ``hidden`` ones."""
    body = cst.Expr(scope.body) if isinstance(scope, cst.Lambda) else scope.body
    nodes, inner = own_nodes(body)
    if not isinstance(scope, cst.ClassDef):
        params = parameters(scope.params)
        defaults = (param.default for param in params if param.default is not None)
        yield from (node for one in defaults for node in _global(list(walk(one)), hidden))
        said = {one.name.value for n in nodes if isinstance(n, cst.Global) for one in n.names}
        bound = bound_names(node for node in nodes if not isinstance(node, cst.CompFor))
        hidden |= (bound - said) | {param.name.value for param in params}
    yield from _global(nodes, hidden)
    for function in inner:
        yield from _names(function, hidden)


def _global(nodes: Sequence[cst.CSTNode], hidden: frozenset[str]) -> Iterator[cst.CSTNode]:
    """The names among ``nodes``, and attributes of names, that are not ``hidden``."""
    labels = {node.attr for node in nodes if isinstance(node, cst.Attribute)}
    labels |= {node.keyword for node in nodes if isinstance(node, cst.Arg) and node.keyword}
    for node in nodes:
        path = dotted(node) if node not in labels else None
        if path and path[0] not in hidden:
            yield node


def is_asked(modules: Iterable[Module], name: str) -> bool:
    """True if a module may ask an object for its attribute ``name``."""
    asked = re.compile(rf"""(\.\s*|["']){re.escape(name)}\b""")
    return any(asked.search(module.text) for module in modules if not module.is_generated)
