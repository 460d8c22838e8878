"""Expressions that are numbers, as what becomes of them shows.

def energy(bodies: list[Body]) -> float:
    e = 0.0
    for b in bodies:
        e += 0.5 * b.mass * np.dot(b.vel, b.vel)      a number, so vel is a vector
    return e
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from mooncake_transpiler.frontend.name.bindings import ClassBinding
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import bindings, statements, walk
from mooncake_transpiler.reaching import grouped
from mooncake_transpiler.types import ClassRef


def numbers(node: cst.FunctionDef, nodes: Sequence[cst.CSTNode]) -> frozenset[cst.CSTNode]:
    """The expressions among ``nodes``, which are in ``node``, that can't be arrays."""
    values = grouped(
        (one.target.value, one.value)
        for one in bindings(nodes)
        if isinstance(one.target, cst.Name) and not isinstance(one.node, cst.For | cst.CompFor)
    )
    pending = [*_returned(node, nodes), *_given(nodes)]
    found: set[cst.CSTNode] = set()
    while pending:
        one = pending.pop()
        if one is None or one in found:
            continue
        found.add(one)
        pending += values.get(one.value, ()) if isinstance(one, cst.Name) else _parts(one)
    return frozenset(found)


def is_number_property(resolver: Resolver, of: ClassRef, name: str) -> bool:
    """True if the class ``of`` itself has a property ``name`` that says that it is a number."""
    module = resolver.bindings.get(of.module)
    found = None if module is None else module.names.get(of.name)
    if not isinstance(found, ClassBinding):
        return False
    for stmt in statements(found.node.body):
        match stmt:
            case cst.FunctionDef(
                name=cst.Name(value=own),
                decorators=[cst.Decorator(decorator=cst.Name(value="property"))],
                returns=cst.Annotation(annotation=cst.Name(value="float" | "int")),
            ) if own == name:
                return True
            case _:
                pass
    return False


def _returned(
    node: cst.FunctionDef, nodes: Sequence[cst.CSTNode]
) -> Iterator[cst.BaseExpression | None]:
    """The values that a function returns, if it says that they are floats."""
    match node.returns:
        case cst.Annotation(annotation=cst.Name(value="float")):
            inner = {one for nested in nodes for one in _nested(nested)}
            for one in nodes:
                if isinstance(one, cst.Return) and one not in inner:
                    yield one.value
        case _:
            return


def _nested(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.FunctionDef | cst.Lambda):
        yield from walk(node.body)


def _given(nodes: Sequence[cst.CSTNode]) -> Iterator[cst.BaseExpression]:
    """The arguments of functions of ``math``."""
    for one in nodes:
        match one:
            case cst.Call(func=cst.Attribute(value=cst.Name(value="math")), args=args):
                yield from (arg.value for arg in args if not arg.star)
            case _:
                pass


def _parts(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The parts of a number that are numbers, too: NumPy's arithmetic would keep their axes."""
    match node:
        case cst.BinaryOperation(operator=cst.MatrixMultiply()):
            return
        case cst.BinaryOperation(left=left, right=right):
            yield from (left, right)
        case cst.UnaryOperation(expression=inner):
            yield inner
        case cst.IfExp(body=body, orelse=orelse):
            yield from (body, orelse)
        case cst.Call(
            func=cst.Attribute(value=cst.Name(value="np"), attr=cst.Name(value=name)),
            args=[cst.Arg(value=value, star="", keyword=None)],
        ) if name in ("sqrt", "exp", "log", "abs", "square"):
            yield value
        case _:
            return
