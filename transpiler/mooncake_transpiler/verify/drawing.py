"""Arguments drawn by type: numbers, arrays, tuples, objects, lists, one of several types."""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, get_args

import numpy as np
from mooncake_runtime.instances import instance
from mooncake_runtime.tangents import Tree

from mooncake_transpiler.frontend.entities import Annotation, Bounds, Dim
from mooncake_transpiler.frontend.lower.scalar.text_types import by_number
from mooncake_transpiler.types import (
    Array,
    ClassRef,
    DType,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Stack,
    Tuple,
    Type,
    columns,
)
from mooncake_transpiler.verify import linking
from mooncake_transpiler.verify.hints import bounds_of, choices_of, dims_of, hints_of
from mooncake_transpiler.verify.styles import Style

ITEMS = 3  # of a list
EMPTY = 4  # every so many draws objects that are linked are None
NATIVE: Mapping[DType, Callable[[Any], Tree]] = {
    DType.BOOL: bool, DType.INT64: int, DType.FLOAT64: float, DType.COMPLEX128: complex,
}  # fmt: skip
Dims = Iterator[tuple[Dim, ...] | None]


class Undrawable(Exception):
    """Raised for a type of which no value can be drawn."""


@dataclass(slots=True)
class Drawer:
    """Draws the arguments of one call; equal dimension names have equal sizes."""

    rng: np.random.Generator
    style: Style
    number: int  # of this draw: alternatives take turns
    classes: Callable[[ClassRef], type]
    texts: Sequence[str] = ("text",)
    sizes: dict[str, int] = field(default_factory=dict)

    def drawn(self, annotation: Annotation, hint: object, bounds: Bounds | None) -> Tree:
        """A random value; ``hint`` is the annotation at run time, ``bounds`` come first."""
        return self._value(annotation.type, iter(annotation.dims), hint, bounds)

    def _value(self, type_: Type, dims: Dims, hint: object, bounds: Bounds | None) -> Tree:
        bounds = bounds or bounds_of(hint)
        match type_:
            case Scalar(is_text=True) | Opaque(spelled="str"):
                return self.texts[self.number % len(self.texts)]
            case Scalar(dtype=dtype):
                options = choices_of(hint)
                if options:
                    return options[self.number % len(options)]
                return self._scalar(dtype, bounds)
            case Array(dtype=dtype, ndim=ndim):
                known = next(dims, None) or dims_of(hint, ndim)
                return self._array(dtype, self._shape(known, ndim), bounds)
            case Tuple():
                return self._tuple(type_, dims, bounds)
            case List(item=Tuple() as item) if type_.links:
                return self._linked(type_, item, dims, bounds)
            case List(item=Tuple(items=(Scalar(is_text=True), item)), kind=ListKind.DICT):
                next(dims, None)
                keys = [*dict.fromkeys((*self.texts, "a", "b", "c"))][:ITEMS]
                return dict(zip(keys, self._value(List(item), dims, None, bounds), strict=True))
            case List(item=item):
                for _ in columns(item):  # which have no dimensions of their own
                    next(dims, None)
                inner = None if type_.kind is ListKind.DICT else next(iter(get_args(hint)), None)
                drawn = [self._value(item, iter(()), inner, bounds) for _ in range(ITEMS)]
                return _OF_KIND[type_.kind](drawn)
            case OneOf(options=options):
                return self._one_of(options, dims, bounds)
            case NoneType():
                return None
            case Selector(value=value, of=of):
                return value if of is None else getattr(self.classes(of), value)
            case Opaque() if by_number(type_) != type_:
                return self._value(by_number(type_), dims, hint, bounds)
            case Opaque(spelled=spelled) if spelled.partition("[")[0] in _UNREAD:
                return _UNREAD[spelled.partition("[")[0]]()
            case Opaque() | Stack():
                raise Undrawable(f"of type {type_}")

    def _one_of(self, options: Sequence[Type], dims: Dims, bounds: Bounds | None) -> Tree:
        drawn: list[Tree] = []
        problems: list[Undrawable] = []
        for option in options:  # all of them, as each has its dimensions
            try:
                drawn.append(self._value(option, dims, None, bounds))
            except Undrawable as problem:
                problems.append(problem)
        if not drawn:
            raise problems[0]
        return drawn[self.number % len(drawn)]

    # ---- numbers --------------------------------------------------------------------------------

    def _scalar(self, dtype: DType, bounds: Bounds | None) -> Tree:
        value = self._numbers(dtype, (), bounds)[()]
        return NATIVE[dtype](value) if dtype in NATIVE else value

    def _array(self, dtype: DType, shape: tuple[int, ...], bounds: Bounds | None) -> Tree:
        numbers = self._numbers(dtype, shape, bounds)
        if dtype.is_differentiable and bounds is None:
            numbers = self.style.arranged(numbers)
        return np.ascontiguousarray(numbers.astype(dtype.value)) if shape else numbers

    def _numbers(self, dtype: DType, shape: tuple[int, ...], bounds: Bounds | None) -> Tree:
        if dtype is DType.BOOL:
            return np.asarray(self.rng.random(shape) < 0.6)
        if dtype.is_int:
            low, high = (0, 2) if shape else (1, 3)
            if bounds is not None:
                low, high = int(np.ceil(bounds[0])), int(np.floor(bounds[1]))
            return np.asarray(self.rng.integers(low, high + 1, shape), dtype.value)
        real = self._reals(shape, bounds)
        if dtype.is_complex:
            return np.asarray(real + 1j * self._reals(shape, bounds), dtype.value)
        return np.asarray(real, dtype.value)

    def _reals(self, shape: tuple[int, ...], bounds: Bounds | None) -> Tree:
        if bounds is not None:
            return self.rng.uniform(*bounds, shape)
        return self.style.reals(self.rng, shape)

    # ---- sizes ----------------------------------------------------------------------------------

    def _shape(self, dims: tuple[Dim, ...] | None, ndim: int) -> tuple[int, ...]:
        if dims is None:
            return tuple(self.style.size(ndim - 1 - axis) for axis in range(ndim))
        return tuple(self._size(dim, ndim - 1 - axis) for axis, dim in enumerate(dims))

    def _size(self, dim: Dim, place: int) -> int:
        """The size of an axis; ``place`` counts axes from the last one."""
        match dim:
            case None:
                return self.style.size(place)
            case int():
                return dim
            case str():
                code = compile(dim, "<dimension>", "eval")
                for name in code.co_names:
                    self.sizes.setdefault(name, self.style.size(len(self.sizes)))
                return max(0, int(eval(code, {"__builtins__": {}}, self.sizes)))

    # ---- objects --------------------------------------------------------------------------------

    def _tuple(self, type_: Tuple, dims: Dims, bounds: Bounds | None) -> Tree:
        cls = None if type_.of is None or type_.is_record else self.classes(type_.of)
        hints = hints_of(cls) if cls is not None else {}
        names = type_.names or ("",) * len(type_.items)
        values = [
            self._value(item, dims, hints.get(name), bounds)
            for name, item in zip(names, type_.items, strict=True)
        ]
        if type_.names is None:
            return tuple(values)
        if type_.is_record:
            pairs = zip(type_.names, values, strict=True)
            return {n: v for n, v in pairs if v is not None or n not in type_.optional}
        if cls is None:
            return namedtuple(type_.class_name or "Struct", type_.names)(*values)
        return made(cls, dict(zip(type_.names, values, strict=True)))

    def _linked(self, type_: List, item: Tuple, dims: Dims, bounds: Bounds | None) -> Tree:
        """An object that refers to others of its class; now and then None."""
        for _ in columns(item):
            next(dims, None)
        if type_.may_be_none and self.number % EMPTY == EMPTY - 1:
            return None
        assert item.of is not None
        cls = self.classes(item.of)
        drawn = [self._tuple(item, iter(()), bounds) for _ in range(ITEMS)]
        fields = zip(item.names or (), item.items, strict=True)
        lists = [name for name, of in fields if isinstance(of, List)]
        return linking.linked(drawn, type_.links, lists, hints_of(cls), self.rng)


