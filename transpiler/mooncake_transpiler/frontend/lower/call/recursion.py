"""Functions that lead back to themselves, as far as their text tells."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from mooncake_transpiler.frontend.decorators import resolve
from mooncake_transpiler.frontend.entities import ClassDecl, FunctionDecl, Source
from mooncake_transpiler.frontend.trees import walk


@lru_cache(maxsize=1024)
def is_recursive(source: Source, decl: FunctionDecl) -> bool:
    """True if ``decl`` mentions itself, perhaps through what it mentions."""
    pending, seen = [decl], set[str]()
    while pending:
        for found in _mentioned(source, pending.pop()):
            if found is decl:
                return True
            if found.qualname not in seen:
                seen.add(found.qualname)
                pending.append(found)
    return False


@lru_cache(maxsize=1024)
def _mentioned(source: Source, decl: FunctionDecl) -> tuple[FunctionDecl, ...]:
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
