"""Attributes that lead from an object to another of its class, as programs follow them.

    while n is not None:                    return t.x + total(t.left) + total(t.right)
        n = n.next

An attribute that starts as None and that no annotation tells is such a link, or None.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import bindings, walk


def is_followed(resolver: Resolver, module: str, attribute: str) -> bool:
    """True if ``module`` follows ``attribute`` from objects to others."""
    if module not in resolver.followed:
        resolver.followed[module] = frozenset(_followed(resolver.modules[module].tree))
    return attribute in resolver.followed[module]


def _followed(tree: cst.Module) -> Iterator[str]:
    nodes = list(walk(tree))
    for one in bindings(node for node in nodes if isinstance(node, cst.Assign)):
        if one.value is not None:
            yield from _steps(one.target, one.value)
    for node in nodes:
        if isinstance(node, cst.FunctionDef):
            yield from _recursive(node)


def _steps(target: cst.CSTNode, value: cst.BaseExpression) -> Iterator[str]:
    """The attributes by which an assignment goes on: ``n = n.next``."""
    match target, value:
        case cst.Name(value=name), cst.Attribute(value=cst.Name(value=of), attr=attribute):
            if name == of:
                yield attribute.value
        case cst.Tuple(elements=targets), cst.Tuple(elements=values):
            for part, own in zip(targets, values, strict=False):
                yield from _steps(part.value, own.value)
        case _:
            pass


def _recursive(function: cst.FunctionDef) -> Iterator[str]:
    """The attributes that a function gives to itself."""
    for node in walk(function.body):
        match node:
            case cst.Call(func=cst.Name(value=name), args=args) if name == function.name.value:
                for arg in args:
                    if isinstance(arg.value, cst.Attribute):
                        yield arg.value.attr.value
            case _:
                pass
