"""Types from the signatures of numba's decorators: ``@njit("float64(float64[:], int64)")``.

They stand for annotations where a function has none. Of several signatures none is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from mooncake_transpiler.frontend.annotation.annotation_parts import quoted_type, tuple_type
from mooncake_transpiler.frontend.entities import Annotation, External
from mooncake_transpiler.frontend.name import typenames
from mooncake_transpiler.frontend.name.bindings import ValueBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Resolver
from mooncake_transpiler.types import NONE, Array, DType, Scalar, Tuple

_COMPILERS = (
    External("numba.njit"),
    External("numba.jit"),
    External("numba.vectorize"),
    External("numba.guvectorize"),
)
_MAX_ALIASES = 20
_TUPLES = ("numba.Tuple", "numba.UniTuple")
_NOTHING = ("numba.void", "numba.none")


@dataclass(frozen=True, slots=True)
class CompiledTypes:
    """The types of parameters and of the result; None where the signature leaves one open."""

    params: tuple[Annotation | None, ...]
    result: Annotation | None


def signature_of(resolver: Resolver, module: str, node: cst.FunctionDef) -> CompiledTypes | None:
    """The one signature that ``node`` is compiled for, if its decorator says it."""
    for decorator in node.decorators:
        maker = decorator.decorator
        if isinstance(maker, cst.Call) and resolver.lookup(module, maker.func) in _COMPILERS:
            for k, arg in enumerate(maker.args):
                if (arg.keyword is None and k == 0) or _is_named(arg, "signature_or_function"):
                    return _Reader(resolver, module).signature(arg.value)
    return None


def is_stencil(resolver: Resolver, module: str, node: cst.FunctionDef) -> bool:
    """True if ``node`` says what numba's ``@stencil`` computes at one place."""
    made = (decorator.decorator for decorator in node.decorators)
    makers = (one.func if isinstance(one, cst.Call) else one for one in made)
    return any(resolver.lookup(module, maker) == External("numba.stencil") for maker in makers)


def _is_named(arg: cst.Arg, name: str) -> bool:
    return arg.keyword is not None and arg.keyword.value == name


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads numba's types; those in a string are numba's names, whatever is imported."""

    resolver: Resolver
    module: str
    is_quoted: bool = False
    depth: int = 0

    def signature(self, node: cst.BaseExpression) -> CompiledTypes | None:
        match node:
            case cst.SimpleString() | cst.ConcatenatedString():
                text = node.evaluated_value
                inner = quoted_type(text) if isinstance(text, str) else None
                quoted = _Reader(self.resolver, self.module, True)
                return None if inner is None else quoted.signature(inner)
            case cst.List(elements=[one]):
                return self.signature(one.value)
            case cst.Tuple(elements=elements):
                return CompiledTypes(tuple(self._type(one.value) for one in elements), None)
            case cst.Call(func=func, args=args):
                return CompiledTypes(tuple(self._type(arg.value) for arg in args), self._type(func))
            case cst.Name() if (expr := self._alias(node)) is not None:
                return self._deeper().signature(expr)
            case _:
                return None

    def _deeper(self) -> _Reader:
        return _Reader(self.resolver, self.module, self.is_quoted, self.depth + 1)

    def _alias(self, node: cst.BaseExpression) -> cst.BaseExpression | None:
        """The expression that a name of the same module stands for."""
        found = None if self.is_quoted else self.resolver.lookup(self.module, node)
        if isinstance(found, BoundName) and isinstance(found.binding, ValueBinding):
            same = found.module == self.module and self.depth < _MAX_ALIASES
            return found.binding.expr if same else None
        return None

    def _name(self, node: cst.BaseExpression) -> str:
        """The name of a type in numba, or an empty string."""
        if self.is_quoted:
            return f"numba.{node.value}" if isinstance(node, cst.Name) else ""
        found = self.resolver.lookup(self.module, node)
        return found.qualname if isinstance(found, External) else ""

    def _type(self, node: cst.BaseExpression) -> Annotation | None:
        match node:
            case cst.Name() | cst.Attribute():
                expr = self._alias(node)
                return self._named(node) if expr is None else self._deeper()._type(expr)
            case cst.Subscript(value=value, slice=axes):
                return self._array(value, len(axes))
            case cst.Call(func=func, args=[of, cst.Arg(value=cst.Integer() as ndim), *_]) if (
                self._name(func) == "numba.Array"
            ):
                return self._array(of.value, ndim.evaluated_value)
            case cst.Call(func=func, args=args) if self._name(func) in _TUPLES:
                return self._tuple(self._name(func), [arg.value for arg in args])
            case _:
                return None

    def _array(self, of: cst.BaseExpression, ndim: int) -> Annotation | None:
        dtype = self._dtype(of)
        return None if dtype is None else Annotation(Array(dtype, ndim), (None,))

    def _named(self, node: cst.BaseExpression) -> Annotation | None:
        if self._name(node) in _NOTHING:
            return Annotation(NONE)
        dtype = self._dtype(node)
        return None if dtype is None else Annotation(Scalar(dtype))

    def _dtype(self, node: cst.BaseExpression) -> DType | None:
        name = self._name(node)
        return typenames.SCALARS.get(name) if name.startswith("numba.") else None

    def _tuple(self, name: str, args: Sequence[cst.BaseExpression]) -> Annotation | None:
        """``Tuple((float64, int64))`` and ``UniTuple(float64, 2)``."""
        inner: list[Annotation | None]
        match name, args:
            case "numba.Tuple", [cst.Tuple(elements=items) | cst.List(elements=items)]:
                inner = [self._type(item.value) for item in items]
            case "numba.UniTuple", [item, cst.Integer() as count]:
                inner = [self._type(item)] * count.evaluated_value
            case _:
                return None
        parts = [part for part in inner if part is not None and not isinstance(part.type, Tuple)]
        return tuple_type(parts) if len(parts) == len(inner) else None
