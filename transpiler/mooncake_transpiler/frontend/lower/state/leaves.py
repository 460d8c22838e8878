"""The numbers and arrays that operands consist of, their types, and their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeGuard

from mooncake_rules.arrays import Arr

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import (
    ClassDecl,
    EnumMember,
    External,
    FunctionDecl,
    Logger,
    ModuleRef,
)
from mooncake_transpiler.frontend.lower.state.identities import Ref, RunText
from mooncake_transpiler.frontend.lower.state.inner import parts
from mooncake_transpiler.frontend.lower.state.operands import (
    NOTHING,
    Bound,
    Choice,
    Closure,
    Conflict,
    Cut,
    Either,
    Elements,
    Generator,
    IntRange,
    Items,
    Maybe,
    Operand,
    Passed,
    Static,
    Told,
)
from mooncake_transpiler.frontend.lower.state.own_kinds import Held, ToldItems
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.tabled import ROW, is_row
from mooncake_transpiler.frontend.name.library_classes import RECORD
from mooncake_transpiler.types import (
    BOOL,
    INT,
    NONE,
    Array,
    ClassRef,
    DType,
    NoneType,
    Opaque,
    Scalar,
    Selector,
    Stack,
    StructKind,
    Tuple,
    Type,
)


def same(a: Operand | None, b: Operand | None) -> bool:
    """True if two operands are the same thing, so that nothing has to be chosen."""
    if a is None or b is None or a is b:
        return a is b
    match a, b:
        case ir.Const(), ir.Const():
            return a.type == b.type and repr(a.value) == repr(b.value)
        case (
            (Static(), Static()) | (RunText(), RunText()) | (Passed(), Passed())
            | (ir.Undef(), ir.Undef())
        ):  # fmt: skip
            return a == b
        case Items(), Items():
            alike = a.is_like(b)
        case Told(), Told():
            alike = a.options == b.options
        case Bound(), Bound():
            alike = len(a.args) == len(b.args) and [*a.keywords] == [*b.keywords]
        case Closure(), Closure():
            alike = (a.node, a.frame, [*a.defaults]) == (b.node, b.frame, [*b.defaults])
        case (Maybe(), Maybe()) | (Either(), Either()) | (Choice(), Choice()):
            alike = True
        case _:
            return False
    return alike and all(map(same, parts(a), parts(b)))


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
            return None if inner is None else may_be_none(inner)
        case Either(first=first, second=second):
            sides = type_of(first), type_of(second)
            return None if None in sides else either(*(side for side in sides if side))
        case Choice(then=then, orelse=orelse):
            return kinds(type_of(then), type_of(orelse))
        case Told(options=options):
            return told(options)
        case RunText():
            return RUN_TEXT
        case Arr(dtype=dtype, ndim=ndim):
            return Array(DType(dtype), ndim)
        case Static(value=None):
            return NONE
        case _:
            return None


RUN_TEXT = Tuple((INT,), ("text",), Held.TEXT)


def may_be_none(inner: Type) -> Tuple:
    """The type of what is an ``inner``, or None."""
    return Tuple((BOOL, inner), ("there", "value"), Held.MAYBE)


def told(options: Iterable[Selector]) -> Tuple:
    """The type of what is one of ``options``."""
    return Tuple((INT, *options), cls=Held.TOLD)


def either(first: Type, second: Type) -> Tuple:
    """The type of what is of one of two types."""
    return Tuple((BOOL, first, second), ("is_first", "first", "second"), Held.EITHER)


def options_of(type_: Tuple) -> tuple[Selector, ...]:
    """The texts and members that values of such a type may be."""
    return tuple(option for option in type_.items if isinstance(option, Selector))


def atoms(operand: Operand) -> Iterator[ir.Atom]:
    """The leaves of an operand that has a type, left to right."""
    if isinstance(operand, ir.Value | ir.Const | ir.Undef):
        yield operand
    elif isinstance(operand, Items | Maybe | Either | Told | RunText) or (
        isinstance(operand, Choice) and type_of(operand) is not None
    ):
        for part in parts(operand):
            yield from atoms(part)


def atom_of(operand: Operand) -> ir.Atom:
    """The one leaf of a number or an array."""
    (found,) = atoms(operand)
    return found


def rebuild(type_: Type, leaves: Iterator[ir.Atom]) -> Operand:
    """The operand of ``type_`` whose leaves are taken from ``leaves``."""

    def leaf(type_: Type, _: str) -> Operand:
        if isinstance(type_, Opaque):
            return Conflict(f"values of type {type_.spelled} can't be worked with")
        return next(leaves)

    return _built(type_, "", leaf)


def undefined(type_: Type) -> Operand:
    """An operand of ``type_`` that is never looked at."""
    return _built(type_, "", lambda type_, _: ir.Undef(type_))


def fresh(type_: Type, hint: Hint) -> Operand:
    """New values of ``type_``; the items of a tuple are told apart by their position."""
    return _built(type_, hint, lambda type_, name: ir.Value(name, type_))


def _built(type_: Type, hint: Hint, leaf: Callable[[Type, str], Any]) -> Operand:
    """The operand of ``type_`` whose leaves are what ``leaf`` makes of their types and names."""
    name = name_of(hint)
    match type_:
        case Tuple(items=(_, inner), cls=Held.MAYBE):
            there = leaf(BOOL, f"has_{name}" if name else "")
            return Maybe(there, _built(inner, hint, leaf))
        case Tuple(items=(_, first, second), cls=Held.EITHER):
            flag, number = (f"{name}_is_first", f"{name}_first") if name else ("", "")
            is_first = leaf(BOOL, flag)
            return Either(is_first, _built(first, number, leaf), _built(second, hint, leaf))
        case Tuple(items=(_, first, second), cls=Held.KINDS):
            sides = (_built(side, hint, leaf) for side in (first, second))
            return Choice(leaf(BOOL, ""), *sides)
        case Tuple(cls=Held.TOLD):
            return Told(leaf(INT, name), options_of(type_))
        case Tuple(items=(Scalar(),), cls=Held.TEXT):
            return RunText(leaf(INT, name))
        case Tuple(items=(Scalar(),), cls=ToldItems(options=options)):
            return Told(leaf(INT, name), options)
        case Tuple(items=items, names=names, cls=cls, of=of):
            labels = names or [str(k) for k in range(len(items))]
            hints = [_item_hint(hint, k, label) for k, label in enumerate(labels)]
            made = tuple(_built(item, own, leaf) for item, own in zip(items, hints, strict=True))
            return Items(made, names, cls, of)
        case NoneType():
            return NOTHING
        case _:
            last: Operand = leaf(type_, name)
            return last


def _item_hint(hint: Hint, k: int, label: str) -> Hint:
    if label == ROW:
        return hint
    if isinstance(hint, tuple):
        return part(hint, k)
    label = "".join(c if c.isalnum() else "_" for c in label)
    return f"{hint}_{label}" if hint else ""


def name_of(hint: Hint) -> str:
    return hint if isinstance(hint, str) else ""


def part(hint: Hint, k: int) -> Hint:
    """The names of item ``k`` of a target."""
    return hint[k] if isinstance(hint, tuple) and k < len(hint) else ""


_TUPLES = (StructKind.NAMED, StructKind.DERIVED)


def is_sequence(operand: Items) -> bool:
    """True for tuples, lists and NamedTuples, not for instances of other classes."""
    return operand.of is None or operand.of.kind in _TUPLES


def way_out(operand: Operand) -> str | None:
    """The help where an operand is of no kind that is wanted: what to pass in its place."""
    match operand:
        case Passed(spelled="str"):
            return "text that is passed is compared and looked up only: branch on its values"
        case Passed():
            return "pass the numbers and arrays in it as parameters of their own"
        case RunText():
            return 'annotate text by the values that it has: Literal["a", "b"]'
        case _:
            return None


def as_annotated(type_: Type) -> str:
    """``type_`` in messages: what may be None, or is one of several, as annotations say it."""
    match type_:
        case Tuple(
            items=(_, *inner), cls=Held.MAYBE | Held.EITHER | Held.TOLD | Held.KINDS as kind
        ):
            shown = [*map(as_annotated, inner), *["None"] * (kind is Held.MAYBE)]
            return " | ".join(shown)
        case Tuple(cls=ToldItems(options=options)):
            return " | ".join(map(str, options))
        case Tuple(cls=Held.TEXT):
            return "str"
        case _:
            return str(type_)


def describe(operand: Operand) -> str:
    """The name of an operand's kind in messages."""
    if isinstance(operand, Maybe):
        return f"{describe(operand.value)} or None"
    if isinstance(operand, Either):
        return f"{describe(operand.first)} or {describe(operand.second)}"
    if isinstance(operand, Told | RunText):
        return _described_text(operand)
    if isinstance(operand, Choice):
        return f"{describe(operand.then)} or {describe(operand.orelse)}"
    if isinstance(operand, Items) and is_row(operand):
        of = operand.cls if isinstance(operand.cls, str) else "a list"
        return "dict" if of.startswith(f"{RECORD}(") else of
    type_ = type_of(operand)
    if type_ is not None and not isinstance(type_, Stack):
        return as_annotated(type_)
    match operand:
        case Static(value=value):
            return _described_static(value)
        case Closure(name=name):
            return f"the function {name}"
        case Bound(func=func):
            return describe(func)
        case Ref(cls=cls):
            return cls.name
        case Passed(spelled=spelled):
            return f"a value of type {spelled}"
        case IntRange(once=None):
            return "a range"
        case Elements() | IntRange():
            return "an iterator"
        case Generator(call=call):
            return "a generator expression" if call is None else "a generator"
        case Cut():
            return "a slice"
        case Items(is_list=is_list):
            return "a list" if is_list else "a tuple of things that are not numbers"
        case _:
            return _undefined(operand)


