"""Walking concrete syntax trees without their whitespace."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
        if isinstance(part, (list, tuple)):
            yield from (item for item in part if isinstance(item, cst.CSTNode))
        elif part is not None and not isinstance(part, str) and isinstance(part, cst.CSTNode):
            yield part


Parts = Callable[[cst.CSTNode], Iterable[cst.CSTNode]]


def walk(node: cst.CSTNode, parts: Parts = children) -> Iterator[cst.CSTNode]:
    """``node`` and everything below it, in source order, as far as ``parts`` leads."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(list(parts(top))))


def statements(body: cst.BaseSuite | cst.Module) -> Iterator[cst.CSTNode]:
    """The statements of a block, ``a; b`` lines taken apart."""
    for part in body.body:
        if isinstance(part, cst.SimpleStatementLine):
            yield from part.body
        else:
            yield part


def positional(params: cst.Parameters) -> tuple[cst.Param, ...]:
    """The parameters that can be given by position, one by one."""
    return (*params.posonly_params, *params.params)


def parameters(params: cst.Parameters) -> tuple[cst.Param, ...]:
    """The parameters that are given one by one; those that take a keyword come last."""
    return (*positional(params), *params.kwonly_params)


def by_position(args: Iterable[cst.Arg]) -> list[cst.BaseExpression]:
    """The arguments of a call that have no name; those with a star are left out."""
    return [arg.value for arg in args if arg.keyword is None and not arg.star]


def by_name(args: Iterable[cst.Arg]) -> dict[str, cst.BaseExpression]:
    """The arguments of a call that have a name."""
    return {arg.keyword.value: arg.value for arg in args if arg.keyword is not None}


def assigned(
    names: Sequence[str], args: Iterable[cst.Arg]
) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The arguments of a call, each behind its parameter; ``names`` are those by position.

    Behind a starred one only those with a name are known.
    """
    left = iter(names)
    for arg in args:
        if arg.star:
            left = iter(())
        elif arg.keyword is not None:
            yield arg.keyword.value, arg.value
        elif (name := next(left, None)) is not None:
            yield name, arg.value


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


def maker(decorator: cst.Decorator) -> cst.BaseExpression:
    """``f`` of ``@f`` and ``@f(...)``."""
    made = decorator.decorator
    return made.func if isinstance(made, cst.Call) else made


def is_name(node: cst.CSTNode | None, *names: str) -> bool:
    """True if ``node`` is one of the ``names``."""
    return isinstance(node, cst.Name) and node.value in names


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


@dataclass(frozen=True, slots=True)
class Binding:
    """A target that ``node`` binds, to ``value`` or, in a loop, to items of it.

    There is no value where a pattern, a manager, an exception, a definition or a call binds it.
    """

    node: cst.CSTNode
    target: cst.CSTNode
    value: cst.BaseExpression | None = None

    @property
    def names(self) -> Iterator[str]:
        return (name.value for name in target_names(self.target))


def bindings(nodes: Iterable[cst.CSTNode]) -> Iterator[Binding]:
    """The targets that ``nodes`` of a function bind, in their order."""
    for node in nodes:
        match node:
            case cst.Assign(targets=targets, value=value):
                yield from (Binding(node, target.target, value) for target in targets)
            case (
                cst.AugAssign(target=target, value=value)
                | cst.AnnAssign(target=target, value=value)
                | cst.NamedExpr(target=target, value=value)
                | cst.For(target=target, iter=value)
                | cst.CompFor(target=target, iter=value)
            ):
                yield Binding(node, target, value)
            case (
                cst.WithItem(asname=cst.AsName(name=target))
                | cst.ExceptHandler(name=cst.AsName(name=target))
                | cst.ExceptStarHandler(name=cst.AsName(name=target))
                | cst.Param(name=target)
                | cst.FunctionDef(name=target)
                | cst.ClassDef(name=target)
                | cst.MatchAs(name=cst.Name() as target)
                | cst.MatchStar(name=cst.Name() as target)
                | cst.MatchMapping(rest=cst.Name() as target)
            ):
                yield Binding(node, target)
            case _:
                pass


def bound_names(nodes: Iterable[cst.CSTNode]) -> set[str]:
    """The names that ``nodes`` of a function bind."""
    return {name for binding in bindings(nodes) for name in binding.names}
