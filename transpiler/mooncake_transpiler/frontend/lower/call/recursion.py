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
    return any(found is decl for found in _reached(source, decl))


def updates_parameters(source: Source, decl: FunctionDecl) -> bool:
    """True if ``decl``, or what it mentions, has ``p += ...`` of a parameter of its own."""
    return any(map(_updates_its_own, (decl, *_reached(source, decl))))


def _updates_its_own(decl: FunctionDecl) -> bool:
    own = {param.name for param in decl.params}
    updates = (node.target for node in walk(decl.node) if isinstance(node, cst.AugAssign))
    return any(isinstance(target, cst.Name) and target.value in own for target in updates)


def _reached(source: Source, decl: FunctionDecl) -> Iterator[FunctionDecl]:
    """The functions that ``decl`` mentions, perhaps through one of them; some come twice."""
    pending, seen = [decl], set[str]()
    while pending:
        for found in _mentioned(source, pending.pop()):
            yield found
            if found.qualname not in seen:
                seen.add(found.qualname)
                pending.append(found)


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
