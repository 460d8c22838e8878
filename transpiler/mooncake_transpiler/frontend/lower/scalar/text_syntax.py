"""Text and names in the syntax of functions: where a name goes, and what it is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, FunctionDecl, Source
from mooncake_transpiler.frontend.text.trees import is_name


def called(source: Source, callee: object, func: cst.BaseExpression) -> Iterator[FunctionDecl]:
    """The code that a call may run: a function, an ``__init__``, or methods of that name."""
    match callee, func:
        case FunctionDecl(), _:
            yield callee
        case ClassDecl(methods=methods), _:
            yield from (m.function for name, m in methods.items() if name == "__init__")
        case None, cst.Attribute(attr=attr):
            for cls in source.classes.values():
                if attr.value in cls.methods:
                    yield cls.methods[attr.value].function
        case _:
            return


def passed_as(callee: FunctionDecl, args: Sequence[cst.Arg], name: str) -> Iterator[str]:
    """The parameters of ``callee`` that are given ``name``."""
    for k, arg in enumerate(args):
        if arg.star or not is_named(arg.value, name):
            continue
        if arg.keyword is not None:
            yield arg.keyword.value
        else:  # the first one may be self
            yield from (param.name for param in callee.params[k : k + 2])


def is_named(node: cst.CSTNode, name: str) -> bool:
    """True for a variable of this name, and for an attribute: more literals do no harm."""
    last = node.attr if isinstance(node, cst.Attribute) else node
    return is_name(last, name)


def literals(node: cst.CSTNode) -> Iterator[str]:
    """The texts that are written out in ``node``, and in a tuple or the like."""
    match node:
        case cst.SimpleString() | cst.ConcatenatedString():
            if isinstance(node.evaluated_value, str):
                yield node.evaluated_value
        case (
            cst.Tuple(elements=elements) | cst.List(elements=elements) | cst.Set(elements=elements)
        ):
            for element in elements:
                yield from literals(element.value)
        case _:
            return


def tested(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The expressions whose truth ``node`` asks for: text is false where it is empty."""
    match node:
        case cst.If(test=test) | cst.While(test=test) | cst.IfExp(test=test):
            yield test
        case cst.Assert(test=test) | cst.CompIf(test=test):
            yield test
        case cst.UnaryOperation(operator=cst.Not(), expression=test):
            yield test
        case cst.BooleanOperation(left=left, right=right):
            yield from (left, right)
        case cst.Call(func=cst.Name("bool"), args=[cst.Arg(value=value)]):
            yield value
        case _:
            return
