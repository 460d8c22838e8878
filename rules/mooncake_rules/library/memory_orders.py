"""The memory order that NumPy gives to results of its functions.

Views of it tell: `ravel()` of what is in C order shows its memory, of everything else it is a copy.
Ufuncs, copies and joined arrays have rules of their own (`Stage.elementwise`, `like`, `joined`). Of
a function that is neither there nor here nothing is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from mooncake_rules.arrays import Arr, Stage


class Order(Enum):
    C = auto()
    KEPT = auto()  # that of the first argument, where the result has as many axes
    FORTRAN = auto()  # if the first argument is contiguous in Fortran order only, else C order
    MASKED = auto()  # that of a sum of the first argument and a matrix in C order


_NAMES = {
    Order.C: """
        numpy.take ndarray.take numpy.compress ndarray.compress numpy.argsort ndarray.argsort
        numpy.select numpy.choose ndarray.choose numpy.resize numpy.meshgrid numpy.indices
        numpy.tri numpy.vander numpy.interp numpy.searchsorted ndarray.searchsorted numpy.digitize
        numpy.linalg.inv numpy.linalg.solve numpy.linalg.cholesky numpy.linalg.pinv
        numpy.linalg.eigh numpy.linalg.svd
    """,
    Order.KEPT: """
        numpy.sort numpy.partition numpy.gradient numpy.unwrap numpy.piecewise
        numpy.cumsum ndarray.cumsum numpy.cumprod ndarray.cumprod numpy.nancumsum numpy.nancumprod
        numpy.add.accumulate numpy.multiply.accumulate
    """,
    Order.FORTRAN: "numpy.pad numpy.insert",
    Order.MASKED: "numpy.tril numpy.triu",
}
ORDERS: Mapping[str, Order] = {
    name: order for order, names in _NAMES.items() for name in names.split()
}


def laid_out(s: Stage, name: str, result: object, *args: object) -> object:
    """``result``, which the function ``name`` makes of ``args``, in NumPy's order."""
    order = ORDERS.get(name)
    if order is None:
        return result
    if isinstance(result, tuple):
        found: list[Any] = [laid_out(s, name, item, *args) for item in result]
        return type(result)(*found) if hasattr(result, "_fields") else tuple(found)
    if not isinstance(result, Arr) or result.ndim < 2 or result.shows:
        return result
    if any(isinstance(arg, Arr) and arg.memory is result.memory is not None for arg in args):
        return result
    return _ordered(s, order, result, args[0] if args else None)


def _ordered(s: Stage, order: Order, result: Arr, first: object) -> Arr:
    if order is Order.C:
        return s.in_order(result)
    if not isinstance(first, Arr) or first.ndim != result.ndim:
        return result
    match order:
        case Order.KEPT:
            return s.laid_out(result, s.elementwise([first], result.shape))
        case Order.MASKED:
            rows = first.lazy(first.shape[-2:], first.at)
            mask = replace(rows, layout=s.c_order(rows.shape))
            return s.laid_out(result, s.elementwise([mask, first], result.shape))
        case Order.FORTRAN:
            return s.laid_out(result, s.fortran(first, result.shape))
