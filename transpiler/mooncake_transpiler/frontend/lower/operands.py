"""What an expression of the user's program stands for while it is lowered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst
from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import External, FunctionDecl, ModuleRef
from mooncake_transpiler.frontend.lower.syntax import Hint
from mooncake_transpiler.types import NONE, Array, DType, NoneType, Stack, Tuple, Type

if TYPE_CHECKING:
    from mooncake_transpiler.frontend.lower.frame import Frame


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple, taken apart; with ``names`` a NamedTuple of class ``cls``.

    ``is_list``: it is written as a list, which is another kind of index.
    """

    items: tuple[Operand, ...]
    names: tuple[str, ...] | None = None
    cls: str | None = None
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class Static:
    """Known ahead of time and not a number: text, ``None``, a function or a module."""

    value: str | FunctionDecl | ModuleRef | External | None


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


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """Something to iterate over: its length, and its elements by number."""

    count: ir.Atom
    at: Callable[[ir.Atom, Hint], Operand]


@dataclass(frozen=True, slots=True)
class Conflict:
    """A variable that can't be read here; ``reason`` says why."""

    reason: str


# An Arr is a whole-array expression that is not computed yet: it lives within one statement.
Operand = (
    ir.Value | ir.Const | ir.Undef | Items | Static | Closure | Range | Sequence | Conflict | Arr
)

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
            alike = len(a.items) == len(b.items) and a.cls == b.cls
            return alike and all(map(same, a.items, b.items))
        case Static(), Static():
            return a.value == b.value
        case _:
            return False


def type_of(operand: Operand) -> Type | None:
    """The static type, or None where there is no run-time value (functions, text)."""
    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            return operand.type
        case Items(items=items, names=names, cls=cls):
            types = [type_of(item) for item in items]
            known = tuple(t for t in types if t is not None)
            return Tuple(known, names, cls) if len(known) == len(types) else None
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
        case _:
            return


def rebuild(type_: Type, leaves: Iterator[ir.Atom]) -> Operand:
    """The operand of ``type_`` whose leaves are taken from ``leaves``."""
    match type_:
        case Tuple(items=items, names=names, cls=cls):
            return Items(tuple(rebuild(item, leaves) for item in items), names, cls)
        case NoneType():
            return NOTHING
        case _:
            return next(leaves)


def fresh(type_: Type, hint: Hint) -> Operand:
    """New values of ``type_``; the items of a tuple are told apart by their position."""
    match type_:
        case Tuple(items=items, names=names, cls=cls):
            labels = names or [str(k) for k in range(len(items))]
            hints = [_item_hint(hint, k, label) for k, label in enumerate(labels)]
            return Items(tuple(map(fresh, items, hints)), names, cls)
        case NoneType():
            return NOTHING
        case _:
            return ir.Value(name_of(hint), type_)


def like(operand: Operand, model: Operand | None) -> Operand:
    """``operand`` with the tuples that are lists in ``model`` as lists."""
    match operand, model:
        case Items(items=items), Items(items=others) if len(items) == len(others):
            inner = tuple(map(like, items, others))
            return replace(operand, items=inner, is_list=model.is_list)
        case _:
            return operand


def _item_hint(hint: Hint, k: int, label: str) -> Hint:
    if isinstance(hint, tuple):
        return part(hint, k)
    return f"{hint}_{label}" if hint else ""


def name_of(hint: Hint) -> str:
    return hint if isinstance(hint, str) else ""


def undefined(type_: Type) -> Operand:
    """An operand of ``type_`` that is never looked at."""
    match type_:
        case Tuple(items=items, names=names, cls=cls):
            return Items(tuple(map(undefined, items)), names, cls)
        case NoneType():
            return NOTHING
        case _:
            return ir.Undef(type_)


def part(hint: Hint, k: int) -> Hint:
    """The names of item ``k`` of a target."""
    return hint[k] if isinstance(hint, tuple) and k < len(hint) else ""


def describe(operand: Operand) -> str:
    """How messages name the kind of an operand."""
    type_ = type_of(operand)
    if type_ is not None and not isinstance(type_, Stack):
        return str(type_)
    match operand:
        case Static(value=str()):
            return "a string"
        case Static(value=FunctionDecl(name=name)) | Closure(name=name):
            return f"the function {name}"
        case Static(value=External(qualname=name)) | Static(value=ModuleRef(module=name)):
            return name
        case Range():
            return "a range"
        case Sequence():
            return "an iterator"
        case Items():
            return "a tuple of things that are not numbers"
        case _:
            return "an undefined value"
