"""Types of several alternatives: unions, Optional, Literals of text, enums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.annotation.annotation_parts import arguments_of
from mooncake_transpiler.frontend.annotation.unresolved import Unresolved
from mooncake_transpiler.frontend.class_text.classbodies import constants
from mooncake_transpiler.frontend.class_text.classes import ClassOutline
from mooncake_transpiler.frontend.entities import Annotation, External
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import is_name
from mooncake_transpiler.types import (
    NONE,
    TEXT,
    Array,
    ClassRef,
    List,
    OneOf,
    Scalar,
    Selector,
    StructKind,
    Tuple,
    Type,
    result_dtype,
)


def operands(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The operands of ``a | b | c``."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.BitOr):
        yield from operands(node.left)
        yield from operands(node.right)
    else:
        yield node


def union(node: cst.BaseExpression, found: Sequence[Annotation]) -> Annotation:
    """Each alternative once; numbers are of the widest kind among them."""
    kinds = [one.type for one in found if isinstance(one.type, Scalar)]
    merged: dict[Type, Annotation] = {}
    for one in found:
        if isinstance(one.type, OneOf):
            if one.dims:
                raise Unresolved(node, "MK360", "unions of arrays in a union", "write one union")
            merged |= {option: Annotation(option) for option in one.type.options}
        elif isinstance(one.type, Scalar):
            widest = _widest(kinds)
            merged.setdefault(widest, Annotation(widest))
        else:
            merged.setdefault(one.type, one)
    if len(merged) == 1 and not isinstance(next(iter(merged)), Selector):
        return next(iter(merged.values()))
    if linked := [option for option in merged if isinstance(option, List) and option.links]:
        if len(linked) > 1 or merged.keys() - {linked[0], NONE}:
            message = "an object that contains itself is not told apart from others"
            raise Unresolved(node, "MK360", message, "make a function for each")
        return Annotation(replace(linked[0], may_be_none=True), merged[linked[0]].dims)
    _check_told_apart(node, list(merged))
    dims = tuple(dim for one in merged.values() for dim in one.dims)
    return Annotation(OneOf(tuple(merged)), dims)


def text_or_none(
    node: cst.BaseExpression, lookup: Callable[[cst.BaseExpression], object]
) -> Annotation | None:
    """The type of ``str | None`` and ``Optional[str]``, beside others in a tuple."""
    parts = list(operands(node))
    if isinstance(node, cst.Subscript):
        is_optional = lookup(node.value) == External("typing.Optional")
        parts = [*arguments_of(node), cst.Name("None")] if is_optional else []
    texts = [part for part in parts if not is_name(part, "None")]
    is_named = len(texts) == 1 and isinstance(texts[0], cst.Name | cst.Attribute)
    if len(parts) != 2 or not is_named or lookup(texts[0]) != External("builtins.str"):
        return None
    return Annotation(OneOf((TEXT, NONE)))


def _widest(kinds: Sequence[Scalar]) -> Scalar:
    dtype = kinds[0].dtype
    for kind in kinds[1:]:
        dtype = result_dtype(dtype, kind.dtype)
    return Scalar(dtype)


def _check_told_apart(node: cst.BaseExpression, options: Sequence[Type]) -> None:
    help_ = "make a function for each, or use dataclasses of different names"
    if sum(isinstance(option, Array) for option in options) > 1:
        raise Unresolved(node, "MK360", "several types of arrays are not told apart", help_)
    if sum(isinstance(option, Tuple) and option.names is None for option in options) > 1:
        raise Unresolved(node, "MK360", "several types of tuples are not told apart", help_)
    names = [option.cls for option in options if isinstance(option, Tuple) and option.cls]
    if len(set(names)) < len(names):
        raise Unresolved(node, "MK360", "classes of one name are not told apart", help_)


def enum(node: cst.BaseExpression, of: ClassOutline, resolver: Resolver) -> OneOf:
    """One of the members of an enum; a second name for a value is none."""
    module, name = of.found.module, of.found.name
    names: dict[str, str] = {}
    for member, value in constants(of.node, resolver, module):
        text = cst.Module([]).code_for_node(value)
        key = member if isinstance(value, cst.Call) else text
        if not _is_reserved(member):
            names.setdefault(key, member)
    if not names:
        raise Unresolved(node, "MK204", f"{name}: an enum without members")
    ref = ClassRef(module, name, StructKind.ENUM)
    return OneOf(tuple(Selector(member, ref, name) for member in names.values()))


def _is_reserved(name: str) -> bool:
    """True if a name in the body of an enum is no member: ``_ignore_``, ``__slots__``, ``__x``."""
    return name.startswith("__") or (name.startswith("_") and name.endswith("_"))
