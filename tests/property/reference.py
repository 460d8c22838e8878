"""A program as the reference for its derivatives: NumPy where NumPy does what it says.

``a[::2] = a[:3]`` should be the same as ``a[::2] = a[:3].copy()``. In one dimension NumPy copies
overlapping parts in order instead, which is wrong where their steps differ; generated code copies.
"""

from __future__ import annotations

import ast
from types import ModuleType

import numpy as np
from mooncake_runtime.tangents import Tree

from tests.helpers.transpile import module


def reference(source: str, name: str = "program") -> ModuleType:
    """The module, with what is assigned to slices copied first."""
    tree = _CopiesFirst().visit(ast.parse(source))
    made = module(ast.unparse(ast.fix_missing_locations(tree)), name)
    made.__dict__["_copied"] = _copied
    return made


def _copied(value: Tree) -> Tree:
    return value.copy() if isinstance(value, np.ndarray) else value


class _CopiesFirst(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        if any(_has_slice(target) for target in node.targets):
            copied = ast.Call(ast.Name("_copied", ast.Load()), [node.value], [])
            return ast.Assign(node.targets, copied)
        return node


def _has_slice(target: ast.expr) -> bool:
    match target:
        case ast.Subscript(slice=ast.Tuple(elts=parts)):
            pass
        case ast.Subscript(slice=part):
            parts = [part]
        case _:
            return False
    return any(isinstance(part, ast.Slice) or _is_dots(part) for part in parts)


def _is_dots(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and part.value is ...
