"""Module-level constants: scalars that can be worked out ahead of time, and arrays.

Only literals, arithmetic and functions of ``math`` and NumPy on numbers are worked out, here and by
this process; no code of the user runs.
"""

from __future__ import annotations

import builtins
import cmath
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import libcst as cst
import numpy as np
from mooncake_rules.scalar import CONSTANTS
from mooncake_rules.scalar import resolve as scalar_op

from mooncake_transpiler.frontend.bindings import ValueBinding
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.typenames import SCALARS
from mooncake_transpiler.types import Array, DType, result_dtype

Key = tuple[str, str]  # module and name
Number = bool | int | float | complex


class Unknowable(Exception):
    """The value of an expression can't be told ahead of time."""


UNKNOWABLE = object()


_BINARY: Mapping[type[cst.BaseBinaryOp], Callable[[Number, Number], object]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Power: operator.pow,
}  # fmt: skip

_UNARY: Mapping[type[cst.BaseUnaryOp], Callable[[Number], object]] = {
    cst.Minus: operator.neg,
    cst.Plus: operator.pos,
    cst.Not: operator.not_,
}

_BUILTINS = frozenset({"abs", "bool", "complex", "float", "int", "len", "max", "min", "round"})
_LIMITS = frozenset({"eps", "max", "min", "tiny"})  # of np.finfo
_LARGEST_POWER = 1024  # of an integer: constants are not big computations

