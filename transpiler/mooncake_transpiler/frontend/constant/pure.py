"""Functions of Python and NumPy that are worked out ahead of time, within bounds.

They depend on nothing but their arguments, change nothing and take little time: what would take
much is refused before it is begun.
"""

from __future__ import annotations

import builtins
import cmath
import itertools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import libcst as cst
import numpy as np
from mooncake_rules.scalar import resolve as scalar_op

from mooncake_transpiler.frontend.name.typenames import SCALARS
from mooncake_transpiler.types import DType

_MOST_ITEMS = 2**20  # of an array or a list
_MOST_WORK = 2**22  # items of all arguments, multiplied: what an outer product makes
_LARGEST_POWER = 1024  # of an integer: constants are not big computations


class Unknowable(Exception):
    """The value of an expression can't be told ahead of time."""


BINARY: Mapping[type[cst.BaseBinaryOp], Callable[..., object]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Power: operator.pow,
    cst.MatrixMultiply: operator.matmul,
    cst.BitAnd: operator.and_,
    cst.BitOr: operator.or_,
    cst.BitXor: operator.xor,
}  # fmt: skip

UNARY: Mapping[type[cst.BaseUnaryOp], Callable[..., object]] = {
    cst.Minus: operator.neg,
    cst.Plus: operator.pos,
    cst.Not: operator.not_,
    cst.BitInvert: operator.invert,
}

COMPARE: Mapping[type[cst.BaseCompOp], Callable[..., object]] = {
    cst.LessThan: operator.lt,
    cst.LessThanEqual: operator.le,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
    cst.Equal: operator.eq,
    cst.NotEqual: operator.ne,
    cst.In: lambda a, b: operator.contains(b, a),
    cst.NotIn: lambda a, b: not operator.contains(b, a),
}

_BUILTINS = frozenset(
    {"abs", "all", "any", "bool", "chr", "complex", "dict", "divmod", "enumerate", "float", "int",
     "len", "list", "max", "min", "ord", "pow", "range", "reversed", "round", "sorted", "str",
     "sum", "tuple", "zip"}
)  # fmt: skip
_ITERTOOLS = frozenset(
    {"accumulate", "chain", "combinations", "combinations_with_replacement", "islice", "pairwise",
     "permutations", "product", "repeat", "zip_longest"}
)  # fmt: skip

# Of NumPy, beside its functions of numbers.
_NUMPY = frozenset(
    {"all", "amax", "amin", "any", "append", "arange", "argmax", "argmin", "argsort", "array",
     "asarray", "ascontiguousarray", "atleast_1d", "atleast_2d", "block", "bool_",
     "broadcast_to", "column_stack", "complex128", "complex64", "concatenate", "cov", "cross",
     "cumprod", "cumsum", "diag", "diagflat", "diagonal", "diff", "dot", "dstack", "einsum",
     "expand_dims", "eye", "finfo", "flip", "fliplr", "flipud", "float32", "float64", "full",
     "full_like", "geomspace", "hstack", "identity", "iinfo", "inner", "int16", "int32",
     "int64", "int8", "isfinite", "isinf", "isnan", "kron", "linspace", "logspace", "matmul", "max",
     "mean", "median", "meshgrid", "min", "moveaxis", "nonzero", "ones", "ones_like", "outer",
     "polyder", "polyfit", "polyint", "polymul", "polyval", "prod", "ravel", "repeat", "reshape",
     "roll", "rot90", "round", "size", "sort", "split", "squeeze", "stack", "std", "sum",
     "swapaxes", "tile", "trace", "transpose", "trapezoid", "tri", "tril", "tril_indices", "triu",
     "triu_indices", "uint16", "uint32", "uint64", "uint8", "unique", "vander", "var", "vstack",
     "where", "zeros", "zeros_like",
     "fft.fftfreq", "fft.rfftfreq",
     "linalg.cholesky", "linalg.det", "linalg.inv", "linalg.norm", "linalg.solve",
     "polynomial.chebyshev.chebgauss", "polynomial.hermite.hermgauss",
     "polynomial.hermite_e.hermegauss", "polynomial.laguerre.laggauss",
     "polynomial.legendre.leggauss"}
)  # fmt: skip
_SQUARES = frozenset({"diag", "diagflat", "eye", "identity", "tri", "vander"})  # of that many items
_OF_SPANS = frozenset({"arange", "range"})

