"""Calls of ``mooncake_runtime.kernels`` in generated functions.

Those that have derivatives are called as functions with a pullback that are nothing but the kernel.
The others give integers, bools and random numbers, and stay primitives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import libcst as cst
from mooncake_rules.arrays import Arr, Num
from mooncake_rules.library.support import add_into
from mooncake_rules.primitives import PRIMITIVES, Sizes

from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.array.stage import LoweringStage
from mooncake_transpiler.frontend.lower.state.arguments import Arguments, Handler
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.leaves import describe
from mooncake_transpiler.frontend.lower.state.operands import NOTHING, Operand
from mooncake_transpiler.ir.function_names import primitive_name


def _differentiable(
    name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str
) -> Operand:
    """A kernel as the function that is nothing but it; what it adds to an argument comes last."""
    args, stage = _args(name, ctx, node, given), LoweringStage(ctx, node)
    known = PRIMITIVES[primitive_name(name)]
    written = [args[k] for k in known.writes]
    read = [arg for k, arg in enumerate(args) if k not in known.writes]
    assert known.pull is not None
    found = stage.rule(f"kernel_{name}", known.pull, *read)
    for target, change in zip(written, found, strict=False):
        assert isinstance(target, Arr)
        add_into(stage, stage.writable(target), change)
    if written:
        return NOTHING
    if known.sizes is not None:
        arrays = [arg for arg in args if isinstance(arg, Arr)]
        shapes = known.sizes([array.ndim for array in arrays])
        found = tuple(
            _shaped(stage, out, shape, arrays) for out, shape in zip(found, shapes, strict=True)
        )
    return whole.from_library(ctx, node, found[0] if len(found) == 1 else found)


def _shaped(stage: LoweringStage, out: Num | Arr, shape: Sizes, arrays: Sequence[Arr]) -> Num | Arr:
    """``out``, with what is known of its shape."""
    if not isinstance(out, Arr):
        return out
    return stage.shaped(out, [arrays[k].shape[axis] for k, axis in shape])


def _args(name: str, ctx: Context, node: cst.Call, given: Arguments) -> list[object]:
    """The arguments; flags are plain."""
    found: list[object] = []
    for operand in given.positional(ctx, node, name):
        arg = whole.to_library(ctx, node, operand)
        if not isinstance(arg, Arr | Num | bool | int | float | complex):
            raise ctx.refuse(node, "MK213", f"kernels.{name} takes no {describe(operand)}")
        found.append(arg)
    return found


# ---- integers and bools -------------------------------------------------------------------------


# What comes out: an element type, and the shape of which argument it has; or that of a vector.
_OTHERS: Mapping[str, tuple[str, int | tuple[int, ...] | None]] = {
    "argsort": ("int64", 0),
    "searchsorted": ("int64", 1),
    "indefinite": ("bool", None),
    "singular": ("bool", None),
    "same_overlap": ("bool", None),
    "next_double": ("float64", None),
    "next_normal": ("float64", None),
    "next_exponential": ("float64", None),
    "next_bounded": ("int64", None),
    "next_word": ("int64", None),
    "pcg64": ("uint64", (6,)),  # states
    "mt19937": ("int64", (625,)),
    "pivots": ("int64", ()),  # of a length that is not known
}


def primitive(name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """A primitive whose result has no derivative."""
    args = _args(name, ctx, node, given)
    dtype, like = _OTHERS[name]
    model = args[like] if isinstance(like, int) else None
    ndim = model.ndim if isinstance(model, Arr) else int(isinstance(like, tuple))
    stage = LoweringStage(ctx, node)
    values = [arg for arg in args if isinstance(arg, Arr | Num | bool | int | float | complex)]
    (out,) = stage.primitive(name, values, ((dtype, ndim),))
    shape = model.shape if isinstance(model, Arr) else like if isinstance(like, tuple) else ()
    if isinstance(out, Arr) and shape:
        out = stage.shaped(out, shape)
    return whole.from_library(ctx, node, out)


HANDLERS: Mapping[str, Handler] = {
    **{f"mooncake_runtime.kernels.{name}": partial(_differentiable, name)
       for name in (known.name for known in PRIMITIVES.values() if known.pull is not None)},
    **{f"mooncake_runtime.kernels.{name}": partial(primitive, name) for name in _OTHERS},
}  # fmt: skip
