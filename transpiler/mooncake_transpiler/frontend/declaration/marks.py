"""Decorators from ``mooncake_runtime``: rules, overlays, and functions without a derivative."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import (
    External,
    FunctionDecl,
    FunctionRole,
    Mark,
    Module,
    Source,
)
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.frontend.text.trees import maker

MAKERS = {External(f"mooncake_runtime.{role.value}"): role for role in FunctionRole}


def read_mark(resolver: Resolver, module: str, node: cst.FunctionDef) -> Mark | None:
    """The mark on ``node``; of several the last one counts."""
    found: Mark | None = None
    for decorator in node.decorators:
        made = decorator.decorator
        entity = resolver.lookup(module, maker(decorator))
        role = MAKERS.get(entity) if isinstance(entity, External) else None
        if role is FunctionRole.NONDIFF and not isinstance(made, cst.Call):
            found = Mark(role)
        elif role is not None and isinstance(made, cst.Call) and len(made.args) == 1:
            found = Mark(role, _target(resolver, module, made.args[0].value))
    return found


def _target(resolver: Resolver, module: str, node: cst.BaseExpression) -> str:
    match resolver.lookup(module, node):
        case External(qualname=qualname):
            return qualname
        case BoundName(module=owner, name=name):
            return f"{owner}:{name}"
        case _:
            return ""


def collect(source: Source) -> list[Diagnostic]:
    """Enter all marked functions of ``source`` in its table; and what is wrong with them."""
    found: list[Diagnostic] = []
    for decl in source.functions():
        mark = decl.mark
        if mark is None or mark.role is FunctionRole.NONDIFF:
            continue
        module = source.modules[decl.module]
        if not mark.target:
            found.append(_wrong(module, decl, f"@{mark.role.value} needs the name of a function"))
            continue
        key = (mark.role, mark.target)
        other = source.marked.setdefault(key, decl)
        if other is not decl:
            message = f"there is another @{mark.role.value} for this function: {other.name}"
            found.append(_wrong(module, decl, message))
    return found


def _wrong(module: Module, decl: FunctionDecl, message: str) -> Diagnostic:
    return Diagnostic("MK235", message, place(module, decl.node.name))
