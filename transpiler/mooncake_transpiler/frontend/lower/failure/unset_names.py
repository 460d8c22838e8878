"""Reads of names that may not be set: tested at run time, as Python does."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower.failure import failing, throwing
from mooncake_transpiler.frontend.lower.state import errors
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Error
from mooncake_transpiler.frontend.lower.state.flags import FALSE, flag_of, is_cell
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import Conflict, Frame
from mooncake_transpiler.frontend.lower.state.unset import NeverSet, NotReached, set_from_here
from mooncake_transpiler.frontend.lower.state.yielding import is_body


def check(ctx: Context, node: cst.CSTNode, owner: Frame, name: str, variable: str) -> None:
    """Let ``variable``, the ``name`` of ``owner``, be set from here on, or raise Python's error."""
    values = (ctx.frame if is_cell(variable) else owner).values
    flag = values.get(flag_of(variable))
    set_later = any(name in exits.sets for exits in owner.loops)
    if owner.node is None or (values.get(variable) is None and not set_later):
        raise ctx.refuse(node, "MK210", f"{name!r} is read before it is assigned")
    if flag is None:
        raise ctx.learnt.flag(owner.node, name)
    if isinstance(flag, Conflict):
        message = f"it is not known here whether {name!r} is set: {flag.reason}"
        raise ctx.refuse(node, "MK211", message, f"assign {name} before the loop")
    cls, message = _error(name, _within(ctx.frame) is owner)
    if flag == FALSE:
        raise NeverSet(node, cls, message)
    if values.get(variable) is None:
        message = f"{name!r} may not be set here, and is no number, array or tuple of these"
        raise ctx.refuse(node, "MK211", message, f"assign {name} before the loop")
    failing.require(ctx, node, atom_of(flag), message, cls)
    if is_cell(variable) or ctx.frame is owner:
        set_from_here(ctx.frame, variable)


def _within(frame: Frame) -> Frame:
    """The frame of the function that the user has written."""
    while is_body(frame.node) and frame.parent is not None:
        frame = frame.parent
    return frame


def _error(name: str, is_local: bool) -> tuple[str, str]:
    """The exception that Python raises for ``name``: its class and words."""
    if is_local:
        message = f"cannot access local variable {name!r} where it is not associated with a value"
        return "UnboundLocalError", message
    message = f"cannot access free variable {name!r} where it is not associated with a value"
    return "NameError", f"{message} in enclosing scope"


def ended(ctx: Context, body: Callable[[], None]) -> None:
    """Run ``body``, which ends where a call always raises, or a name is certainly not set."""
    before = ctx.mark() if ctx.learnt.flagged or ctx.supposing else None
    try:
        body()
    except NotReached:
        pass
    except NeverSet as found:
        if before is None:
            raise
        ctx.reset(before)
        fail(ctx, found)


def fail(ctx: Context, found: NeverSet) -> None:
    """Raise Python's error here."""
    cls = errors.known(found.cls)
    value = throwing.implicit(ctx, cls) if throwing.caught(ctx, cls) else None
    throwing.throw(ctx, found.node, Error(cls, found.message), value)


def never_there(ctx: Context, node: cst.CSTNode, message: str, cls: str = "IndexError") -> None:
    """An item is not there, but in a loop, of which an iteration may make it for the next one.

    The rest of the statement is not reached then.
    """
    if any(frame.loops for frame in ctx.frames):
        fail(ctx, NeverSet(node, cls, message))
        raise NotReached


def require_there(ctx: Context, node: cst.CSTNode, there: ir.Atom, message: str) -> None:
    """An IndexError unless an item is ``there``."""
    if there == FALSE:
        never_there(ctx, node, message)
    failing.require(ctx, node, there, message, "IndexError")


def where_caught(ctx: Context, node: cst.CSTNode, cls: str, message: str) -> None:
    """Raise the error of what always fails, where there is a handler for it."""
    if throwing.caught(ctx, errors.known(cls)):
        fail(ctx, NeverSet(node, cls, message))
        raise NotReached
