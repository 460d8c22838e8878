"""Annotations that fit the values of expressions in an ``__init__``: numbers, text, arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.text.trees import is_name, walk

Qualname = Callable[[cst.BaseExpression], str | None]  # of what a name of a library stands for

_FLOAT, _INT = cst.Name("float"), cst.Name("int")
_NUMBERS = ("float", "int")
_CONVERSIONS = {"float": "float", "int": "int", "bool": "bool", "str": "str", "len": "int"}
_COPIES = frozenset({"numpy.array", "numpy.asarray", "numpy.copy", "numpy.ascontiguousarray"})
_OF_SHAPES = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full"})
_VECTORS = frozenset({"numpy.linspace"})
_MATRICES = frozenset({"numpy.eye", "numpy.identity"})
_FLOATS = frozenset({"builtins.float", "numpy.float64"})
_OF_FLOATS = frozenset(
    f"{module}.{name}"
    for module in ("numpy", "math")
    for name in ("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "tanh", "radians", "deg2rad")
)


def no_names(node: cst.BaseExpression) -> str | None:
    """None: no name of a library is known."""
    return None


@dataclass(frozen=True, slots=True)
class Values:
    """The annotations of expressions over ``params`` and attributes of ``owner``, with theirs."""

    params: Mapping[str, cst.BaseExpression]
    owner: str
    attributes: Mapping[str, cst.BaseExpression]
    qualname: Qualname

    def annotation(self, node: cst.BaseExpression | None) -> cst.BaseExpression | None:
        """The annotation that fits the value of ``node``; None if that is not told."""
        match node:
            case cst.Name(value="True" | "False"):
                return cst.Name("bool")
            case cst.Name(value=name):
                return self.params.get(name)
            case cst.Float():
                return _FLOAT
            case cst.Integer():
                return _INT
            case cst.SimpleString():
                return cst.Name("str")
            case cst.UnaryOperation(operator=cst.Minus() | cst.Plus(), expression=inner):
                found = self.annotation(inner)
                return found if is_name(found, *_NUMBERS) else None
            case cst.BinaryOperation(left=left, operator=operator, right=right):
                return self._arithmetic(operator, self.annotation(left), self.annotation(right))
            case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=name)) if (
                base == self.owner
            ):
                return self.attributes.get(name)
            case cst.Call(func=cst.Name(value=name), args=[cst.Arg(keyword=None, star="")]) if (
                name in _CONVERSIONS and name not in self.params
            ):
                return cst.Name(_CONVERSIONS[name])
            case cst.Call(func=cst.Attribute(value=base, attr=cst.Name(value="copy")), args=[]):
                found = self.annotation(base)
                return None if is_name(found, *_NUMBERS) else found
            case cst.Call(func=cst.Attribute(value=base) as func, args=[first, *others]):
                return self._made(base, self.qualname(func), first.value, others)
            case _:
                return None

    def _made(
        self, numpy: cst.BaseExpression, maker: str | None, first: cst.BaseExpression,
        others: Sequence[cst.Arg],
    ) -> cst.BaseExpression | None:  # fmt: skip
        """The type of what a function of a library makes of ``first``."""
        if maker in _OF_FLOATS:
            return _FLOAT if is_name(self.annotation(first), *_NUMBERS) else None
        dtypes = [one.value for one in others if one.keyword and one.keyword.value == "dtype"]
        if any(self.qualname(one) not in _FLOATS for one in dtypes):
            return None
        if maker in _COPIES:
            return self._copied(numpy, first, bool(dtypes))
        if maker in _OF_SHAPES:
            shape = first.elements if isinstance(first, cst.Tuple | cst.List) else None
            if shape is None and not isinstance(first, cst.Integer | cst.Call):
                return None if not is_name(self.annotation(first), "int") else _array(numpy, 1)
            is_float = maker != "numpy.full" or bool(dtypes)
            return _array(numpy, 1 if shape is None else len(shape)) if is_float else None
        if maker in _VECTORS | _MATRICES:
            return _array(numpy, 1 if maker in _VECTORS else 2)
        return None

    def _copied(
        self, numpy: cst.BaseExpression, of: cst.BaseExpression, is_float: bool
    ) -> cst.BaseExpression | None:
        """``np.array(position)``: of floats, if nothing says otherwise."""
        depth = _depth(of)
        if depth:
            floats = is_float or any(isinstance(one, cst.Float) for one in walk(of))
            return _array(numpy, depth) if floats else None
        match of:
            case cst.Name(value=name) if name in self.params:
                told = self.params[name]
                is_list = isinstance(told, cst.Subscript)
                return _array(numpy, None) if is_list and is_float else told
            case cst.Name():
                return _array(numpy, None)
            case _:
                return None

    def _arithmetic(
        self,
        operator: cst.BaseBinaryOp,
        left: cst.BaseExpression | None,
        right: cst.BaseExpression | None,
    ) -> cst.BaseExpression | None:
        """The type of a sum, a product and the like of numbers."""
        if not (is_name(left, *_NUMBERS) and is_name(right, *_NUMBERS)):
            return None
        if isinstance(operator, cst.Divide):
            return _FLOAT
        if not isinstance(operator, cst.Add | cst.Subtract | cst.Multiply):
            return None
        return _INT if is_name(left, "int") and is_name(right, "int") else _FLOAT


def _depth(node: cst.BaseExpression) -> int:
    """The number of lists around the first item of a list that is written out."""
    match node:
        case cst.List(elements=[first, *_]) | cst.Tuple(elements=[first, *_]):
            return 1 + _depth(first.value)
        case _:
            return 0


def _array(numpy: cst.BaseExpression, rank: int | None) -> cst.BaseExpression:
    """The annotation of an array of floats; ``numpy`` is the module as the source calls it."""
    ndarray = cst.Attribute(numpy, cst.Name("ndarray"))
    if rank is None:
        return ndarray
    dtype = cst.Attribute(numpy, cst.Name("dtype"))
    shape = _subscript(cst.Name("tuple"), [_INT] * rank)
    return _subscript(
        ndarray, [shape, _subscript(dtype, [cst.Attribute(numpy, cst.Name("float64"))])]
    )


def _subscript(of: cst.BaseExpression, items: Sequence[cst.BaseExpression]) -> cst.Subscript:
    return cst.Subscript(of, [cst.SubscriptElement(cst.Index(item)) for item in items])
