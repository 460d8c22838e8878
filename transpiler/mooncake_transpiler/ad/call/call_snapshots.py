"""Functions that are called rather than inlined: recursive ones and very large ones.

The forward sweep calls the primal. The reverse sweep calls ``g_reverse``, which runs ``g`` again
from the same arguments, fused with its reverse: nothing is kept between the two, so recursion
needs no stack of its own. Arguments that are written, by ``g`` or by anything else, are copied
before the call and put back first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Mutated
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import Array

Snapshots = dict[ir.Stmt, tuple[tuple[int, ir.Value], ...]]


def callees(func: ir.Func, program: ir.Program) -> list[ir.Func]:
    """All functions without a pullback that ``func`` calls, directly or not, by first call."""
    funcs = program.funcs

    def called(caller: ir.Func) -> Iterator[str]:
        names = (s.func for s in ir.walk(caller.body) if isinstance(s, ir.Call))
        return (n for n in names if n not in PRIMITIVES and funcs[n].pullback is None)

    return [funcs[name] for name in closure(called(func), lambda name: called(funcs[name]))]


def snapshot_calls(
    func: ir.Func, mutated: Mutated, ruled: frozenset[str]
) -> tuple[ir.Func, Snapshots]:
    """Insert copies of arguments of calls that may have changed when the call is run again.

    Calls of ``ruled`` functions and of primitives are never run again.

    g(a)          a_entry = a.copy(); g(a)
    """
    snapshots: Snapshots = {}
    memories = Memories(func, mutated)

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not isinstance(stmt, ir.Call) or stmt.func in ruled or stmt.func in PRIMITIVES:
            return None
        taken = tuple(
            (k, ir.Value(f"{arg.hint}_entry" if arg.hint else "", arg.type))
            for k, arg in enumerate(stmt.args)
            if isinstance(arg, ir.Value)
            and isinstance(arg.type, Array)
            and memories.of(arg).written
        )
        if taken:
            snapshots[stmt] = taken
        return [*(ir.Copy(copy, stmt.args[k], stmt.origin) for k, copy in taken), stmt]

    return replace(func, body=ir.rewritten(func.body, change)), snapshots
