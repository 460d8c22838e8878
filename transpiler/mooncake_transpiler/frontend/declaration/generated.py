"""Defaults of parameters in functions that we have generated, which name those of the user's."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.entities import Default, External
from mooncake_transpiler.frontend.name.bindings import FunctionBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.text.trees import parameters

DEFAULT_OF = External("mooncake_runtime.instances.default_of")


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
