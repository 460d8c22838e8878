"""Static types of the normal form.

Every value has one of these types; nothing is typed dynamically. Scalars and arrays are what
computations work on. Tuples exist only in signatures (parameters and results): inside a body
they are taken apart into their leaves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum


class DType(Enum):
    """Element types, named as NumPy names them."""

    BOOL = "bool"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"

    @property
    def is_float(self) -> bool:
        return self in (DType.FLOAT32, DType.FLOAT64)

    @property
    def is_complex(self) -> bool:
        return self in (DType.COMPLEX64, DType.COMPLEX128)

    @property
    def real(self) -> DType:
        """The dtype of the parts of a complex number; any other as it is."""
        parts = {DType.COMPLEX64: DType.FLOAT32, DType.COMPLEX128: DType.FLOAT64}
        return parts.get(self, self)

    @property
    def complex(self) -> DType:
        """The dtype of complex numbers with parts of this dtype, or of float64."""
        return DType.COMPLEX64 if self.real is DType.FLOAT32 else DType.COMPLEX128

    @property
    def is_differentiable(self) -> bool:
        return self.is_float or self.is_complex

    @property
    def is_int(self) -> bool:
        return not (self.is_differentiable or self is DType.BOOL)


@dataclass(frozen=True, slots=True)
class Scalar:
    dtype: DType

    def __str__(self) -> str:
        return self.dtype.value


@dataclass(frozen=True, slots=True)
class Array:
    dtype: DType
    ndim: int

    def __str__(self) -> str:
        return f"{self.dtype.value}[{', '.join(':' * self.ndim)}]"


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple; with ``names`` a NamedTuple of class ``cls``.

    ``alias`` is what annotations call a plain tuple that is too long to be spelled out.
    """

    items: tuple[Type, ...]
    names: tuple[str, ...] | None = None
    cls: str | None = None
    alias: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.names is None:
            return f"({', '.join(map(str, self.items))})"
        fields = (f"{n}: {t}" for n, t in zip(self.names, self.items, strict=True))
        return f"{self.cls}({', '.join(fields)})"


@dataclass(frozen=True, slots=True)
class NoneType:
    """The type of ``None``: no leaves, no tangent."""

    def __str__(self) -> str:
        return "None"


@dataclass(frozen=True, slots=True)
class Stack:
    """A growable last-in-first-out store of scalars; occurs in derivative code only."""

    dtype: DType

    def __str__(self) -> str:
        return f"stack[{self.dtype.value}]"


Type = Scalar | Array | Tuple | NoneType | Stack

BOOL = Scalar(DType.BOOL)
INT = Scalar(DType.INT64)
FLOAT = Scalar(DType.FLOAT64)
FLOAT32 = Scalar(DType.FLOAT32)
COMPLEX = Scalar(DType.COMPLEX128)
NONE = NoneType()


def leaves(type_: Type) -> Iterator[Type]:
    """The scalar, array and stack types inside ``type_``, left to right."""
    match type_:
        case Scalar() | Array() | Stack():
            yield type_
        case Tuple(items=items):
            for item in items:
                yield from leaves(item)
        case NoneType():
            return


def is_differentiable(type_: Type) -> bool:
    """Whether some leaf of ``type_`` carries floats (and so has a tangent)."""
    return any(
        isinstance(leaf, Scalar | Array) and leaf.dtype.is_differentiable for leaf in leaves(type_)
    )


def result_dtype(a: DType, b: DType) -> DType:
    """NumPy's promotion of two element types (NEP 50, both strong)."""
    import numpy as np

    return DType(np.result_type(a.value, b.value).name)
