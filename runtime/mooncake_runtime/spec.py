"""The types of an entry function's parameters: parsed from text, checked against arguments.

x: float64[:, :], a: float64, n: int64, p: (float64, int64), q: Point(x: float64, y: float64)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

# Names may be paths: p.ends[0].x
TOKEN = re.compile(r"\s*(\w+(?:\.\w+|\[\d+\])*|[\[\](),:])")
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
    names: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"tuple of length {len(self.items)}"


@dataclass(frozen=True, slots=True)
class NoneSpec:
    def __str__(self) -> str:
        return "None"


Spec = ScalarSpec | ArraySpec | TupleSpec | NoneSpec
Specs = dict[str, Spec]


# ---- parsing ------------------------------------------------------------------------------------


def parse_spec(text: str) -> Specs:
    """The specs of ``text`` by parameter name."""
    tokens = [*TOKEN.findall(text), ""]
    specs, rest = _fields(tokens, "")
    if rest != [""]:
        raise ValueError(f"bad spec {text!r} at {' '.join(rest)!r}")
    return specs


def _fields(tokens: list[str], end: str) -> tuple[Specs, list[str]]:
    """``name: spec, ...`` up to ``end``."""
    specs: Specs = {}
    while tokens[0] != end:
        name, colon, *tokens = tokens
        if colon != ":":
            raise ValueError(f"bad spec: ':' expected after {name!r}")
        specs[name], tokens = _spec(tokens)
        if tokens[0] == ",":
            tokens = tokens[1:]
    return specs, tokens


def _spec(tokens: list[str]) -> tuple[Spec, list[str]]:
    head, *tokens = tokens
    if head == "(":
        items: list[Spec] = []
        while tokens[0] != ")":
            item, tokens = _spec(tokens)
            items.append(item)
            tokens = tokens[1:] if tokens[0] == "," else tokens
        return TupleSpec(tuple(items)), tokens[1:]
    if head == "None":
        return NoneSpec(), tokens
    if tokens[0] == "(":
        fields, tokens = _fields(tokens[1:], ")")
        return TupleSpec(tuple(fields.values()), tuple(fields)), tokens[1:]
    np.dtype(head)  # an unknown dtype is an error
    if tokens[0] == "[":
        end = tokens.index("]")
        axes = tokens[1:end]
        ndim = 0 if axes in ([], ["(", ")"]) else axes.count(",") + 1
        return ArraySpec(head, ndim), tokens[end + 1 :]
    return ScalarSpec(head), tokens


# ---- checking -----------------------------------------------------------------------------------


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


def convert(function: str, name: str, spec: Spec, value: object) -> object:
    """``value`` if it is what ``spec`` says; a scalar that converts exactly in kind, converted."""
    match spec:
        case ScalarSpec(dtype=dtype) if isinstance(value, ACCEPTED[np.dtype(dtype).kind]):
            return _scalar(dtype, value)
        case ArraySpec(dtype=dtype, ndim=ndim) if (
            type(value) in PLAIN
            and isinstance(value, np.ndarray)
            and value.dtype == dtype
            and value.ndim == ndim
            and value.flags.aligned
        ):
            return value
        case TupleSpec(items=items) if isinstance(value, tuple) and len(value) == len(items):
            parts = list(_parts(function, name, spec, value))
            same = all(new is old for new, old in zip(parts, value, strict=True))
            if same:
                return value
            return value._make(parts) if hasattr(value, "_make") else tuple(parts)
        case NoneSpec() if value is None:
            return value
    article = "an" if str(spec)[0] in "aeiou" else "a"
    wanted = "None" if isinstance(spec, NoneSpec) else f"{article} {spec}"
    raise TypeError(
        f"{function}: parameter {name!r} must be {wanted}, got {describe(value)}"
        + _hint(name, spec, value)
    )


def _scalar(dtype: str, value: object) -> object:
    """``value`` as a scalar that numba and NumPy take to be of ``dtype``."""
    native = {"float64": float, "int64": int, "bool": bool, "complex128": complex}.get(dtype)
    if native is not None and type(value) in (native, np.dtype(dtype).type):
        return value
    return np.dtype(dtype).type(value)


def _parts(
    function: str, name: str, spec: TupleSpec, value: tuple[object, ...]
) -> Iterator[object]:
    for i, (item, part) in enumerate(zip(spec.items, value, strict=True)):
        where = f"{name}.{spec.names[i]}" if spec.names else f"{name}[{i}]"
        yield convert(function, where, item, part)


def _hint(name: str, spec: Spec, value: object) -> str:
    """Advice for a message on how to convert ``value``; empty where it is not clear."""
    if not isinstance(spec, ArraySpec):
        return ""
    if isinstance(value, list | tuple):
        return f"; pass np.array({name}, dtype=np.{spec.dtype})"
    if isinstance(value, np.ndarray) and value.ndim == spec.ndim:
        if value.dtype != spec.dtype:
            return f"; pass {name}.astype(np.{spec.dtype})"
        if not value.flags.aligned:
            return f" that is not aligned; pass {name}.copy()"
    return ""
