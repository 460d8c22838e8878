"""Text of which methods are compared with literals: ``kind.lower() == "call"``.

The wrapper hands over the number of the literal that ``lower()`` makes of the text.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.entities import FunctionDecl, Module, Source
from mooncake_transpiler.frontend.lower.scalar.text_syntax import (
    called,
    is_named,
    literals,
    passed_as,
)
from mooncake_transpiler.frontend.lower.state.passed_text import TURNING
from mooncake_transpiler.frontend.lower.state.syntax import walk
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.types import Selector

Methods = tuple[str, ...]


def selectors(
    source: Source, decl: FunctionDecl, name: str, before: Methods = (),
    seen: frozenset[tuple[str, str, Methods]] = frozenset(),
) -> Iterator[Selector]:  # fmt: skip
    """The texts that methods of ``name`` are compared with, here and where it is passed to.

    ``name`` is what the methods ``before`` have made of the text.
    """
    key = (decl.qualname, name, before)
    if key in seen:
        return
    seen |= {key}
    nodes = list(walk(decl.node.body))
    names = _names(nodes, name, before)
    module = source.modules[decl.module]
    for node in nodes:
        match node:
            case cst.Comparison(left=left, comparisons=comparisons):
                sides = [left, *(one.comparator for one in comparisons)]
                for methods in (found for side in sides for found in _methods(names, side)):
                    texts = (text for side in sides for text in literals(side))
                    yield from (Selector(t, methods=methods) for t in texts if methods)
            case cst.Match(subject=subject, cases=cases):
                parts = [part for case in cases for part in walk(case.pattern)]
                for methods in _methods(names, subject):
                    texts = (text for part in parts for text in literals(part))
                    yield from (Selector(t, methods=methods) for t in texts if methods)
            case cst.Call():
                for other, passed, methods in _passed(source, module, node, names):
                    yield from selectors(source, other, passed, methods, seen)
            case cst.Assign(targets=[cst.AssignTarget(cst.Attribute(attr=attr))], value=value):
                for methods in _methods(names, value):
                    for cls in source.classes.values():
                        for of in cls.functions:
                            yield from selectors(source, of, attr.value, methods, seen)
            case _:
                pass


def _passed(
    source: Source, module: Module, call: cst.Call, names: dict[str, set[Methods]]
) -> Iterator[tuple[FunctionDecl, str, Methods]]:
    """The functions that ``call`` may pass the text to, each with its name there."""
    callee = resolve(source, module, call.func)
    for arg in call.args:
        base = _split(arg.value)[0]
        if not isinstance(base, cst.Name) or base.value not in names:
            continue
        given = [one.with_changes(value=base) if one is arg else one for one in call.args]
        for other in called(source, callee, call.func):
            for passed in passed_as(other, given, base.value):
                yield from ((other, passed, methods) for methods in _methods(names, arg.value))


def _names(nodes: list[cst.CSTNode], name: str, before: Methods) -> dict[str, set[Methods]]:
    """The names that stand for the text, and the methods that have made them of it."""
    found = {name: {before}}
    for node in nodes:
        match node:
            case cst.Assign(targets=[cst.AssignTarget(cst.Name(value=target))], value=value):
                made = _methods(found, value)
                if made:
                    found.setdefault(target, set()).update(made)
            case _:
                pass
    return found


def _methods(names: dict[str, set[Methods]], node: cst.CSTNode) -> list[Methods]:
    """The methods that may have made ``node`` of the text."""
    base, methods = _split(node)
    known = [made for name, all_ in names.items() if is_named(base, name) for made in all_]
    return sorted({(*made, *methods) for made in known})


def _split(node: cst.CSTNode) -> tuple[cst.CSTNode, Methods]:
    """``kind`` and the methods of ``kind.strip().lower()``."""
    match node:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=method)), args=[]) if (
            method in TURNING
        ):
            base, methods = _split(inner)
            return base, (*methods, method)
        case _:
            return node, ()
