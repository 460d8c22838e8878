"""Calls of pure functions of NumPy, with constants, that have no rule: ``leggauss(5)``.

They are worked out ahead of time, as they are at module level; their arrays are made of numbers.
"""

from __future__ import annotations

import libcst as cst
import numpy as np

from mooncake_transpiler.frontend.constant import pure
from mooncake_transpiler.frontend.lower.array import whole
from mooncake_transpiler.frontend.lower.scalar import enums, kinds, scalars, texts
from mooncake_transpiler.frontend.lower.state.arguments import Arguments
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.operands import Items, Operand
from mooncake_transpiler.frontend.lower.state.whose import Kind
from mooncake_transpiler.taken_apart import check_size


def call(ctx: Context, node: cst.Call, qualname: str, given: Arguments) -> Operand | None:
    """The result of the function ``qualname`` for constants; None for all else."""
    if not qualname.startswith("numpy.") or not pure.is_pure(qualname):
        return None
    args = [texts.shown(ctx, node, arg) for arg in given.args]
    named = {name: texts.shown(ctx, node, arg) for name, arg in given.keywords.items()}
    if enums.UNKNOWN in args or enums.UNKNOWN in named.values():
        return None
    try:
        return _operand(ctx, node, pure.call(qualname, args, named))
    except (pure.Unknowable, ArithmeticError, ValueError, TypeError, LookupError):
        return None


def _operand(ctx: Context, node: cst.Call, value: object) -> Operand:
    match value:
        case tuple() | list():
            items = tuple(_operand(ctx, node, item) for item in value)
            return Items(items, is_list=isinstance(value, list))
        case _ if isinstance(value, np.ndarray):
            if value.dtype not in (np.float64, np.int64, np.bool_) or not value.ndim:
                raise pure.Unknowable
            check_size(value.size)
            return whole.library_call(ctx, node, "numpy.array", _rows(value.tolist()))
        case _ if isinstance(value, np.float64 | np.int64 | np.bool_):
            return kinds.marked(ctx, scalars.constant(value.item()), Kind.NUMPY)
        case bool() | int() | float():
            return scalars.constant(value)
        case _:
            raise pure.Unknowable


def _rows(value: object) -> Operand:
    if isinstance(value, list):
        return Items(tuple(map(_rows, value)), is_list=True)
    assert isinstance(value, bool | int | float)
    return scalars.constant(value)
