"""The generator behind the functions of ``np.random``, which ``np.random.seed`` makes.

It is a variable that goes along with what objects hold. Functions that seed it, and those that draw
from it, are lowered in line: what they do to it is no argument and no result.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.instance import instances
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context, InLine
from mooncake_transpiler.frontend.lower.state.flags import FALSE, OBJECT, TRUE
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Items, Operand, Static

VARIABLE = f"{OBJECT}random.state:random_state"
SEEDED = f"{OBJECT}random.seeded:is_seeded"
HELP = "call np.random.seed(seed) before, in the same function, or draw from default_rng(seed)"


def begin(ctx: Context) -> None:
    """Nothing has been seeded yet."""
    if ctx.outside:
        ctx.frame.bind(SEEDED, FALSE)


def seed(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.random.seed(seed)``."""
    _check_home(ctx)
    maker = Static(External("numpy.random.RandomState"))
    made = ctx.lower.call(ctx, node, maker, given.args, given.keywords)
    ctx.frame.bind(VARIABLE, made)
    ctx.frame.bind(SEEDED, TRUE)
    return NOTHING


def draw(name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``np.random.<name>(...)``."""
    _check_home(ctx)
    state = ctx.frame.values.get(VARIABLE)
    if not isinstance(state, Items) or ctx.frame.values.get(SEEDED) != TRUE:
        message = f"what np.random.{name} draws from is not known: no seed is"
        raise ctx.refuse(node, "MK194", message, HELP)
    method = instances.attribute(ctx, node, state, name)
    assert method is not None
    return ctx.lower.call(ctx, node, method, given.args, given.keywords, hint)


def _check_home(ctx: Context) -> None:
    """Refuse to be called, but where all that is wrong with a function is looked for."""
    if not ctx.outside and not ctx.skipped:
        raise InLine
