"""The kinds of parameters' numbers: Python's, where annotations say so and nobody in SRC calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import FunctionDecl, ParamDecl
from mooncake_transpiler.frontend.lower.scalar import kinds
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.syntax import walk
from mooncake_transpiler.frontend.lower.state.whose import Kind, Of
from mooncake_transpiler.types import ArrayLibrary, List, OneOf, Scalar, Tuple, Type, leaves

_NAMES = frozenset({
    "bool", "complex", "float", "int", "str",
    "dict", "list", "tuple", "Dict", "Iterable", "List", "Mapping", "Optional", "Sequence", "Tuple",
})  # fmt: skip


def declare(ctx: Context, decl: FunctionDecl, params: Sequence[ir.Param], outside: bool) -> None:
    """Note of which kind the numbers are that ``decl`` is given, as far as that is known.

    A caller ``outside`` of SRC gives what is annotated; within SRC, what is annotated ``float`` may
    be an element of an array.
    """
    for k, leaf in enumerate(leaf for param in params for leaf in param.leaves):
        if isinstance(leaf.type, Scalar):
            kinds.marked(ctx, leaf, Of(frozenset({k})))
    says = outside or (decl.is_public and decl.name not in ctx.source.mentioned)
    for param, own in zip(params, decl.params, strict=True):
        is_python, listed = says and _says_builtin(own), list(_are_listed(param.type))
        if isinstance(param.type, Scalar | OneOf) and is_python:
            alone = [leaf for leaf, inside in zip(param.leaves, listed, strict=True) if not inside]
            kinds.mark_all(ctx, alone, [Kind.PYTHON] * len(alone))
        if says and decl.library is ArrayLibrary.CUPY and _says_builtin(own):
            kinds.mark_all(ctx, param.leaves, [Kind.PYTHON] * len(param.leaves))
        for leaf, is_listed in zip(param.leaves, listed, strict=True):
            if is_listed:
                ctx.numbers.origins[leaf] = Kind.PYTHON if is_python else Kind.EITHER
                ctx.numbers.as_annotated.update([leaf] * says)


def _are_listed(type_: Type) -> Iterator[bool]:
    """For each leaf of ``type_``, true if it holds items of a list."""
    match type_:
        case Tuple(items=items):
            for item in items:
                yield from _are_listed(item)
        case OneOf(options=options):
            yield False
            for option in options:
                yield from _are_listed(option)
        case _:
            yield from (isinstance(type_, List) for _ in leaves(type_))


def _says_builtin(param: ParamDecl) -> bool:
    """True if what ``param`` is annotated with are Python's numbers, or lists or dicts of these."""
    if param.node.annotation is None:
        return False
    parts = list(walk(param.node.annotation.annotation))
    names = {part.value for part in parts if isinstance(part, cst.Name)}
    is_plain = not any(isinstance(part, cst.Attribute | cst.SimpleString) for part in parts)
    return is_plain and bool(names) and names - {"None"} <= _NAMES
