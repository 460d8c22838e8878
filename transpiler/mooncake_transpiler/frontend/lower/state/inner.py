"""The content of operands of any kind: functions hold values, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.frontend.entities import ClassDecl, External, FunctionDecl
from mooncake_transpiler.frontend.lower.state.leaves import atoms
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
from mooncake_transpiler.frontend.lower.state.text_facts import RunText


def is_function(operand: Operand | None) -> bool:
    """True if ``operand`` is known to be something to call, and nothing else."""
    match operand:
        case Closure() | Bound() | Choice():
            return True
        case Static(value=FunctionDecl() | ClassDecl() | External()):
            return True
        case _:
            return False


def inner_atoms(operand: Operand) -> Iterator[ir.Atom]:
    """The leaves of an operand of any kind: those that functions hold, too."""
    match operand:
        case Items(items=items):
            for item in items:
                yield from inner_atoms(item)
        case Bound(func=func, args=args, keywords=keywords):
            for part in (func, *args, *keywords.values()):
                yield from inner_atoms(part)
        case Closure(defaults=defaults):
            for part in defaults.values():
                yield from inner_atoms(part)
        case Generator(call=Bound() as call):
            yield from inner_atoms(call)
        case Choice(cond=cond, then=then, orelse=orelse):
            yield cond
            yield from inner_atoms(then)
            yield from inner_atoms(orelse)
        case IntRange(lo=lo, hi=hi, step=step):
            yield from (lo, hi, step)
        case _:
            yield from atoms(operand)


def mapped(operand: Operand, change: Callable[[ir.Atom], ir.Atom]) -> Operand:
    """``operand`` with every leaf, those that functions hold included, changed."""

    def again(part: Operand) -> Operand:
        return mapped(part, change)

    match operand:
        case ir.Value() | ir.Const() | ir.Undef():
            return change(operand)
        case Maybe(there=there, value=value):
            return Maybe(change(there), again(value))
        case Either(is_first=is_first, first=first, second=second):
            return Either(change(is_first), again(first), again(second))
        case Told(which=which):
            return replace(operand, which=change(which))
        case RunText(number=number):
            return RunText(change(number))
        case Items(items=items):
            return replace(operand, items=tuple(map(again, items)))
        case Bound(func=func, args=args, keywords=keywords):
            named = {name: again(part) for name, part in keywords.items()}
            return Bound(again(func), tuple(map(again, args)), named)
        case Closure(defaults=defaults):
            return replace(operand, defaults={name: again(v) for name, v in defaults.items()})
        case Choice(cond=cond, then=then, orelse=orelse):
            return Choice(change(cond), again(then), again(orelse))
        case IntRange(lo=lo, hi=hi, step=step):
            return IntRange(change(lo), change(hi), change(step))
        case _:
            return operand


def like(operand: Operand, model: Operand | None) -> Operand:
    """``operand`` with the tuples that are lists in ``model`` as lists."""
    match operand, model:
        case Items(items=items), Items(items=others) if len(items) == len(others):
            inner = tuple(map(like, items, others))
            return replace(operand, items=inner, is_list=model.is_list)
        case _:
            return operand
