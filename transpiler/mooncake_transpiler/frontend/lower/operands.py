"""What an expression of the user's program stands for while it is lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    EnumMember,
    External,
    FunctionDecl,
    ModuleRef,
)
from mooncake_transpiler.frontend.lower.syntax import Hint
from mooncake_transpiler.types import (
    BOOL,
    NONE,
    Array,
    ClassRef,
    DType,
    NoneType,
    Opaque,
    Stack,
    Tuple,
    Type,
    total_size,
)

if TYPE_CHECKING:
    from mooncake_transpiler.frontend.lower.frame import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Once:
    """What makes something an iterator: it can be run through once only.

    It was made in ``frame``, inside of so many loops. ``readers``: what has read its variable.
    """

    frame: Frame
    loops: int
    readers: list[cst.CSTNode] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple, taken apart; with ``names`` a struct of class ``cls``, declared as ``of``.

    ``is_list``: it is written as a list, which is another kind of index.
    """

    items: tuple[Operand, ...]
    names: tuple[str, ...] | None = None
    cls: str | None = None
    of: ClassRef | None = None
    is_list: bool = False
    once: Once | None = None
    size: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", total_size(self.items))

    def is_like(self, other: Items) -> bool:
        """Whether ``other`` has items in the same places."""
        alike = self.names == other.names and self.cls == other.cls and self.of == other.of
        return alike and len(self.items) == len(other.items)


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or None where ``there`` is False; it has a type that says so (``MAYBE``)."""

    there: ir.Atom
    value: Operand


MAYBE = "%maybe"


@dataclass(frozen=True, slots=True)
class Static:
    """Known ahead of time and not a number: text, ``None``, a function, a class or a module."""

    value: str | FunctionDecl | ClassDecl | EnumMember | ModuleRef | External | None


@dataclass(frozen=True, slots=True)
class Passed:
    """Text or the like that is not known ahead of time: what is at ``path`` of the parameters.

    It is none of the texts in ``but``.
    """

    spelled: str
    path: str
    but: tuple[str, ...] = ()


Arms = tuple[tuple[int, bool], ...]  # of the branches around a place: their numbers, and which


@dataclass(frozen=True, slots=True, eq=False)
class Ref:
    """An object that can be changed: what it holds are variables of the frame (``objects``)."""

    key: str
    cls: ClassDecl
    hint: str = ""
    arms: Arms = ()  # where it was made

    @property
    def number(self) -> int:
        """Those that are made later have greater numbers."""
        return int(self.key.lstrip("%o"))


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """A function some of whose arguments are given: a method of an object, a ``partial``."""

    func: Operand
    args: tuple[Operand, ...] = ()
    keywords: Mapping[str, Operand] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Super:
    """``super()``: what classes behind ``owner`` have for ``instance``."""

    owner: ClassDecl
    instance: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """A function that is one of two, by a condition: both are lowered where it is called."""

    cond: ir.Atom
    then: Operand
    orelse: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """A nested function or lambda, and the frame whose variables it sees."""

    name: str
    node: cst.FunctionDef | cst.Lambda
    frame: Frame
    defaults: Mapping[str, Operand]


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """``range(lo, hi, step)``."""

    lo: ir.Atom
    hi: ir.Atom
    step: ir.Atom
    once: Once | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """Something to iterate over: its length, and its elements by number.

    ``limit``: it has so many at most, told apart by constants only. ``done`` is called after the
    last one.
    """

    count: ir.Atom
    at: Callable[[ir.Atom, Hint], Operand]
    limit: int | None = None
    done: Callable[[], None] | None = None
    once: Once | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """``slice(lo, hi, step)``."""

    lo: Operand
    hi: Operand
    step: Operand


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """A function of the compiler that lowered code calls by a name that no program can have."""

    run: Callable[[tuple[Operand, ...]], Operand]


@dataclass(frozen=True, slots=True, eq=False)
class Generator:
    """A generator expression that has not run yet: it lives within one statement.

    ``known`` runs it, and gives the items if they can be told apart; ``listed`` gives a list.
    """

    node: cst.GeneratorExp
    known: Callable[[], tuple[Operand, ...] | None]
    listed: Callable[[], Operand]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A variable that can't be read here; ``reason`` says why."""

    reason: str


# An Arr is a whole-array expression that is not computed yet: it lives within one statement.
Operand = (
    ir.Value | ir.Const | ir.Undef | Items | Static | Closure | Range | Sequence | Conflict | Arr
    | Maybe | Ref | Bound | Choice | Super | Cut | Generator | Native | Passed
)  # fmt: skip

NOTHING = Static(None)


def same(a: Operand | None, b: Operand | None) -> bool:
    """Whether two operands are the same thing, so that nothing has to be chosen."""
    if a is b:
        return True
    match a, b:
        case ir.Const(), ir.Const():
            return a.type == b.type and repr(a.value) == repr(b.value)
        case ir.Undef(), ir.Undef():
            return a == b
        case Items(), Items():
            return a.is_like(b) and all(map(same, a.items, b.items))
        case Static(), Static():
            return a.value == b.value
        case Maybe(), Maybe():
            return same(a.there, b.there) and same(a.value, b.value)
        case Passed(), Passed():
            return a == b
        case Bound(), Bound():
            args = len(a.args) == len(b.args) and all(map(same, a.args, b.args))
            names = a.keywords.keys() == b.keywords.keys()
            return (
                same(a.func, b.func) and args and names
                and all(same(a.keywords[n], b.keywords[n]) for n in a.keywords)
            )  # fmt: skip
        case Closure(), Closure():
            defaults = a.defaults.keys() == b.defaults.keys() and all(
                same(a.defaults[n], b.defaults[n]) for n in a.defaults
            )
            return a.node is b.node and a.frame is b.frame and defaults
        case Choice(), Choice():
            sides = same(a.then, b.then) and same(a.orelse, b.orelse)
            return a.cond is b.cond and sides
        case _:
            return False


