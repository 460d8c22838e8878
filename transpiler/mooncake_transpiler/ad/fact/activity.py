"""Activity: values that depend on the differentiated parameters *and* influence the result.

Flow-insensitive for memory (a class is varied or useful as a whole), a fixpoint over loops.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import product

from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.interface.last_values import user_results
from mooncake_transpiler.reaching import closure, grouped
from mooncake_transpiler.types import Array, Scalar, Type

Key = ir.Value | Memory  # scalars by value, arrays by their memory

# The arguments of a call that its results, and what it writes, have derivatives with respect to.
Sources = Callable[[ir.Call], tuple[ir.Atom, ...]]


def all_arguments(call: ir.Call) -> tuple[ir.Atom, ...]:
    return call.args


class Activity:
    """Activity analysis; ``active(v)``: ``v``, or the memory of an array, needs a cotangent."""

    def __init__(
        self,
        func: ir.Func,
        memories: Memories,
        wrt: Collection[ir.Value],
        outputs: Collection[ir.Value] = (),
        sources: Sources = all_arguments,
    ) -> None:
        """``outputs``: arguments whose final content counts as a result, too."""
        self._memories = memories
        edges = [e for e in _edges(func.body, memories, sources) if _differentiable(e)]
        forwards, backwards = grouped(edges), grouped((b, a) for a, b in edges)
        varied = _reach((self._key(v) for v in wrt), forwards)
        results = [
            *outputs,
            *(a for a in user_results(func) if isinstance(a, ir.Value) and _carries(a.type)),
        ]
        useful = _reach((self._key(a) for a in results), backwards)
        self._active = varied & useful
        self._backwards = backwards

    def active(self, atom: ir.Atom) -> bool:
        if not isinstance(atom, ir.Value) or not _carries(atom.type):
            return False
        return self._key(atom) in self._active

    def active_memory(self, memory: Memory) -> bool:
        return memory in self._active

    def upstream(self, values: Iterable[ir.Value]) -> set[Key]:
        """All that influences one of ``values`` differentiably, themselves included."""
        return _reach((self._key(v) for v in values), self._backwards)

    def _key(self, value: ir.Value) -> Key:
        return self._memories.of(value) if isinstance(value.type, Array) else value


def _carries(type_: Type) -> bool:
    return isinstance(type_, Scalar | Array) and type_.dtype.is_differentiable


def _differentiable(edge: tuple[Key, Key]) -> bool:
    return all(
        key.dtype.is_differentiable if isinstance(key, Memory) else _carries(key.type)
        for key in edge
    )


def _reach(start: Iterable[Key], edges: dict[Key, list[Key]]) -> set[Key]:
    return set(closure(start, lambda key: edges.get(key, ())))


def _edges(block: ir.Block, memories: Memories, sources: Sources) -> Iterator[tuple[Key, Key]]:
    """Pairs (a, b): the derivative of ``b`` may depend on that of ``a``."""

    def key(atom: ir.Value) -> Key:
        return memories.of(atom) if isinstance(atom.type, Array) else atom

    for stmt in ir.walk(block):
        for source, target in _flows(stmt, memories, sources):
            if isinstance(source, ir.Value) and isinstance(target, ir.Value):
                yield key(source), key(target)


def _flows(
    stmt: ir.Stmt, memories: Memories, sources: Sources
) -> Iterator[tuple[ir.Atom, ir.Atom]]:
    """The pairs of an operand of ``stmt`` and a value or memory that it binds or writes."""
    match stmt:
        case ir.If() | ir.For() | ir.While():
            yield from ir.chosen(stmt)
        case _:
            targets = (*ir.outs(stmt), *ir.written(stmt, memories.changed))
            yield from product(_given(stmt, sources), targets)


def _given(stmt: ir.Simple, sources: Sources) -> tuple[ir.Atom, ...]:
    """The operands that derivatives flow from through ``stmt``."""
    match stmt:
        case ir.Compute():
            return differentiable_args(stmt)
        case ir.Call():
            return sources(stmt)
        case _:
            return ir.sources(stmt)


def differentiable_args(stmt: ir.Compute) -> tuple[ir.Atom, ...]:
    """The arguments with respect to which ``stmt`` has a derivative."""
    of_complex = OPS[stmt.op].complex
    numbers = (stmt.out, *stmt.args)
    if any(isinstance(a.type, Scalar) and a.type.dtype.is_complex for a in numbers):
        partials = None if of_complex is None else of_complex.pull
    else:
        partials = OPS[stmt.op].partials
    if partials is None:
        return ()
    return tuple(a for a, p in zip(stmt.args, partials, strict=True) if p is not None)
