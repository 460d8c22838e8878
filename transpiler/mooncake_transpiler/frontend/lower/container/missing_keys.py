"""KeyErrors of dicts whose keys are known, and what they tell of the key."""

from __future__ import annotations

import libcst as cst
from mooncake_runtime.formatted import braced

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import EnumMember
from mooncake_transpiler.frontend.lower.failure import throwing
from mooncake_transpiler.frontend.lower.failure.throwing import UNKNOWN
from mooncake_transpiler.frontend.lower.scalar import enums, made_texts
from mooncake_transpiler.frontend.lower.state import errors, leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.errors import Error
from mooncake_transpiler.frontend.lower.state.flags import TRUE
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand, Passed, Static

NOT_THERE = "a key that is not there"  # of a text, which compiled code can't tell


def shown_member(ctx: Context, node: cst.CSTNode, member: Static) -> str:
    """The text of a member of an enum as a KeyError shows it."""
    assert isinstance(member.value, EnumMember)
    if "__repr__" in member.value.cls.methods:
        message = f"the KeyError for {describe(member)} would show what its __repr__ makes of it"
        raise ctx.refuse(node, "MK333", message)
    return repr(enums.python(ctx, node, member))


def fail_if(
    ctx: Context, node: cst.CSTNode, cond: ir.Atom, text: str, args: Operand = UNKNOWN
) -> None:
    """Raise a KeyError with ``text`` if ``cond``."""
    cls = errors.known("KeyError")
    if throwing.is_jump(ctx, cls) or cond == TRUE:
        value = throwing.implicit(ctx, cls, args)
        leaving.leave_if(ctx, cond, lambda: throwing.throw(ctx, node, Error(cls, text), value))
        return
    origin = ctx.builder.origin
    fail = ctx.builder.child()
    fail.add(ir.Raise("KeyError", text, origin, ctx.assigned()))
    ctx.builder.add(ir.If((), cond, fail.block(), ctx.builder.child().block(), origin))


def fail_for(ctx: Context, node: cst.CSTNode, key: Passed) -> None:
    """Raise a KeyError that tells ``key``, a text of the caller's."""
    cls = errors.known("KeyError")
    if key.methods or throwing.is_jump(ctx, cls):
        text = f"{key.path} is none of the keys"
        fail_if(ctx, node, TRUE, text, UNKNOWN if key.methods else Items((key,)))
    else:
        told = made_texts.told(ctx, key)
        assert told is not None
        leaving.leave_if(ctx, TRUE, lambda: throwing.fail(ctx, cls.raised, told.text, told.numbers))


def fail_unless(ctx: Context, node: cst.CSTNode, there: ir.Atom, key: Operand) -> None:
    """Raise a KeyError that tells the number ``key``, or the tuple of numbers, unless ``there``."""
    cls = errors.known("KeyError")
    fails = ctx.builder.not_(there)
    if throwing.is_jump(ctx, cls):
        value = throwing.implicit(ctx, cls, Items((key,)))
        throwing.throw_if(ctx, fails, Error(cls, "this key is not there"), value)
        return
    if ctx.assigned():
        message = "a KeyError that tells a number can't leave a function that changes its objects"
        raise ctx.refuse(node, "MK352", message, "test `key in d` before")
    origin = ctx.builder.origin
    fail = ctx.builder.child()
    if isinstance(key, RunText):
        told = () if ctx.heap.makes_texts else (key.number,)
        fail.add(ir.Raise("KeyError", "{:text}" if told else NOT_THERE, origin, (), told))
    elif isinstance(key, Items):
        text, numbers = _shown(key)
        fail.add(ir.Raise("KeyError", text, origin, (), numbers))
    else:
        assert isinstance(key, ir.Value)
        fail.add(ir.Raise("KeyError", None, origin, (), (key,)))
    ctx.builder.add(ir.If((), fails, fail.block(), ctx.builder.child().block(), origin))


def _shown(key: Items) -> tuple[str, tuple[ir.Atom, ...]]:
    """The text of a tuple as Python shows it, with braces for numbers, and these."""
    known = [one.value if isinstance(one, Static | ir.Const) else None for one in key.items]
    parts = ["{}" if one is None else braced(repr(one)) for one in known]
    numbers = tuple(one for one in key.items if isinstance(one, ir.Value))
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})", numbers
