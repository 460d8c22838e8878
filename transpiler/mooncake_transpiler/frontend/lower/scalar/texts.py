"""Text that a public function compares with literals: which of them it is, or another.

def f(x: float, mode: str) -> float:      the wrapper hands over a number: 0 for "fast",
    if mode == "fast":                    1 for any other text
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.diagnostic.diagnostics import TooMuch
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    EnumMember,
    FunctionDecl,
    ParamDecl,
    SharedDecl,
    Source,
)
from mooncake_transpiler.frontend.lower.scalar import enums, text_types, turned_texts
from mooncake_transpiler.frontend.lower.scalar.text_syntax import (
    called,
    is_named,
    literals,
    passed_as,
    tested,
)
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import walk
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.trees import dotted
from mooncake_transpiler.types import NONE, OneOf, Opaque, Selector, Tuple, Type

OTHER = Opaque("str")
_ESCAPE = re.compile(
    r"\\(N\{[^}]*\}|U[0-9a-fA-F]{8}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-7]{1,3}|[\x00-\x7f])"
)
MAX_TEXT = 1_000_000  # characters of text that is known ahead of time
# Methods that give text of their own.
_SHOWING = frozenset({"__str__", "__format__", "__repr__"})


def shown(ctx: Context, node: cst.CSTNode, operand: Operand) -> object:
    """The value that text is made of, if it is known ahead of time; else ``UNKNOWN``."""
    match operand:
        case Static(value=EnumMember(cls=cls, name=name)) if not _SHOWING.isdisjoint(cls.methods):
            message = f"the text of {cls.name}.{name} is what its methods make of it"
            raise ctx.refuse(node, "MK112", message, "call the method, or use its name or value")
        case _:
            return enums.python(ctx, node, operand)


def unescaped(node: cst.FormattedString, part: cst.FormattedStringText) -> str:
    """The text that ``part`` of ``node`` stands for."""
    text = part.value.replace("{{", "{").replace("}}", "}")
    if "r" in node.prefix.lower():
        return text
    return _ESCAPE.sub(lambda found: found[0].encode().decode("unicode_escape"), text)


def told_apart(
    source: Source, decl: FunctionDecl, param: ParamDecl, type_: Type, by_attributes: bool
) -> Type:
    """The type of a parameter; that of text is one of the literals that it is compared with.

    With ``by_attributes`` so is that of text in the attributes of an object, and of text or None.
    """
    if not decl.is_public:
        return type_
    if type_ == OTHER:
        exact = _compared(source, decl, param.name, set())
        return _one_of(exact, turned_texts.selectors(source, decl, param.name))
    if by_attributes and text_types.is_text_or_none(type_):
        exact = _compared(source, decl, param.name, set())
        found = _one_of(exact, turned_texts.selectors(source, decl, param.name))
        return OneOf((*(found.options if isinstance(found, OneOf) else (OTHER,)), NONE))
    return _with_texts(source, type_) if by_attributes else type_


def _with_texts(source: Source, type_: Type) -> Type:
    """``type_`` with the literals that its attributes are compared with, in whatever function."""
    if not (isinstance(type_, Tuple) and type_.is_object and type_.names is not None):
        return type_
    items: list[Type] = []
    for name, item in zip(type_.names, type_.items, strict=True):
        is_text = item == OTHER
        items.append(_one_of(_anywhere(source, name)) if is_text else _with_texts(source, item))
    return type_ if tuple(items) == type_.items else replace(type_, items=tuple(items))


def _one_of(texts: Iterable[str], turned: Iterable[Selector] = ()) -> Type:
    found = dict.fromkeys((*map(Selector, texts), *turned))
    return OneOf((*found, OTHER)) if found else OTHER


def _anywhere(source: Source, attr: str) -> Iterator[str]:
    """The literals that an attribute of this name is compared with."""
    seen: set[tuple[str, str]] = set()
    for decl in source.functions():
        yield from _compared(source, decl, attr, seen)
    yield from _compared_attribute(source, attr, seen)


def _compared(
    source: Source, decl: FunctionDecl, name: str, seen: set[tuple[str, str]]
) -> Iterator[str]:
    """The literals that ``name`` is compared with in ``decl``, and in functions it is passed to."""
    if (decl.qualname, name) in seen:
        return
    seen.add((decl.qualname, name))
    module = source.modules[decl.module]
    for node in walk(decl.node.body):
        if any(is_named(one, name) for one in tested(node)):
            yield ""
        match node:
            case cst.Call(func=func, args=args):
                callee = resolve(source, module, func)
                if isinstance(func, cst.Attribute) and args and is_named(args[0].value, name):
                    yield from _keys(source, decl, func.value)
                for other in called(source, callee, func):
                    for passed in passed_as(other, args, name):
                        yield from _compared(source, other, passed, seen)
                if isinstance(callee, ClassDecl):
                    for field in _passed_fields(callee, args, name):
                        yield from _compared_attribute(source, field, seen)
            case cst.Assign(
                targets=[cst.AssignTarget(cst.Attribute(attr=attr))], value=cst.Name() as value
            ) if is_named(value, name):
                yield from _compared_attribute(source, attr.value, seen)
            case cst.Comparison(left=left, comparisons=comparisons):
                sides = [left, *(one.comparator for one in comparisons)]
                for side in sides if any(is_named(one, name) for one in sides) else ():
                    yield from literals(side)
                    yield from _keys(source, decl, side)
            case cst.Match(subject=subject, cases=cases) if is_named(subject, name):
                for case in cases:
                    for part in walk(case.pattern):
                        yield from literals(part)
            case cst.Subscript(value=base, slice=[cst.SubscriptElement(cst.Index(value=key))]):
                if is_named(key, name):
                    yield from _keys(source, decl, base)
            case _:
                pass


def _compared_attribute(source: Source, attr: str, seen: set[tuple[str, str]]) -> Iterator[str]:
    """The literals that an attribute of this name is compared with, in whatever method."""
    if ("", attr) not in seen:
        seen.add(("", attr))
        for cls in source.classes.values():
            for function in cls.functions:
                yield from _compared(source, function, attr, seen)


def _keys(source: Source, decl: FunctionDecl, base: cst.BaseExpression) -> Iterator[str]:
    """The texts among the keys of the dict ``base`` in ``decl``, as far as they are written out."""
    for display in _displays(source, decl, base):
        match display:
            case cst.Dict(elements=elements):
                for element in elements:
                    if isinstance(element, cst.DictElement):
                        yield from literals(element.key)
            case cst.Call(func=cst.Name("dict"), args=args):
                for arg in args:
                    if arg.keyword is not None:
                        yield arg.keyword.value
            case _:
                pass
    found = resolve(source, source.modules[decl.module], base)
    for filling, _ in found.fillings if isinstance(found, SharedDecl) else ():
        for node in walk(filling):
            if isinstance(node, cst.SimpleString):
                yield from literals(node)


def _displays(
    source: Source, decl: FunctionDecl, base: cst.BaseExpression
) -> Iterator[cst.BaseExpression]:
    """The expressions that may have made ``base``: of a name, what it is bound to."""
    yield base
    module = source.modules[decl.module]
    match base:
        case cst.Subscript(value=outer):
            for display in _displays(source, decl, outer):
                for element in display.elements if isinstance(display, cst.Dict) else ():
                    yield element.value
            return
        case cst.Attribute(value=value, attr=attr):
            owner = resolve(source, module, value)
            if isinstance(owner, ClassDecl) and attr.value in owner.constants:
                yield owner.constants[attr.value][1]
        case _:
            pass
    found = resolve(source, module, base)
    if isinstance(found, SharedDecl):
        yield found.expr
    for node in walk(decl.node.body):
        match node:
            case cst.Assign(targets=targets, value=made):
                if any(_is_same(one.target, base) for one in targets):
                    yield made
            case cst.AnnAssign(target=target, value=cst.BaseExpression() as made):
                if _is_same(target, base):
                    yield made
            case _:
                pass


def _passed_fields(cls: ClassDecl, args: Sequence[cst.Arg], name: str) -> Iterator[str]:
    """The fields of a dataclass that are given ``name``."""
    fields = [field.name for field in cls.fields if field.init]
    for k, arg in enumerate(args):
        if not arg.star and is_named(arg.value, name):
            yield from [arg.keyword.value] if arg.keyword is not None else fields[k : k + 1]


def _is_same(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    return dotted(one) is not None and dotted(one) == dotted(other)


def combined(op: str, left: Operand, right: Operand) -> Operand | None:
    """``+`` of text, and ``*`` of text and a number."""
    match op, left, right:
        case "add", Static(value=str(first)), Static(value=str(second)):
            return Static(first + second)
        case "mul", Static(value=str(text)), ir.Const(value=int(count)):
            if len(text) * count > MAX_TEXT:
                raise TooMuch(f"text of {len(text) * count} characters: {MAX_TEXT} are the most")
            return Static(text * count)
        case _:
            return None
