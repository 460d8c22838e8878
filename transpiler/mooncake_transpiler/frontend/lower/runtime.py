"""What generated functions call of the runtime, as the statements that emission made calls of.

All functions of ``mooncake_runtime`` that a generated module can mention stand in ``HANDLERS``, but
for its scalar kernels, which are scalar ops, and for decorators.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import libcst as cst
from mooncake_rules.arrays import Arr, Num
from mooncake_rules.primitives import PREFIX, PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.lower import borders, growth, memory, stores, whole
from mooncake_transpiler.frontend.lower.arguments import Arguments
from mooncake_transpiler.frontend.lower.context import Context
from mooncake_transpiler.frontend.lower.operands import NOTHING, Items, Operand, describe
from mooncake_transpiler.frontend.lower.scalars import is_scalar
from mooncake_transpiler.frontend.lower.stage import LoweringStage
from mooncake_transpiler.types import Array, Scalar

Handler = Callable[[Context, cst.Call, Arguments, str], Operand]
Kind = tuple[str, int]  # dtype and rank; a scalar has rank 0

# ---- primitives ---------------------------------------------------------------------------------


def _like(k: int, ndim: int | None = None) -> Callable[[Sequence[Kind]], Kind]:
    """The dtype of the first argument, and the rank of argument ``k`` or the given one."""
    return lambda args: (args[0][0], args[k][1] if ndim is None else ndim)


def _ints(k: int) -> Callable[[Sequence[Kind]], Kind]:
    return lambda args: ("int64", args[k][1])


def _whole(args: Sequence[Kind]) -> Kind:
    return "complex128", args[0][1]


def _truth(args: Sequence[Kind]) -> Kind:
    return "bool", 0


_MATRIX, _VECTOR = _like(0, 2), _like(0, 1)

# The results of each primitive, by the types of its arguments.
_RESULTS: Mapping[str, Sequence[Callable[[Sequence[Kind]], Kind]]] = {
    "matmul": (lambda args: (args[0][0], args[0][1] + args[1][1] - 2),),
    "matmul_add": (),
    "cholesky": (_MATRIX,),
    "solve_triangular": (_like(1),),
    "lu": (_MATRIX, lambda args: ("int64", 1)),
    "lu_solve": (_like(2),),
    "solve": (_like(1),),
    "inv": (_MATRIX,),
    "qr": (_MATRIX, _MATRIX),
    "svd": (_MATRIX, _VECTOR, _MATRIX),
    "eigh": (_VECTOR, _MATRIX),
    "eig": (lambda args: ("complex128", 1), lambda args: ("complex128", 2)),
    "fft": (_whole,),
    "argsort": (_ints(0),),
    "searchsorted": (_ints(1),),
    "indefinite": (_truth,),
    "singular": (_truth,),
    "same_overlap": (_truth,),
}


def _primitive(name: str, ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """``kernels.name(...)``."""
    stage, known = LoweringStage(ctx, node), PRIMITIVES[PREFIX + name]
    args: list[Arr | Num | bool | int | float | complex] = []
    for k, operand in enumerate(given.positional(ctx, node, name)):
        arg = whole.to_library(ctx, node, operand)
        if not isinstance(arg, Arr | Num | bool | int | float | complex):
            raise ctx.refuse(node, "MK213", f"kernels.{name} takes no {describe(operand)}")
        args.append(stage.writable(arg) if k in known.writes and isinstance(arg, Arr) else arg)
    kinds = [_kind(arg) for arg in args]
    outs = stage.primitive(name, args, [result(kinds) for result in _RESULTS[name]])
    if known.sizes is not None and isinstance(outs[0], Arr):
        sizes = known.sizes([ndim for _, ndim in kinds])
        arrays = [arg if isinstance(arg, Arr) else None for arg in args]
        shape = [array.shape[axis] for k, axis in sizes if (array := arrays[k]) is not None]
        outs = (stage.shaped(outs[0], shape),)
    found = tuple(whole.from_library(ctx, node, out) for out in outs)
    return NOTHING if not found else found[0] if len(found) == 1 else Items(found)


def _kind(arg: object) -> Kind:
    match arg:
        case Arr(dtype=dtype, ndim=ndim):
            return dtype, ndim
        case Num(dtype=dtype):
            return dtype, 0
        case _:
            return "bool", 0


# ---- arrays -------------------------------------------------------------------------------------


def _array(ctx: Context, node: cst.CSTNode, operand: Operand | None) -> ir.Value:
    if isinstance(operand, ir.Value) and isinstance(operand.type, Array):
        return operand
    got = "nothing" if operand is None else describe(operand)
    raise ctx.refuse(node, "MK213", f"expected an array in memory, got {got}")


def _reshaped(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    array, shape = given.take(ctx, node, "reshaped", "array", "shape")
    assert shape is not None
    sizes = shape.items if isinstance(shape, Items) else (shape,)
    to = [size for size in sizes if is_scalar(size)]
    assert len(to) == len(sizes)
    return memory.reshape(ctx, _array(ctx, node, array), tuple(to), hint)


EXTENT, OVERLAP = "%extent", "%overlap"  # no class is called so


def _extent(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    (array,) = given.take(ctx, node, "extent", "array")
    return Items((_array(ctx, node, array),), cls=EXTENT)


def _overlaps(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """Shadows for all arrays whose extents are given; ``shadow`` takes one of them.

    They are apart, so the arrays must be, too: derivatives know no shadows that overlap.
    """
    (extents,) = given.take(ctx, node, "overlaps", "extents")
    assert isinstance(extents, Items)
    arrays = [_array(ctx, node, e.items[0]) for e in extents.items if isinstance(e, Items)]
    outs: list[ir.Value] = []
    for array in arrays:
        assert isinstance(array.type, Array)
        dtype = array.type.dtype
        zero = ir.zero(Scalar(dtype))
        outs.append(memory.alloc(ctx, dtype, memory.shape(ctx, array), zero))
    for (x, x_bar), (y, y_bar) in combinations(zip(arrays, outs, strict=True), 2):
        if stores.may_meet(ctx, x, ctx.base(y)):
            args = Arguments((x, y, x_bar, y_bar), {})
            apart = _primitive("same_overlap", ctx, node, args, "")
            assert isinstance(apart, ir.Value)
            message = "arrays overlap whose shadows are differentiated"
            LoweringStage(ctx, node).require(Num(LoweringStage(ctx, node), apart, "bool"), message)
    return Items(tuple(outs), cls=OVERLAP)


def _shadow(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    _, overlap, number = given.take(ctx, node, "shadow", "array", "overlap", "number")
    match overlap, number:
        case Items(cls=str(cls), items=items), ir.Const(value=int(k)) if cls == OVERLAP:
            return whole.settle(ctx, items[k], hint)
        case _:
            message = "what shadow() is given must come from overlaps()"
            raise ctx.refuse(node, "MK213", message)


def _ruled(ctx: Context, node: cst.Call, given: Arguments, hint: str) -> Operand:
    """The result of a function that has a rule of the user's, which is not to be seen here."""
    message = "what this is computed from has a derivative rule in the original module"
    help_ = "ask for modes=hvp there, or call functions without a rule of their own"
    raise ctx.refuse(node, "MK416", message, help_)


HANDLERS: Mapping[str, Handler] = {
    "mooncake_runtime.scalar_kernels.ruled": _ruled,
    **{f"mooncake_runtime.kernels.{name}": partial(_primitive, name) for name in _RESULTS},
    "mooncake_runtime.reshaping.reshaped": _reshaped,
    "mooncake_runtime.shadows.extent": _extent,
    "mooncake_runtime.shadows.overlaps": _overlaps,
    "mooncake_runtime.shadows.shadow": _shadow,
    **growth.HANDLERS,
    **borders.HANDLERS,
}
