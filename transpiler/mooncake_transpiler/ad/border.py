"""Functions that assign fields of objects: the last values of these are results beside the user's.

Their cotangents are zero, so reverse mode takes no notice of them.
"""

from __future__ import annotations

from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.types import Action, Tuple, Type, fields, leaves


def user_result(func: ir.Func) -> Type:
    """The type of what the user's function returns."""
    if func.border.action is Action.ASSIGN:
        assert isinstance(func.result, Tuple)
        return func.result.items[0]
    return func.result


def last_values(func: ir.Func) -> tuple[Type, ...]:
    """The type of the last values of rebound fields, which is an item of the result, if any."""
    if func.border.action is Action.ASSIGN:
        assert isinstance(func.result, Tuple)
        return func.result.items[1:2]
    return ()


def user_results(func: ir.Func) -> tuple[ir.Atom, ...]:
    """The leaves of what the user's function returns."""
    return func.body.yields[: sum(1 for _ in leaves(user_result(func)))]


def without_last_values(func: ir.Func) -> ir.Func:
    """``func`` with the user's results alone."""
    if func.border.action is not Action.ASSIGN:
        return func
    return replace(
        func,
        result=user_result(func),
        body=ir.Block(func.body.stmts, user_results(func)),
        border=replace(func.border, action=Action.NONE),
    )


def holders(func: ir.Func) -> tuple[tuple[str, Type], ...]:
    """The objects whose fields ``func`` assigns, by path, with their types."""
    wanted = {one.holder for one in func.border.rebound}
    found: dict[str, Type] = {}
    pending = [(param.name, param.type) for param in func.params]
    while pending:
        path, type_ = pending.pop(0)
        if path in wanted:
            found[path] = type_
        if isinstance(type_, Tuple):
            pending += fields(type_, path)
    return tuple(found.items())
