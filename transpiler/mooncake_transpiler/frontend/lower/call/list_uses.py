"""Uses of the lists of numbers that a function is given: whether others may see a difference.

Nothing but reading is seen as harmless, under whichever name; what is changed must be its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from mooncake_transpiler.frontend.declaration.outputs import LIST_METHODS
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.frontend.text.trees import bindings, own_nodes, target_names, walk

READING = frozenset({
    "all", "any", "enumerate", "len", "list", "max", "min", "reversed", "sorted", "sum", "tuple",
    "zip",
})  # fmt: skip
NEW = (
    cst.List, cst.ListComp, cst.BinaryOperation, cst.UnaryOperation, cst.Comparison,
    cst.BaseNumber,
)  # fmt: skip
Bound = tuple[str, cst.BaseExpression | None]  # a name, and what it is bound to, if that is written


def only_reads(decl: FunctionDecl, lists: Collection[str]) -> bool:
    """True if ``decl`` changes no list that it is given, or that another level may have."""
    nodes = list(walk(decl.node.body))
    if not _are_read(nodes, lists, [decl.name]):
        return False
    bound, changed = list(_bound(nodes)), {*_changed(nodes)}
    is_own = not gives_back(decl, lists)  # what it gives
    values = [value for name, value in bound if name in changed]
    return changed <= {name for name, _ in bound} and all(
        value is not None and (_is_new(value) or (is_own and _calls(decl, value)))
        for value in values
    )


def calls_are_read(around: FunctionDecl, called: Collection[str]) -> bool:
    """True if ``around`` only reads what functions ``called`` so give, and their arguments."""
    nodes = list(walk(around.node.body))
    calls = [one for one in nodes if isinstance(one, cst.Call) and _name(one) in called]
    values = [arg.value for call in calls for arg in call.args]
    lists = {value.value for value in values if isinstance(value, cst.Name)}
    lists |= {name for name, value in _bound(nodes) if any(value is call for call in calls)}
    others = (value for value in values if not isinstance(value, cst.Name))
    places = {id(one) for node in nodes for one in _read(node, called)}
    is_seen = all(id(call) in places for call in calls)
    return is_seen and all(map(_is_new, others)) and _are_read(nodes, lists, called)


def _name(call: cst.Call) -> str:
    return call.func.value if isinstance(call.func, cst.Name) else ""


def _are_read(
    nodes: Sequence[cst.CSTNode], lists: Collection[str], called: Collection[str]
) -> bool:
    """True if all uses of ``lists``, under any name, read them, or hand them to ``called``."""
    if any(isinstance(one, cst.FunctionDef | cst.Lambda | cst.Yield) for one in nodes):
        return False
    given = _given(list(_bound(nodes)), lists)
    read = {id(one) for node in nodes for one in _read(node, called)}
    read |= {id(part) for one in bindings(nodes) for part in walk(one.target)}
    uses = (one for one in nodes if isinstance(one, cst.Name) and one.value in given)
    return all(id(use) in read for use in uses) and given.isdisjoint(_changed(nodes))


def gives_back(decl: FunctionDecl, lists: Collection[str]) -> bool:
    """True if ``decl`` may return a list that it is given."""
    nodes = own_nodes(decl.node)[0]
    given = _given(list(_bound(nodes)), lists)
    returned = (one.value for one in nodes if isinstance(one, cst.Return) and one.value is not None)
    return any(_stands_for(value, given) for value in returned)


def _bound(nodes: Sequence[cst.CSTNode]) -> Iterator[Bound]:
    """The names that are bound, each with its value."""
    for one in bindings(nodes):
        is_loop = isinstance(one.node, cst.For | cst.CompFor)
        yield from _pairs(one.target, None if is_loop else one.value)


def _pairs(target: cst.CSTNode, value: cst.BaseExpression | None) -> Iterator[Bound]:
    match target, value:
        case cst.Tuple(elements=targets), cst.Tuple(elements=values) if len(targets) == len(values):
            for one, own in zip(targets, values, strict=True):
                yield from _pairs(one.value, own.value)
        case cst.Name(value=name), _:
            yield name, value
        case _:
            yield from ((name.value, None) for name in target_names(target))


def _given(bound: Sequence[Bound], lists: Collection[str]) -> set[str]:
    """The names that may stand for the ``lists``."""
    found = set(lists)
    while True:
        more = {name for name, value in bound if value and _stands_for(value, found)}
        if more <= found:
            return found
        found |= more


def _stands_for(value: cst.BaseExpression, names: Collection[str]) -> bool:
    return any(isinstance(one, cst.Name) and one.value in names for one in _results(value))


def _results(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The expressions of which ``value`` is one."""
    match value:
        case cst.IfExp(body=one, orelse=other) | cst.BooleanOperation(left=one, right=other):
            yield from _results(one)
            yield from _results(other)
        case _:
            yield value


def _read(node: cst.CSTNode, called: Collection[str]) -> Iterator[cst.CSTNode]:
    """The expressions that ``node`` only reads, names, returns, or hands to ``called``."""
    match node:
        case cst.Subscript(value=value) | cst.For(iter=value) | cst.CompFor(iter=value):
            yield value
        case cst.Call(func=cst.Name(value=name), args=args) if name in READING or name in called:
            yield from (arg.value for arg in args)
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget() as to]):
            yield from () if isinstance(to.operator, cst.Is | cst.IsNot) else (left, to.comparator)
        case cst.BinaryOperation(left=left, right=right):
            yield from (left, right)
        case cst.UnaryOperation(expression=value, operator=cst.Not()):
            yield value
        case cst.If(test=test) | cst.While(test=test) | cst.IfExp(test=test):
            yield test
        case cst.StarredElement(value=value):
            yield value
        case cst.Return(value=value) | cst.Assign(value=value) if value is not None:
            parts = value.elements if isinstance(value, cst.Tuple) else [cst.Element(value)]
            yield from (one for part in parts for one in _results(part.value))
        case _:
            return


def _changed(nodes: Sequence[cst.CSTNode]) -> Iterator[str]:
    """The names of what is changed in place, or may be."""
    for node in nodes:
        match node:
            case cst.AssignTarget(target=target) | cst.For(target=target):
                yield from (_root(one) for one in walk(target) if isinstance(one, cst.Subscript))
            case cst.AugAssign(target=target) | cst.Del(target=target):
                yield _root(target)
            case cst.Call(func=cst.Attribute(value=value, attr=cst.Name(value=name))):
                if name in LIST_METHODS:
                    yield _root(value)
            case _:
                pass


def _root(node: cst.BaseExpression) -> str:
    while isinstance(node, cst.Subscript | cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def _is_new(value: cst.BaseExpression) -> bool:
    """True for a number or a list that nobody else has."""
    match value:
        case cst.Subscript(slice=[cst.SubscriptElement(slice=cst.Slice())]):
            return True
        case cst.Call(func=cst.Name(value="list" | "sorted" | "len")):
            return True
        case _:
            return isinstance(value, NEW)


def _calls(decl: FunctionDecl, value: cst.BaseExpression) -> bool:
    return isinstance(value, cst.Call) and _name(value) == decl.name
