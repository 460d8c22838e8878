"""Declarations of functions that we have generated.

Their annotations name arrays without a rank. What compiled functions take is stated by ``entry``,
for which they are checked at run time; all else follows from where they are called.
"""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst
from mooncake_runtime.spec import ArraySpec, NoneSpec, ScalarSpec, Spec, TupleSpec, parse_spec

from mooncake_transpiler.frontend.annotations import Reader
from mooncake_transpiler.frontend.bindings import Function
from mooncake_transpiler.frontend.entities import (
    Annotation,
    Default,
    Directive,
    External,
    FunctionDecl,
    Module,
    ParamDecl,
)
from mooncake_transpiler.frontend.marks import read_mark
from mooncake_transpiler.frontend.resolve import Bound, Resolver
from mooncake_transpiler.frontend.unresolved import Unresolved
from mooncake_transpiler.types import NONE, Array, DType, Scalar, Tuple, Type, leaves

ENTRY = External("mooncake_runtime.entry")
DEFAULT_OF = External("mooncake_runtime.instances.default_of")


def declare_generated(resolver: Resolver, module: Module, node: cst.FunctionDef) -> FunctionDecl:
    """The declaration of ``node``; annotations that don't tell all count as none."""
    reader = Reader(resolver, module.name)
    specs = _specs(resolver, module, node)
    nodes = [*node.params.posonly_params, *node.params.params, *node.params.kwonly_params]
    params = tuple(
        ParamDecl(
            p.name.value,
            _read(reader, p.annotation) or _stated(specs.get(p.name.value)),
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


def _specs(resolver: Resolver, module: Module, node: cst.FunctionDef) -> Mapping[str, Spec]:
    """The parameter types in ``@entry("x: float64[:], a: float64")``."""
    for decorator in node.decorators:
        match decorator.decorator:
            case cst.Call(func=func, args=[cst.Arg(value=text), *_]) if resolver.lookup(
                module.name, func
            ) == ENTRY and isinstance(text, cst.SimpleString | cst.ConcatenatedString):
                return parse_spec(str(text.evaluated_value))
            case _:
                pass
    return {}


def _stated(spec: Spec | None) -> Annotation | None:
    if spec is None:
        return None
    type_ = _type(spec)
    return Annotation(type_, tuple(None for leaf in leaves(type_) if isinstance(leaf, Array)))


def _type(spec: Spec) -> Type:
    match spec:
        case ScalarSpec(dtype=dtype):
            return Scalar(DType(dtype))
        case ArraySpec(dtype=dtype, ndim=ndim):
            return Array(DType(dtype), ndim)
        case TupleSpec(items=items):
            return Tuple(tuple(map(_type, items)))
        case NoneSpec():
            return NONE


def default_of(resolver: Resolver, module: str, node: cst.BaseExpression) -> Default | None:
    """The default that ``default_of(energy, "params")`` stands for."""
    match node:
        case cst.Call(
            func=func, args=[cst.Arg(value=of), cst.Arg(value=cst.SimpleString() as name)]
        ):
            found = resolver.lookup(module, of)
            if resolver.lookup(module, func) != DEFAULT_OF or not isinstance(found, Bound):
                return None
            if not isinstance(found.binding, Function):
                return None
            params = found.binding.node.params
            for param in (*params.posonly_params, *params.params, *params.kwonly_params):
                if param.name.value == name.evaluated_value and param.default is not None:
                    return Default(found.module, param.default)
            return None
        case _:
            return None
