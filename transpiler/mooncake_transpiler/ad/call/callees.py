"""The functions that a function calls, and their writes: shared by all its derivations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.call_snapshots import callees
from mooncake_transpiler.ad.call.quiet_calls import quiet_functions
from mooncake_transpiler.ad.call.ruled_functions import Library
from mooncake_transpiler.analysis.memory import Mutated, mutated
from mooncake_transpiler.analysis.shapes import CallExtents


@dataclass(frozen=True, slots=True)
class Callees:
    """The functions without a pullback that one calls, directly or not, and those with one.

    ``changes``: for each function, itself included, which inputs it writes. ``helpers`` do the
    work of helpers that have a pullback (`ad/helper_pullbacks.py`). ``quiet``: the names of those
    that do nothing but compute (`ad/call/quiet_calls.py`).
    """

    funcs: tuple[ir.Func, ...]
    ruled: tuple[ir.Func, ...]
    library: Library
    changes: Mutated
    extents: CallExtents
    quiet: frozenset[str]
    helpers: tuple[ir.Func, ...] = ()

    @classmethod
    def of(cls, func: ir.Func, program: ir.Program, prune: Callable[[ir.Func], ir.Func]) -> Callees:
        library = Library(program, prune)
        funcs, ruled = tuple(callees(func, program)), tuple(library.funcs())
        changes = mutated([func, *funcs, *ruled])
        quiet = quiet_functions(funcs, changes)
        return cls(funcs, ruled, library, changes, CallExtents(ruled), quiet)
