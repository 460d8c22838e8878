"""The names at module level that a function's text uses, and tuples that pass through calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.emit.imports import KERNELS
from mooncake_transpiler.emit.layout import Group, Item, tuple_group
from mooncake_transpiler.emit.uses import DISCARD, OVERLAP
from mooncake_transpiler.types import NONE, NoneType, Opaque, Tuple, Type, leaves

Show = Callable[[ir.Atom], str]
# The names of tuples that stay one variable: of which type they are, and their leaves.
Packs = Mapping[tuple[Type, tuple[ir.Atom, ...]], str]


@dataclass(frozen=True, slots=True)
class EmittedCallee:
    """A function that can be called: its signature and its Python name in this module."""

    func: ir.Func
    python_name: str

    def result(self, call: ir.Call) -> Type:
        """The type of what ``call`` returns."""
        return self.func.result

    @property
    def params(self) -> tuple[ir.Param, ...]:
        """The parameters that may take tuples."""
        return self.func.params

    def items(self, call: ir.Call, show: Show, packs: Packs) -> Iterator[Item]:
        """The arguments of ``call``, with their leaves put together again."""
        atoms = iter(call.args)
        for param in self.params:
            item = pack(param.type, atoms, show, packs)
            yield f"{param.name}={item}" if param.kwonly else item


@dataclass(frozen=True, slots=True)
class PlainCallee:
    """A function beside those of the program, which takes and gives numbers and arrays alone.

    The last of its arguments have these ``keywords``, or are ``named`` as the arrays are.
    """

    python_name: str
    keywords: tuple[str, ...] = ()
    named: bool = False

    def result(self, call: ir.Call) -> Type:
        """The type of what ``call`` returns."""
        match call.outs:
            case ():
                return NONE
            case (out,):
                return out.type
            case outs:
                return Tuple(tuple(out.type for out in outs))

    @property
    def params(self) -> tuple[ir.Param, ...]:
        """The parameters that may take tuples: none."""
        return ()

    def items(self, call: ir.Call, show: Show, packs: Packs) -> Iterator[Item]:
        """The arguments of ``call``."""
        keywords = _names(call.args) if self.named else self.keywords
        first = len(call.args) - len(keywords)
        yield from map(show, call.args[:first])
        for name, atom in zip(keywords, call.args[first:], strict=True):
            yield f"{name}={show(atom)}"


def _names(arrays: Sequence[ir.Atom]) -> list[str]:
    """A keyword for each of ``arrays``, by which messages name it."""
    hints = [getattr(array, "hint", "") or "array" for array in arrays]
    return [f"{hint}_{k}" if hint in hints[:k] else hint for k, hint in enumerate(hints)]


Callee = EmittedCallee | PlainCallee


@dataclass(frozen=True, slots=True)
class ModuleScope:
    """Module-level names: callees by ``Func.name``, constant arrays by module and name.

    ``imported`` says what else text refers to under another name than its own (``uses``), and
    ``records`` has the fields of the NamedTuples of residuals. No variable may be called like one
    of ``names``.
    """

    callees: Mapping[str, Callee] = field(default_factory=dict)
    globals: Mapping[tuple[str, str], str] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()
    imported: Mapping[str, str] = field(default_factory=dict)
    records: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        called = {callee.python_name for callee in self.callees.values()}
        names = self.classes.union(called, self.globals.values(), self.imported.values())
        object.__setattr__(self, "names", names)

    @property
    def discard(self) -> str:
        """The variable for a value that nobody reads."""
        return self.imported.get(DISCARD, DISCARD)

    @property
    def overlap(self) -> str:
        """The variable for how arrays overlap."""
        return self.imported.get(OVERLAP, OVERLAP)

    def callee(self, stmt: ir.Call) -> Callee:
        """The function that is called."""
        if stmt.func in PRIMITIVES:
            kernels = self.imported.get(KERNELS, KERNELS)
            return PlainCallee(f"{kernels}.{PRIMITIVES[stmt.func].name}")
        return self.callees[stmt.func]

    def call(self, stmt: ir.Call, show: Show, packs: Packs) -> Group:
        """The call, with the leaves of its arguments put together again."""
        callee = self.callee(stmt)
        items = tuple(callee.items(stmt, show, packs))
        return Group(f"{callee.python_name}(", items, ")", compact=True)

    def unpack(self, type_: Type, values: Iterator[ir.Value], show: Show, packs: Packs) -> Item:
        """An assignment target of ``type_``, with the next of ``values`` for its leaves."""
        match type_:
            case NoneType() | Opaque():
                return self.discard
            case Tuple(items=items):
                own = tuple(islice(values, len(list(leaves(type_)))))
                if (type_, own) in packs:
                    return packs[type_, own]
                rest = iter(own)
                return tuple_group([self.unpack(item, rest, show, packs) for item in items])
            case _:
                return show(next(values))


def pack(type_: Type, atoms: Iterator[ir.Atom], show: Show, packs: Packs) -> Item:
    """An expression of ``type_`` made of the next of ``atoms``."""
    match type_:
        case NoneType() | Opaque():
            return "None"
        case Tuple(items=items, names=names, cls=cls, alias=alias):
            own = tuple(islice(atoms, len(list(leaves(type_)))))
            if (type_, own) in packs:
                return packs[type_, own]
            rest = iter(own)
            packed = [pack(item, rest, show, packs) for item in items]
            name = cls or (alias if names is None and items else None)
            if name is None:
                return tuple_group(packed)
            return Group(f"{name}(", tuple(packed), ")", compact=True)
        case _:
            return show(next(atoms))
