"""Conversions of what is given from Python into what annotations say: exact ones, or a TypeError.

A value is converted where the program would have computed the same with it: the number in an array
without axes, the array that an object has by ``__array__``, another order of bytes. What is added
up only, cotangents and tangents, is converted where NumPy says that it is safe; None is zero there.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import cache
from typing import Any

import numpy as np

from mooncake_runtime.spec import (
    ACCEPTED,
    PLAIN,
    ArraySpec,
    NoneSpec,
    ScalarSpec,
    Spec,
    TupleSpec,
    describe,
)

_NATIVE: dict[str, type] = {"float64": float, "int64": int, "bool": bool, "complex128": complex}
_dtype = cache(np.dtype)
_LONG = 2**63
_EXACT = 2**53  # the float64 of every integer up to that is exact


class ParamRole(Enum):
    """A parameter of the program, or a direction, which may be None for zero."""

    ARGUMENT = auto()
    TANGENT = auto()
    COTANGENT = auto()


OPEN = object()  # in place of the array that one given as None is like: it may stay None


def convert(
    function: str,
    name: str,
    spec: Spec,
    value: object,
    role: ParamRole = ParamRole.ARGUMENT,
    like: object = None,
) -> object:
    """``value`` if it is what ``spec`` says, or that converted exactly; TypeError for others.

    None for an array that is a direction is zero in the shape of ``like``.
    """
    if is_such(spec, value):
        return value
    given = value if type(value) is int else _opened(spec, value)
    match spec:
        case ScalarSpec(dtype=dtype) if given is None and role is not ParamRole.ARGUMENT:
            return _scalar(dtype, 0)
        case ScalarSpec(dtype=dtype) if _is_accepted(given, dtype):
            if (number := exact_number(dtype, given)) is not None:
                return number
        case ArraySpec(dtype=dtype) if given is None and role is not ParamRole.ARGUMENT:
            if like is OPEN:
                return None
            if isinstance(like, np.ndarray):
                return np.zeros(like.shape, dtype)
        case ArraySpec() if isinstance(given, np.ndarray) and _fits(given, spec, role):
            return _array(given, spec.dtype, value, role)
        case TupleSpec(items=items) if _is_row(value, len(items), role):
            return _tuple(function, name, spec, value, role, like)
        case NoneSpec() if _is_nothing(value, role):
            return None
        case _:
            pass
    article = "an" if str(spec)[0] in "aeiou" else "a"
    wanted = "None" if isinstance(spec, NoneSpec) else f"{article} {spec}"
    raise TypeError(
        f"{function}: parameter {name!r} must be {wanted}, got {_described(value)}"
        + _hint(name, spec, value, given, role)
    )


def is_such(spec: Spec, value: object) -> bool:
    """True for most of what needs no conversion; it takes little time to say so."""
    match spec:
        case ScalarSpec(dtype=dtype):
            if type(value) is int:
                return dtype == "int64" and -_LONG <= value < _LONG
            return type(value) is _NATIVE.get(dtype)
        case ArraySpec(dtype=dtype, ndim=ndim):
            return (
                isinstance(value, np.ndarray)
                and type(value) in PLAIN
                and value.dtype == _dtype(dtype)
                and value.ndim == ndim
                and value.flags.aligned
            )
        case TupleSpec() | NoneSpec():
            return False


def always(spec: Spec, value: object) -> bool:
    """True if code for ``spec`` reads any scalar of the type of ``value`` as the same number."""
    if not isinstance(spec, ScalarSpec):
        return False
    if isinstance(value, float | complex):
        return True
    if not isinstance(value, bool | np.generic):
        return False
    own, wanted = np.dtype(type(value)), _dtype(spec.dtype)
    long = own.kind in "iu" and own.itemsize == 8 and wanted.kind in "fc"
    return np.can_cast(own, wanted, "safe") and not long


# ---- numbers ------------------------------------------------------------------------------------


def _is_accepted(value: object, dtype: str) -> bool:
    if isinstance(value, np.generic) and value.dtype.kind not in "biufc":
        return False  # to NumPy a duration is an integer
    return isinstance(value, ACCEPTED[_dtype(dtype).kind])


def exact_number(dtype: str, value: object) -> object | None:
    """``value`` as a scalar of ``dtype``; None if there is none.

    Floats are rounded to fewer digits, as NumPy does it with Python's. Those of double precision
    are such to compiled code.
    """
    try:
        made = _scalar(dtype, value)
    except OverflowError:
        return None
    if made is value or isinstance(value, float | complex):
        return made
    one, other = _python(made), _python(value)
    return made if one == other or other != other else None


def _python(number: Any) -> Any:
    """``number`` as one of Python's, which are compared exactly."""
    return number.item() if isinstance(number, np.generic | np.ndarray) else number


def _scalar(dtype: str, value: Any) -> object:
    """``value`` as a scalar that numba and NumPy take to be of ``dtype``."""
    own: type = _dtype(dtype).type
    if is_such(ScalarSpec(dtype), value) or type(value) is own:
        return value
    return float(value) if type(value) is int and dtype == "float64" else own(value)


# ---- arrays -------------------------------------------------------------------------------------


