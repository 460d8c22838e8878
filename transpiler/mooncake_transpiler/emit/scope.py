"""What a function's text refers to at module level, and how tuples pass through calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.emit.layout import Group, Item, tuple_group
from mooncake_transpiler.types import NoneType, Tuple, Type


@dataclass(frozen=True, slots=True)
class Callee:
    """A function that can be called: its signature and its Python name in this module."""

    func: ir.Func
    python_name: str


@dataclass(frozen=True, slots=True)
class Scope:
    """Module-level names: callees by ``Func.name``, constant arrays by module and name."""

    callees: Mapping[str, Callee] = field(default_factory=dict)
    globals: Mapping[tuple[str, str], str] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()

    def names(self) -> frozenset[str]:
        """All that no variable may be called."""
        called = {callee.python_name for callee in self.callees.values()}
        return frozenset(called | set(self.globals.values()) | self.classes)

    def call(self, stmt: ir.Call, show: Callable[[ir.Atom], str]) -> Group:
        """The call, with the leaves of its arguments put together again."""
        callee = self.callees[stmt.func]
        atoms = iter(stmt.args)
        items: list[Item] = []
        for param in callee.func.params:
            item = pack(param.type, atoms, show)
            items.append(f"{param.name}={item}" if param.kwonly else item)
        return Group(f"{callee.python_name}(", tuple(items), ")")


def pack(type_: Type, atoms: Iterator[ir.Atom], show: Callable[[ir.Atom], str]) -> Item:
    """An expression of ``type_`` made of the next of ``atoms``."""
    match type_:
        case NoneType():
            return "None"
        case Tuple(items=items, cls=cls):
            packed = [pack(item, atoms, show) for item in items]
            return tuple_group(packed) if cls is None else Group(f"{cls}(", tuple(packed), ")")
        case _:
            return show(next(atoms))


def unpack(type_: Type, names: Iterator[str]) -> Item:
    """An assignment target of ``type_``, with the next of ``names`` for its leaves."""
    match type_:
        case NoneType():
            return "_"
        case Tuple(items=items):
            return tuple_group([unpack(item, names) for item in items])
        case _:
            return next(names)
