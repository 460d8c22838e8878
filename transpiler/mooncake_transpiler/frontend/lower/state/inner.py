"""The parts of operands of any kind: functions hold values, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, External, FunctionDecl
from mooncake_transpiler.frontend.lower.state.identities import RunText
from mooncake_transpiler.frontend.lower.state.operands import (
    Bound,
    Choice,
    Closure,
    Either,
    Generator,
    IntRange,
    Items,
    Maybe,
    Operand,
    Static,
    Told,
)


def is_function(operand: Operand | None) -> bool:
    """True if ``operand`` is known to be something to call, and nothing else."""
    match operand:
        case Closure() | Bound() | Choice():
            return True
        case Static(value=FunctionDecl() | ClassDecl() | External()):
            return True
        case _:
            return False


# What these consist of, beside what says of which kind they are.
_FIELDS: Mapping[type, tuple[str, ...]] = {
    Maybe: ("there", "value"), Either: ("is_first", "first", "second"), Told: ("which",),
    RunText: ("number",), Choice: ("cond", "then", "orelse"), IntRange: ("lo", "hi", "step"),
}  # fmt: skip


def parts(operand: Operand) -> tuple[Operand, ...]:
    """The operands that ``operand`` consists of, those that a function holds included."""
    match operand:
        case Items(items=items):
            return items
        case Bound(func=func, args=args, keywords=keywords):
            return (func, *args, *keywords.values())
        case Closure(defaults=defaults):
            return tuple(defaults.values())
        case Generator(call=Bound() as call):
            return (call,)
        case _:
            return tuple(getattr(operand, name) for name in _FIELDS.get(type(operand), ()))


def mapped(operand: Operand, change: Callable[[ir.Atom], ir.Atom]) -> Operand:
    """``operand`` with every leaf, those that functions hold included, changed."""

    def again(part: Operand) -> Any:
        return mapped(part, change)

    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            return change(operand)
        case Items(items=items):
            return replace(operand, items=tuple(map(again, items)))
        case Bound(func=func, args=args, keywords=keywords):
            named = {name: again(part) for name, part in keywords.items()}
            return Bound(again(func), tuple(map(again, args)), named)
        case Closure(defaults=defaults):
            return replace(operand, defaults={name: again(v) for name, v in defaults.items()})
        case Maybe() | Either() | Told() | RunText() | Choice() | IntRange():
            names = _FIELDS[type(operand)]
            return replace(operand, **{name: again(getattr(operand, name)) for name in names})
        case _:
            return operand


def inner_atoms(operand: Operand) -> Iterator[ir.Atom]:
    """The leaves of an operand of any kind: those that functions hold, too."""
    if isinstance(operand, ir.Value | ir.Const | ir.Undef):
        yield operand
    for part in parts(operand):
        yield from inner_atoms(part)


def like(operand: Operand, model: Operand | None) -> Operand:
    """``operand`` with the tuples that are lists in ``model`` as lists."""
    match operand, model:
        case Items(items=items), Items(items=others) if len(items) == len(others):
            inner = tuple(map(like, items, others))
            return replace(operand, items=inner, is_list=model.is_list)
        case _:
            return operand
