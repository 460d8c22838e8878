"""Types as annotations, and as the specification that entry points check their arguments by."""

from __future__ import annotations

from mooncake_transpiler import ir
from mooncake_transpiler.types import Array, DType, NoneType, Scalar, Stack, Tuple, Type

_PLAIN = {
    DType.BOOL: "bool",
    DType.INT64: "int",
    DType.FLOAT64: "float",
    DType.COMPLEX128: "complex",
}


def annotation(type_: Type, needs: set[str]) -> str:
    """The annotation for ``type_``; what it refers to is added to ``needs``."""
    match type_:
        case Scalar(dtype=dtype):
            return _PLAIN.get(dtype) or _numpy(dtype, needs)
        case Array(dtype=dtype):
            needs.add("NDArray")
            return f"NDArray[{_numpy(dtype, needs)}]"
        case Stack(dtype=dtype):
            return f"list[{annotation(Scalar(dtype), needs)}]"
        case Tuple(cls=str(cls)):
            return cls
        case Tuple(items=items):
            inner = ", ".join(annotation(item, needs) for item in items)
            return f"tuple[{inner or '()'}]"
        case NoneType():
            return "None"


def _numpy(dtype: DType, needs: set[str]) -> str:
    needs.add("np")
    return "np.bool_" if dtype is DType.BOOL else f"np.{dtype.value}"


def entry_spec(func: ir.Func) -> str:
    """``x: float64[:, :], a: float64`` – dtype and rank of each parameter."""
    return ", ".join(f"{param.name}: {_spec(param.type)}" for param in func.params)


def _spec(type_: Type) -> str:
    match type_:
        case Array(dtype=dtype, ndim=ndim):
            return f"{dtype.value}[{', '.join(':' * ndim)}]" if ndim else f"{dtype.value}[()]"
        case Scalar(dtype=dtype):
            return dtype.value
        case Tuple(items=items):
            inner = ", ".join(map(_spec, items))
            return f"({inner}{',' if len(items) == 1 else ''})"
        case NoneType():
            return "None"
        case Stack(dtype=dtype):
            return f"list({dtype.value})"
