"""The loops that comprehensions stand for, in a scope of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.object import objects
from mooncake_transpiler.frontend.lower.state import leaving
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flow import NO_NAMES, walrus_names, written
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Frame, Operand, Static
from mooncake_transpiler.frontend.lower.state.syntax import Hidden
from mooncake_transpiler.frontend.lower.state.unset import NotReached

OfItems = cst.ListComp | cst.SetComp | cst.GeneratorExp
Comprehension = OfItems | cst.DictComp


ITERABLE, OUT, STEP, SEEN, ENUMERATE = (
    Hidden(f"%{name}:") for name in ("iterable", "made", "step", "seen", "enumerate")
)


def lowered(
    ctx: Context,
    node: Comprehension,
    loop: cst.For,
    given: Mapping[str, Operand],
    result: cst.BaseExpression = OUT,
) -> Operand:
    names = [*written([loop]), *given, ENUMERATE.value]
    frame = Frame(ctx.frame.module, [loop], names, ctx.frame)
    frame.share(ctx.new_key(), node, ctx.learnt.shared.get(node, NO_NAMES))
    frame.cells |= _of_function(ctx, node, walrus_names(loop))
    origin = ctx.builder.origin
    with leaving.inside(ctx, frame):
        for name, value in given.items():
            frame.bind(name, value)
        frame.bind(ENUMERATE.value, Static(External("builtins.enumerate")))
        ctx.lower.block(ctx, [loop], frozenset(given), False)
        ctx.builder.origin = origin
        found = NOTHING if frame.raised else ctx.lower.expression(ctx, result)
    if frame.raised:
        ctx.frame.bound, ctx.frame.raised = None, True
        raise NotReached
    objects.forget(ctx, frame, found)
    return found


def _of_function(ctx: Context, node: Comprehension, names: Sequence[str]) -> dict[str, str]:
    """The variables of the function around that ``:=`` binds in a comprehension."""
    frame = ctx.frame
    while isinstance(frame.home, Comprehension) and frame.parent is not None:
        frame = frame.parent
    if names and frame.home is None:
        message = "`:=` in a comprehension outside of functions is not supported"
        raise ctx.refuse(node, "MK110", message)
    if not frame.cells.keys() >= set(names):
        assert frame.home is not None
        raise ctx.learnt.share(frame.home, names)
    return {name: frame.cells[name] for name in names}


def block(inner: cst.BaseSmallStatement | cst.BaseCompoundStatement) -> cst.IndentedBlock:
    if isinstance(inner, cst.BaseSmallStatement):
        return cst.IndentedBlock([cst.SimpleStatementLine([inner])])
    return cst.IndentedBlock([inner])


def call(function: cst.BaseExpression, *args: cst.BaseExpression) -> cst.Expr:
    return cst.Expr(cst.Call(function, [cst.Arg(arg) for arg in args]))


def clauses_of(node: cst.CompFor) -> list[cst.CompFor]:
    found = [node]
    while found[-1].inner_for_in is not None:
        found.append(found[-1].inner_for_in)
    return found
