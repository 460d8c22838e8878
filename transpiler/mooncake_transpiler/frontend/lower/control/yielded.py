"""``for`` over what a generator function yields: its body runs where the items are yielded."""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.lower.call import generators
from mooncake_transpiler.frontend.lower.call.results import convert_result
from mooncake_transpiler.frontend.lower.control.exits import Shape, latch_names
from mooncake_transpiler.frontend.lower.merge import branches
from mooncake_transpiler.frontend.lower.state import yielding
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import EXIT, FALSE, RESULT, RETURNED, cell
from mooncake_transpiler.frontend.lower.state.flow import LoopExits
from mooncake_transpiler.frontend.lower.state.leaves import atom_of
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Closure, Conflict, Generator


def lower(
    ctx: Context, node: cst.For, shape: Shape, over: Generator, *, is_endless: bool = False
) -> None:
    frame, body = ctx.frame, yielding.body_of(node)
    if any(name not in frame.cells for name in body.names):
        assert frame.home is not None
        raise ctx.learnt.share(frame.home, body.names)
    flags = (body.broken, body.returned, body.result)
    for name in flags:
        frame.cells[name] = cell(ctx.new_key(), "left", "")
    for name in flags[:2]:
        frame.bind(name, FALSE)
    _run(ctx, node, shape, over, body)
    broken, returned, result = (frame.values.get(frame.cells.pop(name), NOTHING) for name in flags)
    if not frame.reachable:
        return

    def leave() -> None:
        if isinstance(result, Conflict):
            reason = f"the results have no single type: {result.reason}"
            raise ctx.refuse(node, "MK212", reason)
        frame.values[RESULT] = convert_result(ctx, node, result)
        frame.returns.add(frame.bound, ctx.arms, ctx.temporaries)
        frame.leave(EXIT, RETURNED)

    def stay() -> None:
        if shape.orelse:
            branches.branch(
                ctx, atom_of(broken), lambda: None,
                lambda: ctx.lower.block(ctx, shape.orelse, shape.live, shape.follow),
                shape.live | frame.latch, shape.follow,
            )  # fmt: skip

    if is_endless and atom_of(broken) == FALSE:
        leave()
        return
    branches.branch(ctx, atom_of(returned), leave, stay, shape.live | frame.latch, shape.follow)


def _run(
    ctx: Context, node: cst.For, shape: Shape, over: Generator, body: yielding.LoopFunction
) -> None:
    """Run the generator, with the body of the loop in place of its ``yield``."""
    frame, around = ctx.frame, ctx.pushed
    latch = latch_names(ctx, shape)
    known = latch | frame.flow.captured | {body.broken, body.returned, body.result}
    live = (cell for name, cell in frame.cells.items() if name in known or cell in around)
    frame.loops.append(LoopExits(latch, True, frozenset(body.names)))
    ctx.pushed = tuple(dict.fromkeys([*around, *live]))
    try:
        generators.run(ctx, node.iter, over, Closure("body", body.node, frame, {}))
    finally:
        ctx.pushed = around
        frame.loops.pop()
