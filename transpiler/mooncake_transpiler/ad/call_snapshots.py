"""Functions that are called rather than inlined: recursive ones and very large ones.

The forward sweep calls the primal. The reverse sweep calls ``g_reverse``, which runs ``g`` again
from the same arguments, fused with its reverse: nothing is kept between the two, so recursion
needs no stack of its own. Arguments that are written, by ``g`` or by anything that may come after
it, are copied before the call and put back first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from mooncake_rules.primitives import PRIMITIVES

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Memory, Mutated
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
    func: ir.Func, mutated: Mutated, ruled: frozenset[str] = frozenset()
) -> tuple[ir.Func, Snapshots]:
    """Insert copies of arguments of calls that may have changed when the call is run again.

    Calls of ``ruled`` functions and of primitives are never run again.

    g(a)          a_entry = a.copy(); g(a)
    """
    snapshots: Snapshots = {}
    memories = Memories(func, mutated)
    places = {stmt: k for k, stmt in enumerate(ir.walk(func.body))}
    last = dict(_last_writes(func.body, memories, places))

    def change(stmt: ir.Stmt) -> list[ir.Stmt] | None:
        if not isinstance(stmt, ir.Call) or stmt.func in ruled or stmt.func in PRIMITIVES:
            return None
        taken = tuple(
            (k, ir.Value(f"{arg.hint}_entry" if arg.hint else "", arg.type))
            for k, arg in enumerate(stmt.args)
            if isinstance(arg, ir.Value)
            and isinstance(arg.type, Array)
            and last.get(memories.of(arg), -1) >= places[stmt]
        )
        if taken:
            snapshots[stmt] = taken
        return [*(ir.Copy(copy, stmt.args[k], stmt.origin) for k, copy in taken), stmt]

    return replace(func, body=ir.rewritten(func.body, change)), snapshots


def _last_writes(
    body: ir.Block, memories: Memories, places: Mapping[ir.Stmt, int]
) -> Iterator[tuple[Memory, int]]:
    """The memory that each statement writes, and how far down that may still happen.

    A loop writes until it ends. What comes last about a memory is its last write.
    """
    for stmt in body.stmts:
        match stmt:
            case ir.For() | ir.While():
                inner = list(ir.walk(ir.Block((stmt,))))
                end = places[inner[-1]]
                yield from ((memory, end) for one in inner for memory in memories.writes(one))
            case _:
                yield from ((memory, places[stmt]) for memory in memories.writes(stmt))
                for block in ir.blocks(stmt):
                    yield from _last_writes(block, memories, places)
