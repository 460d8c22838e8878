"""Static arguments that many functions take: flags, dtypes, ``out=``."""

from __future__ import annotations

import numpy as np

from mooncake_rules.arrays import Arr, Num, Stage, Value

DTYPES = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
)  # fmt: skip


def flag(s: Stage, value: object, name: str) -> bool:
    """The value of an argument that must be a constant True or False; refuses others."""
    if not isinstance(value, bool | int):
        raise s.refuse(f"{name} must be a constant True or False", None, "MK310")
    return bool(value)


def whole_number(s: Stage, value: object, name: str) -> int:
    """The value of an argument that must be a constant integer; refuses others."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise s.refuse(f"{name} must be a constant integer", None, "MK310")
    return value


def one_of(s: Stage, value: object, name: str, allowed: tuple[str, ...]) -> str:
    """The value of an argument that must be a constant text among ``allowed``; refuses others."""
    if not isinstance(value, str) or value not in allowed:
        known = ", ".join(map(repr, allowed))
        raise s.refuse(f"{name} must be one of {known}", None, "MK310")
    return value


def element_type(s: Stage, dtype: object, default: str) -> str:
    """The dtype that an argument ``dtype`` names; ``default`` for None."""
    if dtype is None:
        return default
    if isinstance(dtype, str) and dtype not in DTYPES:
        dtype = _spelled(dtype)
    if dtype not in DTYPES:
        raise s.refuse("this dtype is not supported")
    return str(dtype)


def _spelled(text: str) -> str:
    """The dtype that NumPy takes a text like ``"f8"`` for; none if there is none like it."""
    try:
        found = np.dtype(text)
    except TypeError:
        return ""
    return found.name if found.isnative else ""


def no_out(s: Stage, out: object) -> None:
    if out is not None:
        raise s.refuse("out= is not supported", "assign the result: out[...] = ...")


def number(s: Stage, value: object, name: str) -> Num | complex:
    """An argument as a number, which may come as an array of rank 0; refuses others."""
    if isinstance(value, Arr) and value.ndim == 0:
        return value.at()
    if not isinstance(value, Num | bool | int | float | complex):
        raise s.refuse(f"{name} must be a number", None, "MK213")
    return value


def integer(s: Stage, value: object, name: str) -> Num | int:
    """An argument as an integer, constant or of the running program; refuses others."""
    found = number(s, value, name)
    if not isinstance(found, Num | int) or "int" not in s.promote(found):
        raise s.refuse(f"{name} must be an integer", None, "MK213")
    return found


def holds(s: Stage, name: str, *args: Num | complex) -> Num | bool:
    """A test of numbers: a scalar op that gives a bool."""
    found = s.op(name, *args)
    assert isinstance(found, Num | bool)
    return found


def as_value(s: Stage, value: object, name: str) -> Value:
    """A number or an array; nested tuples become arrays."""
    if isinstance(value, tuple | list):
        value = s.call("numpy.array", value)
    if not isinstance(value, Arr | Num | bool | int | float | complex):
        raise s.refuse(f"{name} must be a number or an array", None, "MK213")
    return value