_SHAPED = frozenset({"zeros", "ones", "empty", "full"})


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Works out expressions at the top level of modules; ``written`` names are no constants."""

    resolver: Resolver
    written: frozenset[Key]
    known: dict[Key, object] = field(default_factory=dict)  # values of names, or UNKNOWABLE

    def constant(self, module: str, expr: cst.BaseExpression) -> object:
        """The value of ``expr``, or ``Unknowable``."""
        try:
            return self._value(module, expr, frozenset())
        except (ArithmeticError, ValueError, TypeError):
            raise Unknowable from None

    def array(self, module: str, expr: cst.BaseExpression) -> Array:
        """The type of the array that ``expr`` makes, or ``Unknowable``."""
        if not isinstance(expr, cst.Call):
            raise Unknowable
        maker = self.resolver.lookup(module, expr.func)
        if not isinstance(maker, External) or not maker.qualname.startswith("numpy."):
            raise Unknowable
        given = [arg.value for arg in expr.args if arg.keyword is None and not arg.star]
        named = {arg.keyword.value: arg.value for arg in expr.args if arg.keyword is not None}
        name = maker.qualname.removeprefix("numpy.")
        position = {"array": 1, "asarray": 1, "full": 2}.get(name, 1 if name in _SHAPED else 9)
        dtype_at = named.get("dtype") or (given[position] if len(given) > position else None)
        dtype = None if dtype_at is None else self._dtype(module, dtype_at)
        if not given:
            raise Unknowable
        return self._array(module, name, given, dtype)

    def _array(
        self,
        module: str,
        name: str,
        given: Sequence[cst.BaseExpression],
        dtype: DType | None,
    ) -> Array:
        match name:
            case "array" | "asarray":
                items = self._nested(module, given[0])
                return Array(dtype or _dtype_of(items), _rank_of(items))
            case "full" if len(given) > 1:
                shape = self.constant(module, given[0])
                return Array(dtype or _dtype_of(self.constant(module, given[1])), _rank(shape))
            case "zeros" | "ones" | "empty":
                return Array(dtype or DType.FLOAT64, _rank(self.constant(module, given[0])))
            case "arange":
                kinds = [_dtype_of(self.constant(module, arg)) for arg in given]
                joined = kinds[0]
                for kind in kinds[1:]:
                    joined = result_dtype(joined, kind)
                return Array(dtype or joined, 1)
            case "linspace" | "logspace" | "geomspace":
                return Array(dtype or DType.FLOAT64, 1)
            case "eye" | "identity":
                return Array(dtype or DType.FLOAT64, 2)
            case _:
                raise Unknowable

    def _dtype(self, module: str, node: cst.BaseExpression) -> DType:
        found = self.resolver.lookup(module, node)
        if isinstance(found, External) and found.qualname in SCALARS:
            return SCALARS[found.qualname]
        name = (
            f"numpy.{_string(node.evaluated_value)}" if isinstance(node, cst.SimpleString) else ""
        )
        if name not in SCALARS:
            raise Unknowable
        return SCALARS[name]

    def _nested(self, module: str, node: cst.BaseExpression) -> object:
        """A display of constants, lists as tuples."""
        if isinstance(node, cst.List | cst.Tuple):
            return tuple(self._nested(module, element.value) for element in node.elements)
        return self.constant(module, node)

    def _value(self, module: str, expr: cst.BaseExpression, seen: frozenset[Key]) -> object:
        match expr:
            case cst.Integer() | cst.Float() | cst.Imaginary():
                return expr.evaluated_value
            case cst.SimpleString() | cst.ConcatenatedString():
                return _string(expr.evaluated_value)
            case cst.Name(value="True" | "False" | "None" as name):
                return {"True": True, "False": False, "None": None}[name]
            case cst.Attribute(value=cst.Call() as call, attr=attr):
                return self._limit(module, call, attr.value)
            case cst.Name() | cst.Attribute():
                return self._named(module, expr, seen)
            case cst.Tuple(elements=elements):
                return tuple(self._value(module, element.value, seen) for element in elements)
            case cst.UnaryOperation(operator=op, expression=inner) if type(op) in _UNARY:
                return _UNARY[type(op)](_number(self._value(module, inner, seen)))
            case cst.BinaryOperation(left=left, operator=op, right=right) if type(op) in _BINARY:
                a = _number(self._value(module, left, seen))
                b = _number(self._value(module, right, seen))
                if isinstance(op, cst.Power) and isinstance(a, int) and abs(b) > _LARGEST_POWER:
                    raise Unknowable
                return _BINARY[type(op)](a, b)
            case cst.Call(func=func, args=args) if all(_is_plain(arg) for arg in args):
                values = [self._value(module, arg.value, seen) for arg in args]
                return self._call(module, func, values)
            case _:
                raise Unknowable

    def _named(self, module: str, node: cst.BaseExpression, seen: frozenset[Key]) -> object:
        match self.resolver.lookup(module, node):
            case External(qualname=qualname) if qualname in CONSTANTS:
                return CONSTANTS[qualname]
            case BoundName(module=other, name=name, binding=ValueBinding(expr=expr, is_type=False)):
                key = (other, name)
                if key not in seen and key not in self.written:
                    return self._remembered(key, expr, seen | {key})
            case _:
                pass
        raise Unknowable

    def _remembered(self, key: Key, expr: cst.BaseExpression, seen: frozenset[Key]) -> object:
        """The value of the name ``key``; long chains of names are followed once."""
        if key not in self.known:
            self.known[key] = UNKNOWABLE
            self.known[key] = self._value(key[0], expr, seen)
        if self.known[key] is UNKNOWABLE:
            raise Unknowable
        return self.known[key]

    def _call(self, module: str, func: cst.BaseExpression, args: Sequence[object]) -> object:
        found = self.resolver.lookup(module, func)
        if not isinstance(found, External):
            raise Unknowable
        home, _, name = found.qualname.rpartition(".")
        if home == "builtins" and name in _BUILTINS:
            return getattr(builtins, name)(*args)
        numbers = [_number(arg) for arg in args]
        if home == "math" and hasattr(math, name) and not _is_huge(name, numbers):
            return getattr(math, name)(*numbers)
        if home == "cmath" and hasattr(cmath, name):
            return getattr(cmath, name)(*numbers)
        if home == "numpy" and (name == "float64" or scalar_op(found.qualname)):
            with np.errstate(all="ignore"):
                return getattr(np, name)(*numbers).item()
        raise Unknowable

    def _limit(self, module: str, call: cst.Call, attr: str) -> object:
        """``np.finfo(float).eps``."""
        known = self.resolver.lookup(module, call.func) == External("numpy.finfo")
        if not known or attr not in _LIMITS or len(call.args) != 1:
            raise Unknowable
        dtype = self._dtype(module, call.args[0].value)
        return float(getattr(np.finfo(dtype.value), attr))


def _is_plain(arg: cst.Arg) -> bool:
    return arg.keyword is None and not arg.star


def _is_huge(name: str, numbers: Sequence[Number]) -> bool:
    """True if a function of integers would take too long."""
    integral = name in ("factorial", "comb", "perm", "gcd", "lcm")
    return integral and any(abs(number) > _LARGEST_POWER for number in numbers)


def _number(value: object) -> Number:
    if isinstance(value, bool | int | float | complex):
        return value
    raise Unknowable


def _string(value: object) -> str:
    if isinstance(value, str):
        return value
    raise Unknowable


def _rank(shape: object) -> int:
    return len(shape) if isinstance(shape, tuple) else 1


def _rank_of(items: object) -> int:
    """The rank of a nested tuple; ragged ones are no arrays."""
    if not isinstance(items, tuple):
        return 0
    ranks = {_rank_of(item) for item in items}
    lengths = {len(item) for item in items if isinstance(item, tuple)}
    if len(ranks) > 1 or len(lengths) > 1:
        raise Unknowable
    return 1 + (ranks.pop() if ranks else 0)


def _dtype_of(value: object) -> DType:
    match value:
        case bool():
            return DType.BOOL
        case int():
            return DType.INT64
        case float():
            return DType.FLOAT64
        case complex():
            return DType.COMPLEX128
        case (first, *rest):
            dtype = _dtype_of(first)
            for item in rest:
                dtype = result_dtype(dtype, _dtype_of(item))
            return dtype
        case ():
            return DType.FLOAT64
        case _:
            raise Unknowable
