"""Static types of the normal form.

Every value has one of these types; nothing is typed dynamically. Scalars and arrays are what
computations work on. Tuples exist only in signatures (parameters and results): inside a body
they are taken apart into their leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from mooncake_transpiler.diagnostic.diagnostics import TooMuch
from mooncake_transpiler.taken_apart import total_size

MAX_RANK = 32  # of arrays, as in NumPy 1


class ArrayLibrary(Enum):
    """The array library of a function, named as the package is."""

    NUMPY = "numpy"
    CUPY = "cupy"


class DType(Enum):
    """Element types, named as NumPy names them."""

    BOOL = "bool"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"

    @property
    def is_float(self) -> bool:
        return self in (DType.FLOAT32, DType.FLOAT64)

    @property
    def is_complex(self) -> bool:
        return self in (DType.COMPLEX64, DType.COMPLEX128)

    @property
    def real(self) -> DType:
        """The dtype of the parts of a complex number; any other as it is."""
        parts = {DType.COMPLEX64: DType.FLOAT32, DType.COMPLEX128: DType.FLOAT64}
        return parts.get(self, self)

    @property
    def complex(self) -> DType:
        """The dtype of complex numbers with parts of this dtype, or of float64."""
        return DType.COMPLEX64 if self.real is DType.FLOAT32 else DType.COMPLEX128

    @property
    def is_differentiable(self) -> bool:
        return self.is_float or self.is_complex

    @property
    def is_int(self) -> bool:
        return not (self.is_differentiable or self is DType.BOOL)


UNSIGNED = (DType.UINT8, DType.UINT16, DType.UINT32, DType.UINT64)
NARROW = (*UNSIGNED, DType.INT8, DType.INT16, DType.INT32)  # integers that do not hold all INTs


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number; ``home``: the library of an argument or result, if not that of the function.

    ``is_text``: at the border it is a text, which this is the number of.
    """

    dtype: DType
    home: ArrayLibrary | None = field(default=None, compare=False, repr=False)
    is_text: bool = field(default=False, compare=False, repr=False)

    def __str__(self) -> str:
        return "str" if self.is_text else self.dtype.value


@dataclass(frozen=True, slots=True)
class Array:
    """An array; ``home`` as for ``Scalar``; ``spans``: it tells where the arrays of a list are."""

    dtype: DType
    ndim: int
    home: ArrayLibrary | None = field(default=None, compare=False, repr=False)
    spans: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.ndim > MAX_RANK:
            raise TooMuch(f"arrays of {self.ndim} dimensions: {MAX_RANK} are the most")

    def __str__(self) -> str:
        return f"{self.dtype.value}[{', '.join(':' * self.ndim)}]"


class StructKind(Enum):
    """The classes of structs: how instances behave."""

    NAMED = "NamedTuple"
    FROZEN = "frozen dataclass"
    MUTABLE = "dataclass"
    ENUM = "enum"
    DERIVED = "derivative"  # our NamedTuple for the gradient of a dataclass
    RECORD = "dict"  # with keys that are known ahead of time


class Direction(Enum):
    """The direction of a derivative, by how the names of its NamedTuples end."""

    COTANGENT = "Bar"
    TANGENT = "Dot"


@dataclass(frozen=True, slots=True)
class ClassRef:
    """A class of the user's program."""

    module: str
    name: str
    kind: StructKind


