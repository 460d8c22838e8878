"""Calls of ``mooncake_runtime.kernels`` in generated functions.

Those that have derivatives are called as the functions of the library that are nothing but the
kernel: differentiation knows their rules. The others give integers and bools, and stay primitives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import libcst as cst
from mooncake_rules.arrays import Arr, Num, Stage
from mooncake_rules.library.fourier import transform
from mooncake_rules.library.support import add_into

from mooncake_transpiler.frontend.lower import whole
from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import Operand, describe
from mooncake_transpiler.frontend.lower.stage import LoweringStage

Handler = Callable[[Context, cst.Call, Arguments, str], Operand]
Kernel = Callable[..., object]


def _same(function: str, **keywords: object) -> Kernel:
    """``function`` of the library, called with the arguments of the kernel."""
    return lambda s, *args: s.call(function, *args, **keywords)


def _matmul_add(s: Stage, a: Arr, b: Arr, c: Arr) -> object:
    """``c += a @ b``; of two vectors the outer product."""
    function = "numpy.matmul" if a.ndim + b.ndim > 2 else "numpy.outer"
    add_into(s, c, s.call(function, a, b))
    return None


def _solve_triangular(s: Stage, a: Arr, b: Arr, lower: bool, trans: bool, unit: bool) -> object:
    function = "scipy.linalg.solve_triangular"
    return s.call(function, a, b, trans=int(trans), lower=lower, unit_diagonal=unit)


def _lu_solve(s: Stage, lu: Arr, pivots: Arr, b: Arr, trans: bool) -> object:
    return s.call("scipy.linalg.lu_solve", (lu, pivots), b, trans=int(trans))


def _fft(s: Stage, a: Arr, inverse: bool) -> object:
    return transform(s, a, a.ndim - 1, inverse)


_DIFFERENTIABLE: Mapping[str, Kernel] = {
    "matmul": _same("numpy.matmul"),
    "matmul_add": _matmul_add,
    "cholesky": _same("numpy.linalg.cholesky"),
    "solve_triangular": _solve_triangular,
    "lu": _same("scipy.linalg.lu_factor"),
    "lu_solve": _lu_solve,
    "solve": _same("numpy.linalg.solve"),
    "inv": _same("numpy.linalg.inv"),
    "qr": _same("numpy.linalg.qr"),
    "svd": _same("numpy.linalg.svd", full_matrices=False),
    "eigh": _same("numpy.linalg.eigh"),
    "fft": _fft,
}


def _differentiable(
    kernel: Kernel, name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str
) -> Operand:
    args = _args(name, ctx, node, given)
    if name == "matmul_add":
        target = args[2]
        assert isinstance(target, Arr)
        args[2] = LoweringStage(ctx, node).writable(target)
    found = kernel(LoweringStage(ctx, node), *args)
    result = tuple(found) if isinstance(found, tuple) else found
    return whole.from_library(ctx, node, result)


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

# What comes out: an element type, and the rank of which argument it has.
_OTHERS: Mapping[str, tuple[str, int | None]] = {
    "argsort": ("int64", 0),
    "searchsorted": ("int64", 1),
    "indefinite": ("bool", None),
    "singular": ("bool", None),
    "same_overlap": ("bool", None),
}


def primitive(name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """A primitive whose result carries no floats."""
    args = _args(name, ctx, node, given)
    dtype, like = _OTHERS[name]
    model = None if like is None else args[like]
    ndim = model.ndim if isinstance(model, Arr) else 0
    stage = LoweringStage(ctx, node)
    values = [arg for arg in args if isinstance(arg, Arr | Num | bool | int | float | complex)]
    (out,) = stage.primitive(name, values, ((dtype, ndim),))
    if isinstance(out, Arr) and isinstance(model, Arr):
        out = stage.shaped(out, model.shape)
    return whole.from_library(ctx, node, out)


HANDLERS: Mapping[str, Handler] = {
    **{f"mooncake_runtime.kernels.{name}": partial(_differentiable, kernel, name)
       for name, kernel in _DIFFERENTIABLE.items()},
    **{f"mooncake_runtime.kernels.{name}": partial(primitive, name) for name in _OTHERS},
}  # fmt: skip
