"""Small views of the concrete syntax tree that lowering and its analyses share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import libcst as cst

from mooncake_transpiler.frontend.text import trees

BINARY: dict[type[cst.CSTNode], str] = {
    cst.Add: "add", cst.Subtract: "sub", cst.Multiply: "mul", cst.Divide: "div",
    cst.FloorDivide: "floordiv", cst.Modulo: "mod", cst.Power: "pow",
    cst.BitAnd: "bitand", cst.BitOr: "bitor", cst.BitXor: "bitxor",
    cst.LeftShift: "lshift", cst.RightShift: "rshift",
}  # fmt: skip

Hint = str | tuple["Hint", ...]  # the names of a target: ``i``, or ``i, (a, b)``
Stmt = cst.BaseSmallStatement | cst.BaseCompoundStatement


class Hidden(cst.Name):
    """A variable that no program can have."""

    def _validate(self) -> None:
        return


@cache
def functions_in(text: str) -> dict[str, cst.FunctionDef]:
    """The functions that a ``text`` of ours defines."""
    body = cst.parse_module(text).body
    return {node.name.value: node for node in body if isinstance(node, cst.FunctionDef)}


def assign(target: cst.Name, value: cst.BaseExpression) -> cst.Assign:
    """``target = value``."""
    return cst.Assign([cst.AssignTarget(target)], value)


def flat(body: cst.BaseSuite | None) -> tuple[Stmt, ...]:
    """The statements of a block, ``a; b`` lines taken apart."""
    if body is None:
        return ()
    found: list[Stmt] = []
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            found.extend(line.body)
        elif isinstance(line, cst.BaseSmallStatement | cst.BaseCompoundStatement):
            found.append(line)
    return tuple(found)


def else_body(orelse: cst.If | cst.Else | None) -> tuple[Stmt, ...]:
    """The statements of an ``else`` or ``elif`` clause."""
    match orelse:
        case None:
            return ()
        case cst.If():
            return (orelse,)
        case cst.Else(body=body):
            return flat(body)


def parts(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """The direct subexpressions of ``node`` in evaluation order, target names left out."""
    match node:
        case cst.Name() | cst.BaseNumber() | cst.SimpleString() | cst.Ellipsis():
            return ()
        case cst.BinaryOperation(left=left, right=right):
            return (left, right)
        case cst.BooleanOperation(left=left, right=right):
            return (left, right)
        case cst.UnaryOperation(expression=inner):
            return (inner,)
        case cst.Comparison(left=left, comparisons=rest):
            return (left, *(target.comparator for target in rest))
        case cst.Attribute(value=value) | cst.NamedExpr(value=value):
            return (value,)
        case cst.Subscript(value=value, slice=items):
            return (value, *(item.slice for item in items))
        case cst.Index(value=value):
            return (value,)
        case cst.Slice(lower=lower, upper=upper, step=step):
            return [bound for bound in (lower, upper, step) if bound is not None]
        case cst.Call(func=func, args=args):
            return (func, *(arg.value for arg in args))
        case cst.IfExp(test=test, body=body, orelse=orelse):
            return (test, body, orelse)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return [element.value for element in elements]
        case _:
            return tuple(trees.children(node))


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``node`` and everything below it (iterative: expressions may be deep)."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(parts(top))


def target_names(target: cst.BaseExpression) -> Iterator[str]:
    """The names that assigning to ``target`` binds, as text."""
    return (name.value for name in trees.target_names(target))


def target_hint(target: cst.BaseExpression) -> Hint:
    """The names of an assignment target, nested as it is."""
    match target:
        case cst.Name(value=name):
            return name if name.isidentifier() else ""
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            if any(isinstance(element, cst.StarredElement) for element in elements):
                return ""
            return tuple(target_hint(element.value) for element in elements)
        case _:
            return ""


def target_reads(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The expressions that assigning to ``target`` evaluates (``x`` and ``i`` in ``x[i]``)."""
    match target:
        case cst.Name():
            return
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from target_reads(element.value)
        case _:
            yield target


def pattern_names(pattern: cst.CSTNode) -> Iterator[str]:
    """The names that a ``case`` pattern captures."""
    for node in walk(pattern):
        match node:
            case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
                yield name
            case cst.MatchMapping(rest=cst.Name(value=name)):
                yield name
            case _:
                pass
