"""The guard for a cotangent of 0: gradients are zeros then, even where the value is infinite."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ir.builder import Builder
from mooncake_transpiler.types import BOOL, Array, DType, Scalar, is_differentiable


def zero_for(seed: ir.Value, gradients: Sequence[ir.Atom], b: Builder) -> list[ir.Atom]:
    """``gradients``, or zeros if ``seed`` is 0: arrays are cleared."""
    assert isinstance(seed.type, Scalar)
    is_zero = b.compute("eq", (seed, _zero(seed.type.dtype)), BOOL)
    floats = [a for a in gradients if isinstance(a, ir.Value) and is_differentiable(a.type)]
    cleared = [ir.Assign(a, _zero(a.type.dtype)) for a in floats if isinstance(a.type, Array)]
    scalars = {a: a.type for a in floats if isinstance(a.type, Scalar)}
    outs = tuple(ir.Value(a.hint, type_) for a, type_ in scalars.items())
    zeros = tuple(_zero(type_.dtype) for type_ in scalars.values())
    b.add(ir.If(outs, is_zero, ir.Block(tuple(cleared), zeros), ir.Block((), tuple(scalars))))
    chosen = dict(zip(scalars, outs, strict=True))
    return [chosen.get(a, a) if isinstance(a, ir.Value) else a for a in gradients]


def _zero(dtype: DType) -> ir.Const:
    return ir.Const(0j if dtype.is_complex else 0.0, Scalar(dtype))
