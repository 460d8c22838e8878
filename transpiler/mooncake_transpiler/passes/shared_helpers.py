"""Helpers that stay functions: those that would stand in many places, and are not short.

    y = call g(x); z = call g(y)        both calls stay, and g is differentiated once

Code in line is the better code: it is fused with what is around it, and what is not needed of it
goes. So a helper stays a function only where its copies would be many lines. That is sooner for one
number that is made of numbers: all that its callers have to keep are its partial derivatives.

What stays a function takes and returns numbers and arrays; it leaves its arguments alone, and its
arrays are new, each one for itself. So callers need to know no more of it than of a function of
the library.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Mutated, mutated
from mooncake_transpiler.border.borders import NO_BORDER
from mooncake_transpiler.ir.function_names import is_of_library, private_name
from mooncake_transpiler.types import NONE, Array, Scalar, Tuple


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes from which on a helper stays a function: its own, and that of its copies but one.

    ``alone``: of straight code, which all derivatives of its only caller would hold.
    """

    own: int
    copied: int
    alone: int = sys.maxsize


OF_NUMBERS = Limits(8, 30, 50)  # for one number that is made of numbers
OTHERS = Limits(30, 200)

_UNSURE = (ir.Sharing.UNKNOWN, ir.Sharing.ANY)


@dataclass(slots=True)
class Helpers:
    """The functions of ``program`` that stay calls, as they are found: callees first.

    ``public`` are the functions that have derivatives of their own in any case.
    """

    program: ir.Program
    public: Collection[str]
    names: set[str] = field(default_factory=set)
    _sites: Counter[str] = field(init=False)
    _changes: Mutated = field(init=False)

    def __post_init__(self) -> None:
        self._sites = Counter(_calls(self.program.funcs.values()))
        self._changes = mutated(list(self.program.funcs.values()))

    def stays(self, func: ir.Func, size: int) -> bool:
        """True if ``func``, which has so many statements once inlined, is to stay a function."""
        if not (self._is_worth(func, size) and self._is_plain(func)):
            return False
        self.names.add(func.name)
        return True

    def _is_worth(self, func: ir.Func, size: int) -> bool:
        limits = OF_NUMBERS if _is_number_of_numbers(func) else OTHERS
        sites, is_straight = self._sites[func.name], _is_straight(func)
        if sites and is_straight and size >= limits.alone:
            return True
        copies = sites + (is_straight and func.name in self.public)
        return size >= limits.own and (copies - 1) * size >= limits.copied

    def _is_plain(self, func: ir.Func) -> bool:
        """True if all that ``func`` does shows in its results, numbers and arrays of its own."""
        types = [value.type for value in (*func.inputs, *func.body.yields)]
        called = {stmt.func for stmt in ir.walk(func.body) if isinstance(stmt, ir.Call)}
        others = {name for name in called if not self._is_known(name)}
        return (
            all(isinstance(type_, Scalar | Array) for type_ in types)
            and func.border == NO_BORDER
            and not self._changes[func.name]
            and not others
            and self._returns_new(func)
        )

    def _returns_new(self, func: ir.Func) -> bool:
        """True if each array that ``func`` returns is new memory, and no two are the same."""
        arrays = [atom for atom in func.body.yields if isinstance(atom.type, Array)]
        if not arrays:
            return True
        stmts = list(ir.walk(func.body))
        if any(isinstance(s, ir.Copy | ir.Reshape) and s.sharing in _UNSURE for s in stmts):
            return False
        memories = Memories(func, self._changes)
        old = {memories.of(out) for s in stmts if self._may_be_old(s) for out in ir.outside(s)}
        found = {memories.of(array) for array in arrays}
        return len(found) == len(arrays) and not any(m.is_param or m in old for m in found)

    def _may_be_old(self, stmt: ir.Stmt) -> bool:
        """True if arrays that ``stmt`` finds may be known by other names, too."""
        if isinstance(stmt, ir.Call):
            return not (is_of_library(stmt.func) or stmt.func in self.names)
        return True

    def _is_known(self, name: str) -> bool:
        func = self.program.funcs.get(name)
        return func is None or func.pullback is not None or name in self.names


def _calls(funcs: Collection[ir.Func]) -> Iterator[str]:
    """The name of each function that is called, as often as it is."""
    for func in funcs:
        yield from (stmt.func for stmt in ir.walk(func.body) if isinstance(stmt, ir.Call))


def _is_number_of_numbers(func: ir.Func) -> bool:
    """True if ``func`` takes numbers and returns one."""
    atoms = (*func.inputs, *func.body.yields)
    return len(func.body.yields) == 1 and all(isinstance(a.type, Scalar) for a in atoms)


def _is_straight(func: ir.Func) -> bool:
    """True if ``func`` is a number made of numbers, without loops."""
    loops = any(isinstance(stmt, ir.For | ir.While) for stmt in ir.walk(func.body))
    return _is_number_of_numbers(func) and not loops


def set_apart(program: ir.Program, names: Set[str], public: Collection[str]) -> ir.Program:
    """``program`` where the helpers ``names`` are functions for callers alone.

        def g(x): ...                def g(x): return _g(x)
                                     def _g(x): ...

    A ``public`` one that is straight code over numbers calls what others call, so its derivatives
    are written once. Others keep their body: their own sweeps are fused.
    """
    moved = {name: _private(name, program.funcs) for name in sorted(names & set(public))}
    funcs = {
        name: replace(func, body=ir.calling(func.body, moved))
        for name, func in program.funcs.items()
    }
    for name, private in moved.items():
        func = funcs[name]
        funcs[private] = _with_leaves(replace(func, name=private))
        if _is_straight(func):
            funcs[name] = ir.calling_only(func, private)
    for name in names - moved.keys():
        funcs[name] = _with_leaves(funcs[name])
    return ir.Program(funcs)


def _with_leaves(func: ir.Func) -> ir.Func:
    """``func`` with a parameter for each number and array, so that no class is mentioned."""
    taken: set[str] = set()
    params: list[ir.Param] = []
    for param in func.params:
        for leaf in param.leaves:
            name = param.name if len(param.leaves) == 1 else leaf.hint or param.name
            while name in taken:
                name += "_"
            taken.add(name)
            params.append(ir.Param(name, leaf.type, (leaf,)))
    types = tuple(atom.type for atom in func.body.yields)
    result = types[0] if len(types) == 1 else Tuple(types) if types else NONE
    return replace(func, params=tuple(params), result=result)


def _private(name: str, taken: Mapping[str, ir.Func]) -> str:
    private = private_name(name)
    while private in taken:
        private += "_"
    return private