def _is_nothing(value: object, role: ParamRole) -> bool:
    """True for None, and for the direction of a list or dict that holds no floats."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple) and role is not ParamRole.ARGUMENT:
        return all(_is_nothing(one, role) for one in value)
    return value is None


def _opened(spec: Spec, value: object) -> object:
    """The array that ``value`` has by ``__array__``, or the number in one without axes."""
    if not isinstance(spec, ScalarSpec | ArraySpec):
        return value
    array = _as_array(value)
    is_number = isinstance(spec, ScalarSpec) and type(array) in PLAIN
    return array[()] if is_number and isinstance(array, np.ndarray) and not array.ndim else array


def _as_array(value: object) -> object:
    """The array that ``value`` has by ``__array__``; else ``value``, or why it has none."""
    if isinstance(value, np.ndarray | np.generic) or not hasattr(type(value), "__array__"):
        return value
    try:
        return np.asarray(value)
    except (RuntimeError, TypeError, ValueError) as error:  # of a device, or with a derivative
        return error


def _fits(array: np.ndarray, spec: ArraySpec, role: ParamRole) -> bool:
    """True if ``array`` is converted exactly, and the program would compute the same with it."""
    if type(array) not in PLAIN or array.ndim != spec.ndim:
        return False
    if role is ParamRole.ARGUMENT:
        return array.dtype.newbyteorder("=") == spec.dtype
    if not np.can_cast(array.dtype, spec.dtype, "safe"):
        return False
    long = array.dtype.kind in "iu" and _dtype(spec.dtype).kind in "fc"
    return not long or bool(np.all(np.abs(array) <= _EXACT))


def _array(array: np.ndarray, dtype: str, value: object, role: ParamRole) -> np.ndarray:
    """``array`` as compiled code takes it; nothing is written to what is another than ``value``."""
    made = array
    if array.dtype != dtype or not array.flags.aligned:
        made = array.astype(dtype)
    if made is value or role is ParamRole.COTANGENT:
        return made
    made = made.view()
    made.flags.writeable = False
    return made


# ---- tuples -------------------------------------------------------------------------------------


def _is_row(value: object, length: int, role: ParamRole) -> bool:
    if role is not ParamRole.ARGUMENT and (value is None or isinstance(value, list)):
        return value is None or len(value) == length
    return isinstance(value, tuple) and len(value) == length


def _tuple(
    function: str, name: str, spec: TupleSpec, value: object, role: ParamRole, like: object
) -> object:
    given: Sequence[object] = (
        value if isinstance(value, tuple | list) else (None,) * len(spec.items)
    )
    parts = [
        convert(function, f"{name}[{k}]", item, given[k], role, one)
        for k, (item, one) in enumerate(zip(spec.items, _each(like, len(given)), strict=True))
    ]
    if isinstance(value, tuple):
        if all(new is old for new, old in zip(parts, value, strict=True)):
            return value
        if hasattr(value, "_make"):
            return value._make(parts)
    return tuple(parts)


def _each(like: object, length: int) -> Sequence[object]:
    """The likes of the items of a tuple that is like ``like``."""
    if isinstance(like, tuple) and len(like) == length:
        return like
    return (like if like is OPEN else None,) * length


def lacks(spec: Spec, value: object) -> bool:
    """True if None stands for an array."""
    match spec:
        case ArraySpec():
            return value is None
        case TupleSpec(items=items):
            parts = value if isinstance(value, tuple | list) else (value,) * len(items)
            return any(map(lacks, items, parts))
        case ScalarSpec() | NoneSpec():
            return False


# ---- messages -----------------------------------------------------------------------------------


def _described(value: object) -> str:
    array = _as_array(value)
    if array is value:
        return describe(value)
    inside = array if isinstance(array, Exception) else describe(array)
    return f"{describe(value)} ({inside})"


def _hint(name: str, spec: Spec, value: object, given: object, role: ParamRole) -> str:
    """Advice for a message on how to convert ``value``; empty where it is not clear."""
    match spec, given:
        case ArraySpec(), None if role is not ParamRole.ARGUMENT:
            return "; None is zero where the shape is known: here pass np.zeros of that shape"
        case ArraySpec(dtype=dtype), list() | tuple():
            return f"; pass np.array({name}, dtype=np.{dtype})"
        case ArraySpec(dtype=dtype, ndim=ndim), np.ndarray(ndim=axes) if axes == ndim:
            of = name if given is value else f"np.asarray({name})"
            return f"; pass {of}.astype(np.{dtype})" if type(given) in PLAIN else ""
        case ArraySpec(), np.ndarray(ndim=axes) if axes and role is ParamRole.ARGUMENT:
            shape = " ".join("nmkl"[:axes]) if axes <= 4 else "a b c ..."
            return f"; to take these, annotate {name} as an array of axes {shape!r}"
        case ArraySpec(ndim=0), int() | float() | complex() | np.generic():
            return f"; pass np.array({name})"
        case ScalarSpec(), np.ndarray(size=1) if type(given) in PLAIN and given.ndim:
            return f"; pass {name}.item()"
        case ScalarSpec(dtype=dtype), _ if _is_accepted(given, dtype):
            by = {"float64": "float", "complex128": "complex"}.get(dtype, f"np.{dtype}")
            rounded = f"; pass {by}({name})" if _dtype(dtype).kind in "fc" else ""
            return f" that is no {dtype} exactly{rounded}"
        case _:
            return ""
