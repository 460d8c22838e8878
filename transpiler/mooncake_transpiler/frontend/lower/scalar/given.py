"""Whose numbers parameters are: Python's, where the annotation says so and nobody in SRC calls."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import FunctionDecl, ParamDecl
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.properties import Kind, Of
from mooncake_transpiler.types import Scalar

_BUILTIN = ("bool", "complex", "float", "int")


def declare(ctx: Context, decl: FunctionDecl, params: Sequence[ir.Param], outside: bool) -> None:
    """Note of which kind the numbers are that ``decl`` is given, as far as that is known.

    A caller ``outside`` of SRC gives what is annotated; within SRC, what is annotated ``float`` may
    be an element of an array.
    """
    for k, leaf in enumerate(leaf for param in params for leaf in param.leaves):
        if isinstance(leaf.type, Scalar):
            kinds.marked(ctx, leaf, Of(frozenset({k})))
    if not outside and (not decl.is_public or decl.name in ctx.source.mentioned):
        return
    for param, own in zip(params, decl.params, strict=True):
        if isinstance(param.type, Scalar) and _says_builtin(own):
            kinds.marked(ctx, param.leaves[0], Kind.PYTHON)


def _says_builtin(param: ParamDecl) -> bool:
    annotation = param.node.annotation
    said = None if annotation is None else annotation.annotation
    return isinstance(said, cst.Name) and said.value in _BUILTIN