class OwnKind:
    """A kind of tuples that is the compiler's own, where others have their class."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple; with ``names`` a struct: an instance of ``of``, or a NamedTuple ``cls`` of ours.

    ``alias`` is what annotations call a plain tuple that is too long to be spelled out. ``others``:
    names of derived classes that do something in another way than the class itself. A NamedTuple
    of a derivative has a ``direction``, a ``doc``, and the ``attributes`` of the class that its
    fields are for; a parameter for one has the classes that may be ``given``. The ``names`` of a
    dict are its keys; it may lack those that are ``optional``, whose items are None then.
    ``is_told``: the annotations of its class say the types of all items at run time. ``links`` are
    fields that refer to objects of the same class, or to None: see ``List``.
    """

    items: tuple[Type, ...]
    names: tuple[str, ...] | None = None
    cls: str | OwnKind | None = None
    of: ClassRef | None = None
    alias: str | None = field(default=None, compare=False)
    others: tuple[str, ...] = field(default=(), compare=False)
    direction: Direction | None = field(default=None, compare=False)
    given: tuple[str, ...] = field(default=(), compare=False)
    doc: str = field(default="", compare=False)
    attributes: tuple[str, ...] = field(default=(), compare=False)
    optional: tuple[str, ...] = ()
    is_told: bool = field(default=True, compare=False)
    links: tuple[str, ...] = ()
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", total_size(self.items))

    @property
    def class_name(self) -> str | None:
        """The name of its class, if it has one."""
        return self.cls if isinstance(self.cls, str) else None

    @property
    def is_object(self) -> bool:
        """True if instances are no tuples: compiled code can't take or give them."""
        return self.of is not None and self.of.kind is not StructKind.NAMED

    @property
    def is_mutable(self) -> bool:
        return self.of is not None and self.of.kind is StructKind.MUTABLE

    @property
    def is_record(self) -> bool:
        """True for a dict with keys that are known ahead of time."""
        return self.of is not None and self.of.kind is StructKind.RECORD

    def __str__(self) -> str:
        if self.names is None:
            return f"({', '.join(map(str, self.items))})"
        fields = (f"{n}: {t}" for n, t in zip(self.names, self.items, strict=True))
        name = self.cls or (self.of.name if self.of else None)
        return f"{name}({', '.join(fields)})"


@dataclass(frozen=True, slots=True)
class NoneType:
    """The type of ``None``: no leaves, no tangent."""

    def __str__(self) -> str:
        return "None"


@dataclass(frozen=True, slots=True)
class Opaque:
    """A field that compiled code does not see: text and the like. No leaves, no tangent.

    ``source``: in a result, the Python expression of parameters that it is taken from.
    """

    spelled: str
    source: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.spelled


@dataclass(frozen=True, slots=True)
class Selector:
    """One value that is known ahead of time: text, or a member of the enum ``of``. No leaves.

    With ``methods`` it is any text of which these methods make ``value``, one after the other.
    """

    value: str
    of: ClassRef | None = None
    methods: tuple[str, ...] = field(default=(), kw_only=True)
    cls: str | None = field(default=None, compare=False)  # what the enum is called

    def __str__(self) -> str:
        return repr(self.value) if self.cls is None else f"{self.cls}.{self.value}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several alternatives at the border, each of which is compiled.

    Leaves: the number of the alternative that is there, then those of all alternatives.
    """

    options: tuple[Type, ...]

    def __str__(self) -> str:
        return " | ".join(map(str, self.options))


class ListKind(Enum):
    """The collections of any length that cross the border, by what Python calls them."""

    LIST = "list"
    TUPLE = "tuple"
    DICT = "dict"  # its items are pairs of a key and a value


@dataclass(frozen=True, slots=True)
class List:
    """A list, tuple or dict of any length at the border: its items are in arrays of their number.

    Leaves: for each number in an item an array with all of them. For each array in an item a row
    of integers per item, where it starts and its shape, and all elements one behind the other.
    A list of numbers in an item counts as an array with one axis.

    An object with ``links`` is the list of all that can be reached from it, itself the first one;
    links are their numbers, -1 for None; where it ``may_be_none`` no items. ``held`` names them.
    """

    item: Type
    may_be_none: bool = False
    kind: ListKind = ListKind.LIST
    held: str = field(default="", compare=False)

    @property
    def links(self) -> tuple[str, ...]:
        """The fields by which items refer to each other; none in a list of the user's."""
        return self.item.links if isinstance(self.item, Tuple) else ()

    @property
    def is_prepared(self) -> bool:
        """True if the list of its items is made before all else: they are no items of a list."""
        return bool(self.links) or self.kind is ListKind.DICT

    def __str__(self) -> str:
        if self.kind is ListKind.DICT and isinstance(self.item, Tuple):
            return f"dict[{', '.join(map(str, self.item.items))}]"
        if isinstance(self.item, Tuple) and self.links:
            return f"{self.item.cls}{' | None' if self.may_be_none else ''}"
        return f"{self.kind.value}[{self.item}{', ...' * (self.kind is ListKind.TUPLE)}]"


