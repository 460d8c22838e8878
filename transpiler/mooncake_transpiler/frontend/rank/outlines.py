"""Types of parameters and classes whose arrays may be of any rank: for what is inside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.annotation import links
from mooncake_transpiler.frontend.annotation.annotation_parts import record_type
from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.keys import keys
from mooncake_transpiler.frontend.annotation.nested_ranks import OUTLINE
from mooncake_transpiler.frontend.annotation.unresolved import AnyKeys, Unresolved
from mooncake_transpiler.frontend.entities import Annotation
from mooncake_transpiler.frontend.rank_evidence import EACH, Path, Step
from mooncake_transpiler.frontend.text.trees import parameters
from mooncake_transpiler.types import (
    ANY_DICT,
    FLOAT,
    ClassRef,
    List,
    OneOf,
    Tuple,
    Type,
    without_none,
)


def outlines(reader: Reader, node: cst.FunctionDef) -> Mapping[str, Type]:
    """The types of the parameters of ``node`` that hold something inside, by their names."""
    found: dict[str, Type] = {}
    for param in parameters(node.params):
        if param.annotation is not None:
            type_ = _outline(reader, node, param.name.value, param.annotation.annotation)
            if type_ is not None:
                found[param.name.value] = type_
    return found


def _outline(
    reader: Reader, node: cst.FunctionDef, name: str, annotation: cst.BaseExpression
) -> Type | None:
    try:
        found = replace(reader, ranks=OUTLINE).read_any(annotation)
    except Unresolved:
        return None
    match found:
        case Annotation(type=type_):
            inner = links.each_alone(without_none(type_))
            return inner if isinstance(inner, List | Tuple) else None
        case AnyKeys():
            known = keys(reader.resolver, reader.module, node, name)
            if known is None:
                return None
            return record_type(ANY_DICT, dict.fromkeys(known, Annotation(FLOAT)), ()).type
        case _:
            return None


def instances(type_: Type, of: ClassRef, path: Path = ()) -> Iterator[Path]:
    """The ways to instances of a class inside a type."""
    match type_:
        case Tuple(of=found) if found == of:
            yield path
        case Tuple(items=items, names=names):
            steps: Sequence[Step] = names or range(len(items))
            for step, item in zip(steps, items, strict=True):
                yield from instances(item, of, (*path, step))
        case List(item=item):
            yield from instances(item, of, (*path, EACH))
        case OneOf():
            if (inner := without_none(type_)) is not type_:
                yield from instances(inner, of, path)
        case _:
            return
