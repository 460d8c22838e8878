"""References of functions of the program to one another."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.bindings import FunctionBinding
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.trees import statements, walk


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


def _functions(
    resolver: Resolver, module: str, part: cst.FunctionDef | cst.ClassDef
) -> frozenset[cst.CSTNode]:
    """The functions of the program that ``part``, of ``module``, names."""
    if part not in resolver.named:
        defaults = walk(part.params) if isinstance(part, cst.FunctionDef) else ()
        found = (
            resolver.lookup(module, name)
            for name in (*walk(part.body), *defaults)
            if isinstance(name, cst.Name | cst.Attribute)
        )
        resolver.named[part] = frozenset(
            one.binding.node
            for one in found
            if isinstance(one, BoundName) and isinstance(one.binding, FunctionBinding)
        )
    return resolver.named[part]