def _undefined(operand: Operand) -> str:
    if isinstance(operand, Conflict):
        return f"what has no single type: {operand.reason}"
    return "an undefined value"


def _described_text(operand: Told | RunText) -> str:
    if isinstance(operand, RunText):
        return "a text that the run tells"
    return " or ".join(map(str, operand.options))


def _described_static(value: object) -> str:
    match value:
        case str():
            return "a string"
        case Logger():
            return "a logger"
        case FunctionDecl(name=name):
            return f"the function {name}"
        case ClassDecl(name=name):
            return f"the class {name}"
        case EnumMember(cls=cls, name=name):
            return f"{cls.name}.{name}"
        case External(qualname=name) | ModuleRef(module=name):
            return name
        case DType(value=name):
            return f"the dtype {name}"
        case _:
            return "an undefined value"


def is_text(operand: object) -> TypeGuard[Static]:
    """True for text that is known ahead of time."""
    return isinstance(operand, Static) and isinstance(operand.value, str)


# ---- The types of objects of several classes of the program: if it is of the first one, and both


def kinds(first: Type | None, second: Type | None) -> Tuple | None:
    """The type of an object of one of several classes, in their order; None for anything else."""
    classes = [*classes_of(first), *classes_of(second)]
    is_one = len(classes_of(first)) == 1 and len(classes_of(second)) > 0
    if first is None or second is None or not is_one or classes != sorted(set(classes)):
        return None
    return Tuple((BOOL, first, second), ("is_first", "first", "second"), Held.KINDS)


def classes_of(type_: Type | None) -> list[tuple[str, str]]:
    """The classes of the program that objects of a ``type_`` are of; none for anything else."""
    match type_:
        case Tuple(items=(_, first, second), cls=Held.KINDS):
            return classes_of(first) + classes_of(second)
        case Tuple(of=ClassRef(module=module, name=name)) if not type_.is_record:
            return [(module, name)]
        case _:
            return []


def by_class(type_: Type) -> Iterator[Type]:
    """The types of objects of each class that objects of a ``type_`` are of."""
    if isinstance(type_, Tuple) and type_.cls == Held.KINDS:
        yield type_.items[1]
        yield from by_class(type_.items[2])
    elif classes_of(type_):
        yield type_