@dataclass(frozen=True, slots=True)
class Stack:
    """A growable last-in-first-out store of scalars; occurs in derivative code only."""

    dtype: DType

    def __str__(self) -> str:
        return f"stack[{self.dtype.value}]"


Type = Scalar | Array | Tuple | NoneType | Opaque | Selector | OneOf | List | Stack


BOOL = Scalar(DType.BOOL)
INT = Scalar(DType.INT64)
TEXT = Scalar(DType.INT64, is_text=True)
FLOAT = Scalar(DType.FLOAT64)
FLOAT32 = Scalar(DType.FLOAT32)
COMPLEX = Scalar(DType.COMPLEX128)
LINKS = Array(DType.INT64, 1)  # for each object in a list the one that it refers to
KEYS = LINKS  # of a dict, in their order
SPANS = Array(DType.INT64, 2, spans=True)  # for each array in a list where it starts, and its shape
NONE = NoneType()


def leaves(type_: Type) -> Iterator[Type]:
    """The scalar, array and stack types inside ``type_``, left to right."""
    match type_:
        case Scalar(is_text=True):
            yield INT
        case Scalar() | Array() | Stack():
            yield type_
        case Tuple(items=items):
            for item in items:
                yield from leaves(item)
        case OneOf(options=options):
            yield INT
            for option in options:
                yield from leaves(option)
        case List(item=item):
            yield from columns(item)
        case NoneType() | Opaque() | Selector():
            return


def columns(item: Type) -> Iterator[Array]:
    """The arrays that hold the items of a list."""
    for leaf in leaves(item):
        match leaf:
            case Scalar(dtype=dtype):
                yield Array(dtype, 1)
            case Array(dtype=dtype):
                yield SPANS
                yield Array(dtype, 1)
            case _:
                raise AssertionError(f"lists do not hold {leaf}")


def record(
    items: Sequence[Type], keys: Sequence[str], optional: Sequence[str], of: ClassRef
) -> Tuple:
    """The type of a dict with these ``keys``, of which it may lack the ``optional`` ones."""
    shown = tuple(
        OneOf((item, NONE)) if key in optional else item
        for key, item in zip(keys, items, strict=True)
    )
    name = None if of == ANY_DICT else of.name
    return Tuple(shown, tuple(keys), name, of, optional=tuple(optional))


ANY_DICT = ClassRef("builtins", "dict", StructKind.RECORD)


def parts(type_: Type) -> Iterator[Type]:
    """``type_`` and all types that it is made of, outer ones first."""
    yield type_
    match type_:
        case Tuple(items=inner) | OneOf(options=inner):
            for item in inner:
                yield from parts(item)
        case List(item=item):
            yield from parts(item)
        case _:
            return


def without_none(type_: Type) -> Type:
    """The type of a value that may be None where it is there; any other type as it is."""
    if not isinstance(type_, OneOf):
        return type_
    there = tuple(option for option in type_.options if option != NONE)
    return there[0] if len(there) == 1 else type_


def is_differentiable(type_: Type) -> bool:
    """True if some leaf of ``type_`` carries floats (and so has a tangent)."""
    return any(
        isinstance(leaf, Scalar | Array) and leaf.dtype.is_differentiable for leaf in leaves(type_)
    )


def result_dtype(a: DType, b: DType) -> DType:
    """NumPy's promotion of two element types (NEP 50, both strong)."""
    import numpy as np

    return DType(np.result_type(a.value, b.value).name)
