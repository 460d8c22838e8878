"""Generators that may be kept: calls of generator functions, and generator expressions as such.

(f(x) for x in xs if x > 0)     becomes     def each(items):
                                                for x in items:
                                                    if x > 0:
                                                        yield f(x)

                                            each(xs)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import libcst as cst

from mooncake_transpiler.frontend.lower.array import delayed
from mooncake_transpiler.frontend.lower.container import comprehensions
from mooncake_transpiler.frontend.lower.container.scoped import ITERABLE
from mooncake_transpiler.frontend.lower.state import yielding
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.flags import FALSE, cell
from mooncake_transpiler.frontend.lower.state.flow import walrus_names
from mooncake_transpiler.frontend.lower.state.operands import Bound, Closure, Generator, Operand
from mooncake_transpiler.frontend.lower.state.syntax import walk

EACH = cst.GeneratorExp(yielding.ITEM, cst.CompFor(yielding.ITEM, ITERABLE))


def made(ctx: Context, func: Operand, bound: Mapping[str, Operand]) -> Generator:
    """The generator that a call of ``func`` returns."""
    kept = {name: delayed.settle(ctx, value, name) for name, value in bound.items()}
    begun = cell(ctx.new_key(), "begun", "")
    ctx.frame.bind(begun, FALSE)
    found = Generator(
        EACH,
        lambda: comprehensions.known(ctx, EACH, found),
        lambda: comprehensions.listed(ctx, EACH, found),
        lambda: found,
        Bound(func, (), kept),
        begun,
    )
    return found


def expression(ctx: Context, node: cst.GeneratorExp) -> Operand:
    """``(element for ...)``, whose items are asked for some time later."""
    over = delayed.settle(ctx, ctx.lower.expression(ctx, node.for_in.iter))
    read = {one.value for one in walk(node) if isinstance(one, cst.Name)}
    for frame in ctx.frame.outwards:
        seen = {name for name in read & frame.locals if name not in frame.cells}
        if seen and frame.home is not None:
            raise ctx.learnt.share(frame.home, seen)
    return made(ctx, Closure("each", _function(node), ctx.frame, {}), {ITERABLE.value: over})


@lru_cache(maxsize=4096)
def _function(node: cst.GeneratorExp) -> cst.FunctionDef:
    inner = cst.Expr(cst.Yield(node.elt))
    loop = comprehensions.loops(node.for_in, inner, ITERABLE)
    outer = [cst.NameItem(cst.Name(name)) for name in dict.fromkeys(walrus_names(node))]
    first = [cst.SimpleStatementLine([cst.Nonlocal(outer)])] if outer else []
    body = cst.IndentedBlock([*first, loop])
    return cst.FunctionDef(cst.Name("each"), cst.Parameters([cst.Param(ITERABLE)]), body)
