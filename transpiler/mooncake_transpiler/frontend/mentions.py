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
        _names(resolver, name, part, node)
        for name, other in resolver.modules.items()
        if node.name.value in other.text and not other.is_generated
        for part in statements(other.tree)
        if isinstance(part, cst.FunctionDef | cst.ClassDef) and part is not node
    )


def _names(
    resolver: Resolver, module: str, part: cst.FunctionDef | cst.ClassDef, node: cst.FunctionDef
) -> bool:
    for name in walk(part.body):
        if isinstance(name, cst.Name | cst.Attribute):
            match resolver.lookup(module, name):
                case BoundName(binding=FunctionBinding(node=other)) if other is node:
                    return True
                case _:
                    pass
    return False