def type_of(operand: Operand) -> Type | None:
    """The static type, or None where there is no run-time value (functions, text)."""
    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            return operand.type
        case Items(items=items, names=names, cls=cls, of=of):
            types = [type_of(item) for item in items]
            known = tuple(t for t in types if t is not None)
            return Tuple(known, names, cls, of) if len(known) == len(types) else None
        case Maybe(value=value):
            inner = type_of(value)
            return None if inner is None else Tuple((BOOL, inner), ("there", "value"), MAYBE)
        case Arr(dtype=dtype, ndim=ndim):
            return Array(DType(dtype), ndim)
        case Static(value=None):
            return NONE
        case _:
            return None


def atoms(operand: Operand) -> Iterator[ir.Atom]:
    """The leaves of an operand that has a type, left to right."""
    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            yield operand
        case Items(items=items):
            for item in items:
                yield from atoms(item)
        case Maybe(there=there, value=value):
            yield there
            yield from atoms(value)
        case _:
            return


def rebuild(type_: Type, leaves: Iterator[ir.Atom]) -> Operand:
    """The operand of ``type_`` whose leaves are taken from ``leaves``."""
    match type_:
        case Tuple(items=(_, inner), cls="%maybe"):
            return Maybe(next(leaves), rebuild(inner, leaves))
        case Tuple(items=items, names=names, cls=cls, of=of):
            return Items(tuple(rebuild(item, leaves) for item in items), names, cls, of)
        case Opaque(spelled=spelled):
            return Conflict(f"values of type {spelled} can't be worked with")
        case NoneType():
            return NOTHING
        case _:
            return next(leaves)


def fresh(type_: Type, hint: Hint) -> Operand:
    """New values of ``type_``; the items of a tuple are told apart by their position."""
    match type_:
        case Tuple(items=(_, inner), cls="%maybe"):
            flag = f"has_{hint}" if hint and isinstance(hint, str) else ""
            return Maybe(ir.Value(flag, BOOL), fresh(inner, hint))
        case Tuple(items=items, names=names, cls=cls, of=of):
            labels = names or [str(k) for k in range(len(items))]
            hints = [_item_hint(hint, k, label) for k, label in enumerate(labels)]
            return Items(tuple(map(fresh, items, hints)), names, cls, of)
        case NoneType():
            return NOTHING
        case _:
            return ir.Value(name_of(hint), type_)


def _item_hint(hint: Hint, k: int, label: str) -> Hint:
    if isinstance(hint, tuple):
        return part(hint, k)
    label = "".join(c if c.isalnum() else "_" for c in label)
    return f"{hint}_{label}" if hint else ""


def name_of(hint: Hint) -> str:
    return hint if isinstance(hint, str) else ""


def undefined(type_: Type) -> Operand:
    """An operand of ``type_`` that is never looked at."""
    match type_:
        case Tuple(items=(_, inner), cls="%maybe"):
            return Maybe(ir.Undef(BOOL), undefined(inner))
        case Tuple(items=items, names=names, cls=cls, of=of):
            return Items(tuple(map(undefined, items)), names, cls, of)
        case NoneType():
            return NOTHING
        case _:
            return ir.Undef(type_)


def part(hint: Hint, k: int) -> Hint:
    """The names of item ``k`` of a target."""
    return hint[k] if isinstance(hint, tuple) and k < len(hint) else ""


def describe(operand: Operand) -> str:
    """How messages name the kind of an operand."""
    if isinstance(operand, Maybe):
        return f"{describe(operand.value)} or None"
    type_ = type_of(operand)
    if type_ is not None and not isinstance(type_, Stack):
        return str(type_)
    match operand:
        case Static(value=str()):
            return "a string"
        case Static(value=FunctionDecl(name=name)) | Closure(name=name):
            return f"the function {name}"
        case Bound(func=func):
            return describe(func)
        case Choice(then=then, orelse=orelse):
            return f"{describe(then)} or {describe(orelse)}"
        case Static(value=ClassDecl(name=name)):
            return f"the class {name}"
        case Ref(cls=cls):
            return cls.name
        case Passed(spelled=spelled):
            return f"a value of type {spelled}"
        case Static(value=EnumMember(cls=cls, name=name)):
            return f"{cls.name}.{name}"
        case Static(value=External(qualname=name)) | Static(value=ModuleRef(module=name)):
            return name
        case Range():
            return "a range"
        case Sequence():
            return "an iterator"
        case Generator():
            return "a generator expression"
        case Cut():
            return "a slice"
        case Items(is_list=True):
            return "a list"
        case Items():
            return "a tuple of things that are not numbers"
        case _:
            return "an undefined value"
