"""Element types by the names that programs give them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.lower.state.operands import Operand, Static
from mooncake_transpiler.types import DType

_OTHER_NAMES: Mapping[str, DType] = {
    "builtins.float": DType.FLOAT64, "builtins.int": DType.INT64, "builtins.bool": DType.BOOL,
    "builtins.complex": DType.COMPLEX128, "numpy.bool_": DType.BOOL, "numpy.int_": DType.INT64,
    "numpy.double": DType.FLOAT64, "numpy.single": DType.FLOAT32, "numpy.intp": DType.INT64,
}  # fmt: skip


def dtype_named(qualname: str) -> DType | None:
    """The element type that a callable like ``float`` or ``np.float32`` stands for."""
    if qualname in _OTHER_NAMES:
        return _OTHER_NAMES[qualname]
    name = qualname.removeprefix("numpy.")
    return next((d for d in DType if d.value == name and name != qualname), None)


def _spelled(name: str) -> DType | None:
    """The element type that NumPy takes a text like ``"float32"`` or ``"f4"`` for."""
    try:
        found = np.dtype(name)
    except TypeError:
        return None
    return dtype_named(f"numpy.{found.name}") if found.isnative else None


def dtype_of(operand: Operand) -> DType | None:
    """The element type that an argument like ``np.float32`` or ``"float32"`` stands for."""
    match operand:
        case Static(value=External(qualname=qualname)):
            return dtype_named(qualname)
        case Static(value=str(name)):
            return _spelled(name)
        case Static(value=DType() as dtype):
            return dtype
        case _:
            return None
