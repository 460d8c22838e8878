"""The table of library functions: their names, and the programs that test them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mooncake_rules.arrays.stage import Arr, Num, Value

# What a library function is given: numbers and arrays of the program; or plain Python values,
# None, text, tuples and callables, which are known when the call is compiled.
Static = object
Impl = Callable[..., object]
F = TypeVar("F", bound=Impl)


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function users call as ``names``; ``impl(stage, *args)`` emits what it does.

    ``examples`` are expressions over ``x``, ``y`` … with fields in braces; ``grid`` has the values
    for each field. The rule test differentiates all of them.
    """

    names: tuple[str, ...]
    impl: Impl
    examples: tuple[str, ...] = ()
    grid: Mapping[str, Sequence[object]] = field(default_factory=dict)

    @property
    def signature(self) -> inspect.Signature:
        """The parameters as users pass them: those of ``impl`` without the stage."""
        own = inspect.signature(self.impl)
        return own.replace(parameters=list(own.parameters.values())[1:])


@dataclass(slots=True)
class Table:
    """The functions of one module of the library."""

    functions: list[Function] = field(default_factory=list)

    def add(self, names: str, *examples: str, **grid: Sequence[object]) -> Callable[[F], F]:
        """Enter the decorated function under ``names``: dotted, separated by blanks."""

        def enter(impl: F) -> F:
            self.functions.append(Function(tuple(names.split()), impl, examples, grid))
            return impl

        return enter


__all__ = ["Arr", "Function", "Impl", "Num", "Static", "Table", "Value"]
