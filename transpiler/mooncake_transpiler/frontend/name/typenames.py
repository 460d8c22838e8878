"""The names that types have in Python, NumPy, numba and jaxtyping."""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_transpiler.types import DType

_BUILTIN = {
    "float": DType.FLOAT64, "int": DType.INT64, "bool": DType.BOOL, "complex": DType.COMPLEX128,
}  # fmt: skip

_NUMPY = {
    "bool_": DType.BOOL, "byte": DType.INT8, "short": DType.INT16, "intc": DType.INT32,
    "int_": DType.INT64, "intp": DType.INT64, "longlong": DType.INT64, "ubyte": DType.UINT8,
    "ushort": DType.UINT16, "uintc": DType.UINT32, "uint": DType.UINT64, "uintp": DType.UINT64,
    "single": DType.FLOAT32, "double": DType.FLOAT64, "float_": DType.FLOAT64,
    "csingle": DType.COMPLEX64, "cdouble": DType.COMPLEX128, "complex_": DType.COMPLEX128,
}  # fmt: skip

_NUMBA = {
    "boolean": DType.BOOL, "bool_": DType.BOOL, "b1": DType.BOOL, "byte": DType.UINT8,
    "i1": DType.INT8, "i2": DType.INT16, "i4": DType.INT32, "i8": DType.INT64,
    "u1": DType.UINT8, "u2": DType.UINT16, "u4": DType.UINT32, "u8": DType.UINT64,
    "f4": DType.FLOAT32, "f8": DType.FLOAT64, "float_": DType.FLOAT32, "double": DType.FLOAT64,
    "c8": DType.COMPLEX64, "c16": DType.COMPLEX128, "intp": DType.INT64, "uintp": DType.UINT64,
    "int_": DType.INT64, "intc": DType.INT32, "uintc": DType.UINT32,
}  # fmt: skip

_SAME = {dtype.value: dtype for dtype in DType}  # "float64" and so on

SCALARS: Mapping[str, DType] = {
    f"{module}.{name}": dtype
    for module, table in (
        ("builtins", _BUILTIN), ("numpy", _SAME | _NUMPY), ("numba", _SAME | _NUMBA),
    )
    for name, dtype in table.items()
}  # fmt: skip


def _jaxtyping_name(dtype: DType) -> str:
    """``Float64``, ``UInt8`` …"""
    name = dtype.value
    return "UInt" + name.removeprefix("uint") if dtype.value[0] == "u" else name.capitalize()


# The families without a width stand for their usual member.
_JAXTYPING = {_jaxtyping_name(dtype): dtype for dtype in DType} | {
    "Float": DType.FLOAT64, "Int": DType.INT64, "UInt": DType.UINT64, "Complex": DType.COMPLEX128,
}  # fmt: skip

JAXTYPING: Mapping[str, DType] = {f"jaxtyping.{n}": dtype for n, dtype in _JAXTYPING.items()}

# Families of several kinds of number: no single dtype.
JAXTYPING_FAMILIES = frozenset({"Inexact", "Real", "Num", "Shaped", "Integer", "Key"})

# Element types that say nothing of the width, or of more.
FAMILIES = frozenset({
    "typing.Any", "numpy.floating", "numpy.inexact", "numpy.number", "numpy.generic",
})  # fmt: skip

ARRAYS = frozenset({"numpy.ndarray", "numpy.typing.NDArray", "numpy.array"})
GPU_ARRAYS = frozenset({"numba.cuda.devicearray"})

# Wrappers that say nothing about the type inside.
TRANSPARENT = frozenset({
    "typing.Final", "typing.ClassVar", "typing.Required", "typing.ReadOnly",
    "mooncake_runtime.Cotangent", "numpy.dtype",
})  # fmt: skip

# Any number of items of one type.
LISTS = frozenset({
    "builtins.list", "typing.List",
    *(f"{home}.{name}" for home in ("typing", "collections.abc")
      for name in ("Sequence", "Collection", "Iterable")),
})  # fmt: skip

# Dicts, from keys to items.
DICTS = frozenset({
    "builtins.dict", "typing.Dict", "typing.Mapping", "typing.MutableMapping",
    "collections.abc.Mapping", "collections.abc.MutableMapping",
})  # fmt: skip

# Types that may hold floats but have no place in the normal form yet.
CONTAINERS = frozenset(
    {f"builtins.{name}" for name in ("list", "dict", "set", "frozenset", "type")}
    | {
        f"{module}.{name}"
        for module in ("typing", "collections.abc")
        for name in (
            "Callable", "Collection", "Iterable", "Iterator", "Mapping", "MutableMapping",
            "MutableSequence", "Sequence", "Generator",
        )
    }
    | {f"typing.{name}" for name in ("List", "Dict", "Set", "FrozenSet", "Optional", "Union")}
    | {"collections.deque", "collections.defaultdict", "numpy.typing.ArrayLike"}
)  # fmt: skip
