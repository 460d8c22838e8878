"""The numbers and arrays that operands consist of, their types, and their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

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
from mooncake_transpiler.frontend.lower.state.identities import Ref
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
from mooncake_transpiler.frontend.lower.state.several_classes import kinds
from mooncake_transpiler.frontend.lower.state.syntax import Hint
from mooncake_transpiler.frontend.lower.state.tabled import ROW, is_row
from mooncake_transpiler.frontend.lower.state.text_facts import RunText
from mooncake_transpiler.frontend.name.library_classes import RECORD
from mooncake_transpiler.types import (
    BOOL,
    INT,
    NONE,
    Array,
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
        case Either(), Either():
            sides = same(a.first, b.first) and same(a.second, b.second)
            return sides and same(a.is_first, b.is_first)
        case Told(), Told():
            return same(a.which, b.which) and a.options == b.options
        case (RunText(), RunText()) | (Passed(), Passed()):
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
    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            yield operand
        case Items(items=items):
            for item in items:
                yield from atoms(item)
        case Maybe(there=there, value=value):
            yield there
            yield from atoms(value)
        case Either(is_first=is_first, first=first, second=second):
            yield is_first
            yield from atoms(first)
            yield from atoms(second)
        case Choice(cond=cond, then=then, orelse=orelse) if type_of(operand) is not None:
            yield cond
            yield from atoms(then)
            yield from atoms(orelse)
        case Told(which=which):
            yield which
        case RunText(number=number):
            yield number
        case _:
            return


def rebuild(type_: Type, leaves: Iterator[ir.Atom]) -> Operand:
    """The operand of ``type_`` whose leaves are taken from ``leaves``."""

    def last(type_: Type) -> Operand:
        if isinstance(type_, Opaque):
            return Conflict(f"values of type {type_.spelled} can't be worked with")
        return next(leaves)

    return _built(type_, lambda _: next(leaves), last)


def undefined(type_: Type) -> Operand:
    """An operand of ``type_`` that is never looked at."""
    return _built(type_, ir.Undef, ir.Undef)


def _built(
    type_: Type, atom: Callable[[Scalar], ir.Atom], last: Callable[[Type], Operand]
) -> Operand:
    """The operand of ``type_``; ``atom`` gives numbers that tell about it, ``last`` its parts."""

    def inside(type_: Type) -> Operand:
        return _built(type_, atom, last)

    match type_:
        case Tuple(items=(_, inner), cls=Held.MAYBE):
            return Maybe(atom(BOOL), inside(inner))
        case Tuple(items=(_, first, second), cls=Held.EITHER):
            return Either(atom(BOOL), inside(first), inside(second))
        case Tuple(items=(_, first, second), cls=Held.KINDS):
            return Choice(atom(BOOL), inside(first), inside(second))
        case Tuple(cls=Held.TOLD):
            return Told(atom(INT), options_of(type_))
        case Tuple(items=(Scalar(),), cls=Held.TEXT):
            return RunText(atom(INT))
        case Tuple(items=(Scalar(),), cls=ToldItems(options=options)):
            return Told(atom(INT), options)
        case Tuple(items=items, names=names, cls=cls, of=of):
            return Items(tuple(map(inside, items)), names, cls, of)
        case NoneType():
            return NOTHING
        case _:
            return last(type_)


def fresh(type_: Type, hint: Hint) -> Operand:
    """New values of ``type_``; the items of a tuple are told apart by their position."""
    match type_:
        case Tuple(items=(_, inner), cls=Held.MAYBE):
            flag = f"has_{hint}" if hint and isinstance(hint, str) else ""
            return Maybe(ir.Value(flag, BOOL), fresh(inner, hint))
        case Tuple(items=(_, first, second), cls=Held.EITHER):
            name = name_of(hint)
            flag, number = (f"{name}_is_first", f"{name}_first") if name else ("", "")
            return Either(ir.Value(flag, BOOL), fresh(first, number), fresh(second, hint))
        case Tuple(items=(_, first, second), cls=Held.KINDS):
            return Choice(ir.Value("", BOOL), fresh(first, hint), fresh(second, hint))
        case Tuple(cls=Held.TOLD):
            return Told(ir.Value(name_of(hint), INT), options_of(type_))
        case Tuple(items=(Scalar(),), cls=Held.TEXT):
            return RunText(ir.Value(name_of(hint), INT))
        case Tuple(items=(Scalar(),), cls=ToldItems(options=options)):
            return Told(ir.Value(name_of(hint), INT), options)
        case Tuple(items=items, names=names, cls=cls, of=of):
            labels = names or [str(k) for k in range(len(items))]
            hints = [_item_hint(hint, k, label) for k, label in enumerate(labels)]
            return Items(tuple(map(fresh, items, hints)), names, cls, of)
        case NoneType():
            return NOTHING
        case _:
            return ir.Value(name_of(hint), type_)


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
