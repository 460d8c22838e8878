"""Element types by the names that programs give them."""

from __future__ import annotations

from collections.abc import Mapping

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