# Of arrays and of what finfo and iinfo give, of dtypes and of numbers.
_ATTRIBUTES = frozenset(
    {"T", "bits", "char", "dtype", "eps", "epsneg", "imag", "itemsize", "kind", "max", "min",
     "name", "nbytes", "ndim", "precision", "real", "resolution", "shape", "size",
     "smallest_normal", "str", "tiny"}
)  # fmt: skip
_FLOAT_INFO = frozenset({"dig", "epsilon", "mant_dig", "max", "max_exp", "min", "min_exp", "radix"})
_METHODS: Mapping[type, frozenset[str]] = {
    np.ndarray: frozenset(
        {"all", "any", "argmax", "argmin", "argsort", "astype", "clip", "conj", "copy", "cumprod",
         "cumsum", "diagonal", "dot", "flatten", "item", "max", "mean", "min", "nonzero", "prod",
         "ravel", "repeat", "reshape", "round", "squeeze", "std", "sum", "swapaxes", "tolist",
         "trace", "transpose", "var"}
    ),
    np.generic: frozenset({"astype", "conj", "item"}),
    dict: frozenset({"get", "items", "keys", "values"}),
    list: frozenset({"copy", "count", "index"}),
    tuple: frozenset({"count", "index"}),
    str: frozenset({"format", "join", "lower", "replace", "split", "strip", "upper"}),
    float: frozenset({"fromhex", "is_integer"}),
    complex: frozenset({"conjugate"}),
}  # fmt: skip


def binary(op: type[cst.BaseBinaryOp], a: object, b: object) -> object:
    """``a op b``."""
    if op not in BINARY:
        raise Unknowable
    if op is cst.Power and isinstance(a, int):
        _check(_size(b) <= _LARGEST_POWER)
    if isinstance(a, np.ndarray | np.generic) or isinstance(b, np.ndarray | np.generic):
        check_work((a, b), is_elementwise=op is not cst.MatrixMultiply)
    elif op is cst.Multiply:
        for items, times in ((a, b), (b, a)):
            if isinstance(items, str | list | tuple) and isinstance(times, int):
                _check(len(items) * max(times, 0) <= _MOST_ITEMS)
    elif op is cst.Modulo and isinstance(a, str):
        raise Unknowable
    with np.errstate(all="ignore"):
        return BINARY[op](a, b)


def is_pure(qualname: str) -> bool:
    """True if a function, by its full name, is one of those here."""
    home, _, name = qualname.partition(".")
    match home:
        case "builtins":
            return name in _BUILTINS
        case "math" | "cmath":
            return hasattr(math if home == "math" else cmath, name)
        case "itertools":
            return name in _ITERTOOLS
        case "numpy":
            return name in _NUMPY or scalar_op(qualname) is not None or qualname in SCALARS
        case _:
            return False


def call(qualname: str, args: Sequence[object], named: Mapping[str, object]) -> object:
    """The value of a call of a function by its full name."""
    if not is_pure(qualname):
        raise Unknowable
    home, _, name = qualname.partition(".")
    match home:
        case "builtins":
            return _of_builtins(name, args, named)
        case "math" | "cmath":
            if _is_huge(name, args):
                raise Unknowable
            return getattr(math if home == "math" else cmath, name)(*args, **named)
        case "itertools":
            made = getattr(itertools, name)(*args, **named)
            found = list(itertools.islice(made, _MOST_ITEMS + 1))
            _check(len(found) <= _MOST_ITEMS)
            return found
        case _:
            if named.keys() & {"out", "where"} or "object" in map(str, named.values()):
                raise Unknowable
            is_elementwise = scalar_op(qualname) is not None
            check_work([*args, *named.values()], is_elementwise, name)
            function = operator.attrgetter(name)(np)
            with np.errstate(all="ignore"):
                return _object(function(*args, **named))


def method(value: object, name: str, args: Sequence[object], named: Mapping[str, object]) -> object:
    """``value.name(...)``."""
    for kind, names in _METHODS.items():
        if isinstance(value, kind) and name in names and not named.keys() & {"out", "where"}:
            if isinstance(value, np.ndarray):
                check_work([value, *args, *named.values()])
            return _settled(getattr(value, name)(*args, **named))
    raise Unknowable


def attribute(value: object, name: str) -> object:
    """``value.name``."""
    is_known = isinstance(
        value, np.ndarray | np.generic | np.dtype | np.finfo | np.iinfo | int | float | complex
    )
    if not is_known or name not in _ATTRIBUTES:
        raise Unknowable
    return _object(getattr(value, name))