# Values of types which the program does not look into.
_UNREAD: Mapping[str, Callable[[], Tree]] = {
    "dict": dict, "Dict": dict, "list": list, "List": list, "Any": lambda: None,
    "object": lambda: None, "Optional": lambda: None,
}  # fmt: skip
_OF_KIND = {ListKind.LIST: list, ListKind.TUPLE: tuple, ListKind.DICT: dict}


def declared(value: Tree, type_: Type) -> Tree:
    """``value`` with floats for integers where ``type_`` has floats, as derivatives take it."""
    match type_, value:
        case Scalar(dtype=dtype), int() if dtype.is_float:
            return float(value)
        case Scalar(dtype=dtype), int() | float() if dtype.is_complex:
            return complex(value)
        case Tuple(items=items, names=None), tuple() if len(items) == len(value):
            return tuple(map(declared, value, items))
        case _:
            return value


def made(cls: type, values: Mapping[str, Tree]) -> Any:
    """An instance of ``cls``: by its constructor, if that takes fields of these names."""
    if is_dataclass(cls) and "__init__" not in vars(cls).get("__annotations__", {}):
        wanted = {f.name for f in fields(cls) if f.init}
        if _takes(cls, wanted):
            return cls(**{name: values[name] for name in wanted})
    elif _takes(cls, set(values)):
        return cls(**values)
    return instance(cls, **values)


def _takes(cls: type, names: set[str]) -> bool:
    """True if the constructor can be called with just these arguments."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = {p.name for p in parameters if p.default is p.empty}
    return needed <= names <= {p.name for p in parameters}
