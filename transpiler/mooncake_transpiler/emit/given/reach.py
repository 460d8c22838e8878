"""Tests in plain Python for the parts of arguments that may be None.

A field that the function assigns may belong to an object that may be None, or of another class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from mooncake_transpiler import ir
from mooncake_transpiler.border.borders import CONTENT, Fork, root, way
from mooncake_transpiler.emit.given.given_objects import Use, each, shown, zero_of
from mooncake_transpiler.emit.layout import INDENT, Item, layout
from mooncake_transpiler.types import NONE, List, Type, parts

Tests = tuple[str, ...]  # all of them hold


@dataclass(frozen=True, slots=True)
class Reach:
    """The places that lie behind variables of certain types."""

    types: dict[str, Type]
    use: Use

    @classmethod
    def of(cls, func: ir.Func, use: Use) -> Reach:
        """The places behind the parameters of ``func``, and behind what holds linked objects."""
        types = {param.name: param.type for param in func.params}
        inner = (part for type_ in types.values() for part in parts(type_))
        held = {part.held: part for part in inner if isinstance(part, List) and part.held}
        return cls(types | held, use)

    def tests(self, path: str) -> Tests:
        """The tests that there is something at ``path``."""
        start = root(path)
        forks, _ = way(self.types[start], start, path)
        return tuple(self._test(fork) for fork in forks)

    def value(self, path: str, type_: Type) -> str:
        """The value at ``path``, of ``type_``; a zero, or None, if there is none."""
        tests = self.tests(path)
        path = column(path)
        return f"{path} if {' and '.join(tests)} else {zero_of(type_)}" if tests else path

    def _test(self, fork: Fork) -> str:
        if fork.others == (NONE,):
            return f"{fork.at} is not None"
        names = [name for option in fork.going for name in shown(option, self.use)]
        tests = [f"{self.use('is_a')}({fork.at}, {name})" for name in names]
        return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"


def column(path: str) -> str:
    """``path`` as an expression: a list, if it says a field of all objects in a list."""
    holder, _, access = path.partition(CONTENT)
    return each(holder, access) if access else path


def guarded(made: Iterable[tuple[Tests, str, Item, str]]) -> Iterator[str]:
    """The lines of statements, each in three parts, below an ``if`` with their tests."""
    for tests, group in groupby(made, key=lambda one: one[0]):
        if tests:
            yield f"{INDENT}if {' and '.join(tests)}:"
        for _, prefix, item, suffix in group:
            yield from layout(prefix, item, suffix, 2 if tests else 1)