def part(value: object, index: object) -> object:
    """``value[index]``."""
    if not isinstance(value, str | list | tuple | dict | range | np.ndarray):
        raise Unknowable
    holder: Any = value
    return holder[index]


def float_info(name: str) -> object:
    """``sys.float_info.name``, the same on all machines that Python runs on today."""
    if name not in _FLOAT_INFO:
        raise Unknowable
    return getattr(sys.float_info, name)


def items(value: object) -> Iterator[object]:
    """The items of a loop over ``value`` gives."""
    if not isinstance(value, str | list | tuple | dict | range | np.ndarray):
        raise Unknowable
    return iter(value)


def dtype(qualname: str) -> object:
    """The dtype that a name outside the program stands for: an argument of NumPy's functions."""
    if qualname in SCALARS:
        return np.dtype(SCALARS[qualname].value)
    raise Unknowable


def is_known_dtype(dtype: np.dtype[Any]) -> bool:
    return dtype.name in {known.value for known in DType}


def is_constant(value: object) -> bool:
    """True for what can be a constant of a function: numbers, text, and tuples of them."""
    match value:
        case np.generic():
            return is_known_dtype(value.dtype)
        case tuple():
            return all(map(is_constant, value))
        case bool() | int() | float() | complex() | str() | None | np.finfo() | np.iinfo():
            return True
        case _:
            return False


def is_constant_inside(value: object) -> bool:
    """True for lists and dicts that hold nothing but such and one another."""
    match value:
        case list() | tuple():
            return all(map(is_constant_inside, value))
        case dict():
            return all(is_constant(k) and is_constant_inside(v) for k, v in value.items())
        case _:
            return is_constant(value)


def check_work(args: Iterable[object], is_elementwise: bool = False, name: str = "") -> None:
    """Refuse calls with arguments so large that they would take long."""
    given = list(args)
    if name in _OF_SPANS:
        _check(_span(given) <= _MOST_ITEMS)
        return
    arrays = [np.asarray(one).shape for one in given if isinstance(one, np.ndarray | list | tuple)]
    if is_elementwise and len(arrays) == len(given):
        _check(math.prod(np.broadcast_shapes(*arrays)) <= _MOST_ITEMS)
        return
    work = 1
    for number in itertools.chain.from_iterable(map(_sizes, given)):
        work *= max(abs(number), 1)
    _check((work**2 if name in _SQUARES else work) <= _MOST_WORK)


def _sizes(value: object) -> Iterator[int]:
    match value:
        case np.ndarray():
            yield value.size
        case bool() | str():
            return
        case int() | np.integer():
            yield int(value)
        case list() | tuple():
            if any(isinstance(item, float | np.ndarray | list | tuple) for item in value):
                yield sum(math.prod(_sizes(item)) for item in value)
            else:
                for item in value:
                    yield from _sizes(item)
        case _:
            return


def _span(args: Sequence[object]) -> float:
    numbers = [float(arg) for arg in args if isinstance(arg, int | float | np.number)]
    if not numbers:
        raise Unknowable
    start, stop = (0.0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    return abs(stop - start) / abs(numbers[2] if len(numbers) > 2 else 1.0)


def _of_builtins(name: str, args: Sequence[object], named: Mapping[str, object]) -> object:
    if name == "range":
        check_work(args, name=name)
    if name == "pow":
        raise Unknowable
    return _settled(getattr(builtins, name)(*args, **named))


def _settled(value: object) -> object:
    """``value``; an iterator as a list of what it gives, which is read once."""
    if isinstance(value, str | list | tuple | dict | range | np.ndarray | np.generic):
        return value
    return list(value) if isinstance(value, Iterable) else value


def _object(value: object) -> object:
    """``value``, which NumPy has made: of objects nothing is known."""
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        raise Unknowable
    return value


def _is_huge(name: str, args: Sequence[object]) -> bool:
    """True if a function of integers would take too long."""
    integral = name in ("factorial", "comb", "perm", "gcd", "lcm")
    return integral and any(_size(arg) > _LARGEST_POWER for arg in args)


def _size(value: object) -> float:
    """The absolute value of a number; 0 for anything else."""
    if isinstance(value, np.number):
        value = value.item()
    return float(abs(value)) if isinstance(value, int | float | complex) else 0.0


def _check(is_small: bool) -> None:
    if not is_small:
        raise Unknowable
