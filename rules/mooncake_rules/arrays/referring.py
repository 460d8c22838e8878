"""The arrays that a function of a rule can load from: it refers to them, in its closure.

A delayed array is a function from indices to an element. What memory that reads must be known
before the memory is written, and a rule that had to say so could forget an array.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from types import CellType, FunctionType, MethodType

PACKAGE = __name__.partition(".")[0]  # whose data are looked into: the compiler's stage is no data


def referred(function: object, kind: type[object]) -> Iterator[object]:
    """The objects of ``kind`` that ``function`` refers to, not looking into these themselves."""
    pending, seen = [function], set[int]()
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, kind):
            yield one
        else:
            pending += _parts(one)


def _parts(one: object) -> Iterable[object]:
    match one:
        case FunctionType():
            defaults = (*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values())
            return (*(one.__closure__ or ()), *defaults)
        case CellType():
            return _content(one)
        case MethodType():
            return (one.__self__, one.__func__)
        case partial():
            return (one.func, *one.args, *one.keywords.values())
        case tuple() | list() | set() | frozenset():
            return one
        case dict():
            return one.values()
        case _ if is_dataclass(one) and type(one).__module__.startswith(PACKAGE):
            return [getattr(one, field.name) for field in fields(one)]
        case _:
            return ()


def _content(cell: CellType) -> tuple[object, ...]:
    try:
        return (cell.cell_contents,)
    except ValueError:  # a function that is not yet bound to the name that it calls itself by
        return ()
