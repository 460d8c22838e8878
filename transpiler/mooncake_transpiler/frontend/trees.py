"""Walking concrete syntax trees without their whitespace."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from functools import cache

import libcst as cst

# Fields that hold layout, not meaning (beside those named ``whitespace…``).
_LAYOUT = frozenset(
    {"comma", "lpar", "rpar", "semicolon", "equal", "colon", "first_colon", "second_colon", "dot",
     "header", "footer", "newline", "indent", "lbracket", "rbracket", "lbrace", "rbrace",
     "leading_lines", "lines_after_decorators", "trailing_whitespace", "leading_whitespace",
     "separator", "default_indent"}
)  # fmt: skip


@cache
def _meaningful(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = (field.name for field in dataclasses.fields(kind))
    return tuple(n for n in names if n not in _LAYOUT and not n.startswith("whitespace"))


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The direct parts of ``node``, in order."""
    for name in _meaningful(type(node)):
        part = getattr(node, name)
        if isinstance(part, cst.CSTNode):
            yield part
        elif isinstance(part, list | tuple):
            yield from (item for item in part if isinstance(item, cst.CSTNode))


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``node`` and everything below it, in source order."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(list(children(top))))


def statements(body: cst.BaseSuite | cst.Module) -> Iterator[cst.CSTNode]:
    """The statements of a block, ``a; b`` lines taken apart."""
    for part in body.body:
        if isinstance(part, cst.SimpleStatementLine):
            yield from part.body
        else:
            yield part


def dotted(node: cst.CSTNode) -> tuple[str, ...] | None:
    """``("a", "b")`` for ``a.b``; None for anything that is not a dotted name."""
    match node:
        case cst.Name(value=name):
            return (name,)
        case cst.Attribute(value=value, attr=attr):
            base = dotted(value)
            return None if base is None else (*base, attr.value)
        case _:
            return None


def target_names(target: cst.CSTNode) -> Iterator[cst.Name]:
    """The names that assigning to ``target`` binds."""
    match target:
        case cst.Name():
            yield target
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from target_names(element.value)
        case cst.StarredElement(value=value):
            yield from target_names(value)
        case _:
            return


Function = cst.FunctionDef | cst.Lambda


def own_nodes(scope: cst.CSTNode) -> tuple[list[cst.CSTNode], list[Function]]:
    """The nodes of ``scope`` itself, and the functions nested directly in it."""
    nodes: list[cst.CSTNode] = []
    inner: list[Function] = []
    stack = list(children(scope))
    while stack:
        node = stack.pop()
        nodes.append(node)
        if isinstance(node, Function):
            inner.append(node)
        else:
            stack.extend(children(node))
    return nodes, inner


def bound_names(nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The names that ``nodes`` of a function bind."""
    names: set[str] = set()
    for node in nodes:
        match node:
            case cst.Param(name=name) | cst.FunctionDef(name=name) | cst.ClassDef(name=name):
                names.add(name.value)
            case (
                cst.AssignTarget(target=target)
                | cst.AugAssign(target=target)
                | cst.AnnAssign(target=target)
                | cst.For(target=target)
                | cst.CompFor(target=target)
                | cst.NamedExpr(target=target)
            ):
                names.update(name.value for name in target_names(target))
            case (
                cst.MatchAs(name=cst.Name(value=bound)) | cst.MatchStar(name=cst.Name(value=bound))
            ):
                names.add(bound)
            case cst.MatchMapping(rest=cst.Name(value=bound)):
                names.add(bound)
            case _:
                pass
    return names
