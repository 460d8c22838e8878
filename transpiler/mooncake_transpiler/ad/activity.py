"""Activity: what depends on the differentiated parameters *and* influences the result.

Flow-insensitive for memory (a class is varied or useful as a whole), a fixpoint over loops.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from mooncake_rules.scalar import OPS

from mooncake_transpiler import ir
from mooncake_transpiler.ad.border import user_results
from mooncake_transpiler.analysis.memory import Memories, Memory
from mooncake_transpiler.types import Array, Scalar, Type

Key = ir.Value | Memory  # scalars by value, arrays by their memory

# The arguments of a call that its results, and what it writes, have derivatives with respect to.
Sources = Callable[[ir.Call], tuple[ir.Atom, ...]]


def all_arguments(call: ir.Call) -> tuple[ir.Atom, ...]:
    return call.args


class Activity:
    """``active(v)``: does ``v`` (a scalar) or its memory (an array) need a cotangent?"""

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
        forwards: dict[Key, list[Key]] = {}
        backwards: dict[Key, list[Key]] = {}
        for source, target in edges:
            forwards.setdefault(source, []).append(target)
            backwards.setdefault(target, []).append(source)
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
    seen = set(start)
    stack = list(seen)
    while stack:
        for target in edges.get(stack.pop(), ()):
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return seen


def _edges(block: ir.Block, memories: Memories, sources: Sources) -> Iterator[tuple[Key, Key]]:
    """Pairs (a, b): the derivative of ``b`` may depend on that of ``a``."""

    def key(atom: ir.Atom) -> Iterator[Key]:
        if isinstance(atom, ir.Value):
            yield memories.of(atom) if isinstance(atom.type, Array) else atom

    def flow(atoms: tuple[ir.Atom, ...], targets: tuple[ir.Atom, ...]) -> Iterator[tuple[Key, Key]]:
        for source in atoms:
            for target in targets:
                yield from ((a, b) for a in key(source) for b in key(target))

    for stmt in ir.walk(block):
        match stmt:
            case ir.Compute(out=out):
                yield from flow(differentiable_args(stmt), (out,))
            case ir.Load(out=out, base=base):
                yield from flow((base,), (out,))
            case ir.Store(base=base, value=value) | ir.Accum(base=base, value=value):
                yield from flow((value,), (base,))
            case ir.Copy(out=out, src=src):
                yield from flow((src,), (out,))
            case ir.Assign(dst=dst, src=src) | ir.AddTo(dst=dst, src=src):
                yield from flow((src,), (dst,))
            case ir.Sum(out=out, array=array):
                yield from flow((array,), (out,))
            case ir.Call(outs=outs, args=args):
                written = set(memories.writes(stmt))
                arrays = tuple(a for a in args if isinstance(a.type, Array))
                targets = tuple(a for a in arrays if memories.of(a) in written)
                yield from flow(sources(stmt), (*outs, *targets))
            case ir.If(outs=outs, then=then, orelse=orelse):
                for out, a, b in zip(outs, then.yields, orelse.yields, strict=True):
                    yield from flow((a, b), (out,))
            case ir.For() | ir.While():
                for k, param in enumerate(stmt.params):
                    yield from flow((stmt.inits[k], stmt.body.yields[k]), (param,))
                    yield from flow((stmt.inits[k], stmt.body.yields[k]), (stmt.outs[k],))
            case _:
                pass


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
