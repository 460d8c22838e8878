"""The exceptions that a function of the program may raise, as far as its text tells.

A call inside a ``try`` stays a call where none of them concerns the ``try``.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from mooncake_transpiler.frontend.entities import Entity, External, FunctionDecl
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import ErrorClass
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.trees import bound_names, walk

_DIVISIONS = (
    cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power,
    cst.DivideAssign, cst.FloorDivideAssign, cst.ModuloAssign, cst.PowerAssign,
)  # fmt: skip
_QUIET = frozenset({"abs", "bool", "float", "len", "max", "min", "range", "enumerate", "print"})


def concerns(ctx: Context, decl: FunctionDecl) -> bool:
    """True if something around the call has to do with what ``decl`` may raise."""
    if not throwing.active(ctx):
        return False
    return _concerns(ctx, decl, (), set())


def tells(ctx: Context, decl: FunctionDecl) -> bool:
    """True if ``decl`` may raise what tells fields of parameters, and so must know them."""
    if not ctx.heap.given:
        return False
    assigned, found = bool(ctx.assigned()), dict[str, FunctionDecl]()
    is_finite = _collect(ctx, decl, (), found)  # what recurs can't be lowered in line
    return is_finite and any(_tells(ctx, one, assigned) for one in found.values())


def _collect(
    ctx: Context, decl: FunctionDecl, around: tuple[str, ...], found: dict[str, FunctionDecl]
) -> bool:
    """Add ``decl`` and the functions that it calls to ``found``; whether none of them recurs."""
    if decl.qualname in found:
        return decl.qualname not in around
    found[decl.qualname] = decl
    nodes = list(walk(decl.node.body))
    local = bound_names([*nodes, *walk(decl.node.params)])
    module = ctx.source.modules[decl.module]
    called = [resolve(ctx.source, module, n.func, local) for n in nodes if isinstance(n, cst.Call)]
    inner = (*around, decl.qualname)
    return all(_collect(ctx, c, inner, found) for c in called if isinstance(c, FunctionDecl))


def _tells(ctx: Context, decl: FunctionDecl, assigned: bool) -> bool:
    """True if ``decl`` raises by itself: after fields were ``assigned``, or with fields."""
    module = ctx.source.modules[decl.module]
    for node in walk(decl.node.body):
        match node:
            case cst.Raise(exc=cst.Call(func=func)):
                if assigned or resolve(ctx.source, module, func) == errors.TELLING:
                    return True
            case cst.Raise() | cst.Assert() if assigned:
                return True
            case _:
                pass
    return False


def check_closed(ctx: Context, node: cst.CSTNode, decl: FunctionDecl) -> None:
    """The body of a rule is compiled apart: what it raises is caught by nothing around it."""
    if concerns(ctx, decl):
        message = f"what {decl.name} raises can't be caught: it is a function of its own"
        raise ctx.refuse(node, "MK351", message, "test the arguments before, outside of it")


def check_recursion(ctx: Context, node: cst.CSTNode, decl: FunctionDecl) -> None:
    """Refuse recursion that raises into a ``try``: it would have to be lowered in line."""
    inside = any(callee is decl.node for callee, _ in ctx.inlining)
    if inside and concerns(ctx, decl):
        message = f"what the recursive function {decl.name} raises can't be caught here"
        raise ctx.refuse(node, "MK351", message, "return a flag instead, or write a loop")


def _concerns(ctx: Context, decl: FunctionDecl, around: tuple[str, ...], seen: set[str]) -> bool:
    if decl.qualname in around:
        return throwing.caught(ctx, errors.known("RecursionError"))
    if decl.qualname in seen:
        return False
    seen.add(decl.qualname)
    inner = (*around, decl.qualname)
    nodes = list(walk(decl.node.body))
    local = bound_names([*nodes, *walk(decl.node.params)])
    module = ctx.source.modules[decl.module]
    return any(
        _call_raises(ctx, resolve(ctx.source, module, node.func, local), inner, seen)
        if isinstance(node, cst.Call)
        else _raises(ctx, decl, node, local)
        for node in nodes
    )


def _raises(ctx: Context, decl: FunctionDecl, node: cst.CSTNode, local: set[str]) -> bool:
    match node:
        case cst.Raise(exc=cst.Call(func=exc)) | cst.Raise(exc=cst.BaseExpression() as exc):
            module = ctx.source.modules[decl.module]
            entity = resolve(ctx.source, module, exc, local)
            cls = errors.of_entity(ctx.source, entity)
            return cls is None or throwing.is_jump(ctx, cls)
        case cst.Assert():
            return throwing.is_jump(ctx, errors.known("AssertionError"))
        case _:
            return any(throwing.caught(ctx, cls) for cls in _own(node))


def _own(node: cst.CSTNode) -> Iterator[ErrorClass]:
    """The exceptions that Python may raise for a node by itself."""
    if isinstance(node, _DIVISIONS):
        yield errors.known("ZeroDivisionError")
        yield errors.known("OverflowError")
    if isinstance(node, cst.BinaryOperation | cst.AugAssign | cst.Subscript):
        yield errors.known("ValueError")  # shapes that don't fit
    if isinstance(node, cst.Subscript):
        yield errors.known("IndexError")
    if isinstance(node, cst.MatrixMultiply | cst.MatrixMultiplyAssign | cst.Comparison):
        yield errors.known("ValueError")


def _call_raises(
    ctx: Context, entity: Entity | None, around: tuple[str, ...], seen: set[str]
) -> bool:
    match entity:
        case FunctionDecl():
            return _concerns(ctx, entity, around, seen)
        case External(qualname=qualname):
            module, _, name = qualname.rpartition(".")
            if module == "builtins" and name in _QUIET:
                return False
            if errors.of_entity(ctx.source, entity) is not None:
                return False  # an exception is made, not raised
            found = [errors.known(n) for n in ("ValueError", "OverflowError", "IndexError")]
            if module != "math":
                found.append(errors.linear_algebra())
            return any(throwing.caught(ctx, cls) for cls in found)
        case _:
            return True
