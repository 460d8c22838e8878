"""Signatures for functions that lack annotations: the simplest types that they can be read with.

Types are tried, from all numbers to arrays of more axes (of as many each, then of any), until a
function can be lowered and its result carries floats; what is annotated stays. Nothing is known of
what callers really pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import libcst as cst

from mooncake_transpiler.frontend.declaration.fence import fence
from mooncake_transpiler.frontend.entities import Annotation, FunctionDecl, ParamDecl, Source
from mooncake_transpiler.frontend.lower.lowered_functions import Lowering
from mooncake_transpiler.frontend.lower.lowered_programs import request_public
from mooncake_transpiler.frontend.text.source import deep_recursion
from mooncake_transpiler.frontend.text.trees import walk
from mooncake_transpiler.interface.last_values import user_result
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.run.pipeline import generate
from mooncake_transpiler.run.reading import read_program
from mooncake_transpiler.types import BOOL, FLOAT, INT, Array, DType, Scalar, Tuple, Type
from mooncake_transpiler.types import is_differentiable as carries_floats

MAX_TRIALS = 400  # of one function

_ARRAYS = tuple(Array(DType.FLOAT64, rank) for rank in (1, 2, 3))
_CANDIDATES: tuple[Type, ...] = (FLOAT, INT, *_ARRAYS)


def propose_signatures(inputs: Inputs) -> list[str]:
    """A line for each public function that lacks annotations and can have derivatives."""
    reading = read_program(inputs, generate)
    files = inputs.sources.files
    with deep_recursion():
        found = [
            _proposed(reading.source, decl)
            for decl in reading.source.functions()
            if decl.module in files
            and inputs.selection.has_function(decl.module, decl.name)
            and _is_open(decl)
        ]
    return [line for line in found if line]


def _is_open(decl: FunctionDecl) -> bool:
    """True if ``decl`` is a helper for its missing annotations only."""
    params = decl.node.params
    starred = isinstance(params.star_arg, cst.Param) or params.star_kwarg is not None
    hidden = decl.name.startswith("_") or decl.directive.skip or decl.mark is not None
    return not (starred or hidden or decl.node.asynchronous or decl.is_public or decl.is_generated)


def _proposed(source: Source, decl: FunctionDecl) -> str:
    """The signature of ``decl``, ready to paste; empty if none is found."""
    if not decl.params or fence(source, decl):
        return ""
    for types in islice(_choices(decl), MAX_TRIALS):
        pairs = zip(decl.params, types, strict=True)
        params = tuple(replace(p, annotation=p.annotation or Annotation(t)) for p, t in pairs)
        tried = replace(decl, params=params, result=None, infers_result=True)
        if (result := _result(source, tried)) is not None:
            return _text(decl, tried, result)
    return ""


def _choices(decl: FunctionDecl) -> Iterator[tuple[Type, ...]]:
    """Types of all parameters, the simplest first, arrays of as many axes each before others."""
    indexed = {
        node.value.value
        for node in walk(decl.node.body)
        if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Name)
    }
    options = [_options(param, param.name in indexed) for param in decl.params]
    alike = (
        [tuple(t for t in some if t not in _ARRAYS or t == array) for some in options]
        for array in _ARRAYS
    )
    seen: set[tuple[Type, ...]] = set()
    for allowed in (*alike, options):
        for cost in range(1 + sum(len(some) - 1 for some in allowed)):
            yield from (types for types in _of_cost(allowed, cost) if types not in seen)
            seen.update(_of_cost(allowed, cost))


def _of_cost(options: Sequence[tuple[Type, ...]], cost: int) -> Iterator[tuple[Type, ...]]:
    """One of each of ``options``; their positions add up to ``cost``."""
    if not options:
        if cost == 0:
            yield ()
        return
    first, *rest = options
    for k, type_ in enumerate(first[: cost + 1]):
        for others in _of_cost(rest, cost - k):
            yield (type_, *others)


def _options(param: ParamDecl, is_indexed: bool) -> tuple[Type, ...]:
    """The types that ``param`` may have: arrays only, where it is indexed."""
    if param.annotation is not None:
        return (param.annotation.type,)
    if param.node.annotation is not None:  # an array of any rank, or what has no type here
        text = cst.Module([]).code_for_node(param.node.annotation.annotation)
        return _ARRAYS if "array" in text.lower() else ()
    match param.default:
        case cst.Float():
            return (FLOAT,)
        case cst.Name(value="True" | "False"):
            return (BOOL,)
        case cst.Integer():
            return (INT, FLOAT)
        case _:
            return _ARRAYS if is_indexed else _CANDIDATES


def _result(source: Source, decl: FunctionDecl) -> Type | None:
    """The type of the result, if the function can be lowered with its types."""
    if not any(p.annotation and carries_floats(p.annotation.type) for p in decl.params):
        return None
    lowering = Lowering(source, failures=[])
    request_public(lowering, decl)
    func = lowering.funcs.get(decl.qualname)
    if func is None or lowering.diagnostics or lowering.failures:
        return None
    result = user_result(func)
    return result if _spelled(result) else None


def _text(decl: FunctionDecl, tried: FunctionDecl, result: Type) -> str:
    """The signature of ``decl`` with the types of ``tried``, where its own do not tell them."""
    vague = {p.name for p in decl.params if p.annotation is None}
    types = {p.name: _spelled(p.annotation.type) for p in tried.params if p.annotation}

    def annotated(param: cst.Param) -> cst.Param:
        text = types[param.name.value]
        if param.name.value not in vague or not text:
            return param
        equal = cst.AssignEqual() if param.default is not None else param.equal
        return param.with_changes(annotation=_note(text), equal=equal)

    params = decl.node.params
    node = decl.node.with_changes(
        params=params.with_changes(
            params=tuple(map(annotated, params.params)),
            kwonly_params=tuple(map(annotated, params.kwonly_params)),
            posonly_params=tuple(map(annotated, params.posonly_params)),
        ),
        returns=decl.node.returns if decl.result is not None else _note(_spelled(result)),
        body=cst.SimpleStatementSuite([cst.Expr(cst.Ellipsis())]),
        decorators=(),
        leading_lines=(),
        lines_after_decorators=(),
    )
    code = cst.Module([]).code_for_node(node).strip().removesuffix("...").rstrip()
    return f"# {decl.module}\n{code}"


def _note(text: str) -> cst.Annotation:
    return cst.Annotation(cst.parse_expression(text))


def _spelled(type_: Type) -> str:
    """``type_`` as an annotation; empty for what has none."""
    match type_:
        case Scalar(dtype=dtype):
            return _NUMBERS.get(dtype, f"np.{dtype.value}")
        case Array(dtype=dtype, ndim=ndim) if ndim:
            return f'Annotated[NDArray[np.{dtype.value}], "{" ".join("_" * ndim)}"]'
        case Tuple(items=items, names=None) if items and all(map(_spelled, items)):
            return f"tuple[{', '.join(map(_spelled, items))}]"
        case _:
            return ""


_NUMBERS = {
    DType.FLOAT64: "float", DType.INT64: "int", DType.BOOL: "bool", DType.COMPLEX128: "complex",
}  # fmt: skip
