"""The types of an entry function's parameters, as annotated, and words for those of values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np

from mooncake_runtime.plain_math import plain_complex

_NOTHING = (None, type(None), object, str, bytes)  # what compiled code does not see
# What Python's and NumPy's scalars may be given for a parameter of which kind.
ACCEPTED: dict[str, tuple[type, ...]] = {
    "b": (bool, np.bool_),
    "i": (int, np.integer, np.bool_),
    "u": (int, np.integer, np.bool_),
    "f": (int, float, np.integer, np.floating, np.bool_),
    "c": (int, float, complex, np.number, np.bool_),
}
# Classes of arrays whose operators mean what those of arrays do.
PLAIN = (np.ndarray, np.memmap)


@dataclass(frozen=True, slots=True)
class ScalarSpec:
    dtype: str

    def __str__(self) -> str:
        return f"{self.dtype} scalar"


@dataclass(frozen=True, slots=True)
class ArraySpec:
    dtype: str
    ndim: int

    def __str__(self) -> str:
        return f"{self.dtype} array of rank {self.ndim}"


@dataclass(frozen=True, slots=True)
class TupleSpec:
    items: tuple[Spec, ...]

    def __str__(self) -> str:
        return f"tuple of length {len(self.items)}"


@dataclass(frozen=True, slots=True)
class NoneSpec:
    def __str__(self) -> str:
        return "None"


Spec = ScalarSpec | ArraySpec | TupleSpec | NoneSpec
Specs = dict[str, Spec]


# ---- reading ------------------------------------------------------------------------------------


def specs_of(function: Callable[..., object], labels: Sequence[str] = ()) -> Specs:
    """The specs of the parameters of ``function``, as annotated, by what messages call them."""
    known = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)
    pairs = zip(labels or names, names, strict=True)
    return {label: spec_of(known[name]) for label, name in pairs}


def spec_of(annotation: Any) -> Spec:
    """The spec of ``float``, ``Annotated[NDArray[np.float64], "n m"]``, or tuples of such.

    Of a NamedTuple ``Annotated[P, tuple[...]]``, or ``P`` if its fields are annotated like that.
    """
    args = get_args(annotation)
    if get_origin(annotation) is Annotated:
        array, dims = args
        if hasattr(array, "_fields"):  # a class whose own annotations do not tell everything
            return spec_of(dims)
        _, dtype = get_args(array)
        (item,) = get_args(dtype)
        return ArraySpec(np.dtype(item).name, len(dims.split()))
    if get_origin(annotation) is tuple:
        return TupleSpec(tuple(spec_of(arg) for arg in args if arg != ()))
    if annotation in _NOTHING:
        return NoneSpec()
    if hasattr(annotation, "_fields"):
        fields = get_type_hints(annotation, include_extras=True)
        return TupleSpec(tuple(spec_of(fields[name]) for name in annotation._fields))
    return ScalarSpec(np.dtype(complex if annotation is plain_complex else annotation).name)


# ---- telling ------------------------------------------------------------------------------------


def describe(value: object) -> str:
    """The type of ``value`` in words, for a message: dtype and rank, or class and length."""
    if isinstance(value, np.ndarray):
        kind = "" if type(value) in PLAIN else f" ({type(value).__name__})"
        return f"{value.dtype} array of rank {value.ndim}{kind}"
    if isinstance(value, np.generic):
        return f"{value.dtype} scalar"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__} of length {len(value)}"
    return "None" if value is None else type(value).__name__
