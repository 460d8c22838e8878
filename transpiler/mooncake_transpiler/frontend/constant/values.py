"""Module-level constants: values that can be worked out ahead of time, and types of arrays.

Only literals, operators and the functions of ``pure.py`` are worked out, here and by this process;
no code of the user runs.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import libcst as cst
import numpy as np
from mooncake_rules.scalar import CONSTANTS

from mooncake_transpiler.frontend.constant import pure
from mooncake_transpiler.frontend.constant.pure import Unknowable
from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.bindings import ValueBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.frontend.name.typenames import SCALARS
from mooncake_transpiler.frontend.text.trees import by_name, by_position
from mooncake_transpiler.types import Array, DType, result_dtype

__all__ = ["Evaluator", "Unknowable"]

Key = tuple[str, str]  # module and name

UNKNOWABLE = object()
_SHAPED = frozenset({"zeros", "ones", "empty", "full"})


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Works out expressions at the top level of modules.

    ``written`` names are no constants. What is in those that are ``filled`` is not known: the
    module changes them after it has bound them. ``local``: variables of comprehensions.
    """

    resolver: Resolver
    written: frozenset[Key]
    filled: frozenset[Key] = frozenset()
    known: dict[Key, object] = field(default_factory=dict)  # values of names, or UNKNOWABLE
    module: str = ""  # where the expression stands
    local: Mapping[str, object] = field(default_factory=dict)
    only_types: bool = False  # what arrays hold is of no importance

    def constant(self, module: str, expr: cst.BaseExpression) -> object:
        """The value of ``expr`` at the top level of ``module``, or ``Unknowable``."""
        return self._in(module)._constant(expr)

    def array(self, module: str, expr: cst.BaseExpression) -> Array:
        """The type of the array that ``expr`` makes, or ``Unknowable``."""
        loose = replace(self, filled=frozenset(), known={}, only_types=True)
        try:
            value = loose.constant(module, expr)
        except Unknowable:
            return self._in(module)._made(expr)
        if isinstance(value, np.ndarray) and pure.is_known_dtype(value.dtype):
            return Array(DType(value.dtype.name), value.ndim)
        raise Unknowable

    def _in(self, module: str) -> Evaluator:
        return replace(self, module=module, local={})

    def _constant(self, expr: cst.BaseExpression) -> object:
        try:
            with warnings.catch_warnings(action="ignore"):
                return self._value(expr)
        except (ArithmeticError, ValueError, TypeError, LookupError, AttributeError):
            raise Unknowable from None

    def _made(self, expr: cst.BaseExpression) -> Array:
        """The type of an array that is too large to be worked out, or has no contents yet."""
        if not isinstance(expr, cst.Call):
            raise Unknowable
        maker = self.resolver.lookup(self.module, expr.func)
        if not isinstance(maker, External) or not maker.qualname.startswith("numpy."):
            raise Unknowable
        given, named = by_position(expr.args), by_name(expr.args)
        name = maker.qualname.removeprefix("numpy.")
        position = {"array": 1, "asarray": 1, "full": 2}.get(name, 1 if name in _SHAPED else 9)
        dtype_at = named.get("dtype") or (given[position] if len(given) > position else None)
        dtype = None if dtype_at is None else self._dtype(dtype_at)
        if not given:
            raise Unknowable
        return self._array(name, given, dtype)

    def _array(self, name: str, given: Sequence[cst.BaseExpression], dtype: DType | None) -> Array:
        match name:
            case "array" | "asarray":
                items = _tupled(self._constant(given[0]))
                return Array(dtype or _dtype_of(items), _rank_of(items))
            case "full" if len(given) > 1:
                shape = self._constant(given[0])
                return Array(dtype or _dtype_of(self._constant(given[1])), _rank(shape))
            case "zeros" | "ones" | "empty":
                return Array(dtype or DType.FLOAT64, _rank(self._constant(given[0])))
            case "arange":
                kinds = [_dtype_of(self._constant(arg)) for arg in given]
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

    def _dtype(self, node: cst.BaseExpression) -> DType:
        found = self.resolver.lookup(self.module, node)
        if isinstance(found, External) and found.qualname in SCALARS:
            return SCALARS[found.qualname]
        name = (
            f"numpy.{_string(node.evaluated_value)}" if isinstance(node, cst.SimpleString) else ""
        )
        if name not in SCALARS:
            raise Unknowable
        return SCALARS[name]

    def _value(self, expr: cst.BaseExpression) -> object:
        match expr:
            case cst.Integer() | cst.Float() | cst.Imaginary():
                return expr.evaluated_value
            case cst.SimpleString() | cst.ConcatenatedString():
                return _string(expr.evaluated_value)
            case cst.Name(value="True" | "False" | "None" as name):
                return {"True": True, "False": False, "None": None}[name]
            case cst.Name() | cst.Attribute():
                return self._named(expr)
            case cst.UnaryOperation(operator=op, expression=inner):
                return pure.UNARY[type(op)](self._value(inner))
            case cst.BinaryOperation(left=left, operator=op, right=right):
                a = self._value(left)
                return pure.binary(type(op), a, self._value(right))
            case cst.Call(func=func, args=args):
                return self._call(func, args)
            case cst.Subscript(value=value, slice=slice_):
                index = self._index(slice_)
                return pure.part(self._value(value), index)
            case cst.BooleanOperation() | cst.Comparison() | cst.IfExp():
                return self._tested(expr)
            case _:
                return self._display(expr)

    def _display(self, expr: cst.BaseExpression) -> object:
        match expr:
            case cst.Tuple(elements=elements):
                return tuple(self._elements(elements))
            case cst.List(elements=elements):
                return list(self._elements(elements))
            case cst.Dict(elements=elements):
                return dict(self._pairs(elements))
            case cst.ListComp(elt=elt, for_in=for_in) | cst.GeneratorExp(elt=elt, for_in=for_in):
                inner = self._looped(for_in)
                return [one._value(elt) for one in inner]
            case cst.DictComp(key=key, value=value, for_in=for_in):
                return {one._value(key): one._value(value) for one in self._looped(for_in)}
            case _:
                raise Unknowable

    def _tested(self, expr: cst.BooleanOperation | cst.Comparison | cst.IfExp) -> object:
        """The value of a test or a choice; only what is chosen is looked at."""
        if self.only_types and not isinstance(expr, cst.Comparison):
            raise Unknowable
        match expr:
            case cst.IfExp(test=test, body=body, orelse=orelse):
                chosen = body if self._value(test) else orelse
                return self._value(chosen)
            case cst.BooleanOperation(left=left, operator=op, right=right):
                first = self._value(left)
                is_decided = bool(first) == isinstance(op, cst.Or)
                return first if is_decided else self._value(right)
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(op, right)]):
                a, b = self._value(left), self._value(right)
                if isinstance(op, cst.Is | cst.IsNot) and (a is None or b is None):
                    return (a is b) == isinstance(op, cst.Is)
                return pure.COMPARE[type(op)](a, b)
            case _:
                raise Unknowable

    def _elements(self, elements: Sequence[cst.BaseElement]) -> Iterator[object]:
        for element in elements:
            value = self._value(element.value)
            if isinstance(element, cst.StarredElement):
                yield from pure.items(value)
            else:
                yield value

    def _pairs(self, elements: Sequence[cst.BaseDictElement]) -> Iterator[tuple[object, object]]:
        for element in elements:
            value = self._value(element.value)
            if isinstance(element, cst.DictElement):
                yield self._value(element.key), value
            elif isinstance(value, dict):
                yield from value.items()
            else:
                raise Unknowable

    def _looped(self, for_in: cst.CompFor) -> Iterator[Evaluator]:
        """Evaluators for the iterations of a comprehension."""
        if for_in.asynchronous is not None:
            raise Unknowable
        for item in pure.items(self._value(for_in.iter)):
            inner = replace(self, local={**self.local, **_bound(for_in.target, item)})
            if self.only_types and for_in.ifs:
                raise Unknowable
            if all(inner._value(test.test) for test in for_in.ifs):
                if for_in.inner_for_in is None:
                    yield inner
                else:
                    yield from inner._looped(for_in.inner_for_in)

    def _index(self, slices: Sequence[cst.SubscriptElement]) -> object:
        found = []
        for element in slices:
            match element.slice:
                case cst.Index(value=value, star=None):
                    found.append(self._value(value))
                case cst.Slice(lower=lower, upper=upper, step=step):
                    ends = (lower, upper, step)
                    found.append(slice(*(e and self._value(e) for e in ends)))
                case _:
                    raise Unknowable
        return tuple(found) if len(found) > 1 else found[0]

    def _named(self, node: cst.Name | cst.Attribute) -> object:
        if isinstance(node, cst.Name) and node.value in self.local:
            return self.local[node.value]
        root = _root(node)
        found = None if root in self.local else self.resolver.lookup(self.module, node)
        match found:
            case External(qualname=qualname) if qualname in CONSTANTS:
                return CONSTANTS[qualname]
            case External(qualname="numpy.newaxis"):
                return None
            case External(qualname=qualname) if qualname.startswith("sys.float_info."):
                return pure.float_info(qualname.removeprefix("sys.float_info."))
            case BoundName(module=other, name=name, binding=ValueBinding(expr=expr, is_type=False)):
                key = (other, name)
                if key not in self.written | self.filled:
                    return self._remembered(key, expr)
                raise Unknowable
            case None if isinstance(node, cst.Attribute):
                return pure.attribute(self._value(node.value), node.attr.value)
            case _:
                raise Unknowable

    def _remembered(self, key: Key, expr: cst.BaseExpression) -> object:
        """The value of the name ``key``; chains of names are followed once, and no circles."""
        if key not in self.known:
            self.known[key] = UNKNOWABLE
            self.known[key] = self._in(key[0])._value(expr)
        if self.known[key] is UNKNOWABLE:
            raise Unknowable
        return self.known[key]

    def _call(self, func: cst.BaseExpression, args: Sequence[cst.Arg]) -> object:
        given: list[object] = []
        named: dict[str, object] = {}
        for arg in args:
            value = self._argument(arg.value)
            if arg.star == "*":
                given += pure.items(value)
            elif arg.star or arg.keyword is None:
                if arg.star:
                    raise Unknowable
                given.append(value)
            else:
                named[arg.keyword.value] = value
        found = None if _root(func) in self.local else self.resolver.lookup(self.module, func)
        if isinstance(found, External):
            return pure.call(found.qualname, given, named)
        if found is None and isinstance(func, cst.Attribute):
            return pure.method(self._value(func.value), func.attr.value, given, named)
        raise Unknowable

    def _argument(self, node: cst.BaseExpression) -> object:
        """The value of an argument, which may be a dtype."""
        if isinstance(node, cst.Name | cst.Attribute) and _root(node) not in self.local:
            match self.resolver.lookup(self.module, node):
                case External(qualname=qualname) if qualname in SCALARS:
                    return pure.dtype(qualname)
                case BoundName(
                    module=other, name=name,
                    binding=ValueBinding(expr=(cst.Name() | cst.Attribute()) as expr),
                ) if expr is not node and (other, name) not in self.written:  # fmt: skip
                    return self._in(other)._argument(expr)
        return self._value(node)


def _bound(target: cst.BaseExpression, value: object) -> dict[str, object]:
    """The variables that ``target`` binds."""
    match target:
        case cst.Name(value=name):
            return {name: value}
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            found: dict[str, object] = {}
            for element, item in zip(elements, pure.items(value), strict=True):
                found |= _bound(element.value, item)
            return found
        case _:
            raise Unknowable


def _root(node: cst.CSTNode) -> str:
    """``a`` of ``a.b.c``."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else ""


def _tupled(value: object) -> object:
    """``value`` with its lists as tuples."""
    return tuple(map(_tupled, value)) if isinstance(value, list | tuple) else value


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
