"""Declarations of functions that we have generated.

What their annotations do not tell follows from where they are called.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.unresolved import Unresolved
from mooncake_transpiler.frontend.declaration.marks import read_mark
from mooncake_transpiler.frontend.entities import (
    Annotation,
    Default,
    Directive,
    External,
    FunctionDecl,
    Module,
    ParamDecl,
)
from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import parameters

DEFAULT_OF = External("mooncake_runtime.instances.default_of")


def declare_generated(resolver: Resolver, module: Module, node: cst.FunctionDef) -> FunctionDecl:
    """The declaration of ``node``; annotations that don't tell all count as none."""
    reader = Reader(resolver, module.name)
    nodes = parameters(node.params)
    params = tuple(
        ParamDecl(
            p.name.value,
            _read(reader, p.annotation),
            p.default,
            p in node.params.kwonly_params,
            p,
        )
        for p in nodes
    )
    return FunctionDecl(
        module.name, node.name.value, node, params, _read(reader, node.returns), Directive(),
        read_mark(resolver, module.name, node), is_generated=True,
    )  # fmt: skip


def _read(reader: Reader, annotation: cst.Annotation | None) -> Annotation | None:
    try:
        return None if annotation is None else reader.read(annotation.annotation)
    except Unresolved:
        return None


def default_of(resolver: Resolver, module: str, node: cst.BaseExpression) -> Default | None:
    """The default that ``default_of(energy, "params")`` stands for."""
    match node:
        case cst.Call(
            func=func, args=[cst.Arg(value=of), cst.Arg(value=cst.SimpleString() as name)]
        ):
            found = resolver.lookup(module, of)
            if resolver.lookup(module, func) != DEFAULT_OF or not isinstance(found, BoundName):
                return None
            if not isinstance(found.binding, FunctionBinding):
                return None
            params = found.binding.node.params
            for param in parameters(params):
                if param.name.value == name.evaluated_value and param.default is not None:
                    return Default(found.module, param.default)
            return None
        case _:
            return None
